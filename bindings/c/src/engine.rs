//! The calls of a handle, in safe Rust. Every call may come from any thread: one that would have
//! to wait for another is told that the handle is busy.

use crate::ffi::{QuincunxLimits, QuincunxLine, QuincunxStatus};
use quincunx_engine::engine::{Answer, Engine, Event, Line, MonotonicClock, Options, Request};
use quincunx_engine::eval::{Evaluator, Hybrid, WeightSet};
use quincunx_engine::game::{Game, MoveError};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// The memory of the search for forced wins, in bytes.
const SOLVER_BYTES: usize = 32 << 20;

/// A game, and an engine that knows it.
pub struct QuincunxEngine {
    /// The number of searches that have begun, and of those that are to stop.
    searches: AtomicU64,
    stopped: Arc<AtomicU64>,
    state: Mutex<EngineState>,
}

/// The state that one thread at a time may use.
pub(crate) struct EngineState {
    game: Game,
    engine: Engine,
    weights: Arc<WeightSet>,
    /// The number of the search that runs, as the engine's interrupt sees it.
    running: Arc<AtomicU64>,
}

impl QuincunxEngine {
    /// An engine with an empty board.
    pub(crate) fn new(rule: Rule, size: BoardSize) -> QuincunxEngine {
        let weights = Arc::<WeightSet>::default();
        let mut engine = Engine::with_weights(MonotonicClock::system(), Arc::clone(&weights));
        let (stopped, running) = (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
        let (last, number) = (Arc::clone(&stopped), Arc::clone(&running));
        engine
            .set_interrupt(move || last.load(Ordering::Relaxed) >= number.load(Ordering::Relaxed));
        engine.set_rule(rule);
        engine.new_game(size);
        QuincunxEngine {
            searches: AtomicU64::new(0),
            stopped,
            state: Mutex::new(EngineState {
                game: Game::new(rule, size).drawn_when_stuck(),
                engine,
                weights,
                running,
            }),
        }
    }

    /// Does something with the game and the engine, unless another thread does.
    pub(crate) fn with<T>(
        &self,
        act: impl FnOnce(&mut EngineState) -> Result<T, QuincunxStatus>,
    ) -> Result<T, QuincunxStatus> {
        match self.state.try_lock() {
            Ok(mut state) => act(&mut state),
            Err(TryLockError::WouldBlock) => Err(QuincunxStatus::Busy),
            // A call has panicked half way.
            Err(TryLockError::Poisoned(_)) => Err(QuincunxStatus::Panicked),
        }
    }

    /// Searches, under a number by which the search can be stopped.
    fn searching<T>(
        &self,
        act: impl FnOnce(&mut EngineState) -> Result<T, QuincunxStatus>,
    ) -> Result<T, QuincunxStatus> {
        self.with(|state| {
            let number = self.searches.fetch_add(1, Ordering::Relaxed) + 1;
            state.running.store(number, Ordering::Relaxed);
            act(state)
        })
    }

    /// Stops the search that runs, if one does. Never waits.
    pub(crate) fn stop(&self) {
        let searches = self.searches.load(Ordering::Relaxed);
        self.stopped.fetch_max(searches, Ordering::Relaxed);
    }

    /// The best move within these limits, which is not played. `report` hears of every line.
    pub(crate) fn think(
        &self,
        limits: &QuincunxLimits,
        report: &mut dyn FnMut(&QuincunxLine),
    ) -> Result<Point, QuincunxStatus> {
        self.searching(|state| {
            if state.game.is_over() {
                return Err(QuincunxStatus::Over);
            }
            let given = |limit: u64| (limit > 0).then_some(limit);
            *state.engine.options_mut() = Options {
                timeout_turn: given(limits.milliseconds).map(Duration::from_millis),
                max_node: given(limits.nodes),
                max_depth: (limits.depth > 0).then_some(limits.depth),
                hash_size: given(u64::from(limits.memory_kib) << 10),
                threads: usize::try_from(limits.threads).unwrap_or(usize::MAX),
                infinite: true,
                ..Options::default()
            };
            state.engine.set_position(state.game.position().clone());
            let answer = state.engine.answer(Request::Move, &mut |event| {
                if let Event::Info(info) = event {
                    report(&line(&info));
                }
            });
            match answer {
                Ok(Answer::Move(best)) => Ok(best.point),
                _ => Err(QuincunxStatus::Over),
            }
        })
    }

    /// Looks for a forced win of the side to move. The line of the longest defence; empty if
    /// there is no win of threats.
    pub(crate) fn solve(&self, nodes: u64) -> Result<Vec<Point>, QuincunxStatus> {
        self.searching(|state| {
            if state.game.is_over() {
                return Err(QuincunxStatus::Over);
            }
            let number = state.running.load(Ordering::Relaxed);
            let limits = SolverLimits {
                nodes,
                stop: &mut || self.stopped.load(Ordering::Relaxed) >= number,
            };
            let mut solver = Solver::new(SOLVER_BYTES);
            match (solver.solve(state.game.position(), WinKind::Any, limits)).win {
                ForcedWin::Proven(proof) => Ok(proof.line()),
                ForcedWin::None => Ok(Vec::new()),
                ForcedWin::Unknown => Err(QuincunxStatus::Unknown),
            }
        })
    }
}

impl EngineState {
    /// Begins another game.
    pub(crate) fn begin(&mut self, rule: Rule, size: BoardSize) {
        self.game = Game::new(rule, size).drawn_when_stuck();
        self.engine.set_rule(rule);
        self.engine.new_game(size);
    }

    /// The game.
    pub(crate) fn game(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The side to move plays a point.
    pub(crate) fn play(&mut self, point: Point) -> Result<(), QuincunxStatus> {
        self.game.play(point).map_err(status)
    }

    /// Returns whether the side to move may play a point.
    pub(crate) fn check(&mut self, point: Point) -> Result<(), QuincunxStatus> {
        self.game.check(point).map_err(status)
    }

    /// The value for the side to move without a search.
    pub(crate) fn evaluate(&self) -> i32 {
        let position = self.game.position();
        let mut evaluator = Hybrid::new(&self.weights.of(position.rule()), position);
        evaluator.evaluate(position).units()
    }
}

fn line(info: &Line) -> QuincunxLine {
    let best = info.best();
    QuincunxLine {
        depth: info.depth,
        score: info.score.units(),
        chance: info.score.win_chance(),
        nodes: info.nodes,
        x: best.map_or(0, |point| point.x() as u32),
        y: best.map_or(0, |point| point.y() as u32),
    }
}

fn status(error: MoveError) -> QuincunxStatus {
    match error {
        MoveError::Over(_) => QuincunxStatus::Over,
        MoveError::OffBoard(_) => QuincunxStatus::OffBoard,
        MoveError::Taken(_) => QuincunxStatus::Taken,
        MoveError::Forbidden(..) => QuincunxStatus::Forbidden,
    }
}
