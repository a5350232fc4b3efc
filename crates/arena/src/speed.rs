//! How fast a machine is for an engine: nodes a second by the protocol, while as many of its
//! processes search at once as games are played at a time.
//!
//! Times of a match that are meant for one machine are multiplied by what makes as many nodes of
//! them on another, so that figures of machines that differ compare.

use super::config::{GameConfig, Variant};
use super::fault::{Interruption, StartError, fault_words};
use super::platform::{allow_open_files, pin};
use super::player::EnginePlayer;
use super::tournament::Tournament;
use super::watchdog::MemoryWatchdog;
use quincunx_engine::game::TimeControl;
use quincunx_engine::rules::{Color, Point};
use quincunx_runs::StopSignal;
use std::sync::Barrier;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

/// The times of the warm-up search and of the measured search.
const SEARCHES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// The time beyond that of a search after which an engine has failed. Whether its answer comes in
/// time is not measured.
const TOLERANCE: Duration = Duration::from_secs(60);

/// The shortest time over which nodes give the speed.
const SHORTEST: Duration = Duration::from_millis(100);

/// The stones that are searched from, from the middle of the board: nothing is decided.
const STONES: [(i32, i32); 4] = [(0, 0), (1, 1), (-1, 2), (2, -1)];

/// Times are multiplied by no more than this, and divided by no more.
const MOST: f64 = 20.0;

/// A speed that can't be measured, or is none to scale times by.
#[derive(Debug, thiserror::Error)]
pub enum SpeedError {
    /// The program can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine misbehaved.
    #[error("{0} failed while its speed was measured: {1}")]
    Fault(String, String),
    /// The engine reports too few nodes.
    #[error(
        "the speed of {0} can't be measured: in a search of 2 s it says no nodes, or only at its \
         beginning"
    )]
    NoNodes(String),
    /// A speed far from the one that times are meant for.
    #[error(
        "{engine} searches {speed:.0} nodes a second here, so that times would be multiplied by \
         {factor:.3}: only 1/{MOST} to {MOST} is sensible"
    )]
    Far {
        /// The engine.
        engine: String,
        /// Nodes a second.
        speed: f64,
        /// The factor by which times would be multiplied.
        factor: f64,
    },
    /// The measurement was stopped.
    #[error("interrupted")]
    Stopped,
}

/// The mean speed of so many processes of the first engine, in nodes a second. It has to be one
/// by which times that are meant for `meant` nodes a second can be scaled.
///
/// # Errors
/// Returns an error when the engine can't be started, misbehaves or does not say its nodes, or is much too fast or
/// slow.
pub fn measure(
    tournament: &Tournament,
    processes: usize,
    meant: u64,
    stop: &StopSignal,
) -> Result<f64, SpeedError> {
    allow_open_files();
    let together = Barrier::new(processes);
    let speeds: Vec<Result<f64, SpeedError>> = thread::scope(|scope| {
        let start = |worker| {
            let together = &together;
            scope.spawn(move || measure_one(tournament, worker, together, stop))
        };
        let workers: Vec<_> = (0..processes).map(start).collect();
        let join = |worker: ScopedJoinHandle<'_, _>| worker.join();
        let joined = workers.into_iter().map(join);
        joined
            .map(|speed| speed.unwrap_or(Err(SpeedError::Stopped)))
            .collect()
    });
    let speeds = speeds.into_iter().collect::<Result<Vec<f64>, _>>()?;
    let speed = speeds.iter().sum::<f64>() / speeds.len() as f64;
    let factor = factor(meant, speed);
    if !(1.0 / MOST..=MOST).contains(&factor) {
        let engine = tournament.engines[0].name.clone();
        return Err(SpeedError::Far {
            engine,
            speed,
            factor,
        });
    }
    Ok(speed)
}

/// The speed of one process.
fn measure_one(
    tournament: &Tournament,
    worker: usize,
    together: &Barrier,
    stop: &StopSignal,
) -> Result<f64, SpeedError> {
    if tournament.pin {
        pin(worker);
    }
    let mut engine = tournament.engines[0].clone();
    engine.limits.time = TimeControl::default();
    (engine.limits.nodes, engine.limits.depth) = (None, None);
    engine.limits.tolerance = TOLERANCE;
    let watchdog = MemoryWatchdog::default();
    let mut player = EnginePlayer::new(&engine, stop.receiver(), &watchdog);
    let mut speed = Ok(None);
    for time in SEARCHES {
        // One that has failed does not keep the others waiting.
        together.wait();
        if speed.is_ok() {
            speed = search(&mut player, &tournament.game, time);
        }
    }
    player.dismiss();
    let name = || engine.name.clone();
    match speed {
        Ok(speed) => speed.ok_or_else(|| SpeedError::NoNodes(name())),
        Err(Interruption::Fault(fault)) => {
            let (reason, detail) = fault_words(fault);
            Err(SpeedError::Fault(name(), reason.with_detail(&detail)))
        }
        Err(Interruption::NoStart(error)) => Err(error.into()),
        Err(Interruption::Stopped) => Err(SpeedError::Stopped),
    }
}

/// A search of the position for so long; its speed, if the engine tells it.
fn search(
    player: &mut EnginePlayer<'_>,
    game: &GameConfig,
    time: Duration,
) -> Result<Option<f64>, Interruption> {
    player.new_game(game.variant)?;
    player.set_time(TimeControl {
        turn: Some(time),
        ..TimeControl::default()
    });
    let mut stones = position(game.variant).into_iter();
    let answer = player.ask(game, Color::Black, &mut stones)?;
    let measured = answer.nodes.filter(|&(_, used)| used >= SHORTEST);
    Ok(measured.map(|(nodes, used)| nodes / used.as_secs_f64()))
}

/// The position that is searched, black to move.
fn position(variant: Variant) -> Vec<(Color, Point)> {
    let size = variant.size;
    let middle = [size.width(), size.height()].map(|length| length as i32 / 2);
    let point = |(x, y)| Point::new((middle[0] + x) as usize, (middle[1] + y) as usize);
    let colors = Color::ALL.into_iter().cycle();
    colors.zip(STONES.map(point)).collect()
}

/// Returns the factor for times that are meant for `meant` nodes a second on a machine with
/// `speed`.
pub fn factor(meant: u64, speed: f64) -> f64 {
    meant as f64 / speed
}

/// The speed and the factor in words.
pub fn words(meant: u64, speed: f64) -> String {
    let factor = factor(meant, speed);
    format!("{speed:.0} nodes a second, not {meant}: times multiplied by {factor:.3}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::game::{Game, Opening};
    use quincunx_engine::rules::{BoardSize, Rule};

    /// The position is one of every rule and board, and no game is over in it.
    #[test]
    fn the_position_is_on_every_board() {
        for rule in Rule::ALL {
            for (width, height) in [(5, 5), (6, 5), (15, 15), (22, 22)] {
                let size = BoardSize::new(width, height).unwrap();
                let stones = position(Variant { rule, size });
                let points = stones.iter().map(|&(_, point)| point).collect();
                let opening = Opening::new(rule, size, points).unwrap();
                let game = Game::from_opening(rule, size, &opening);
                assert!(game.result().is_none() && game.side() == Color::Black);
            }
        }
    }
}
