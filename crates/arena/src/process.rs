//! One engine program as a child process that can't hurt the match.
//!
//! The child leads a process group of its own (on Windows a job), and the
//! whole group is killed when the process is dropped, whatever happened before.
//! Reading, writing and draining the error output each have a thread, so that
//! no pipe, full or closed, can block a game; lines are cut and queues are
//! bounded, so that no flood can fill the memory.

use super::clock::now;
use super::platform::{self, grouped};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use process_wrap::std::ChildWrapper;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longer lines are cut.
const LINE_LIMIT: usize = 8192;
/// The number of lines of output that are queued before the engine has to wait.
const QUEUE: usize = 1024;
/// The limit of the stored error output in bytes.
const STDERR_LIMIT: usize = 2048;

/// The command that starts a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments.
    pub command: Vec<OsString>,
    /// The folder it runs in; `None` is the current one.
    pub folder: Option<PathBuf>,
}

impl Program {
    /// Starts the program and ends it at once.
    ///
    /// # Errors
    /// Returns an error when there is no such program, or it can't be run.
    pub fn try_start(&self) -> io::Result<()> {
        Process::start(self).map(drop)
    }

    /// The program and its arguments as text. Invalid bytes are replaced.
    pub(super) fn words(&self) -> Vec<String> {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        self.command.iter().map(text).collect()
    }
}

/// The program without its arguments: a path that a blank has cut in two shows that.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.command.first();
        program.map_or(Ok(()), |program| f.write_str(&program.to_string_lossy()))
    }
}

/// An event of the engine's output.
#[derive(Debug)]
pub(super) struct OutputLine {
    /// The time at which it was read.
    pub(super) at: Instant,
    /// A line without its end; `None` when the engine closed its output.
    pub(super) line: Option<String>,
}

/// A running engine program.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    input: Option<Sender<String>>,
    output: Receiver<OutputLine>,
    stderr_tail: Arc<Mutex<Vec<u8>>>,
    suspended: bool,
    /// The exit status of the program, once it is known.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts `program` with its threads.
    pub(super) fn start(program: &Program) -> io::Result<Process> {
        let (name, arguments) = program
            .command
            .split_first()
            .ok_or_else(|| io::Error::other("empty command"))?;
        let mut command = Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        let mut child = grouped(command).spawn()?;
        let pipe = || io::Error::other("the process has no pipes");
        let stdin = child.stdin().take().ok_or_else(pipe)?;
        let stdout = child.stdout().take().ok_or_else(pipe)?;
        let stderr = child.stderr().take().ok_or_else(pipe)?;
        let (input, requests) = unbounded();
        let (queue, output) = bounded(QUEUE);
        let stderr_tail = Arc::new(Mutex::new(Vec::new()));
        let tail = Arc::clone(&stderr_tail);
        // From here on the program is killed if anything fails.
        let process = Process {
            child,
            input: Some(input),
            output,
            stderr_tail,
            suspended: false,
            status: None,
        };
        let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
            std::thread::Builder::new()
                .name(name.to_owned())
                .stack_size(128 * 1024)
                .spawn(work)
                .map(drop)
        };
        spawn(
            "engine input",
            Box::new(move || write_all(stdin, &requests)),
        )?;
        spawn(
            "engine output",
            Box::new(move || read_lines(stdout, &queue)),
        )?;
        spawn("engine errors", Box::new(move || drain(stderr, &tail)))?;
        Ok(process)
    }

    /// Sends text. Never blocks; that the engine is gone shows in its output.
    pub(super) fn send(&self, text: String) {
        if let Some(input) = &self.input {
            input.send(text).ok();
        }
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Suspends or resumes the program with all its children.
    pub(super) fn suspend(&mut self, suspended: bool) {
        if self.suspended != suspended {
            platform::suspend(self.id(), suspended);
            self.suspended = suspended;
        }
    }

    /// Returns the queue of output lines.
    pub(super) fn output(&self) -> &Receiver<OutputLine> {
        &self.output
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits a little for the program to exit by itself.
    pub(super) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = now() + patience;
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait().ok().flatten();
            }
            if self.status.is_some() || now() >= deadline {
                return self.status;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Returns the last lines of the program's error output.
    pub(super) fn stderr(&self) -> String {
        let tail = self
            .stderr_tail
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail).trim().to_owned()
    }

    /// Returns the last lines of the error output of a program that has ended. They may still be in
    /// the pipe, and a child process may hold it open, so this waits for at most `patience`.
    pub(super) fn last_stderr(&self, patience: Duration) -> String {
        let deadline = now() + patience;
        // The thread that reads them lets go of them at their end.
        while Arc::strong_count(&self.stderr_tail) > 1 && now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.stderr()
    }
}

/// The whole group goes, even if its leader has left already.
impl Drop for Process {
    fn drop(&mut self) {
        self.child.start_kill().ok();
        // The end of a job of Windows is told once. Waiting for it again would have no end.
        if self.status.is_none() {
            self.child.wait().ok();
        }
    }
}

fn write_all(mut stdin: impl Write, requests: &Receiver<String>) {
    for text in requests {
        if stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Cuts the output into lines: CR, LF and CRLF all end one, empty ones are
/// nothing.
fn read_lines(mut stdout: impl Read, queue: &Sender<OutputLine>) {
    let mut buffer = [0; 4096];
    let mut line = Vec::new();
    let emit = |line: &mut Vec<u8>, at| {
        let text = String::from_utf8_lossy(line).into_owned();
        line.clear();
        queue.send(OutputLine {
            at,
            line: Some(text),
        })
    };
    loop {
        let count = match stdout.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = now();
        for &byte in &buffer[..count] {
            if byte == b'\n' || byte == b'\r' {
                if !line.is_empty() && emit(&mut line, at).is_err() {
                    return;
                }
            } else if line.len() < LINE_LIMIT {
                line.push(byte);
            }
        }
    }
    let at = now();
    if !line.is_empty() {
        emit(&mut line, at).ok();
    }
    queue.send(OutputLine { at, line: None }).ok();
}

/// Reads the error output, so that the engine never blocks, and stores its end.
fn drain(mut stderr: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count) = stderr.read(&mut buffer) {
        if count == 0 {
            return;
        }
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..count]);
        let excess = tail.len().saturating_sub(STDERR_LIMIT);
        tail.drain(..excess);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_known_way() {
        let (sender, receiver) = bounded(100);
        let long = "x".repeat(LINE_LIMIT + 9);
        let text = format!("OK\r\n7,7\r8,8\n\n{long}\nend");
        read_lines(text.as_bytes(), &sender);
        drop(sender);
        let lines: Vec<Option<String>> = receiver.iter().map(|output| output.line).collect();
        let expected = ["OK", "7,7", "8,8", &long[..LINE_LIMIT], "end"];
        let received: Vec<&str> = lines.iter().flatten().map(String::as_str).collect();
        assert_eq!(received, expected);
        assert_eq!(lines.last(), Some(&None));
    }

    /// They were lost where the machine was busy.
    #[test]
    #[cfg(unix)]
    fn the_error_output_of_a_program_that_has_ended_is_waited_for() {
        let command = ["sh", "-c", "(sleep 0.1; echo why >&2) & exit 1"];
        let program = Program {
            command: command.map(Into::into).to_vec(),
            folder: None,
        };
        let mut process = Process::start(&program).unwrap();
        let patience = Duration::from_secs(10);
        assert!(process.wait(patience).is_some());
        assert_eq!(process.last_stderr(patience), "why");
    }

    #[test]
    fn only_the_end_of_a_long_error_output_is_stored() {
        let tail = Mutex::new(Vec::new());
        let text = format!("{}last words", "y".repeat(100_000));
        drain(text.as_bytes(), &tail);
        let tail = tail.into_inner().unwrap();
        assert_eq!(tail.len(), STDERR_LIMIT);
        assert!(tail.ends_with(b"last words"));
    }
}
