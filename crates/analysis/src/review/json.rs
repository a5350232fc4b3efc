//! A review as a JSON object.

use super::text::FORMULA;
use super::{MoveClass, MoveReview, Review};
use crate::report::proof;
use crate::words::move_name;
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_records::GameRecord;
use serde_json::{Value, json};

impl Review {
    /// The review as a JSON object.
    pub fn json(&self) -> Value {
        let accuracy = |color| self.accuracy(color).map(rounded);
        json!({
            "rule": self.rule.name(),
            "size": self.record.size.to_string(),
            "setup": setup(&self.record),
            "black": self.record.black,
            "white": self.record.white,
            "opening": self.opening.map(|opening| opening.to_string()),
            "result": self.result.map(|result| result.to_string()),
            "winner": self.result.and_then(|result| result.winner).map(|it| it.to_string()),
            "nodes": self.limits.nodes,
            "proof_nodes": self.limits.proof_nodes,
            "nodes_taken": self.nodes,
            "thresholds": {
                "inaccuracy": MoveClass::INACCURACY,
                "mistake": MoveClass::MISTAKE,
            },
            "accuracy": {
                "black": accuracy(Color::Black),
                "white": accuracy(Color::White),
                "formula": FORMULA,
            },
            "last_escape": self.last_escape.map(|escape| json!({
                "number": escape.number,
                "instead": escape.instead.to_string(),
                "certain": escape.certain,
                "estimated": escape.estimated,
            })),
            "moves": self.moves.iter().map(MoveReview::json).collect::<Vec<_>>(),
        })
    }

    /// Whether the JSON of a review is of this game, with its moves, set-up, rule and board.
    /// The players and the result of the file may have changed since.
    pub fn is_of(json: &Value, record: &GameRecord) -> bool {
        let rule = record.rule.unwrap_or_default();
        let (Some(told), Ok(game)) = (json["moves"].as_array(), record.replay(rule)) else {
            return false;
        };
        let is_same = |(told, (color, point)): (&Value, (Color, Point))| {
            told["color"] == color.to_string() && told["move"] == move_name(point)
        };
        json["rule"] == rule.name()
            && json["size"] == record.size.to_string()
            // Reviews of earlier versions do not tell the set-up.
            && (json["setup"].is_null() || json["setup"] == setup(record))
            && told.len() == game.moves().len()
            && told.iter().zip(game.moves()).all(is_same)
    }
}

impl MoveReview {
    fn json(&self) -> Value {
        json!({
            "number": self.number,
            "color": self.color.to_string(),
            "move": move_name(self.point),
            "before": rounded(self.before),
            "after": rounded(self.after),
            "lost": rounded(self.lost()),
            "best": self.best.map(|point| point.to_string()),
            "line": names(&self.line),
            "class": self.class.name(),
            "win_missed": self.win_missed.as_ref().map(|missed| json!({
                "proof": proof(&missed.proof),
                "reply": missed.reply.map(|point| point.to_string()),
            })),
            "loss_allowed": self.loss_allowed.as_ref().map(|allowed| json!({
                "proof": proof(&allowed.proof),
                "instead": allowed.instead.to_string(),
            })),
            "forbidden": self.forbidden.map(|kind| kind.to_string()),
        })
    }
}

/// The board before the first move, and the side to move.
fn setup(record: &GameRecord) -> Value {
    let stones = |color| {
        let own = record.setup.iter().filter(|stone| stone.0 == color);
        let points: PointSet = own.map(|stone| stone.1).collect();
        names(&points.iter().collect::<Vec<_>>())
    };
    json!({
        "black": stones(Color::Black),
        "white": stones(Color::White),
        "first": record.first.to_string(),
    })
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(|&point| move_name(point)).collect()
}

/// A number rounded to four decimals, which is precise enough.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
