//! What is known of one position.

use serde::{Deserialize, Serialize};

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// There is no value.
    #[default]
    None = 0,
    /// At most.
    Upper = 1,
    /// At least.
    Lower = 2,
    /// Exactly.
    Exact = 3,
}

/// What is known of one position. Whatever is left out of a file is as in the
/// default, which says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// A letter, such as `w` for won and `l` for lost, for whoever made the last
    /// move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<char>,
    /// The value in units of the evaluation, for the side to move.
    pub value: i32,
    /// How deep it was looked.
    pub depth: i32,
    /// What the value says.
    pub bound: Bound,
    /// What a GUI shows on the point of the last move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// A comment.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Entry {
    /// Takes over what `news` says; about the rest everything stays.
    pub(super) fn learn(&mut self, news: Entry) {
        self.label = news.label.or(self.label);
        if news.bound != Bound::None || news.value != 0 || news.depth != 0 {
            (self.value, self.depth, self.bound) = (news.value, news.depth, news.bound);
        }
        if !news.mark.is_empty() {
            self.mark = news.mark;
        }
        if !news.text.is_empty() {
            self.text = news.text;
        }
    }
}
