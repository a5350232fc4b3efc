//! How many empty points have which class: eight counters side by side.

use crate::pattern::Class;

/// How many empty points of one colour have each class from
/// [`Class::OpenThree`] up.
///
/// All eight counters change together, which is one vector addition on every
/// processor of today, and cheaper than finding out which two of them to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct Counts([u16; 8]);

/// Which counter counts a class, for those that are counted.
const fn lane(class: Class) -> Option<usize> {
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

static UNITS: [Counts; 32] = {
    let mut units = [Counts([0; 8]); 32];
    let mut i = 0;
    while i < Class::ALL.len() {
        if let Some(lane) = lane(Class::ALL[i]) {
            units[Class::ALL[i] as usize].0[lane] = 1;
        }
        i += 1;
    }
    units
};

impl Counts {
    /// Counts a point of class `new` where one of `old` was counted.
    #[inline]
    pub(super) fn replace(&mut self, old: Class, new: Class) {
        let (plus, minus) = (&UNITS[new as usize % 32], &UNITS[old as usize % 32]);
        for lane in 0..8 {
            self.0[lane] = self.0[lane]
                .wrapping_add(plus.0[lane])
                .wrapping_sub(minus.0[lane]);
        }
    }

    /// How many points have exactly this class; zero for classes below
    /// [`Class::OpenThree`], which nobody counts.
    #[inline]
    pub const fn of(self, class: Class) -> usize {
        match lane(class) {
            Some(lane) => self.0[lane] as usize,
            None => 0,
        }
    }

    /// How many points make a four or a five.
    #[inline]
    pub fn fours(self) -> usize {
        const FIRST: usize = match lane(Class::Four) {
            Some(lane) => lane,
            None => 0,
        };
        self.0[FIRST..]
            .iter()
            .map(|&count| usize::from(count))
            .sum()
    }

    /// Whether some point has this counted class.
    #[inline]
    pub const fn any(self, class: Class) -> bool {
        self.of(class) != 0
    }

    /// Whether some point has this counted class or a stronger one.
    #[inline]
    pub fn any_from(self, class: Class) -> bool {
        lane(class).is_some_and(|lane| self.0[lane..].iter().any(|&count| count != 0))
    }
}
