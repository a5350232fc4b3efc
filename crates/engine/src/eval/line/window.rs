//! Numbers for windows: the nine points around and including a point along a
//! line, as [`LineCodes`](crate::position::LineCodes) has them.
//!
//! A window and its mirror image have the same number. The centre is empty, black
//! or white; each half is four points, outwards from the centre, and everything
//! beyond a wall is wall. That leaves 121 halves and 22,143 windows.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The number of points on each side of the centre.
pub const WINDOW_RADIUS: usize = 4;

/// The number of windows that are not mirror images of each other.
pub const WINDOWS: usize = 3 * PAIRS;

/// The number of halves: four points, or fewer before a wall.
const HALVES: usize = 81 + 27 + 9 + 3 + 1;

/// The number of pairs of halves in which order does not matter.
const PAIRS: usize = HALVES * (HALVES + 1) / 2;

/// The bits of a window.
pub(super) const WINDOW_BITS: u32 = 2 * (2 * WINDOW_RADIUS as u32 + 1);

/// The bits of the centre.
const CENTER_BITS: u64 = 3 << (2 * WINDOW_RADIUS);

/// The bits of each colour in a window: black's bits are those of points that are
/// not black, because an empty point has both.
const LOW_BITS: u64 = 0x15555;

/// The number of a half by its eight bits, the point next to the centre in the
/// lowest two. A half that can't be has number zero.
const OUTWARDS: [u8; 256] = number_halves();

/// The same by the bits in which the point next to the centre is in the highest two.
const INWARDS: [u8; 256] = {
    let mut numbers = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        numbers[mirror_half(bits)] = OUTWARDS[bits];
        bits += 1;
    }
    numbers
};

/// The number of the pair of a half and itself or one with a lower number: the sum
/// of this and the lower number.
const FIRST_PAIR: [u16; HALVES] = {
    let mut first = [0; HALVES];
    let mut half = 1;
    while half < HALVES {
        first[half] = first[half - 1] + half as u16;
        half += 1;
    }
    first
};

const fn mirror_half(bits: usize) -> usize {
    (bits & 3) << 6 | (bits >> 2 & 3) << 4 | (bits >> 4 & 3) << 2 | bits >> 6
}

/// Numbers the halves so that the half of empty points comes first.
const fn number_halves() -> [u8; 256] {
    let mut numbers = [0; 256];
    let mut next = 0;
    let mut bits = 256;
    while bits > 0 {
        bits -= 1;
        // A point off the board has no bits, and so have all that follow it.
        let mut beyond = bits;
        while beyond & 3 != 0 {
            beyond >>= 2;
        }
        if beyond == 0 {
            numbers[bits] = next;
            next += 1;
        }
    }
    numbers
}

/// Returns the number of a window whose centre is on the board. The first point is
/// in the lowest two bits.
#[inline(always)]
pub const fn window_number(window: u64) -> usize {
    let before = INWARDS[(window & 0xFF) as usize] as usize;
    let after = OUTWARDS[(window >> 10 & 0xFF) as usize] as usize;
    // An empty centre has the bits 3, a black stone 2, a white stone 1.
    let center = 3 - (window >> 8 & 3) as usize;
    let (low, high) = if before < after {
        (before, after)
    } else {
        (after, before)
    };
    center * PAIRS + FIRST_PAIR[high] as usize + low
}

/// Returns the window with everything beyond a wall as wall, which blocked points are
/// too.
fn without_beyond(window: u64) -> u64 {
    let mut seen = window & CENTER_BITS;
    for points in [[3, 2, 1, 0], [5, 6, 7, 8]] {
        let bits = points.map(|point| window & 3 << (2 * point));
        let visible = bits.into_iter().take_while(|&bits| bits != 0);
        seen |= visible.fold(0, |seen, bits| seen | bits);
    }
    seen
}

/// Returns the number of each window by its bits, whatever they say of points beyond a
/// wall. It is zero where there is no stone or a wall is in the centre.
pub(super) fn numbers_of_bits() -> &'static [u16; 1 << WINDOW_BITS] {
    static NUMBERS: OnceLock<Box<[u16; 1 << WINDOW_BITS]>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let number = |bits: u64| {
            let window = without_beyond(bits);
            if window & CENTER_BITS != 0 && has_stone(window) {
                window_number(window) as u16
            } else {
                0
            }
        };
        let numbers: Box<[u16]> = (0..1 << WINDOW_BITS).map(number).collect();
        numbers
            .try_into()
            .unwrap_or_else(|_| unreachable!("a number for all bits"))
    })
}

/// Returns whether there is a stone in the window.
#[inline]
pub const fn has_stone(window: u64) -> bool {
    (window ^ window >> 1) & LOW_BITS != 0
}

/// Returns the mirror image of a window.
#[cfg(test)]
pub(super) fn mirror_window(window: u64) -> u64 {
    (0..9).fold(0, |bits, point| bits << 2 | window >> (2 * point) & 3)
}

/// Returns the window with the colours of all stones swapped.
#[inline]
pub const fn swap_colors(window: u64) -> u64 {
    (window & LOW_BITS) << 1 | window >> 1 & LOW_BITS
}

/// Returns a window of each number.
pub fn all_windows() -> Vec<u64> {
    let mut windows = vec![0; WINDOWS];
    let halves: Vec<u64> = (0..256)
        .filter(|&bits| bits == 255 || OUTWARDS[bits] != 0)
        .map(|bits| bits as u64)
        .collect();
    for center in 1..=3 {
        for &before in &halves {
            for &after in &halves {
                let window = mirror_half(before as usize) as u64 | center << 8 | after << 10;
                windows[window_number(window)] = window;
            }
        }
    }
    windows
}

/// The middles of all windows: the points no further from the centre than some radius. A
/// middle and its mirror image have the same number.
pub struct Middles {
    /// The number of each window's middle, by the number of the window.
    pub numbers: Vec<usize>,
    /// The number of middles.
    pub count: usize,
}

impl Middles {
    /// Numbers the middles of a radius.
    pub fn new(radius: usize) -> Middles {
        let points = 2 * radius + 1;
        let mut known = BTreeMap::new();
        let number = |window: u64| {
            let middle = window >> (2 * (WINDOW_RADIUS - radius)) & ((1 << (2 * points)) - 1);
            let mirrored = (0..points).fold(0, |bits, at| bits << 2 | middle >> (2 * at) & 3);
            let next = known.len();
            *known.entry(middle.min(mirrored)).or_insert(next)
        };
        let numbers = all_windows().into_iter().map(number).collect();
        Middles {
            numbers,
            count: known.len(),
        }
    }
}

/// Returns the number of the window with the colours of all stones swapped, by
/// number.
pub(super) fn swapped_numbers() -> Vec<u16> {
    let number = |window: u64| window_number(swap_colors(window)) as u16;
    all_windows().into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::LineCodes;
    use crate::rules::{BoardSize, Color, Direction};
    use std::collections::{HashMap, HashSet};

    #[test]
    fn numbers_are_those_of_windows_up_to_mirroring() {
        let windows = all_windows();
        assert_eq!(windows.len(), 22_143);
        let numbers: HashMap<u64, usize> = (windows.iter())
            .map(|&window| (window.min(mirror_window(window)), window_number(window)))
            .collect();
        assert_eq!(numbers.len(), WINDOWS);
        for (number, &window) in windows.iter().enumerate() {
            assert_eq!(window_number(window), number);
            assert_eq!(window_number(mirror_window(window)), number);
            assert_eq!(swap_colors(swap_colors(window)), window);
        }
        assert!(!has_stone(windows[0]));
    }

    #[test]
    fn middles_are_counted() {
        // Three centres, and the unordered pairs of 40 and of 13 halves.
        for (radius, count) in [(3, 3 * 40 * 41 / 2), (2, 3 * 13 * 14 / 2)] {
            let middles = Middles::new(radius);
            let numbers: HashSet<usize> = middles.numbers.into_iter().collect();
            assert_eq!((numbers.len(), middles.count), (count, count));
            assert!((0..count).all(|number| numbers.contains(&number)));
        }
        let whole = Middles::new(WINDOW_RADIUS);
        assert!(whole.numbers.into_iter().eq(0..WINDOWS));
    }

    #[test]
    fn nothing_is_seen_beyond_a_wall() {
        assert_eq!(
            without_beyond(0b11_10_00_01_11_10_00_00_11),
            0b01_11_10 << 6
        );
        for window in all_windows() {
            assert_eq!(without_beyond(window), window);
        }
    }

    #[test]
    fn windows_of_random_boards_are_numbered() {
        let windows = all_windows();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let size = BoardSize::new(random.usize(5..=22), random.usize(5..=22));
            let size = size.expect("a board");
            let mut codes = LineCodes::new(size);
            for point in size.iter() {
                match random.u8(..3) {
                    0 => codes.toggle(Color::Black, point),
                    1 => codes.toggle(Color::White, point),
                    _ => {}
                }
            }
            for point in size.iter() {
                for direction in Direction::ALL {
                    let window = codes.window(direction, point, WINDOW_RADIUS);
                    let known = windows[window_number(window)];
                    assert!(known == window || known == mirror_window(window));
                    let stones = (0..9).any(|at| [1, 2].contains(&(window >> (2 * at) & 3)));
                    assert_eq!(has_stone(window), stones);
                }
            }
        }
    }
}
