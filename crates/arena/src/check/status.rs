//! How a conversation with an engine under test went.

/// The result of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckStatus {
    /// As it should.
    Passed,
    /// Not as it should, and why.
    Failed(String),
    /// Late twice, with the expected reply.
    Late(String),
    /// The engine does not know a command that it need not know.
    Unsupported(String),
    /// Not held, because the case of this name had failed, and this one would fail for the same
    /// cause.
    NotTried(String),
}

impl CheckStatus {
    /// Returns whether the engine breaks the protocol.
    pub fn is_failure(&self) -> bool {
        matches!(self, CheckStatus::Failed(_) | CheckStatus::Late(_))
    }
}

/// A failure with its reason.
pub(super) fn failed(why: impl Into<String>) -> CheckStatus {
    CheckStatus::Failed(why.into())
}

/// Creates the status of a late reply.
pub(super) fn late(why: impl Into<String>) -> CheckStatus {
    CheckStatus::Late(why.into())
}

/// Creates the status of an optional ability.
pub(super) fn unsupported(why: impl Into<String>) -> CheckStatus {
    CheckStatus::Unsupported(why.into())
}
