//! Rooms on line: games of two people, with the server killed in between.

use quincunx_testing::PATIENCE;
use quincunx_testing::client::{Client, get, post};
use quincunx_testing::server::BoardServer;
use quincunx_testing::visitor::{RoomServer, Visitor, clock_error, pair};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn two_people_play_and_a_third_watches() {
    let server = RoomServer::start();
    let (mut anna, mut bela, room) = pair(&server, &json!({ "rated": true }));
    let mut carl = server.visitor(3);
    assert_eq!(carl.enter(&room)["stage"], "playing");
    for (ply, point) in ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"]
        .into_iter()
        .enumerate()
    {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bela };
        mover.play(point, ply);
        for visitor in [&mut anna, &mut bela, &mut carl] {
            assert_eq!(visitor.stones(ply + 1)["stones"][ply]["point"], point);
        }
    }
    carl.enter(&room);
    bela.send(&json!({ "type": "rematch" }));
    let wish = bela
        .client
        .until(|message| message["rematch_wish"] == "second");
    assert_eq!(
        wish["outcome"],
        json!({ "winner": "first", "reason": "five" })
    );
    assert_eq!(wish["winning"].as_array().unwrap().len(), 5);
    anna.send(&json!({ "type": "rematch" }));
    assert_eq!(bela.stones(0)["games"], 2);
    assert_eq!(bela.next("seat")["seat"], "first");
    // The first game is in the tables.
    carl.send(&json!({ "type": "ratings", "rule": "freestyle" }));
    let rows = carl.next("ratings")["rows"].clone();
    let points: Vec<&Value> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["points"])
        .collect();
    assert_eq!(points, [&json!(1210), &json!(1190)]);
    bela.send(&json!({ "type": "profile", "name": rows[0]["name"] }));
    let profile = bela.next("profile");
    assert_eq!(profile["against_you"], json!([1, 0, 0]));
    assert_eq!(profile["games"][0]["move_count"], 9);
    assert!(profile["games"][0].get("moves").is_none(), "{profile}");
    // It has an address of its own, and is found by its players.
    let (head, game) = get(server.get(), "/games/1", &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let game: Value = serde_json::from_str(&game).unwrap();
    assert_eq!(game["winning"].as_array().unwrap().len(), 5);
    assert_eq!(
        game["stones"][0],
        json!({ "point": "a1", "color": "black", "number": 1 })
    );
    let name = game["players"][0].as_str().unwrap();
    for (search, count) in [
        (format!("player={name}&rule=freestyle"), 1),
        ("rule=renju".to_owned(), 0),
        ("player=Nobody".to_owned(), 0),
        ("before=1".to_owned(), 0),
        ("from=4000000000".to_owned(), 0),
    ] {
        let (_, page) = get(server.get(), &format!("/games?{search}"), &[]);
        let page: Value = serde_json::from_str(&page).unwrap();
        assert_eq!(page["games"].as_array().unwrap().len(), count, "{search}");
    }
    for path in ["/games/2", "/games/x", "/games?before=x"] {
        let (head, _) = get(server.get(), path, &[]);
        assert!(head.starts_with("HTTP/1.1 40"), "{path}: {head}");
    }
    let (_, page) = get(server.get(), "/games", &[]);
    let page: Value = serde_json::from_str(&page).unwrap();
    assert_eq!(page["games"][0]["outcome"]["winner"], "first");
    let lobby = carl.lobby(|lobby| lobby["live"][0].is_object());
    assert_eq!(lobby["open"], json!([]));
}

#[test]
fn names_are_unique_and_seats_belong_to_keys() {
    let server = RoomServer::start();
    let (mut anna, bela, room) = pair(&server, &json!({}));
    anna.send(&json!({ "type": "rename", "name": " Anna " }));
    assert_eq!(anna.next("name")["name"], "Anna");
    let mut other = server.visitor(9);
    other.send(&json!({ "type": "rename", "name": "ANNA" }));
    assert_eq!(other.error(), "name_taken");
    other.send(&json!({ "type": "rename", "name": "<b>x" }));
    assert_eq!(other.error(), "name");
    // Bela comes back from elsewhere, with the same key.
    drop(bela);
    let mut bela = server.visitor(2);
    assert_eq!(bela.welcome["rooms"][0]["room"], room);
    bela.send(&json!({ "type": "enter", "room": room }));
    assert_eq!(bela.next("seat")["seat"], "second");
    anna.play("h8", 0);
    bela.stones(1);
    bela.play("i9", 1);
    assert_eq!(anna.stones(2)["seats"][0]["name"], "Anna");
}

#[test]
fn the_engine_takes_a_seat_and_answers_swap2() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    let game = json!({ "engine": 10, "seat": "second", "opening": "swap2", "size": "9" });
    anna.create(&game);
    // The engine puts three stones.
    anna.stones(3);
    anna.send(&json!({ "type": "choose", "choice": "two_stones", "ply": 3 }));
    let taken = anna
        .client
        .until(|message| message["phase"]["kind"] == "place");
    let free = |room: &Value, nth: usize| {
        let taken: Vec<&str> = (room["stones"].as_array().unwrap().iter())
            .map(|stone| stone["point"].as_str().unwrap())
            .collect();
        let corners = ["a1", "i1", "a9", "i9", "a5", "e1"];
        let free: Vec<&str> = corners
            .into_iter()
            .filter(|it| !taken.contains(it))
            .collect();
        free[nth].to_owned()
    };
    anna.play(&free(&taken, 0), 3);
    let four = anna.stones(4);
    anna.play(&free(&four, 0), 4);
    // The engine chooses, and moves if it is to.
    let settled = anna.client.until(|message| message["black"].is_string());
    let mine = |room: &Value| room["actor"] == "second";
    let mut room = settled;
    while !mine(&room) {
        room = anna.next("room");
    }
    anna.send(&json!({ "type": "offer_draw" }));
    assert_eq!(anna.error(), "engine_plays_on");
    let ply = room["stones"].as_array().unwrap().len();
    anna.play(&free(&room, 0), ply);
    anna.stones(ply + 2);
    anna.send(&json!({ "type": "resign" }));
    let over = anna.client.until(|message| message["stage"] == "over");
    assert_eq!(over["outcome"]["winner"], "first");
}

#[test]
fn a_flag_falls_while_nobody_says_anything() {
    let server = RoomServer::start();
    let clock = json!({ "kind": "byoyomi", "main_ms": 0, "period_ms": 1000, "periods": 1 });
    let began = Instant::now();
    let (mut anna, _bela, _) = pair(&server, &json!({ "clock": clock }));
    let over = anna.client.until(|message| message["stage"] == "over");
    assert_eq!(
        over["outcome"],
        json!({ "winner": "second", "reason": "time" })
    );
    // The second, and what is granted to messages on their way, less the way of the message
    // that began the game.
    assert!(began.elapsed() >= Duration::from_millis(1100));
}

/// A player who was told of a move finds it after any end of the program, and clocks go on
/// where they were. Returns whether they did so: messages wait when the machine is busy; alone
/// no clock is 100 ms off.
#[allow(clippy::print_stdout)]
fn killed(times: usize) -> bool {
    const MAIN: Duration = Duration::from_secs(600);
    let mut server = RoomServer::start();
    let clock = json!({ "kind": "sudden_death", "main_ms": 600_000 });
    let (mut anna, mut bela, room) = pair(&server, &json!({ "clock": clock }));
    let points: Vec<String> = (0..15)
        .flat_map(|x| (0..15).map(move |y| (x, y)))
        // No five: every third column is left out, and colours alternate on the others.
        .filter(|(x, _)| x % 3 != 2)
        .map(|(x, y)| format!("{}{}", (b'a' + x) as char, y + 1))
        .collect();
    let mut used = [Duration::ZERO; 2];
    let mut worst = Duration::ZERO;
    let mut turn_began = Instant::now();
    for round in 0..times {
        for ply in [2 * round, 2 * round + 1] {
            let (mover, other) = match ply % 2 {
                0 => (&mut anna, &mut bela),
                _ => (&mut bela, &mut anna),
            };
            std::thread::sleep(Duration::from_millis(20));
            mover.play(&points[ply], ply);
            let heard = mover.stones(ply + 1);
            used[ply % 2] += turn_began.elapsed();
            turn_began = Instant::now();
            other.stones(ply + 1);
            worst = worst.max(clock_error(&heard, MAIN, used));
        }
        std::thread::sleep(Duration::from_millis(100));
        // Anna's clock runs until the end, and again when she is back.
        used[0] += turn_began.elapsed();
        server.kill_and_start();
        std::thread::sleep(Duration::from_millis(300));
        (anna, bela) = (server.visitor(1), server.visitor(2));
        assert_eq!(bela.enter(&room)["runs"], false);
        anna.enter(&room);
        let back = anna.client.until(|message| message["runs"] == true);
        turn_began = Instant::now();
        assert_eq!(back["stones"].as_array().unwrap().len(), 2 * round + 2);
        worst = worst.max(clock_error(&back, MAIN, used));
    }
    println!("killed {times} times: clocks at most {worst:?} off");
    worst < Duration::from_millis(100 + 100 * times as u64)
}

#[test]
fn nothing_that_was_sent_is_lost_when_the_server_is_killed() {
    assert!((0..3).any(|_| killed(2)), "clocks");
}

/// `cargo test --release --test board -- --ignored --nocapture killed_twenty`
#[test]
#[ignore = "takes half a minute"]
fn killed_twenty_times() {
    assert!(killed(20), "clocks");
}

#[test]
fn correspondence_games_sleep_while_nobody_is_there_and_outlive_the_server() {
    let mut server = RoomServer::start();
    let clock = json!({ "kind": "correspondence", "days": 3 });
    let (mut anna, mut bela, room) = pair(&server, &json!({ "clock": clock, "rated": true }));
    anna.play("h8", 0);
    bela.stones(1);
    let in_memory = |server: &RoomServer, rooms: usize| {
        let (_, body) = get(server.get(), "/metrics", &[]);
        body.contains(&format!(
            "quincunx_correspondence_rooms_in_memory {rooms}\n"
        ))
    };
    assert!(in_memory(&server, 1));
    drop((anna, bela));
    let began = Instant::now();
    while !in_memory(&server, 0) {
        assert!(began.elapsed() < PATIENCE, "the room does not sleep");
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill_and_start();
    let mut bela = server.visitor(2);
    let turns = bela.next("your_turns");
    assert_eq!((&turns["count"], &turns["next"]), (&json!(1), &json!(room)));
    bela.send(&json!({ "type": "correspondence" }));
    let game = bela.next("correspondence")["games"][0].take();
    assert_eq!(
        (&game["room"], &game["moves"]),
        (&json!(room), &json!("h8"))
    );
    let day = 24 * 3600 * 1000;
    let left = game["left_ms"].as_u64().unwrap();
    assert!(
        (3 * day - 60_000..3 * day + 60_000).contains(&left),
        "{left} ms"
    );
    bela.enter(&room);
    bela.play("i9", 1);
    bela.stones(2);
    assert_eq!(server.visitor(1).next("your_turns")["count"], 1);
}

#[test]
fn a_feed_has_the_games_that_wait_for_its_owner() {
    let mut server = RoomServer::start();
    let clock = json!({ "kind": "correspondence", "days": 3 });
    let (mut anna, mut bela, room) = pair(&server, &json!({ "clock": clock, "rated": true }));
    let new_feed = |visitor: &mut Visitor| {
        visitor.send(&json!({ "type": "new_feed" }));
        let secret = visitor.next("correspondence")["feed"].take();
        format!("/feed/{}.atom", secret.as_str().unwrap())
    };
    let feed = new_feed(&mut bela);
    let (head, body) = get(server.get(), &feed, &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("application/atom+xml"), "{head}");
    assert!(!body.contains("<entry>"), "{body}");
    anna.play("h8", 0);
    bela.stones(1);
    let (head, body) = get(server.get(), &feed, &[]);
    let title = "<title>Your move against Anna</title>";
    assert!(
        body.contains(title) && body.contains(&format!("#{room}\"")),
        "{body}"
    );
    // It is the same until something changes, also after a restart.
    let tag = head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap()
        .to_owned();
    server.kill_and_start();
    let known = [("If-None-Match", &*tag)];
    let (head, _) = get(server.get(), &feed, &known);
    assert!(head.starts_with("HTTP/1.1 304"), "{head}");
    let mut bela = server.visitor(2);
    bela.enter(&room);
    bela.send(&json!({ "type": "resign" }));
    bela.client
        .until(|it| it["type"] == "room" && it["stage"] == "over");
    let (head, body) = get(server.get(), &feed, &known);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(!body.contains("Your move"), "{body}");
    // A new address ends the old one.
    let renewed = new_feed(&mut bela);
    for (path, status) in [
        (&*feed, 404),
        (&renewed, 200),
        ("/feed/x.atom", 404),
        ("/feed/0", 404),
    ] {
        let (head, _) = get(server.get(), path, &[]);
        assert!(
            head.starts_with(&format!("HTTP/1.1 {status}")),
            "{path}: {head}"
        );
    }
}

#[test]
fn the_server_says_how_it_is() {
    let server = RoomServer::start();
    let (mut anna, _bela, _) = pair(&server, &json!({}));
    anna.play("h8", 0);
    anna.stones(1);
    let (head, body) = get(server.get(), "/health", &[]);
    assert!(
        head.starts_with("HTTP/1.1 200") && body.contains("ok"),
        "{head}"
    );
    let (_, body) = get(server.get(), "/metrics", &[]);
    for line in [
        "quincunx_moves_total 1",
        "quincunx_rooms_playing 1",
        "quincunx_visitors 2",
    ] {
        assert!(body.contains(line), "{line}: {body}");
    }
    let (_, page) = get(server.get(), "/", &[]);
    assert!(page.contains("rooms.js"));
}

#[test]
fn the_board_of_one_person_has_no_rooms() {
    let server = BoardServer::start();
    for path in ["/rooms.html", "/metrics"] {
        let (head, _) = get(&server, path, &[]);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
    let (_, page) = get(&server, "/", &[]);
    assert!(page.contains("main.js"));
}

#[test]
fn visitors_are_sent_goodbye_and_the_game_is_stored() {
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let mut anna = Visitor::greeted(&server, 1);
    anna.create(&json!({}));
    #[cfg(unix)]
    {
        let id = server.id().to_string();
        std::process::Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap();
        anna.next("goodbye");
    }
}

/// A visitor at the server's machine invites by an address that others can open.
#[test]
fn invitations_have_an_address_for_others() {
    let url = "https://club.example/rooms";
    let server = RoomServer::start_with(&["--public-url", url]);
    assert_eq!(server.visitor(1).welcome["address"], format!("{url}/"));
    // Requests for that name are answered.
    let (head, _) = get(server.get(), "/", &[("Host", "club.example")]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let server = RoomServer::start_with(&["--listen", "127.0.0.1"]);
    assert_eq!(server.visitor(1).welcome["address"], json!(null));
    let picture = post(
        server.get(),
        "/qr",
        "http://192.0.2.1:5225/#0123456789abcdef",
    );
    assert!(
        picture.starts_with("HTTP/1.1 200") && picture.contains("<svg"),
        "{picture}"
    );
    let long = post(server.get(), "/qr", &"x".repeat(301));
    assert!(long.starts_with("HTTP/1.1 400"), "{long}");
}

/// A board of the same server says nothing of a rated game that is being played: it neither
/// analyses its position nor shows what was played from it.
#[cfg(feature = "analysis")]
#[test]
fn a_running_rated_game_is_neither_analysed_nor_explored() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let opening = ["h8", "a1", "i9", "a3", "g10", "a5", "k8", "a7", "e5", "a9"];
    let moves = opening.concat();
    let games = format!("15 freestyle {moves}j9\n15 freestyle {moves}h10\n");
    std::fs::write(at.join("games.txt"), games).unwrap();
    let built = std::process::Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["explore", "build", "games.txt", "--out", "played"])
        .current_dir(at)
        .output();
    assert!(built.unwrap().status.success());
    let played = at.join("played");
    let server = RoomServer::start_with(&["--explorer", played.to_str().unwrap()]);
    let (mut anna, mut bela, _) = pair(&server, &json!({ "rated": true }));
    for (ply, point) in opening.into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bela };
        mover.play(point, ply);
        anna.stones(ply + 1);
        bela.stones(ply + 1);
    }

    let mut board = Client::greeted(server.get());
    let has = |message: &Value, count: usize| {
        let stones = message["stones"].as_array();
        message["type"] == "state" && stones.is_some_and(|stones| stones.len() == count)
    };
    let analyse = json!({ "type": "analyse", "lines": 1 });
    let back = json!({ "type": "go_to", "node": 9 });
    let there = json!({ "type": "go_to", "node": 10 });
    board.send(&json!({ "type": "open", "text": format!("15 freestyle {moves}") }));
    board.until(|message| has(message, 10));
    // What comes before it is free.
    board.send(&back);
    board.until(|message| has(message, 9));
    board.send(&analyse);
    let shown = board.until(|message| has(message, 9));
    assert_eq!(shown["explored"]["games"], 2, "{shown}");
    // The boards hear of a game, and of its end, within a twentieth of a second.
    let soon = Duration::from_millis(500);
    std::thread::sleep(soon);
    board.send(&there);
    let mut refused = false;
    let shown = board.until(|message| {
        refused |= message["code"] == "rated_game";
        has(message, 10)
    });
    assert_eq!(shown["explored"], Value::Null, "{shown}");
    if !refused {
        board.until(|message| message["code"] == "rated_game");
    }
    // Nor when it is asked for there, or a form of it.
    let turned: String = ["h8", "o1", "g9", "o3", "i10", "o5", "e8", "o7", "k5", "o9"].concat();
    for moves in [&moves, &turned] {
        board.send(&json!({ "type": "open", "text": format!("15 freestyle {moves}") }));
        board.until(|message| has(message, 10));
        board.send(&analyse);
        let mut explored = Vec::new();
        board.until(|message| {
            explored.push(message["explored"].clone());
            message["code"] == "rated_game"
        });
        // Another message has the state again.
        board.send(&back);
        board.send(&there);
        board.until(|message| {
            explored.push(message["explored"].clone());
            has(message, 10)
        });
        assert!(explored.iter().all(Value::is_null), "{explored:?}");
    }

    anna.send(&json!({ "type": "resign" }));
    let is_over = |message: &Value| message["outcome"]["reason"] == "resignation";
    bela.client.until(is_over);
    std::thread::sleep(soon);
    board.send(&analyse);
    let shown = board.until(|message| !message["explored"].is_null());
    assert_eq!(shown["explored"]["games"], 2, "{shown}");
}

/// As where a laptop is closed in mid-game, on a system that counts the time in which it sleeps.
#[cfg(unix)]
#[test]
fn a_machine_that_sleeps_charges_no_player() {
    use rustix::process::{Pid, Signal, kill_process};
    let server = RoomServer::start();
    let (mut anna, _bela, room) = pair(&server, &json!({}));
    anna.play("h8", 0);
    anna.stones(1);
    let id = Pid::from_raw(server.get().id().try_into().unwrap()).unwrap();
    kill_process(id, Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_secs(12));
    kill_process(id, Signal::CONT).unwrap();
    // Pages have to connect anew.
    let end = Instant::now() + Duration::from_secs(10);
    while Instant::now() < end && anna.client.socket.read().is_ok() {}
    let mut bela = server.visitor(2);
    bela.enter(&room);
    bela.play("i9", 1);
    let used = quincunx_testing::visitor::time_used(&bela.stones(2), Duration::from_secs(60))[1];
    assert!(used < Duration::from_secs(5), "{used:?}");
}
