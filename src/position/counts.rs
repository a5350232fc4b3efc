//! How many empty points have which class: eight counters in one number.

use crate::pattern::Class;

/// How many empty points of one colour have each class from
/// [`Class::OpenThree`] up.
///
/// Sixteen bits a class in one wide number: a move changes all of them with
/// one addition a point, and a question about several classes is one mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts(u128);

/// Which sixteen bits count a class, for those that are counted.
const fn lane(class: Class) -> Option<u32> {
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

const UNITS: [u128; 32] = {
    let mut units = [0; 32];
    let mut i = 0;
    while i < Class::ALL.len() {
        if let Some(lane) = lane(Class::ALL[i]) {
            units[Class::ALL[i] as usize] = 1 << (16 * lane);
        }
        i += 1;
    }
    units
};

impl Counts {
    #[inline]
    fn unit(class: Class) -> u128 {
        static TABLE: [u128; 32] = UNITS;
        TABLE[class as usize % 32]
    }

    /// Counts one more point of `class`.
    #[inline]
    pub(super) fn add(&mut self, class: Class) {
        self.0 = self.0.wrapping_add(Self::unit(class));
    }

    /// Counts one point of `class` less.
    #[inline]
    pub(super) fn remove(&mut self, class: Class) {
        self.0 = self.0.wrapping_sub(Self::unit(class));
    }

    /// How many points have exactly this class; zero for classes below
    /// [`Class::OpenThree`], which nobody counts.
    #[inline]
    pub const fn of(self, class: Class) -> usize {
        match lane(class) {
            Some(lane) => (self.0 >> (16 * lane) & 0xFFFF) as usize,
            None => 0,
        }
    }

    /// Whether some point has this counted class.
    #[inline]
    pub const fn any(self, class: Class) -> bool {
        self.of(class) != 0
    }

    /// Whether some point has this counted class or a stronger one.
    #[inline]
    pub const fn any_from(self, class: Class) -> bool {
        match lane(class) {
            Some(lane) => self.0 >> (16 * lane) != 0,
            None => false,
        }
    }
}
