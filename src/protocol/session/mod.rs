//! A manager's session with the engine.
//!
//! Lines and the engine's events arrive through one channel and are handled
//! one after another; the thread that reads never searches, the thread that
//! searches never writes. So STOP, END and the end of input are heard at once
//! whatever goes on, and every line of output comes from here.
//!
//! Each request for a move gets exactly one move line. A new request while one
//! is being answered makes the search answer first; any other command that
//! changes the position drops the search, and its late answer is never seen.

use super::dialect::{Dialect, rule_of};
use super::input::{Input, read};
use super::live::{self, Detail};
use super::message::{Command, Coordinates, Form, Info, Key, Owner, ParseError, Placement, Reply};
use super::output::{Output, about};
use crate::engine::{
    BoardFull, Choice, Engine, Event, Patience, PlayError, Request, Started, Stone,
};
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::channel;
use std::time::Instant;

/// The largest table a GUI may choose, as a power of two in KiB.
const MAX_HASH_POWER: u32 = 22;

/// Obeys the commands of `input` until END or its end.
///
/// # Errors
/// When the engine's thread can't be started or the output fails.
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, incoming) = channel();
    let events = sender.clone();
    let engine = Engine::new(move |event| {
        // A session that is over hears nothing any more.
        let _ = events.send(Incoming::Event(event));
    })?;
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let sent = read(input, |input| sender.send(Incoming::Input(input)));
            if sent.is_ok() {
                let _ = sender.send(Incoming::Closed);
            }
        })?;
    let mut session = Session::new(engine, output);
    for item in incoming {
        let flow = match item {
            Incoming::Input(input) => session.accept(input),
            Incoming::Event(event) => session.hear(event),
            Incoming::Closed => break,
        };
        match flow {
            Ok(Flow::Leave) => break,
            Ok(Flow::Next | Flow::Hold) => (),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

enum Incoming {
    Input(Input),
    Event(Event),
    Closed,
}

/// What comes after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// The command has to wait for the answer that is due.
    Hold,
    Leave,
}

/// Why a command was not obeyed.
enum Trouble {
    Refused(String),
    Output(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Output(error)
    }
}

impl From<PlayError> for Trouble {
    fn from(error: PlayError) -> Self {
        Trouble::Refused(match error {
            PlayError::OffBoard(point) => format!("{} is off the board", Coordinates::from(point)),
            PlayError::Taken(point) => format!("{} is taken", Coordinates::from(point)),
            PlayError::NoStone(point) => format!("{} has no stone", Coordinates::from(point)),
        })
    }
}

impl From<BoardFull> for Trouble {
    fn from(error: BoardFull) -> Self {
        Trouble::Refused(error.to_string())
    }
}

fn refused<T>(text: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Refused(text.into()))
}

struct Session<W: Write> {
    engine: Engine,
    output: Output<W>,
    /// The request whose answer is due.
    awaited: Option<Request>,
    /// Commands that came after one that waits for that answer, and it.
    held: VecDeque<Input>,
    /// Whether there was a START.
    playing: bool,
    dialect: Dialect,
    rule_code: i64,
    detail: Detail,
}

impl<W: Write> Session<W> {
    fn new(engine: Engine, output: W) -> Self {
        Session {
            engine,
            output: Output::new(output),
            awaited: None,
            held: VecDeque::new(),
            playing: false,
            dialect: Dialect::default(),
            rule_code: 0,
            detail: Detail::default(),
        }
    }

    fn accept(&mut self, input: Input) -> io::Result<Flow> {
        log::debug!("> {:?}", input.parsed);
        if input.parsed == Ok(Command::End) {
            return Ok(Flow::Leave);
        }
        if !self.held.is_empty() {
            self.held.push_back(input);
            return Ok(Flow::Next);
        }
        let flow = self.obey(&input)?;
        if flow == Flow::Hold {
            self.held.push_front(input);
        }
        Ok(flow)
    }

    fn hear(&mut self, event: Event) -> io::Result<Flow> {
        match event {
            Event::Progress(request, thought) if self.awaited == Some(request) => {
                for reply in live::progress(&thought, self.detail) {
                    self.output.send(&reply)?;
                }
            }
            Event::Answer(request, choice) if self.awaited == Some(request) => {
                self.awaited = None;
                self.answer(&choice)?;
                while let Some(input) = self.held.pop_front() {
                    if self.obey(&input)? == Flow::Hold {
                        self.held.push_front(input);
                        break;
                    }
                }
            }
            Event::Progress(..) | Event::Answer(..) => (),
        }
        Ok(Flow::Next)
    }

    fn obey(&mut self, input: &Input) -> io::Result<Flow> {
        let complaint = match &input.parsed {
            Ok(command) => match self.try_to_obey(command, input.read_at) {
                Ok(flow) => return Ok(flow),
                Err(Trouble::Output(error)) => return Err(error),
                Err(Trouble::Refused(text)) => Reply::Error(text),
            },
            Err(error @ ParseError::Unknown(_)) => Reply::Unknown(error.to_string()),
            Err(error) => Reply::Error(error.to_string()),
        };
        // While a move is due some managers take any other line for one and
        // end the game; messages they pass over.
        let complaint = match self.awaited {
            Some(_) => Reply::Message(complaint.to_string()),
            None => complaint,
        };
        self.output.send(&complaint)?;
        Ok(Flow::Next)
    }

    fn try_to_obey(&mut self, command: &Command, read_at: Instant) -> Result<Flow, Trouble> {
        match command {
            Command::Start { width, height } => self.new_game(*width, *height)?,
            Command::Restart => {
                self.expect_game()?;
                let size = self.engine.position().size();
                self.new_game(size.width() as i64, size.height() as i64)?;
            }
            Command::Begin => return self.begin(read_at),
            Command::Turn(at) => return self.turn(*at, read_at),
            Command::Play(at) => return self.play(*at),
            Command::Board(stones) => return self.board(stones, read_at),
            Command::SetBoard(stones) => {
                self.meet_gui();
                self.expect_game()?;
                let position = self.set_up(stones)?;
                self.drop_search();
                self.engine.set_position(position);
            }
            Command::TakeBack(at) => {
                self.expect_game()?;
                let point = self.on_board(*at)?;
                self.engine.take_back(point)?;
                self.drop_search();
                self.output.send(&Reply::Ok)?;
            }
            Command::Info(info) => self.inform(info),
            Command::About => self.output.send(&Reply::About(about()))?,
            Command::End => return Ok(Flow::Leave),
            Command::Stop => self.engine.stop(),
            Command::ShowForbidden => self.output.send(&self.forbidden_points())?,
            Command::ShowInfo => {
                self.meet_gui();
                self.message("INFO MAX_THREAD_NUM 1")?;
                self.message(&format!("INFO MAX_HASH_SIZE {MAX_HASH_POWER}"))?;
            }
            Command::ClearHash => {
                self.engine.forget();
                self.message("the hash table is empty")?;
            }
            Command::Foreign(text) => self.pass_over(text)?,
        }
        Ok(Flow::Next)
    }

    fn new_game(&mut self, width: i64, height: i64) -> Result<(), Trouble> {
        let size = (usize::try_from(width).ok()).zip(usize::try_from(height).ok());
        match size.map(|(width, height)| BoardSize::new(width, height)) {
            Some(Ok(size)) => {
                self.drop_search();
                self.engine.new_game(size);
                self.playing = true;
                Ok(self.output.send(&Reply::Ok)?)
            }
            Some(Err(error)) => refused(error.to_string()),
            None => refused(format!("a board of {width} by {height} makes no sense")),
        }
    }

    fn begin(&mut self, read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let position = self.engine.position();
        if position.empty_points() < position.size().points() {
            return refused("BEGIN needs an empty board, use BOARD or TURN");
        }
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.think(read_at)
    }

    fn turn(&mut self, at: Coordinates, read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let point = self.on_board(at)?;
        self.engine.check(point)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.engine.play(point)?;
        self.think(read_at)
    }

    fn play(&mut self, at: Coordinates) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let point = self.on_board(at)?;
        self.engine.check(point)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.answer(&Choice {
            point,
            thought: None,
        })?;
        Ok(Flow::Next)
    }

    fn board(&mut self, stones: &[Placement], read_at: Instant) -> Result<Flow, Trouble> {
        self.expect_game()?;
        let position = self.set_up(stones)?;
        if self.must_wait() {
            return Ok(Flow::Hold);
        }
        self.engine.set_position(position);
        self.think(read_at)
    }

    /// The position with these stones, the engine to move. Whoever owns the
    /// first stone is black; with no stones that is the engine.
    fn set_up(&self, stones: &[Placement]) -> Result<Position, Trouble> {
        let players = stones.iter().map(|stone| stone.owner);
        let own = match players.into_iter().find(|&owner| owner != Owner::Nobody) {
            Some(Owner::Opponent) => Color::White,
            _ => Color::Black,
        };
        let stones = stones.iter().map(|stone| {
            Ok(Stone {
                point: self.on_board(stone.at)?,
                color: match stone.owner {
                    Owner::Own => Some(own),
                    Owner::Opponent => Some(own.opponent()),
                    Owner::Nobody => None,
                },
            })
        });
        let stones = stones.collect::<Result<Vec<Stone>, Trouble>>()?;
        Ok(self.engine.set_up(&stones, own)?)
    }

    fn think(&mut self, read_at: Instant) -> Result<Flow, Trouble> {
        match self.engine.start(read_at)? {
            Started::Answered(choice) => self.answer(&choice)?,
            Started::Searching(request) => {
                self.awaited = Some(request);
                if let Some(reply) = live::beginning(self.detail) {
                    self.output.send(&reply)?;
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Makes the engine's move and tells it.
    fn answer(&mut self, choice: &Choice) -> io::Result<()> {
        if let Err(error) = self.engine.play(choice.point) {
            log::error!("the engine's move can't be made: {error}");
        }
        if let Some(thought) = &choice.thought {
            self.output.send(&live::summary(thought))?;
        }
        self.output.send(&Reply::Move(choice.point.into()))
    }

    /// Whether an answer is due; if so it comes at once.
    fn must_wait(&mut self) -> bool {
        if self.awaited.is_some() {
            self.engine.stop();
        }
        self.awaited.is_some()
    }

    /// The answer that is due will never be given.
    fn drop_search(&mut self) {
        self.engine.stop();
        self.awaited = None;
    }

    /// A GUI is there: rules have other numbers, and its user says stop.
    fn meet_gui(&mut self) {
        self.dialect = Dialect::Yixin;
        self.engine.options_mut().patience = Patience::UntilStopped;
        self.set_rule(self.rule_code);
    }

    fn set_rule(&mut self, code: i64) {
        match rule_of(code, self.dialect) {
            Some(rule) => {
                self.rule_code = code;
                self.engine.set_rule(rule);
            }
            None => log::warn!("no rule has the number {code}"),
        }
    }

    fn inform(&mut self, info: &Info) {
        let &Info::Number(key, value) = info else {
            log::info!("INFO {info} means nothing here");
            return;
        };
        let options = self.engine.options_mut();
        match key {
            Key::TimeoutTurn => {
                options.timeout_turn = Some(value);
                // "Stop thinking" in piskvork's menu.
                if value == 0 {
                    self.engine.stop();
                }
            }
            Key::TimeoutMatch => options.timeout_match = value,
            Key::TimeLeft => self.engine.set_time_left(value),
            Key::TimeIncrement => options.time_increment = value,
            Key::MaxMemory => options.max_memory = value,
            Key::HashSize => options.hash_size = value,
            Key::MaxDepth => options.max_depth = value,
            Key::MaxNode => options.max_node = value,
            Key::ThreadNum => log::debug!("one thread is all there is"),
            Key::Rule => self.set_rule(value),
            Key::ShowDetail => {
                self.detail = value.into();
                self.meet_gui();
            }
        }
    }

    fn forbidden_points(&self) -> Reply {
        let mut position = self.engine.position().clone();
        let size = position.size();
        let forbids = self.playing && position.rule().forbids(position.side());
        let points = size.iter().filter(|_| forbids);
        let empty: Vec<Point> = points.filter(|&point| position.is_empty(point)).collect();
        let forbidden = empty
            .into_iter()
            .filter(|&point| position.forbidden(point).is_some());
        Reply::Forbid(forbidden.map(Coordinates::from).collect())
    }

    fn pass_over(&mut self, text: &str) -> Result<(), Trouble> {
        let word = text
            .split_whitespace()
            .next()
            .unwrap_or("")
            .to_ascii_uppercase();
        if word == "SWAP2BOARD" {
            return refused("SWAP2BOARD is not supported yet");
        }
        // Queries about a database that does not exist have no answer.
        if Form::of(&word) != Some(Form::Block) {
            self.message(&format!("{word} is not supported"))?;
        }
        Ok(())
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.output.send(&Reply::Message(text.to_owned()))
    }

    fn expect_game(&self) -> Result<(), Trouble> {
        if self.playing {
            Ok(())
        } else {
            refused("there is no board yet, send START first")
        }
    }

    fn on_board(&self, at: Coordinates) -> Result<Point, Trouble> {
        let size = self.engine.position().size();
        match at.point(size) {
            Some(point) => Ok(point),
            None => refused(format!(
                "{at} is off the board of {} by {}",
                size.width(),
                size.height()
            )),
        }
    }
}
