//! Talking to an engine under test, with everything written down.

use super::status::{CheckStatus, failed, late};
use crate::clock::now;
use crate::platform::MemoryMeter;
use crate::player::suggestion;
use crate::process::{Process, Program};
use crossbeam_channel::{RecvTimeoutError, select};
use quincunx_engine::gomocup::{Coordinates, Reply};
use quincunx_runs::StopSignal;
use std::io;
use std::time::{Duration, Instant};

/// The pause between a received line and the next command. The loss of a command that is sent
/// without it is tested by its own case.
const LULL: Duration = Duration::from_millis(50);

/// Longer conversations are cut in the middle when shown.
const SHOWN: usize = 60;

/// A process, and the transcript.
pub(super) struct Conversation {
    process: Process,
    started_at: Instant,
    /// The time of the last received line, unless something was sent since then.
    received_at: Option<Instant>,
    transcript: Vec<String>,
    /// The engine has suggested moves.
    suggested: bool,
    stop: StopSignal,
}

impl Conversation {
    /// Starts the program. `stop` ends the conversation while it listens.
    pub(super) fn start(program: &Program, stop: &StopSignal) -> io::Result<Conversation> {
        Ok(Conversation {
            process: Process::start(program)?,
            started_at: now(),
            received_at: None,
            transcript: Vec::new(),
            suggested: false,
            stop: stop.clone(),
        })
    }

    /// Returns the transcript, cut in the middle where it is long.
    pub(super) fn transcript(mut self) -> Vec<String> {
        let stderr = self.process.stderr();
        let lines = stderr.lines().map(str::escape_debug);
        self.transcript
            .extend(lines.map(|line| format!("! {line}")));
        let length = self.transcript.len();
        if length > SHOWN {
            let cut = format!("... {} lines ...", length - SHOWN);
            self.transcript.splice(SHOWN / 2..length - SHOWN / 2, [cut]);
        }
        self.transcript
    }

    /// Sends lines, a moment after the last answer; each gets a line end.
    pub(super) fn send(&mut self, lines: &str) {
        let text: String = lines.lines().map(|line| format!("{line}\n")).collect();
        self.send_raw(&text);
    }

    /// Sends text as it is, a moment after the last answer.
    pub(super) fn send_raw(&mut self, text: &str) {
        if let Some(received_at) = self.received_at {
            std::thread::sleep(LULL.saturating_sub(now().saturating_duration_since(received_at)));
        }
        self.send_at_once(text);
    }

    /// Sends text as it is, however soon after the last answer.
    pub(super) fn send_at_once(&mut self, text: &str) {
        self.received_at = None;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches('\n').escape_debug();
            self.note('>', &shown.to_string());
        }
        self.process.send(text.to_owned());
    }

    fn note(&mut self, direction: char, text: &str) {
        let ms = now().saturating_duration_since(self.started_at).as_millis();
        self.transcript
            .push(format!("{direction} {text}   [{ms} ms]"));
    }

    /// The next line within `patience`.
    pub(super) fn receive(
        &mut self,
        patience: Duration,
    ) -> Result<Option<(String, Instant)>, CheckStatus> {
        let output = select! {
            recv(self.process.output()) -> output => {
                output.map_err(|_| RecvTimeoutError::Disconnected)
            }
            recv(self.stop.receiver()) -> _ => return Err(failed("interrupted")),
            default(patience) => Err(RecvTimeoutError::Timeout),
        };
        match output {
            Err(_) if self.process.wait(Duration::ZERO).is_none() => Ok(None),
            Ok(output) => match output.line {
                Some(line) => {
                    self.note('<', &line.escape_debug().to_string());
                    self.received_at = Some(output.at);
                    Ok(Some((line, output.at)))
                }
                None => Err(self.left()),
            },
            Err(_) => Err(self.left()),
        }
    }

    fn left(&mut self) -> CheckStatus {
        let status = self.process.wait(Duration::from_secs(1));
        let status = status.map_or("closed its output".into(), |status| status.to_string());
        self.note('<', &format!("({status})"));
        failed(format!("the program left: {status}"))
    }

    /// Returns whether a move was suggested with SUGGEST, and accepted with PLAY.
    pub(super) fn has_suggested(&self) -> bool {
        self.suggested
    }

    /// Waits for the next line that is not a remark. Returns it with its time. A suggested move is
    /// accepted, as in a match.
    pub(super) fn answer(
        &mut self,
        patience: Duration,
    ) -> Result<Option<(Reply, Duration)>, CheckStatus> {
        let asked = now();
        let deadline = asked + patience;
        loop {
            let left = deadline.saturating_duration_since(now());
            let Some((line, at)) = self.receive(left)? else {
                return Ok(None);
            };
            // Of an endless stream of remarks there is always another line.
            if at > deadline {
                return Ok(None);
            }
            if let Some(point) = suggestion(&line) {
                self.suggested = true;
                self.send_at_once(&format!("PLAY {point}\n"));
                continue;
            }
            match line.parse() {
                Ok(Reply::Message(_) | Reply::Debug(_)) => {}
                Ok(reply) => return Ok(Some((reply, at.saturating_duration_since(asked)))),
                Err(never) => match never {},
            }
        }
    }

    /// OK, and nothing else.
    pub(super) fn expect_ok(&mut self, patience: Duration) -> Result<(), CheckStatus> {
        match self.answer(patience)? {
            Some((Reply::Ok, _)) => Ok(()),
            Some((other, _)) => Err(failed(format!("expected OK, came '{other}'"))),
            None => Err(late("expected OK, nothing came")),
        }
    }

    /// A move, and nothing else but remarks before it.
    pub(super) fn expect_move(
        &mut self,
        patience: Duration,
    ) -> Result<(Coordinates, Duration), CheckStatus> {
        match self.answer(patience)? {
            Some((Reply::Move(at), used)) => Ok((at, used)),
            Some((other, _)) => Err(failed(format!("expected a move, came '{other}'"))),
            None => Err(late(format!(
                "expected a move, nothing came in {} ms",
                patience.as_millis()
            ))),
        }
    }

    /// Checks that the program runs for a while.
    pub(super) fn expect_life(&mut self, patience: Duration) -> Result<(), CheckStatus> {
        let deadline = now() + patience;
        loop {
            let left = deadline.saturating_duration_since(now());
            // Of an endless stream of remarks there is always another line.
            if self.receive(left)?.is_none() || left.is_zero() {
                return Ok(());
            }
        }
    }

    /// Expects nothing but remarks for a while.
    pub(super) fn expect_silence(&mut self, patience: Duration) -> Result<(), CheckStatus> {
        match self.answer(patience)? {
            None => Ok(()),
            Some((other, _)) => Err(failed(format!("expected nothing, came '{other}'"))),
        }
    }

    /// The program leaves by itself, and neither crashes nor reports an error on the way.
    pub(super) fn expect_exit(&mut self, patience: Duration) -> Result<(), CheckStatus> {
        let deadline = now() + patience;
        while now() < deadline && !self.stop.is_given() {
            match self.process.wait(Duration::from_millis(50)) {
                None => {}
                Some(status) if status.success() => return Ok(()),
                Some(status) => {
                    self.note('<', &format!("({status})"));
                    return Err(failed(format!("the program left with an error: {status}")));
                }
            }
        }
        Err(late(format!(
            "the program is still there after {} ms",
            patience.as_millis()
        )))
    }

    pub(super) fn close_input(&mut self) {
        self.note('>', "(end of file)");
        self.process.close_input();
    }

    /// Returns the error output, which some managers read as moves.
    pub(super) fn stderr(&self) -> String {
        self.process.stderr()
    }

    /// Bytes in use by the program and its children.
    pub(super) fn memory(&self) -> u64 {
        let sums = MemoryMeter::default().measure(&[self.process.id()]);
        sums.first().copied().unwrap_or(0)
    }
}
