//! The accumulator: the rows of the windows through every point, added up and
//! activated, and the sums of that over the board, kept up to date with the moves
//! of a position.
//!
//! A move changes the sums of the points that see its stone. The new sums are written to
//! a block of their own, to which the places of the points are set. So a move is taken
//! back by restoring the old places.

use super::network::LineNetwork;
use super::row::{ROW, Row, RowSum};
use super::window::WINDOW_RADIUS;
use crate::position::{LineCodes, Position};
use crate::prefetch::prefetch;
use crate::rules::{Color, Direction, MAX_POINTS, Point};

/// The points on each side of a stone that its windows see.
const REACH: usize = 2 * WINDOW_RADIUS;

/// The points of a window.
const WINDOW: usize = 2 * WINDOW_RADIUS + 1;

/// The sums of a block: those of the points that see a stone, by direction and place on the
/// line. The stone's own point is in the middle of the first line; the middle of the others
/// is not used.
const BLOCK: usize = 4 * WINDOW;

/// The places of the sums of the points that see a stone before it was placed, by direction
/// and place on the line as in a block.
type OldPlaces = [[u16; WINDOW]; 4];

/// The sums after a move.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// The last move; none in the first entry and after a pass.
    point: Point,
    color: Color,
    /// The blocks in use, one for each stone since the first entry.
    blocks: usize,
    sums: [i32; ROW],
}

/// The accumulator of a network. It follows a position from one evaluation to the
/// next: moves that were taken back since are undone, and the new ones are made.
pub(in crate::eval) struct LineAccumulator {
    codes: LineCodes,
    /// Sums of the rows of the four windows of a point: those at the first entry, by point,
    /// then a block for each stone since.
    sums: Vec<RowSum>,
    /// The place of each point's sum, by point.
    places: Box<[u16; Point::GRID]>,
    /// The number of moves before the first entry.
    first_ply: usize,
    entries: Vec<Entry>,
    /// By stone since the first entry. There may be more of these, and blocks, than are in use.
    old_places: Vec<OldPlaces>,
}

impl LineAccumulator {
    /// Creates the accumulator of `position`.
    pub(in crate::eval) fn new(position: &Position, network: &LineNetwork) -> LineAccumulator {
        let mut accumulator = LineAccumulator {
            codes: position.line_codes().clone(),
            sums: vec![RowSum::ZERO; Point::GRID],
            places: Box::new([0; Point::GRID]),
            first_ply: 0,
            entries: Vec::with_capacity(MAX_POINTS + 1),
            old_places: Vec::new(),
        };
        accumulator.refresh(position, network);
        accumulator
    }

    /// Computes everything from the whole board.
    #[cold]
    fn refresh(&mut self, position: &Position, network: &LineNetwork) {
        self.codes = position.line_codes().clone();
        for (index, place) in self.places.iter_mut().enumerate() {
            *place = index as u16;
        }
        let mut sums = [0; ROW];
        for point in position.size().iter() {
            let mut sum = RowSum::ZERO;
            for direction in Direction::ALL {
                let window = self.codes.window(direction, point, WINDOW_RADIUS);
                // Points that are blocked have no windows, like those off the board.
                if self.codes.bits(point) != 0 {
                    let row = &network.rows(direction)[network.number(window)];
                    sum = sum.changed(&Row::ZERO, row);
                }
            }
            self.sums[point.index()] = sum;
            let mut activation = RowSum::ZERO;
            activation.add_change(&RowSum::ZERO, &sum);
            add(&mut sums, &activation);
        }
        self.first_ply = position.ply();
        self.entries.clear();
        self.entries.push(Entry {
            key: position.key(),
            point: Point::NONE,
            color: Color::Black,
            blocks: 0,
            sums,
        });
    }

    /// Returns the sums over the board for `position`, as black and as white see it.
    #[inline(always)]
    pub(super) fn sums(&mut self, position: &Position, network: &LineNetwork) -> &[i32; ROW] {
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
    #[inline(always)]
    fn undo(&mut self) {
        let Some(entry) = self.entries.pop() else {
            return;
        };
        if entry.point == Point::NONE {
            return;
        }
        self.codes.toggle(entry.color, entry.point);
        let old_places = &self.old_places[entry.blocks - 1];
        for (direction, places) in Direction::ALL.into_iter().zip(old_places) {
            for at in (0..WINDOW).filter(|&at| at != WINDOW_RADIUS) {
                self.places[seen_from(entry.point, direction, at).index()] = places[at];
            }
        }
        self.places[entry.point.index()] = old_places[0][WINDOW_RADIUS];
    }

    /// Makes move `number` of `position`, from zero.
    #[inline(always)]
    fn play(&mut self, position: &Position, number: usize, network: &LineNetwork) {
        let last = self.entries[self.entries.len() - 1];
        let mut entry = Entry {
            key: position.key_after_moves(number + 1),
            point: Point::NONE,
            ..last
        };
        let made = position.moves().nth(number);
        if let Some((color, point)) = made.filter(|&(_, point)| point != Point::NONE) {
            (entry.point, entry.color) = (point, color);
            self.put(color, point, network, &mut entry);
        }
        self.entries.push(entry);
    }

    /// Puts a stone, and brings its entry up to date with what that changes.
    #[inline(always)]
    fn put(&mut self, color: Color, point: Point, network: &LineNetwork, entry: &mut Entry) {
        let rows = changed_rows(&self.codes, color, point, network);
        if self.old_places.len() == entry.blocks {
            self.old_places.push([[0; WINDOW]; 4]);
            self.sums.resize(self.sums.len() + BLOCK, RowSum::ZERO);
        }
        let start = Point::GRID + entry.blocks * BLOCK;
        let old_places = &mut self.old_places[entry.blocks];
        entry.blocks += 1;
        let (old_sums, block) = self.sums.split_at_mut(start);
        // Each point is seen once, so none of its old sums is in the block.
        let mut move_to = |point: Point, slot: usize| {
            let new_place = (start + slot) as u16;
            std::mem::replace(&mut self.places[point.index()], new_place)
        };
        let mut change = RowSum::ZERO;
        for (line, (direction, rows)) in Direction::ALL.into_iter().zip(&rows).enumerate() {
            for at in (0..WINDOW).filter(|&at| at != WINDOW_RADIUS) {
                // A window around a point off the board has no row, so nothing changes there.
                let slot = line * WINDOW + at;
                let place = move_to(seen_from(point, direction, at), slot);
                old_places[line][at] = place;
                old_sums[usize::from(place)].replace(rows[at], &mut block[slot], &mut change);
            }
        }
        let place = move_to(point, WINDOW_RADIUS);
        old_places[0][WINDOW_RADIUS] = place;
        let before = old_sums[usize::from(place)];
        let mut own = before;
        for line in &rows {
            let [old, new] = line[WINDOW_RADIUS];
            own = own.changed(old, new);
        }
        change.add_change(&before, &own);
        block[WINDOW_RADIUS] = own;
        add(&mut entry.sums, &change);
        self.codes.toggle(color, point);
    }
}

/// The rows of the windows that a stone changes, without and with it, by direction and
/// place on the line.
type ChangedRows<'a> = [[[&'a Row; 2]; WINDOW]; 4];

/// Finds the rows that putting a stone changes, and asks the processor to have them ready.
/// Waited for one after the other they took a fifth of the network's time.
#[inline(always)]
fn changed_rows<'a>(
    codes: &LineCodes,
    color: Color,
    point: Point,
    network: &'a LineNetwork,
) -> ChangedRows<'a> {
    let mut changed = [[[&Row::ZERO; 2]; WINDOW]; 4];
    for (direction, changed) in Direction::ALL.into_iter().zip(&mut changed) {
        let rows = network.rows(direction);
        // The stone is in the middle of the line, REACH points from its ends.
        let line = codes.window(direction, point, REACH);
        for (at, [old, new]) in changed.iter_mut().enumerate() {
            let window = line >> (2 * at);
            let stone = 1 << (2 * (REACH - at) + color.index());
            *old = &rows[network.number(window)];
            *new = &rows[network.number(window ^ stone)];
            prefetch(*old);
            prefetch(*new);
        }
    }
    changed
}

/// Returns the point at a place of the line around `point`.
#[inline(always)]
fn seen_from(point: Point, direction: Direction, at: usize) -> Point {
    point.step(direction, at as i32 - WINDOW_RADIUS as i32)
}

/// Adds channels to the sums over the board.
#[inline(always)]
fn add(sums: &mut [i32; ROW], channels: &RowSum) {
    for (sum, &channel) in sums.iter_mut().zip(&channels.0) {
        *sum += i32::from(channel);
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::{LineWeights, random_weights};
    use super::super::row::{RELU_CHANNELS, slots};
    use super::super::window::{all_windows, has_stone, swap_colors};
    use super::*;
    use crate::rules::{BoardSize, Rule};
    use fastrand::Rng;

    /// The sums from nothing but the stones and the stored embeddings.
    fn slow_sums(position: &Position, weights: &LineWeights, windows: &[u64]) -> [i32; ROW] {
        let mut sums = [0; ROW];
        let codes = position.line_codes();
        for point in position.size().iter() {
            let mut row = [0i32; ROW];
            for direction in Direction::ALL {
                let window = codes.window(direction, point, WINDOW_RADIUS);
                let diagonal = direction.is_diagonal();
                if !has_stone(window) {
                    continue;
                }
                for (color, seen) in [(Color::Black, window), (Color::White, swap_colors(window))] {
                    let mirrored = (0..9).fold(0, |m, at| m << 2 | seen >> (2 * at) & 3);
                    let number = windows.iter().position(|&w| w == seen || w == mirrored);
                    let of_color = &weights.colors[color.index() % weights.colors.len()];
                    let embedding =
                        of_color.embeddings[usize::from(diagonal)][number.expect("a window")];
                    for (slot, part) in slots(color).into_iter().flatten().zip(embedding) {
                        row[slot] += i32::from(part);
                    }
                }
            }
            for color in Color::ALL {
                for (channel, slot) in slots(color).into_iter().flatten().enumerate() {
                    sums[slot] += if channel < RELU_CHANNELS {
                        row[slot].max(0)
                    } else {
                        (row[slot].clamp(0, 255).pow(2) + 64) / 128
                    };
                }
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
