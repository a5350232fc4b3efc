//! The database as an opening book: what it says about the next move.

use super::entry::{Entry, ValueBound};
use super::error::DatabaseError;
use super::store::Database;
use quincunx_engine::engine::{Book, BookMoves};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, PointSet};
use quincunx_engine::score::Score;
use std::sync::Arc;

/// The advice of a database about the next move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The move to play, and the entry of the position after it.
    pub play: Option<(Point, Entry)>,
    /// Moves that lose, or that were crossed out: labels `l` and `x`.
    pub avoid: PointSet,
}

impl Database {
    /// The advice of the database about the next move. The best move is one with the label `!` (to
    /// be played), otherwise one with `w` (won), otherwise the one with the best value, provided
    /// that it does not favour the opponent. Forbidden moves, moves labelled `l` or `x`, and moves
    /// without label and value are never proposed.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn advice(&self, position: &Position) -> Result<Advice, DatabaseError> {
        let children = self.children(position)?;
        let bad = |entry: &Entry| matches!(entry.label, Some('l' | 'L' | 'x' | 'X'));
        let avoid = children
            .iter()
            .filter(|(_, entry)| bad(entry))
            .map(|(point, _)| *point)
            .collect();
        let mut game = position.clone();
        let play = children
            .into_iter()
            .filter(|(point, entry)| !bad(entry) && game.is_legal(*point))
            .filter_map(|(point, entry)| Some((rank(&entry)?, point, entry)))
            .max_by_key(|&(rank, point, _)| (rank, std::cmp::Reverse(point.index())))
            .map(|(_, point, entry)| (point, entry));
        Ok(Advice { play, avoid })
    }
}

/// The rank of the move that led to an entry, by label, value and depth in this
/// order; `None` if nothing speaks for the move.
fn rank(entry: &Entry) -> Option<(u8, i32, i32)> {
    // Values are those of the side to move then.
    let value = match entry.bound {
        ValueBound::Exact | ValueBound::Upper => Some(-Score::from_units(entry.value).units()),
        ValueBound::None | ValueBound::Lower => None,
    };
    match entry.label {
        Some('!') => Some((2, value.unwrap_or(0), entry.depth)),
        Some('w' | 'W') => Some((1, value.unwrap_or(0), entry.depth)),
        _ => Some((0, value.filter(|&value| value >= 0)?, entry.depth)),
    }
}

/// A database as an engine's opening book, by its labels and values. If it can't be read the
/// engine searches.
pub struct DatabaseBook(pub Arc<Database>);

impl Book for DatabaseBook {
    fn moves(&self, position: &Position, _: u64) -> BookMoves {
        match self.0.advice(position) {
            Ok(advice) => BookMoves {
                play: advice.play.map(|(point, _)| point),
                avoid: advice.avoid,
                value: None,
            },
            Err(error) => {
                log::warn!("no advice from the database: {error}");
                BookMoves::default()
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    fn position(rule: Rule, moves: &str) -> Position {
        Position::from_moves(rule, BoardSize::default(), moves).unwrap()
    }

    #[test]
    fn the_best_that_is_known_is_advised() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("book")).unwrap();
        let now = position(Rule::Freestyle, "h8");
        let advised = |expected: Option<&str>| {
            let advice = database.advice(&now).unwrap();
            let play = advice.play.map(|(point, _)| point.to_string());
            assert_eq!(play.as_deref(), expected);
            advice.avoid.len()
        };
        let say = |point: &str, label, value: Option<i32>| {
            let after = position(Rule::Freestyle, &format!("h8{point}"));
            let say = |entry: &mut Entry| {
                entry.label = label;
                entry.value = value.unwrap_or(0);
                entry.bound = value.map_or(ValueBound::None, |_| ValueBound::Exact);
                entry.depth = 1;
            };
            database.change(&after, say).unwrap();
        };
        assert_eq!(advised(None), 0);
        // After this move the opponent is ahead, and then it is behind. Of
        // points that are images of each other the first is advised.
        say("a1", None, Some(1));
        assert_eq!(advised(None), 0);
        say("b1", None, Some(-1));
        advised(Some("b1"));
        say("c1", None, Some(-50));
        advised(Some("c1"));
        // No evaluation yields this value, but it may come from a file or a GUI.
        say("e1", None, Some(i32::MIN));
        advised(Some("e1"));
        say("g7", Some('w'), None);
        say("e5", Some('l'), Some(-900));
        say("b2", Some('x'), None);
        assert_eq!(advised(Some("g7")), 8);
        say("d1", Some('!'), None);
        advised(Some("d1"));
    }

    #[test]
    fn forbidden_moves_are_not_advised() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("book")).unwrap();
        // Two open threes cross at h8.
        let moves = "g8a1i8a3h7o1h9o3";
        let after = position(Rule::Renju, &format!("{moves}h8"));
        database
            .change(&after, |entry| entry.label = Some('w'))
            .unwrap();
        let advice = database.advice(&position(Rule::Renju, moves)).unwrap();
        assert_eq!(advice.play, None);
    }
}
