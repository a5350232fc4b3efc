//! One game between two players, from the opening to its record.

use super::openings::Opening;
use super::player::{Answer, Fault, Interruption, Player, Table};
use super::record::{Game, Move, Reason, Winner};
use super::referee::{Referee, Verdict};
use crate::rules::Color;
use std::time::{SystemTime, UNIX_EPOCH};

/// What makes a game this game and no other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup<'run> {
    pub(super) number: usize,
    pub(super) opening: &'run Opening,
    pub(super) table: &'run Table,
    pub(super) draw_after: Option<usize>,
}

/// The whole run is being stopped; there is no result.
#[derive(Debug)]
pub(super) struct Stopped;

/// How a game ended.
struct Ending {
    winner: Winner,
    reason: Reason,
    detail: String,
}

/// Plays a game; `players` are black and white. Programs that misbehave lose
/// and are killed.
pub(super) fn play(setup: &Setup<'_>, players: [&mut Player<'_>; 2]) -> Result<Game, Stopped> {
    let started = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs());
    let names = [0, 1].map(|i: usize| players[i].entrant().name.clone());
    let mut moves = Vec::new();
    let ending = match run(setup, players, &mut moves) {
        Ok(ending) => ending,
        Err(Stopped) => return Err(Stopped),
    };
    let [black, white] = names;
    Ok(Game {
        number: setup.number,
        black,
        white,
        opening: setup.opening.to_string(),
        moves,
        winner: ending.winner,
        reason: ending.reason,
        detail: ending.detail,
        started,
    })
}

fn run(
    setup: &Setup<'_>,
    mut players: [&mut Player<'_>; 2],
    moves: &mut Vec<Move>,
) -> Result<Ending, Stopped> {
    let table = setup.table;
    for color in Color::ALL {
        let player = &mut players[color.index()];
        if let Err(interruption) = player.new_game(table) {
            return blame(interruption, color, player);
        }
    }
    let mut referee = Referee::new(table.rule, table.size, setup.opening, setup.draw_after);
    while !referee.is_drawn() {
        let color = referee.side();
        let player = &mut players[color.index()];
        let answer = match player.ask(table, color, &mut referee.stones()) {
            Ok(answer) => answer,
            Err(interruption) => return blame(interruption, color, player),
        };
        let verdict = referee.play(answer.at);
        let ending = judge(verdict, color, &answer);
        if !matches!(verdict, Verdict::Taken | Verdict::OffBoard) {
            let point = referee.stones().next_back().map(|(_, point)| point);
            moves.extend(point.map(|point| Move {
                point: point.to_string(),
                ms: (answer.used.as_secs_f64() * 1e6).round() / 1e3,
                eval: answer.evaluation,
                message: answer.message,
            }));
        }
        if let Some(ending) = ending {
            return Ok(ending);
        }
    }
    Ok(Ending {
        winner: Winner::Draw,
        reason: Reason::Draw,
        detail: String::new(),
    })
}

/// What the referee's verdict on a move of `color` means for the game.
fn judge(verdict: Verdict, color: Color, answer: &Answer) -> Option<Ending> {
    let lost = |reason, detail| {
        Some(Ending {
            winner: Winner::from_color(color.opponent()),
            reason,
            detail,
        })
    };
    let place = answer.at;
    match verdict {
        Verdict::Continue => None,
        Verdict::Five => Some(Ending {
            winner: Winner::from_color(color),
            reason: Reason::Five,
            detail: String::new(),
        }),
        Verdict::Draw => Some(Ending {
            winner: Winner::Draw,
            reason: Reason::Draw,
            detail: String::new(),
        }),
        Verdict::Foul(kind) => lost(Reason::Forbidden, kind.to_string()),
        Verdict::Taken => lost(Reason::Illegal, format!("{place} is taken")),
        Verdict::OffBoard => lost(Reason::Illegal, format!("{place} is off the board")),
    }
}

/// The player of `color` has lost by its own fault, unless everything stops.
/// What state its program is in nobody knows, so it goes.
fn blame(
    interruption: Interruption,
    color: Color,
    player: &mut Player<'_>,
) -> Result<Ending, Stopped> {
    let fault = match interruption {
        Interruption::Stopped => return Err(Stopped),
        Interruption::Fault(fault) => fault,
    };
    player.kill();
    let (reason, detail) = match fault {
        Fault::Crash(detail) => (Reason::Crash, detail),
        Fault::Hang(detail) => (Reason::Hang, detail),
        Fault::Refused(detail) => (Reason::Refused, detail),
        Fault::Time => (Reason::Time, String::new()),
        Fault::Flood => (Reason::Flood, String::new()),
        Fault::Memory(used) => (Reason::Memory, format!("{} MiB", used >> 20)),
    };
    Ok(Ending {
        winner: Winner::from_color(color.opponent()),
        reason,
        detail,
    })
}
