//! Random streams of commands against a model of what a manager may expect.
//!
//! Each request gets exactly one answer and each question one reply, in their
//! order; a request that is dropped gets none after that; every move is legal
//! and on a point that is not blocked; nothing panics, hangs or is said unasked.
//! `PROPTEST_CASES=100000 cargo test --release --test streams` tries that many;
//! `STREAMS=10000000 cargo test --release --test streams volume -- --nocapture`
//! as many short ones, thousands a second.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod board;
mod faults;
mod lines;
mod manager;
mod model;
mod notes;
mod pipes;
mod replies;
mod step;
mod volume;

use faults::{faults, record_faults};
use lines::line;
use manager::Manager;
use pipes::Output;
use proptest::prelude::*;
use quincunx::protocol;
use quincunx_testing::weights::weights;
use step::{Step, steps};

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_stream_is_answered_as_the_model_says(
        steps in steps(40),
        politely in any::<bool>(),
    ) {
        record_faults();
        let mut manager = Manager::new();
        for step in &steps {
            manager.step(step);
        }
        let transcript = manager.leave(politely);
        prop_assert_eq!(faults(), Vec::<String>::new(), "after\n{}", transcript);
    }

    /// No model at all: lines in any order, cut anywhere, then the end.
    #[test]
    fn any_lines_are_survived(
        lines in proptest::collection::vec(line(), 0..60),
        cut in 0..40usize,
    ) {
        record_faults();
        let mut text = String::from("INFO max_memory 30000000\nINFO timeout_turn 2\n");
        text += &lines.concat();
        let mut bytes = text.into_bytes();
        bytes.truncate(bytes.len().saturating_sub(cut));
        let requests = lines.len() + 1;
        let (output, expected_replies) = Output::new();
        protocol::run(weights(), None, Vec::new(), std::io::Cursor::new(bytes), output).unwrap();
        let output: Vec<String> = expected_replies.try_iter().collect();
        let starts = ["OK", "ERROR ", "UNKNOWN ", "MESSAGE ", "INFO ", "FORBID ", "SWAP", "name="];
        let moves = output.iter().filter(|line| {
            let known = starts.iter().any(|start| line.starts_with(start));
            let numbers = line.split([',', ' ']).all(|number| number.parse::<usize>().is_ok());
            assert!(known || numbers, "{line}");
            numbers
        });
        prop_assert!(moves.count() <= requests);
        prop_assert_eq!(faults(), Vec::<String>::new());
    }
}

/// Streams that found something, each with what it was.
#[test]
fn what_was_found_stays_mended() {
    record_faults();
    // Three stones were proposed on stones of neither side.
    let nobodys = |count: u16| Step::SetBoard((0..count).map(|at| (at, 0)).collect());
    for taken in [5, 15, 22] {
        let mut manager = Manager::new();
        for step in [Step::Start(2, 2), nobodys(taken), Step::GuidedSwap2(1)] {
            manager.step(&step);
        }
        let transcript = manager.leave(true);
        assert_eq!(faults(), Vec::<String>::new(), "after\n{transcript}");
    }
}
