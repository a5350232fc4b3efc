//! Does an engine keep to the protocol? A list of small conversations, each
//! with a fresh process, judged as the strictest of the known managers would.

mod case;
mod commands;
mod conversation;
mod games;
mod limits;
mod status;

pub use case::EngineUnderTest;
pub use status::CheckStatus;

use super::remarks::shown;
use super::stop::StopSignal;
use conversation::Conversation;
use std::fmt::Write as _;

/// One conversation and how it went.
#[derive(Clone, Debug)]
pub struct CheckFinding {
    /// What was tested.
    pub name: String,
    /// How it went.
    pub status: CheckStatus,
    /// What was sent (`>`) and what came (`<`).
    pub transcript: Vec<String>,
}

/// Holds every conversation; `tell` hears of each as it ends. One in which something came too
/// late is held once more: a busy machine is no fault of the engine. `stop` ends the check:
/// the conversation that it breaks off is no finding.
pub fn check(
    subject: &EngineUnderTest,
    stop: &StopSignal,
    tell: &mut dyn FnMut(&CheckFinding),
) -> Vec<CheckFinding> {
    let mut cases = commands::cases();
    cases.extend(games::cases(subject));
    cases.extend(limits::cases());
    cases
        .into_iter()
        .map_while(|case| {
            let hold = || match Conversation::start(&subject.program, stop) {
                Err(error) => (
                    CheckStatus::Failed(format!("can't be started: {error}")),
                    vec![],
                ),
                Ok(mut conversation) => {
                    let outcome = (case.hold)(subject, &mut conversation);
                    let status = outcome.err().unwrap_or(CheckStatus::Passed);
                    (status, conversation.transcript())
                }
            };
            let (mut status, mut transcript) = hold();
            if matches!(status, CheckStatus::Late(_)) && !stop.is_given() {
                (status, transcript) = hold();
            }
            let finding = CheckFinding {
                name: case.name,
                status,
                transcript,
            };
            (!stop.is_given()).then(|| {
                tell(&finding);
                finding
            })
        })
        .collect()
}

/// The most characters of a reason that a line of the table has.
const MOST_OF_REASON: usize = 200;

/// A line of the table.
pub fn line(finding: &CheckFinding) -> String {
    let (word, why) = match &finding.status {
        CheckStatus::Passed => ("passed", ""),
        CheckStatus::Failed(why) | CheckStatus::Late(why) => ("FAILED", why.as_str()),
        CheckStatus::Unsupported(why) => ("not supported", why.as_str()),
    };
    let why = shown(why, MOST_OF_REASON);
    format!("{word:<14} {:<44} {why}", finding.name)
        .trim_end()
        .to_owned()
}

/// What was said in the conversations that failed, or in all.
pub fn transcripts(findings: &[CheckFinding], all: bool) -> String {
    let mut text = String::new();
    let failed = |finding: &&CheckFinding| finding.status.is_failure();
    for finding in findings.iter().filter(|finding| all || failed(finding)) {
        let _ = writeln!(text, "\n{}", line(finding));
        for line in &finding.transcript {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// How many conversations went how.
pub fn summary(findings: &[CheckFinding]) -> String {
    let count = |status: fn(&CheckStatus) -> bool| {
        let matching = findings.iter().filter(|finding| status(&finding.status));
        matching.count()
    };
    format!(
        "{} passed, {} failed, {} not supported",
        count(|v| *v == CheckStatus::Passed),
        count(CheckStatus::is_failure),
        count(|v| matches!(v, CheckStatus::Unsupported(_)))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal would obey them.
    #[test]
    fn lines_have_no_control_characters() {
        let finding = CheckFinding {
            name: "RESTART".into(),
            status: CheckStatus::Failed("expected OK, came '\u{1b}[2J'".into()),
            transcript: Vec::new(),
        };
        let line = line(&finding);
        assert!(line.ends_with(" expected OK, came ' [2J'"), "{line}");
    }
}
