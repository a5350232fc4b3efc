//! Stones under names that are none of SGF's: a reader that kept those as they stand would
//! lose the stones.

use super::{Property, Tree};
use crate::stone_name::parse_point;
use quincunx_engine::rules::{BoardSize, MAX_SIDE};

/// The names that the format defines, in any of its versions, `5A` of Renju, and the countries
/// `BC` and `WC`; those that most nodes have come first.
const DEFINED: &str = "B W C LB TR AB AE AN AP AR AW BC BL BM BR BS BT CA CH CP CR DD DI DM DO DP DT EL EV \
    EX FF FG GB GC GE GM GN GW HA HO ID IP IT IY KM KO L LN LT MA MN N OB OM ON OP OT OV OW PB PC PL \
    PM PW RE RG RO RU SC SE SI SL SO SQ ST SU SZ TB TC TE TM TW UC US V VW WC WL WR WS WT 5A";

/// The property that may be a stone under another name, if there is one, as the numbers of
/// its node and of it there.
pub(super) fn stone_of_another_name(tree: &Tree) -> Option<(usize, usize)> {
    let properties = (0..tree.len()).flat_map(|node| {
        let properties = tree.properties(node).iter().enumerate();
        properties.map(move |(index, property)| (node, index, property))
    });
    let unknown = properties.filter(|(.., property)| !is_defined(&property.name));
    let with_points = unknown.filter(|(.., property)| points(property) > 0);
    let candidates: Vec<(usize, usize, &Property)> = with_points.collect();
    let named = candidates.iter().find(|it| is_like_a_stone(&it.2.name));
    // Without any stone that the reader knows, those may be all there are.
    let count: usize = candidates.iter().map(|it| points(it.2)).sum();
    let several = candidates
        .first()
        .filter(|_| count > 1 && !tree.has_stones());
    named.or(several).map(|&(node, index, _)| (node, index))
}

fn is_defined(name: &str) -> bool {
    DEFINED.split(' ').any(|defined| defined == name)
}

/// How many values are points of the largest board, or rectangles of them.
fn points(property: &Property) -> usize {
    let is_point = |text: &str| {
        let size = BoardSize::square(MAX_SIDE);
        size.is_ok_and(|size| parse_point(size, text.trim()).is_some())
    };
    let values = property.values.iter();
    values
        .filter(|value| value.split(':').all(is_point))
        .count()
}

/// Whether a name looks like one of `B`, `W`, `AB` and `AW`: `BB`, `BLACK`, `ADDWHITE`, `B1`,
/// or what the capitals of `Ab` and `Add` leave.
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
