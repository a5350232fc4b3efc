//! How a conversation with an engine under test went.

/// How a conversation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckStatus {
    /// As it should.
    Passed,
    /// Not as it should, and why.
    Failed(String),
    /// The engine does not know a command that it need not know.
    Unsupported(String),
}

/// A failure with its reason.
pub(super) fn failed(why: impl Into<String>) -> CheckStatus {
    CheckStatus::Failed(why.into())
}

/// Something that need not be known.
pub(super) fn unsupported(why: impl Into<String>) -> CheckStatus {
    CheckStatus::Unsupported(why.into())
}
