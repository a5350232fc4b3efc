//! The classes of both colours at one point as one number.

use super::Class;

/// The number of pairs of classes.
pub const CLASS_PAIRS: usize = Class::ALL.len() * Class::ALL.len();

/// The size of tables that are indexed by [`ClassPair::number`]: a power of two, so
/// that lookups need no check.
pub(crate) const PADDED_CLASS_PAIRS: usize = 1 << (2 * CLASS_BITS);

/// The number of bits of a class.
const CLASS_BITS: u32 = 5;

/// The class of a point for a colour and for its opponent. A move that attacks and
/// defends at once is worth more than the two together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct ClassPair(u16);

impl ClassPair {
    /// Creates the pair of a colour's class and its opponent's.
    #[inline]
    pub const fn new(own: Class, theirs: Class) -> ClassPair {
        ClassPair(own as u16 | (theirs as u16) << CLASS_BITS)
    }

    /// Returns every pair.
    pub fn all() -> impl Iterator<Item = ClassPair> {
        let with = |own| move |theirs| ClassPair::new(own, theirs);
        Class::ALL
            .into_iter()
            .flat_map(move |own| Class::ALL.map(with(own)))
    }

    /// Returns the pairs that say more than each class alone: those in which both
    /// colours have a class.
    pub fn informative() -> impl Iterator<Item = ClassPair> {
        ClassPair::all().filter(|pair| !pair.classes().contains(&Class::None))
    }

    /// Returns the pair as the opponent sees it.
    #[inline]
    pub(crate) const fn swapped(self) -> ClassPair {
        ClassPair(self.0 >> CLASS_BITS | self.0 << CLASS_BITS & (PADDED_CLASS_PAIRS - 1) as u16)
    }

    /// Returns the index in tables of [`PADDED_CLASS_PAIRS`] entries. It is quick to
    /// compute, and most of the entries are unused.
    #[inline]
    pub(crate) const fn number(self) -> usize {
        self.0 as usize % PADDED_CLASS_PAIRS
    }

    /// Returns the index in tables of `CLASS_PAIRS` entries.
    pub const fn index(self) -> usize {
        let (own, theirs) = (self.0 % (1 << CLASS_BITS), self.0 >> CLASS_BITS);
        Class::index_of(own as u8) * Class::ALL.len() + Class::index_of(theirs as u8)
    }

    /// Returns the colour's class and its opponent's.
    pub fn classes(self) -> [Class; 2] {
        let (own, theirs) = (
            self.index() / Class::ALL.len(),
            self.index() % Class::ALL.len(),
        );
        [own, theirs].map(|index| Class::ALL[index])
    }
}

const _: () = assert!(Class::NUMBERS <= 1 << CLASS_BITS);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_distinct_indices() {
        let mut seen = [false; CLASS_PAIRS];
        let mut numbers = [false; PADDED_CLASS_PAIRS];
        for own in Class::ALL {
            for theirs in Class::ALL {
                let pair = ClassPair::new(own, theirs);
                assert!(!std::mem::replace(&mut seen[pair.index()], true));
                assert!(!std::mem::replace(&mut numbers[pair.number()], true));
                let both = own != Class::None && theirs != Class::None;
                assert_eq!(pair.classes(), [own, theirs]);
                assert_eq!(pair.swapped(), ClassPair::new(theirs, own));
                assert_eq!(ClassPair::informative().any(|p| p == pair), both);
                assert!(ClassPair::all().any(|p| p == pair));
            }
        }
    }
}
