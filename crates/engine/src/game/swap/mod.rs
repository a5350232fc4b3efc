//! Opening rules: the dialogue of first stones, swaps and offers.
//!
//! A rule is data, a list of stages; [`OpeningRule::step`] gives the next step after a
//! number of stones and the choices made so far. [`Dialogue`] is the state of one opening.

mod choice;
mod dialogue;
mod rules;
mod step;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

pub use choice::{Choice, Seat};
pub use dialogue::Dialogue;
pub use rules::{OpeningRule, ParseOpeningRuleError, Region};
pub use step::{ChoiceError, OpeningStep};
