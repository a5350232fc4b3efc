//! The rules once more, slowly: nothing but stones on a board and the text of
//! the rules, to compare everything faster with.
#![allow(dead_code)]

use quincunx::position::{Forbidden, Position};
use quincunx::rules::{Color, Rule};
use std::collections::BTreeSet;

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// What stands on a point; nobody's stones are [`Place::Wall`], as is all that
/// is off the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Empty,
    Wall,
    Stone(Color),
}

/// A board and nothing else.
pub(crate) struct Board {
    rule: Rule,
    width: i32,
    height: i32,
    places: Vec<Place>,
}

type At = (i32, i32);

fn along((x, y): At, (dx, dy): (i32, i32), steps: i32) -> At {
    (x + dx * steps, y + dy * steps)
}

impl Board {
    /// The stones of a position.
    pub(crate) fn of(position: &Position) -> Board {
        let size = position.size();
        let place = |point| match position.stone(point) {
            Some(color) => Place::Stone(color),
            None if position.is_empty(point) => Place::Empty,
            None => Place::Wall,
        };
        Board {
            rule: position.rule(),
            width: size.width() as i32,
            height: size.height() as i32,
            places: size.iter().map(place).collect(),
        }
    }

    fn get(&self, (x, y): At) -> Place {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.places[(y * self.width + x) as usize]
        } else {
            Place::Wall
        }
    }

    fn set(&mut self, (x, y): At, place: Place) {
        self.places[(y * self.width + x) as usize] = place;
    }

    /// Does something with a stone of `color` put on an empty point.
    fn with<T>(&mut self, color: Color, at: At, act: impl FnOnce(&mut Board) -> T) -> T {
        self.set(at, Place::Stone(color));
        let result = act(self);
        self.set(at, Place::Empty);
        result
    }

    /// Stones of `color` next to `at` on one side.
    fn arm(&self, color: Color, at: At, direction: (i32, i32), sign: i32) -> i32 {
        (1..)
            .take_while(|&i| self.get(along(at, direction, sign * i)) == Place::Stone(color))
            .count() as i32
    }

    /// The run through the stone on `at`: its first and last step.
    fn run(&self, color: Color, at: At, direction: (i32, i32)) -> (i32, i32) {
        (
            -self.arm(color, at, direction, -1),
            self.arm(color, at, direction, 1),
        )
    }

    fn is_exact_five(&self, color: Color, at: At, direction: (i32, i32)) -> bool {
        let (first, last) = self.run(color, at, direction);
        last - first == 4
    }

    /// Whether a stone of `color` on the empty point `at` wins.
    pub(crate) fn wins(&mut self, color: Color, at: At) -> bool {
        let rule = self.rule;
        self.with(color, at, |board| {
            DIRECTIONS.iter().any(|&direction| {
                let (first, last) = board.run(color, at, direction);
                let enemy = Place::Stone(color.opponent());
                let closed = board.get(along(at, direction, first - 1)) == enemy
                    && board.get(along(at, direction, last + 1)) == enemy;
                rule.run_wins(color, (last - first + 1) as usize, closed)
            })
        })
    }

    /// Why black may not play the empty point `at` under renju.
    pub(crate) fn forbidden(&mut self, at: At) -> BTreeSet<Forbidden> {
        self.with(Color::Black, at, |board| board.foul_of(at))
    }

    /// What is wrong with the black stone on `at`.
    fn foul_of(&mut self, at: At) -> BTreeSet<Forbidden> {
        let mut kinds = BTreeSet::new();
        let black = Color::Black;
        if DIRECTIONS.iter().any(|&d| self.is_exact_five(black, at, d)) {
            return kinds;
        }
        let length = |(first, last): (i32, i32)| last - first + 1;
        if DIRECTIONS
            .iter()
            .any(|&d| length(self.run(black, at, d)) >= 6)
        {
            kinds.insert(Forbidden::Overline);
        }
        let fours = DIRECTIONS.map(|d| self.fours(at, d));
        if fours.iter().sum::<usize>() >= 2 {
            kinds.insert(Forbidden::DoubleFour);
        }
        let mut threes = 0;
        for (&direction, fours) in DIRECTIONS.iter().zip(fours) {
            if fours == 0 && self.is_three(at, direction) {
                threes += 1;
            }
        }
        if threes >= 2 {
            kinds.insert(Forbidden::DoubleThree);
        }
        kinds
    }

    /// Fours through the stone on `at` in one direction: ways to get exactly
    /// five, where the two ends of a straight four are one four.
    fn fours(&mut self, at: At, direction: (i32, i32)) -> usize {
        let ways: Vec<i32> = (-5..=5)
            .filter(|&steps| self.makes_five_through(at, direction, steps))
            .collect();
        match ways[..] {
            [first, last] if last - first == 5 => 1,
            _ => ways.len(),
        }
    }

    /// Whether one more black stone, `steps` from `at`, makes an exact five
    /// that the stone on `at` is part of.
    fn makes_five_through(&mut self, at: At, direction: (i32, i32), steps: i32) -> bool {
        let there = along(at, direction, steps);
        self.get(there) == Place::Empty
            && self.with(Color::Black, there, |board| {
                let (first, last) = board.run(Color::Black, there, direction);
                last - first == 4 && (first..=last).contains(&-steps)
            })
    }

    /// Whether one more legal stone that is no five makes a straight four with
    /// the stone on `at`.
    fn is_three(&mut self, at: At, direction: (i32, i32)) -> bool {
        (-4..=4).any(|steps| {
            let there = along(at, direction, steps);
            self.get(there) == Place::Empty
                && self.with(Color::Black, there, |board| {
                    let (first, last) = board.run(Color::Black, there, direction);
                    let with_both = last - first == 3 && (first..=last).contains(&-steps);
                    let five = DIRECTIONS
                        .iter()
                        .any(|&d| board.is_exact_five(Color::Black, there, d));
                    with_both
                        && !five
                        && board.makes_five_through(there, direction, first - 1)
                        && board.makes_five_through(there, direction, last + 1)
                        && board.foul_of(there).is_empty()
                })
        })
    }
}
