//! Reports on positions, as text and as JSON: what is certain, which is threats, forbidden
//! points and forced wins, and the lines of a search.

use crate::threats::{Threat, threats};
use crate::words::{per_cent, proof_line, proof_points};
use quincunx_engine::engine::Line;
use quincunx_engine::game::Game;
use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::score::Plies;
use quincunx_engine::threats::{ForcedWin, Proof, Solver, SolverLimits, WinKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The memory of the solver, in bytes.
const SOLVER_BYTES: usize = 64 << 20;

/// Everything that is certain about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionReport {
    /// The side to move.
    pub side: Color,
    /// The colour that has already won, if one has.
    pub won: Option<Color>,
    /// The threats of both sides. Empty if the game is over.
    pub threats: Vec<Threat>,
    /// The points that are forbidden to black, and why.
    pub forbidden: Vec<(Point, Forbidden)>,
    /// True if the side to move has a forced win.
    pub win: ForcedWin,
    /// True if its opponent would have one if the side to move passed.
    pub threatened: ForcedWin,
}

impl PositionReport {
    /// Reports on the position of a game. The solver may use this many nodes for each side's win.
    pub fn of(game: &Game, nodes: u64) -> PositionReport {
        let mut position = game.position().clone();
        let side = position.side();
        let forbidden = position.forbidden_points();
        let decided = game
            .result()
            .filter(|it| it.termination.comes_with_a_move());
        let won = decided.and_then(|result| result.winner);
        let over = won.is_some() || position.empty_points() == 0;
        let mut solver = Solver::new(SOLVER_BYTES);
        let mut solve = |position: &Position| {
            let limits = SolverLimits {
                nodes,
                stop: &mut || false,
            };
            match over {
                true => ForcedWin::None,
                false => solver.solve(position, WinKind::Any, limits).win,
            }
        };
        let win = solve(&position);
        let threats = match over {
            true => Vec::new(),
            false => threats(&position),
        };
        position.set_side(side.opponent());
        PositionReport {
            side,
            won,
            threats,
            forbidden,
            win,
            threatened: solve(&position),
        }
    }

    /// The report in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let (side, opponent) = (self.side, self.side.opponent());
        let mut sentences = Vec::new();
        sentences.extend(self.won.map(|winner| format!("{winner} has won")));
        sentences.extend(self.threats.iter().map(Threat::to_string));
        if !self.forbidden.is_empty() {
            let points = self.forbidden.iter();
            let points: Vec<String> = points
                .map(|(point, kind)| format!("{point} ({kind})"))
                .collect();
            sentences.push(format!("forbidden to black: {}", points.join(", ")));
        }
        match &self.win {
            ForcedWin::Proven(proof) => sentences.push(format!(
                "{side} wins in {}: {} ({} moves in the proof)",
                Plies(proof.plies()),
                proof_line(&proof.line()),
                proof.moves()
            )),
            ForcedWin::None => {}
            ForcedWin::Unknown => {
                sentences.push(format!("it is open whether {side} has a forced win"));
            }
        }
        if let ForcedWin::Proven(proof) = &self.threatened {
            sentences.push(format!(
                "{opponent} would win in {} if {side} passed: {}",
                Plies(proof.plies()),
                proof_line(&proof.line())
            ));
        }
        sentences
    }

    /// The report as a JSON object of the type `position`.
    pub fn json(&self) -> Value {
        json!({
            "type": "position",
            "side": self.side.to_string(),
            "won": self.won.map(|color| color.to_string()),
            "threats": self.threats.iter().map(threat).collect::<Vec<_>>(),
            "forbidden": (self.forbidden.iter())
                .map(|(point, kind)| json!({
                    "point": point.to_string(),
                    "kind": kind.to_string(),
                }))
                .collect::<Vec<_>>(),
            "win": win(&self.win),
            "threatened": win(&self.threatened),
        })
    }
}

fn threat(threat: &Threat) -> Value {
    json!({
        "color": threat.color.to_string(),
        "kind": threat.kind.name(),
        "points": names(&threat.points),
        "stones": names(&threat.stones),
    })
}

/// A forced win in JSON: null if there is none, `"unknown"` if that is open.
fn win(win: &ForcedWin) -> Value {
    match win {
        ForcedWin::Proven(proof) => json!(ProofSummary::from(proof)),
        ForcedWin::None => Value::Null,
        ForcedWin::Unknown => "unknown".into(),
    }
}

/// A proof without its tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofSummary {
    /// The plies to the five against the longest defence.
    pub plies: usize,
    /// The longest line. A reply that prevents nothing is [`Point::NONE`].
    #[serde(with = "proof_points")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub line: Vec<Point>,
    /// The number of the winner's moves.
    pub moves: u64,
}

impl From<&Proof> for ProofSummary {
    fn from(proof: &Proof) -> ProofSummary {
        ProofSummary {
            plies: proof.plies(),
            line: proof.line(),
            moves: proof.moves(),
        }
    }
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

/// A line of a search as a JSON object of the type `line`. The best has rank 1.
pub fn line_json(info: &Line) -> Value {
    json!({
        "type": "line",
        "depth": info.depth,
        "rank": info.rank + 1,
        "move": info.best().map(|point| point.to_string()),
        "score": info.score.units(),
        "plies": info.score.plies(),
        "win_chance": info.score.win_chance(),
        "line": names(&info.pv),
        "nodes": info.nodes,
    })
}

/// A line of a search as text: rank, depth, score, chance to win, nodes and moves.
pub fn line_text(info: &Line) -> String {
    format!(
        "{:>2}. depth {:>2}  {:>6}  {:>5}  {:>9} nodes  {}",
        info.rank + 1,
        info.depth,
        info.score.to_string(),
        per_cent(info.score.win_chance()),
        info.nodes,
        names(&info.pv).join(" ")
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    fn report(rule: Rule, moves: &str) -> PositionReport {
        let position = Position::from_moves(rule, BoardSize::default(), moves).unwrap();
        PositionReport::of(&Game::from_position(position), 50_000)
    }

    #[test]
    fn wins_of_both_sides_are_reported() {
        let told = report(Rule::Freestyle, "h8a1i8o15j8").sentences();
        assert_eq!(told[0], "black: open four at g8 or k8, with h8 i8 j8");
        let win = "black would win in 3 plies if white passed: g8 f8 k8";
        assert_eq!(told.last().unwrap(), win);
        let told = report(Rule::Freestyle, "h8a1i8o15j8a15").sentences();
        let last = told.last().unwrap();
        assert!(last.starts_with("black wins in 3 plies: "), "{told:?}");
        let won = report(Rule::Freestyle, "h8a1i8b1j8c1k8d1l8");
        assert_eq!(won.won, Some(Color::Black));
        assert_eq!(won.sentences(), ["black has won"]);
    }

    #[test]
    fn forbidden_points_are_reported_under_renju_alone() {
        let moves = "g8a1h7a3h9o1i8o3";
        let told = report(Rule::Renju, moves).sentences().join("\n");
        assert!(
            told.contains("forbidden to black: h8 (double three)"),
            "{told}"
        );
        assert_eq!(
            report(Rule::Renju, moves).json()["forbidden"][0]["point"],
            "h8"
        );
        assert!(report(Rule::Standard, moves).forbidden.is_empty());
    }
}
