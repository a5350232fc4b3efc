//! An engine: it searches and evaluates positions of games.

use crate::game::{Game, invalid, names};
use crate::watch::watched;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use quincunx_engine::engine::{self, Event, MonotonicClock, Options, Request};
use quincunx_engine::eval::{Evaluator, Hybrid, WeightSet};
use quincunx_engine::score::Score;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;

/// The most lines of a search.
const MOST_LINES: usize = 64;

/// The strength of an engine that is not held back.
const FULL_STRENGTH: u8 = 100;

/// An engine, and what it remembers of the positions it has searched.
#[pyclass(module = "quincunx", frozen)]
pub(crate) struct Engine {
    stopped: Arc<AtomicBool>,
    weights: Arc<WeightSet>,
    /// The number of search threads, and the size of the table in bytes where it is given.
    threads: usize,
    table_bytes: Option<u64>,
    engine: Mutex<engine::Engine>,
}

/// The answer of a search.
#[pyclass(module = "quincunx", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Answer {
    r#move: String,
    lines: Vec<Line>,
}

/// What a search found: one line, for the side to move.
#[pyclass(module = "quincunx", frozen, get_all, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Line {
    rank: usize,
    depth: u32,
    score: i32,
    chance: f64,
    mate: Option<i32>,
    nodes: u64,
    milliseconds: u128,
    moves: Vec<String>,
}

/// What a position is worth for the side to move.
#[pyclass(module = "quincunx", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Value {
    score: i32,
    chance: f64,
}

/// How far a search goes.
struct Limits {
    milliseconds: Option<u32>,
    nodes: Option<u64>,
    depth: Option<u32>,
    strength: Option<u8>,
}

impl Engine {
    /// The engine, unless another thread has it.
    fn with<T>(&self, act: impl FnOnce(&mut engine::Engine) -> T) -> PyResult<T> {
        match self.engine.try_lock() {
            Ok(mut engine) => Ok(act(&mut engine)),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread uses this engine"))
            }
            Err(TryLockError::Poisoned(_)) => {
                Err(PyRuntimeError::new_err("a search of this engine failed"))
            }
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads = 1, table_mib = 0))]
    fn new(threads: u16, table_mib: u32) -> PyResult<Engine> {
        if !(1..=Options::MOST_THREADS).contains(&threads.into()) {
            return Err(invalid(format_args!(
                "threads are from 1 to {}",
                Options::MOST_THREADS
            )));
        }
        let (stopped, weights) = (Arc::<AtomicBool>::default(), Arc::<WeightSet>::default());
        let mut engine =
            engine::Engine::with_weights(MonotonicClock::system(), Arc::clone(&weights));
        let flag = Arc::clone(&stopped);
        engine.set_interrupt(move || flag.load(Ordering::Relaxed));
        Ok(Engine {
            stopped,
            weights,
            threads: threads.into(),
            table_bytes: (table_mib > 0).then(|| u64::from(table_mib) << 20),
            engine: Mutex::new(engine),
        })
    }

    #[pyo3(signature = (
        game, *, milliseconds = None, nodes = None, depth = None, lines = 1, strength = None,
        on_line = None,
    ))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        game: &Bound<'_, Game>,
        milliseconds: Option<u32>,
        nodes: Option<u64>,
        depth: Option<u32>,
        lines: usize,
        strength: Option<u8>,
        on_line: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let request = match lines {
            1 => Request::Move,
            2..=MOST_LINES => Request::Lines(lines),
            _ => {
                return Err(invalid(format_args!("lines are from 1 to {MOST_LINES}")));
            }
        };
        if strength.is_some_and(|strength| strength > FULL_STRENGTH) {
            let refusal = format_args!("strengths are from 0 to {FULL_STRENGTH}");
            return Err(invalid(refusal));
        }
        let limits = Limits {
            milliseconds,
            nodes,
            depth,
            strength,
        };
        let position = game.try_borrow()?.open_position()?;
        let mut found: Vec<Option<Line>> = vec![None; lines];
        let mut on_line = |info: engine::Line| {
            let line = Line::new(&info);
            if let Some(on_line) = &on_line {
                on_line.call1((line.clone(),))?;
            }
            if let Some(last) = found.get_mut(info.rank) {
                *last = Some(line);
            }
            Ok(())
        };
        let answer = self
            .with(|engine| {
                self.stopped.store(false, Ordering::Relaxed);
                *engine.options_mut() = limits.options(self.threads, self.table_bytes);
                engine.set_position(position);
                watched(py, &self.stopped, &mut on_line, |sender| {
                    engine.answer(request, &mut |event| {
                        if let Event::Info(info) = event {
                            // The thread that asks listens to the end.
                            let _ = sender.send(info);
                        }
                    })
                })
            })??
            .map_err(invalid)?;
        if let Some(info) = answer.info() {
            found[0] = Some(Line::new(info));
        }
        Ok(Answer {
            r#move: names(answer.stones().first().copied()).concat(),
            lines: found.into_iter().flatten().collect(),
        })
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn forget(&self) -> PyResult<()> {
        self.with(engine::Engine::forget)
    }

    fn evaluate(&self, game: &Bound<'_, Game>) -> PyResult<Value> {
        let game = game.try_borrow()?;
        let position = game.position();
        let mut evaluator = Hybrid::new(&self.weights.of(position.rule()), position);
        Ok(Value::of(evaluator.evaluate(position)))
    }
}

impl Limits {
    fn options(&self, threads: usize, table_bytes: Option<u64>) -> Options {
        Options {
            timeout_turn: self.milliseconds.map(|ms| Duration::from_millis(ms.into())),
            max_node: self.nodes,
            max_depth: self.depth,
            strength: self.strength,
            hash_size: table_bytes,
            threads,
            infinite: true,
            ..Options::default()
        }
    }
}

impl Line {
    fn new(info: &engine::Line) -> Line {
        let Value { score, chance } = Value::of(info.score);
        Line {
            rank: info.rank,
            depth: info.depth,
            score,
            chance,
            mate: info.score.mate(),
            nodes: info.nodes,
            milliseconds: info.elapsed.as_millis(),
            moves: names(info.pv.iter().copied()),
        }
    }
}

impl Value {
    fn of(score: Score) -> Value {
        Value {
            score: score.units(),
            chance: score.win_chance(),
        }
    }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        let lines = self.lines.iter().map(Line::__repr__);
        format!("<Answer {} {:?}>", self.r#move, lines.collect::<Vec<_>>())
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let Line { depth, score, .. } = self;
        format!(
            "<Line depth {depth} score {score} {}>",
            self.moves.join(" ")
        )
    }
}

#[pymethods]
impl Value {
    fn __repr__(&self) -> String {
        format!("<Value {} ({:.3})>", self.score, self.chance)
    }
}
