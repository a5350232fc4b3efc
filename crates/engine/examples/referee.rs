//! Referees a game: reads moves from standard input, one a line, says why a
//! move may not be made, and who has won. `undo` takes a move back.
//!
//! ```sh
//! cargo run --release --example referee -- renju 15
//! ```

#![allow(missing_docs, clippy::print_stdout)]

use quincunx_engine::game::Game;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::error::Error;
use std::io;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rule: Rule = arguments
        .next()
        .map_or(Ok(Rule::Freestyle), |text| text.parse())?;
    let size: BoardSize = arguments
        .next()
        .map_or(Ok(BoardSize::default()), |text| text.parse())?;

    let mut game = Game::new(rule, size).drawn_when_stuck();
    for line in io::stdin().lines() {
        let line = line?;
        match line.trim() {
            "" => continue,
            "undo" if !game.undo() => println!("there is no move to take back"),
            "undo" => {}
            text => match text.parse::<Point>() {
                Ok(point) => match game.play(point) {
                    Ok(()) => {}
                    Err(error) => println!("{error}"),
                },
                Err(error) => println!("{error}"),
            },
        }
        match game.result() {
            Some(result) => println!("{result}"),
            None => println!("{} to move", game.side()),
        }
    }
    Ok(())
}
