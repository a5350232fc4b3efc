//! An engine at the board: started when needed, asked for moves, stopped when
//! it misbehaves. Everything it may do wrong comes back as an [`EngineFault`].

use super::clock::now;
use super::config::{EngineConfig, GameConfig, Variant, rule_code};
use super::fault::{EngineFault, Interruption, StartError};
use super::platform::was_interrupted;
use super::process::{OutputLine, Process};
use super::remarks::{evaluation, nodes, shown};
use super::transcript::{Direction, Transcript};
use super::watchdog::MemoryWatchdog;
use crossbeam_channel::{Receiver, RecvTimeoutError, never, select};
use quincunx_engine::game::{Clock, TimeControl};
use quincunx_engine::gomocup::{
    Command, Coordinates, Info, InfoKey, OpeningStones, Placement, Reply, Sides, StoneOwner,
};
use quincunx_engine::rules::{Color, Point, Rule};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A number that means "no limit" in the protocol.
const UNLIMITED: i64 = 2_147_483_647;
/// The default memory limit that engines are sent, as in Gomocup's tournaments.
const USUAL_MEMORY: u64 = 350 << 20;
/// More lines than this in answer to one request are a flood.
const FLOOD: usize = 1_000_000;
/// The most characters of an engine's name and of its version in reports.
const MOST_OF_NAME: usize = 40;
/// The time for a program to exit after END: a second, by the protocol.
const FAREWELL: Duration = Duration::from_secs(1);
/// The time until a program whose output has ended must have ended.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// The interval of checks that a program still runs while an answer is due. A child process may
/// hold its output open after its end.
const LOOK: Duration = Duration::from_millis(200);
/// The time to wait for a late move, to report how late it was.
const GRACE: Duration = Duration::from_secs(1);
/// The time between the signals that end a program and the match.
const AFTERMATH: Duration = Duration::from_secs(2);

/// The answer to SWAP2BOARD.
#[derive(Clone, Debug)]
pub(super) enum Swap2Answer {
    /// The engine puts these stones.
    Stones(Vec<Coordinates>),
    /// The engine takes black.
    Swap,
}

/// An answer with its time and the remarks before it.
#[derive(Clone, Debug)]
pub(super) struct Timed<T> {
    pub(super) what: T,
    pub(super) used: Duration,
    /// The evaluation in the engine's own words.
    pub(super) evaluation: Option<String>,
    /// The engine's last remark.
    pub(super) message: Option<String>,
    /// The last reported number of nodes, with its time.
    pub(super) nodes: Option<(f64, Duration)>,
}

impl<T> Timed<T> {
    /// Another answer that came at the same time.
    pub(super) fn with<U>(&self, what: U) -> Timed<U> {
        Timed {
            what,
            used: self.used,
            evaluation: self.evaluation.clone(),
            message: self.message.clone(),
            nodes: self.nodes,
        }
    }

    /// Milliseconds it took, to the microsecond.
    pub(super) fn milliseconds(&self) -> f64 {
        milliseconds(self.used)
    }
}

/// Milliseconds, to the microsecond.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// An engine, running or not.
pub(super) struct EnginePlayer<'run> {
    engine: &'run EngineConfig,
    stop: &'run Receiver<()>,
    watchdog: &'run MemoryWatchdog,
    alarm: Receiver<u64>,
    process: Option<Process>,
    clock: Clock,
    in_step: bool,
    fresh: bool,
    /// The last line since the request, except for its name.
    last_line: Option<String>,
    /// The time to wait for a late move.
    grace: Duration,
    /// The transcript of the game, if it is recorded.
    transcript: Option<Transcript>,
    /// The engine's own name and version, if it has sent them.
    version: Option<String>,
}

impl<'run> EnginePlayer<'run> {
    /// The engine, not started yet. A message on `stop`, or its end, breaks
    /// off whatever is being waited for.
    pub(super) fn new(
        engine: &'run EngineConfig,
        stop: &'run Receiver<()>,
        watchdog: &'run MemoryWatchdog,
    ) -> EnginePlayer<'run> {
        EnginePlayer {
            engine,
            stop,
            watchdog,
            alarm: never(),
            process: None,
            clock: Clock::new(engine.limits.time),
            in_step: false,
            fresh: true,
            last_line: None,
            grace: GRACE,
            transcript: None,
            version: None,
        }
    }

    /// The engine without [`GRACE`], for games that continue as soon as a move is late.
    pub(super) fn without_grace(self) -> EnginePlayer<'run> {
        let grace = Duration::ZERO;
        EnginePlayer { grace, ..self }
    }

    /// Starts a transcript.
    pub(super) fn begin_transcript(&mut self) {
        self.transcript = Some(Transcript::default());
    }

    /// Takes the transcript, if it was begun.
    pub(super) fn take_transcript(&mut self) -> Option<Transcript> {
        self.transcript.take()
    }

    /// Returns the engine's own name and version, if it has sent them.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn note(&mut self, at: Instant, direction: Direction, text: &str) {
        if direction == Direction::FromEngine {
            let is_known = self.version.is_some();
            match text.parse() {
                Ok(Reply::About(about)) if !is_known && about.get("name").is_some() => {
                    let words = ["name", "version"].into_iter();
                    let words = words.filter_map(|key| Some(shown(about.get(key)?, MOST_OF_NAME)));
                    self.version = Some(words.collect::<Vec<String>>().join(" "));
                }
                _ => self.last_line = Some(text.to_owned()),
            }
        }
        let name = &self.engine.name;
        log::debug!("{name} {} {text}", direction.arrow());
        if let Some(transcript) = &mut self.transcript {
            transcript.add(at, name, direction, text);
        }
    }

    /// Its name and limits.
    pub(super) fn engine(&self) -> &'run EngineConfig {
        self.engine
    }

    /// Starts the program if needed, and a new game in it. A program that has played and now
    /// refuses the board is restarted and asked again, because some lose the first word of a START
    /// that comes while their last search ends.
    pub(super) fn new_game(&mut self, variant: Variant) -> Result<(), Interruption> {
        match self.try_new_game(variant) {
            Err(Interruption::Fault(EngineFault::Refused(_))) if !self.fresh => {
                self.kill();
                self.try_new_game(variant)
            }
            result => result,
        }
    }

    fn try_new_game(&mut self, variant: Variant) -> Result<(), Interruption> {
        self.clock = Clock::new(self.engine.limits.time);
        self.in_step = false;
        if self.process.is_none() {
            let process = Process::start(&self.engine.program).map_err(|source| {
                Interruption::NoStart(StartError {
                    engine: self.engine.name.clone(),
                    program: self.engine.program.clone(),
                    source,
                })
            })?;
            if let Some(limit) = self.engine.memory {
                self.alarm = self.watchdog.watch(process.id(), limit);
            }
            self.process = Some(process);
            self.fresh = true;
            self.last_line = None;
        } else {
            self.drain();
        }
        let start = Command::Start(Sides {
            width: variant.size.width() as i64,
            height: variant.size.height() as i64,
        });
        self.send(std::slice::from_ref(&start));
        self.expect_ok(&start)?;
        let mut settings = self.settings(variant.rule);
        if self.fresh {
            settings.push(Command::About);
        }
        self.send(&settings);
        Ok(())
    }

    /// Gives the engine another time from its next move on.
    pub(super) fn set_time(&mut self, time: TimeControl) {
        self.clock = Clock::new(time);
        let ms = |time: Duration| time.as_millis() as i64;
        let turn = time.turn.or(time.game);
        let turn = turn.unwrap_or(self.engine.limits.patience);
        let keys = [
            (InfoKey::TimeoutTurn, ms(turn)),
            (InfoKey::TimeoutMatch, time.game.map_or(0, ms)),
            (InfoKey::TimeIncrement, ms(time.increment)),
        ];
        let commands = keys.map(|(key, value)| Command::Info(Info::Number(key, value)));
        self.send(&commands);
    }

    fn expect_ok(&mut self, start: &Command) -> Result<(), Interruption> {
        let deadline = now() + self.engine.limits.start;
        loop {
            match self.listen(deadline)? {
                None => return Err(EngineFault::Hang(format!("no OK to {start}")).into()),
                Some((_, Reply::Ok)) => return Ok(()),
                Some((_, reply @ (Reply::Error(_) | Reply::Unknown(_)))) => {
                    return Err(EngineFault::Refused(reply.to_string()).into());
                }
                Some(_) => {}
            }
        }
    }

    /// Returns the commands that configure the engine for a game.
    fn settings(&self, rule: Rule) -> Vec<Command> {
        let limits = &self.engine.limits;
        let time = &limits.time;
        let turn = time.turn.or(time.game).unwrap_or(limits.patience);
        let increment = Some(time.increment).filter(|time| !time.is_zero());
        let ms = |time: Duration| time.as_millis() as u64;
        let known = [
            (InfoKey::TimeoutTurn, Some(ms(turn))),
            (InfoKey::TimeoutMatch, Some(time.game.map_or(0, ms))),
            (InfoKey::TimeIncrement, increment.map(ms)),
            (
                InfoKey::MaxMemory,
                Some(self.engine.memory.unwrap_or(USUAL_MEMORY)),
            ),
            (InfoKey::Rule, Some(rule_code(rule))),
            (InfoKey::MaxNode, limits.nodes),
            (InfoKey::MaxDepth, limits.depth),
            (InfoKey::ThreadNum, self.engine.threads),
        ];
        let known = known
            .into_iter()
            .filter_map(|(key, value)| Some(Info::Number(key, value? as i64)));
        let given = self.engine.options.iter().cloned();
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
        config: &GameConfig,
        own: Color,
        stones: &mut dyn DoubleEndedIterator<Item = (Color, Point)>,
    ) -> Result<Timed<Coordinates>, Interruption> {
        let request = self.request(config, own, stones);
        self.in_step = true;
        let suspend = config.suspend;
        self.answer(request, suspend, |reply| match *reply {
            Reply::Move(at) => Some(at),
            _ => None,
        })
    }

    /// Asks for the next step of the swap2 opening after these stones.
    pub(super) fn ask_swap2(
        &mut self,
        config: &GameConfig,
        stones: &[Point],
    ) -> Result<Timed<Swap2Answer>, Interruption> {
        let size = config.variant.size;
        let stones = stones.iter().map(|&point| Coordinates::of(point, size));
        let mut refusal = None;
        let request = Command::Swap2(OpeningStones(stones.collect()));
        let answer = self.answer(request, config.suspend, |reply| match reply {
            Reply::Move(at) => Some(Swap2Answer::Stones(vec![*at])),
            Reply::Stones(stones) => Some(Swap2Answer::Stones(stones.clone())),
            Reply::Swap => Some(Swap2Answer::Swap),
            Reply::Error(_) | Reply::Unknown(_) => {
                refusal = Some(reply.to_string());
                None
            }
            _ => None,
        });
        match (answer, refusal) {
            (Err(Interruption::Fault(EngineFault::Time { .. })), Some(refusal)) => {
                Err(EngineFault::Refused(refusal).into())
            }
            (answer, _) => answer,
        }
    }

    /// Sends a request on the engine's clock and waits for an answer that `accept` recognises. With
    /// `suspend` the program is then suspended until the next request.
    fn answer<T>(
        &mut self,
        request: Command,
        suspend: bool,
        accept: impl FnMut(&Reply) -> Option<T>,
    ) -> Result<Timed<T>, Interruption> {
        self.drain();
        let left = self.clock.left();
        let left = left.map_or(UNLIMITED, |left| left.as_millis() as i64);
        let time_left = Command::Info(Info::Number(InfoKey::TimeLeft, left));
        let sent = now();
        self.send(&[time_left, request]);
        let answer = self.wait_for_answer(sent, accept);
        if let Some(process) = self.process.as_mut().filter(|_| suspend) {
            process.suspend(true);
        }
        answer
    }

    /// The last move where the engine knows all the others, the whole board
    /// where it does not.
    fn request(
        &self,
        config: &GameConfig,
        own: Color,
        stones: &mut dyn DoubleEndedIterator<Item = (Color, Point)>,
    ) -> Command {
        if self.in_step
            && !config.whole_boards
            && let Some((_, last)) = stones.next_back()
        {
            return Command::Turn(Coordinates::of(last, config.variant.size));
        }
        let stones: Vec<Placement> = stones
            .map(|(color, point)| Placement {
                at: Coordinates::of(point, config.variant.size),
                owner: if color == own {
                    StoneOwner::Own
                } else {
                    StoneOwner::Opponent
                },
            })
            .collect();
        if stones.is_empty() {
            return Command::Begin;
        }
        Command::Board(stones)
    }

    fn wait_for_answer<T>(
        &mut self,
        sent: Instant,
        mut accept: impl FnMut(&Reply) -> Option<T>,
    ) -> Result<Timed<T>, Interruption> {
        let load = if std::mem::take(&mut self.fresh) {
            self.engine.limits.load
        } else {
            Duration::ZERO
        };
        let limits = &self.engine.limits;
        let tolerance = limits.tolerance + load;
        let allowed = self.clock.allowed(tolerance);
        let deadline = sent + allowed.unwrap_or(limits.patience + tolerance);
        let limit = self.clock.allowed(load).unwrap_or(limits.patience + load);
        let mut answer = Timed {
            what: (),
            used: Duration::ZERO,
            evaluation: None,
            message: None,
            nodes: None,
        };
        for _ in 0..FLOOD {
            let reply = match self.listen(deadline + self.grace) {
                // The time was over before the program failed.
                Err(Interruption::Fault(_)) if now() > deadline => None,
                reply => reply?,
            };
            let Some((at, reply)) = reply else { break };
            if let Some(what) = accept(&reply) {
                answer.used = at.saturating_duration_since(sent);
                if at > deadline {
                    return Err(too_late(limit, answer.used, None));
                }
                self.clock.spend(answer.used, load);
                return Ok(answer.with(what));
            }
            match reply {
                Reply::Message(text) | Reply::Debug(text) => {
                    if let Some(remarks) = evaluation(&text) {
                        answer.evaluation = Some(remarks.to_owned());
                    }
                    if let Some(nodes) = nodes(&text) {
                        answer.nodes = Some((nodes, at.saturating_duration_since(sent)));
                    }
                    answer.message = Some(text);
                }
                // It may be about an INFO line, so the answer can still come.
                Reply::Error(_) | Reply::Unknown(_) => answer.message.clone_from(&self.last_line),
                Reply::Other(text) => {
                    if let Some(point) = suggestion(&text) {
                        self.send(&[Command::Play(point)]);
                    }
                }
                _ => {}
            }
        }
        if now() <= deadline {
            return Err(EngineFault::Flood.into());
        }
        Err(too_late(
            limit,
            now().saturating_duration_since(sent),
            Some(self.last_line.take()),
        ))
    }

    /// The next line, or `None` when the deadline has passed.
    fn listen(&mut self, deadline: Instant) -> Result<Option<(Instant, Reply)>, Interruption> {
        let Some(process) = &mut self.process else {
            return Err(EngineFault::Crash("not running".into()).into());
        };
        let mut ended = false;
        let reply = loop {
            let left = deadline.saturating_duration_since(now());
            let reply = select! {
                // The queue itself ends after the line that says so.
                recv(process.output()) -> output => Some(output.unwrap_or(OutputLine {
                    at: now(),
                    line: None,
                })),
                recv(self.alarm) -> used => {
                    let used = used.unwrap_or_default();
                    return Err(EngineFault::Memory(used).into());
                }
                recv(self.stop) -> _ => return Err(Interruption::Stopped),
                default(left.min(LOOK)) => process.output().try_recv().ok(),
            };
            if reply.is_some() || ended || left <= LOOK {
                break reply;
            }
            // Its last lines may still be on their way, for which the next round waits.
            ended = process.wait(Duration::ZERO).is_some();
        };
        match reply {
            Some(OutputLine { at, .. }) if at > deadline => Ok(None),
            Some(OutputLine {
                at,
                line: Some(line),
            }) => {
                self.note(at, Direction::FromEngine, &line);
                Ok(line.parse().ok().map(|reply| (at, reply)))
            }
            None if process.wait(Duration::ZERO).is_none() => Ok(None),
            _ if self.ends_with_the_match() => Err(Interruption::Stopped),
            _ => Err(EngineFault::Crash(self.last_words()).into()),
        }
    }

    /// Returns whether the program was ended together with the match: schedulers and shells
    /// signal both, in any order.
    fn ends_with_the_match(&mut self) -> bool {
        let status = self
            .process
            .as_mut()
            .and_then(|process| process.wait(LAST_WORDS));
        let patience = if status.is_some_and(was_interrupted) {
            AFTERMATH
        } else {
            LAST_WORDS
        };
        let reply = self.stop.recv_timeout(patience);
        reply != Err(RecvTimeoutError::Timeout)
    }

    /// Describes how the program ended.
    fn last_words(&mut self) -> String {
        let Some(process) = &mut self.process else {
            return "not running".into();
        };
        let mut text = match process.wait(LAST_WORDS) {
            Some(status) => status.to_string(),
            None => "closed its output".to_owned(),
        };
        let stderr = process.last_stderr(LAST_WORDS);
        if let Some(last) = stderr.lines().last() {
            let _ = write!(text, "; {last}");
        } else if let Some(last) = &self.last_line {
            let _ = write!(text, "; last said \"{last}\"");
        }
        text
    }

    /// Drops output that came while nothing was asked.
    fn drain(&mut self) {
        let Some(process) = &self.process else {
            return;
        };
        let waiting = process.output().len();
        let dropped: Vec<OutputLine> = process.output().try_iter().take(waiting).collect();
        for OutputLine { at, line } in dropped {
            if let Some(line) = line {
                self.note(at, Direction::FromEngine, &line);
            }
        }
        self.last_line = None;
    }

    fn send(&mut self, commands: &[Command]) {
        // A process takes commands only while it runs.
        if let Some(process) = &mut self.process {
            process.suspend(false);
        }
        let text: String = (commands.iter())
            .map(|command| format!("{command}\n"))
            .collect();
        if self.process.is_none() {
            return;
        }
        for line in text.lines() {
            self.note(now(), Direction::ToEngine, line);
        }
        if let Some(process) = &self.process {
            process.send(text);
        }
    }

    /// Kills the program with all its children. It is started again for the
    /// next game.
    pub(super) fn kill(&mut self) {
        if let Some(process) = self.process.take() {
            self.watchdog.forget(process.id());
        }
        self.alarm = never();
    }

    /// Sends END, waits for the program to exit, and kills it if it does not.
    pub(super) fn dismiss(&mut self) {
        self.send(&[Command::End]);
        if let Some(process) = &mut self.process {
            process.close_input();
            process.wait(FAREWELL);
        }
        self.kill();
    }
}

/// The fault of an engine that had the time `limit` and took `used`. `instead` is there if no move
/// has come at all, with the last line that came.
fn too_late(limit: Duration, used: Duration, instead: Option<Option<String>>) -> Interruption {
    Interruption::Fault(EngineFault::Time {
        limit,
        used,
        came: instead.is_none(),
        last: instead.flatten(),
    })
}

/// Parses the point of SUGGEST.
pub(super) fn suggestion(line: &str) -> Option<Coordinates> {
    let (word, rest) = line.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("SUGGEST")
        .then(|| rest.parse().ok())?
}
