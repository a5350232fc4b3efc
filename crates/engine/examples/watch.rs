//! Watches a search: prints every iteration as it completes.
//!
//! ```sh
//! cargo run --release --example watch -- "15 renju h8i9g10" 200000
//! ```

#![allow(missing_docs, clippy::print_stdout)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::search::{Limits, Line, Report, Searcher, TranspositionTable};
use std::error::Error;
use std::sync::Arc;

/// Prints what the search tells and never stops it: its limit of nodes does.
struct Printer;

impl Report for Printer {
    fn progress(&mut self, info: &Line) {
        let pv: Vec<String> = info.pv.iter().map(Point::to_string).collect();
        println!(
            "depth {:>2}/{:<2} score {:>5} nodes {:>8} pv {}",
            info.depth,
            info.seldepth,
            info.score.to_string(),
            info.nodes,
            pv.join(" "),
        );
    }

    fn stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let position = arguments
        .next()
        .unwrap_or("15 freestyle h8i9g10".to_owned());
    let nodes = arguments.next().map_or(Ok(200_000), |text| text.parse())?;

    let position = Position::from_line(&position)?;
    let table = Arc::new(TranspositionTable::new(16 << 20));
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let result = <Searcher>::new(table, Arc::default()).search(&position, &limits, &mut Printer);
    match result.best() {
        Some(point) => println!("{} plays {point}", position.side()),
        None => println!("{} has no legal move", position.side()),
    }
    Ok(())
}
