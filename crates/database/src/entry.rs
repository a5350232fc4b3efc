//! Entries of positions: label, value, depth and comment.

use serde::{Deserialize, Serialize};

/// The kind of bound that a value is on the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueBound {
    /// The entry has no value.
    #[default]
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The value is exact.
    Exact = 3,
}

/// The entry of one position. Fields that a file leaves out have their default, which means
/// unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// A letter, such as `w` for won and `l` for lost, from the view of the side
    /// that made the last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<char>,
    /// The value in units of the evaluation, for the side to move.
    pub value: i32,
    /// The depth of the search that found the value.
    pub depth: i32,
    /// The kind of bound that the value is.
    pub bound: ValueBound,
    /// The mark that a GUI shows on the point of the last move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// A comment.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Entry {
    /// Adds another entry of the same file for the position: comments are joined. Returns
    /// whether any other field is replaced.
    pub(super) fn join(&mut self, mut again: Entry) -> bool {
        let text = std::mem::take(&mut again.text);
        let is_said =
            text.is_empty() || self.text == text || self.text.lines().any(|line| line == text);
        if self.text.is_empty() {
            self.text = text;
        } else if !is_said {
            self.text = format!("{}\n{text}", self.text);
        }
        self.learn(again)
    }

    /// Replaces fields by those that `news` has. Returns whether one of them was different.
    pub(super) fn learn(&mut self, news: Entry) -> bool {
        let before = self.clone();
        self.label = news.label.or(self.label);
        if news.bound != ValueBound::None || news.value != 0 || news.depth != 0 {
            (self.value, self.depth, self.bound) = (news.value, news.depth, news.bound);
        }
        if !news.mark.is_empty() {
            self.mark = news.mark;
        }
        if !news.text.is_empty() {
            self.text = news.text;
        }
        let value = |entry: &Entry| (entry.value, entry.depth, entry.bound);
        (before.label.is_some() && before.label != self.label)
            || (!before.mark.is_empty() && before.mark != self.mark)
            || (!before.text.is_empty() && before.text != self.text)
            || (value(&before) != value(&Entry::default()) && value(&before) != value(self))
    }
}
