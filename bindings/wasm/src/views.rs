//! The values that JavaScript gets, as JSON. `js/index.d.ts` describes it.

use quincunx_engine::engine::Line;
use quincunx_engine::game::Game;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Solution};
use serde::Serialize;

/// A game.
#[derive(Serialize)]
pub(crate) struct GameView {
    rule: String,
    width: usize,
    height: usize,
    moves: Vec<String>,
    turn: String,
    result: Option<ResultView>,
}

/// The result of a game.
#[derive(Serialize)]
struct ResultView {
    winner: Option<String>,
    reason: String,
    stones: Vec<String>,
}

/// A line of a search.
#[derive(Serialize)]
pub(crate) struct LineView {
    rank: usize,
    depth: u32,
    score: i32,
    chance: f64,
    mate: Option<i32>,
    nodes: u64,
    milliseconds: u64,
    moves: Vec<String>,
}

/// The answer of a search.
#[derive(Serialize)]
pub(crate) struct AnswerView {
    #[serde(rename = "move")]
    pub(crate) point: Option<String>,
    pub(crate) line: Option<LineView>,
}

/// The result of the search for a forced win.
#[derive(Serialize)]
pub(crate) struct SolutionView {
    found: &'static str,
    plies: Option<usize>,
    line: Vec<String>,
    nodes: u64,
}

/// A point that the side to move may not play.
#[derive(Serialize)]
pub(crate) struct ForbiddenView {
    pub(crate) point: String,
    pub(crate) kind: String,
}

/// The value of a position for the side to move.
#[derive(Serialize)]
pub(crate) struct ValueView {
    pub(crate) score: i32,
    pub(crate) chance: f64,
}

/// The result of the bench.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BenchView {
    pub(crate) nodes: u64,
    pub(crate) nodes_per_second: f64,
}

/// A point as text; a pass is `--`.
fn name(point: Point) -> String {
    match point {
        Point::NONE => "--".to_owned(),
        point => point.to_string(),
    }
}

impl GameView {
    pub(crate) fn new(game: &Game) -> GameView {
        let result = |result: quincunx_engine::game::GameResult| ResultView {
            winner: result.winner.map(|winner| winner.to_string()),
            reason: result.termination.to_string(),
            stones: game.winning_stones().iter().map(name).collect(),
        };
        GameView {
            rule: game.rule().to_string(),
            width: game.size().width(),
            height: game.size().height(),
            moves: game.moves().map(|(_, point)| name(point)).collect(),
            turn: game.side().to_string(),
            result: game.result().map(result),
        }
    }
}

impl LineView {
    pub(crate) fn new(info: &Line) -> LineView {
        LineView {
            rank: info.rank,
            depth: info.depth,
            score: info.score.units(),
            chance: info.score.win_chance(),
            mate: info.score.mate(),
            nodes: info.nodes,
            milliseconds: u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX),
            moves: info.pv.iter().copied().map(name).collect(),
        }
    }
}

impl SolutionView {
    pub(crate) fn new(solution: &Solution) -> SolutionView {
        let (found, proof) = match &solution.win {
            ForcedWin::Proven(proof) => ("win", Some(proof)),
            ForcedWin::None => ("none", None),
            ForcedWin::Unknown => ("unknown", None),
        };
        let line = proof.map(|proof| proof.line().into_iter().map(name).collect());
        SolutionView {
            found,
            plies: proof.map(|proof| proof.plies()),
            line: line.unwrap_or_default(),
            nodes: solution.nodes,
        }
    }
}
