//! A thought as lines for people and for GUIs.

use super::message::{Coordinates, Reply};
use crate::engine::Thought;
use crate::rules::Point;

/// The longest line of moves that is shown.
const SHOWN_MOVES: usize = 16;

/// What INFO show_detail asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Detail {
    /// Marks on the board: MESSAGE REALTIME.
    pub(super) marks: bool,
    /// The search in numbers: INFO lines.
    pub(super) numbers: bool,
}

impl From<i64> for Detail {
    fn from(value: i64) -> Self {
        Detail {
            marks: value & 1 != 0,
            numbers: value & 2 != 0,
        }
    }
}

/// One line about a search that is over.
pub(super) fn summary(thought: &Thought) -> Reply {
    Reply::Message(format!(
        "depth {}-{} | eval {} | nodes {} | time {} ms | {}",
        thought.depth,
        thought.selective,
        thought.score,
        thought.nodes,
        thought.elapsed.as_millis(),
        words(&thought.line, Point::to_string),
    ))
}

/// What GUIs show before the first depth is finished.
pub(super) fn beginning(detail: Detail) -> Option<Reply> {
    detail
        .marks
        .then(|| Reply::Message("REALTIME REFRESH".to_owned()))
}

/// What GUIs show after a depth.
pub(super) fn progress(thought: &Thought, detail: Detail) -> Vec<Reply> {
    let coordinates = |point: &Point| Coordinates::from(*point).to_string();
    let mut replies = Vec::new();
    if let (true, Some(best)) = (detail.marks, thought.line.first()) {
        replies.push(Reply::Message(format!(
            "REALTIME BEST {}",
            coordinates(best)
        )));
    }
    if detail.numbers {
        let time = thought.elapsed.as_millis();
        let speed = u128::from(thought.nodes) * 1000 / time.max(1);
        for (key, value) in [
            ("PV", "0".to_owned()),
            ("NUMPV", "1".to_owned()),
            ("DEPTH", thought.depth.to_string()),
            ("SELDEPTH", thought.selective.to_string()),
            ("NODES", thought.nodes.to_string()),
            ("TOTALNODES", thought.nodes.to_string()),
            ("TOTALTIME", time.to_string()),
            ("SPEED", speed.to_string()),
            ("EVAL", thought.score.to_string()),
            ("BESTLINE", words(&thought.line, coordinates)),
            ("PV", "DONE".to_owned()),
        ] {
            replies.push(Reply::Info(key.to_owned(), value));
        }
    }
    replies
}

fn words(line: &[Point], word: impl Fn(&Point) -> String) -> String {
    let words: Vec<String> = line.iter().take(SHOWN_MOVES).map(word).collect();
    words.join(" ")
}
