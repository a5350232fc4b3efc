//! A manager's session with the engine.
//!
//! Commands and the engine's events arrive through two channels and are handled
//! one after another; the thread that reads never searches, the thread that
//! searches never writes. So STOP, END and the end of input are heard at once
//! whatever goes on, and every line of output comes from here. The channels are
//! short: a manager that sends more than can be obeyed has to wait.
//!
//! Each request for a move gets exactly one move line. A new request while one
//! is being answered makes the search answer first; any other command that
//! changes the position drops the search, and its late answer is never seen.

mod database;
mod requests;
mod settings;
mod transfer;

use super::dialect::Dialect;
use super::input::{Input, read};
use super::live::{self, Detail};
use super::message::{Command, Coordinates, Form, ParseError, Reply};
use super::output::{Output, about};
use crate::database::Database;
use crate::engine::{BoardFull, Engine, Event, Options, PlayError, Request, Task};
use crate::rules::{BoardSize, Point, PointSet};
use crossbeam_channel::{Receiver, bounded, never, select};
use std::io::{self, Read, Write};
use std::time::Instant;

/// The largest table a GUI may choose, as a power of two in KiB.
const MAX_HASH_POWER: u32 = 22;

/// So many commands wait for the session before the reader does: with blocks of
/// the greatest length a few megabytes.
const QUEUE: usize = 32;

/// Obeys the commands of `input` until END or its end.
///
/// # Errors
/// When the engine's thread can't be started or the output fails.
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (tell, events) = bounded(QUEUE);
    let engine = Engine::new(move |event| {
        // A session that is over hears nothing any more.
        let _ = tell.send(event);
    })?;
    let (deliver, inputs) = bounded(QUEUE);
    std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            // A session that is over needs nothing more.
            let _ = read(input, |input| deliver.send(input));
        })?;
    Session::new(engine, output).serve(&inputs, &events)
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

/// How an answer is told, and whether its stones are put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// A move or several stones, which are put on the board, or SWAP.
    Played,
    /// The same, but the board stays as it is.
    Told,
    /// As messages after a step of Yixin-Board's swap2.
    Swap2Step(u8),
}

struct Session<W: Write> {
    engine: Engine,
    output: Output<W>,
    /// The request whose answer is due.
    awaited: Option<Request>,
    /// How that answer is to be told.
    manner: Manner,
    /// A command that waits for that answer. Until then no other is taken.
    held: Option<Input>,
    /// Whether there was a START.
    playing: bool,
    dialect: Dialect,
    rule_code: i64,
    /// Whether SWAP is a possible answer after one stone.
    swapable: bool,
    detail: Detail,
    database: Option<Database>,
    /// Whether it is an opening book too.
    use_database: bool,
    /// Whether it must not be changed.
    read_only: bool,
}

impl<W: Write> Session<W> {
    fn new(engine: Engine, output: W) -> Self {
        Session {
            engine,
            output: Output::new(output),
            awaited: None,
            manner: Manner::Played,
            held: None,
            playing: false,
            dialect: Dialect::default(),
            rule_code: 0,
            swapable: false,
            detail: Detail::default(),
            database: None,
            use_database: false,
            read_only: false,
        }
    }

    /// Handles what comes, until END or the end of the input.
    fn serve(mut self, inputs: &Receiver<Input>, events: &Receiver<Event>) -> io::Result<()> {
        let none = never();
        loop {
            let inputs = if self.held.is_some() { &none } else { inputs };
            let flow = select! {
                recv(inputs) -> input => match input {
                    Ok(input) => self.accept(input)?,
                    Err(_) => Flow::Leave,
                },
                recv(events) -> event => match event {
                    Ok(event) => self.hear(event)?,
                    Err(_) => Flow::Leave,
                },
            };
            if flow == Flow::Leave {
                return Ok(());
            }
        }
    }

    fn accept(&mut self, input: Input) -> io::Result<Flow> {
        log::debug!("> {:?}", input.parsed);
        let flow = self.obey(&input)?;
        if flow == Flow::Hold {
            self.held = Some(input);
        }
        Ok(flow)
    }

    fn hear(&mut self, event: Event) -> io::Result<Flow> {
        if self.awaited != Some(event.request()) {
            // Of a search that was dropped.
            return Ok(Flow::Next);
        }
        if let Event::Answer(_, answer) = event {
            self.awaited = None;
            self.tell(&answer)?;
            if let Some(input) = self.held.take() {
                return self.accept(input);
            }
        } else {
            for reply in live::lines(&event, self.detail) {
                self.output.send(&reply)?;
            }
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
            Command::Info(info) => self.inform(info)?,
            Command::About => self.output.send(&Reply::About(about()))?,
            Command::End => return Ok(Flow::Leave),
            Command::Stop => self.engine.stop(),
            Command::ShowForbidden => self.output.send(&self.forbidden_points())?,
            Command::ShowInfo => {
                self.meet_gui();
                self.message(&format!("INFO MAX_THREAD_NUM {}", Options::MOST_THREADS))?;
                self.message(&format!("INFO MAX_HASH_SIZE {MAX_HASH_POWER}"))?;
            }
            Command::ClearHash => {
                self.engine.forget();
                self.message("the hash table is empty")?;
            }
            Command::ShowHashUsage => self.tell_hash_usage()?,
            Command::SaveHash(path) => self.save_hash(path)?,
            Command::LoadHash(path) => self.load_hash(path)?,
            Command::Swap2(stones) => return self.swap2(stones, read_at),
            &Command::Swap2Step(step) => return self.swap2_step(step, read_at),
            &Command::Lines(count) => {
                let count = usize::try_from(count).unwrap_or(1);
                let count = count.min(self.engine.position().empty_points());
                return self.ask(Task::Lines(count), Manner::Played, read_at);
            }
            Command::Defences => return self.ask(Task::Defences, Manner::Played, read_at),
            &Command::Balance { pair, bias } => {
                let bias = i32::try_from(bias).unwrap_or(0);
                return self.ask(Task::Balance { pair, bias }, Manner::Told, read_at);
            }
            Command::Block(points) => self.block(points, PointSet::insert)?,
            Command::Unblock(points) => self.block(points, PointSet::remove)?,
            Command::UnblockAll => *self.engine.excluded_mut() = PointSet::EMPTY,
            Command::Database(order) => self.obey_database(order)?,
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

    fn pass_over(&mut self, text: &str) -> Result<(), Trouble> {
        let word = text
            .split_whitespace()
            .next()
            .unwrap_or("")
            .to_ascii_uppercase();
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
