//! The swap2 opening between two engines: each is asked by SWAP2BOARD, as in
//! Gomocup's tournaments.

use super::config::GameConfig;
use super::fault::Interruption;
use super::player::{EnginePlayer, Swap2Answer, Timed};
use super::record::{SwapChoice, SwapMove};
use quincunx_engine::game::Opening;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::gomocup::Coordinates;
use quincunx_engine::rules::Point;

/// The result of a swap opening.
pub(super) struct SwappedOpening {
    /// The stones on the board.
    pub(super) opening: Opening,
    /// The seat that has black.
    pub(super) black: Seat,
    /// The first move of white, which comes with the choice of that colour.
    pub(super) first: Option<Timed<Coordinates>>,
}

/// A player has lost in the opening.
pub(super) struct OpeningLoss {
    pub(super) seat: Seat,
    pub(super) fault: OpeningFault,
}

/// The fault by which a player has lost in the opening.
pub(super) enum OpeningFault {
    /// The program misbehaved, or everything stops.
    Interrupted(Interruption),
    /// It put stones where they can't be, or another number of them.
    Illegal(String),
}

/// Plays the swap2 opening: the players put the stones and choose their colours. `told` gets their
/// choices in order.
pub(super) fn swap2(
    config: &GameConfig,
    players: &mut [&mut EnginePlayer<'_>; 2],
    steps: &mut Vec<SwapMove>,
) -> Result<SwappedOpening, OpeningLoss> {
    let mut opening = Opening::default();
    let mut choices = Vec::new();
    let mut first = None;
    loop {
        let stones = opening.points().len();
        let (seat, options) = match config.opening_rule.step(stones, &choices) {
            Ok(OpeningStep::Play { black }) => {
                return Ok(SwappedOpening {
                    opening,
                    black,
                    first,
                });
            }
            Ok(OpeningStep::Place { seat, .. }) => (seat, &[][..]),
            Ok(OpeningStep::Choose { seat, options }) => (seat, options),
            Ok(OpeningStep::Fifth { .. }) | Err(_) => {
                let why = format!("engines can't open by {}", config.opening_rule);
                return Err(illegal(Seat::First, why));
            }
        };
        let player = &mut players[index(seat)];
        let answer = player.ask_swap2(config, opening.points());
        let answer = answer.map_err(|interruption| OpeningLoss {
            seat,
            fault: OpeningFault::Interrupted(interruption),
        })?;
        let read = read_swap2(config, &opening, options, &answer.what);
        let (choice, placed) = read.map_err(|why| illegal(seat, why))?;
        let white = choice == Some(Choice::White);
        steps.push(SwapMove {
            engine: player.engine().name.clone(),
            chose: choice.and_then(SwapChoice::of),
            // White's first stone is a move of the game.
            stones: placed
                .iter()
                .filter(|_| !white)
                .map(Point::to_string)
                .collect(),
            ms: answer.milliseconds(),
        });
        if let (true, Swap2Answer::Stones(stones)) = (white, &answer.what) {
            first = stones.first().map(|&at| answer.with(at));
        } else {
            let points = [opening.points(), &placed].concat();
            let variant = config.variant;
            opening = Opening::new(variant.rule, variant.size, points)
                .map_err(|error| illegal(seat, error.to_string()))?;
        }
        choices.extend(choice);
    }
}

/// The place of a player among the two.
pub(super) const fn index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

fn illegal(seat: Seat, why: String) -> OpeningLoss {
    OpeningLoss {
        seat,
        fault: OpeningFault::Illegal(why),
    }
}

/// Returns a player's choice from `options` after an opening, and the stones it put. There are no
/// options for the first stones.
pub(super) fn read_swap2(
    config: &GameConfig,
    opening: &Opening,
    options: &[Choice],
    answer: &Swap2Answer,
) -> Result<(Option<Choice>, Vec<Point>), String> {
    let stones = match answer {
        Swap2Answer::Swap if options.contains(&Choice::Black) => {
            return Ok((Some(Choice::Black), Vec::new()));
        }
        Swap2Answer::Swap => return Err("SWAP before there are stones".into()),
        Swap2Answer::Stones(stones) => stones,
    };
    let choice = match stones.len() {
        3 if options.is_empty() => None,
        1 if options.contains(&Choice::White) => Some(Choice::White),
        2 if options.contains(&Choice::TwoStones) => Some(Choice::TwoStones),
        count => {
            let before = opening.points().len();
            return Err(format!("{count} stones after {before}"));
        }
    };
    let size = config.variant.size;
    let point = |at: &Coordinates| at.point(size).ok_or(format!("{at} is off the board"));
    let points = stones
        .iter()
        .map(point)
        .collect::<Result<Vec<Point>, _>>()?;
    Ok((choice, points))
}
