//! RIF, the XML of RenjuNet's database of games.
//!
//! Tables of players, tournaments, rules and openings, each entry with a number, and games that
//! name those numbers: `<game id="1" rule="2" black="3" white="4" bresult="1" alt="g10 f6">`
//! with the moves in `<move>`, and texts in other elements. `bresult` is black's points: 1, 0.5
//! or 0. `alt` has the points that were offered for the fifth move, `swap` how the players
//! changed colours, which the moves do not depend on: they are black's and white's in turn.

use super::lines::{Cursor, TextPosition, one_line, shown};
use super::memory::{MemoryError, Meter};
use super::property::Property;
use super::record::{GameRecord, RecordedMove};
use super::record_tree::RecordTree;
use super::rule_name::RuleName;
use super::sgf::point_text;
use super::warning::WarningKind;
use super::xml::{Element, Part, Parts, XmlError, unescaped};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::position::notation::{MovesError, parse_moves};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::collections::HashMap;

/// The text has no games in XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RifError {
    /// The text is not XML.
    #[error(transparent)]
    Xml(#[from] XmlError),
    /// It ends within a game.
    #[error("{0}: the file ends within this game")]
    Cut(TextPosition),
    /// The games take more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// It has no game.
    #[error("there is no game in this XML: expected elements such as <game> with a <move>")]
    Empty,
}

/// Returns whether a text is XML with games, or the start of it.
pub(crate) fn is_rif(text: &str) -> bool {
    let text = text.trim_start_matches(super::lines::is_blank);
    let mut parts = Parts::of(text);
    loop {
        match parts.next() {
            Ok(Some(Part::Open(element))) => {
                return matches!(element.name, "database" | "games" | "game");
            }
            Ok(Some(Part::Text(text, _))) if text.trim().is_empty() => {}
            _ => return false,
        }
    }
}

/// The entries that the games of a file refer to.
#[derive(Default)]
struct Tables<'t> {
    /// Elements by their kind and number.
    entries: HashMap<(&'t str, &'t str), Element<'t>>,
}

impl<'t> Tables<'t> {
    fn of(text: &'t str) -> Result<Tables<'t>, XmlError> {
        let mut tables = Tables::default();
        let mut parts = Parts::of(text);
        while let Some(part) = parts.next()? {
            if let Part::Open(element) = part
                && matches!(element.name, "player" | "tournament" | "rule" | "opening")
                && let Some(id) = element.raw("id")
            {
                tables.entries.insert((element.name, id), element);
            }
        }
        Ok(tables)
    }

    /// An attribute of the entry that a game names; nothing if there is none.
    fn find(&self, kind: &str, game: &Element<'_>, reference: &str, attribute: &str) -> String {
        let id = game.raw(reference).unwrap_or_default();
        let entry = self.entries.get(&(kind, id));
        entry.map_or(String::new(), |entry| one_line(&entry.attribute(attribute)))
    }

    fn player(&self, game: &Element<'_>, color: &str) -> String {
        let parts = ["name", "surname"].map(|part| self.find("player", game, color, part));
        let named = parts.iter().filter(|part| !part.is_empty());
        named.cloned().collect::<Vec<_>>().join(" ")
    }

    /// Returns the rule of a game. RenjuNet lists games of renju under the names of its opening
    /// rules. Other names count only in full.
    fn rule(&self, game: &Element<'_>) -> Rule {
        let name = self.find("rule", game, "rule", "name");
        let is_plain = ["gomoku", "free"]
            .iter()
            .any(|it| name.to_lowercase().contains(it));
        match RuleName::of(&name) {
            RuleName::Known(Rule::Freestyle) if !is_plain => Rule::Renju,
            RuleName::Known(rule) => rule,
            RuleName::Unknown(_) => Rule::Renju,
        }
    }
}

/// A game that is being read.
struct Entry<'t> {
    element: Element<'t>,
    place: TextPosition,
    /// The element inside, and the texts of all: with their place those of moves.
    inside: &'t str,
    moves: String,
    moves_place: Option<TextPosition>,
    texts: Vec<String>,
}

/// Passes on the games of a text, one after another. Returns whether the end of the text is
/// missing.
///
/// # Errors
/// When the text is no XML or has no game, or there is no memory for its games.
pub(crate) fn each_game(
    text: &str,
    take: &mut dyn FnMut(Result<RecordTree, MovesError>) -> Result<(), MemoryError>,
) -> Result<bool, RifError> {
    let tables = Tables::of(text)?;
    let mut parts = Parts::of(text);
    let mut cursor = Cursor::default();
    let mut entry: Option<Entry<'_>> = None;
    let (mut count, mut depth) = (0_usize, 0_usize);
    let mut meter = Meter::default();
    loop {
        let at = parts.at();
        let Some(part) = parts.next()? else {
            break;
        };
        match part {
            Part::Open(element) => {
                depth += usize::from(!element.is_empty);
                if element.name == "game" {
                    let new = Entry {
                        element,
                        place: cursor.advance(text, at),
                        inside: "",
                        moves: String::new(),
                        moves_place: None,
                        texts: Vec::new(),
                    };
                    entry = Some(new);
                } else if let Some(entry) = &mut entry {
                    entry.inside = element.name;
                }
            }
            Part::Text(text, _) | Part::Raw(text, _) if text.trim().is_empty() => {}
            Part::Text(inside, from) | Part::Raw(inside, from) => {
                if let Some(entry) = &mut entry {
                    let plain = match part {
                        Part::Raw(..) => inside.to_owned(),
                        _ => unescaped(inside),
                    };
                    entry.add(plain, || cursor.advance(text, from));
                }
            }
            Part::Close(_) => depth = depth.saturating_sub(1),
        }
        let is_over = match part {
            Part::Open(element) => element.name == "game" && element.is_empty,
            Part::Close(name) => name == "game",
            _ => false,
        };
        if let Some(entry) = entry.take_if(|_| is_over) {
            count += 1;
            let read = entry.game(&tables);
            let notes = read.as_ref().map_or(0, |tree| tree.nodes[0].notes_memory());
            meter.take(notes)?;
            take(read)?;
        }
    }
    match entry {
        Some(entry) => Err(RifError::Cut(entry.place)),
        None if count == 0 => Err(RifError::Empty),
        None => Ok(depth > 0),
    }
}

impl Entry<'_> {
    /// Adds the text of the element inside.
    fn add(&mut self, text: String, place: impl FnOnce() -> TextPosition) {
        let is_moves = matches!(self.inside, "move" | "moves")
            || self.inside == "board" && self.moves.trim().is_empty();
        if is_moves {
            self.moves_place.get_or_insert_with(place);
            self.moves.push_str(&text);
        } else if text.trim() != self.moves.trim() {
            self.texts.push(text.trim().to_owned());
        }
    }

    fn game(self, tables: &Tables<'_>) -> Result<RecordTree, MovesError> {
        let game = &self.element;
        let size = BoardSize::default();
        let mut record = GameRecord::new(Some(tables.rule(game)), size);
        record.black = tables.player(game, "black");
        record.white = tables.player(game, "white");
        let points = parse_moves(size, &self.moves).map_err(|error| MovesError {
            position: error.position.after(self.moves_place.unwrap_or(self.place)),
            ..error
        })?;
        let colors = Color::ALL.into_iter().cycle();
        let played = colors.zip(points);
        record
            .moves
            .extend(played.map(|(color, point)| RecordedMove::new(color, point)));
        let result = game.attribute("bresult");
        let won = |color| Some(GameResult::win(color, Termination::Agreement));
        let (result, unknown) = match result.trim() {
            "1" => (won(Color::Black), None),
            "0" => (won(Color::White), None),
            "0.5" => (Some(GameResult::draw(Termination::Agreement)), None),
            "" => (None, None),
            other => (None, Some(WarningKind::UnknownResult(shown(other)))),
        };
        record.result = result;
        let mut tree = RecordTree::of(record);
        tree.warnings.extend(unknown.map(Into::into));
        self.note(tables, &mut tree);
        tree.settle();
        Ok(tree)
    }

    /// Adds the remaining information to the start as a comment.
    fn note(&self, tables: &Tables<'_>, tree: &mut RecordTree) {
        let game = &self.element;
        let tournament = |attribute| tables.find("tournament", game, "tournament", attribute);
        let date = [tournament("year"), tournament("month")];
        let date = date.map(|part| part.parse::<u32>().ok().filter(|&number| number > 0));
        let date = match date {
            [Some(year), Some(month @ 1..=12)] => format!("{year:04}-{month:02}"),
            [Some(year), _] => format!("{year:04}"),
            _ => String::new(),
        };
        let mut texts = self.texts.clone();
        let offered = game.attribute("alt");
        let mut properties = vec![
            Property::new("EV", tournament("name")),
            Property::new("RO", one_line(&game.attribute("round"))),
            Property::new("DT", date),
            Property::new("ON", tables.find("opening", game, "opening", "name")),
        ];
        properties.retain(|property| !property.value().is_empty());
        match parse_moves(tree.record.size, &offered) {
            Ok(points) if !points.is_empty() && !points.contains(&Point::NONE) => {
                let values = points
                    .into_iter()
                    .map(|point| point_text(tree.record.size, point));
                properties.push(Property {
                    name: "5A".to_owned(),
                    values: values.collect(),
                });
            }
            _ if offered.trim().is_empty() => {}
            _ => texts.push(format!("alt: {offered}")),
        }
        let swap = game.attribute("swap");
        if !matches!(swap.trim(), "" | "0") {
            texts.push(format!("swap: {swap}"));
        }
        let comment = texts.join("\n");
        tree.record.comment.clone_from(&comment);
        if let Some(start) = tree.nodes.first_mut() {
            *start = start.clone().with(comment, properties);
        }
    }
}
