//! The worker threads of a match: each takes pairs of games until none is
//! left, and one collector hears of every game as it ends.

use super::fault::StartError;
use super::game::{GameSetup, NoResult, play};
use super::platform::pin;
use super::player::EnginePlayer;
use super::record::MatchGame;
use super::schedule::Pair;
use super::stop::StopSignal;
use super::tournament::Tournament;
use super::watchdog::MemoryWatchdog;
use crossbeam_channel::{Sender, bounded};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A game that has ended.
pub(super) struct FinishedGame {
    pub(super) record: MatchGame,
    /// What was said in it, where that is kept.
    pub(super) transcript: Option<String>,
    /// What its engines say they are.
    pub(super) versions: Vec<(String, String)>,
}

/// A game, or why its worker plays no more.
pub(super) type Finished = Result<FinishedGame, StartError>;

/// What all worker threads share.
pub(super) struct WorkerPool<'run> {
    tournament: &'run Tournament,
    /// The pairs to be played.
    pairs: &'run [Pair],
    /// The numbers of games that are played already.
    done: &'run HashSet<usize>,
    stop: &'run StopSignal,
    /// How many pairs were taken.
    taken: AtomicUsize,
    watchdog: MemoryWatchdog,
}

impl<'run> WorkerPool<'run> {
    /// A pool for these pairs, except for the games in `done`.
    pub(super) fn new(
        tournament: &'run Tournament,
        pairs: &'run [Pair],
        done: &'run HashSet<usize>,
        stop: &'run StopSignal,
    ) -> WorkerPool<'run> {
        WorkerPool {
            tournament,
            pairs,
            done,
            stop,
            taken: AtomicUsize::new(0),
            watchdog: MemoryWatchdog::default(),
        }
    }

    /// Plays, at most `concurrency` games at a time. `collect` hears of every game
    /// as it ends and may end the run.
    pub(super) fn run(
        &self,
        concurrency: usize,
        collect: &mut dyn FnMut(Finished) -> ControlFlow<()>,
    ) {
        let workers = concurrency.min(self.pairs.len()).max(1);
        let (finished, games) = bounded(workers);
        let (playing, end) = bounded(0);
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let (finished, playing) = (finished.clone(), playing.clone());
                scope.spawn(move || {
                    if self.tournament.pin && !pin(worker) {
                        log::warn!("can't pin games to cores here");
                    }
                    self.work(&finished);
                    drop(playing);
                });
            }
            drop((finished, playing));
            let mut engines = self.tournament.engines.iter();
            if engines.any(|engine| engine.memory.is_some()) {
                scope.spawn(|| self.watchdog.run(&end));
            }
            let mut open = true;
            for game in games {
                if open && collect(game).is_break() {
                    open = false;
                    self.stop.give();
                }
            }
        });
    }

    /// The loop of one worker.
    fn work(&self, finished: &Sender<Finished>) {
        let engines = self.tournament.engines.iter();
        let mut players: Vec<EnginePlayer<'_>> = engines
            .map(|engine| EnginePlayer::new(engine, self.stop.receiver(), &self.watchdog))
            .collect();
        while let Some(pair) = self.pairs.get(self.taken.fetch_add(1, Ordering::Relaxed)) {
            match self.play_pair(pair, &mut players, finished) {
                Ok(()) => {}
                Err(NoResult::Stopped) => return,
                Err(NoResult::NoStart(error)) => {
                    // A collector that has gone away has an error already.
                    let _ = finished.send(Err(error));
                    return;
                }
            }
        }
        players.iter_mut().for_each(EnginePlayer::dismiss);
    }

    /// Plays the games of a pair that are not played yet.
    fn play_pair(
        &self,
        pair: &Pair,
        players: &mut [EnginePlayer<'_>],
        finished: &Sender<Finished>,
    ) -> Result<(), NoResult> {
        let tournament = self.tournament;
        let size = tournament.game.variant.size;
        let opening = tournament.openings[pair.opening].turned(size, pair.symmetry);
        let (first, second) = pair.players;
        for (i, player) in players.iter_mut().enumerate() {
            if i != first && i != second {
                player.dismiss();
            }
        }
        let two = players.get_disjoint_mut([first, second]);
        let [first, second] = two.map_err(|_| NoResult::Stopped)?;
        for half in 0..2 {
            if self.stop.is_given() {
                return Err(NoResult::Stopped);
            }
            let setup = GameSetup {
                number: 2 * pair.number + half,
                opening: &opening,
                config: &tournament.game,
            };
            if self.done.contains(&setup.number) {
                continue;
            }
            let mut seats = [&mut *first, &mut *second];
            if half == 1 {
                seats.reverse();
            }
            if tournament.transcripts {
                for seat in &mut seats {
                    seat.begin_transcript();
                }
            }
            let record = play(&setup, seats)?;
            let transcripts = [first.take_transcript(), second.take_transcript()];
            let transcript = transcripts.into_iter().flatten().reduce(|mut one, other| {
                one.join(other);
                one
            });
            let game = FinishedGame {
                transcript: transcript.map(|transcript| transcript.text(&record)),
                versions: [&*first, &*second]
                    .into_iter()
                    .filter_map(version)
                    .collect(),
                record,
            };
            if tournament.restart {
                first.dismiss();
                second.dismiss();
            }
            finished.send(Ok(game)).map_err(|_| NoResult::Stopped)?;
        }
        Ok(())
    }
}

/// The name of an engine in the match, and what it says it is.
fn version(player: &EnginePlayer<'_>) -> Option<(String, String)> {
    let version = player.version()?;
    Some((player.engine().name.clone(), version.to_owned()))
}
