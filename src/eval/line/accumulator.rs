//! The accumulator: the rows of the windows through every point, added up and
//! rectified, and the sums of that over the board, kept up to date with the moves
//! of a position.

use super::network::LineNetwork;
use super::row::{ROW, Row};
use super::window::{WINDOW_RADIUS, window_number};
use crate::position::{LineCodes, Position};
use crate::rules::{Color, Direction, MAX_POINTS, Point};

/// The points on each side of a stone that its windows see.
const REACH: usize = 2 * WINDOW_RADIUS;

/// The bits of a window.
const WINDOW_BITS: u64 = (1 << (2 * (2 * WINDOW_RADIUS + 1))) - 1;

/// A point whose row sum a move has changed, and what it was before.
#[derive(Clone, Copy)]
struct Saved {
    point: Point,
    row: Row,
}

/// The sums after a move.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// The last move; none in the first entry and after a pass.
    point: Point,
    color: Color,
    /// The number of saved points.
    saved: usize,
    sums: [i32; ROW],
}

/// The accumulator of a network. It follows a position from one evaluation to the
/// next: moves that were taken back since are undone, and the new ones are made.
#[derive(Clone)]
pub(in crate::eval) struct LineAccumulator {
    codes: LineCodes,
    /// By point: the sum of the rows of its four windows.
    rows: Box<[Row; Point::GRID]>,
    /// The number of moves before the first entry.
    first_ply: usize,
    entries: Vec<Entry>,
    saved: Vec<Saved>,
}

impl LineAccumulator {
    /// Creates the accumulator of `position`.
    pub(in crate::eval) fn new(position: &Position, network: &LineNetwork) -> LineAccumulator {
        let rows = vec![Row::ZERO; Point::GRID].into_boxed_slice();
        let mut accumulator = LineAccumulator {
            codes: position.line_codes().clone(),
            rows: rows
                .try_into()
                .unwrap_or_else(|_| unreachable!("a row for each point")),
            first_ply: 0,
            entries: Vec::with_capacity(MAX_POINTS + 1),
            saved: Vec::with_capacity(4 * MAX_POINTS),
        };
        accumulator.refresh(position, network);
        accumulator
    }

    /// Computes everything from the whole board.
    #[cold]
    fn refresh(&mut self, position: &Position, network: &LineNetwork) {
        self.codes = position.line_codes().clone();
        let mut sums = [0; ROW];
        for point in position.size().iter() {
            let row = &mut self.rows[point.index()];
            *row = Row::ZERO;
            for direction in Direction::ALL {
                let window = self.codes.window(direction, point, WINDOW_RADIUS);
                // Points that are blocked have no windows, like those off the board.
                if self.codes.bits(point) != 0 {
                    let other = &network.rows(direction)[window_number(window)];
                    *row = changed(*row, &Row::ZERO, other);
                }
            }
            for (sum, &channel) in sums.iter_mut().zip(&row.0) {
                *sum += i32::from(channel.max(0));
            }
        }
        self.first_ply = position.ply();
        self.saved.clear();
        self.entries.clear();
        self.entries.push(Entry {
            key: position.key(),
            point: Point::NONE,
            color: Color::Black,
            saved: 0,
            sums,
        });
    }

    /// Returns the sums over the board for `position`, as black and as white see it.
    #[inline]
    pub(in crate::eval) fn sums(
        &mut self,
        position: &Position,
        network: &LineNetwork,
    ) -> &[i32; ROW] {
        let ply = position.ply();
        let known = self
            .entries
            .len()
            .min((ply + 1).saturating_sub(self.first_ply));
        let shared = (0..known).rev().find(|&entry| {
            self.entries[entry].key == position.key_after_moves(self.first_ply + entry)
        });
        match shared {
            Some(entry) => {
                while self.entries.len() > entry + 1 {
                    self.undo();
                }
                for number in self.first_ply + entry..ply {
                    self.play(position, number, network);
                }
            }
            None => self.refresh(position, network),
        }
        &self.entries[self.entries.len() - 1].sums
    }

    /// Takes back the last move.
    #[inline]
    fn undo(&mut self) {
        let Some(entry) = self.entries.pop() else {
            return;
        };
        if entry.point == Point::NONE {
            return;
        }
        self.codes.toggle(entry.color, entry.point);
        let before = self.entries.last().map_or(0, |entry| entry.saved);
        while self.saved.len() > before {
            if let Some(Saved { point, row }) = self.saved.pop() {
                self.rows[point.index()] = row;
            }
        }
    }

    /// Makes move `number` of `position`, from zero.
    #[inline]
    fn play(&mut self, position: &Position, number: usize, network: &LineNetwork) {
        let last = self.entries[self.entries.len() - 1];
        let mut entry = Entry {
            key: position.key_after_moves(number + 1),
            point: Point::NONE,
            color: last.color,
            ..last
        };
        let made = position.moves().nth(number);
        if let Some((color, point)) = made.filter(|&(_, point)| point != Point::NONE) {
            (entry.point, entry.color) = (point, color);
            self.put(color, point, network, &mut entry.sums);
        }
        entry.saved = self.saved.len();
        self.entries.push(entry);
    }

    /// Puts a stone, and adds to `sums` what that changes.
    #[inline]
    fn put(&mut self, color: Color, point: Point, network: &LineNetwork, sums: &mut [i32; ROW]) {
        let mut center = self.rows[point.index()];
        let before = center;
        for direction in Direction::ALL {
            let rows = network.rows(direction);
            // The stone is in the middle of the line, REACH points from its ends.
            let line = self.codes.window(direction, point, REACH);
            let with_stone = line ^ 1 << (2 * REACH + color.index());
            for number in 0..=REACH {
                if line >> (2 * (number + WINDOW_RADIUS)) & 3 == 0 {
                    continue;
                }
                let [old, new] = [line, with_stone].map(|line| {
                    let window = line >> (2 * number) & WINDOW_BITS;
                    &rows[window_number(window)]
                });
                if number == WINDOW_RADIUS {
                    center = changed(center, old, new);
                } else {
                    let steps = number as i32 - WINDOW_RADIUS as i32;
                    let point = point.step(direction, steps);
                    let row = &mut self.rows[point.index()];
                    let (before, after) = (*row, changed(*row, old, new));
                    self.saved.push(Saved { point, row: before });
                    *row = after;
                    add(sums, rectified_difference(before, after));
                }
            }
        }
        self.saved.push(Saved { point, row: before });
        add(sums, rectified_difference(before, center));
        self.rows[point.index()] = center;
        self.codes.toggle(color, point);
    }
}

/// Returns a sum of rows with a row in the place of another.
#[inline(always)]
fn changed(sum: Row, old: &Row, new: &Row) -> Row {
    let (old, new) = (*old, *new);
    let mut changed = sum;
    for channel in 0..ROW {
        let difference = new.0[channel].wrapping_sub(old.0[channel]);
        changed.0[channel] = sum.0[channel].wrapping_add(difference);
    }
    changed
}

/// Returns what the change of a point from `old` to `new` makes after the activation
/// function, which is ReLU.
#[inline(always)]
fn rectified_difference(old: Row, new: Row) -> Row {
    let mut difference = Row::ZERO;
    for channel in 0..ROW {
        difference.0[channel] = new.0[channel].max(0).wrapping_sub(old.0[channel].max(0));
    }
    difference
}

/// Adds a row to the sums over the board.
#[inline(always)]
fn add(sums: &mut [i32; ROW], row: Row) {
    for (sum, channel) in sums.iter_mut().zip(row.0) {
        *sum += i32::from(channel);
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{ColorWeights, LineWeights};
    use super::super::head::LineHead;
    use super::super::row::LINE_CHANNELS;
    use super::super::window::{WINDOWS, all_windows, has_stone, swap_colors};
    use super::*;
    use crate::rules::{BoardSize, Rule};
    use fastrand::Rng;

    fn random_weights(rule: Rule, colors: usize, random: &mut Rng) -> LineWeights {
        let mut embeddings = || {
            let embedding = |_| [0; LINE_CHANNELS].map(|_: i16| random.i16(-900..900));
            (0..WINDOWS).map(embedding).collect()
        };
        let colors = (0..colors).map(|_| ColorWeights {
            embeddings: [embeddings(), embeddings()],
            head: LineHead::ZERO,
        });
        let colors = colors.collect();
        LineWeights { rule, colors }
    }

    /// The sums from nothing but the stones and the stored embeddings.
    fn slow_sums(position: &Position, weights: &LineWeights, windows: &[u64]) -> [i32; ROW] {
        let mut sums = [0; ROW];
        let codes = position.line_codes();
        for point in position.size().iter() {
            let mut row = [0i32; ROW];
            for direction in Direction::ALL {
                let window = codes.window(direction, point, WINDOW_RADIUS);
                let diagonal = matches!(direction, Direction::Rising | Direction::Falling);
                if !has_stone(window) {
                    continue;
                }
                for (color, seen) in [window, swap_colors(window)].into_iter().enumerate() {
                    let mirrored = (0..9).fold(0, |m, at| m << 2 | seen >> (2 * at) & 3);
                    let number = windows.iter().position(|&w| w == seen || w == mirrored);
                    let of_color = &weights.colors[color % weights.colors.len()];
                    let embedding =
                        of_color.embeddings[usize::from(diagonal)][number.expect("a window")];
                    for (channel, part) in embedding.into_iter().enumerate() {
                        row[color * LINE_CHANNELS + channel] += i32::from(part);
                    }
                }
            }
            for (sum, channel) in sums.iter_mut().zip(row) {
                *sum += channel.max(0);
            }
        }
        sums
    }

    #[test]
    fn sums_follow_random_games() {
        let mut random = Rng::with_seed(3);
        let windows = all_windows();
        for (rule, colors) in [(Rule::Freestyle, 1), (Rule::Renju, 2)] {
            let weights = random_weights(rule, colors, &mut random);
            let network = LineNetwork::new(&weights);
            for size in ["5", "15", "22x7"] {
                let size: BoardSize = size.parse().expect("a size");
                let mut position = Position::new(rule, size);
                let mut accumulator = LineAccumulator::new(&position, &network);
                for round in 0..60 {
                    for _ in 0..random.usize(..4) {
                        position.undo();
                    }
                    for _ in 0..random.usize(..6) {
                        let empty: Vec<Point> = (size.iter())
                            .filter(|&point| position.is_empty(point))
                            .collect();
                        match random.choice(&empty) {
                            Some(&point) if random.u8(..20) > 0 => position.play(point),
                            _ => position.pass(),
                        }
                    }
                    let sums = *accumulator.sums(&position, &network);
                    let fresh =
                        *LineAccumulator::new(&position, &network).sums(&position, &network);
                    assert_eq!(sums, fresh, "{position:?}");
                    if round % 20 == 0 {
                        assert_eq!(sums, slow_sums(&position, &weights, &windows));
                    }
                }
            }
        }
    }
}
