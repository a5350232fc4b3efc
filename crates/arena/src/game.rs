//! One game between two engines, from the opening to its record.

use super::adjudicate::Adjudicator;
use super::config::GameConfig;
use super::fault::{EngineFault, Interruption, StartError, fault_words};
use super::player::{EnginePlayer, Timed, milliseconds};
use super::record::{MatchGame, MatchMove, Reason, SwapMove};
use super::swap::{self, OpeningFault, OpeningLoss, swap2};
use quincunx_engine::game::swap::{OpeningRule, Seat};
use quincunx_engine::game::{Game, GameResult, MoveError, Opening, Termination};
use quincunx_engine::gomocup::Coordinates;
use quincunx_engine::rules::{Color, Point};
use std::time::{SystemTime, UNIX_EPOCH};

/// The setup of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSetup<'run> {
    pub(super) number: usize,
    pub(super) opening: &'run Opening,
    pub(super) config: &'run GameConfig,
}

/// A game that has no result.
#[derive(Debug)]
pub(super) enum AbortedGame {
    /// The whole match is being stopped.
    Stopped,
    /// A program can't be started.
    NoStart(StartError),
}

/// The end of a game.
struct Ending {
    winner: Option<Color>,
    reason: Reason,
    detail: String,
    late_ms: Option<f64>,
}

impl Ending {
    /// The engine of `color` lost by its own fault.
    fn loss(color: Color, reason: Reason, detail: String) -> Ending {
        Ending {
            winner: Some(color.opponent()),
            reason,
            detail,
            late_ms: None,
        }
    }
}

/// Plays a game. `players` are black and white, or with an opening rule the one who opens and the
/// other. A program that fails loses and is killed. One that makes an illegal move loses and stays
/// for the next game.
pub(super) fn play(
    setup: &GameSetup<'_>,
    mut players: [&mut EnginePlayer<'_>; 2],
) -> Result<MatchGame, AbortedGame> {
    let started = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    let mut log = GameLog {
        opening: setup.opening.to_string(),
        ..GameLog::default()
    };
    let ending = run(setup, &mut players, &mut log)?;
    let [black, white] = players.map(|player| player.engine().name.clone());
    Ok(MatchGame {
        number: setup.number,
        black,
        white,
        opening: log.opening,
        swap: log.swap,
        moves: log.moves,
        winner: ending.winner,
        reason: ending.reason,
        detail: ending.detail,
        late_ms: ending.late_ms,
        started,
    })
}

/// The log of a game, for its record.
#[derive(Default)]
struct GameLog {
    opening: String,
    swap: Vec<SwapMove>,
    moves: Vec<MatchMove>,
}

/// Plays a game. `players` are black and white at its end.
fn run(
    setup: &GameSetup<'_>,
    players: &mut [&mut EnginePlayer<'_>; 2],
    log: &mut GameLog,
) -> Result<Ending, AbortedGame> {
    let config = setup.config;
    let variant = config.variant;
    for color in Color::ALL {
        let player = &mut players[color.index()];
        if let Err(interruption) = player.new_game(variant) {
            return blame(interruption, color, player);
        }
    }
    let mut opening = setup.opening.clone();
    let mut first = None;
    if config.opening_rule != OpeningRule::Free {
        let swapped = match swap2(config, players, &mut log.swap) {
            Ok(swapped) => swapped,
            Err(loss) => return lose_opening(loss, players),
        };
        if swapped.black == Seat::Second {
            players.swap(0, 1);
        }
        (opening, first) = (swapped.opening, swapped.first);
        log.opening = opening.to_string();
    }
    let mut game = Game::from_opening(variant.rule, variant.size, &opening);
    if let Some(stones) = config.move_limit {
        game = game.with_move_limit(stones);
    }
    let mut adjudicator = Adjudicator::new(config.adjudication);
    loop {
        if let Some(result) = game.result() {
            return Ok(ending(result));
        }
        if let Some((winner, detail)) = adjudicator.verdict(game.ply()) {
            let reason = Reason::Adjudication;
            return Ok(Ending {
                winner,
                reason,
                detail,
                late_ms: None,
            });
        }
        let color = game.side();
        let player = &mut players[color.index()];
        let asked = first.take().map_or_else(
            || player.ask(config, color, &mut game.position().moves()),
            Ok,
        );
        let answer = match asked {
            Ok(answer) => answer,
            Err(interruption) => return blame(interruption, color, player),
        };
        adjudicator.add(color, answer.evaluation.as_deref());
        // The board has no point that stands for a pass, so this is off it.
        let point = answer.what.point(variant.size).unwrap_or(Point::NONE);
        match game.play_or_lose(point) {
            Ok(()) | Err(MoveError::Forbidden(..)) => log.moves.push(recorded(point, answer)),
            Err(error) => {
                let why = match error {
                    MoveError::Taken(_) => "taken",
                    _ => "off the board",
                };
                let detail = format!("{} is {why}", answer.what);
                return Ok(Ending::loss(color, Reason::Illegal, detail));
            }
        }
    }
}

/// A player lost before the colours were settled: the player who opened has black then.
fn lose_opening(
    loss: OpeningLoss,
    players: &mut [&mut EnginePlayer<'_>; 2],
) -> Result<Ending, AbortedGame> {
    let seat = swap::index(loss.seat);
    let color = Color::ALL[seat];
    match loss.fault {
        OpeningFault::Interrupted(interruption) => blame(interruption, color, players[seat]),
        OpeningFault::Illegal(why) => Ok(Ending::loss(color, Reason::Illegal, why)),
    }
}

fn recorded(point: Point, answer: Timed<Coordinates>) -> MatchMove {
    MatchMove {
        point: point.to_string(),
        ms: answer.milliseconds(),
        eval: answer.evaluation,
        message: answer.message,
    }
}

/// Returns the end of a game that ended on the board.
fn ending(result: GameResult) -> Ending {
    let (reason, detail) = match result.termination {
        Termination::Five => (Reason::Five, String::new()),
        Termination::Forbidden(kind) => (Reason::Forbidden, kind.to_string()),
        _ => (Reason::Draw, String::new()),
    };
    Ending {
        winner: result.winner,
        reason,
        detail,
        late_ms: None,
    }
}

/// The player of `color` has lost by its own fault, unless it could not be started.
/// The state of its program is unknown, so it is ended.
fn blame(
    interruption: Interruption,
    color: Color,
    player: &mut EnginePlayer<'_>,
) -> Result<Ending, AbortedGame> {
    let fault = match interruption {
        Interruption::Stopped => return Err(AbortedGame::Stopped),
        Interruption::NoStart(error) => return Err(AbortedGame::NoStart(error)),
        Interruption::Fault(fault) => fault,
    };
    player.kill();
    let late_ms = match fault {
        EngineFault::Time { used, .. } => Some(milliseconds(used)),
        _ => None,
    };
    let (reason, detail) = fault_words(fault);
    Ok(Ending {
        late_ms,
        ..Ending::loss(color, reason, detail)
    })
}
