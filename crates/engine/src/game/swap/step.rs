//! The next step of an opening, and the points that it allows.

use super::choice::{Choice, Seat};
use super::rules::{OpeningRule, Region, Stage};
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet};

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
        /// The region of the next stone.
        region: Region,
        /// True if a swap can follow, so that the stones should favour neither colour.
        swap_follows: bool,
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

impl OpeningRule {
    /// The next step with this number of stones on the board and these choices made.
    ///
    /// # Errors
    /// When one of the choices was not possible.
    pub fn step(self, stones: usize, choices: &[Choice]) -> Result<OpeningStep, ChoiceError> {
        let error = ChoiceError { rule: self };
        let mut black = Seat::First;
        let mut announced = 0;
        let mut placed = 0;
        let mut choices = choices.iter();
        let mut stages = self.stages();
        while let Some((stage, later)) = stages.split_first() {
            stages = later;
            let is_next = choices.as_slice().is_empty();
            match *stage {
                Stage::Place(actor, until, region) => {
                    if is_next && stones < until {
                        return Ok(OpeningStep::Place {
                            seat: actor.seat(black, placed),
                            until,
                            region,
                            swap_follows: Stage::have_swap(later),
                        });
                    }
                    placed = until;
                }
                Stage::Choose(actor, options, branches) => {
                    let seat = actor.seat(black, placed);
                    let Some(&choice) = choices.next() else {
                        return Ok(OpeningStep::Choose { seat, options });
                    };
                    if !options.contains(&choice) {
                        return Err(error);
                    }
                    match choice {
                        Choice::Black => black = seat,
                        Choice::White => black = seat.other(),
                        Choice::Offers(count) => announced = usize::from(count),
                        Choice::TwoStones => {}
                    }
                    let branch = branches.iter().find(|(option, _)| *option == choice);
                    stages = branch.map_or(later, |(_, stages)| stages);
                }
                Stage::Fifth(fixed) if is_next && stones < 5 => {
                    let count = fixed.unwrap_or(announced);
                    return Ok(OpeningStep::Fifth { black, count });
                }
                Stage::Fifth(_) => {}
            }
        }
        match choices.next() {
            Some(_) => Err(error),
            None => Ok(OpeningStep::Play { black }),
        }
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
    /// The points where the next stone of the opening, or the next offered one, may be
    /// placed. `None` if every point is allowed. `position` has only the stones of the
    /// opening, and `offered` are the fifth stones offered so far.
    pub fn allowed(self, position: &Position, offered: &[Point]) -> Option<PointSet> {
        let empty = position.board().difference(position.occupied());
        match self {
            OpeningStep::Place { region, .. } => region.points(position),
            OpeningStep::Fifth { count, .. } if offered.len() < count => {
                let alike = offered.iter().map(|&point| alike(position, point));
                Some(alike.fold(empty, |rest, alike| rest.difference(&alike)))
            }
            OpeningStep::Fifth { .. } => Some(offered.iter().copied().collect()),
            _ => None,
        }
    }

    /// The seat that acts next if this many fifth stones were offered, with `side` to move.
    pub const fn seat(self, offered: usize, side: Color) -> Seat {
        match self {
            OpeningStep::Place { seat, .. } | OpeningStep::Choose { seat, .. } => seat,
            OpeningStep::Fifth { black, count } if offered < count => black,
            OpeningStep::Fifth { black, .. } => black.other(),
            OpeningStep::Play { black } => match side {
                Color::Black => black,
                Color::White => black.other(),
            },
        }
    }
}
