//! A whole run: workers that play pairs of games, and one collector that
//! hears of every game as it ends.

use super::game::{Setup, Stopped, play};
use super::openings::Opening;
use super::platform::pin;
use super::player::{Entrant, Player, Table};
use super::record::Game;
use super::schedule::Schedule;
use super::warden::Warden;
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
    /// Keep both games of a pair on one core.
    pub pin: bool,
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
    let desk = Desk {
        plan,
        pairs,
        done,
        stop,
        next: AtomicUsize::new(0),
        warden: Warden::default(),
    };
    let (finished, games) = bounded(concurrency);
    let (playing, end) = bounded(0);
    std::thread::scope(|scope| {
        for worker in 0..concurrency {
            let (desk, finished, playing) = (&desk, finished.clone(), playing.clone());
            scope.spawn(move || {
                if desk.plan.pin && !pin(worker) {
                    log::warn!("can't pin games to cores here");
                }
                desk.work(&finished);
                drop(playing);
            });
        }
        drop((finished, playing));
        if plan.entrants.iter().any(|entrant| entrant.memory.is_some()) {
            scope.spawn(|| desk.warden.patrol(&end));
        }
        let mut open = true;
        for game in games {
            if open && collect(game).is_break() {
                open = false;
                stop.now();
            }
        }
    });
}

/// What all workers share.
struct Desk<'run> {
    plan: &'run Plan,
    pairs: &'run [usize],
    done: &'run HashSet<usize>,
    stop: &'run Stop,
    next: AtomicUsize,
    warden: Warden,
}

impl Desk<'_> {
    /// Takes pairs until none is left.
    fn work(&self, finished: &Sender<Game>) {
        let mut players: Vec<Player<'_>> = self
            .plan
            .entrants
            .iter()
            .map(|entrant| Player::new(entrant, &self.stop.heard, &self.warden))
            .collect();
        while let Some(&number) = self.pairs.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if self.play_pair(number, &mut players, finished).is_err() {
                return;
            }
        }
        players.iter_mut().for_each(Player::dismiss);
    }

    /// Plays the games of a pair that are not played yet.
    fn play_pair(
        &self,
        number: usize,
        players: &mut [Player<'_>],
        finished: &Sender<Game>,
    ) -> Result<(), Stopped> {
        let plan = self.plan;
        let pair = plan.schedule.pair(number);
        let opening = plan.openings[pair.opening].turned(plan.table.size, pair.symmetry);
        let (first, second) = pair.players;
        for (i, player) in players.iter_mut().enumerate() {
            if i != first && i != second {
                player.dismiss();
            }
        }
        let pair = players.get_disjoint_mut([first, second]);
        let [first, second] = pair.map_err(|_| Stopped)?;
        for half in 0..2 {
            if self.stop.is_set() {
                return Err(Stopped);
            }
            let setup = Setup {
                number: 2 * number + half,
                opening: &opening,
                table: &plan.table,
                draw_after: plan.draw_after,
            };
            if self.done.contains(&setup.number) {
                continue;
            }
            let mut seats = [&mut *first, &mut *second];
            if half == 1 {
                seats.reverse();
            }
            let game = play(&setup, seats)?;
            if plan.restart {
                first.dismiss();
                second.dismiss();
            }
            finished.send(game).map_err(|_| Stopped)?;
        }
        Ok(())
    }
}
