//! A game with its variations, as files keep it.

use super::lines::TextPosition;
use super::property::Property;
use super::record::{GameRecord, RecordedMove};
use super::warning::{Warning, WarningKind};
use quincunx_engine::game::{Game, MoveError, SetUpError};
use quincunx_engine::rules::{Color, Point, Rule};

/// A game with its variations. The main line is its record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordTree {
    /// The game with its main line.
    pub record: GameRecord,
    /// The start, and behind it every move before those that follow it, the main line's
    /// before those of variations.
    pub nodes: Vec<RecordNode>,
    /// Warnings from reading the file.
    pub warnings: Vec<Warning>,
}

/// A move of a tree, or the start. Libraries have millions of them, most without notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordNode {
    /// The number of the node before it; `u32::MAX` for the start.
    parent: u32,
    /// The point; [`Point::NONE`] for a pass, and for the start.
    pub point: Point,
    /// The colour that moved.
    pub color: Color,
    /// The place of the move in the file, if the format has lines.
    pub place: Option<TextPosition>,
    notes: Option<Box<Notes>>,
}

/// The notes on a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// A comment about the position.
    pub comment: String,
    /// The other SGF properties, unchanged.
    pub properties: Vec<Property>,
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
        /// The text position of the move, if known.
        place: Option<TextPosition>,
        /// The number of the move from the start, from one.
        number: usize,
        /// The error.
        error: MoveError,
    },
}

fn at(place: &Option<TextPosition>) -> String {
    place.map_or(String::new(), |place| format!("{place}: "))
}

impl RecordNode {
    /// A move without a comment.
    pub fn new(parent: Option<usize>, color: Color, point: Point) -> RecordNode {
        let parent = parent.and_then(|parent| u32::try_from(parent).ok());
        RecordNode {
            parent: parent.unwrap_or(u32::MAX),
            color,
            point,
            notes: None,
            place: None,
        }
    }

    /// The same with notes.
    #[must_use]
    pub fn with(self, comment: String, properties: Vec<Property>) -> RecordNode {
        let notes = Notes {
            comment,
            properties,
        };
        let is_empty = notes == Notes::default();
        RecordNode {
            notes: (!is_empty).then(|| Box::new(notes)),
            ..self
        }
    }

    /// The number of the node before it; the start has none.
    pub fn parent(&self) -> Option<usize> {
        (self.parent != u32::MAX).then_some(self.parent as usize)
    }

    /// A comment about the position.
    pub fn comment(&self) -> &str {
        self.notes.as_ref().map_or("", |notes| &notes.comment)
    }

    /// The other SGF properties, unchanged.
    pub fn properties(&self) -> &[Property] {
        self.notes.as_ref().map_or(&[], |notes| &notes.properties)
    }

    /// The bytes of memory of the notes.
    pub(crate) fn notes_memory(&self) -> usize {
        let values = self
            .properties()
            .iter()
            .flat_map(|property| &property.values);
        let values: usize = values.map(|value| value.len() + size_of::<String>()).sum();
        let properties = self.properties().len() * 2 * size_of::<Property>();
        self.comment().len() + values + properties + size_of::<Notes>()
    }

    /// The notes on the position, to be changed.
    pub fn notes(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }
}

impl Notes {
    /// Adds a warning below the others.
    pub(crate) fn add(&mut self, comment: &str) {
        if !self.comment.is_empty() && !comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(comment);
    }
}

impl RecordTree {
    /// The start alone.
    pub(crate) fn start(record: GameRecord) -> RecordTree {
        RecordTree {
            nodes: vec![RecordNode::new(None, record.first.opponent(), Point::NONE)],
            record,
            warnings: Vec::new(),
        }
    }

    /// A tree without variations.
    pub fn of(record: GameRecord) -> RecordTree {
        let mut tree = RecordTree::start(record);
        tree.nodes.reserve_exact(tree.record.moves.len());
        for (parent, played) in tree.record.moves.iter().enumerate() {
            let node = RecordNode::new(Some(parent), played.color, played.point);
            tree.nodes
                .push(node.with(played.comment.clone(), Vec::new()));
        }
        tree
    }

    /// The bytes of memory of the game as one of many: all but its notes.
    pub(crate) fn small_memory(&self) -> usize {
        let texts = [&self.record.black, &self.record.white, &self.record.name];
        size_of::<RecordTree>()
            + self.nodes.capacity() * size_of::<RecordNode>()
            + self.record.moves.capacity() * size_of::<RecordedMove>()
            + texts.map(|text| text.capacity()).iter().sum::<usize>()
    }

    /// Takes the moves of the record from the main line.
    pub fn record_main_line(&mut self) {
        let line = self.main_line().into_iter().skip(1);
        let nodes = line.filter_map(|node| self.nodes.get(node));
        let moves = nodes.map(|node| RecordedMove {
            comment: node.comment().to_owned(),
            ..RecordedMove::new(node.color, node.point)
        });
        self.record.moves = moves.collect();
    }

    /// Takes the result over that the stones decide. Where the file names another winner,
    /// that is a warning.
    pub(crate) fn settle(&mut self) {
        let named = self.record.result;
        self.record.settle();
        if let (Some(named), Some(decided)) = (named, self.record.result)
            && named.winner != decided.winner
        {
            self.warnings
                .push(WarningKind::OtherResult { named, decided }.into());
        }
    }

    /// Plays every move, variations included, under the rule of the record or, where it
    /// names none, under this one. Where a colour moves twice in a row, the other passes:
    /// that is a warning.
    ///
    /// # Errors
    /// When a stone or a move is impossible, or moves come after the end.
    pub fn check(&mut self, rule: Rule) -> Result<(), TreeError> {
        let mut game = Game::from_position(self.record.start(rule).position()?);
        let start = game.ply();
        // The nodes before the next, each with the number of moves up to it.
        let mut path = vec![(0, start)];
        // The first pass, and the number of others.
        let mut passes = None;
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            while path
                .last()
                .is_some_and(|last| Some(last.0) != node.parent())
            {
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
                passes.get_or_insert((node.place, 0)).1 += 1;
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
        if let Some((place, count)) = passes {
            let more = count - 1;
            let kind = WarningKind::OutOfTurn { more };
            self.warnings.push(Warning { kind, place });
        }
        Ok(())
    }

    /// The numbers of the nodes of the main line, from the start on.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = vec![0];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            // The first node behind another is the main line's.
            if node.parent() == line.last().copied() {
                line.push(index);
            }
        }
        line
    }
}
