//! A club without sockets: messages and times go in, letters and changes come out.

use crate::{MINUTE, ms, setup};
use fastrand::Rng;
use quincunx_club::rooms::{
    Admission, ClockRule, Club, ClubStore, EngineJob, Limits, MOST_LAG, Stage, StoreWrite,
    StoredClub, VisitorId,
};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const ANNA: VisitorId = VisitorId(1);
pub(crate) const BELA: VisitorId = VisitorId(2);

/// The address of all visitors.
pub(crate) const FROM: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// When these tests begin, since 1970.
pub(crate) const START: Duration = Duration::from_secs(1_700_000_000);

/// A club with its store, as the server has them.
pub(crate) struct Tester {
    pub(crate) club: Club,
    pub(crate) store: ClubStore,
    /// What every visitor was told, the last last.
    pub(crate) letters: Vec<(VisitorId, Value)>,
    /// The searches that the engine asks for.
    pub(crate) jobs: Vec<EngineJob>,
}

/// The lobby after changes, as a page has it.
fn changed(mut lobby: Value, changes: &Value) -> Value {
    for (list, key) in [
        ("open", "room"),
        ("live", "room"),
        ("tournaments", "tournament"),
        ("here", "name"),
    ] {
        let (Some(change), Some(items)) = (changes.get(list), lobby[list].as_array_mut()) else {
            continue;
        };
        let mut out = change["gone"].as_array().unwrap().clone();
        let put = change["put"].as_array().unwrap();
        out.extend(put.iter().map(|it| it[1][key].clone()));
        items.retain(|it| !out.contains(&it[key]));
        for it in put {
            items.insert(it[0].as_u64().unwrap() as usize, it[1].clone());
        }
    }
    for it in changes["stones"].as_array().into_iter().flatten() {
        let live = lobby["live"].as_array_mut().unwrap();
        let room = live.iter_mut().find(|room| room["room"] == it[0]);
        let room = room.unwrap();
        (room["stones"], room["moves"]) = (it[1].clone(), it[2].clone());
    }
    if let Some(visitors) = changes.get("visitors") {
        lobby["visitors"] = visitors.clone();
    }
    lobby
}

impl Tester {
    pub(crate) fn open(path: &Path, limits: Limits) -> Tester {
        Tester::open_at(path, limits, Duration::MAX)
    }

    /// The same, where the machine's clock shows this time.
    pub(crate) fn open_at(path: &Path, limits: Limits, now: Duration) -> Tester {
        let mut store = ClubStore::open(Some(path)).unwrap();
        let mut kept = store.load().unwrap();
        let ahead = kept.set_back_to(now);
        store.set_back(ahead).unwrap();
        // No number comes twice, even after a restart.
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let draw = || NUMBERS.fetch_add(2, Ordering::Relaxed) + 2;
        Tester {
            club: Club::new(limits, kept, draw),
            store,
            letters: Vec::new(),
            jobs: Vec::new(),
        }
    }

    /// An unused club, while another is opened.
    pub(crate) fn nowhere() -> Tester {
        Tester {
            club: Club::new(Limits::default(), StoredClub::default(), || 0),
            store: ClubStore::open(None).unwrap(),
            letters: Vec::new(),
            jobs: Vec::new(),
        }
    }

    pub(crate) fn settle(&mut self) {
        let effects = self.club.take_effects();
        self.store.commit(&effects.writes).unwrap();
        self.club.stored(effects.number);
        self.jobs.extend(effects.jobs);
        for letter in effects.messages {
            let message: Value = serde_json::from_str(&letter.text).unwrap();
            for to in &letter.to {
                let mut message = message.clone();
                if message["type"] == "lobby_changes" {
                    message = changed(self.last(*to, "lobby").clone(), &message);
                }
                self.letters.push((*to, message));
            }
            // They are told at once: a turn begins when the one before it ends.
            for (to, turn) in letter.to.iter().zip(letter.turn.iter().cycle()) {
                self.club.turn_sent(Duration::ZERO, *to, *turn);
            }
        }
    }

    pub(crate) fn receive(&mut self, now: Duration, visitor: VisitorId, message: &Value) {
        self.club.receive(now, visitor, ms(0), &message.to_string());
        self.settle();
    }

    pub(crate) fn tick(&mut self, now: Duration) {
        self.club.tick(now);
        self.settle();
    }

    /// A visitor comes and says hello.
    pub(crate) fn arrive(&mut self, now: Duration, visitor: VisitorId) {
        self.arrive_at(now, visitor, FROM);
    }

    /// Connects a visitor from an IPv4 address, who says hello.
    pub(crate) fn arrive_from(&mut self, visitor: VisitorId, from: [u8; 4]) {
        self.arrive_at(START, visitor, IpAddr::from(from));
    }

    fn arrive_at(&mut self, now: Duration, visitor: VisitorId, from: IpAddr) {
        self.club.arrive(visitor, from, Admission::All);
        let key = format!("{:032x}", visitor.0);
        self.receive(
            now,
            visitor,
            &json!({ "type": "hello", "version": 1, "key": key }),
        );
    }

    /// The last message of a type to a visitor.
    pub(crate) fn last(&self, visitor: VisitorId, kind: &str) -> &Value {
        let is_it = |(to, message): &&(VisitorId, Value)| *to == visitor && message["type"] == kind;
        &self.letters.iter().rev().find(is_it).unwrap().1
    }

    /// A visitor comes, says hello and takes a name.
    pub(crate) fn arrive_as(&mut self, now: Duration, visitor: VisitorId, name: &str) {
        self.arrive(now, visitor);
        self.receive(now, visitor, &json!({ "type": "rename", "name": name }));
    }

    /// Anna and Béla begin a game, and the room's number.
    pub(crate) fn begin(&mut self, now: Duration, clock: ClockRule) -> String {
        self.arrive_as(now, ANNA, "Anna");
        self.arrive_as(now, BELA, "Béla");
        let setup = serde_json::to_value(crate::RoomSetup {
            rated: true,
            ..setup(OpeningRule::Free, clock)
        });
        self.receive(
            now,
            ANNA,
            &json!({ "type": "create", "seat": "first", "setup": setup.unwrap() }),
        );
        let room = self.last(ANNA, "room")["room"].as_str().unwrap().to_owned();
        self.receive(now, BELA, &json!({ "type": "enter", "room": room }));
        self.receive(now, BELA, &json!({ "type": "sit" }));
        room
    }

    /// The games in Anna's profile, newest first.
    pub(crate) fn games_of_anna(&mut self, now: Duration) -> Value {
        let profile = json!({ "type": "profile", "name": "Anna" });
        self.receive(now, ANNA, &profile);
        self.last(ANNA, "profile")["games"].clone()
    }

    /// Anna and Béla put eight stones.
    pub(crate) fn play_opening(&mut self, now: Duration) {
        for (ply, point) in OPENING.into_iter().enumerate() {
            self.receive(now, [ANNA, BELA][ply % 2], &play(point, ply));
        }
    }
}

/// Eight stones, and no line in sight.
pub(crate) const OPENING: [&str; 8] = ["h8", "i9", "a1", "a15", "o1", "o15", "c3", "c13"];

pub(crate) fn play(point: &str, ply: usize) -> Value {
    json!({ "type": "play", "point": point, "ply": ply })
}

/// The club goes on a day after the start, and Anna comes back to her room.
fn a_day_later(path: &Path, room: &str) -> (Tester, Duration) {
    let day = START + Duration::from_secs(86_400);
    let mut club = Tester::open(path, Limits::default());
    club.tick(day);
    club.arrive(day, ANNA);
    club.receive(day, ANNA, &json!({ "type": "enter", "room": room }));
    club.tick(day + ms(10_000));
    (club, day)
}

#[test]
fn clocks_go_on_after_a_restart_where_they_were() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.receive(START + ms(5000), ANNA, &play("h8", 0));
    club.tick(START + ms(7000));
    club.store.heartbeat(START + ms(7000)).unwrap();
    // The end, in the middle of Béla's turn; a day later it goes on.
    drop(club);
    let (mut club, day) = a_day_later(&path, &room);
    let state = club.last(ANNA, "room");
    assert_eq!(
        (&state["runs"], &state["clock"][1]["main"]),
        (&json!(false), &json!(58_000))
    );
    club.arrive(day + ms(20_000), BELA);
    assert_eq!(club.last(BELA, "welcome")["rooms"][0]["room"], room);
    club.receive(
        day + ms(20_000),
        BELA,
        &json!({ "type": "enter", "room": room }),
    );
    club.tick(day + ms(20_050));
    assert_eq!(club.last(BELA, "room")["runs"], true);
    club.receive(day + ms(21_050), BELA, &play("i9", 1));
    let clock = &club.last(ANNA, "room")["clock"];
    assert_eq!(
        (&clock[0]["main"], &clock[1]["main"]),
        (&json!(55_000), &json!(57_000))
    );
}

/// As where a backup was put in place, which has no such note.
#[test]
fn clocks_are_paused_after_a_restart_without_a_heartbeat() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.receive(START + ms(5000), ANNA, &play("h8", 0));
    club.store.heartbeat(START + ms(7000)).unwrap();
    drop(club);
    std::fs::remove_file(folder.path().join("club.pulse")).unwrap();
    let (club, _) = a_day_later(&path, &room);
    let state = club.last(ANNA, "room");
    assert_eq!(
        (&state["stage"], &state["runs"]),
        (&json!("playing"), &json!(false))
    );
    assert_eq!(
        (&state["clock"][0]["main"], &state["clock"][1]["main"]),
        (&json!(55_000), &json!(60_000))
    );
}

#[test]
fn whoever_does_not_come_back_loses_by_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.receive(START, ANNA, &play("h8", 0));
    club.store.heartbeat(START + ms(1000)).unwrap();
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START + ms(100_000));
    club.arrive(START + ms(100_000), ANNA);
    club.receive(
        START + ms(100_000),
        ANNA,
        &json!({ "type": "enter", "room": room }),
    );
    for second in 100..230 {
        club.tick(START + Duration::from_secs(second));
    }
    let over = &club.last(ANNA, "room")["outcome"];
    assert_eq!(over, &json!({ "winner": "first", "reason": "time" }));
    // Béla has done nothing in this game: it does not count.
    club.receive(
        START + ms(230_000),
        ANNA,
        &json!({ "type": "ratings", "rule": "freestyle" }),
    );
    assert_eq!(club.last(ANNA, "ratings")["rows"], json!([]));
}

#[test]
fn games_are_rated_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    let flag = START + Duration::from_secs(60) + MOST_LAG;
    club.tick(flag - ms(1));
    assert_eq!(club.last(BELA, "room")["outcome"], json!(null));
    club.tick(flag);
    club.tick(flag + ms(50));
    let over = club.last(BELA, "room").clone();
    assert_eq!(over["outcome"]["winner"], "second");
    assert_eq!(over["rating_changes"], json!([-162, 162]));
    assert_eq!(over["seats"][1]["rating"], 1662);
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.arrive(flag, ANNA);
    club.receive(
        flag,
        ANNA,
        &json!({ "type": "ratings", "rule": "freestyle" }),
    );
    let rows = club.last(ANNA, "ratings")["rows"].as_array().unwrap();
    let points: Vec<&Value> = rows.iter().map(|row| &row["points"]).collect();
    assert_eq!(points, [&json!(1210), &json!(1190)]);
    assert_eq!(club.club.statistics().games, 1);
    // It is still shown after a restart, and no more in the next game.
    club.arrive(flag, BELA);
    for visitor in [ANNA, BELA] {
        club.receive(
            flag,
            visitor,
            &json!({ "type": "enter", "room": over["room"] }),
        );
    }
    assert_eq!(
        club.last(BELA, "room")["rating_changes"],
        over["rating_changes"]
    );
    for visitor in [ANNA, BELA] {
        club.receive(flag, visitor, &json!({ "type": "rematch" }));
    }
    let next = club.last(BELA, "room");
    assert_eq!(
        (&next["stage"], &next["rating_changes"]),
        (&json!("playing"), &json!([null, null]))
    );
}

/// A player who asked for a rematch before the club saw the flag fall once began the next game,
/// and the loss counted for nothing.
#[test]
fn a_game_lost_by_time_is_rated_before_a_rematch() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    let flag = START + Duration::from_secs(60) + MOST_LAG;
    let rematch = json!({ "type": "rematch" });
    club.receive(flag, ANNA, &rematch);
    assert_eq!(club.last(ANNA, "error")["code"], "over");
    let over = club.last(ANNA, "room");
    assert_eq!(
        over["outcome"],
        json!({ "winner": "second", "reason": "time" })
    );
    assert!(over["rating_changes"][0].as_i64().unwrap() < 0);
    assert_eq!(club.club.statistics().games, 1);
    club.receive(flag, ANNA, &rematch);
    club.receive(flag, BELA, &rematch);
    assert_eq!(club.last(ANNA, "room")["stage"], "playing");
}

#[test]
fn rooms_that_nobody_visits_expire() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let limits = Limits::default();
    let mut club = Tester::open(&path, limits);
    club.begin(START, MINUTE);
    club.receive(START, BELA, &json!({ "type": "resign" }));
    let later = START + limits.idle * 2;
    club.tick(later);
    assert_eq!(club.club.statistics().over, 1);
    club.club.leave(later, ANNA);
    club.club.leave(later, BELA);
    club.tick(later + limits.idle);
    assert_eq!(club.club.statistics().over, 1);
    club.tick(later + limits.idle + ms(1));
    assert_eq!(club.club.statistics().over, 0);
    drop(club);
    let mut store = ClubStore::open(Some(&path)).unwrap();
    assert!(store.load().unwrap().rooms.is_empty());
}

/// Anna opens a room and goes back to the lobby.
fn wait_in_the_lobby(club: &mut Tester) -> String {
    let setup = serde_json::to_value(setup(OpeningRule::Free, MINUTE)).unwrap();
    club.arrive(START, ANNA);
    club.arrive(START, BELA);
    let create = json!({ "type": "create", "seat": "first", "setup": setup });
    club.receive(START, ANNA, &create);
    club.receive(START, ANNA, &json!({ "type": "leave" }));
    let room = &club.last(ANNA, "your_room")["room"];
    room.as_str().unwrap().to_owned()
}

#[test]
fn players_are_sent_their_rooms_wherever_they_are() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    club.tick(START + ms(1000));
    assert_eq!(club.last(ANNA, "lobby")["open"][0]["room"], room);
    assert_eq!(club.last(BELA, "lobby")["open"][0]["room"], room);
    let own = |club: &Tester, visitor| {
        let own = club.last(visitor, "your_room");
        [&own["stage"], &own["seat"], &own["actor"]].map(|it| it.as_str().unwrap_or("").to_owned())
    };
    assert_eq!(own(&club, ANNA), ["waiting", "first", ""]);
    // Béla comes, and Anna makes her move and goes again.
    club.receive(START, BELA, &json!({ "type": "enter", "room": room }));
    club.receive(START, BELA, &json!({ "type": "sit" }));
    assert_eq!(own(&club, ANNA), ["playing", "first", "first"]);
    assert_eq!(own(&club, BELA), ["playing", "second", "first"]);
    club.receive(START, ANNA, &json!({ "type": "enter", "room": room }));
    club.receive(START, ANNA, &play("h8", 0));
    club.receive(START, ANNA, &json!({ "type": "leave" }));
    assert_eq!(own(&club, ANNA), ["playing", "first", "second"]);
    club.receive(START, BELA, &play("i9", 1));
    assert_eq!(own(&club, ANNA), ["playing", "first", "first"]);
    let told = club.letters.len();
    club.receive(START, BELA, &json!({ "type": "offer_draw" }));
    let mut news = club.letters[told..].iter();
    let is_wish = |(to, message): &(VisitorId, Value)| {
        *to == ANNA && message["type"] == "your_room" && message["draw_offer"] == "second"
    };
    assert!(news.any(is_wish), "a wish finds its player");
    club.receive(START, BELA, &json!({ "type": "resign" }));
    assert_eq!(own(&club, ANNA), ["over", "first", ""]);
}

#[test]
fn a_free_seat_is_taken_on_entering() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    let enter = json!({ "type": "enter", "room": room, "sit": true });
    club.receive(START, BELA, &enter);
    assert_eq!(club.last(BELA, "room")["stage"], "playing");
    // A player who comes too late watches.
    let carl = VisitorId(3);
    club.arrive(START, carl);
    club.receive(START, carl, &enter);
    assert_eq!(club.last(carl, "error")["code"], "seated");
    assert_eq!(club.last(carl, "seat")["seat"], json!(null));
    assert_eq!(
        club.last(carl, "room")["watchers"],
        1,
        "players do not watch"
    );
    // A number that is none is no room's.
    for (kind, field, code) in [
        ("enter", "room", "no_room"),
        ("open_tournament", "tournament", "no_tournament"),
    ] {
        club.receive(START, carl, &json!({ "type": kind, field: "deadbeef" }));
        assert_eq!(club.last(carl, "error")["code"], code);
    }
}

#[test]
fn a_room_is_open_while_its_player_is_here_and_closed_by_them() {
    let folder = TempDir::new().unwrap();
    let limits = Limits::default();
    let mut club = Tester::open(&folder.path().join("club"), limits);
    let room = wait_in_the_lobby(&mut club);
    let later = START + limits.idle * 3;
    club.tick(later);
    assert_eq!(club.club.statistics().waiting, 1, "Anna is in the lobby");
    // She loads the page again.
    club.club.leave(later, ANNA);
    club.tick(later + ms(50));
    assert_eq!(club.club.statistics().waiting, 1);
    club.arrive(later + ms(1000), ANNA);
    assert_eq!(club.last(ANNA, "welcome")["rooms"][0]["room"], room);
    for visitor in [ANNA, BELA] {
        club.receive(later, visitor, &json!({ "type": "enter", "room": room }));
    }
    club.receive(later, BELA, &json!({ "type": "close" }));
    assert_eq!(club.last(BELA, "error")["code"], "watching");
    club.receive(later, ANNA, &json!({ "type": "close" }));
    for visitor in [ANNA, BELA] {
        assert_eq!(club.last(visitor, "closed")["room"], room);
    }
    assert_eq!(club.club.statistics().waiting, 0);
    // A room where a game has begun is not closed.
    let room = wait_in_the_lobby(&mut club);
    club.receive(later, BELA, &json!({ "type": "enter", "room": room }));
    club.receive(later, BELA, &json!({ "type": "sit" }));
    club.receive(later, BELA, &json!({ "type": "close" }));
    assert_eq!(club.last(BELA, "error")["code"], "seated");
}

/// Béla wants another game and goes to the lobby before Anna agrees.
#[test]
fn the_clock_of_a_rematch_waits_for_whoever_is_away() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = club.begin(START, MINUTE);
    for message in ["resign", "rematch", "leave"] {
        club.receive(START, BELA, &json!({ "type": message }));
    }
    club.receive(START, ANNA, &json!({ "type": "rematch" }));
    let state = club.last(ANNA, "room");
    assert_eq!(
        (&state["games"], &state["actor"], &state["runs"]),
        (&json!(2), &json!("first"), &json!(false))
    );
    assert_eq!(club.last(ANNA, "seat")["seat"], "second");
    let later = START + ms(10_000);
    club.tick(later);
    club.receive(later, BELA, &json!({ "type": "enter", "room": room }));
    club.tick(later + ms(50));
    let state = club.last(BELA, "room");
    assert_eq!(
        (&state["runs"], &state["clock"][0]["main"]),
        (&json!(true), &json!(60_000))
    );
}

/// A visitor could once sit down in it, and a game began.
#[test]
fn a_room_that_waits_is_closed_by_whoever_runs_the_club() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    let number = room.parse().unwrap();
    let ended = club.club.end_room(START, number);
    assert_eq!(ended, Ok(Stage::Waiting));
    club.settle();
    assert_eq!(club.last(ANNA, "closed")["room"], room);
    assert!(club.club.end_room(START, number).is_err());
    let enter = json!({ "type": "enter", "room": room, "sit": true });
    club.receive(START, BELA, &enter);
    assert_eq!(club.last(BELA, "error")["code"], "no_room");
}

#[test]
fn a_copy_of_a_running_club_is_a_club() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    club.receive(START, BELA, &json!({ "type": "resign" }));
    let copy = folder.path().join("copy");
    let kept = club.store.reader().unwrap();
    kept.back_up(&copy).unwrap();
    assert!(kept.back_up(&copy).is_err(), "nothing is overwritten");
    let mut copied = ClubStore::open(Some(&copy)).unwrap();
    let kept = copied.load().unwrap();
    assert_eq!(
        (kept.rooms.len(), kept.people.len(), kept.archive.count()),
        (1, 2, 1)
    );
    let mut games = 0;
    let kept = copied.reader().unwrap();
    kept.for_each_game(0, |_| games += 1).unwrap();
    assert_eq!(games, 1);
}

/// Whatever visitors say, a club that starts again from what was kept says the same.
#[test]
fn the_store_has_the_whole_state() {
    for seed in 0..30 {
        let mut random = Rng::with_seed(seed);
        let mut club = Club::new(Limits::default(), StoredClub::default(), || 7);
        let mut rooms = std::collections::BTreeMap::new();
        for visitor in 1..=3 {
            club.arrive(VisitorId(visitor), FROM, Admission::All);
            let hello = json!({ "type": "hello", "version": 1, "key": format!("{visitor:032x}") });
            club.receive(START, VisitorId(visitor), ms(0), &hello.to_string());
        }
        let opening = OpeningRule::ALL[seed as usize % 3];
        let setup = serde_json::to_value(setup(opening, MINUTE)).unwrap();
        for step in 0..200 {
            let now = START + ms(step * 100);
            let ply = random.usize(..12);
            let point = format!("{}{}", (b'a' + random.u8(..15)) as char, random.u8(1..16));
            let message = match random.u8(..20) {
                0 => json!({ "type": "create", "setup": setup }),
                1..3 => json!({ "type": "enter", "room": "0000000000000007" }),
                13 => json!({ "type": "close" }),
                3..5 => json!({ "type": "sit" }),
                5 => json!({ "type": "resign" }),
                6 => json!({ "type": "offer_draw" }),
                7 => json!({ "type": "ask_undo" }),
                8 => json!({ "type": "rematch" }),
                9..12 => json!({ "type": "choose", "choice": "two_stones", "ply": ply }),
                12 => json!({ "type": "choose", "choice": "white", "ply": ply }),
                _ => play(&point, ply),
            };
            let visitor = VisitorId(random.u64(1..4));
            club.receive(now, visitor, ms(0), &message.to_string());
            club.tick(now);
            for change in club.take_effects().writes {
                match change {
                    StoreWrite::Room(id, room) => drop(rooms.insert(id, room)),
                    StoreWrite::RoomGone(id) => drop(rooms.remove(&id)),
                    _ => (),
                }
            }
        }
        let kept = StoredClub {
            rooms: rooms.into_iter().map(|(id, room)| (id, *room)).collect(),
            ..StoredClub::default()
        };
        let count = |club: &Club| {
            let it = club.statistics();
            (it.waiting, it.playing, it.over)
        };
        let again = Club::new(Limits::default(), kept, || 7);
        assert_eq!(count(&again), count(&club), "{seed}");
    }
}
