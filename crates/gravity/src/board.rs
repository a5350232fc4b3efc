//! The board as bits: a set of points is one `u64`.
//!
//! The bits run up the first column, then up the second, and so on. A step to
//! the right is a shift by the number of rows, a step up a shift by one. A step
//! up from the top of a column would lead to the bottom of the next one, so each
//! direction comes with a mask of the points it can lead to.

use super::Size;

/// The geometry of a board of some size, computed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    size: Size,
    /// All points.
    points: u64,
    /// The lowest point of every column.
    bottom: u64,
    /// The points with an even number of points above them.
    even_above: u64,
    /// Horizontal, rising, falling: the directions with a line to the left.
    slanted: [Direction; 3],
    /// Up a column.
    vertical: Direction,
    /// The points of every column, the ones nearest the centre first.
    centre_first: [u64; Size::MAX_COLUMNS],
}

/// One of the four directions of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Direction {
    /// Bits from a point to the next one.
    step: u32,
    /// The points with a predecessor in the direction.
    has_before: u64,
    /// The points that have a point after them.
    has_after: u64,
}

impl Direction {
    /// The points whose predecessor is in `set`.
    #[inline]
    fn after(self, set: u64) -> u64 {
        (set << self.step) & self.has_before
    }

    /// The points whose successor is in `set`.
    #[inline]
    fn before(self, set: u64) -> u64 {
        (set >> self.step) & self.has_after
    }

    /// The points that have three neighbours of `set` in line with them: three
    /// on one side, or two on one side and one on the other.
    #[inline]
    fn completed_by(self, set: u64) -> u64 {
        let (one, other) = (self.after(set), self.before(set));
        let (two, other_two) = (self.after(one), self.before(other));
        let (three, other_three) = (self.after(two), self.before(other_two));
        (one & two & (three | other)) | (other & other_two & (other_three | one))
    }

    /// The first points of four in a row within `set`.
    #[inline]
    fn fours(self, set: u64) -> u64 {
        let pairs = set & self.before(set);
        pairs & self.before(self.before(pairs))
    }
}

/// The number of lines of four open to a player, by the stones in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shapes {
    /// With one stone.
    pub(super) ones: i32,
    /// With two.
    pub(super) twos: i32,
    /// With three.
    pub(super) threes: i32,
}

impl Board {
    pub(super) fn new(size: Size) -> Board {
        let (columns, rows) = (size.columns() as u32, size.rows() as u32);
        let points = u64::MAX >> (64 - columns * rows);
        let bottom = (0..columns).fold(0, |set, column| set | 1 << (column * rows));
        let top = bottom << (rows - 1);
        let direction = |step, has_before: u64, has_after: u64| Direction {
            step,
            has_before: has_before & points,
            has_after: has_after & points,
        };
        let mut order: Vec<u32> = (0..columns).collect();
        order.sort_by_key(|&column| (2 * column + 1).abs_diff(columns));
        let mut centre_first = [0; Size::MAX_COLUMNS];
        for (slot, column) in centre_first.iter_mut().zip(order) {
            *slot = ((1 << rows) - 1) << (column * rows);
        }
        Board {
            size,
            points,
            bottom,
            even_above: (0..rows)
                .rev()
                .step_by(2)
                .fold(0, |set, row| set | bottom << row),
            vertical: direction(1, !bottom, !top),
            slanted: [
                direction(rows, !0, !0),
                direction(rows + 1, !bottom, !top),
                direction(rows - 1, !top, !bottom),
            ],
            centre_first,
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// All points.
    pub(super) fn points(&self) -> u64 {
        self.points
    }

    /// The columns as sets of points, the ones nearest the centre first.
    pub(super) fn centre_first(&self) -> &[u64] {
        &self.centre_first[..self.size.columns()]
    }

    /// The set of one point.
    pub(super) fn point(&self, column: usize, row: usize) -> u64 {
        1 << (column * self.size.rows() + row)
    }

    /// The column of the only point of a set.
    pub(super) fn column_of(&self, point: u64) -> usize {
        point.trailing_zeros() as usize / self.size.rows()
    }

    /// The points of a column.
    pub(super) fn column(&self, column: usize) -> u64 {
        ((1 << self.size.rows()) - 1) << (column * self.size.rows())
    }

    /// The points of every second row, the lowest row among them.
    pub(super) fn odd_rows(&self) -> u64 {
        let odd = |set, row| set | self.bottom << row;
        (0..self.size.rows()).step_by(2).fold(0, odd)
    }

    /// The points where stones can land: the lowest free point of every column.
    ///
    /// What moves up from a full column lands on the bottom of the next one,
    /// which is in the set anyway.
    #[inline]
    pub(super) fn landing_points(&self, occupied: u64) -> u64 {
        (occupied << 1 | self.bottom) & !occupied & self.points
    }

    /// The columns without a free point, each as its highest point.
    #[inline]
    pub(super) fn full_columns(&self, occupied: u64) -> u64 {
        occupied & !self.vertical.has_after
    }

    /// The points that complete four in a row of `stones`, free or not; in a
    /// column only above three stones, since they fall.
    #[inline]
    pub(super) fn winning_points(&self, stones: u64) -> u64 {
        let one = self.vertical.after(stones);
        let two = self.vertical.after(one);
        let vertical = one & two & self.vertical.after(two);
        let [horizontal, rising, falling] = self.slanted;
        vertical
            | horizontal.completed_by(stones)
            | rising.completed_by(stones)
            | falling.completed_by(stones)
    }

    /// The free points of the columns that have an odd number of them.
    #[inline]
    pub(super) fn odd_columns(&self, occupied: u64) -> u64 {
        self.upwards(self.landing_points(occupied) & self.even_above)
    }

    /// The second, fourth, sixth... free point of every column, where `odd` are
    /// the free points of the odd columns.
    #[inline]
    pub(super) fn second_points(&self, free: u64, odd: u64) -> u64 {
        free & (odd ^ self.even_above)
    }

    /// The points of `set` and all points above them.
    #[inline]
    pub(super) fn upwards(&self, mut set: u64) -> u64 {
        let mut far = self.vertical.has_before;
        for distance in [1, 2, 4, 8] {
            set |= set << distance & far;
            far &= far << distance;
        }
        set
    }

    /// All points of the columns whose highest point is in `set`.
    #[inline]
    pub(super) fn columns_topped_by(&self, set: u64) -> u64 {
        let tops = set & !self.vertical.has_after;
        let bottoms = tops >> (self.size.rows() - 1);
        tops | (tops - bottoms)
    }

    /// Returns true if a row or diagonal of four lies within `set`.
    #[inline]
    pub(super) fn has_slanted_four(&self, set: u64) -> bool {
        self.slanted.iter().any(|line| line.fours(set) != 0)
    }

    /// All stones of `stones` that are part of four or more in a row.
    pub(super) fn fours(&self, stones: u64) -> u64 {
        let mut lined = 0;
        for direction in self.directions() {
            let mut line = direction.fours(stones);
            for _ in 0..3 {
                line |= direction.after(line);
            }
            lined |= line;
        }
        lined
    }

    /// Counts the lines of four without a stone of the opponent.
    pub(super) fn shapes(&self, own: u64, free: u64) -> Shapes {
        let mut shapes = Shapes::default();
        for direction in self.directions() {
            let open = direction.fours(own | free);
            // Adds the four bits of every line at once, in columns of bits.
            let second = direction.before(own);
            let third = direction.before(second);
            let fourth = direction.before(third);
            let (low, high) = (own ^ second, own & second);
            let (other_low, other_high) = (third ^ fourth, third & fourth);
            let odd = low ^ other_low;
            let two = high ^ other_high ^ (low & other_low);
            let count = |lines: u64| (lines & open).count_ones() as i32;
            shapes.ones += count(odd & !two);
            shapes.twos += count(two & !odd);
            shapes.threes += count(two & odd);
        }
        shapes
    }

    /// The same points seen from behind the board.
    pub(super) fn mirror(&self, set: u64) -> u64 {
        let rows = self.size.rows();
        let column = (1 << rows) - 1;
        (0..self.size.columns()).fold(0, |mirrored, index| {
            mirrored << rows | (set >> (index * rows)) & column
        })
    }

    fn directions(&self) -> [Direction; 4] {
        let [horizontal, rising, falling] = self.slanted;
        [self.vertical, horizontal, rising, falling]
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// The four directions as steps of columns and rows.
    const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    fn boards() -> Vec<Board> {
        let sides = Size::MIN_SIDE..=Size::MAX_COLUMNS;
        let pairs = sides
            .clone()
            .flat_map(|columns| sides.clone().map(move |rows| (columns, rows)));
        let sizes = pairs.filter_map(|(columns, rows)| Size::new(columns, rows).ok());
        sizes.map(Board::new).collect()
    }

    /// A random set of points, each with one chance in two.
    fn random_set(board: &Board, random: &mut Random) -> u64 {
        let high = (random.below(1 << 32) as u64) << 32;
        board.points & (high | random.below(1 << 32) as u64)
    }

    /// Returns true if the point at this column and row is on the board and in the set.
    fn has(board: &Board, set: u64, column: i32, row: i32) -> bool {
        let size = board.size();
        let inside =
            (0..size.columns() as i32).contains(&column) && (0..size.rows() as i32).contains(&row);
        inside && set & board.point(column as usize, row as usize) != 0
    }

    /// All lines of four on a board, each as its points.
    fn lines(board: &Board) -> Vec<[(i32, i32); 4]> {
        let size = board.size();
        let mut lines = Vec::new();
        for column in 0..size.columns() as i32 {
            for row in 0..size.rows() as i32 {
                for (right, up) in STEPS {
                    let line = [0, 1, 2, 3].map(|k| (column + k * right, row + k * up));
                    if line.iter().all(|&(c, r)| has(board, !0, c, r)) {
                        lines.push(line);
                    }
                }
            }
        }
        lines
    }

    #[test]
    fn lines_are_found_as_by_walking_along_them() {
        let mut random = Random::new(1);
        for board in boards() {
            let lines = lines(&board);
            let bit = |(column, row): (i32, i32)| board.point(column as usize, row as usize);
            for _ in 0..50 {
                let set = random_set(&board, &mut random) & random_set(&board, &mut random);
                let set = set | random_set(&board, &mut random) & random_set(&board, &mut random);
                let (mut fours, mut winning) = (0, 0);
                for line in &lines {
                    let bits = line.map(bit);
                    let all: u64 = bits.iter().sum();
                    if set & all == all {
                        fours |= all;
                    }
                    // In a column only the highest point can be free.
                    let is_upright = line[0].0 == line[3].0;
                    for point in if is_upright { &bits[3..] } else { &bits[..] } {
                        if (set | point) & all == all {
                            winning |= point;
                        }
                    }
                }
                assert_eq!(board.fours(set), fours, "{} {set:x}", board.size());
                let free = board.points & !set;
                assert_eq!(board.winning_points(set) & free, winning & free);
            }
        }
    }

    #[test]
    fn shapes_are_counted_as_by_walking_along_the_lines() {
        let mut random = Random::new(2);
        for board in boards() {
            let lines = lines(&board);
            for _ in 0..20 {
                let own = random_set(&board, &mut random);
                let free = random_set(&board, &mut random) & !own;
                let mut expected = [0; 5];
                for line in &lines {
                    if line.iter().all(|&(c, r)| has(&board, own | free, c, r)) {
                        let stones = line.iter().filter(|&&(c, r)| has(&board, own, c, r));
                        expected[stones.count()] += 1;
                    }
                }
                let Shapes { ones, twos, threes } = board.shapes(own, free);
                assert_eq!([ones, twos, threes], expected[1..4], "{}", board.size());
            }
        }
    }

    #[test]
    fn stones_land_on_the_lowest_free_points() {
        let board = Board::new(Size::new(5, 4).unwrap());
        let full_column = board.column(1);
        let occupied = full_column | board.point(2, 0) | board.point(4, 0) | board.point(4, 1);
        let landing = [(0, 0), (2, 1), (3, 0), (4, 2)].map(|(c, r)| board.point(c, r));
        assert_eq!(board.landing_points(occupied), landing.iter().sum::<u64>());
        assert_eq!(board.full_columns(occupied), board.point(1, 3));
    }

    #[test]
    fn a_mirror_image_has_the_columns_turned_round() {
        for board in boards() {
            let size = board.size();
            for column in 0..size.columns() {
                let image = board.point(size.columns() - 1 - column, 1);
                assert_eq!(board.mirror(board.point(column, 1)), image);
            }
        }
    }
}
