//! The names of renju's 26 openings: black's stone in the middle, white's next to it, and
//! black's second within two points of the middle.

use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// An opening with a name.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NamedOpening {
    /// True if white's stone is beside black's first one; otherwise it touches its corner.
    pub direct: bool,
    /// The number among the direct or the indirect openings, from 1 to 13.
    pub number: usize,
    /// The name of the opening.
    pub name: &'static str,
}

/// `D4 Kagetsu`, `I7 Hogetsu`.
impl fmt::Display for NamedOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.direct { 'D' } else { 'I' };
        write!(f, "{kind}{} {}", self.number, self.name)
    }
}

impl<'de> Deserialize<'de> for NamedOpening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NamedOpening, D::Error> {
        /// The fields that determine the name.
        #[derive(Deserialize)]
        struct Number {
            direct: bool,
            number: usize,
        }
        let Number { direct, number } = Number::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("there is no opening {number}"));
        NamedOpening::numbered(direct, number).ok_or_else(unknown)
    }
}

/// Where a stone is: columns to the right of the middle and rows above it.
type Offset = (i32, i32);

/// The openings with white's stone one row above the middle.
const DIRECT: [(&str, Offset); 13] = [
    ("Kansei", (0, 2)),
    ("Keigetsu", (1, 2)),
    ("Sosei", (2, 2)),
    ("Kagetsu", (1, 1)),
    ("Zangetsu", (2, 1)),
    ("Ugetsu", (1, 0)),
    ("Kinsei", (2, 0)),
    ("Shogetsu", (0, -1)),
    ("Kyugetsu", (1, -1)),
    ("Shingetsu", (2, -1)),
    ("Zuisei", (0, -2)),
    ("Sangetsu", (1, -2)),
    ("Yusei", (2, -2)),
];

/// The openings with white's stone one column to the right of that.
const INDIRECT: [(&str, Offset); 13] = [
    ("Chosei", (2, 2)),
    ("Kyogetsu", (2, 1)),
    ("Kosei", (2, 0)),
    ("Suigetsu", (2, -1)),
    ("Ryusei", (2, -2)),
    ("Ungetsu", (1, 0)),
    ("Hogetsu", (1, -1)),
    ("Rangetsu", (1, -2)),
    ("Gingetsu", (0, -1)),
    ("Myojo", (0, -2)),
    ("Shagetsu", (-1, -1)),
    ("Meigetsu", (-1, -2)),
    ("Suisei", (-2, -2)),
];

impl NamedOpening {
    /// The direct or indirect opening with this number.
    fn numbered(direct: bool, number: usize) -> Option<NamedOpening> {
        let names = if direct { &DIRECT } else { &INDIRECT };
        let (name, _) = names.get(number.checked_sub(1)?)?;
        Some(NamedOpening {
            direct,
            number,
            name,
        })
    }

    /// The opening of a game by its first three stones, in any order and in any symmetric
    /// form. There are none on boards without a point in the middle.
    pub fn of(game: &Game) -> Option<NamedOpening> {
        NamedOpening::of_stones(game.size(), game.opening().chain(game.moves()))
    }

    /// The opening of the first three stones of a position.
    pub fn of_position(position: &Position) -> Option<NamedOpening> {
        NamedOpening::of_stones(position.size(), position.moves())
    }

    fn of_stones(
        size: BoardSize,
        stones: impl Iterator<Item = (Color, Point)>,
    ) -> Option<NamedOpening> {
        if size.width().is_multiple_of(2) || size.height().is_multiple_of(2) {
            return None;
        }
        let centre = size.centre();
        let stones: Vec<(Color, Point)> = stones.filter(|it| it.1 != Point::NONE).take(3).collect();
        let of = |color| {
            let own = stones.iter().filter(move |stone| stone.0 == color);
            own.map(|stone| stone.1).collect::<Vec<Point>>()
        };
        let (black, white) = (of(Color::Black), of(Color::White));
        let ([a, b], [white]) = (&black[..], &white[..]) else {
            return None;
        };
        let third = match centre {
            _ if *a == centre => *b,
            _ if *b == centre => *a,
            _ => return None,
        };
        let away = |point: Point| {
            (
                point.x() as i32 - centre.x() as i32,
                point.y() as i32 - centre.y() as i32,
            )
        };
        turned(away(*white), away(third))
    }
}

/// The opening with white's stone and black's second one at these offsets from the middle, in the
/// orientation of its name. All eight symmetric forms count, on oblong boards too, which themselves
/// have only four.
fn turned(white: Offset, third: Offset) -> Option<NamedOpening> {
    for turn in 0..8 {
        let turn = |(mut x, mut y): Offset| {
            if turn & 1 != 0 {
                x = -x;
            }
            if turn & 2 != 0 {
                y = -y;
            }
            if turn & 4 != 0 { (y, x) } else { (x, y) }
        };
        let (direct, names) = match turn(white) {
            (0, 1) => (true, &DIRECT),
            (1, 1) => (false, &INDIRECT),
            _ => continue,
        };
        let place = names.iter().position(|(_, point)| *point == turn(third));
        if let Some(place) = place {
            return NamedOpening::numbered(direct, place + 1);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;
    use std::collections::BTreeMap;

    fn name(size: BoardSize, moves: &str) -> Option<String> {
        let position = Position::from_moves(Rule::Renju, size, moves).unwrap();
        Some(NamedOpening::of_position(&position)?.to_string())
    }

    /// Each opening as lists of renju's openings publish it.
    #[test]
    fn openings_have_the_names_of_renju() {
        for (moves, expected) in [
            ("h8h9h10", "D1 Kansei"),
            ("h8h9i10", "D2 Keigetsu"),
            ("h8h9j10", "D3 Sosei"),
            ("h8h9i9", "D4 Kagetsu"),
            ("h8h9j9", "D5 Zangetsu"),
            ("h8h9i8", "D6 Ugetsu"),
            ("h8h9j8", "D7 Kinsei"),
            ("h8h9h7", "D8 Shogetsu"),
            ("h8h9i7", "D9 Kyugetsu"),
            ("h8h9j7", "D10 Shingetsu"),
            ("h8h9h6", "D11 Zuisei"),
            ("h8h9i6", "D12 Sangetsu"),
            ("h8h9j6", "D13 Yusei"),
            ("h8i9j10", "I1 Chosei"),
            ("h8i9j9", "I2 Kyogetsu"),
            ("h8i9j8", "I3 Kosei"),
            ("h8i9j7", "I4 Suigetsu"),
            ("h8i9j6", "I5 Ryusei"),
            ("h8i9i8", "I6 Ungetsu"),
            ("h8i9i7", "I7 Hogetsu"),
            ("h8i9i6", "I8 Rangetsu"),
            ("h8i9h7", "I9 Gingetsu"),
            ("h8i9h6", "I10 Myojo"),
            ("h8i9g7", "I11 Shagetsu"),
            ("h8i9g6", "I12 Meigetsu"),
            ("h8i9f6", "I13 Suisei"),
            // The same stones in another order.
            ("i7i9h8", "I7 Hogetsu"),
            ("h8i9i7--a1", "I7 Hogetsu"),
        ] {
            let size = BoardSize::default();
            assert_eq!(name(size, moves).as_deref(), Some(expected), "{moves}");
        }
    }

    /// Every way to put the second and third stone as the rules of renju want it has one of
    /// 26 names, symmetric ones have the same, and others have another.
    #[test]
    fn every_opening_has_one_name_in_all_its_forms() {
        for size in [BoardSize::default(), BoardSize::square(9).unwrap()] {
            let centre = size.centre();
            let near = |far: i32| {
                let points = size.iter().filter(move |point| {
                    let away = |a: usize, b: usize| (a as i32 - b as i32).abs();
                    let far_x = away(point.x(), centre.x());
                    far_x.max(away(point.y(), centre.y())) <= far && *point != centre
                });
                points.collect::<Vec<Point>>()
            };
            let mut classes: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
            for white in near(1) {
                for third in near(2).into_iter().filter(|&third| third != white) {
                    let forms = size.symmetries().map(|symmetry| {
                        let turn = |point| symmetry.apply(size, point);
                        format!("{}{}{}", turn(centre), turn(white), turn(third))
                    });
                    let forms: Vec<String> = forms.collect();
                    let names = forms.iter().map(|form| name(size, form).unwrap());
                    let least = forms.iter().min().unwrap().clone();
                    for name in names {
                        *classes
                            .entry(name)
                            .or_default()
                            .entry(least.clone())
                            .or_default() += 1;
                    }
                }
            }
            assert_eq!(classes.len(), 26);
            for (name, forms) in &classes {
                assert_eq!(forms.len(), 1, "{name}: {forms:?}");
            }
        }
    }

    #[test]
    fn other_beginnings_have_no_name() {
        let size = BoardSize::default();
        for moves in ["", "h8", "h8h9", "h8h9h11", "h8h10i9", "g8h8i8", "h8--i9j9"] {
            assert_eq!(name(size, moves), None, "{moves}");
        }
        assert_eq!(name(BoardSize::square(20).unwrap(), "k10k11k12"), None);
    }
}
