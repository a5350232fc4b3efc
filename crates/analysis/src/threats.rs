//! Threats in words: what both sides can make with their next stone, together with which stones.

use quincunx_engine::pattern::{Class, Shape};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Direction, Point, PointSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of threats, by what the next stone would make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ThreatKind {
    /// A line that wins.
    Five,
    /// A four that no single stone can stop.
    OpenFour,
    /// Two fours at once.
    DoubleFour,
    /// A four and an open three.
    FourThree,
    /// Two open threes.
    DoubleThree,
}

impl ThreatKind {
    /// The name of the threat.
    pub const fn name(self) -> &'static str {
        match self {
            ThreatKind::Five => "five",
            ThreatKind::OpenFour => "open four",
            ThreatKind::DoubleFour => "double four",
            ThreatKind::FourThree => "four-three",
            ThreatKind::DoubleThree => "double three",
        }
    }
}

/// A shape that a colour can make with one stone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The colour that threatens.
    pub color: Color,
    /// The kind of the threat.
    pub kind: ThreatKind,
    /// The points for the next stone, any of which will do.
    pub points: Vec<Point>,
    /// The stones that make the threat together with the next one.
    pub stones: Vec<Point>,
}

/// `black: five at b5 or g5, with c5 d5 e5 f5`.
impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |points: &[Point], between: &str| {
            let names: Vec<String> = points.iter().map(Point::to_string).collect();
            names.join(between)
        };
        let (points, stones) = (names(&self.points, " or "), names(&self.stones, " "));
        let (color, kind) = (self.color, self.kind.name());
        write!(f, "{color}: {kind} at {points}, with {stones}")
    }
}

/// The threats of both sides, black's first, each side's strongest first. Forbidden points
/// are no threats.
pub fn threats(position: &Position) -> Vec<Threat> {
    let mut position = position.clone();
    let mut found: Vec<Threat> = Vec::new();
    for color in Color::ALL {
        let points: Vec<Point> = position.empty_near_stones().iter().collect();
        for point in points {
            for (kind, stones) in at(&mut position, color, point) {
                let like = |threat: &&mut Threat| {
                    threat.color == color && threat.kind == kind && threat.stones == stones
                };
                match found.iter_mut().find(like) {
                    Some(threat) => threat.points.push(point),
                    None => found.push(Threat {
                        color,
                        kind,
                        points: vec![point],
                        stones,
                    }),
                }
            }
        }
    }
    found.sort_by_key(|threat| (threat.color.index(), threat.kind));
    found
}

/// The stones that make fives, fours and open threes together with one of `color` on an empty
/// point: those of the strongest line, or of all lines of a double threat.
pub fn stones(position: &mut Position, color: Color, point: Point) -> PointSet {
    let shapes = Direction::ALL.map(|direction| position.shape(color, point, direction));
    let is_double = matches!(
        position.class(color, point),
        Class::FourThree | Class::DoubleThree
    );
    let has_five = shapes.contains(&Shape::Five);
    let mut stones = PointSet::EMPTY;
    for (direction, shape) in Direction::ALL.into_iter().zip(shapes) {
        let is_part = match shape {
            Shape::Five => true,
            _ if has_five => false,
            _ => shape.makes_four() || is_double && shape.is_open_three(),
        };
        if is_part {
            stones = stones.union(&makers(position, color, point, direction));
        }
    }
    stones
}

/// The threat that a stone of `color` makes on an empty point.
pub(crate) fn threat_at(position: &mut Position, color: Color, point: Point) -> Option<ThreatKind> {
    at(position, color, point).first().map(|threat| threat.0)
}

/// The shapes that a stone of `color` makes on an empty point, each with its stones; none on a
/// forbidden one.
fn at(position: &mut Position, color: Color, point: Point) -> Vec<(ThreatKind, Vec<Point>)> {
    if color == Color::Black && position.forbidden_to_black(point).is_some() {
        return Vec::new();
    }
    let shapes = Direction::ALL.map(|direction| position.shape(color, point, direction));
    let with = |position: &mut Position, wanted: &dyn Fn(Shape) -> bool| {
        let mut stones = PointSet::EMPTY;
        for (direction, shape) in Direction::ALL.into_iter().zip(shapes) {
            if wanted(shape) {
                stones = stones.union(&makers(position, color, point, direction));
            }
        }
        stones.iter().collect::<Vec<Point>>()
    };
    let kind = match position.class(color, point) {
        Class::FourThree => ThreatKind::FourThree,
        Class::DoubleThree => ThreatKind::DoubleThree,
        Class::OpenFour if !shapes.contains(&Shape::OpenFour) => ThreatKind::DoubleFour,
        _ => {
            // Of one line: a five or an open four, perhaps in several directions.
            let strongest = shapes.into_iter().max().unwrap_or(Shape::Dead);
            let kind = match strongest {
                Shape::Five => ThreatKind::Five,
                Shape::OpenFour => ThreatKind::OpenFour,
                _ => return Vec::new(),
            };
            let lines = Direction::ALL.into_iter().zip(shapes);
            let lines = lines.filter(|&(_, shape)| shape == strongest);
            return lines
                .map(|(direction, _)| {
                    let stones = makers(position, color, point, direction);
                    (kind, stones.iter().collect())
                })
                .collect();
        }
    };
    let stones = match kind {
        ThreatKind::DoubleFour => with(position, &Shape::makes_four),
        _ => with(position, &|shape| {
            shape.makes_four() || shape.is_open_three()
        }),
    };
    vec![(kind, stones)]
}

/// The stones that, with one on `point`, make its shape in a direction: those of every
/// five that can come of it.
fn makers(position: &mut Position, color: Color, point: Point, direction: Direction) -> PointSet {
    let stones = fives_through(position, color, point, direction);
    let there = stones.iter();
    there
        .filter(|&stone| position.stone(stone) == Some(color))
        .collect()
}

/// The points of the fives that come of a stone on `point` if the shape in this direction
/// is carried on, that of the stone included.
fn fives_through(
    position: &mut Position,
    color: Color,
    point: Point,
    direction: Direction,
) -> PointSet {
    let next = match position.shape(color, point, direction) {
        Shape::Five => return run(position, color, point, direction),
        Shape::Four | Shape::OpenFour => Shape::Five,
        Shape::OpenThree | Shape::OpenThreeWide => Shape::OpenFour,
        _ => return PointSet::EMPTY,
    };
    position.place(color, point);
    let reach = position.radius() as i32;
    let mut points = PointSet::EMPTY;
    for steps in -reach..=reach {
        let other = point.step(direction, steps);
        if position.size().has(other)
            && position.is_empty(other)
            && position.shape(color, other, direction) == next
        {
            points = points.union(&fives_through(position, color, other, direction));
        }
    }
    position.undo();
    points
}

/// The point and the adjacent stones of `color` in a direction.
fn run(position: &Position, color: Color, point: Point, direction: Direction) -> PointSet {
    let arm = |sign: i32| {
        let points = (1..).map(move |steps| point.step(direction, sign * steps));
        points.take_while(|&next| position.size().has(next) && position.stone(next) == Some(color))
    };
    arm(-1).chain([point]).chain(arm(1)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    fn told(rule: Rule, moves: &str) -> Vec<String> {
        let position = Position::from_moves(rule, BoardSize::default(), moves).unwrap();
        threats(&position).iter().map(Threat::to_string).collect()
    }

    #[test]
    fn fives_and_open_fours_are_listed_with_their_stones() {
        assert_eq!(
            told(Rule::Freestyle, "h8a1i8o15j8a3"),
            ["black: open four at g8 or k8, with h8 i8 j8"]
        );
        // Closed on one side, and with a gap.
        assert_eq!(
            told(Rule::Freestyle, "h8g8i8a1k8a3l8a5"),
            ["black: five at j8, with h8 i8 k8 l8"]
        );
        let both = told(Rule::Freestyle, "h8a1i8b1j8c1k8d1");
        assert_eq!(
            both,
            [
                "black: five at g8 or l8, with h8 i8 j8 k8",
                "white: five at e1, with a1 b1 c1 d1"
            ]
        );
    }

    #[test]
    fn double_threats_have_the_stones_of_both_lines() {
        let threes = told(Rule::Freestyle, "h8a1i8c15k5o15k6o1");
        assert!(
            threes.contains(&"black: double three at k8, with k5 k6 h8 i8".to_owned()),
            "{threes:?}"
        );
        let fours = told(Rule::Freestyle, "h8g8i8a1j8c1l5l4l6o1l7o3");
        assert!(
            fours
                .iter()
                .any(|threat| threat == "black: double four at l8, with l5 l6 l7 h8 i8 j8"),
            "{fours:?}"
        );
    }

    #[test]
    fn forbidden_points_threaten_nothing() {
        let moves = "g8a1h7a3h9o1i8o3";
        let at_h8 = |rule| {
            told(rule, moves)
                .iter()
                .any(|threat| threat.contains("at h8"))
        };
        assert!(at_h8(Rule::Freestyle));
        assert!(!at_h8(Rule::Renju));
    }

    /// Every threat of a random position is there: the stone makes what is said of it.
    #[test]
    fn a_five_is_listed_wherever_one_is_possible() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut fives = 0;
        for round in 0..300 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let mut position = Position::new(rule, BoardSize::square(9).unwrap());
            let mut points: Vec<Point> = position.size().iter().collect();
            random.shuffle(&mut points);
            for &point in points.iter().take(40) {
                if position.is_legal(point) && position.class(position.side(), point) != Class::Five
                {
                    position.play(point);
                }
            }
            let told = threats(&position);
            for color in Color::ALL {
                for point in position.fives(color) {
                    fives += 1;
                    let threat = told.iter().find(|threat| {
                        threat.color == color
                            && threat.kind == ThreatKind::Five
                            && threat.points.contains(&point)
                    });
                    let threat = threat.unwrap();
                    assert!(threat.stones.len() >= 4, "{threat}");
                    let own = |&stone: &Point| position.stone(stone) == Some(color);
                    assert!(threat.stones.iter().all(own), "{threat}");
                }
            }
        }
        assert!(fives > 100, "{fives}");
    }
}
