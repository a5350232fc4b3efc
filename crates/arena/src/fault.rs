//! What engines do to lose their games, and the words for it in records.

use super::process::Program;
use super::record::Reason;
use super::remarks::shown;
use std::io;
use std::time::Duration;

/// The fault by which an engine lost its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineFault {
    /// The program ended when it should have played.
    Crash(String),
    /// The program did not get ready in time.
    Hang(String),
    /// The program refused the board.
    Refused(String),
    /// No move in time.
    Time {
        /// The time that the engine had.
        limit: Duration,
        /// The time until the move came, or until it was no longer waited for.
        used: Duration,
        /// The move came late.
        came: bool,
        /// The last line that came instead, if one did.
        last: Option<String>,
    },
    /// The output is longer than any that is read.
    Flood,
    /// It used this much memory in bytes, more than the limit.
    Memory(u64),
}

/// An engine's program can't be started, often for want of open files or processes on this
/// machine.
#[derive(Debug, thiserror::Error)]
#[error("can't start {engine}: {program}")]
pub struct StartError {
    pub(super) engine: String,
    pub(super) program: Program,
    pub(super) source: io::Error,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Interruption {
    /// The engine's fault.
    Fault(EngineFault),
    /// The program can't be started. Neither player is at fault.
    NoStart(StartError),
    /// The whole match is being stopped.
    Stopped,
}

impl From<EngineFault> for Interruption {
    fn from(fault: EngineFault) -> Self {
        Interruption::Fault(fault)
    }
}

/// The most characters of a program's output in a record.
const MAX_OUTPUT: usize = 200;

/// Returns the reason and the detail of a program's fault in records.
pub(super) fn fault_words(fault: EngineFault) -> (Reason, String) {
    match fault {
        EngineFault::Crash(detail) => (Reason::Crash, shown(&detail, MAX_OUTPUT)),
        EngineFault::Hang(detail) => (Reason::Hang, detail),
        EngineFault::Refused(detail) => (Reason::Refused, shown(&detail, MAX_OUTPUT)),
        EngineFault::Time {
            limit,
            used,
            came,
            last,
        } => {
            let none = if came { "" } else { "no move in " };
            let late = format!(
                "{none}{} ms instead of {}",
                used.as_millis(),
                limit.as_millis()
            );
            let last_output =
                last.map(|last| format!(", last said \"{}\"", shown(&last, MAX_OUTPUT)));
            (Reason::Time, late + &last_output.unwrap_or_default())
        }
        EngineFault::Flood => (Reason::Flood, String::new()),
        EngineFault::Memory(used) => (Reason::Memory, format!("{} MiB", used >> 20)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_programs_is_cut_and_has_no_control_characters() {
        let last_output = format!("signal: 6; \u{1b}[2J{}", "x".repeat(5000));
        for fault in [
            EngineFault::Crash(last_output.clone()),
            EngineFault::Refused(last_output),
        ] {
            let (_, detail) = fault_words(fault);
            assert!(detail.starts_with("signal: 6;  [2Jxxx"), "{detail}");
            assert_eq!(detail.chars().count(), 200);
        }
    }
}
