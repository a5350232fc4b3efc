//! The results of a search, as lines for people and for GUIs.

use quincunx_engine::engine::{Event, Line};
use quincunx_engine::gomocup::{Coordinates, Reply};
use quincunx_engine::rules::{BoardSize, Point};

/// The most moves of a line that are shown.
const SHOWN_MOVES: usize = 16;

/// The live output that INFO show_detail asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LiveOutput {
    /// Marks on the board: MESSAGE REALTIME.
    pub(super) marks: bool,
    /// The search in numbers: INFO lines.
    pub(super) numbers: bool,
}

impl From<i64> for LiveOutput {
    fn from(value: i64) -> Self {
        let value = value.clamp(0, 3);
        LiveOutput {
            marks: value & 1 != 0,
            numbers: value & 2 != 0,
        }
    }
}

/// One line about a search that is over.
pub(super) fn summary(info: &Line) -> Reply {
    Reply::Message(format!(
        "depth {}-{} | eval {} | nodes {} | time {} ms | {}",
        info.depth,
        info.seldepth,
        info.score,
        info.nodes,
        info.elapsed.as_millis(),
        words(&info.pv, Point::to_string),
    ))
}

/// The line for GUIs at the start of a search.
pub(super) fn beginning(detail: LiveOutput) -> Option<Reply> {
    detail.marks.then(refresh)
}

/// Removes the marks of moves that are searched or done.
fn refresh() -> Reply {
    Reply::Message("REALTIME REFRESH".to_owned())
}

/// The lines for GUIs about an event.
pub(super) fn lines(event: &Event, detail: LiveOutput, size: BoardSize) -> Vec<Reply> {
    let (word, point) = match *event {
        Event::Info(ref info) => return info_lines(info, detail, size),
        Event::Searching(point) => ("POS", point),
        Event::Searched(point, score) if score.is_loss() => ("LOST", point),
        Event::Searched(point, _) => ("DONE", point),
        Event::NewBest(point) => ("BEST", point),
        Event::Answer(..) | Event::Ended => return Vec::new(),
    };
    let wanted = detail.marks.then(|| mark(word, point, size));
    wanted.into_iter().collect()
}

fn info_lines(info: &Line, detail: LiveOutput, size: BoardSize) -> Vec<Reply> {
    let coordinates = |point: &Point| Coordinates::of(*point, size).to_string();
    let mut replies = Vec::new();
    if let (true, 0, Some(best)) = (detail.marks, info.rank, info.best()) {
        // Every iteration of a search for one line tries all moves again.
        replies.extend((info.lines == 1).then(refresh));
        replies.push(mark("BEST", best, size));
    }
    if detail.numbers {
        let time = info.elapsed.as_millis();
        let speed = u128::from(info.nodes) * 1000 / time.max(1);
        for (key, value) in [
            ("PV", info.rank.to_string()),
            ("NUMPV", info.lines.to_string()),
            ("DEPTH", info.depth.to_string()),
            ("SELDEPTH", info.seldepth.to_string()),
            ("NODES", info.nodes.to_string()),
            ("TOTALNODES", info.nodes.to_string()),
            ("TOTALTIME", time.to_string()),
            ("SPEED", speed.to_string()),
            ("EVAL", info.score.to_string()),
            ("WINRATE", format!("{:.4}", info.score.win_chance())),
            ("BESTLINE", words(&info.pv, coordinates)),
            ("PV", "DONE".to_owned()),
        ] {
            replies.push(Reply::Info(key.to_owned(), value));
        }
    }
    replies
}

fn mark(word: &str, point: Point, size: BoardSize) -> Reply {
    Reply::Message(format!("REALTIME {word} {}", Coordinates::of(point, size)))
}

fn words(line: &[Point], word: impl Fn(&Point) -> String) -> String {
    let words: Vec<String> = line.iter().take(SHOWN_MOVES).map(word).collect();
    words.join(" ")
}
