//! Embeds the engine: it plays both sides of a game, and the game says how it
//! ends.
//!
//! ```sh
//! cargo run --release --example embed
//! ```

#![allow(missing_docs, clippy::print_stdout)]

use quincunx_engine::engine::{Engine, Event, MonotonicClock, Request};
use quincunx_engine::game::Game;
use quincunx_engine::rules::{BoardSize, Rule};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let (rule, size) = (Rule::Renju, BoardSize::square(15)?);
    let mut engine = Engine::new(MonotonicClock::system());
    engine.set_rule(rule);
    engine.new_game(size);
    engine.options_mut().timeout_turn = Some(Duration::from_millis(100));

    let mut game = Game::new(rule, size).drawn_when_stuck();
    while !game.is_over() {
        let side = game.side();
        let mut depth = 0;
        let answer = engine.answer(Request::Move, &mut |event| {
            if let Event::Info(info) = event {
                depth = info.depth;
            }
        })?;
        for &point in answer.stones() {
            println!("{side} {point}, depth {depth}");
            game.play(point)?;
        }
        engine.finish(&answer)?;
    }
    if let Some(result) = game.result() {
        println!("{result}");
    }
    Ok(())
}
