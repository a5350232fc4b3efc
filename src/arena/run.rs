//! A whole run: workers that play pairs of games, and one collector that
//! hears of every game as it ends.

use super::game::{Setup, play};
use super::openings::Opening;
use super::player::{Entrant, Player, Table};
use super::record::Game;
use super::schedule::Schedule;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that decides what is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// Rule and board.
    pub table: Table,
    /// The openings the schedule speaks of.
    pub openings: Vec<Opening>,
    /// Who meets whom from where.
    pub schedule: Schedule,
    /// Games with so many stones are drawn.
    pub draw_after: Option<usize>,
    /// Start every program anew for every game.
    pub restart: bool,
}

/// Stops a run from any thread, at once and for good.
#[derive(Clone)]
pub struct Stop {
    hold: Arc<Mutex<Option<Sender<()>>>>,
    heard: Receiver<()>,
}

impl Default for Stop {
    fn default() -> Self {
        let (hold, heard) = bounded(0);
        Stop {
            hold: Arc::new(Mutex::new(Some(hold))),
            heard,
        }
    }
}

impl Stop {
    /// Stops. Games in progress are dropped, programs are killed.
    pub fn now(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether somebody has stopped the run.
    pub fn is_set(&self) -> bool {
        let hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        hold.is_none()
    }
}

/// Plays the pairs with these numbers, `concurrency` at a time, except for
/// the games in `done`. `collect` hears of every game as it ends and may end
/// the run.
pub fn run(
    plan: &Plan,
    pairs: &[usize],
    done: &HashSet<usize>,
    concurrency: usize,
    stop: &Stop,
    collect: &mut dyn FnMut(Game) -> ControlFlow<()>,
) {
    let next = AtomicUsize::new(0);
    let (finished, games) = bounded(concurrency);
    std::thread::scope(|scope| {
        for _ in 0..concurrency {
            let (finished, next) = (finished.clone(), &next);
            scope.spawn(move || work(plan, pairs, done, next, stop, &finished));
        }
        drop(finished);
        let mut open = true;
        for game in games {
            if open && collect(game).is_break() {
                open = false;
                stop.now();
            }
        }
    });
}

/// Takes pairs until none is left.
fn work(
    plan: &Plan,
    pairs: &[usize],
    done: &HashSet<usize>,
    next: &AtomicUsize,
    stop: &Stop,
    finished: &Sender<Game>,
) {
    let mut players: Vec<Player<'_>> = plan
        .entrants
        .iter()
        .map(|entrant| Player::new(entrant, &stop.heard))
        .collect();
    while let Some(&number) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
        let pair = plan.schedule.pair(number);
        let size = plan.table.size;
        let opening = plan.openings[pair.opening].turned(size, pair.symmetry);
        let (first, second) = pair.players;
        for (i, player) in players.iter_mut().enumerate() {
            if i != first && i != second {
                player.dismiss();
            }
        }
        let Ok([first, second]) = players.get_disjoint_mut([first, second]) else {
            continue;
        };
        for half in 0..2 {
            if stop.is_set() {
                return;
            }
            let setup = Setup {
                number: 2 * number + half,
                opening: &opening,
                table: &plan.table,
                draw_after: plan.draw_after,
            };
            if done.contains(&setup.number) {
                continue;
            }
            let mut seats = [&mut *first, &mut *second];
            if half == 1 {
                seats.reverse();
            }
            let Ok(game) = play(&setup, seats) else {
                return;
            };
            if plan.restart {
                first.dismiss();
                second.dismiss();
            }
            if finished.send(game).is_err() {
                return;
            }
        }
    }
    players.iter_mut().for_each(Player::dismiss);
}
