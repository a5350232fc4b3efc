//! A manager that does as its steps say, as far as they make sense, and knows
//! what is due for that.

use crate::board::{Board, arrange, index_of, pick};
use crate::model::{ExpectedReply, Request, Wanted};
use crate::notes::Notes;
use crate::pipes::{Input, Output};
use crate::step::Step;
use quincunx::protocol;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_testing::weights::weights;
use std::collections::{BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// An engine that is silent for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A manager with a model of what it has said and heard.
pub(crate) struct Manager {
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<String>,
    session: Option<JoinHandle<std::io::Result<()>>>,
    pub(crate) size: Option<BoardSize>,
    pub(crate) rule: Rule,
    pub(crate) board: Board,
    pub(crate) blocked: BTreeSet<Point>,
    pub(crate) requests: VecDeque<Request>,
    pub(crate) expected_replies: VecDeque<ExpectedReply>,
    /// Complaints about requests that made no sense once their turn came.
    pub(crate) late_complaints: usize,
    /// How far searches go that are not to take long; 0 is by time alone.
    nodes: u32,
    /// Whether searches that begin now would take minutes.
    long: bool,
    /// Whether one of those is not answered yet.
    slow: bool,
    pub(crate) transcript: Vec<String>,
    /// How much of it is from the stream before.
    begun: usize,
    pub(crate) notes: Notes,
    commands: u64,
}

impl Manager {
    /// One who lets the engine think for milliseconds.
    pub(crate) fn new() -> Manager {
        Manager::with_nodes(0)
    }

    /// One who lets it think for so many nodes, for speed.
    pub(crate) fn with_nodes(nodes: u32) -> Manager {
        let (input, pieces) = channel();
        let (output, lines) = Output::new();
        let session = std::thread::spawn(move || {
            let input = Input {
                pieces,
                rest: VecDeque::new(),
            };
            protocol::run(weights(), None, Vec::new(), input, output)
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
            expected_replies: VecDeque::new(),
            late_complaints: 0,
            nodes,
            long: false,
            slow: false,
            transcript: Vec::new(),
            begun: 0,
            notes: Notes::default(),
            commands: 0,
        };
        manager.say("INFO max_memory 30000000");
        manager.think(3);
        manager
    }

    /// Begins with another stream in the same session, from a state that does
    /// not depend on the one before.
    pub(crate) fn begin_again(&mut self, size: BoardSize) {
        self.wait();
        // What the stream before began may show its faults later.
        self.transcript.drain(..self.begun);
        self.begun = self.transcript.len();
        self.think(3);
        self.say("INFO time_left 2147483647\nINFO max_depth 0\nINFO rule 0\nYXBLOCKRESET");
        self.rule = Rule::Freestyle;
        self.blocked.clear();
        self.start(size.width() - 3, size.height() - 3);
    }

    /// How many commands were sent.
    pub(crate) fn commands(&self) -> u64 {
        self.commands
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.transcript.push(format!("> {text}"));
        self.commands += 1;
        let input = self.input.as_ref().unwrap();
        input.send(format!("{text}\n").into_bytes()).unwrap();
    }

    pub(crate) fn fail(&self, why: &str) -> ! {
        panic!("{why} after\n{}", self.transcript.join("\n"));
    }

    /// Does a step, unless it makes no sense now.
    pub(crate) fn step(&mut self, step: &Step) {
        match step {
            Step::Start(width, height) => self.start(usize::from(*width), usize::from(*height)),
            Step::Question(which) => self.question(*which),
            Step::Nonsense(which) => self.nonsense(*which),
            Step::Database(which, value, points) => self.database(*which, *value, points),
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
        if self.nodes > 0 {
            let nodes = if self.long { 0 } else { self.nodes };
            self.say(&format!("INFO max_node {nodes}"));
        }
    }

    fn start(&mut self, width: usize, height: usize) {
        // Small boards are full soon, which is when things go wrong.
        let (width, height) = (width % 14 + 3, height % 14 + 3);
        let (width, height) = match width.max(height) {
            ..=7 => (width, height),
            // Few nodes are for speed, and so are small boards.
            side if self.nodes > 0 && side < 16 => (width % 3 + 5, height % 3 + 5),
            _ if width > 12 => (15, 15),
            _ => (width, height),
        };
        self.say(&format!("RECTSTART {width},{height}"));
        match BoardSize::new(width, height) {
            Err(_) => self.expected_replies.push_back(ExpectedReply::Error),
            Ok(size) => {
                self.drop_request();
                self.expected_replies.push_back(ExpectedReply::Ok);
                self.settle();
                if self.size != Some(size) {
                    self.blocked.clear();
                }
                (self.size, self.board) = (Some(size), Board::EMPTY);
            }
        }
    }

    fn question(&mut self, which: u8) {
        let (text, expected_replies) = [
            ("ABOUT", ExpectedReply::About),
            ("YXSHOWFORBID", ExpectedReply::Forbid),
            ("YXHASHCLEAR", ExpectedReply::Message("the hash table")),
            ("yxshowhashusage", ExpectedReply::Message("the hash table")),
            ("YXHASHLOAD\nEND", ExpectedReply::Error),
        ][usize::from(which) % 5];
        self.say(text);
        self.expected_replies.push_back(expected_replies);
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
        self.expected_replies.push_back(ExpectedReply::Error);
    }

    /// Never answered.
    fn hint(&mut self, key: u8, value: u16) {
        let text = match key % 14 {
            0 if self.nodes > 0 => format!("INFO max_node {}", u32::from(value) % self.nodes + 1),
            0 => format!("INFO max_node {value}"),
            1 => format!("INFO max_depth {}", value % 12),
            2 => format!("INFO time_left {}", value % 400),
            3 => "INFO time_left 2147483647".to_owned(),
            4 => format!("INFO hash_size {}", value % 4096),
            5 => format!("INFO unheard_of {value}"),
            6 => "INFO caution_factor 3".to_owned(),
            7 => "YXBLOCKPATH 7,7 DONE".to_owned(),
            8 => format!("INFO show_detail {}", value % 4),
            9 => format!("INFO pondering {}", value % 2),
            10 => format!("INFO thread_num {}", value % 8 / 6 + 1),
            11 => format!("INFO strength {}", value % 120),
            12 => format!("INFO seed {value}"),
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
        self.expected_replies.push_back(ExpectedReply::Error);
    }

    fn game_step(&mut self, step: &Step, size: BoardSize) {
        match step {
            Step::Restart => {
                self.drop_request();
                self.say("RESTART");
                self.expected_replies.push_back(ExpectedReply::Ok);
                self.settle();
                self.board = Board::EMPTY;
            }
            Step::Begin => {
                self.wait();
                self.say("BEGIN");
                if self.board.stones.is_empty() {
                    self.ask(None, None, Wanted::Move);
                } else {
                    self.expected_replies.push_back(ExpectedReply::Error);
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
                self.expected_replies.push_back(ExpectedReply::About);
                self.settle();
                self.board = board;
            }
            Step::TakeBack(at) => self.take_back(*at, size),
            // A search for an opening takes as long as ten others.
            Step::Swap2(_, at) if self.nodes > 0 && !at.is_multiple_of(8) => (),
            Step::Swap2(count, at) => self.swap2([0, 3, 5][usize::from(*count)], *at, size),
            Step::GuidedSwap2(step) => {
                self.wait();
                self.say(&format!("YXSWAP2STEP{step}"));
                if *step == 1 {
                    self.board = Board::EMPTY;
                }
                let stones = self.board.position(self.rule, size).ply();
                if stones == [0, 3, 5][usize::from(*step - 1)] {
                    self.board.side = [Color::Black, Color::White][stones % 2];
                    self.ask(None, None, Wanted::Swap2Step(*step));
                } else {
                    self.expected_replies.push_back(ExpectedReply::Error);
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
                    Rule::Standard,
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
            (false, _) if self.requests.is_empty() => {
                self.expected_replies.push_back(ExpectedReply::Error)
            }
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
                self.expected_replies.push_back(ExpectedReply::Ok);
            }
            _ => self.expected_replies.push_back(ExpectedReply::Error),
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

    /// What was asked for last is not wanted any more.
    fn drop_request(&mut self) {
        let mut requests = self.requests.iter_mut().rev();
        if let Some(last) = requests.find(|request| !request.refused) {
            last.dropped = true;
        }
    }

    /// Waits until all that is due has come.
    pub(crate) fn wait(&mut self) {
        if self.slow && !self.requests.is_empty() {
            // Each request makes the one before it answer; the last needs this.
            self.say("STOP");
        }
        self.settle();
        self.slow = false;
    }

    fn settle(&mut self) {
        while !(self.requests.is_empty()
            && self.expected_replies.is_empty()
            && self.late_complaints == 0)
        {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.receive(line),
                Err(_) => self.fail("silence"),
            }
        }
    }

    /// Leaves: politely, and then nothing more may be said, or in the middle of
    /// whatever goes on.
    pub(crate) fn leave(mut self, politely: bool) -> String {
        if politely {
            self.wait();
            self.say("END");
        }
        self.input = None;
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                // What is said after OK, and of a strength above 100.
                Ok(line) if line.starts_with("MESSAGE rule ") => (),
                Ok(line) if line.starts_with("MESSAGE strength ") => (),
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
