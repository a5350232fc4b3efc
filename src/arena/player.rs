//! An engine at the board: started when needed, asked for moves, stopped when
//! it misbehaves. Everything it may do wrong comes back as a [`Fault`].

use super::clock::{Clock, Limits};
use super::opinion::evaluation;
use super::process::{Output, Process, Program};
use super::warden::Warden;
use crate::protocol::message::{Command, Coordinates, Info, Key, Owner, Placement, Reply};
use crate::rules::{BoardSize, Color, Point, Rule};
use crossbeam_channel::{Receiver, never, select};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A number that means "no limit" in the protocol.
const UNLIMITED: i64 = 2_147_483_647;
/// What tournaments allow, told to engines where the match sets no limit.
const USUAL_MEMORY: u64 = 350 << 20;
/// More lines than this in answer to one request are a flood.
const FLOOD: usize = 1_000_000;
/// How long a program may take to leave after it was told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A program that takes part, and what it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// What reports call it.
    pub name: String,
    /// How it is started.
    pub program: Program,
    /// How much it may think.
    pub limits: Limits,
    /// Sent as `INFO key value` at the start of every game.
    pub options: Vec<(String, String)>,
    /// How many threads it is told to use.
    pub threads: Option<u64>,
    /// The most memory for it and all its children, in bytes.
    pub memory: Option<u64>,
}

impl Entrant {
    /// The entrant as records describe it.
    pub fn describe(&self) -> serde_json::Value {
        let ms = |time: Duration| time.as_millis() as u64;
        let limits = &self.limits;
        serde_json::json!({
            "name": self.name,
            "command": self.program.command,
            "turn_ms": limits.turn.map(ms),
            "match_ms": limits.game.map(ms),
            "increment_ms": ms(limits.increment),
            "tolerance_ms": ms(limits.tolerance),
            "nodes": limits.nodes,
            "depth": limits.depth,
            "threads": self.threads,
            "memory": self.memory,
            "options": self.options,
        })
    }
}

/// What an engine did to lose its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program could not be started, or ended when it should have played.
    Crash(String),
    /// The program did not get ready in time.
    Hang(String),
    /// The program refused the board.
    Refused(String),
    /// No move in time.
    Time,
    /// More output than anybody reads.
    Flood,
    /// So many bytes of memory, which is more than allowed.
    Memory(u64),
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Interruption {
    /// The engine's fault.
    Fault(Fault),
    /// Nobody's: the whole run is being stopped.
    Stopped,
}

impl From<Fault> for Interruption {
    fn from(fault: Fault) -> Self {
        Interruption::Fault(fault)
    }
}

/// A move as it was answered.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) at: Coordinates,
    pub(super) used: Duration,
    /// What the engine thought of it, in its own words.
    pub(super) evaluation: Option<String>,
    /// The engine's last remark.
    pub(super) message: Option<String>,
}

/// What every game of a run has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// Sends the whole position before every move instead of the last move.
    pub whole_boards: bool,
}

/// An engine, running or not.
pub(super) struct Player<'run> {
    entrant: &'run Entrant,
    stop: &'run Receiver<()>,
    warden: &'run Warden,
    alarm: Receiver<u64>,
    process: Option<Process>,
    clock: Clock,
    in_step: bool,
    fresh: bool,
}

impl<'run> Player<'run> {
    /// The engine, not started yet. A message on `stop`, or its end, breaks
    /// off whatever is being waited for.
    pub(super) fn new(
        entrant: &'run Entrant,
        stop: &'run Receiver<()>,
        warden: &'run Warden,
    ) -> Player<'run> {
        Player {
            entrant,
            stop,
            warden,
            alarm: never(),
            process: None,
            clock: Clock::new(entrant.limits),
            in_step: false,
            fresh: true,
        }
    }

    /// Who it is.
    pub(super) fn entrant(&self) -> &'run Entrant {
        self.entrant
    }

    /// Starts the program if need be, and a new game in it.
    pub(super) fn new_game(&mut self, table: &Table) -> Result<(), Interruption> {
        self.clock = Clock::new(self.entrant.limits);
        self.in_step = false;
        if self.process.is_none() {
            let process = Process::start(&self.entrant.program)
                .map_err(|error| Fault::Crash(format!("could not be started: {error}")))?;
            if let Some(limit) = self.entrant.memory {
                self.alarm = self.warden.watch(process.id(), limit);
            }
            self.process = Some(process);
            self.fresh = true;
        }
        self.drain();
        self.send(&[Command::Start {
            width: table.size.width() as i64,
            height: table.size.height() as i64,
        }]);
        self.expect_ok()?;
        let settings = self.settings(table.rule);
        self.send(&settings);
        Ok(())
    }

    fn expect_ok(&mut self) -> Result<(), Interruption> {
        let deadline = Instant::now() + self.entrant.limits.start;
        loop {
            match self.listen(deadline)? {
                None => return Err(Fault::Hang("no OK to START".into()).into()),
                Some((_, Reply::Ok)) => return Ok(()),
                Some((_, reply @ (Reply::Error(_) | Reply::Unknown(_)))) => {
                    return Err(Fault::Refused(reply.to_string()).into());
                }
                Some(_) => {}
            }
        }
    }

    /// What tells the engine about the game.
    fn settings(&self, rule: Rule) -> Vec<Command> {
        let limits = &self.entrant.limits;
        let turn = limits.turn.or(limits.game).unwrap_or(limits.patience);
        let increment = Some(limits.increment).filter(|time| !time.is_zero());
        let ms = |time: Duration| time.as_millis() as u64;
        let known = [
            (Key::TimeoutTurn, Some(ms(turn))),
            (Key::TimeoutMatch, Some(limits.game.map_or(0, ms))),
            (Key::TimeIncrement, increment.map(ms)),
            (
                Key::MaxMemory,
                Some(self.entrant.memory.unwrap_or(USUAL_MEMORY)),
            ),
            (Key::Rule, Some(rule_code(rule))),
            (Key::MaxNode, limits.nodes),
            (Key::MaxDepth, limits.depth),
            (Key::ThreadNum, self.entrant.threads),
        ];
        let known = known
            .into_iter()
            .filter_map(|(key, value)| Some(Info::Number(key, value? as i64)));
        let given = self.entrant.options.iter().cloned();
        // Engines hear that no human plays.
        let kind = Info::Other("game_type".into(), "1".into());
        std::iter::once(kind)
            .chain(known)
            .chain(given.map(|(key, value)| Info::Other(key, value)))
            .map(Command::Info)
            .collect()
    }

    /// Asks for a move in the game whose stones are given, and takes the time
    /// it needs off its clock.
    pub(super) fn ask(
        &mut self,
        table: &Table,
        own: Color,
        stones: &mut dyn DoubleEndedIterator<Item = (Color, Point)>,
    ) -> Result<Answer, Interruption> {
        self.drain();
        let left = self.clock.left();
        let left = left.map_or(UNLIMITED, |left| left.as_millis() as i64);
        let request = [
            Command::Info(Info::Number(Key::TimeLeft, left)),
            self.request(table, own, stones),
        ];
        let sent = Instant::now();
        self.send(&request);
        self.in_step = true;
        self.await_move(sent)
    }

    /// The last move where the engine knows all the others, the whole board
    /// where it does not.
    fn request(
        &self,
        table: &Table,
        own: Color,
        stones: &mut dyn DoubleEndedIterator<Item = (Color, Point)>,
    ) -> Command {
        if self.in_step
            && !table.whole_boards
            && let Some((_, last)) = stones.next_back()
        {
            return Command::Turn(last.into());
        }
        let stones: Vec<Placement> = stones
            .map(|(color, point)| Placement {
                at: point.into(),
                owner: if color == own {
                    Owner::Own
                } else {
                    Owner::Opponent
                },
            })
            .collect();
        if stones.is_empty() {
            return Command::Begin;
        }
        Command::Board(stones)
    }

    fn await_move(&mut self, sent: Instant) -> Result<Answer, Interruption> {
        let load = if std::mem::take(&mut self.fresh) {
            self.entrant.limits.load
        } else {
            Duration::ZERO
        };
        let deadline = sent + self.clock.patience() + load;
        let mut answer = Answer {
            at: Coordinates { x: -1, y: -1 },
            used: Duration::ZERO,
            evaluation: None,
            message: None,
        };
        for _ in 0..FLOOD {
            let Some((at, heard)) = self.listen(deadline)? else {
                return Err(Fault::Time.into());
            };
            match heard {
                Reply::Move(at_point) => {
                    answer.used = at.saturating_duration_since(sent);
                    let over = self.clock.spend(answer.used);
                    if over > self.entrant.limits.tolerance + load {
                        return Err(Fault::Time.into());
                    }
                    answer.at = at_point;
                    return Ok(answer);
                }
                Reply::Message(text) | Reply::Debug(text) => {
                    if let Some(opinion) = evaluation(&text) {
                        answer.evaluation = Some(opinion.to_owned());
                    }
                    answer.message = Some(text);
                }
                Reply::Error(_) | Reply::Unknown(_) => answer.message = Some(heard.to_string()),
                Reply::Other(text) => {
                    if let Some(point) = suggestion(&text) {
                        self.send(&[Command::Play(point)]);
                    }
                }
                _ => {}
            }
        }
        Err(Fault::Flood.into())
    }

    /// The next line, or `None` when the deadline has passed.
    fn listen(&mut self, deadline: Instant) -> Result<Option<(Instant, Reply)>, Interruption> {
        let Some(process) = &mut self.process else {
            return Err(Fault::Crash("not running".into()).into());
        };
        let patience = deadline.saturating_duration_since(Instant::now());
        let heard = select! {
            // The queue itself ends after the line that says so.
            recv(process.output()) -> output => Some(output.unwrap_or(Output {
                at: Instant::now(),
                line: None,
            })),
            recv(self.alarm) -> used => {
                let used = used.unwrap_or_default();
                return Err(Fault::Memory(used).into());
            }
            recv(self.stop) -> _ => return Err(Interruption::Stopped),
            default(patience) => process.output().try_recv().ok(),
        };
        match heard {
            Some(Output { at, .. }) if at > deadline => Ok(None),
            Some(Output {
                at,
                line: Some(line),
            }) => Ok(line.parse().ok().map(|reply| (at, reply))),
            // A child of its own may hold the pipe open after the end.
            None if process.wait(Duration::ZERO).is_none() => Ok(None),
            _ => Err(Fault::Crash(self.last_words()).into()),
        }
    }

    /// How the program ended.
    fn last_words(&mut self) -> String {
        let Some(process) = &mut self.process else {
            return "not running".into();
        };
        let mut text = match process.wait(Duration::from_millis(200)) {
            Some(status) => status.to_string(),
            None => "closed its output".to_owned(),
        };
        let complaints = process.complaints();
        if let Some(last) = complaints.lines().last() {
            let _ = write!(text, "; {last}");
        }
        text
    }

    /// Forgets what was said when nothing was asked.
    fn drain(&self) {
        if let Some(process) = &self.process {
            let waiting = process.output().len();
            process.output().try_iter().take(waiting).for_each(drop);
        }
    }

    fn send(&self, commands: &[Command]) {
        if let Some(process) = &self.process {
            process.send(
                commands
                    .iter()
                    .map(|command| format!("{command}\n"))
                    .collect(),
            );
        }
    }

    /// Kills the program with all its children. It is started again for the
    /// next game.
    pub(super) fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            self.warden.forget(process.id());
        }
        self.alarm = never();
    }

    /// Tells the program to leave, waits a moment, and kills what remains.
    pub(super) fn dismiss(&mut self) {
        self.send(&[Command::End]);
        if let Some(process) = &mut self.process {
            process.close_input();
            process.wait(FAREWELL);
        }
        self.kill();
    }
}

/// The point an engine wants to be told to play.
fn suggestion(line: &str) -> Option<Coordinates> {
    let (word, rest) = line.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("SUGGEST")
        .then(|| rest.parse().ok())?
}

/// Gomocup's number for a rule.
pub fn rule_code(rule: Rule) -> u64 {
    match rule {
        Rule::Freestyle => 0,
        Rule::ExactFive => 1,
        Rule::Renju => 4,
        Rule::CaroOverline => 8,
        Rule::Caro => 9,
    }
}
