//! Random streams of commands against a model of what a manager may expect.
//!
//! Each request gets exactly one answer and each question one reply, in their
//! order; a request that is dropped gets none after that; every move is legal
//! and on a point that is not blocked; nothing panics, hangs or is said unasked.
//! `PROPTEST_CASES=100000 cargo test --release --test streams` tries that many.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx::position::Position;
use quincunx::protocol::session;
use quincunx::rules::{BoardSize, Color, Point, Rule};
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, Once};
use std::thread::JoinHandle;
use std::time::Duration;

/// Whoever is silent for so long hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a manager does next; numbers choose among what the position allows.
#[derive(Clone, Debug)]
enum Step {
    Start(u8, u8),
    Restart,
    Begin,
    Turn(u16),
    Board(Vec<(u16, u8)>),
    SetBoard(Vec<(u16, u8)>),
    Play(u16),
    TakeBack(u16),
    Swap2(u8, u16),
    GuidedSwap2(u8),
    Lines(u8),
    Defences,
    Balance(bool, i16),
    Block(Vec<u16>),
    Unblock(Vec<u16>),
    UnblockAll,
    Rule(u8),
    Hint(u8, u16),
    ThinkLong,
    ThinkShort,
    Question(u8),
    Nonsense(u8),
    Stop,
    Wait,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let stones = || proptest::collection::vec((any::<u16>(), 0..8u8), 0..12);
    let points = || proptest::collection::vec(any::<u16>(), 0..6);
    let step = prop_oneof![
        2 => (0..18u8, 0..18u8).prop_map(|(w, h)| Step::Start(w, h)),
        1 => Just(Step::Restart),
        1 => Just(Step::Begin),
        6 => any::<u16>().prop_map(Step::Turn),
        3 => stones().prop_map(Step::Board),
        2 => stones().prop_map(Step::SetBoard),
        1 => any::<u16>().prop_map(Step::Play),
        1 => any::<u16>().prop_map(Step::TakeBack),
        2 => (0..3u8, any::<u16>()).prop_map(|(n, at)| Step::Swap2(n, at)),
        1 => (1..=3u8).prop_map(Step::GuidedSwap2),
        2 => any::<u8>().prop_map(Step::Lines),
        1 => Just(Step::Defences),
        2 => (any::<bool>(), any::<i16>()).prop_map(|(pair, bias)| Step::Balance(pair, bias)),
        1 => points().prop_map(Step::Block),
        1 => points().prop_map(Step::Unblock),
        1 => Just(Step::UnblockAll),
        1 => (0..5u8).prop_map(Step::Rule),
        3 => (any::<u8>(), any::<u16>()).prop_map(|(key, value)| Step::Hint(key, value)),
        2 => Just(Step::ThinkLong),
        2 => Just(Step::ThinkShort),
        3 => any::<u8>().prop_map(Step::Question),
        3 => any::<u8>().prop_map(Step::Nonsense),
        3 => Just(Step::Stop),
        4 => Just(Step::Wait),
    ];
    proptest::collection::vec(step, 1..40)
}

/// What an answer has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A legal move.
    Move,
    /// Exactly this move.
    This(Point),
    /// So many stones, which stay off the board.
    Balance(usize),
    Swap2,
    Swap2Step(u8),
}

/// A request that is not answered yet.
#[derive(Clone, Debug)]
struct Request {
    /// The position it brings with it.
    board: Option<Board>,
    /// The stone it brings with it.
    turn: Option<Point>,
    wanted: Wanted,
    blocked: BTreeSet<Point>,
    /// It was refused before its turn came.
    refused: bool,
    /// A later command dropped it, unless the answer was there already.
    dropped: bool,
}

/// What a question is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Ok,
    About,
    Forbid,
    Message(&'static str),
    Complaint,
}

/// Stones in the order they came.
#[derive(Clone, Debug)]
struct Board {
    stones: Vec<(Option<Color>, Point)>,
    side: Color,
}

impl Board {
    const EMPTY: Board = Board {
        stones: Vec::new(),
        side: Color::Black,
    };

    fn is_empty(&self, point: Point) -> bool {
        self.stones.iter().all(|(_, stone)| *stone != point)
    }

    fn put(&mut self, point: Point) {
        self.stones.push((Some(self.side), point));
        self.side = self.side.opponent();
    }

    fn position(&self, rule: Rule, size: BoardSize) -> Position {
        let mut position = Position::new(rule, size);
        for &(color, point) in &self.stones {
            match color {
                Some(color) => position.place(color, point),
                None => position.block(point),
            }
        }
        position.set_side(self.side);
        position
    }
}

/// A manager with a model of what it has said and heard.
struct Manager {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    session: Option<JoinHandle<std::io::Result<()>>>,
    size: Option<BoardSize>,
    rule: Rule,
    board: Board,
    blocked: BTreeSet<Point>,
    requests: VecDeque<Request>,
    said: VecDeque<Said>,
    /// Complaints about requests that made no sense once their turn came.
    late_complaints: usize,
    /// Whether searches that begin now would take minutes.
    long: bool,
    /// Whether one of those is not answered yet.
    slow: bool,
    transcript: Vec<String>,
}

impl Manager {
    fn new() -> Manager {
        let (their_input, input) = pipe().unwrap();
        let (output, their_output) = pipe().unwrap();
        let session = std::thread::spawn(move || session::run(their_input, their_output));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut manager = Manager {
            input: Some(input),
            lines,
            session: Some(session),
            size: None,
            rule: Rule::Freestyle,
            board: Board::EMPTY,
            blocked: BTreeSet::new(),
            requests: VecDeque::new(),
            said: VecDeque::new(),
            late_complaints: 0,
            long: false,
            slow: false,
            transcript: Vec::new(),
        };
        manager.say("INFO max_memory 26000000\nINFO timeout_turn 3");
        manager
    }

    fn say(&mut self, text: &str) {
        self.transcript.push(format!("> {text}"));
        let mut input = self.input.as_ref().unwrap();
        input.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    fn fail(&self, why: &str) -> ! {
        panic!("{why} after\n{}", self.transcript.join("\n"));
    }

    /// Does a step, unless it makes no sense now.
    fn step(&mut self, step: &Step) {
        match step {
            Step::Start(width, height) => self.start(usize::from(*width), usize::from(*height)),
            Step::Question(which) => self.question(*which),
            Step::Nonsense(which) => self.nonsense(*which),
            Step::Hint(key, value) => self.hint(*key, *value),
            Step::Stop => self.say("STOP"),
            Step::Wait => self.wait(),
            Step::ThinkLong => self.think(600_000),
            Step::ThinkShort => self.think(3),
            _ => match self.size {
                None => self.too_early(step),
                Some(size) => self.game_step(step, size),
            },
        }
    }

    fn think(&mut self, turn: u32) {
        self.long = turn > 1000;
        self.say(&format!("INFO timeout_turn {turn}"));
    }

    fn start(&mut self, width: usize, height: usize) {
        // Small boards are full soon, which is when things go wrong.
        let (width, height) = (width % 14 + 3, height % 14 + 3);
        let (width, height) = if width > 12 {
            (15, 15)
        } else {
            (width, height)
        };
        self.say(&format!("RECTSTART {width},{height}"));
        match BoardSize::new(width, height) {
            Err(_) => self.said.push_back(Said::Complaint),
            Ok(size) => {
                self.drop_request();
                self.said.push_back(Said::Ok);
                self.settle();
                (self.size, self.board) = (Some(size), Board::EMPTY);
            }
        }
    }

    fn question(&mut self, which: u8) {
        let (text, said) = [
            ("ABOUT", Said::About),
            ("YXSHOWFORBID", Said::Forbid),
            ("YXHASHCLEAR", Said::Message("the hash table")),
            ("yxshowhashusage", Said::Message("the hash table")),
            ("YXHASHLOAD\nEND", Said::Complaint),
        ][usize::from(which) % 5];
        self.say(text);
        self.said.push_back(said);
    }

    /// Never obeyed, whatever the position.
    fn nonsense(&mut self, which: u8) {
        let text = [
            "HELLO",
            "7,7",
            "TURN",
            "TURN 99,1",
            "TURN 1,2,3",
            "BOARD 1,1 DONE",
            "BOARD\n1,1,1\n1,1,2\nDONE",
            "BOARD 1,1,1 99,0,2 DONE",
            "YXBOARD x DONE",
            "SWAP2BOARD 1,1 DONE",
            "SWAP2BOARD 1,1 1,1 1,1 DONE",
            "START 99",
            "START",
            "DONE",
            "INFO timeout_turn soon",
            "YXNBEST many",
            "YXBLOCK 99,99 DONE",
            "TAKEBACK -1,-1",
        ][usize::from(which) % 18];
        self.say(text);
        self.said.push_back(Said::Complaint);
    }

    /// Never answered.
    fn hint(&mut self, key: u8, value: u16) {
        let text = match key % 13 {
            0 => format!("INFO max_node {value}"),
            1 => format!("INFO max_depth {}", value % 12),
            2 => format!("INFO time_left {}", value % 400),
            3 => "INFO time_left 2147483647".to_owned(),
            4 => format!("INFO hash_size {}", value % 4096),
            5 => format!("INFO unheard_of {value}"),
            6 => "yxquerydatabaseallt\n0,0\nDONE".to_owned(),
            7 => "YXBLOCKPATH 7,7 DONE".to_owned(),
            8 => format!("INFO show_detail {}", value % 4),
            9 => format!("INFO pondering {}", value % 2),
            10 => format!("INFO strength {}", value % 120),
            11 => format!("INFO seed {value}"),
            _ => "\r\n \n".to_owned(),
        };
        self.say(&text);
    }

    /// There is no board yet.
    fn too_early(&mut self, step: &Step) {
        let text = match step {
            Step::Begin => "BEGIN",
            Step::Turn(_) => "TURN 1,1",
            Step::Restart => "RESTART",
            Step::Board(_) => "BOARD DONE",
            Step::SetBoard(_) => "YXBOARD DONE",
            Step::Lines(_) => "YXNBEST 2",
            Step::Balance(..) => "YXBALANCETWO",
            _ => return,
        };
        self.say(text);
        self.said.push_back(Said::Complaint);
    }

    fn game_step(&mut self, step: &Step, size: BoardSize) {
        match step {
            Step::Restart => {
                self.drop_request();
                self.say("RESTART");
                self.said.push_back(Said::Ok);
                self.settle();
                self.board = Board::EMPTY;
            }
            Step::Begin => {
                self.wait();
                self.say("BEGIN");
                if self.board.stones.is_empty() {
                    self.ask(None, None, Wanted::Move);
                } else {
                    self.said.push_back(Said::Complaint);
                }
            }
            Step::Turn(at) => self.put(*at, size, false),
            Step::Play(at) => self.put(*at, size, true),
            Step::Board(stones) => {
                let (text, board) = arrange(stones, size);
                self.say(&format!("BOARD{text} DONE"));
                self.ask(Some(board), None, Wanted::Move);
            }
            Step::SetBoard(stones) => {
                let (text, board) = arrange(stones, size);
                self.drop_request();
                // It has no reply of its own by which to know that it is done.
                self.say(&format!("YXBOARD{text} DONE\nABOUT"));
                self.said.push_back(Said::About);
                self.settle();
                self.board = board;
            }
            Step::TakeBack(at) => self.take_back(*at, size),
            Step::Swap2(count, at) => self.swap2([0, 3, 5][usize::from(*count)], *at, size),
            Step::GuidedSwap2(step) => {
                self.wait();
                self.say(&format!("YXSWAP2STEP{step}"));
                let stones = self.board.position(self.rule, size).ply();
                if stones == [0, 3, 5][usize::from(*step - 1)] {
                    self.board.side = [Color::Black, Color::White][stones % 2];
                    self.ask(None, None, Wanted::Swap2Step(*step));
                } else {
                    self.said.push_back(Said::Complaint);
                }
            }
            Step::Lines(count) => {
                self.say(&format!("YXNBEST {count}"));
                self.ask(None, None, Wanted::Move);
            }
            Step::Defences => {
                self.say("YXSEARCHDEFEND");
                self.ask(None, None, Wanted::Move);
            }
            Step::Balance(pair, bias) => {
                let word = if *pair { "TWO" } else { "ONE" };
                self.say(&format!("YXBALANCE{word} {bias}"));
                self.ask(None, None, Wanted::Balance(1 + usize::from(*pair)));
            }
            Step::Block(points) => self.block("YXBLOCK", points, size),
            Step::Unblock(points) => self.block("YXBLOCKUNDO", points, size),
            Step::UnblockAll => {
                self.wait();
                self.say("YXBLOCKRESET");
                self.blocked.clear();
            }
            Step::Rule(which) => {
                // A search that runs keeps the old rule.
                self.wait();
                let codes = [0, 1, 4, 8, 9];
                let rules = [
                    Rule::Freestyle,
                    Rule::ExactFive,
                    Rule::Renju,
                    Rule::CaroOverline,
                    Rule::Caro,
                ];
                self.say(&format!("INFO rule {}", codes[usize::from(*which)]));
                self.rule = rules[usize::from(*which)];
            }
            _ => (),
        }
    }

    fn put(&mut self, at: u16, size: BoardSize, own: bool) {
        let point = pick(at, size);
        let free = self.board.is_empty(point);
        let word = if own { "PLAY" } else { "TURN" };
        self.say(&format!("{word} {},{}", point.x(), point.y()));
        match (free, own) {
            (false, _) if self.requests.is_empty() => self.said.push_back(Said::Complaint),
            (_, true) => self.ask(None, None, Wanted::This(point)),
            (_, false) => self.ask(None, Some(point), Wanted::Move),
        }
    }

    fn take_back(&mut self, at: u16, size: BoardSize) {
        self.wait();
        let point = pick(at, size);
        self.say(&format!("TAKEBACK {},{}", point.x(), point.y()));
        let found = self
            .board
            .stones
            .iter()
            .position(|(_, stone)| *stone == point);
        match found.map(|index| (index, self.board.stones[index].0)) {
            Some((index, Some(color))) => {
                self.board.stones.remove(index);
                self.board.side = color;
                self.said.push_back(Said::Ok);
            }
            _ => self.said.push_back(Said::Complaint),
        }
    }

    fn swap2(&mut self, count: usize, at: u16, size: BoardSize) {
        let mut board = Board::EMPTY;
        let mut text = String::new();
        for index in 0..count as u16 {
            let mut point = pick(at.wrapping_add(index * 7), size);
            while !board.is_empty(point) {
                point = pick(index_of(point, size) + 1, size);
            }
            board.put(point);
            let colour = if at.is_multiple_of(2) { "" } else { ",1" };
            text += &format!("\n{},{}{colour}", point.x(), point.y());
        }
        self.say(&format!("SWAP2BOARD{text}\nDONE"));
        self.ask(Some(board), None, Wanted::Swap2);
    }

    fn block(&mut self, word: &str, points: &[u16], size: BoardSize) {
        self.wait();
        let mut text = word.to_owned();
        for &at in points {
            let point = pick(at, size);
            text += &format!(" {},{}", point.x(), point.y());
            if word == "YXBLOCK" {
                self.blocked.insert(point);
            } else {
                self.blocked.remove(&point);
            }
        }
        self.say(&(text + " DONE"));
    }

    fn ask(&mut self, board: Option<Board>, turn: Option<Point>, wanted: Wanted) {
        self.slow |= self.long;
        self.requests.push_back(Request {
            board,
            turn,
            wanted,
            blocked: self.blocked.clone(),
            refused: false,
            dropped: false,
        });
        self.begin_request();
    }

    /// Brings the board to where the first request is answered; drops those
    /// that are refused there.
    fn begin_request(&mut self) {
        let Some(size) = self.size else { return };
        while let Some(request) = self.requests.front_mut() {
            if let Some(board) = request.board.take() {
                self.board = board;
            }
            let turn = request.turn.take();
            let needed = match request.wanted {
                Wanted::Balance(stones) => stones,
                Wanted::Swap2 | Wanted::Swap2Step(_) => 3,
                Wanted::Move | Wanted::This(_) => 1,
            };
            let taken = |point: Point| !self.board.is_empty(point);
            let own = match request.wanted {
                Wanted::This(point) => Some(point),
                _ => None,
            };
            let refused = turn.or(own).is_some_and(taken);
            if !refused && let Some(point) = turn {
                self.board.put(point);
            }
            let room = size.points() - self.board.stones.len();
            if !refused && room >= needed {
                if request.refused {
                    self.fail("a complaint about nothing");
                }
                return;
            }
            self.late_complaints += usize::from(!request.refused);
            self.requests.pop_front();
        }
    }

    /// What was asked for last is not wanted any more.
    fn drop_request(&mut self) {
        let mut requests = self.requests.iter_mut().rev();
        if let Some(last) = requests.find(|request| !request.refused) {
            last.dropped = true;
        }
    }

    /// Waits until all that is due has come.
    fn wait(&mut self) {
        if self.slow && !self.requests.is_empty() {
            // Each request makes the one before it answer; the last needs this.
            self.say("STOP");
        }
        self.settle();
        self.slow = false;
    }

    fn settle(&mut self) {
        while !(self.requests.is_empty() && self.said.is_empty() && self.late_complaints == 0) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.hear(line),
                Err(_) => self.fail("silence"),
            }
        }
    }

    fn hear(&mut self, line: String) {
        self.transcript.push(format!("< {line}"));
        if let Some(step) = line.strip_prefix("MESSAGE SWAP2 ") {
            return self.hear_step(step);
        }
        let complaint = ["ERROR ", "UNKNOWN ", "MESSAGE ERROR ", "MESSAGE UNKNOWN "]
            .iter()
            .any(|start| line.starts_with(start));
        let said = if line == "OK" {
            Some(Said::Ok)
        } else if line.starts_with("name=") {
            Some(Said::About)
        } else if line.starts_with("FORBID ") {
            Some(Said::Forbid)
        } else if complaint {
            Some(Said::Complaint)
        } else {
            None
        };
        match (said, self.said.front()) {
            (Some(said), Some(expected)) if said == *expected => self.be_told(),
            (Some(Said::Complaint), _) if self.late_complaints > 0 => self.late_complaints -= 1,
            (Some(Said::Complaint), _) => self.hear_refusal(),
            (Some(_), _) => self.fail("an unexpected reply"),
            (None, Some(Said::Message(start)))
                if line
                    .strip_prefix("MESSAGE ")
                    .is_some_and(|text| text.starts_with(start)) =>
            {
                self.be_told();
            }
            (None, _) if line.starts_with("MESSAGE ") || line.starts_with("INFO ") => (),
            (None, _) => self.hear_answer(&line),
        }
    }

    /// A reply came: the last one after a request was dropped says that no
    /// answer will follow.
    fn be_told(&mut self) {
        self.said.pop_front();
        if self.said.is_empty() && self.requests.front().is_some_and(|request| request.dropped) {
            self.requests.pop_front();
            self.begin_request();
        }
    }

    /// A stone on a taken point is refused at once, however many answers are
    /// due before it.
    fn hear_refusal(&mut self) {
        let brings_stone =
            |request: &Request| request.turn.is_some() || matches!(request.wanted, Wanted::This(_));
        let waits = |request: &Request| brings_stone(request) && !request.refused;
        let Some(index) = (1..self.requests.len()).find(|&index| waits(&self.requests[index]))
        else {
            self.fail("an unexpected complaint")
        };
        let refused = &mut self.requests[index];
        refused.refused = true;
        if std::mem::take(&mut refused.dropped) {
            // What came to nothing could not be dropped: the one before was.
            let mut earlier = self.requests.iter_mut().take(index).rev();
            if let Some(earlier) = earlier.find(|request| !request.refused) {
                earlier.dropped = true;
            }
        }
    }

    fn hear_answer(&mut self, line: &str) {
        let Some(size) = self.size else {
            self.fail("an answer without a board")
        };
        let Some(request) = self.requests.pop_front() else {
            self.fail("an answer that nobody asked for")
        };
        let stones: Option<Vec<Point>> = match line {
            "SWAP" => Some(Vec::new()),
            _ => line
                .split(' ')
                .map(|word| coordinates(word, size))
                .collect(),
        };
        let Some(stones) = stones else {
            self.fail("a line that is no answer")
        };
        let before = self
            .board
            .stones
            .iter()
            .filter(|(color, _)| color.is_some())
            .count();
        let fits = match request.wanted {
            Wanted::Move => stones.len() == 1,
            Wanted::This(point) => stones == [point],
            Wanted::Balance(count) => stones.len() == count,
            Wanted::Swap2 => match before {
                0 => stones.len() == 3,
                3 => stones.len() <= 2,
                _ => stones.len() <= 1,
            },
            Wanted::Swap2Step(_) => false,
        };
        if !fits {
            self.fail("an answer to something else");
        }
        let kept = self.board.clone();
        for &point in &stones {
            if !matches!(request.wanted, Wanted::This(_)) {
                self.check(point, &request.blocked, size);
            }
            self.board.put(point);
        }
        if matches!(request.wanted, Wanted::Balance(_)) {
            self.board = kept;
        }
        self.begin_request();
    }

    /// Fails unless the point is legal and not blocked, as far as others are.
    fn check(&self, point: Point, blocked: &BTreeSet<Point>, size: BoardSize) {
        let mut position = self.board.position(self.rule, size);
        if !position.is_empty(point) {
            self.fail("a taken point");
        }
        let legal: Vec<Point> = size
            .iter()
            .filter(|&point| position.is_legal(point))
            .collect();
        if !legal.is_empty() && !legal.contains(&point) {
            self.fail("an illegal move");
        }
        let others = legal.iter().any(|point| !blocked.contains(point));
        if others && blocked.contains(&point) {
            self.fail("a blocked point");
        }
    }

    fn hear_step(&mut self, text: &str) {
        let Some(Wanted::Swap2Step(step)) = self.requests.front().map(|request| request.wanted)
        else {
            self.fail("a step of swap2 that nobody asked for")
        };
        let ends: &[&str] = match step {
            1 => &["MOVE3"],
            2 => &["SWAP1", "MOVE5"],
            _ => &["SWAP2"],
        };
        if ends.iter().any(|end| text.starts_with(end)) {
            self.requests.pop_front();
            self.begin_request();
        }
    }

    /// Leaves: politely, and then nothing more may be said, or in the middle of
    /// whatever goes on.
    fn leave(mut self, politely: bool) -> String {
        if politely {
            self.wait();
            self.say("END");
        }
        self.input = None;
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if politely => self.fail(&format!("'{line}' at the end")),
                Ok(_) => (),
                Err(RecvTimeoutError::Timeout) => self.fail("no end"),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.session.take().unwrap().join().unwrap().unwrap();
        self.transcript.join("\n")
    }
}

/// Any point of the board, the same for the same number.
fn pick(at: u16, size: BoardSize) -> Point {
    let index = usize::from(at) % size.points();
    Point::new(index % size.width(), index / size.width())
}

fn index_of(point: Point, size: BoardSize) -> u16 {
    (point.y() * size.width() + point.x()) as u16
}

fn coordinates(word: &str, size: BoardSize) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    size.point(x.parse().ok()?, y.parse().ok()?)
}

/// Different points with owners, as text and as stones.
fn arrange(stones: &[(u16, u8)], size: BoardSize) -> (String, Board) {
    let mut board = Board::EMPTY;
    let mut text = String::new();
    let mut own = None;
    for (number, &(at, owner)) in stones.iter().enumerate() {
        let point = pick(at, size);
        if !board.is_empty(point) {
            continue;
        }
        let owner = match owner {
            0 => 3,
            1 => 1,
            2 => 2,
            _ => 1 + number % 2,
        };
        if owner != 3 && own.is_none() {
            own = Some([Color::Black, Color::White][owner - 1]);
        }
        let own = own.unwrap_or(Color::Black);
        let color = [Some(own), Some(own.opponent()), None][owner - 1];
        board.stones.push((color, point));
        text += &format!(" {},{},{owner}", point.x(), point.y());
    }
    board.side = own.unwrap_or(Color::Black);
    (text, board)
}

/// Panics of the engine's own threads and errors that it logs: both are caught
/// there, so that a game can go on, and neither may happen.
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Faults;

impl log::Log for Faults {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Error
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            FAULTS.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn faults() -> Vec<String> {
    std::mem::take(&mut FAULTS.lock().unwrap())
}

fn record_faults() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Faults).unwrap();
        log::set_max_level(log::LevelFilter::Error);
    });
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_stream_is_answered_as_the_model_says(
        steps in steps(),
        politely in any::<bool>(),
    ) {
        record_faults();
        let mut manager = Manager::new();
        for step in &steps {
            manager.step(step);
        }
        let transcript = manager.leave(politely);
        prop_assert_eq!(faults(), Vec::<String>::new(), "after\n{}", transcript);
    }

    /// No model at all: lines in any order, cut anywhere, then the end.
    #[test]
    fn any_lines_are_survived(
        lines in proptest::collection::vec(line(), 0..60),
        cut in 0..40usize,
    ) {
        record_faults();
        let mut text = String::from("INFO max_memory 26000000\nINFO timeout_turn 2\n");
        text += &lines.concat();
        let mut bytes = text.into_bytes();
        bytes.truncate(bytes.len().saturating_sub(cut));
        let requests = lines.len() + 1;
        let mut output = Vec::new();
        session::run(std::io::Cursor::new(bytes), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let starts = ["OK", "ERROR ", "UNKNOWN ", "MESSAGE ", "INFO ", "FORBID ", "SWAP", "name="];
        let moves = output.lines().filter(|line| {
            let known = starts.iter().any(|start| line.starts_with(start));
            let numbers = line.split([',', ' ']).all(|number| number.parse::<usize>().is_ok());
            assert!(known || numbers, "{line}");
            numbers
        });
        prop_assert!(moves.count() <= requests);
        prop_assert_eq!(faults(), Vec::<String>::new());
    }
}

fn line() -> impl Strategy<Value = String> {
    let words = proptest::sample::select(vec![
        "START 5",
        "START 15",
        "BEGIN",
        "TURN 2,2",
        "TURN 1,1",
        "BOARD",
        "YXBOARD",
        "DONE",
        "1,1,1",
        "2,2,2",
        "3,3,3",
        "7,7",
        "SWAP2BOARD",
        "YXBLOCK",
        "YXNBEST 3",
        "YXBALANCETWO",
        "YXSEARCHDEFEND",
        "YXHASHLOAD",
        "STOP",
        "RESTART",
        "TAKEBACK 1,1",
        "INFO rule 4",
        "INFO max_node 50",
        "INFO show_detail 3",
        "INFO pondering 1",
        "INFO strength 20",
        "yxedittextdatabase \"a\"",
        "PLAY 3,3",
        "YXSWAP2STEP2",
        "YXSHOWFORBID",
        "\u{0}\u{ff}",
        "ABOUT",
    ]);
    prop_oneof![
        9 => (words, prop_oneof![Just("\n"), Just("\r\n"), Just("\r"), Just(" "), Just("")])
            .prop_map(|(word, end)| format!("{word}{end}")),
        1 => "\\PC{0,30}\n",
    ]
}
