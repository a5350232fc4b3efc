//! A manager's session: commands to calls of the engine, events to replies.
//!
//! Each request for a move gets exactly one move line. A new request while an
//! answer is due makes the search answer first. So does any other command that
//! changes the position, if a GUI waits for the answer or STOP came; else it drops
//! the search, and its late answer is never sent.

mod books;
#[cfg_attr(not(feature = "database"), path = "no_database.rs")]
mod database;
mod moves;
mod settings;
mod times;

use super::live::{self, LiveOutput};
use super::open_database::OpenDatabase;
use super::output::{ReplyWriter, about};
use super::rule_codes::RuleCodes;
use quincunx_book::OpeningBook;
use quincunx_engine::engine::{
    Answer, Engine, EngineThread, Event, PlayError, Request, RequestError, Search, SearchId,
};
use quincunx_engine::gomocup::{
    Command, CommandExtent, Coordinates, ParseError, Parsed, Reply, Sides,
};
use quincunx_engine::rules::{BoardSize, Point, PointSet};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use times::ManagerTimes;

/// The largest hash table that a GUI may choose, as a power of two in KiB.
const MAX_HASH_POWER: u32 = 22;

/// The state of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// There was no START.
    #[default]
    NoGame,
    /// No answer is due.
    Idle,
    /// The answer of a search is due.
    Searching {
        id: SearchId,
        request: Request,
        /// True if the search was told to answer at once.
        is_stopped: bool,
    },
}

/// The end of a search, as a command waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wait {
    /// Until no answer is due.
    Answer,
    /// Until no search or preparation uses the hash table.
    Table,
}

/// The result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obeyed {
    /// The command was obeyed or refused.
    Done,
    /// The command has to be obeyed once the session no longer [waits](Session::is_waiting).
    Waiting,
    /// The session is over.
    Leave,
}

/// The reason why a command was not obeyed.
enum CommandError {
    /// It can't be obeyed, for this reason.
    Refused(String),
    /// It has to wait.
    Waiting(Wait),
    /// The output failed.
    Output(io::Error),
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        CommandError::Output(error)
    }
}

impl From<RequestError> for CommandError {
    fn from(error: RequestError) -> Self {
        CommandError::Refused(error.to_string())
    }
}

fn refused<T>(text: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Refused(text.into()))
}

/// The size of a board with so many columns and rows.
fn board_size(Sides { width, height }: Sides) -> Result<BoardSize, CommandError> {
    let size = (usize::try_from(width).ok()).zip(usize::try_from(height).ok());
    match size.map(|(width, height)| BoardSize::new(width, height)) {
        Some(Ok(size)) => Ok(size),
        Some(Err(error)) => refused(error.to_string()),
        None => refused(format!("a board of {width} by {height} makes no sense")),
    }
}

/// A manager's session with an engine.
pub(super) struct Session<W: Write> {
    engine: Engine,
    thread: Option<EngineThread>,
    output: ReplyWriter<W>,
    /// The error that the output failed with while a search reported.
    failed: Option<io::Error>,
    phase: Phase,
    /// The end that the command in hand waits for.
    waiting: Option<Wait>,
    rule_codes: RuleCodes,
    rule_code: i64,
    times: ManagerTimes,
    detail: LiveOutput,
    database: OpenDatabase,
    book: Option<Arc<OpeningBook>>,
}

impl<W: Write> Session<W> {
    /// A session that writes its replies to `output`.
    pub(super) fn new(engine: Engine, output: W) -> Self {
        Session {
            engine,
            thread: None,
            output: ReplyWriter::new(output),
            failed: None,
            phase: Phase::default(),
            waiting: None,
            rule_codes: RuleCodes::default(),
            rule_code: 0,
            times: ManagerTimes::default(),
            detail: LiveOutput::default(),
            database: OpenDatabase::default(),
            book: None,
        }
    }

    /// Runs searches on this thread, which reports to [`Session::handle`].
    pub(super) fn search_on(&mut self, thread: EngineThread) {
        self.thread = Some(thread);
    }

    /// Says why there will be no game.
    ///
    /// # Errors
    /// When the output fails.
    pub(super) fn give_up(&mut self, error: &io::Error) -> io::Result<()> {
        self.output.send(&Reply::Error(error.to_string()))
    }

    /// Ends the session: nothing more is sent.
    ///
    /// # Errors
    /// When the output has failed while a search reported.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        self.drop_search();
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Reports an event of a search, unless the search was dropped.
    pub(super) fn handle(&mut self, id: SearchId, event: Event) {
        let request = match self.phase {
            Phase::Searching {
                id: due, request, ..
            } if due == id => request,
            _ => return,
        };
        let sent = match event {
            Event::Answer(answer) => {
                self.phase = Phase::Idle;
                self.send_answer(request, &answer)
            }
            event => self.send_event(&event),
        };
        if let Err(error) = sent {
            self.failed.get_or_insert(error);
        }
    }

    fn send_event(&mut self, event: &Event) -> io::Result<()> {
        let size = self.engine.position().size();
        for reply in live::lines(event, self.detail, size) {
            self.output.send(&reply)?;
        }
        Ok(())
    }

    /// Returns whether the command that was obeyed last still has to wait.
    pub(super) fn is_waiting(&self) -> bool {
        match self.waiting {
            Some(Wait::Answer) => self.is_searching(),
            Some(Wait::Table) => self.engine.is_busy(),
            None => false,
        }
    }

    /// Returns whether an answer is due.
    fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Searching { .. })
    }

    /// Obeys a command that was read at this time of the engine's clock.
    ///
    /// # Errors
    /// When the output fails, or has failed while a search reported.
    pub(super) fn obey(&mut self, parsed: &Parsed, read_at: Duration) -> io::Result<Obeyed> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.waiting = None;
        let complaint = match parsed {
            Ok(Command::End) => return Ok(Obeyed::Leave),
            Ok(command) => match self.try_to_obey(command, read_at) {
                Ok(()) => return Ok(Obeyed::Done),
                Err(CommandError::Waiting(wait)) => {
                    self.waiting = Some(wait);
                    return Ok(Obeyed::Waiting);
                }
                Err(CommandError::Output(error)) => return Err(error),
                Err(CommandError::Refused(text)) => Reply::Error(text),
            },
            Err(error @ ParseError::Unknown(_)) => Reply::Unknown(error.to_string()),
            Err(error) => Reply::Error(error.to_string()),
        };
        // While a move is due some managers take any other line for one and
        // end the game; they pass over messages.
        let complaint = match self.phase {
            Phase::Searching { .. } => Reply::Message(complaint.to_string()),
            _ => complaint,
        };
        self.output.send(&complaint)?;
        Ok(Obeyed::Done)
    }

    fn try_to_obey(&mut self, command: &Command, read_at: Duration) -> Result<(), CommandError> {
        match command {
            &Command::Start(sides) => self.new_game(board_size(sides)?)?,
            Command::Restart => {
                self.expect_game()?;
                self.new_game(self.engine.position().size())?;
            }
            Command::Begin => self.begin(read_at)?,
            Command::Turn(at) => self.turn(*at, read_at)?,
            Command::Play(at) => self.play(*at)?,
            Command::Board(stones) => self.board(stones, read_at)?,
            Command::SetBoard(stones) => {
                self.expect_game()?;
                self.set_up(stones)?;
                self.meet_gui()?;
                // Once more, under the rule that the GUI's code stands for.
                let position = self.set_up(stones)?;
                self.end_search()?;
                self.engine.set_position(position);
            }
            Command::TakeBack(at) => {
                self.expect_game()?;
                let point = self.on_board(*at)?;
                if self.engine.position().stone(point).is_some() {
                    self.end_search()?;
                }
                let taken_back = self.engine.take_back(point);
                taken_back.map_err(|error| self.refusal(error))?;
                self.output.send(&Reply::Ok)?;
            }
            Command::Info(info) => self.inform(info)?,
            Command::About => self.output.send(&Reply::About(about()))?,
            Command::End => (),
            Command::Stop => self.answer_at_once(),
            Command::ShowForbidden => self.output.send(&self.forbidden_points())?,
            Command::ShowInfo => {
                self.meet_gui()?;
                self.message(&format!("INFO MAX_THREAD_NUM {}", Self::most_threads()))?;
                self.message(&format!("INFO MAX_HASH_SIZE {MAX_HASH_POWER}"))?;
            }
            Command::ClearHash => {
                self.engine.forget();
                self.message("the hash table is empty")?;
                self.prepare();
            }
            Command::ShowHashUsage => self.send_hash_usage()?,
            Command::SaveHash(path) => self.save_hash(path)?,
            Command::LoadHash(path) => self.load_hash(path)?,
            Command::Swap2(stones) => self.swap2(&stones.0, read_at)?,
            &Command::Swap2Step(step) => self.swap2_step(step, read_at)?,
            &Command::Lines(count) => {
                let count = usize::try_from(count.unwrap_or(1)).unwrap_or(1);
                let count = count.min(self.engine.position().empty_points());
                self.ask(Request::Lines(count), read_at)?;
            }
            Command::Defences => self.ask(Request::Defences, read_at)?,
            &Command::Balance { pair, bias } => {
                let bias = bias.unwrap_or(0).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                self.ask(Request::Balance { pair, bias }, read_at)?;
            }
            Command::Block(points) => self.block(points, PointSet::insert)?,
            Command::Unblock(points) => self.block(points, PointSet::remove)?,
            Command::UnblockAll => *self.engine.excluded_mut() = PointSet::EMPTY,
            Command::Database(command) => self.obey_database(command)?,
            Command::Foreign(text) => self.pass_over(text)?,
        }
        Ok(())
    }

    fn new_game(&mut self, size: BoardSize) -> Result<(), CommandError> {
        self.end_search()?;
        self.engine.new_game(size);
        self.phase = Phase::Idle;
        self.output.send(&Reply::Ok)?;
        self.send_rule()?;
        self.prepare();
        Ok(())
    }

    /// Fails while an answer is due, which then comes at once.
    fn expect_answered(&mut self) -> Result<(), CommandError> {
        if !self.is_searching() {
            return Ok(());
        }
        self.engine.stop();
        Err(CommandError::Waiting(Wait::Answer))
    }

    /// Makes the search answer now.
    fn answer_at_once(&mut self) {
        if let Phase::Searching { is_stopped, .. } = &mut self.phase {
            *is_stopped = true;
        }
        self.engine.stop();
    }

    /// Ends the search whose answer is due. A client that told it to answer gets the answer
    /// first, and so does a GUI, which passes over one move for each search that it gave up.
    /// A manager that goes on to something else does not wait for it.
    fn end_search(&mut self) -> Result<(), CommandError> {
        let is_stopped = matches!(
            self.phase,
            Phase::Searching {
                is_stopped: true,
                ..
            }
        );
        if self.met_gui() || is_stopped {
            self.expect_answered()?;
        }
        self.drop_search();
        Ok(())
    }

    /// Refuses a command after which no other is read for a while, as long as an answer
    /// is due: its clock runs.
    fn expect_no_clock(&self) -> Result<(), CommandError> {
        match self.phase {
            Phase::Searching { .. } => refused("that takes too long while a move is due"),
            _ => Ok(()),
        }
    }

    /// Drops the search: the answer that is due is never sent.
    fn drop_search(&mut self) {
        self.engine.stop();
        if self.is_searching() {
            self.phase = Phase::Idle;
        }
    }

    fn run(&self, search: Box<Search>) {
        if let Some(thread) = &self.thread {
            thread.run(search);
        }
    }

    fn pass_over(&mut self, text: &str) -> Result<(), CommandError> {
        let word = text
            .split_whitespace()
            .next()
            .unwrap_or("")
            .to_ascii_uppercase();
        // Yixin-Board waits for no answer to these blocks.
        if CommandExtent::of(&word) != Some(CommandExtent::Block) {
            self.message(&format!("{word} is not supported"))?;
        }
        Ok(())
    }

    fn message(&mut self, text: &str) -> io::Result<()> {
        self.output.send(&Reply::Message(text.to_owned()))
    }

    fn expect_game(&self) -> Result<(), CommandError> {
        match self.phase {
            Phase::NoGame => refused("there is no board yet, send START first"),
            _ => Ok(()),
        }
    }

    /// An error of the engine in the protocol's coordinates.
    fn refusal(&self, error: PlayError) -> CommandError {
        let at = |point| Coordinates::of(point, self.engine.position().size());
        CommandError::Refused(match error {
            PlayError::OffBoard(point) => format!("{} is off the board", at(point)),
            PlayError::Taken(point) => format!("{} is taken", at(point)),
            PlayError::NoStone(point) => format!("{} has no stone", at(point)),
        })
    }

    fn on_board(&self, at: Coordinates) -> Result<Point, CommandError> {
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
