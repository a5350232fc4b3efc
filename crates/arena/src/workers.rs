//! The worker threads of a match. Each plays one pair of games after another, and the collector
//! gets every game as it ends.

use super::fault::StartError;
use super::game::{AbortedGame, GameSetup, play};
use super::platform::pin;
use super::player::EnginePlayer;
use super::record::MatchGame;
use super::schedule::Pair;
use super::tournament::Tournament;
use super::watchdog::MemoryWatchdog;
use crossbeam_channel::bounded;
use quincunx_runs::{StopSignal, pool};
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;

/// A game that has ended.
pub(super) struct FinishedGame {
    pub(super) record: MatchGame,
    /// The transcript of the game, if it is recorded.
    pub(super) transcript: Option<String>,
    /// The engines' descriptions of themselves, by their names in the match.
    pub(super) versions: Vec<(String, String)>,
}

/// A game, or the reason why its worker plays no more.
pub(super) type Finished = Result<FinishedGame, StartError>;

/// The pairs that are played now, and the games of them that were played before.
pub(super) struct DuePairs<'run> {
    pub(super) tournament: &'run Tournament,
    pub(super) pairs: &'run [Pair],
    /// The numbers of the games that were played before.
    pub(super) done: &'run HashSet<usize>,
    pub(super) stop: &'run StopSignal,
}

impl DuePairs<'_> {
    /// Plays, at most `concurrency` games at a time. `collect` gets every game as it ends and may
    /// end the run.
    ///
    /// # Errors
    /// Returns an error if the system can't start a thread.
    pub(super) fn play(
        &self,
        concurrency: usize,
        collect: &mut dyn FnMut(Finished) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let watchdog = MemoryWatchdog::default();
        let (playing, end) = bounded(0);
        std::thread::scope(|scope| {
            let mut engines = self.tournament.engines.iter();
            if engines.any(|engine| engine.memory.is_some()) {
                scope.spawn(|| watchdog.run(&end));
            }
            // The watchdog ends with the last game, whatever happens.
            let _playing = playing;
            let count = concurrency.min(self.pairs.len()).max(1);
            let workers = (0..count).map(|number| Worker::new(number, self, &watchdog));
            let mut pairs = self.pairs.iter();
            pool(
                workers,
                || pairs.next().filter(|_| !self.stop.is_given()),
                |worker, pair, emit| worker.play(pair, emit),
                |game| {
                    let goes_on = collect(game);
                    if goes_on.is_break() {
                        self.stop.give();
                    }
                    goes_on
                },
            )
        })
    }
}

/// A thread of a match with its own processes.
struct Worker<'run> {
    number: usize,
    due: &'run DuePairs<'run>,
    players: Vec<EnginePlayer<'run>>,
    is_pinned: bool,
}

impl<'run> Worker<'run> {
    fn new(
        number: usize,
        due: &'run DuePairs<'run>,
        watchdog: &'run MemoryWatchdog,
    ) -> Worker<'run> {
        let engines = due.tournament.engines.iter();
        let player = |engine| EnginePlayer::new(engine, due.stop.receiver(), watchdog);
        Worker {
            number,
            due,
            players: engines.map(player).collect(),
            is_pinned: false,
        }
    }

    /// Plays the games of a pair that were not played before.
    fn play(&mut self, pair: &Pair, emit: &dyn Fn(Finished)) {
        if self.due.tournament.pin && !self.is_pinned {
            self.is_pinned = true;
            if !pin(self.number) {
                log::warn!("can't pin games to cores here");
            }
        }
        if let Err(AbortedGame::NoStart(error)) = self.play_pair(pair, emit) {
            emit(Err(error));
        }
    }

    fn play_pair(&mut self, pair: &Pair, emit: &dyn Fn(Finished)) -> Result<(), AbortedGame> {
        let DuePairs {
            tournament,
            done,
            stop,
            ..
        } = *self.due;
        let size = tournament.game.variant.size;
        let opening = tournament.openings[pair.opening].turned(size, pair.symmetry);
        let (first, second) = pair.players;
        for (i, player) in self.players.iter_mut().enumerate() {
            if i != first && i != second {
                player.dismiss();
            }
        }
        let two = self.players.get_disjoint_mut([first, second]);
        let [first, second] = two.map_err(|_| AbortedGame::Stopped)?;
        for half in 0..2 {
            if stop.is_given() {
                return Err(AbortedGame::Stopped);
            }
            let setup = GameSetup {
                number: 2 * pair.number + half,
                opening: &opening,
                config: &tournament.game,
            };
            if done.contains(&setup.number) {
                continue;
            }
            let mut players = [&mut *first, &mut *second];
            if half == 1 {
                players.reverse();
            }
            if tournament.transcripts {
                for player in &mut players {
                    player.begin_transcript();
                }
            }
            let record = play(&setup, players)?;
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
            emit(Ok(game));
        }
        Ok(())
    }
}

/// Programs that are stopped in the midst of a game are killed, all others are asked to leave.
impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if !self.due.stop.is_given() {
            self.players.iter_mut().for_each(EnginePlayer::dismiss);
        }
    }
}

/// Returns the name of an engine in the match, and its description of itself.
fn version(player: &EnginePlayer<'_>) -> Option<(String, String)> {
    let version = player.version()?;
    Some((player.engine().name.clone(), version.to_owned()))
}
