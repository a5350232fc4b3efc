//! A million positions: the size of the file, the time to make it and to ask it, and the
//! memory. `cargo test --release -p quincunx-explorer --test million -- --ignored --nocapture`

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_explorer::{BuildLimits, Builder, Explorer, GameOutcome};
use std::time::{Duration, Instant};

/// The pages of this process that are in memory, in KiB, where Linux tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

#[test]
#[ignore = "takes a minute and measures time"]
fn a_million_positions_are_asked_within_a_millisecond() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("million.qxplore");
    let mut random = fastrand::Rng::with_seed(4);
    let size = BoardSize::default();
    let mut points: Vec<Point> = size.iter().collect();
    let start = Instant::now();
    let mut builder = Builder::new(&path, BuildLimits::default()).unwrap();
    let mut ends = Vec::new();
    for number in 0..28_000 {
        random.shuffle(&mut points);
        let mut position = Position::new(Rule::Freestyle, size);
        points[..40].iter().for_each(|&point| position.play(point));
        let winner = Color::ALL[random.usize(..2)];
        builder.add(&position, 0, GameOutcome::Won(winner)).unwrap();
        if number % 20 == 0 {
            let stones = random.usize(..40);
            ends.push(points[..stones].to_vec());
        }
    }
    let built = builder.finish().unwrap();
    println!("{built:?} in {:?}", start.elapsed());
    println!("{} bytes", std::fs::metadata(&path).unwrap().len());
    assert!(built.positions > 1_000_000);

    let before = resident();
    let explorer = Explorer::open(&path).unwrap();
    let (mut longest, mut all) = (Duration::ZERO, Duration::ZERO);
    for points in &ends {
        let mut position = Position::new(Rule::Freestyle, size);
        points.iter().for_each(|&point| position.play(point));
        let start = Instant::now();
        let moves = explorer.moves(&position).unwrap();
        let time = start.elapsed();
        assert!(!moves.is_empty());
        longest = longest.max(time);
        all += time;
    }
    let mean = all / ends.len() as u32;
    println!(
        "{} questions: {mean:?} each, {longest:?} at most",
        ends.len()
    );
    println!("resident: {before:?} KiB before, {:?} after", resident());
    assert!(mean < Duration::from_millis(1));
}
