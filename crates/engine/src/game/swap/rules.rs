//! The opening rules, each declared as a list of stages.

use super::choice::{Choice, Seat};
use crate::position::Position;
use crate::rules::{Point, PointSet};
use std::fmt;
use std::str::FromStr;

/// The rule by which the first stones are placed and the players get their colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum OpeningRule {
    /// The first player plays black from the first stone on.
    #[default]
    Free,
    /// The first player places one stone, the second chooses a colour.
    Swap1,
    /// The first player places three stones. The second chooses a colour, or places
    /// two more and leaves the choice to the first.
    Swap2,
    /// Black's first stone is in the centre, and the second one outside the central 5x5
    /// points. There is no swap.
    Pro,
    /// Pro with the central 7x7 points.
    LongPro,
    /// The first player places one of the 26 openings of renju, and the second chooses a
    /// colour. Black offers two stones for the fifth move, and white places one of them.
    Rif,
    /// The first player places one of the 26 openings and announces how many fifth stones
    /// black has to offer. The second chooses a colour. White places one of the fifth
    /// stones that black offers.
    Yamaguchi,
    /// The first player places one of the 26 openings, and the second chooses a colour.
    /// White places the fourth stone and announces how many fifth stones black has to
    /// offer, from one to eight. Black may then swap. White places one of the fifth stones
    /// that black offers. Renju's world championships use this rule.
    Soosorv,
    /// The first five stones are placed in turn, in the centre and in its central 3x3, 5x5,
    /// 7x7 and 9x9 points. After each of them the other player may swap.
    Tarannikov,
    /// The first four stones are placed in turn as under Tarannikov. Without a swap after
    /// the fourth, black may offer ten fifth stones anywhere instead of placing the fifth
    /// inside the central 9x9 points, which the other player may answer by a swap.
    Taraguchi,
}

/// The region of a stone of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The whole board.
    Board,
    /// The central square that grows with the stones: the centre for the first, 3x3 points
    /// for the second, 5x5 for the third.
    Nested,
    /// The points at a greater distance from the centre. The whole board if it is too small.
    Outside(usize),
}

impl Region {
    /// The empty points of the region of the next stone, or `None` for the whole board.
    pub(super) fn points(self, position: &Position) -> Option<PointSet> {
        let centre = position.size().centre();
        let empty = position.board().difference(position.occupied());
        let is_inside = |point: &Point| match self {
            Region::Board => true,
            Region::Nested => point.distance(centre) <= position.ply(),
            Region::Outside(square) => point.distance(centre) > square,
        };
        let points: PointSet = empty.iter().filter(is_inside).collect();
        (self != Region::Board && !points.is_empty()).then_some(points)
    }
}

/// The player of a stage.
#[derive(Clone, Copy, Debug)]
pub(super) enum Actor {
    /// The player who places the first stone.
    First,
    /// The other player.
    Second,
    /// The player to move by the present colours, which a swap may still exchange.
    Mover,
    /// The opponent of that player.
    Waiting,
}

impl Actor {
    /// The player's seat with this owner of the black stones, after this number of stones.
    pub(super) fn seat(self, black: Seat, stones: usize) -> Seat {
        let mover = match stones.is_multiple_of(2) {
            true => black,
            false => black.other(),
        };
        match self {
            Actor::First => Seat::First,
            Actor::Second => Seat::Second,
            Actor::Mover => mover,
            Actor::Waiting => mover.other(),
        }
    }
}

/// A stage of an opening rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    /// The player places stones of both colours in turn up to a number of them.
    Place(Actor, usize, Region),
    /// The player makes one of these choices. A choice with stages of its own replaces the
    /// remaining stages.
    Choose(
        Actor,
        &'static [Choice],
        &'static [(Choice, &'static [Stage])],
    ),
    /// Black offers this many stones for the fifth move, or as many as were announced, and
    /// white places one of them.
    Fifth(Option<usize>),
}

impl Stage {
    /// Returns true if one of these stages is a swap.
    pub(super) fn have_swap(stages: &[Stage]) -> bool {
        let is_color = |stage: &Stage| matches!(stage, Stage::Choose(_, options, _) if options.contains(&Choice::Black));
        stages.iter().any(is_color)
    }
}

/// A choice of colours.
pub(super) const COLORS: &[Choice] = &[Choice::Black, Choice::White];
pub(super) const COLORS_OR_STONES: &[Choice] = &[Choice::Black, Choice::White, Choice::TwoStones];
pub(super) const OFFERS: &[Choice] = &[
    Choice::Offers(1),
    Choice::Offers(2),
    Choice::Offers(3),
    Choice::Offers(4),
    Choice::Offers(5),
    Choice::Offers(6),
    Choice::Offers(7),
    Choice::Offers(8),
];
/// One fifth stone near the centre, or ten anywhere.
pub(super) const ONE_OR_TEN: &[Choice] = &[Choice::Offers(1), Choice::Offers(10)];

/// One of the 26 openings of renju, placed by the first player.
const OPENING: Stage = Stage::Place(Actor::First, 3, Region::Nested);
/// A stone anywhere, by the player of its colour.
const FOURTH: Stage = Stage::Place(Actor::Mover, 4, Region::Board);
/// The player to move chooses a colour.
const SWAP: Stage = Stage::Choose(Actor::Mover, COLORS, &[]);
/// A fifth stone near the centre, after which the other player may swap.
const FIFTH_IN_TURN: &[Stage] = &[nested(5), SWAP];

/// A stone inside the growing square, by the player of its colour.
const fn nested(stones: usize) -> Stage {
    Stage::Place(Actor::Mover, stones, Region::Nested)
}

/// The stages of pro, with the maximum distance of the central square's points from the centre.
const fn pro(square: usize) -> [Stage; 3] {
    let second = Stage::Place(Actor::Mover, 2, Region::Board);
    let third = Stage::Place(Actor::Mover, 3, Region::Outside(square));
    [nested(1), second, third]
}

impl OpeningRule {
    /// Every opening rule.
    pub const ALL: [OpeningRule; 10] = [
        OpeningRule::Free,
        OpeningRule::Swap1,
        OpeningRule::Swap2,
        OpeningRule::Pro,
        OpeningRule::LongPro,
        OpeningRule::Rif,
        OpeningRule::Yamaguchi,
        OpeningRule::Soosorv,
        OpeningRule::Tarannikov,
        OpeningRule::Taraguchi,
    ];

    /// The rule's name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            OpeningRule::Free => "free",
            OpeningRule::Swap1 => "swap1",
            OpeningRule::Swap2 => "swap2",
            OpeningRule::Pro => "pro",
            OpeningRule::LongPro => "long-pro",
            OpeningRule::Rif => "rif",
            OpeningRule::Yamaguchi => "yamaguchi",
            OpeningRule::Soosorv => "soosorv",
            OpeningRule::Tarannikov => "tarannikov",
            OpeningRule::Taraguchi => "taraguchi",
        }
    }

    pub(super) const fn stages(self) -> &'static [Stage] {
        use Stage::{Choose, Fifth, Place};
        match self {
            OpeningRule::Free => &[],
            OpeningRule::Swap1 => &const { [Place(Actor::First, 1, Region::Board), SWAP] },
            OpeningRule::Swap2 => {
                const TWO_STONES: &[Stage] = &[
                    Place(Actor::Second, 5, Region::Board),
                    Choose(Actor::First, COLORS, &[]),
                ];
                &[
                    Place(Actor::First, 3, Region::Board),
                    Choose(
                        Actor::Second,
                        COLORS_OR_STONES,
                        &[(Choice::TwoStones, TWO_STONES)],
                    ),
                ]
            }
            OpeningRule::Pro => &const { pro(2) },
            OpeningRule::LongPro => &const { pro(3) },
            OpeningRule::Rif => &[OPENING, SWAP, FOURTH, Fifth(Some(2))],
            OpeningRule::Yamaguchi => &[
                OPENING,
                Choose(Actor::First, OFFERS, &[]),
                SWAP,
                FOURTH,
                Fifth(None),
            ],
            OpeningRule::Soosorv => &[
                OPENING,
                SWAP,
                FOURTH,
                Choose(Actor::Waiting, OFFERS, &[]),
                SWAP,
                Fifth(None),
            ],
            OpeningRule::Tarannikov => {
                const STAGES: &[Stage] = &[
                    nested(1),
                    SWAP,
                    nested(2),
                    SWAP,
                    nested(3),
                    SWAP,
                    nested(4),
                    SWAP,
                    nested(5),
                    SWAP,
                ];
                STAGES
            }
            OpeningRule::Taraguchi => {
                const STAGES: &[Stage] = &[
                    nested(1),
                    SWAP,
                    nested(2),
                    SWAP,
                    nested(3),
                    SWAP,
                    nested(4),
                    // Black, who is to move, swaps by choosing white.
                    Choose(Actor::Mover, COLORS, &[(Choice::White, FIFTH_IN_TURN)]),
                    Choose(
                        Actor::Mover,
                        ONE_OR_TEN,
                        &[(Choice::Offers(1), FIFTH_IN_TURN)],
                    ),
                    Fifth(None),
                ];
                STAGES
            }
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
#[error("unknown opening rule '{0}': expected {names}", names = names())]
pub struct ParseOpeningRuleError(String);

/// The names of all rules, as a sentence lists them.
fn names() -> String {
    let [first @ .., last] = OpeningRule::ALL.map(OpeningRule::name);
    format!("{} or {last}", first.join(", "))
}

impl FromStr for OpeningRule {
    type Err = ParseOpeningRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OpeningRule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseOpeningRuleError(text.to_owned()))
    }
}
