//! The categories of ratings.

use quincunx_engine::rules::Rule;
use std::cmp::Ordering;

/// A category of ratings: each rule has one for live and one for correspondence games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatingCategory {
    /// The rule.
    pub rule: Rule,
    /// True for correspondence games.
    pub correspondence: bool,
}

impl RatingCategory {
    /// The order in profiles: by the names of the rules, live games first.
    fn key(self) -> (&'static str, bool) {
        (self.rule.name(), self.correspondence)
    }
}

impl Ord for RatingCategory {
    fn cmp(&self, other: &RatingCategory) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for RatingCategory {
    fn partial_cmp(&self, other: &RatingCategory) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
