//! The speed of the position database.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_database::{Database, FileFormat};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::ops::ControlFlow;
use std::time::Instant;

fn position(moves: &str) -> Position {
    Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).unwrap()
}

/// Bar of the position database: `cargo test --release -p quincunx-database --test million
/// -- --ignored --nocapture` writes a million positions, in transactions of a thousand and
/// singly, and asks for them.
#[test]
#[ignore = "takes minutes"]
fn a_million_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let database = Database::open(&path).unwrap();
    let mut random = Random(1);
    let lines: String = (0..1_000_000)
        .map(|number| format!("15 freestyle {} {{\"value\":{number}}}\n", random.game()))
        .collect();
    let text = folder.path().join("positions.txt");
    std::fs::write(&text, &lines).unwrap();
    let begun = Instant::now();
    database
        .import(FileFormat::Text(None), &text, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
    let known = database.len().unwrap();
    tell(&format!("{known} positions imported"), begun, 1_000_000);
    let begun = Instant::now();
    for line in lines.lines().take(100_000) {
        let game = Position::from_line(line.split('{').next().unwrap()).unwrap();
        assert!(database.get(&game).unwrap().is_some());
    }
    tell("asked for by position", begun, 100_000);
    let begun = Instant::now();
    for line in lines.lines().take(2_000) {
        let game = Position::from_line(line.split('{').next().unwrap()).unwrap();
        database.children(&game).unwrap();
    }
    tell("asked for all that may follow", begun, 2_000);
    let begun = Instant::now();
    for number in 0..1_000 {
        let mut game = position("a1");
        game.play(
            BoardSize::default()
                .point(number % 15, 1 + number / 75)
                .unwrap(),
        );
        database
            .change(&game, |entry| entry.value = number as i32)
            .unwrap();
    }
    tell("edited one by one", begun, 1_000);
    let begun = Instant::now();
    database
        .export(FileFormat::Text(None), &folder.path().join("out.txt"))
        .unwrap();
    tell("exported as text", begun, known);
    let size = std::fs::metadata(&path).unwrap().len();
    println!("{size} bytes");
}

fn tell(what: &str, begun: Instant, count: u64) {
    let seconds = begun.elapsed().as_secs_f64();
    let rate = count as f64 / seconds;
    println!("{what}: {seconds:.1} s, {rate:.0} a second");
}

/// Games of stones anywhere, the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }

    /// Different points, as moves.
    fn game(&mut self) -> String {
        let mut points: Vec<u64> = Vec::new();
        let length = 4 + self.below(12) as usize;
        while points.len() < length {
            let point = self.below(225);
            if !points.contains(&point) {
                points.push(point);
            }
        }
        let point = |at: u64| Point::new(at as usize % 15, at as usize / 15).to_string();
        points.into_iter().map(point).collect()
    }
}
