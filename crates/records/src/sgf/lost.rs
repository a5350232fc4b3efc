//! Stones under names that are none of SGF's: a reader that kept those as they stand would
//! lose the stones.

use super::Tree;
use super::tree::PropertyView;
use crate::lines::shown;
use crate::stone_name::parse_point;
use crate::warning::{Warning, WarningKind, first_warnings};
use quincunx_engine::rules::{BoardSize, MAX_SIDE};
use std::collections::HashSet;

/// The names that the format defines, in any of its versions, `5A` of Renju, the openings `QPR`
/// and `QSLW` of Gomoku Quest, and the countries `BC` and `WC`; those that most nodes have come first.
const DEFINED: &str = "B W C LB TR AB AE AN AP AR AW BC BL BM BR BS BT CA CH CP CR DD DI DM DO DP DT EL EV \
    EX FF FG GB GC GE GM GN GW HA HO ID IP IT IY KM KO L LN LT MA MN N OB OM ON OP OT OV OW PB PC PL \
    PM PW RE RG RO RU SC SE SI SL SO SQ ST SU SZ TB TC TE TM TW UC US V VW WC WL WR WS WT 5A QPR QSLW";

/// The properties whose names are not known and whose values are points, with the numbers of
/// their nodes.
fn candidates(tree: &Tree) -> impl Iterator<Item = (usize, PropertyView<'_>)> {
    let properties = (0..tree.len()).flat_map(|node| tree.views(node).map(move |it| (node, it)));
    let unknown = properties.filter(|(_, property)| !is_defined(property.name));
    unknown.filter(|(_, property)| points(*property) > 0)
}

/// The property that may be a stone under another name, if there is one, with the number of its
/// node.
pub(super) fn stone_of_another_name(tree: &Tree) -> Option<(usize, PropertyView<'_>)> {
    let named = candidates(tree).find(|it| is_like_a_stone(it.1.name));
    // Without any stone that the reader knows, those may be all there are.
    let are_all = || candidates(tree).map(|it| points(it.1)).sum::<usize>() > 1;
    let several = || candidates(tree).next().filter(|_| are_all());
    named.or_else(|| several().filter(|_| !tree.has_stones()))
}

/// A warning for each unknown property name whose values are points, which may be stones.
pub(super) fn unknown_points(tree: &Tree) -> Vec<Warning> {
    let mut names: HashSet<&str> = HashSet::new();
    let first = candidates(tree).filter(|it| names.insert(it.1.name));
    let warning = |(node, property): (usize, PropertyView<'_>)| Warning {
        kind: WarningKind::UnknownPoints {
            name: shown(property.name),
            value: shown(property.value()),
        },
        place: Some(tree.place(node, property.number)),
    };
    first_warnings(first.map(warning).collect())
}

fn is_defined(name: &str) -> bool {
    DEFINED.split(' ').any(|defined| defined == name)
}

/// The number of points of the largest board, or rectangles of them, in the values that are
/// nothing else. A value may be a list.
fn points(property: PropertyView<'_>) -> usize {
    let is_point = |text: &str| {
        let size = BoardSize::square(MAX_SIDE);
        size.is_ok_and(|size| parse_point(size, text.trim()).is_some())
    };
    let is_separator = |c: char| matches!(c, ',' | ';') || c.is_whitespace();
    let lists = property.values().map(|value| {
        let mut parts = value.split(is_separator).filter(|part| !part.is_empty());
        let count = parts.clone().count();
        match parts.all(|part| part.split(':').all(is_point)) {
            true => count,
            false => 0,
        }
    });
    lists.sum()
}

/// Returns true if a name looks like `B`, `W`, `AB` or `AW`: `BB`, `BLACK`, `ADDWHITE`, `B1`, or
/// the capitals of `Ab` and `Add`.
fn is_like_a_stone(name: &str) -> bool {
    let letters = name.trim_matches(|c: char| c.is_ascii_digit());
    let color = letters.trim_start_matches("ADD").trim_start_matches('A');
    let is_all_of = |letter| !color.is_empty() && color.chars().all(|c| c == letter);
    matches!(name, "A" | "ADD")
        || ["BLACK", "WHITE"]
            .iter()
            .any(|word| color.starts_with(word))
        || is_all_of('B')
        || is_all_of('W')
}
