//! Does an engine keep to the protocol? A list of small conversations, each
//! with a fresh process, judged as the strictest of the known managers would.

mod conversation;
mod games;
mod limits;
mod manners;

use super::process::Program;
use crate::rules::{BoardSize, Rule};
use conversation::Conversation;
use std::fmt::Write as _;
use std::time::Duration;

/// What is asked of the engine.
#[derive(Clone, Debug)]
pub struct Subject {
    /// How it is started.
    pub program: Program,
    /// The rules it claims to know.
    pub rules: Vec<Rule>,
    /// The board it is tested on.
    pub size: BoardSize,
    /// How long it may take to get ready, and to make a first move.
    pub patience: Duration,
}

/// How a conversation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should.
    Passed,
    /// Not as it should, and why.
    Failed(String),
    /// The engine does not know a command that it need not know.
    Unsupported(String),
}

/// One conversation and its outcome.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was tested.
    pub name: String,
    /// How it went.
    pub verdict: Verdict,
    /// What was sent (`>`) and what came (`<`).
    pub transcript: Vec<String>,
}

/// Why a conversation ended early.
type Outcome = Result<(), Verdict>;

/// Says what there is to say and judges what comes.
type Hold = dyn Fn(&Subject, &mut Conversation) -> Outcome;

/// A conversation to be held.
struct Case {
    name: String,
    hold: Box<Hold>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        hold: impl Fn(&Subject, &mut Conversation) -> Outcome + 'static,
    ) -> Case {
        Case {
            name: name.into(),
            hold: Box::new(hold),
        }
    }
}

/// Holds every conversation; `tell` hears of each as it ends.
pub fn check(subject: &Subject, tell: &mut dyn FnMut(&Finding)) -> Vec<Finding> {
    let mut cases = manners::cases();
    cases.extend(games::cases(subject));
    cases.extend(limits::cases());
    cases
        .into_iter()
        .map(|case| {
            let (verdict, transcript) = match Conversation::start(&subject.program) {
                Err(error) => (
                    Verdict::Failed(format!("can't be started: {error}")),
                    vec![],
                ),
                Ok(mut conversation) => {
                    let outcome = (case.hold)(subject, &mut conversation);
                    let verdict = outcome.err().unwrap_or(Verdict::Passed);
                    (verdict, conversation.transcript())
                }
            };
            let finding = Finding {
                name: case.name,
                verdict,
                transcript,
            };
            tell(&finding);
            finding
        })
        .collect()
}

/// A line of the table.
pub fn line(finding: &Finding) -> String {
    let (word, why) = match &finding.verdict {
        Verdict::Passed => ("passed", ""),
        Verdict::Failed(why) => ("FAILED", why.as_str()),
        Verdict::Unsupported(why) => ("not supported", why.as_str()),
    };
    format!("{word:<14} {:<44} {why}", finding.name)
        .trim_end()
        .to_owned()
}

/// What was said in the conversations that failed, or in all.
pub fn transcripts(findings: &[Finding], all: bool) -> String {
    let mut text = String::new();
    let failed = |finding: &&Finding| matches!(finding.verdict, Verdict::Failed(_));
    for finding in findings.iter().filter(|finding| all || failed(finding)) {
        let _ = writeln!(text, "\n{}", line(finding));
        for line in &finding.transcript {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// How many conversations went how.
pub fn summary(findings: &[Finding]) -> String {
    let count = |verdict: fn(&Verdict) -> bool| {
        let matching = findings.iter().filter(|finding| verdict(&finding.verdict));
        matching.count()
    };
    format!(
        "{} passed, {} failed, {} not supported",
        count(|v| *v == Verdict::Passed),
        count(|v| matches!(v, Verdict::Failed(_))),
        count(|v| matches!(v, Verdict::Unsupported(_)))
    )
}
