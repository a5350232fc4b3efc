//! Short streams in great number: a session goes on from one to the next, its
//! searches have few nodes, and nothing is shrunk.

use crate::faults::{faults, record_faults};
use crate::manager::Manager;
use crate::step::{Step, steps};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use quincunx_engine::rules::BoardSize;
use std::time::Instant;
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

/// Streams without a count from the environment.
const FEW: u64 = 3_000;

/// A session has so many.
const STREAMS_A_SESSION: u64 = 500;

/// Steps of the longest stream.
const LONGEST: usize = 10;

/// Nodes of a search.
const NODES: u32 = 20;

/// The process may have grown by so much since the first tenth of the streams.
const GROWTH: u64 = 32 << 20;

#[test]
fn volume() {
    record_faults();
    let setting = |name: &str, default| match std::env::var(name) {
        Ok(text) => text.parse().unwrap(),
        Err(_) => default,
    };
    let streams = setting("STREAMS", FEW);
    let mut steps = Stream::new(setting("SEED", 1));
    let mut manager = Manager::with_nodes(NODES);
    let (begun, mut commands, mut settled) = (Instant::now(), 0, 0);
    for number in 0..streams {
        if number > 0 && number.is_multiple_of(STREAMS_A_SESSION) {
            commands += manager.commands();
            manager.leave(number.is_multiple_of(2 * STREAMS_A_SESSION));
            manager = Manager::with_nodes(NODES);
        } else if number > 0 {
            manager.begin_again(BoardSize::new(7, 6).unwrap());
        }
        for step in steps.next() {
            manager.step(&step);
        }
        if number == streams / 10 {
            settled = memory();
        }
        if number % (streams / 100).max(1) == 0 {
            let seconds = begun.elapsed().as_secs_f64();
            let line = format!("{number} streams, {seconds:.0} s, {} bytes", memory());
            println!("{line}");
        }
        let found = faults();
        assert!(found.is_empty(), "{found:?} after\n{}", manager.leave(true));
    }
    commands += manager.commands();
    manager.leave(true);
    let (seconds, memory) = (begun.elapsed().as_secs_f64(), memory());
    let line = format!(
        "{streams} streams, {commands} commands, {seconds:.0} s, {settled} bytes, at the end {memory}"
    );
    println!("{line}");
    assert!(memory < settled + GROWTH, "{line}");
}

/// Streams by a seed.
struct Stream {
    runner: TestRunner,
    steps: proptest::strategy::BoxedStrategy<Vec<Step>>,
}

impl Stream {
    fn new(seed: u64) -> Stream {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Stream {
            runner: TestRunner::new_with_rng(Config::default(), random),
            steps: steps(LONGEST).boxed(),
        }
    }

    fn next(&mut self) -> Vec<Step> {
        self.steps.new_tree(&mut self.runner).unwrap().current()
    }
}

/// What this process has in memory, in bytes.
fn memory() -> u64 {
    let own = sysinfo::get_current_pid().unwrap();
    let mut system = System::new();
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        true,
        ProcessRefreshKind::nothing().with_memory(),
    );
    system.process(own).unwrap().memory()
}
