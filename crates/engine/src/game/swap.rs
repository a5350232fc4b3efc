//! Opening rules: who places the first stones, and who then chooses the colour.
//!
//! A rule is data: [`OpeningRule::step`] says what comes next, given the number
//! of stones and the choices made so far.

use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet};
use std::fmt;
use std::str::FromStr;

/// The rule by which the first stones are placed and the players get their colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum OpeningRule {
    /// The first player plays black from the first stone on.
    #[default]
    Free,
    /// The first player places one stone, the second chooses a colour.
    Swap1,
    /// The first player places three stones. The second chooses a colour, or places
    /// two more and leaves the choice to the first.
    Swap2,
    /// The first player places three stones near the centre, the second chooses a
    /// colour. White places the fourth stone and announces how many fifth stones black
    /// has to offer. Black may then swap. Black offers that many, no two of them alike
    /// by symmetry, and white places one of them. Renju's world championships use this
    /// rule.
    Soosorv,
}

/// A player before the colours are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Seat {
    /// The player who places the first stone.
    First,
    /// The other player.
    Second,
}

/// A choice of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Choice {
    /// To play black.
    Black,
    /// To play white.
    White,
    /// To place two more stones and let the other player choose.
    TwoStones,
    /// To be offered this many stones for the fifth move, from one to eight.
    Offers(u8),
}

/// The next step of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningStep {
    /// The player places stones of both colours in turn, black first, until there is
    /// a number of stones on the board.
    Place {
        /// The player.
        seat: Seat,
        /// The number of stones afterwards.
        until: usize,
    },
    /// The player makes a choice.
    Choose {
        /// The player.
        seat: Seat,
        /// The possible choices.
        options: &'static [Choice],
    },
    /// Black offers stones for the fifth move, and white places one of them.
    Fifth {
        /// The player of the black stones.
        black: Seat,
        /// The number of stones to offer.
        count: usize,
    },
    /// The opening is over. The colours are settled, and the number of stones gives the
    /// side to move.
    Play {
        /// The player of the black stones.
        black: Seat,
    },
}

/// A choice is not one that the rule offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule} does not offer this choice")]
pub struct ChoiceError {
    /// The rule.
    pub rule: OpeningRule,
}

/// The choices of a colour, which always come last.
const COLORS: &[Choice] = &[Choice::Black, Choice::White];
const COLORS_OR_STONES: &[Choice] = &[Choice::Black, Choice::White, Choice::TwoStones];
const OFFERS: &[Choice] = &[
    Choice::Offers(1),
    Choice::Offers(2),
    Choice::Offers(3),
    Choice::Offers(4),
    Choice::Offers(5),
    Choice::Offers(6),
    Choice::Offers(7),
    Choice::Offers(8),
];

impl OpeningRule {
    /// Every opening rule.
    pub const ALL: [OpeningRule; 4] = [
        OpeningRule::Free,
        OpeningRule::Swap1,
        OpeningRule::Swap2,
        OpeningRule::Soosorv,
    ];

    /// The rule's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Free => "free",
            OpeningRule::Swap1 => "swap1",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Soosorv => "soosorv",
        }
    }

    /// The next step with this number of stones on the board and these choices made.
    ///
    /// # Errors
    /// When one of the choices was not possible.
    pub fn step(self, stones: usize, choices: &[Choice]) -> Result<OpeningStep, ChoiceError> {
        let error = ChoiceError { rule: self };
        match self {
            OpeningRule::Free if choices.is_empty() => Ok(OpeningStep::Play { black: Seat::First }),
            OpeningRule::Free => Err(error),
            OpeningRule::Swap1 => self.swap_step(1, COLORS, stones, choices),
            OpeningRule::Swap2 => self.swap_step(3, COLORS_OR_STONES, stones, choices),
            OpeningRule::Soosorv => soosorv_step(stones, choices).ok_or(error),
        }
    }

    /// The next step of a rule under which the first player places some stones and the
    /// second makes a choice.
    fn swap_step(
        self,
        placed: usize,
        offer: &'static [Choice],
        stones: usize,
        choices: &[Choice],
    ) -> Result<OpeningStep, ChoiceError> {
        let error = Err(ChoiceError { rule: self });
        let seat = Seat::First;
        match *choices {
            [] if stones < placed => Ok(OpeningStep::Place {
                seat,
                until: placed,
            }),
            [] => Ok(OpeningStep::Choose {
                seat: seat.other(),
                options: offer,
            }),
            [choice] if !offer.contains(&choice) => error,
            [Choice::TwoStones] if stones < placed + 2 => Ok(OpeningStep::Place {
                seat: seat.other(),
                until: placed + 2,
            }),
            [Choice::TwoStones] => Ok(OpeningStep::Choose {
                seat,
                options: COLORS,
            }),
            [color] => Ok(OpeningStep::Play {
                black: seat.other().black_by(color),
            }),
            [Choice::TwoStones, color] if offer.len() > 2 && COLORS.contains(&color) => {
                Ok(OpeningStep::Play {
                    black: seat.black_by(color),
                })
            }
            _ => error,
        }
    }

    /// The points where the next stone of the opening, or the next offered one, may be
    /// placed. `None` if every point is allowed. `position` has only the stones of the
    /// opening, and `offered` are the fifth stones offered so far.
    pub fn allowed(
        self,
        position: &Position,
        step: OpeningStep,
        offered: &[Point],
    ) -> Option<PointSet> {
        if self != OpeningRule::Soosorv {
            return None;
        }
        let empty = position.board().difference(position.occupied());
        match step {
            OpeningStep::Place { .. } if position.ply() < 3 => {
                let centre = position.size().centre();
                let near = |point: &Point| point.distance(centre) <= position.ply();
                Some(empty.iter().filter(near).collect())
            }
            OpeningStep::Fifth { count, .. } if offered.len() < count => {
                let alike = offered.iter().map(|&point| alike(position, point));
                Some(alike.fold(empty, |rest, alike| rest.difference(&alike)))
            }
            OpeningStep::Fifth { .. } => Some(offered.iter().copied().collect()),
            _ => None,
        }
    }
}

/// The next step under [`OpeningRule::Soosorv`]. `None` after choices that were not
/// possible.
fn soosorv_step(stones: usize, choices: &[Choice]) -> Option<OpeningStep> {
    let choose = |seat, options| Some(OpeningStep::Choose { seat, options });
    let place = |seat, until| Some(OpeningStep::Place { seat, until });
    let is_color = |choice: &&Choice| COLORS.contains(choice);
    let mut choices = choices.iter();
    let Some(first) = choices.next() else {
        return match stones {
            0..3 => place(Seat::First, 3),
            _ => choose(Seat::Second, COLORS),
        };
    };
    let black = Some(first)
        .filter(is_color)
        .map(|&color| Seat::Second.black_by(color))?;
    let Some(offers) = choices.next() else {
        return match stones {
            0..4 => place(black.other(), 4),
            _ => choose(black.other(), OFFERS),
        };
    };
    let &Choice::Offers(count) = offers else {
        return None;
    };
    if !OFFERS.contains(offers) {
        return None;
    }
    let Some(second) = choices.next() else {
        return choose(black, COLORS);
    };
    let black = Some(second)
        .filter(is_color)
        .map(|&color| black.black_by(color))?;
    match (choices.next(), stones) {
        (Some(_), _) => None,
        (None, 0..5) => Some(OpeningStep::Fifth {
            black,
            count: usize::from(count),
        }),
        (None, _) => Some(OpeningStep::Play { black }),
    }
}

/// The points where a stone of the side to move makes the same position as one on
/// `point`, turned or mirrored; `point` itself among them.
fn alike(position: &Position, point: Point) -> PointSet {
    let side = position.side();
    let stones = |color: Color| -> PointSet {
        let own = position.moves().filter(|stone| stone.0 == color);
        own.map(|(_, point)| point).collect()
    };
    let (own, other) = (stones(side), stones(side.opponent()));
    let mut with_stone = own;
    with_stone.insert(point);
    let size: BoardSize = position.size();
    let images = size.symmetries().filter_map(|symmetry| {
        let image = |points: &PointSet| -> PointSet {
            points
                .iter()
                .map(|point| symmetry.apply(size, point))
                .collect()
        };
        let added = image(&with_stone).difference(&own);
        (image(&other) == other && added.len() == 1).then_some(added)
    });
    images.fold(PointSet::EMPTY, |all, added| all.union(&added))
}

impl OpeningStep {
    /// The player who acts next if this many fifth stones were offered. `None` after the
    /// opening.
    pub const fn seat(self, offered: usize) -> Option<Seat> {
        match self {
            OpeningStep::Place { seat, .. } | OpeningStep::Choose { seat, .. } => Some(seat),
            OpeningStep::Fifth { black, count } if offered < count => Some(black),
            OpeningStep::Fifth { black, .. } => Some(black.other()),
            OpeningStep::Play { .. } => None,
        }
    }
}

impl Seat {
    /// The other player.
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// The player of the black stones if this player chooses a colour.
    fn black_by(self, color: Choice) -> Seat {
        match color {
            Choice::Black => self,
            _ => self.other(),
        }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of an opening rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown opening rule '{0}': expected free, swap1, swap2 or soosorv")]
pub struct ParseOpeningRuleError(String);

impl FromStr for OpeningRule {
    type Err = ParseOpeningRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OpeningRule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseOpeningRuleError(text.to_owned()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn choose(seat: Seat, options: &'static [Choice]) -> Result<OpeningStep, ChoiceError> {
        Ok(OpeningStep::Choose { seat, options })
    }

    fn place(seat: Seat, until: usize) -> Result<OpeningStep, ChoiceError> {
        Ok(OpeningStep::Place { seat, until })
    }

    fn play(black: Seat) -> Result<OpeningStep, ChoiceError> {
        Ok(OpeningStep::Play { black })
    }

    #[test]
    fn free_games_start_at_once() {
        assert_eq!(OpeningRule::Free.step(0, &[]), play(Seat::First));
        assert_eq!(OpeningRule::Free.step(9, &[]), play(Seat::First));
        assert!(OpeningRule::Free.step(0, &[Choice::Black]).is_err());
    }

    #[test]
    fn swap1_has_one_stone_and_one_choice() {
        let rule = OpeningRule::Swap1;
        assert_eq!(rule.step(0, &[]), place(Seat::First, 1));
        assert_eq!(rule.step(1, &[]), choose(Seat::Second, COLORS));
        assert_eq!(rule.step(1, &[Choice::Black]), play(Seat::Second));
        assert_eq!(rule.step(1, &[Choice::White]), play(Seat::First));
        assert!(rule.step(1, &[Choice::TwoStones]).is_err());
        assert!(rule.step(1, &[Choice::TwoStones, Choice::Black]).is_err());
    }

    #[test]
    fn swap2_leaves_the_last_choice_to_the_player_who_did_not_put_the_last_stones() {
        let rule = OpeningRule::Swap2;
        for stones in 0..3 {
            assert_eq!(rule.step(stones, &[]), place(Seat::First, 3));
        }
        assert_eq!(rule.step(3, &[]), choose(Seat::Second, COLORS_OR_STONES));
        assert_eq!(rule.step(3, &[Choice::Black]), play(Seat::Second));
        assert_eq!(rule.step(3, &[Choice::White]), play(Seat::First));
        let two = Choice::TwoStones;
        assert_eq!(rule.step(3, &[two]), place(Seat::Second, 5));
        assert_eq!(rule.step(4, &[two]), place(Seat::Second, 5));
        assert_eq!(rule.step(5, &[two]), choose(Seat::First, COLORS));
        assert_eq!(rule.step(5, &[two, Choice::Black]), play(Seat::First));
        assert_eq!(rule.step(5, &[two, Choice::White]), play(Seat::Second));
        assert!(rule.step(5, &[two, two]).is_err());
        assert!(rule.step(5, &[Choice::Black, Choice::Black]).is_err());
    }

    #[test]
    fn soosorv_lets_both_players_swap() {
        let rule = OpeningRule::Soosorv;
        let (black, white) = (Choice::Black, Choice::White);
        for stones in 0..3 {
            assert_eq!(rule.step(stones, &[]), place(Seat::First, 3));
        }
        assert_eq!(rule.step(3, &[]), choose(Seat::Second, COLORS));
        assert_eq!(rule.step(3, &[black]), place(Seat::First, 4));
        assert_eq!(rule.step(3, &[white]), place(Seat::Second, 4));
        assert_eq!(rule.step(4, &[white]), choose(Seat::Second, OFFERS));
        let three = Choice::Offers(3);
        assert_eq!(rule.step(4, &[white, three]), choose(Seat::First, COLORS));
        let fifth = |black| Ok(OpeningStep::Fifth { black, count: 3 });
        assert_eq!(rule.step(4, &[white, three, black]), fifth(Seat::First));
        assert_eq!(rule.step(4, &[white, three, white]), fifth(Seat::Second));
        assert_eq!(rule.step(5, &[white, three, white]), play(Seat::Second));
        assert_eq!(rule.step(9, &[black, three, white]), play(Seat::First));
        let step = rule.step(4, &[white, three, white]).unwrap();
        assert_eq!(step.seat(2), Some(Seat::Second), "black offers");
        assert_eq!(step.seat(3), Some(Seat::First), "white takes one");
        let wrong: [&[Choice]; 6] = [
            &[three],
            &[Choice::TwoStones],
            &[black, black],
            &[black, Choice::Offers(0)],
            &[black, Choice::Offers(9)],
            &[black, three, white, black],
        ];
        for choices in wrong {
            assert!(rule.step(4, choices).is_err(), "{choices:?}");
        }
    }

    /// The stones of a position as text, the least of all its images.
    fn canonical(size: BoardSize, stones: &[(Color, Point)]) -> String {
        let image = |symmetry: crate::rules::Symmetry| {
            let turned = |&(color, point): &(Color, Point)| {
                format!("{color}{:?} ", symmetry.apply(size, point))
            };
            let mut stones: Vec<String> = stones.iter().map(turned).collect();
            stones.sort();
            stones.concat()
        };
        size.symmetries().map(image).min().unwrap()
    }

    /// The three first stones make the 26 openings of renju, no more and no less.
    #[test]
    fn soosorv_begins_with_the_26_openings() {
        let (rule, size) = (OpeningRule::Soosorv, BoardSize::default());
        let step = rule.step(0, &[]).unwrap();
        let mut level = vec![Position::new(crate::rules::Rule::Renju, size)];
        for _ in 0..3 {
            let mut next = Vec::new();
            for position in level {
                for point in rule.allowed(&position, step, &[]).unwrap().iter() {
                    let mut position = position.clone();
                    position.play(point);
                    next.push(position);
                }
            }
            level = next;
        }
        let openings: std::collections::BTreeSet<String> = (level.iter())
            .map(|position| canonical(size, &position.moves().collect::<Vec<_>>()))
            .collect();
        assert_eq!(openings.len(), 26);
    }

    /// No two offers make the same position, turned or mirrored: compared with all
    /// positions written out.
    #[test]
    fn offers_are_not_alike() {
        let rule = OpeningRule::Soosorv;
        let choices = [Choice::Black, Choice::Offers(8), Choice::Black];
        let step = rule.step(4, &choices).unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        let mut symmetric = 0;
        for round in 0..60 {
            let size = BoardSize::new(7, [7, 7, 6][round % 3]).unwrap();
            let points: Vec<Point> = size.iter().collect();
            let mut position = Position::new(crate::rules::Rule::Renju, size);
            while position.ply() < 4 {
                // Symmetric positions among them.
                let point = match position.ply() {
                    2 | 3 if round % 2 == 0 => {
                        let symmetries: Vec<_> = size.symmetries().collect();
                        let before = position.recent(2).unwrap();
                        symmetries[random.usize(..symmetries.len())].apply(size, before)
                    }
                    _ => points[random.usize(..points.len())],
                };
                let point = if position.is_empty(point) {
                    point
                } else {
                    points[random.usize(..points.len())]
                };
                if position.is_empty(point) {
                    position.play(point);
                }
            }
            let after = |point: Point| {
                let stones = position.moves().chain([(Color::Black, point)]);
                canonical(size, &stones.collect::<Vec<_>>())
            };
            let mut offered: Vec<Point> = Vec::new();
            while offered.len() < 8 {
                let allowed = rule.allowed(&position, step, &offered).unwrap();
                let known: Vec<String> = offered.iter().map(|&point| after(point)).collect();
                let free = |point: &&Point| position.is_empty(**point);
                let expected: PointSet = (points.iter().filter(free).copied())
                    .filter(|&point| !known.contains(&after(point)))
                    .collect();
                assert_eq!(allowed, expected, "{} {offered:?}", position.move_text());
                symmetric += usize::from(position.empty_points() - allowed.len() > offered.len());
                let choice: Vec<Point> = allowed.iter().collect();
                offered.push(choice[random.usize(..choice.len())]);
            }
            let chosen = rule.allowed(&position, step, &offered).unwrap();
            assert_eq!(chosen, offered.iter().copied().collect());
        }
        assert!(symmetric > 20, "{symmetric}");
    }

    #[test]
    fn names_round_trip() {
        for rule in OpeningRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert!("swap3".parse::<OpeningRule>().is_err());
    }
}
