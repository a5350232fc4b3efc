//! The engine as programs have it: a game, and an engine that knows it.

use crate::clock::clock;
use crate::stop;
use crate::views::{
    AnswerView, BenchView, ForbiddenView, GameView, LineView, SolutionView, ValueView,
};
use crate::weights::Weights;
use js_sys::{Function, Math};
use quincunx_engine::engine::{self, Answer, Event, Options, Request};
use quincunx_engine::eval::{Evaluator, Hybrid};
use quincunx_engine::game::Game;
use quincunx_engine::position::Forbidden;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
use quincunx_tools::bench;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// The transposition table's size in bytes.
const TABLE_BYTES: u64 = 32 << 20;

/// The memory of the search for forced wins, in bytes.
const SOLVER_BYTES: usize = 32 << 20;

/// The most lines of a search.
const MOST_LINES: usize = 64;

/// The strength of an engine that is not held back.
const FULL_STRENGTH: u8 = 100;

/// A game to begin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    rule: String,
    size: String,
    moves: Vec<String>,
}

/// The limits of a search. Without any limit it goes on until it is stopped.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Limits {
    milliseconds: Option<u32>,
    nodes: Option<u64>,
    depth: Option<u32>,
    lines: Option<usize>,
    strength: Option<u8>,
}

/// A game, and an engine that knows it.
#[wasm_bindgen]
pub struct Engine {
    game: Game,
    engine: engine::Engine,
    weights: Weights,
    threads: usize,
}

#[wasm_bindgen]
impl Engine {
    /// An engine with an empty board of freestyle. It searches and evaluates only games of rules
    /// whose weights were given to it.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Engine {
        // What a weaker player's moves depend on.
        fastrand::seed((Math::random() * 2f64.powi(53)) as u64);
        let weights = Weights::default();
        Engine {
            game: Game::new(Rule::default(), BoardSize::default()).drawn_when_stuck(),
            engine: weights.engine(),
            weights,
            threads: 1,
        }
    }

    /// Searches on so many threads: this one and those of the pool.
    #[wasm_bindgen(js_name = setThreads)]
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// The names of all rules as an array.
    pub fn rules(&self) -> Result<String, JsError> {
        json(&Rule::ALL.map(Rule::name))
    }

    /// The name of the rule, if its weights are missing.
    pub fn missing(&self, rule: &str) -> Result<Option<String>, JsError> {
        self.weights.missing(rule)
    }

    /// Takes the weights of a rule from the bytes of their files.
    #[wasm_bindgen(js_name = addWeights)]
    pub fn add_weights(&mut self, rule: &str, tables: &[u8], line: &[u8]) -> Result<(), JsError> {
        self.weights.add(rule, tables, line)?;
        self.engine = self.weights.engine();
        Ok(())
    }

    /// Begins a game.
    #[wasm_bindgen(js_name = newGame)]
    pub fn new_game(&mut self, setup: &str) -> Result<String, JsError> {
        let setup: Setup = serde_json::from_str(setup)?;
        let game = Game::new(setup.rule.parse::<Rule>()?, setup.size.parse()?);
        let mut game = game.drawn_when_stuck();
        for point in &setup.moves {
            game.play(point.parse()?)?;
        }
        self.game = game;
        self.game()
    }

    /// The game.
    pub fn game(&self) -> Result<String, JsError> {
        json(&GameView::new(&self.game))
    }

    /// The side to move plays a point.
    pub fn play(&mut self, point: &str) -> Result<String, JsError> {
        self.game.play(point.parse()?)?;
        self.game()
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Result<String, JsError> {
        self.game.undo();
        self.game()
    }

    /// The best move, which is not played. `listener` hears of every line.
    pub fn think(&mut self, limits: &str, listener: &Function) -> Result<String, JsError> {
        let limits: Limits = serde_json::from_str(limits)?;
        let lines = limits.lines.unwrap_or(1);
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(JsError::new(&format!("lines are from 1 to {MOST_LINES}")));
        }
        if limits
            .strength
            .is_some_and(|strength| strength > FULL_STRENGTH)
        {
            let refusal = format!("strengths are from 0 to {FULL_STRENGTH}");
            return Err(JsError::new(&refusal));
        }
        if self.game.is_over() {
            return Err(JsError::new("the game is over"));
        }
        *self.engine.options_mut() = Options {
            timeout_turn: limits
                .milliseconds
                .map(|ms| Duration::from_millis(ms.into())),
            max_node: limits.nodes,
            max_depth: limits.depth,
            strength: limits.strength,
            hash_size: Some(TABLE_BYTES),
            infinite: true,
            threads: self.threads,
            ..Options::default()
        };
        self.engine.set_position(self.game.position().clone());
        let request = match lines {
            1 => Request::Move,
            lines => Request::Lines(lines),
        };
        let answer = self.engine.answer(request, &mut |event| {
            if let Event::Info(info) = event
                && let Ok(line) = json(&LineView::new(&info))
            {
                // A listener that throws misses a line.
                let _ = listener.call1(&JsValue::NULL, &line.into());
            }
        })?;
        let info = match &answer {
            Answer::Move(best) => best.info.as_ref(),
            _ => None,
        };
        json(&AnswerView {
            point: answer.stones().first().map(ToString::to_string),
            line: info.map(LineView::new),
        })
    }

    /// Looks for a forced win of the side to move, trying at most so many moves.
    pub fn solve(&self, nodes: f64) -> Result<String, JsError> {
        if self.game.is_over() {
            return Err(JsError::new("the game is over"));
        }
        let limits = SolverLimits {
            nodes: nodes as u64,
            stop: &mut stop::is_due,
        };
        let solution = Solver::new(SOLVER_BYTES).solve(self.game.position(), WinKind::Any, limits);
        json(&SolutionView::new(&solution))
    }

    /// The points that the side to move may not play.
    pub fn forbidden(&mut self) -> Result<String, JsError> {
        let points = self.game.forbidden_points().into_iter();
        let view = |(point, kind): (Point, Forbidden)| ForbiddenView {
            point: point.to_string(),
            kind: kind.to_string(),
        };
        json(&points.map(view).collect::<Vec<_>>())
    }

    /// The value of the position without a search.
    pub fn evaluate(&self) -> Result<String, JsError> {
        let position = self.game.position();
        let mut evaluator = Hybrid::new(&self.weights.set().of(position.rule()), position);
        let score = evaluator.evaluate(position);
        json(&ValueView {
            score: score.units(),
            chance: score.win_chance(),
        })
    }

    /// Runs the bench of the native program, which has the same number of nodes there.
    pub fn bench(&self, depth: u32) -> Result<String, JsError> {
        let measured = bench::run(self.weights.set(), &clock(), depth, |_| ())?;
        json(&BenchView {
            nodes: measured.nodes,
            nodes_per_second: measured.nodes as f64 / measured.search_time.as_secs_f64(),
        })
    }
}

fn json(value: &impl Serialize) -> Result<String, JsError> {
    Ok(serde_json::to_string(value)?)
}
