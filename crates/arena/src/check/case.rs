//! A case of the conformance check: a conversation to be held with an engine.

use super::conversation::Conversation;
use super::status::CheckStatus;
use crate::process::Program;
use quincunx_engine::rules::{BoardSize, Rule};
use std::time::Duration;

/// The engine under test, and what is asked of it.
#[derive(Clone, Debug)]
pub struct EngineUnderTest {
    /// How it is started.
    pub program: Program,
    /// The rules it claims to know.
    pub rules: Vec<Rule>,
    /// The board it is tested on.
    pub size: BoardSize,
    /// How long it may take to get ready, and to make a first move.
    pub patience: Duration,
}

/// The error is why a conversation ended early.
pub(super) type CaseResult = Result<(), CheckStatus>;

/// Says what there is to say and judges what comes.
type Talk = dyn Fn(&EngineUnderTest, &mut Conversation) -> CaseResult;

/// A conversation to be held.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) hold: Box<Talk>,
}

impl Case {
    pub(super) fn new(
        name: impl Into<String>,
        hold: impl Fn(&EngineUnderTest, &mut Conversation) -> CaseResult + 'static,
    ) -> Case {
        Case {
            name: name.into(),
            hold: Box::new(hold),
        }
    }
}
