//! The position: stones, and for every empty point what it would mean to play
//! there.
//!
//! Floor 3, the hot room. A move touches only the points whose windows it is
//! in; each keeps four shapes, a code and a class for each colour. Counters
//! answer in constant time who has a five, an open four, a four-three. Taking
//! a move back restores what was saved instead of computing it again. Nothing
//! here allocates after the position has been made.

mod audit;
mod change;
mod counts;
mod forbidden;
mod lines;
mod notation;
mod update;
mod zobrist;

pub use audit::Auditor;
pub use change::{Change, Standing};
pub use counts::Counts;
pub use forbidden::Forbidden;
pub use notation::{ParseLineError, ParsePositionError};

use crate::pattern::{Class, Code, Merger, Shape, Tables};
use crate::rules::{BoardSize, Color, Direction, MAX_POINTS, Point, PointSet, Rule};
use lines::Lines;

/// The most points one move changes: itself and five each way in four
/// directions.
const MAX_CHANGES: usize = 41;

/// What an empty point would become for each colour.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Outlook {
    /// Black's four shapes in the low half, white's in the high half: four bits
    /// each, in the order of the directions.
    shapes: u32,
    codes: [Code; 2],
}

impl Outlook {
    /// Where both colours' shapes of the first direction are.
    const DIRECTION: u32 = 0x000F_000F;

    #[inline]
    fn new(shapes: u32, merger: &Merger) -> Outlook {
        Outlook {
            shapes,
            codes: [
                merger.code(shapes as u16),
                merger.code((shapes >> 16) as u16),
            ],
        }
    }

    #[inline]
    const fn packed(self, color: Color) -> u16 {
        (self.shapes >> (16 * color.index())) as u16
    }
}

/// What one move did, and the state before it.
#[derive(Clone, Copy)]
struct Record {
    point: Point,
    color: Color,
    side_before: Color,
    five: bool,
    changes_before: u32,
    key_before: u64,
    counts_before: [Counts; 2],
}

/// A board under a rule, with everything about it that search asks for.
pub struct Position {
    rule: Rule,
    size: BoardSize,
    tables: &'static Tables,
    side: Color,
    key: u64,
    counts: [Counts; 2],
    empty: usize,
    lines: Lines,
    outlooks: [Outlook; Point::GRID],
    classes: [[Class; Point::GRID]; 2],
    board: PointSet,
    occupied: PointSet,
    records: Vec<Record>,
    changes: Box<[Change]>,
    used_changes: usize,
    touched: update::Scratch,
}

impl Position {
    /// The empty board with black to move.
    pub fn new(rule: Rule, size: BoardSize) -> Position {
        let mut position = Position {
            rule,
            size,
            tables: Tables::of(rule),
            side: Color::Black,
            key: zobrist::board(rule, size),
            counts: [Counts::default(); 2],
            empty: size.points(),
            lines: Lines::new(size),
            outlooks: [Outlook::default(); Point::GRID],
            classes: [[Class::None; Point::GRID]; 2],
            board: size.iter().collect(),
            occupied: PointSet::EMPTY,
            records: Vec::with_capacity(2 * MAX_POINTS),
            changes: vec![Change::NONE; MAX_CHANGES * size.points()].into(),
            used_changes: 0,
            touched: update::CLEAR,
        };
        position.refresh();
        position
    }

    /// The rule in force.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The colour to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Gives the move to `side`, for positions that are set up.
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// The hash key: stones, side to move, rule and size. Move order leaves no
    /// trace in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The hash key after the side to move has played `point`.
    #[inline]
    pub fn key_after(&self, point: Point) -> u64 {
        self.key ^ zobrist::stone(self.side, point) ^ zobrist::WHITE_TO_MOVE
    }

    /// The hash key that the position had after its first `moves` moves.
    ///
    /// # Panics
    /// If there were not so many.
    #[inline]
    pub fn key_after_moves(&self, moves: usize) -> u64 {
        if moves == self.records.len() {
            self.key
        } else {
            self.records[moves].key_before
        }
    }

    /// The stone on `point`; nobody's stones and the margin have no colour.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.lines.cell(point) {
            1 => Some(Color::White),
            2 => Some(Color::Black),
            _ => None,
        }
    }

    /// Whether `point` is a point of the board without any stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.lines.cell(point) == 3
    }

    /// How many points are empty.
    #[inline]
    pub fn empty_points(&self) -> usize {
        self.empty
    }

    /// The points with stones on them (nobody's included).
    #[inline]
    pub fn occupied(&self) -> &PointSet {
        &self.occupied
    }

    /// All points of the board.
    #[inline]
    pub fn board(&self) -> &PointSet {
        &self.board
    }

    /// How many moves were made (passes included).
    #[inline]
    pub fn ply(&self) -> usize {
        self.records.len()
    }

    /// The moves made, a pass as [`Point::NONE`].
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = (Color, Point)> + '_ {
        self.records
            .iter()
            .map(|record| (record.color, record.point))
    }

    /// The move made `back` moves ago, 1 being the last.
    #[inline]
    pub fn recent(&self, back: usize) -> Option<Point> {
        let index = self.records.len().checked_sub(back)?;
        self.records.get(index).map(|record| record.point)
    }

    /// What a move changed, the first one having number 0: its own point and the
    /// empty points to which it made a difference. Nothing if it was a pass.
    ///
    /// # Panics
    /// If there were not so many moves.
    #[inline]
    pub fn changes(&self, number: usize) -> &[Change] {
        let first = |record: &Record| record.changes_before as usize;
        let end = (self.records.get(number + 1)).map_or(self.used_changes, first);
        &self.changes[first(&self.records[number])..end]
    }

    /// What the last move changed; nothing if there was none.
    #[inline]
    pub fn last_changes(&self) -> &[Change] {
        match self.ply() {
            0 => &[],
            ply => self.changes(ply - 1),
        }
    }

    /// Whether the last move completed a winning line.
    #[inline]
    pub fn won(&self) -> bool {
        self.records.last().is_some_and(|record| record.five)
    }

    /// How many empty points of `color` have which class.
    #[inline]
    pub fn counts(&self, color: Color) -> Counts {
        self.counts[color.index()]
    }

    /// What `color` would threaten by playing `point`. Always
    /// [`Class::None`] where a stone stands.
    #[inline]
    pub fn class(&self, color: Color, point: Point) -> Class {
        self.classes[color.index()][point.index()]
    }

    /// What the empty `point` is to both colours.
    #[inline]
    pub fn standing(&self, point: Point) -> Standing {
        Standing {
            codes: self.outlooks[point.index()].codes,
            classes: Color::ALL.map(|color| self.class(color, point)),
        }
    }

    /// Which four shapes `color` would have at the empty `point`.
    #[inline]
    pub fn code(&self, color: Color, point: Point) -> Code {
        self.outlooks[point.index()].codes[color.index()]
    }

    /// The shape `color` would have at the empty `point` in one direction.
    #[inline]
    pub fn shape(&self, color: Color, point: Point, direction: Direction) -> Shape {
        let packed = self.outlooks[point.index()].packed(color);
        Shape::from_number((packed >> (4 * direction.index())) as u8)
    }

    /// How far along a line a stone can matter to a point, in steps.
    #[inline]
    pub fn radius(&self) -> usize {
        self.tables.lines.radius()
    }

    /// The class that the empty `point` would have for `color` if its opponent
    /// had a stone `steps` along `direction`, where no stone stands now.
    #[inline]
    pub fn class_if_met(
        &self,
        color: Color,
        point: Point,
        direction: Direction,
        steps: i32,
    ) -> Class {
        // One bit of the point goes: that of the colour which is now shut out.
        let slot = self.radius() as i32 + steps - i32::from(steps > 0);
        let key = self.key_at(point, direction) ^ 1 << (2 * slot + 1 - color.index() as i32);
        let shape = self.tables.lines.shape(key, color);
        let shift = 4 * direction.index();
        let packed = self.outlooks[point.index()].packed(color) & !(15 << shift);
        let code = self.tables.merger.code(packed | (shape as u16) << shift);
        self.tables.merger.classes(self.rule.forbids(color))[code.index()]
    }

    /// The empty points where `color` would make a four or a five (renju's
    /// forbidden class aside), row by row.
    pub fn fours(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        Fours {
            classes: bytemuck::cast_slice(&self.classes[color.index()]),
            chunk: Point::new(0, 0).index() / 8,
            marks: Marks(0),
            left: self.counts(color).fours(),
        }
    }

    /// The empty points of `color` with exactly this class, which makes a four
    /// or a five.
    pub fn fours_of(&self, color: Color, class: Class) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(class.is_four());
        self.fours(color)
            .filter(move |&point| self.class(color, point) == class)
            .take(self.counts(color).of(class))
    }

    /// The empty points with the class that may be forbidden to black under
    /// renju, row by row.
    pub fn perhaps_forbidden(&self) -> impl Iterator<Item = Point> + '_ {
        const ONES: u64 = u64::from_ne_bytes([Class::Forbidden as u8; 8]);
        let classes: &[u8] = bytemuck::cast_slice(&self.classes[Color::Black.index()]);
        let first = Point::new(0, 0).grid_y();
        let rows = first..first + self.size.height();
        rows.flat_map(move |row| (0..4).map(move |chunk| row * 32 + chunk * 8))
            .flat_map(move |start| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&classes[start..start + 8]);
                let other = u64::from_le_bytes(bytes) ^ ONES;
                // Marks every zero byte, and perhaps one above a zero byte.
                let zeros = other.wrapping_sub(ONES) & !other & (ONES << 7);
                Marks(zeros).map(move |i| Point::from_index(start + i))
            })
            .filter(|&point| self.class(Color::Black, point) == Class::Forbidden)
    }

    /// Puts a stone of `color` on the empty `point`, whoever is to move; the
    /// other colour is to move then.
    pub fn place(&mut self, color: Color, point: Point) {
        let side_before = self.side;
        let key_before = self.key;
        self.set_side(color);
        self.play(point);
        if let Some(record) = self.records.last_mut() {
            record.side_before = side_before;
            record.key_before = key_before;
        }
    }

    /// The side to move plays the empty `point`.
    pub fn play(&mut self, point: Point) {
        debug_assert!(self.is_empty(point), "{point} is taken");
        let color = self.side;
        self.records.push(Record {
            point,
            color,
            side_before: color,
            five: self.class(color, point) == Class::Five,
            changes_before: self.used_changes as u32,
            key_before: self.key,
            counts_before: self.counts,
        });
        self.key = self.key_after(point);
        self.side = color.opponent();
        self.empty -= 1;
        self.occupied.toggle(point);
        self.lines.toggle(color, point);
        match self.tables.lines.radius() {
            4 => self.update::<4>(point),
            _ => self.update::<5>(point),
        }
    }

    /// The side to move passes.
    pub fn pass(&mut self) {
        self.records.push(Record {
            point: Point::NONE,
            color: self.side,
            side_before: self.side,
            five: false,
            changes_before: self.used_changes as u32,
            key_before: self.key,
            counts_before: self.counts,
        });
        self.set_side(self.side.opponent());
    }

    /// Takes the last move back. Does nothing on a position without moves.
    pub fn undo(&mut self) {
        let Some(record) = self.records.pop() else {
            return;
        };
        self.key = record.key_before;
        self.side = record.side_before;
        if record.point == Point::NONE {
            return;
        }
        self.empty += 1;
        self.occupied.toggle(record.point);
        self.lines.toggle(record.color, record.point);
        self.counts = record.counts_before;
        let before = record.changes_before as usize;
        for change in &self.changes[before..self.used_changes] {
            let index = change.point.index();
            self.outlooks[index] = Outlook {
                shapes: change.shapes,
                codes: change.old.codes,
            };
            for (classes, class) in self.classes.iter_mut().zip(change.old.classes) {
                classes[index] = class;
            }
        }
        self.used_changes = before;
    }

    /// Puts nobody's stone on the empty `point`: no line passes it. Only for
    /// setting up, before any move; it can't be taken back.
    pub fn block(&mut self, point: Point) {
        debug_assert!(self.is_empty(point));
        self.lines.block(point);
        self.occupied.insert(point);
        self.key ^= zobrist::wall(point);
        self.empty -= 1;
        self.refresh();
    }

    /// Whether there is a point that the side to move may play.
    pub fn has_legal_move(&mut self) -> bool {
        let size = self.size;
        size.iter().any(|point| self.is_legal(point))
    }

    /// Whether the side to move may play `point`.
    pub fn is_legal(&mut self, point: Point) -> bool {
        self.size.has(point) && self.is_empty(point) && self.forbidden(point).is_none()
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        let mut records = Vec::with_capacity(self.records.capacity());
        records.extend_from_slice(&self.records);
        Position {
            records,
            tables: self.tables,
            lines: self.lines.clone(),
            changes: self.changes.clone(),
            ..*self
        }
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {} {} {} to move",
            self.size,
            self.rule,
            self.move_text(),
            self.side
        )
    }
}

/// The numbers of the bytes of a word that have a mark, lowest first.
struct Marks(u64);

impl Iterator for Marks {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let byte = self.0.trailing_zeros() as usize / 8;
        self.0 &= self.0 - 1;
        Some(byte)
    }
}

/// Looks for so many fours among the classes of a colour, eight at a time.
struct Fours<'a> {
    classes: &'a [[u8; 8]],
    /// The next eight to look at.
    chunk: usize,
    /// What is left of those before them.
    marks: Marks,
    left: usize,
}

impl Iterator for Fours<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        const MARKS: u64 = u64::from_ne_bytes([Class::FOUR_BIT; 8]);
        if self.left == 0 {
            return None;
        }
        loop {
            if let Some(byte) = self.marks.next() {
                self.left -= 1;
                return Some(Point::from_index((self.chunk - 1) * 8 + byte));
            }
            let classes = self.classes.get(self.chunk)?;
            self.marks = Marks(u64::from_le_bytes(*classes) & MARKS);
            self.chunk += 1;
        }
    }
}
