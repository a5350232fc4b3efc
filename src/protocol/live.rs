//! A thought as lines for people and for GUIs.

use super::message::{Coordinates, Reply};
use crate::engine::{Event, Score, Thought};
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
    detail.marks.then(refresh)
}

/// Takes away the marks of moves that are searched or done.
fn refresh() -> Reply {
    Reply::Message("REALTIME REFRESH".to_owned())
}

/// What GUIs show of something that happened in a search.
pub(super) fn lines(event: &Event, detail: Detail) -> Vec<Reply> {
    let (word, point) = match *event {
        Event::Progress(_, ref thought) => return progress(thought, detail),
        Event::Trying(_, point) => ("POS", point),
        Event::Tried(_, point, score) if score.is_loss() => ("LOST", point),
        Event::Tried(_, point, _) => ("DONE", point),
        Event::Preferred(_, point) => ("BEST", point),
        Event::Answer(..) => return Vec::new(),
    };
    let wanted = detail.marks.then(|| mark(word, point));
    wanted.into_iter().collect()
}

fn progress(thought: &Thought, detail: Detail) -> Vec<Reply> {
    let coordinates = |point: &Point| Coordinates::from(*point).to_string();
    let mut replies = Vec::new();
    if let (true, 0, Some(&best)) = (detail.marks, thought.rank, thought.line.first()) {
        // A search for one line begins with every move anew.
        replies.extend((thought.lines == 1).then(refresh));
        replies.push(mark("BEST", best));
    }
    if detail.numbers {
        let time = thought.elapsed.as_millis();
        let speed = u128::from(thought.nodes) * 1000 / time.max(1);
        for (key, value) in [
            ("PV", thought.rank.to_string()),
            ("NUMPV", thought.lines.to_string()),
            ("DEPTH", thought.depth.to_string()),
            ("SELDEPTH", thought.selective.to_string()),
            ("NODES", thought.nodes.to_string()),
            ("TOTALNODES", thought.nodes.to_string()),
            ("TOTALTIME", time.to_string()),
            ("SPEED", speed.to_string()),
            ("EVAL", thought.score.to_string()),
            ("WINRATE", format!("{:.4}", chance(thought.score))),
            ("BESTLINE", words(&thought.line, coordinates)),
            ("PV", "DONE".to_owned()),
        ] {
            replies.push(Reply::Info(key.to_owned(), value));
        }
    }
    replies
}

fn mark(word: &str, point: Point) -> Reply {
    Reply::Message(format!("REALTIME {word} {}", Coordinates::from(point)))
}

/// The chance to win that a score stands for.
fn chance(score: Score) -> f64 {
    if score.is_decided() {
        return f64::from(u8::from(score.is_win()));
    }
    1.0 / (1.0 + (-f64::from(score.units()) / f64::from(Score::LOGIT)).exp())
}

fn words(line: &[Point], word: impl Fn(&Point) -> String) -> String {
    let words: Vec<String> = line.iter().take(SHOWN_MOVES).map(word).collect();
    words.join(" ")
}
