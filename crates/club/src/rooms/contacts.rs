//! The contact preferences of a person: who may challenge them, and who is blocked.

use super::person::PersonId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The most people that one person blocks.
pub(super) const MOST_BLOCKED: usize = 200;

/// The people who may challenge and play a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContactPolicy {
    /// People with a name may challenge, and any visitor may take a free seat.
    #[default]
    All,
    /// People with a name may challenge, and only they may take a free seat.
    Named,
    /// No challenge is accepted. Any visitor may take a free seat.
    None,
}

/// The contact preferences of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contacts {
    /// The people who may challenge and play them.
    #[serde(default)]
    pub policy: ContactPolicy,
    /// The people whose challenges, rooms and phrases do not reach them.
    #[serde(default)]
    pub blocked: BTreeSet<PersonId>,
}
