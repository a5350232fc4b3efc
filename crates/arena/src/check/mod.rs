//! The protocol check of an engine: a list of small conversations, each
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
use case::{Basic, Case};
use conversation::Conversation;
use quincunx_runs::StopSignal;
use std::fmt::Write as _;

/// One conversation and how it went.
#[derive(Clone, Debug)]
pub struct CheckFinding {
    /// The name of the case.
    pub name: String,
    /// The result.
    pub status: CheckStatus,
    /// The lines that were sent (`>`) and received (`<`).
    pub transcript: Vec<String>,
}

/// Runs every case; `on_finding` gets each result. A case with a late reply is repeated once, since
/// the machine may be busy. `stop` ends the check, and the interrupted case has no result. Cases
/// that need a missing ability are skipped.
pub fn check(
    subject: &EngineUnderTest,
    stop: &StopSignal,
    on_finding: &mut dyn FnMut(&CheckFinding),
) -> Vec<CheckFinding> {
    let mut cases = commands::cases();
    cases.extend(games::cases(subject));
    cases.extend(limits::cases());
    // The lowest that has failed, and the name of its case.
    let mut lacking: Option<(Basic, String)> = None;
    let mut findings = Vec::new();
    for case in cases {
        let cause = lacking
            .as_ref()
            .filter(|(basic, _)| case.needs >= Some(*basic));
        let (status, transcript) = match cause {
            Some((_, name)) => (CheckStatus::NotTried(name.clone()), Vec::new()),
            None => hold(&case, subject, stop),
        };
        if stop.is_given() {
            break;
        }
        if let Some(basic) = case.shows.filter(|_| status.is_failure()) {
            lacking.get_or_insert((basic, case.name.clone()));
        }
        let finding = CheckFinding {
            name: case.name,
            status,
            transcript,
        };
        on_finding(&finding);
        findings.push(finding);
    }
    findings
}

/// Runs a case, and repeats it once if a reply was late.
fn hold(case: &Case, subject: &EngineUnderTest, stop: &StopSignal) -> (CheckStatus, Vec<String>) {
    let once = || match Conversation::start(&subject.program, stop) {
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
    match once() {
        (CheckStatus::Late(_), _) if !stop.is_given() => once(),
        held => held,
    }
}

/// The most characters of a reason that a line of the table has.
const MOST_OF_REASON: usize = 200;

/// A line of the table.
pub fn line(finding: &CheckFinding) -> String {
    let (word, why) = match &finding.status {
        CheckStatus::Passed => ("passed", String::new()),
        CheckStatus::Failed(why) | CheckStatus::Late(why) => ("FAILED", why.clone()),
        CheckStatus::Unsupported(why) => ("not supported", why.clone()),
        CheckStatus::NotTried(cause) => ("not tried", format!("'{cause}' failed")),
    };
    let why = shown(&why, MOST_OF_REASON);
    format!("{word:<14} {:<44} {why}", finding.name)
        .trim_end()
        .to_owned()
}

/// Returns the transcripts of the conversations that failed, or of all.
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

/// Returns the numbers of conversations by their results.
pub fn summary(findings: &[CheckFinding]) -> String {
    let count = |status: fn(&CheckStatus) -> bool| {
        let matching = findings.iter().filter(|finding| status(&finding.status));
        matching.count()
    };
    let not_tried = match count(|v| matches!(v, CheckStatus::NotTried(_))) {
        0 => String::new(),
        count => format!(", {count} not tried"),
    };
    format!(
        "{} passed, {} failed, {} not supported{not_tried}",
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
