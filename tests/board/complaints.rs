//! What users of such pages complain of: an analysis that goes on after the board was
//! cleared, a stop that does nothing, a loop where renju leaves no legal move, weak
//! levels that play in the corners.

use crate::board_server::BoardServer;
use crate::client::Client;
use crate::new_game;
use quincunx_engine::engine::{Engine, MonotonicClock, Request};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use serde_json::{Value, json};

/// A client whose board is analysed.
#[cfg(target_os = "linux")]
fn analysing(server: &BoardServer) -> Client {
    let mut client = Client::greeted(server);
    client.send(&new_game("person", "person", 100));
    client.state();
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.send(&json!({ "type": "analyse", "lines": 3 }));
    client.until(|message| message["type"] == "analysis" && message["node"] == 1);
    client
}

#[cfg(target_os = "linux")]
#[test]
fn an_analysis_ends_when_it_is_told_and_with_its_game() {
    let server = BoardServer::start();
    let mut client = analysing(&server);
    for message in [
        json!({ "type": "stop_analysis" }),
        new_game("person", "person", 100),
        // Nothing runs any more: nothing happens, and nothing goes wrong.
        json!({ "type": "stop_analysis" }),
    ] {
        client.send(&message);
        client.until(|message| message["type"] == "state" && message["analysis"].is_null());
        client.send(&json!({ "type": "export", "format": "text" }));
        assert_eq!(client.receive()["type"], json!("exported"));
        client.state();
        server.rests();
        if message["type"] == "stop_analysis" {
            client = analysing(&server);
        }
    }
}

/// The only point left is forbidden to black, whose engine is to move.
#[cfg(target_os = "linux")]
#[test]
fn a_game_without_a_legal_move_is_over() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    // From the bottom row up; `.` is empty.
    let rows = ["xxx.xx", "ooxxoo", "xxooxx", "ooxxoo", ".xooxx"];
    let stones = |wanted: char| -> Vec<String> {
        let rows = (1..).zip(rows);
        let points = rows.flat_map(|(y, row)| ('a'..).zip(row.chars()).map(move |it| (y, it)));
        let own = points.filter(|(_, (_, stone))| *stone == wanted);
        own.map(|(y, (x, _))| format!("{x}{y}")).collect()
    };
    let mut game = new_game("engine", "person", 100);
    (game["rule"], game["size"]) = (json!("renju"), json!("6x5"));
    game["stones"] = json!({ "black": stones('x'), "white": stones('o'), "first": "white" });
    client.send(&game);
    client.state();
    client.send(&json!({ "type": "analyse", "lines": 3 }));
    client.send(&json!({ "type": "play", "point": "a5", "node": 0 }));
    let is_over = |message: &Value| message["phase"]["kind"] == "over";
    let over = client.until(is_over);
    assert_eq!(over["phase"]["winner"], json!(null));
    assert_eq!(over["stones"].as_array().unwrap().len(), 29);
    server.rests();
    // Stopping and going back still work.
    client.send(&json!({ "type": "stop_analysis" }));
    client.state();
    client.send(&json!({ "type": "undo" }));
    client.until(|message| message["type"] == "state" && !is_over(message));
}

#[test]
fn weak_levels_play_near_the_stones() {
    for game in ["h8", "h8i9", "h8h9i8", "h8i9g7j10", "h8g9i9g7i7", "c3m13"] {
        for strength in [0, 10, 20, 35, 50, 65, 80] {
            let mut engine = Engine::new(MonotonicClock::system());
            engine.options_mut().hash_size = Some(1 << 20);
            engine.options_mut().max_node = Some(3_000);
            engine.options_mut().strength = Some(strength);
            let size = BoardSize::default();
            let position = Position::from_moves(Rule::Freestyle, size, game).unwrap();
            let stones: Vec<Point> = position.moves().map(|(_, point)| point).collect();
            for seed in 0..10 {
                engine.set_position(position.clone());
                engine.options_mut().seed = Some(seed);
                let answer = engine.answer(Request::Move, &mut |_| ()).unwrap();
                let point = answer.stones()[0];
                let nearest = stones.iter().map(|stone| stone.distance(point)).min();
                assert!(
                    nearest.unwrap() <= 4,
                    "level {strength} answers {game} with {point}"
                );
            }
        }
    }
}
