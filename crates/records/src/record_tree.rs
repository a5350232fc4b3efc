//! A game with its variations, as files keep it.

use super::place::Place;
use super::property::Property;
use super::record::{GameRecord, RecordedMove};
use super::remark::{Remark, RemarkKind};
use quincunx_engine::game::{Game, MoveError, SetUpError};
use quincunx_engine::rules::{Color, Point, Rule};

/// A game with its variations. The main line is its record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordTree {
    /// What the game is, and its main line.
    pub record: GameRecord,
    /// The start, and behind it every move before those that follow it, the main line's
    /// before those of variations.
    pub nodes: Vec<RecordNode>,
    /// What was skipped, added or taken for granted.
    pub remarks: Vec<Remark>,
}

/// A move of a tree, or the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordNode {
    /// The number of the node before it; the start has none.
    pub parent: Option<usize>,
    /// The colour that moved.
    pub color: Color,
    /// The point; [`Point::NONE`] for a pass, and for the start.
    pub point: Point,
    /// A remark about the position.
    pub comment: String,
    /// What else an SGF file says, as it stands there.
    pub properties: Vec<Property>,
    /// Where the move stands in the file; nowhere in particular where that says nothing.
    pub place: Option<Place>,
}

/// The moves of a tree are not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The stones of the start are impossible.
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    /// A move may not be made.
    #[error("{}move {number}: {error}", at(.place))]
    Move {
        /// Where it stands, if that is known.
        place: Option<Place>,
        /// The number of the move from the start, from one.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
}

fn at(place: &Option<Place>) -> String {
    place.map_or(String::new(), |place| format!("{place}: "))
}

impl RecordNode {
    /// A move without any remark.
    pub fn new(parent: Option<usize>, color: Color, point: Point) -> RecordNode {
        RecordNode {
            parent,
            color,
            point,
            comment: String::new(),
            properties: Vec::new(),
            place: None,
        }
    }
}

impl RecordTree {
    /// The start alone.
    pub(crate) fn start(record: GameRecord) -> RecordTree {
        RecordTree {
            nodes: vec![RecordNode::new(None, record.first.opponent(), Point::NONE)],
            record,
            remarks: Vec::new(),
        }
    }

    /// A tree without variations.
    pub fn of(record: GameRecord) -> RecordTree {
        let mut tree = RecordTree::start(record);
        for (parent, played) in tree.record.moves.iter().enumerate() {
            tree.nodes.push(RecordNode {
                comment: played.comment.clone(),
                ..RecordNode::new(Some(parent), played.color, played.point)
            });
        }
        tree
    }

    /// Takes the moves of the record from the main line.
    pub fn record_main_line(&mut self) {
        let line = self.main_line().into_iter().skip(1);
        let nodes = line.filter_map(|node| self.nodes.get(node));
        let moves = nodes.map(|node| RecordedMove {
            comment: node.comment.clone(),
            ..RecordedMove::new(node.color, node.point)
        });
        self.record.moves = moves.collect();
    }

    /// Takes the result over that the stones decide. Where the file names another winner,
    /// that is remarked.
    pub(crate) fn settle(&mut self) {
        let named = self.record.result;
        self.record.settle();
        if let (Some(named), Some(decided)) = (named, self.record.result)
            && named.winner != decided.winner
        {
            self.remarks
                .push(RemarkKind::OtherResult { named, decided }.into());
        }
    }

    /// Plays every move, variations included, under the rule of the record or, where it
    /// names none, under this one. Where a colour moves twice in a row, the other passes:
    /// that is remarked.
    ///
    /// # Errors
    /// When a stone or a move is impossible, or moves come after the end.
    pub fn check(&mut self, rule: Rule) -> Result<(), TreeError> {
        let mut game = Game::from_position(self.record.start(rule).position()?);
        let start = game.ply();
        // The nodes before the next, each with the number of moves up to it.
        let mut path = vec![(0, start)];
        let mut passes = Vec::new();
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            while path.last().is_some_and(|last| Some(last.0) != node.parent) {
                path.pop();
            }
            let ply = path.last().map_or(start, |last| last.1);
            while game.ply() > ply {
                game.undo();
            }
            let wrong = |error| TreeError::Move {
                place: node.place,
                number: ply - start + 1,
                error,
            };
            if node.color != game.side() {
                game.pass().map_err(wrong)?;
                passes.push(node.place);
            }
            let made = match node.point {
                Point::NONE => game.pass(),
                point => game.play_or_lose(point),
            };
            match made {
                // It was made, and lost the game.
                Ok(()) | Err(MoveError::Forbidden(..)) => {}
                Err(error) => return Err(wrong(error)),
            }
            path.push((index, game.ply()));
        }
        if let Some(&place) = passes.first() {
            let more = passes.len() - 1;
            let kind = RemarkKind::OutOfTurn { more };
            self.remarks.push(Remark { kind, place });
        }
        Ok(())
    }

    /// The numbers of the nodes of the main line, from the start on.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            // The first node behind another is the main line's.
            if node.parent == line.last().copied() {
                line.push(index);
            }
        }
        line
    }
}
