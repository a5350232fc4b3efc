//! Moves: play, pass and undo.

use super::board::{MoveRecord, Position};
use super::change::PointShapes;
use super::zobrist;
use crate::pattern::Class;
use crate::rules::{Color, Point};

impl Position {
    /// Puts a stone of `color` on the empty `point`, whichever side is to move. The
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

    /// Plays the empty `point` for the side to move.
    pub fn play(&mut self, point: Point) {
        debug_assert!(self.is_empty(point), "{point} is occupied");
        let color = self.side;
        self.records.push(MoveRecord {
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

    /// Passes for the side to move.
    pub fn pass(&mut self) {
        self.records.push(MoveRecord {
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

    /// Undoes the last move. Does nothing in a position without moves.
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
            self.shapes[index] = PointShapes {
                shapes: change.shapes,
                codes: change.old.codes,
            };
            for (classes, class) in self.classes.iter_mut().zip(change.old.classes) {
                classes[index] = class;
            }
        }
        self.used_changes = before;
    }

    /// Blocks the empty `point`, as if it were off the board. This is for setting up a
    /// position before any move and can't be undone.
    pub fn block(&mut self, point: Point) {
        debug_assert!(self.is_empty(point));
        self.lines.block(point);
        self.occupied.insert(point);
        self.key ^= zobrist::blocked(point);
        self.empty -= 1;
        self.refresh();
    }
}
