//! The position itself: what it keeps, and what it tells of that.

use super::change::{EMPTY_BUFFER, NewShapesBuffer, PointChange, PointShapes, PointState};
use super::counts::ClassCounts;
use super::line_codes::{EMPTY, LineCodes};
use super::zobrist;
use crate::pattern::{Class, Code, PatternTables, Shape};
use crate::rules::{BoardSize, Color, Direction, Point, PointSet, Rule};

/// A move and the state before it.
#[derive(Clone, Copy)]
pub(super) struct MoveRecord {
    pub(super) point: Point,
    pub(super) color: Color,
    pub(super) side_before: Color,
    pub(super) five: bool,
    pub(super) changes_before: u32,
    pub(super) key_before: u64,
    pub(super) counts_before: [ClassCounts; 2],
}

/// A board under a rule, with everything that a search asks for.
pub struct Position {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    pub(super) tables: &'static PatternTables,
    pub(super) side: Color,
    pub(super) key: u64,
    pub(super) counts: [ClassCounts; 2],
    pub(super) empty: usize,
    pub(super) lines: LineCodes,
    pub(super) shapes: [PointShapes; Point::GRID],
    pub(super) classes: [[Class; Point::GRID]; 2],
    pub(super) board: PointSet,
    pub(super) occupied: PointSet,
    pub(super) records: Vec<MoveRecord>,
    /// The changes of all moves; room for the next moves follows them.
    pub(super) changes: Vec<PointChange>,
    pub(super) used_changes: usize,
    pub(super) buffer: NewShapesBuffer,
}

impl Position {
    /// Creates the empty board with black to move.
    pub fn new(rule: Rule, size: BoardSize) -> Position {
        let mut position = Position {
            rule,
            size,
            tables: PatternTables::of(rule),
            side: Color::Black,
            key: zobrist::board(rule, size),
            counts: [ClassCounts::default(); 2],
            empty: size.points(),
            lines: LineCodes::new(size),
            shapes: [PointShapes::default(); Point::GRID],
            classes: [[Class::None; Point::GRID]; 2],
            board: size.iter().collect(),
            occupied: PointSet::EMPTY,
            records: Vec::new(),
            changes: Vec::new(),
            used_changes: 0,
            buffer: EMPTY_BUFFER,
        };
        position.refresh();
        position
    }

    /// Returns the rule.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the size of the board.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the colour to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Gives the move to `side`, to set up a position.
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// Returns the hash key of the stones, the side to move, the rule and the size.
    /// It does not depend on the order of moves.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the hash key after a move to `point`.
    #[inline]
    pub fn key_after(&self, point: Point) -> u64 {
        self.key ^ zobrist::stone(self.side, point) ^ zobrist::WHITE_TO_MOVE
    }

    /// Returns the hash key after the first `moves` moves.
    ///
    /// # Panics
    /// Panics if there were fewer moves.
    #[inline]
    pub fn key_after_moves(&self, moves: usize) -> u64 {
        if moves == self.records.len() {
            self.key
        } else {
            self.records[moves].key_before
        }
    }

    /// Returns the colour of the stone on `point`. Blocked points have none.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.lines.bits(point) {
            1 => Some(Color::White),
            2 => Some(Color::Black),
            _ => None,
        }
    }

    /// Returns whether `point` is an empty point of the board.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.lines.bits(point) == EMPTY
    }

    /// Returns the line codes of the stones on the board.
    #[inline]
    pub fn line_codes(&self) -> &LineCodes {
        &self.lines
    }

    /// Returns the number of empty points.
    #[inline]
    pub fn empty_points(&self) -> usize {
        self.empty
    }

    /// Returns the points with stones on them, and the blocked points.
    #[inline]
    pub fn occupied(&self) -> &PointSet {
        &self.occupied
    }

    /// Returns all points of the board.
    #[inline]
    pub fn board(&self) -> &PointSet {
        &self.board
    }

    /// Returns the number of moves, passes included.
    #[inline]
    pub fn ply(&self) -> usize {
        self.records.len()
    }

    /// Returns the moves in order. The point of a pass is [`Point::NONE`].
    pub fn moves(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Color, Point)> + ExactSizeIterator + '_ {
        self.records
            .iter()
            .map(|record| (record.color, record.point))
    }

    /// Returns the point of a recent move: `back` is 1 for the last move.
    #[inline]
    pub fn recent(&self, back: usize) -> Option<Point> {
        let index = self.records.len().checked_sub(back)?;
        self.records.get(index).map(|record| record.point)
    }

    /// Returns the points whose state a move changed: its own point, and empty points
    /// near it. The first move has number 0. A pass changed none.
    ///
    /// # Panics
    /// Panics if there was no such move.
    #[inline]
    pub fn changes(&self, number: usize) -> &[PointChange] {
        let first = |record: &MoveRecord| record.changes_before as usize;
        let end = (self.records.get(number + 1)).map_or(self.used_changes, first);
        &self.changes[first(&self.records[number])..end]
    }

    /// Returns the points whose state the last move changed.
    #[inline]
    pub fn last_changes(&self) -> &[PointChange] {
        match self.ply() {
            0 => &[],
            ply => self.changes(ply - 1),
        }
    }

    /// Returns whether the last move completed a winning line.
    #[inline]
    pub fn won(&self) -> bool {
        self.records.last().is_some_and(|record| record.five)
    }

    /// Returns how many empty points have which class for `color`.
    #[inline]
    pub fn counts(&self, color: Color) -> ClassCounts {
        self.counts[color.index()]
    }

    /// Returns the class of `point` for `color`. Points with stones have
    /// [`Class::None`].
    #[inline]
    pub fn class(&self, color: Color, point: Point) -> Class {
        self.classes[color.index()][point.index()]
    }

    /// Returns the state of the empty `point` for both colours.
    #[inline]
    pub fn state(&self, point: Point) -> PointState {
        PointState {
            codes: self.shapes[point.index()].codes,
            classes: Color::ALL.map(|color| self.class(color, point)),
        }
    }

    /// Returns the code of the empty `point` for `color`.
    #[inline]
    pub fn code(&self, color: Color, point: Point) -> Code {
        self.shapes[point.index()].codes[color.index()]
    }

    /// Returns the shape of the empty `point` for `color` in one direction.
    #[inline]
    pub fn shape(&self, color: Color, point: Point, direction: Direction) -> Shape {
        let packed = self.shapes[point.index()].packed(color);
        Shape::from_number((packed >> (4 * direction.index())) as u8)
    }

    /// Returns the radius of the windows that decide shapes under the rule.
    #[inline]
    pub fn radius(&self) -> usize {
        self.tables.lines.radius()
    }

    /// Returns the class that the empty `point` would have for `color` if the opponent
    /// had a stone on the empty point `steps` away in `direction`.
    #[inline]
    pub(crate) fn class_if_blocked(
        &self,
        color: Color,
        point: Point,
        direction: Direction,
        steps: i32,
    ) -> Class {
        // The blocked point loses the bit of `color`.
        let slot = self.radius() as i32 + steps - i32::from(steps > 0);
        let key = self.window_key_at(point, direction) ^ 1 << (2 * slot + 1 - color.index() as i32);
        let shape = self.tables.lines.shape(key, color);
        let shift = 4 * direction.index();
        let packed = self.shapes[point.index()].packed(color) & !(15 << shift);
        let code = self.tables.codes.code(packed | (shape as u16) << shift);
        self.tables.codes.classes(self.rule.forbids(color))[code.index()]
    }

    /// Returns whether the side to move has a legal move.
    pub fn has_legal_move(&mut self) -> bool {
        let size = self.size;
        size.iter().any(|point| self.is_legal(point))
    }

    /// Returns whether the side to move may play `point`.
    pub fn is_legal(&mut self, point: Point) -> bool {
        self.size.has(point) && self.is_empty(point) && self.forbidden(point).is_none()
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position {
            records: self.records.clone(),
            tables: self.tables,
            lines: self.lines.clone(),
            changes: self.changes[..self.used_changes].to_vec(),
            ..*self
        }
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} to move", self.to_line(), self.side)
    }
}
