//! Opening rules: who puts the first stones, and who then chooses the colour.
//!
//! A rule is data: [`OpeningRule::step`] says what comes next, given the number
//! of stones and the choices made so far.

use std::fmt;
use std::str::FromStr;

/// How the players share out the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningRule {
    /// The first player has black from the first stone on.
    #[default]
    Free,
    /// The first player puts one stone, the second chooses a colour.
    Swap1,
    /// The first player puts three stones. The second chooses a colour, or puts
    /// two more and leaves the choice to the first.
    Swap2,
}

/// A player before it is settled who has which colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who puts the first stone.
    First,
    /// The other player.
    Second,
}

/// What a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// To have the black stones.
    Black,
    /// To have the white stones.
    White,
    /// To put two more stones and let the other player choose.
    TwoStones,
}

/// What comes next in an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningStep {
    /// The player puts stones of both colours in turn, black first, until so
    /// many stand on the board.
    Place {
        /// The player.
        seat: Seat,
        /// The number of stones afterwards.
        until: usize,
    },
    /// The player chooses one of these.
    Choose {
        /// The player.
        seat: Seat,
        /// What there is to choose from.
        options: &'static [Choice],
    },
    /// The opening is over: the colours are settled, and whoever is to move by
    /// the number of stones moves.
    Play {
        /// The player of the black stones.
        black: Seat,
    },
}

/// The choices are not ones that the rule offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule} does not offer this choice")]
pub struct ChoiceError {
    /// The rule.
    pub rule: OpeningRule,
}

/// The last choice is always one of colours.
const COLORS: &[Choice] = &[Choice::Black, Choice::White];
const COLORS_OR_STONES: &[Choice] = &[Choice::Black, Choice::White, Choice::TwoStones];

impl OpeningRule {
    /// Every opening rule.
    pub const ALL: [OpeningRule; 3] = [OpeningRule::Free, OpeningRule::Swap1, OpeningRule::Swap2];

    /// The rule's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Free => "free",
            OpeningRule::Swap1 => "swap1",
            OpeningRule::Swap2 => "swap2",
        }
    }

    /// What comes next with this number of stones on the board and these choices made.
    ///
    /// # Errors
    /// When one of the choices was not on offer.
    pub fn step(self, stones: usize, choices: &[Choice]) -> Result<OpeningStep, ChoiceError> {
        let placed = match self {
            OpeningRule::Free => 0,
            OpeningRule::Swap1 => 1,
            OpeningRule::Swap2 => 3,
        };
        let offer = match self {
            OpeningRule::Swap2 => COLORS_OR_STONES,
            _ => COLORS,
        };
        let error = Err(ChoiceError { rule: self });
        let seat = Seat::First;
        if self == OpeningRule::Free {
            return match choices {
                [] => Ok(OpeningStep::Play { black: seat }),
                _ => error,
            };
        }
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
            [color] => Ok(seat.other().with(color)),
            [Choice::TwoStones, color] if offer.len() > 2 && COLORS.contains(&color) => {
                Ok(seat.with(color))
            }
            _ => error,
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

    /// The game after this player took a colour.
    fn with(self, color: Choice) -> OpeningStep {
        let black = match color {
            Choice::Black => self,
            _ => self.other(),
        };
        OpeningStep::Play { black }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no opening rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown opening rule '{0}': expected free, swap1 or swap2")]
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
    fn swap2_leaves_the_last_choice_to_whoever_did_not_put_the_last_stones() {
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
    fn names_round_trip() {
        for rule in OpeningRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        assert!("swap3".parse::<OpeningRule>().is_err());
    }
}
