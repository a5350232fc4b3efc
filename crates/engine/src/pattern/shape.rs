//! Shapes, which are of one direction, and classes, which are of all four.

use std::fmt;

/// The result of a move in one direction through an empty point, from
/// weak to strong.
///
/// Shapes are compared by their order. Each has a number below 16, so that the four
/// shapes of a point fit in sixteen bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five is possible.
    #[default]
    Dead = 0,
    /// Six or more in a row that do not win. For black in renju also two fours in one
    /// line.
    Overline,
    /// One more stone makes a [`Shape::Two`].
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a [`Shape::Three`].
    Two,
    /// One or two points make it an open three.
    OpenTwo,
    /// Three points make it an open three.
    OpenTwoWide,
    /// Four points make it an open three.
    OpenTwoFull,
    /// One more stone makes a [`Shape::Four`].
    Three,
    /// Exactly one point makes it an open four.
    OpenThree,
    /// Two points make it an open four.
    OpenThreeWide,
    /// A five is next, and one stone can prevent it.
    Four,
    /// A five is next, and no single stone can prevent it.
    OpenFour,
    /// A line that wins.
    Five,
}

impl Shape {
    /// Every shape, from weak to strong.
    pub const ALL: [Shape; 14] = [
        Shape::Dead,
        Shape::Overline,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::OpenTwoWide,
        Shape::OpenTwoFull,
        Shape::Three,
        Shape::OpenThree,
        Shape::OpenThreeWide,
        Shape::Four,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// Returns the shape with the number in the low four bits. Numbers without a shape
    /// are dead.
    #[inline]
    pub(crate) const fn from_number(number: u8) -> Shape {
        let number = (number & 15) as usize;
        if number < Self::ALL.len() {
            Self::ALL[number]
        } else {
            Shape::Dead
        }
    }

    /// Returns whether it is a four or better.
    #[inline]
    pub const fn makes_four(self) -> bool {
        matches!(self, Shape::Four | Shape::OpenFour | Shape::Five)
    }

    /// Returns whether it is an open two of any width.
    pub const fn is_open_two(self) -> bool {
        matches!(
            self,
            Shape::OpenTwo | Shape::OpenTwoWide | Shape::OpenTwoFull
        )
    }

    /// Returns whether it is an open three of any width.
    pub const fn is_open_three(self) -> bool {
        matches!(self, Shape::OpenThree | Shape::OpenThreeWide)
    }
}

/// The threat of a move in all four directions together, from weak to strong.
///
/// The numbers leave a gap, so that one bit, `Class::FOUR_BIT`, marks the classes
/// that make a four. That lets eight points be tested at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::NoUninit)]
#[repr(u8)]
pub enum Class {
    /// Nothing worth a name. Points with stones have this class, too.
    #[default]
    None = 0,
    /// Perhaps forbidden to black under renju. Only a recursive examination of the
    /// position tells.
    Forbidden = 1,
    /// One open two.
    OpenTwo = 2,
    /// One three that is not open.
    Three = 3,
    /// Two open twos.
    DoubleTwo = 4,
    /// Two threes, at least one of them not open or only an open two.
    ThreeTwo = 5,
    /// One open three.
    OpenThree = 6,
    /// An open three and a three or an open two.
    OpenThreePlus = 7,
    /// Two open threes.
    DoubleThree = 8,
    /// One four.
    Four = 16,
    /// A four and a three or an open two.
    FourPlus = 17,
    /// A four and an open three: wins in five plies unless answered with fours.
    FourThree = 18,
    /// An open four or two fours: wins in three plies.
    OpenFour = 19,
    /// Wins at once.
    Five = 20,
}

impl Class {
    /// The bit that is set in the number of every class that makes a four or a five,
    /// and in no other.
    pub(crate) const FOUR_BIT: u8 = 16;

    /// One more than the largest number of a class.
    pub(crate) const NUMBERS: usize = 21;

    /// Every class, from weak to strong.
    pub const ALL: [Class; 14] = [
        Class::None,
        Class::Forbidden,
        Class::OpenTwo,
        Class::Three,
        Class::DoubleTwo,
        Class::ThreeTwo,
        Class::OpenThree,
        Class::OpenThreePlus,
        Class::DoubleThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::OpenFour,
        Class::Five,
    ];

    /// Returns the index in [`Class::ALL`] of the class with that number.
    pub(super) const fn index_of(number: u8) -> usize {
        const GAP: u8 = Class::FOUR_BIT - Class::DoubleThree as u8 - 1;
        (number - (number / Class::FOUR_BIT) * GAP) as usize
    }

    /// Returns whether a move of this class makes a four or a five.
    #[inline]
    pub const fn is_four(self) -> bool {
        self as u8 & Self::FOUR_BIT != 0
    }

    /// Returns whether a move of this class makes a four and something else, or better.
    #[inline]
    pub(crate) const fn is_strong_four(self) -> bool {
        self as u8 > Class::Four as u8
    }

    /// Returns whether a move of this class is a threat: an open three, a four or
    /// better.
    #[inline]
    pub(crate) const fn is_threat(self) -> bool {
        self as u8 >= Class::OpenThree as u8
    }

    /// Returns whether a move of this class builds an attack: it makes two open twos, a
    /// three and a two, or better.
    #[inline]
    pub(crate) const fn builds_attack(self) -> bool {
        self as u8 >= Class::DoubleTwo as u8
    }

    /// Returns whether a move of this class may be forbidden.
    #[inline]
    pub(crate) const fn may_be_forbidden(self) -> bool {
        self as u8 == Class::Forbidden as u8
    }

    /// Returns the letter for diagrams: `A` for the five, `B` for the open four and so
    /// on down to `L`, `x` for perhaps forbidden and `.` for nothing.
    pub const fn letter(self) -> char {
        match self {
            Class::None => '.',
            Class::Forbidden => 'x',
            Class::OpenTwo => 'L',
            Class::Three => 'K',
            Class::DoubleTwo => 'J',
            Class::ThreeTwo => 'I',
            Class::OpenThree => 'H',
            Class::OpenThreePlus => 'G',
            Class::DoubleThree => 'F',
            Class::Four => 'E',
            Class::FourPlus => 'D',
            Class::FourThree => 'C',
            Class::OpenFour => 'B',
            Class::Five => 'A',
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
