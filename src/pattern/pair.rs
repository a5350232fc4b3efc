//! Two classes of one point merged into one number.

use super::Class;

/// How many pairs of classes there are.
pub const PAIRS: usize = Class::ALL.len() * Class::ALL.len();

/// How many entries a table indexed by [`Pair::number`] has: a power of two, so
/// that it needs no check.
pub const PAIR_TABLE: usize = 1 << (2 * WIDTH);

/// Bits of a class.
const WIDTH: u32 = 5;

/// What a point is to a colour and to its opponent at once: a move that makes
/// something and takes something away is worth more than both one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Pair(u16);

impl Pair {
    /// The pair of a colour's class and its opponent's.
    #[inline]
    pub const fn of(own: Class, theirs: Class) -> Pair {
        Pair(own as u16 | (theirs as u16) << WIDTH)
    }

    /// Every pair.
    pub fn all() -> impl Iterator<Item = Pair> {
        let with = |own| move |theirs| Pair::of(own, theirs);
        Class::ALL
            .into_iter()
            .flat_map(move |own| Class::ALL.map(with(own)))
    }

    /// The pairs that say more than each class does: where the point is something
    /// to both.
    pub fn telling() -> impl Iterator<Item = Pair> {
        Pair::all().filter(|pair| !pair.classes().contains(&Class::None))
    }

    /// As the opponent sees it.
    #[inline]
    pub const fn turned(self) -> Pair {
        Pair(self.0 >> WIDTH | self.0 << WIDTH & (PAIR_TABLE - 1) as u16)
    }

    /// The place in tables of [`PAIR_TABLE`] entries, most of which no pair has:
    /// quick to come by.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize % PAIR_TABLE
    }

    /// The place in tables of [`PAIRS`] entries.
    pub const fn index(self) -> usize {
        let (own, theirs) = (self.0 % (1 << WIDTH), self.0 >> WIDTH);
        Class::index_of(own as u8) * Class::ALL.len() + Class::index_of(theirs as u8)
    }

    /// The colour's class and its opponent's.
    pub fn classes(self) -> [Class; 2] {
        let (own, theirs) = (
            self.index() / Class::ALL.len(),
            self.index() % Class::ALL.len(),
        );
        [own, theirs].map(|place| Class::ALL[place])
    }
}

const _: () = assert!(Class::NUMBERS <= 1 << WIDTH);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_told_apart() {
        let mut seen = [false; PAIRS];
        let mut numbers = [false; PAIR_TABLE];
        for own in Class::ALL {
            for theirs in Class::ALL {
                let pair = Pair::of(own, theirs);
                assert!(!std::mem::replace(&mut seen[pair.index()], true));
                assert!(!std::mem::replace(&mut numbers[pair.number()], true));
                let both = own != Class::None && theirs != Class::None;
                assert_eq!(pair.classes(), [own, theirs]);
                assert_eq!(pair.turned(), Pair::of(theirs, own));
                assert_eq!(Pair::telling().any(|p| p == pair), both);
                assert!(Pair::all().any(|p| p == pair));
            }
        }
    }
}
