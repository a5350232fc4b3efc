//! The number of empty points of each class: eight counters in a vector.

use crate::pattern::Class;

/// The number of classes that are counted: [`Class::OpenThree`] and stronger ones.
pub const COUNTED_CLASSES: usize = 8;

/// The number of empty points of each class from [`Class::OpenThree`] up, for one
/// colour.
///
/// All eight counters are updated together. That is one vector addition on every
/// processor of today, and cheaper than finding the two counters to update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct ClassCounts([u16; COUNTED_CLASSES]);

/// Returns the counter of a class, for classes that are counted.
const fn counter(class: Class) -> Option<usize> {
    match class {
        Class::OpenThree => Some(0),
        Class::OpenThreePlus => Some(1),
        Class::DoubleThree => Some(2),
        Class::Four => Some(3),
        Class::FourPlus => Some(4),
        Class::FourThree => Some(5),
        Class::OpenFour => Some(6),
        Class::Five => Some(7),
        _ => None,
    }
}

static UNITS: [ClassCounts; 32] = {
    let mut units = [ClassCounts([0; COUNTED_CLASSES]); 32];
    let mut i = 0;
    while i < Class::ALL.len() {
        if let Some(counter) = counter(Class::ALL[i]) {
            units[Class::ALL[i] as usize].0[counter] = 1;
        }
        i += 1;
    }
    units
};

impl ClassCounts {
    /// Counts a point of class `new` where one of `old` was counted.
    #[inline]
    pub(super) fn replace(&mut self, old: Class, new: Class) {
        let (plus, minus) = (&UNITS[new as usize % 32], &UNITS[old as usize % 32]);
        for counter in 0..COUNTED_CLASSES {
            self.0[counter] = self.0[counter]
                .wrapping_add(plus.0[counter])
                .wrapping_sub(minus.0[counter]);
        }
    }

    /// Returns the number of points of exactly this class. Classes below
    /// [`Class::OpenThree`] are not counted and return zero.
    #[inline]
    pub const fn of(self, class: Class) -> usize {
        match counter(class) {
            Some(counter) => self.0[counter] as usize,
            None => 0,
        }
    }

    /// Returns the number of points of each class that is counted, the weakest class first.
    #[inline]
    pub const fn all(self) -> [u16; COUNTED_CLASSES] {
        self.0
    }

    /// Returns the number of points that make a four or a five.
    #[inline]
    pub fn fours(self) -> usize {
        const FIRST: usize = match counter(Class::Four) {
            Some(counter) => counter,
            None => 0,
        };
        self.0[FIRST..]
            .iter()
            .map(|&count| usize::from(count))
            .sum()
    }

    /// Returns whether any point has this class.
    #[inline]
    pub const fn any(self, class: Class) -> bool {
        self.of(class) != 0
    }

    /// Returns whether any point has this class or a stronger one.
    #[inline]
    pub fn any_from(self, class: Class) -> bool {
        counter(class).is_some_and(|counter| self.0[counter..].iter().any(|&count| count != 0))
    }
}
