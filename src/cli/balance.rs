//! Options for the openings that a command makes for games of its own.

use crate::cli::numbers::{at_least_one, within};
use clap::Args;
use quincunx_engine::engine::openings::BalanceTest;

/// The test that an opening has to pass.
#[derive(Args)]
pub(crate) struct BalanceArgs {
    /// Nodes of the search that judges an opening. By default twice those of a move, or of the
    /// time for a move, from 5,000 to 1,000,000
    #[arg(help_heading = "Openings", long, value_name = "N", value_parser = at_least_one::<u64>)]
    opening_nodes: Option<u64>,
    /// The largest value that an opening may have for either side, in units of 1/200 logit. By
    /// default 50, or 100 where the search has fewer than 20,000 nodes
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "UNITS",
        value_parser = within(0, i32::MAX),
    )]
    opening_window: Option<i32>,
}

impl BalanceArgs {
    /// Whether one of the options is given.
    pub(crate) fn are_given(&self) -> bool {
        self.opening_nodes.is_some() || self.opening_window.is_some()
    }

    /// The test for games with this many nodes a move, with what the options change.
    pub(crate) fn test(&self, nodes_a_move: u64) -> BalanceTest {
        let usual = BalanceTest::for_moves_of(nodes_a_move);
        let test = self.opening_nodes.map_or(usual, BalanceTest::with_nodes);
        BalanceTest {
            window: self.opening_window.unwrap_or(test.window),
            ..test
        }
    }
}
