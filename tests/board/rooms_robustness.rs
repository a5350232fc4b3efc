//! What strangers and cheats send to the rooms.

use fastrand::Rng;
use quincunx_testing::client::{Client, get};
use quincunx_testing::visitor::{RoomServer, pair, resign_and_rematch};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

#[test]
fn only_the_player_whose_turn_it_is_moves() {
    let server = RoomServer::start();
    let (mut anna, mut bela, room) = pair(&server, &json!({}));
    bela.play("h8", 0);
    assert_eq!(bela.error(), "not_your_turn");
    anna.play("p1", 0);
    assert_eq!(anna.error(), "move");
    anna.play("nonsense", 0);
    assert_eq!(anna.error(), "move");
    anna.play("h8", 0);
    anna.stones(1);
    // The same message once more.
    anna.play("h8", 0);
    assert_eq!(anna.error(), "not_your_turn");
    bela.play("h8", 1);
    assert_eq!(bela.error(), "taken");
    bela.play("i9", 0);
    assert_eq!(bela.error(), "stale");
    // Watchers, and people with keys of their own, have no say.
    let mut carl = server.visitor(3);
    carl.play("i9", 1);
    assert_eq!(carl.error(), "watching");
    carl.enter(&room);
    for message in [
        json!({ "type": "play", "point": "i9", "ply": 1 }),
        json!({ "type": "resign" }),
        json!({ "type": "offer_draw" }),
        json!({ "type": "rematch" }),
    ] {
        carl.send(&message);
        assert_eq!(carl.error(), "watching");
    }
    carl.send(&json!({ "type": "sit" }));
    assert_eq!(carl.error(), "seated");
    bela.play("i9", 1);
    anna.stones(2);
}

/// Two visitors could begin hundreds of games a second.
#[test]
fn games_that_begin_are_charged() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({}));
    let began = Instant::now();
    for _ in 0..60 {
        resign_and_rematch([&mut anna, &mut bela]);
    }
    // A second and a fifth of processor time, of which they have half a second at once and an
    // eighth of every second.
    assert!(began.elapsed() > Duration::from_secs(3));
}

#[test]
fn hello_is_sent_once_with_a_key() {
    let server = RoomServer::start();
    let mut client = Client::at(server.get(), "rooms/socket");
    let code = |client: &mut Client, message: &Value| {
        client.send(message);
        client.until(|message| message["type"] == "error")["code"].clone()
    };
    let hello =
        |key: &str, version: u32| json!({ "type": "hello", "version": version, "key": key });
    let key = "0123456789abcdef0123456789abcdef";
    assert_eq!(code(&mut client, &json!({ "type": "resign" })), "hello");
    for wrong in ["", "1", &key[1..], &"g".repeat(32), &"é".repeat(16)] {
        assert_eq!(code(&mut client, &hello(wrong, 1)), "key");
    }
    assert_eq!(code(&mut client, &hello(key, 99)), "version");
    client.send(&hello(key, 1));
    let welcome = client.until(|message| message["type"] == "welcome");
    assert!(!welcome.to_string().contains(key), "{welcome}");
    assert_eq!(
        code(&mut client, &hello("1123456789abcdef0123456789abcdef", 1)),
        "hello"
    );
}

#[test]
fn nonsense_is_refused_and_too_much_ends_the_connection_alone() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({}));
    for text in [
        "",
        "{",
        "[]",
        "null",
        "{\"type\":\"nonsense\"}",
        "{\"type\":\"play\",\"point\":5,\"ply\":0}",
        "{\"type\":\"enter\",\"room\":1}",
        "{\"type\":\"play\",\"point\":\"h8\",\"ply\":-1}",
        "{\"type\":\"play\",\"point\":\"h8\",\"point\":\"i9\",\"ply\":0}",
    ] {
        anna.client.socket.send(Message::text(text)).unwrap();
        assert_eq!(anna.error(), "message", "{text}");
    }
    anna.client
        .socket
        .send(Message::binary(vec![0; 100]))
        .unwrap();
    assert_eq!(anna.error(), "message");
    let clock = json!({ "kind": "sudden_death", "main_ms": 0 });
    anna.send(&json!({ "type": "create", "setup": {
        "rule": "freestyle", "size": "15", "opening": "free", "rated": true, "clock": clock } }));
    assert_eq!(anna.error(), "clock");
    let mut carl = server.visitor(3);
    let _ = carl.client.socket.send(Message::text("x".repeat(5000)));
    let ended = (0..5).any(|_| matches!(carl.client.socket.read(), Err(_) | Ok(Message::Close(_))));
    assert!(ended);
    anna.play("h8", 0);
    bela.stones(1);
}

#[test]
fn pages_from_elsewhere_get_no_socket() {
    let server = RoomServer::start();
    let upgrade = [
        ("Origin", "http://evil.example"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let (head, _) = get(server.get(), "/rooms/socket", &upgrade);
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
}

/// A client that sends a head byte by byte, or none, is hung up on, and others are served.
#[test]
fn slow_connections_end() {
    let server = RoomServer::start();
    let address = &server.get().address;
    let began = Instant::now();
    let mut silent = TcpStream::connect(address).unwrap();
    let mut slow = TcpStream::connect(address).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut anna = server.visitor(1);
    anna.create(&json!({}));
    for stream in [&mut silent, &mut slow] {
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut answer = Vec::new();
        // The end of the stream, or a reset.
        let _ = stream.read_to_end(&mut answer);
        assert!(began.elapsed() < Duration::from_secs(50));
    }
}

/// The code of the refusal that a client hears, which says why and when to come again.
fn refusal(client: &mut Client) -> String {
    let refused = client.until(|message| message["type"] == "refused");
    assert!(refused["retry_s"].as_u64().unwrap() > 0, "{refused}");
    assert!(
        refused["text"].as_str().unwrap().contains("try again"),
        "{refused}"
    );
    assert!(client.socket.read().is_err() || client.socket.read().is_err());
    refused["code"].as_str().unwrap().to_owned()
}

#[test]
fn limits_hold() {
    let server = RoomServer::start_with(&[
        "--rooms",
        "3",
        "--rooms-per-person",
        "2",
        "--visitors-per-address",
        "4",
        "--engines",
        "1",
    ]);
    let mut anna = server.visitor(1);
    anna.create(&json!({ "engine": 0 }));
    let create = |more: Value| {
        let mut message = json!({ "type": "create", "setup": {
            "rule": "renju", "size": "15", "opening": "free", "rated": false,
            "clock": { "kind": "sudden_death", "main_ms": 60_000 } } });
        message
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        message
    };
    anna.send(&create(json!({ "engine": 0 })));
    assert_eq!(anna.error(), "engines");
    anna.create(&json!({}));
    anna.send(&create(json!({})));
    assert_eq!(anna.error(), "too_many_of_yours");
    let mut bela = server.visitor(2);
    bela.create(&json!({}));
    bela.send(&create(json!({})));
    assert_eq!(bela.error(), "guest_waits");
    let mut carl = server.visitor(3);
    carl.send(&create(json!({})));
    assert_eq!(carl.error(), "too_many_rooms");
    let _more = (carl, server.visitor(4));
    // The fifth place is for people whom the club knows, and beyond it there is none.
    let mut newcomer = Client::at(server.get(), "rooms/socket");
    newcomer.send(&json!({ "type": "hello", "version": 1, "key": format!("{:032x}", 5) }));
    assert_eq!(refusal(&mut newcomer), "too_many_visitors");
    drop(bela);
    let again = server.visitor(2);
    assert_eq!(
        again.welcome["name"].as_str().unwrap().len(),
        "guest-".len() + 8
    );
    let mut none = Client::at(server.get(), "rooms/socket");
    none.send(&json!({ "type": "hello", "version": 1, "key": format!("{:032x}", 6) }));
    assert_eq!(refusal(&mut none), "too_many_visitors");
}

/// A connection that has become a socket once counted no more.
#[test]
fn boards_of_one_address_are_limited() {
    let server = RoomServer::start_with(&["--visitors-per-address", "2"]);
    let board = Client::greeted(server.get());
    let gravity = Client::at(server.get(), "gravity/socket");
    for path in ["socket", "gravity/socket"] {
        let mut client = Client::at(server.get(), path);
        assert_eq!(refusal(&mut client), "too_many_boards");
    }
    // Visitors are others, and one who leaves makes room.
    server.visitor(1).create(&json!({}));
    drop((board, gravity));
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let mut client = Client::at(server.get(), "socket");
        client.send(&json!({ "type": "hello", "version": 1 }));
        if client.receive()["type"] == "welcome" {
            break;
        }
        assert!(Instant::now() < end);
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A page that was refused once could send 64 MiB, which were kept in memory.
#[test]
fn a_refused_page_sends_nothing_large() {
    let server = RoomServer::start_with(&["--visitors-per-address", "1"]);
    let _board = Client::greeted(server.get());
    let mut refused = Client::at(server.get(), "socket");
    refused.until(|message| message["type"] == "refused");
    // The head of a message of 2 MiB.
    let head = [0x82, 0xff, 0, 0, 0, 0, 0, 32, 0, 0, 1, 2, 3, 4];
    let stream = refused.socket.get_mut();
    stream.write_all(&head).unwrap();
    let began = Instant::now();
    let mut rest = Vec::new();
    // The end of the stream, or a reset.
    let _ = stream.read_to_end(&mut rest);
    assert!(began.elapsed() < Duration::from_millis(1500), "at once");
}

/// Frames that say nothing were once read as fast as they came.
#[test]
fn a_flood_of_pings_is_read_slowly() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({}));
    let mut carl = server.visitor(3);
    // Masked, and with nothing in it.
    let ping = [0x89, 0x80, 1, 2, 3, 4];
    let stream = carl.client.socket.get_mut();
    stream.write_all(&ping.repeat(100_000)).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    carl.send(&json!({ "type": "ping" }));
    anna.play("h8", 0);
    bela.stones(1);
    let end = Instant::now() + Duration::from_secs(3);
    while Instant::now() < end {
        let read = carl.client.socket.read();
        let is_pong =
            |message: &Message| matches!(message, Message::Text(it) if it.contains("pong"));
        assert!(!read.as_ref().is_ok_and(is_pong), "all were read");
    }
}

/// The processor time that a server has used.
#[cfg(target_os = "linux")]
fn processor_time(server: &RoomServer) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.get().id())).unwrap();
    // After the name of the program: its own time and that of the system, in hundredths.
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let times = rest.split_whitespace().skip(11).take(2);
    let hundredths: u64 = times.map(|it| it.parse::<u64>().unwrap()).sum();
    Duration::from_millis(10 * hundredths)
}

/// The same, once what a server does of itself (an engine is made ready for a new page) is done.
#[cfg(target_os = "linux")]
fn idle_processor_time(server: &RoomServer) -> Duration {
    let mut used = processor_time(server);
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let later = processor_time(server);
        if later - used <= Duration::from_millis(10) {
            return later;
        }
        used = later;
    }
}

/// The processor time that a server takes to read a message that never ends: `page` sends the
/// beginning of a text, and then more of it for four seconds, all of it masked and empty.
#[cfg(target_os = "linux")]
fn time_for_an_endless_message(server: &RoomServer, mut page: Client) -> Duration {
    let stream = page.socket.get_mut();
    let timeout = Some(Duration::from_millis(100));
    stream.set_write_timeout(timeout).unwrap();
    stream.write_all(&[0x01, 0x80, 1, 2, 3, 4]).unwrap();
    let more = [0x00, 0x80, 1, 2, 3, 4].repeat(10_000);
    let (before, end) = (idle_processor_time(server), Instant::now() + ENDLESS);
    let mut sent = 0;
    while Instant::now() < end {
        match stream.write(&more[sent..]) {
            Ok(bytes) => sent = (sent + bytes) % more.len(),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock),
        }
    }
    processor_time(server) - before
}

#[cfg(target_os = "linux")]
const ENDLESS: Duration = Duration::from_secs(4);

/// It once took a whole processor: what was read was charged when the message ended.
#[cfg(target_os = "linux")]
#[test]
fn a_message_without_an_end_is_read_slowly_on_boards() {
    let server = RoomServer::start();
    let page = Client::greeted(server.get());
    let used = time_for_an_endless_message(&server, page);
    // A second at once, and a quarter of a processor.
    assert!(used < ENDLESS * 3 / 4, "{used:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_message_without_an_end_is_read_slowly_in_rooms() {
    let server = RoomServer::start();
    let mut visitor = server.visitor(1);
    // News of the lobby would end a step of reading, and what it has used would count. In a room
    // where no other comes there are none until the next ping, five seconds after the first.
    visitor.create(&json!({}));
    let has_seat = |message: &Value| message["type"] == "seat" && !message["seat"].is_null();
    visitor.client.until(has_seat);
    let used = time_for_an_endless_message(&server, visitor.client);
    // A tenth of a second at once, and a two-hundredth of a processor.
    assert!(used < ENDLESS / 4, "{used:?}");
}

#[test]
fn visits_and_names_from_one_address_are_limited() {
    let server = RoomServer::start_with(&["--visits-per-minute", "3", "--names-per-hour", "2"]);
    let mut visitors: Vec<_> = (1..4).map(|key| server.visitor(key)).collect();
    let mut newcomer = Client::at(server.get(), "rooms/socket");
    newcomer.send(&json!({ "type": "hello", "version": 1, "key": format!("{:032x}", 9) }));
    assert_eq!(refusal(&mut newcomer), "too_many_visitors");
    for (visitor, name) in visitors.iter_mut().zip(["alice", "Bela"]) {
        visitor.send(&json!({ "type": "rename", "name": name }));
        assert_eq!(visitor.next("name")["name"], name);
    }
    visitors[2].send(&json!({ "type": "rename", "name": "Carl" }));
    assert_eq!(visitors[2].error(), "too_many_names");
}

#[test]
fn nobody_passes_for_somebody_else() {
    let server = RoomServer::start();
    let (mut anna, mut bela) = (server.visitor(1), server.visitor(2));
    anna.send(&json!({ "type": "rename", "name": "alice" }));
    anna.next("name");
    for name in [
        "\u{430}lice",
        "Alice",
        "ａｌｉｃｅ",
        "aIice",
        "a1ice",
        "al-ice",
    ] {
        bela.send(&json!({ "type": "rename", "name": name }));
        assert_eq!(bela.error(), "name_taken", "{name}");
    }
}

/// One address can't have all connections: of those without a request the oldest is closed at once
/// where there is one too many.
#[test]
fn connections_from_one_address_are_limited() {
    let server = RoomServer::start_with(&["--visitors-per-address", "1"]);
    let mut visitor = server.visitor(1);
    let streams: Vec<TcpStream> = (0..100)
        .map(|_| TcpStream::connect(&server.get().address).unwrap())
        .collect();
    let mut first = streams.first().unwrap();
    first
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let began = Instant::now();
    // The end of the stream, or a reset.
    assert!(matches!(first.read(&mut [0]), Ok(0) | Err(_)));
    assert!(began.elapsed() < Duration::from_secs(8), "at once");
    visitor.create(&json!({}));
}

/// A request whose body never comes is refused by its head, or ends in time.
#[test]
fn a_body_that_never_comes_is_not_waited_for() {
    let server = RoomServer::start();
    let mut stream = TcpStream::connect(&server.get().address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let request = "POST /admin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 403");
}

#[test]
fn random_messages_break_nothing() {
    let server = RoomServer::start();
    let (mut anna, mut bela, room) = pair(&server, &json!({}));
    let mut random = Rng::with_seed(7);
    let types = [
        "hello",
        "rename",
        "create",
        "enter",
        "leave",
        "sit",
        "play",
        "choose",
        "offer_draw",
        "decline_draw",
        "ask_undo",
        "decline_undo",
        "rematch",
        "ratings",
        "profile",
        "open_tournament",
        "join_tournament",
        "withdraw",
        "begin_tournament",
        "end_tournament",
    ];
    let mut carl = server.visitor(3);
    carl.enter(&room);
    for _ in 0..200 {
        let mut message = json!({ "type": types[random.usize(..types.len())] });
        let values = [
            json!(random.i64(-3..9)),
            json!("h8"),
            json!(room),
            json!(null),
            json!("black"),
            json!("renju"),
            json!("x".repeat(random.usize(..500))),
        ];
        for field in ["room", "point", "ply", "choice", "rule", "name", "key"] {
            if random.bool() {
                message[field] = values[random.usize(..values.len())].clone();
            }
        }
        carl.send(&message);
    }
    anna.play("h8", 0);
    bela.stones(1);
}

/// A pong that the server had not asked for once counted as a slow line.
#[test]
fn an_unsolicited_pong_buys_no_time() {
    let server = RoomServer::start();
    let main = Duration::from_secs(60);
    let (mut anna, mut bela, _) = pair(&server, &json!({}));
    anna.play("h8", 0);
    bela.stones(1);
    let began = Instant::now();
    std::thread::sleep(Duration::from_millis(600));
    let pong = Message::Pong(vec![0; 8].into());
    bela.client.socket.send(pong).unwrap();
    bela.play("i9", 1);
    let thought = began.elapsed();
    let used = quincunx_testing::visitor::time_used(&anna.stones(2), main)[1];
    assert!(
        used + Duration::from_millis(100) > thought,
        "{used:?} of {thought:?}"
    );
}

/// Requests for others once went to the log as long as they were.
#[test]
fn refused_requests_fill_no_log() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let server = RoomServer::start_with(&["--log", log.path().to_str().unwrap()]);
    let path = format!("/{}", "x".repeat(20_000));
    for _ in 0..100 {
        let (head, _) = get(server.get(), &path, &[("Host", "evil.example")]);
        assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    }
    let length = std::fs::metadata(log.path()).unwrap().len();
    assert!(length < 20_000, "{length}");
}
