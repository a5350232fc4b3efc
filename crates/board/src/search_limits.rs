//! The limits of searches: those of the program, and those that a person chooses.

use quincunx_engine::engine::Options;
use serde::{Deserialize, Serialize};

/// The limits that a person sets. A running search restarts with them.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchLimits {
    /// The number of threads, at most the program's limit. The default is that of [`SearchBounds`].
    pub threads: Option<u16>,
    /// The memory of the engine in MiB, in the same way.
    pub memory_mib: Option<u32>,
    /// The milliseconds after which an analysis stops.
    pub analysis_ms: Option<u32>,
    /// The nodes after which an analysis stops.
    pub analysis_nodes: Option<u32>,
}

/// The limits where nothing is chosen, and the highest that may be chosen.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SearchBounds {
    /// The number of threads.
    pub threads: u16,
    /// The most threads.
    pub most_threads: u16,
    /// The memory of the engine in MiB; 0 is as much as it takes by itself.
    pub memory_mib: u32,
    /// The most memory.
    pub most_memory_mib: u32,
}

impl SearchBounds {
    /// Those of searches with these options, and no more.
    pub fn of(options: &Options) -> SearchBounds {
        let threads = u16::try_from(options.threads.max(1)).unwrap_or(u16::MAX);
        let memory = options.max_memory.unwrap_or(0) >> 20;
        let memory_mib = u32::try_from(memory).unwrap_or(u32::MAX);
        SearchBounds {
            threads,
            most_threads: threads,
            memory_mib,
            most_memory_mib: memory_mib,
        }
    }

    /// The threads and the memory that are left of a person's choice.
    pub(super) fn apply(&self, limits: &SearchLimits, options: &mut Options) {
        let threads = limits.threads.unwrap_or(self.threads);
        options.threads = threads.clamp(1, self.most_threads.max(1)).into();
        let memory = limits.memory_mib.unwrap_or(self.memory_mib);
        let mib = u64::from(memory.min(self.most_memory_mib));
        options.max_memory = (mib > 0).then_some(mib << 20);
    }
}
