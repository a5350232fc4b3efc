//! A case of the conformance check: a conversation to be held with an engine.

use super::conversation::Conversation;
use super::status::CheckStatus;
use crate::process::Program;
use quincunx_engine::rules::{BoardSize, Rule};
use std::time::Duration;

/// The engine under test, and the conditions.
#[derive(Clone, Debug)]
pub struct EngineUnderTest {
    /// The command that starts it.
    pub program: Program,
    /// The rules it claims to know.
    pub rules: Vec<Rule>,
    /// The board it is tested on.
    pub size: BoardSize,
    /// The time that it may take to get ready, and to make a first move.
    pub patience: Duration,
}

/// The error is why a conversation ended early.
pub(super) type CaseResult = Result<(), CheckStatus>;

/// A function that sends commands and judges the replies.
type Talk = dyn Fn(&EngineUnderTest, &mut Conversation) -> CaseResult;

/// A basic ability that other cases need, each beyond the one before. If it is missing, cases that
/// need it are not tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Basic {
    /// The program runs until it is told to end.
    Runs,
    /// It is silent before the first command.
    Silent,
    /// START is answered with OK.
    Starts,
    /// BEGIN is answered with a move.
    Moves,
    /// START clears the board of the game before.
    Clears,
}

/// A test case: a conversation with the engine.
pub(super) struct Case {
    pub(super) name: String,
    /// The ability that the case needs.
    pub(super) needs: Option<Basic>,
    /// The ability that the case shows, where other cases need it.
    pub(super) shows: Option<Basic>,
    pub(super) hold: Box<Talk>,
}

impl Case {
    pub(super) fn new(
        name: impl Into<String>,
        hold: impl Fn(&EngineUnderTest, &mut Conversation) -> CaseResult + 'static,
    ) -> Case {
        Case {
            name: name.into(),
            needs: Some(Basic::Moves),
            shows: None,
            hold: Box::new(hold),
        }
    }

    /// Adds an ability that the case needs besides moves.
    pub(super) fn needs(self, basic: Basic) -> Case {
        let needs = Some(basic);
        Case { needs, ..self }
    }

    /// Marks the case as the test of an ability.
    pub(super) fn shows(self, basic: Basic) -> Case {
        let all = [
            None,
            Some(Basic::Runs),
            Some(Basic::Silent),
            Some(Basic::Starts),
            Some(Basic::Moves),
        ];
        Case {
            needs: all[basic as usize],
            shows: Some(basic),
            ..self
        }
    }
}
