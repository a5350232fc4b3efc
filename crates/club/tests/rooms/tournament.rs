//! Tournaments of a club without sockets: joining, rounds, rooms, absences, restarts.

use crate::club::{FROM, START, Tester};
use crate::{MINUTE, ms, setup};
use fastrand::Rng;
use quincunx_club::rooms::{
    Admission, Club, ClubStore, Limits, RoomId, RoomSetup, StoreWrite, StoredClub, TournamentId,
    TournamentTable, VisitorId,
};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const NAMES: [&str; 7] = ["Anna", "Béla", "Carl", "Dora", "Emil", "Fritz", "Gyula"];

const ROUND_ROBIN: &str = r#"{ "kind": "round_robin", "double": false }"#;
pub(crate) const SWISS: &str = r#"{ "kind": "swiss", "rounds": 2 }"#;

pub(crate) fn visitor(player: usize) -> VisitorId {
    VisitorId(player as u64 + 1)
}

fn tournament(system: &str) -> Value {
    let setup = RoomSetup {
        rated: true,
        ..setup(OpeningRule::Free, MINUTE)
    };
    json!({
        "type": "create_tournament", "name": "Club evening", "setup": setup,
        "system": serde_json::from_str::<Value>(system).unwrap(), "no_show_s": 300, "pause_s": 60,
    })
}

/// A club evening: named players who look at a tournament that the first has made.
pub(crate) struct Evening {
    pub(crate) club: Tester,
    pub(crate) now: Duration,
    pub(crate) players: usize,
    pub(crate) id: TournamentId,
}

impl Evening {
    pub(crate) fn begin(path: &Path, players: usize, system: &str) -> Evening {
        let mut evening = Evening::open(path, players, system);
        evening.say(0, json!({ "type": "begin_tournament" }));
        evening
    }

    /// All players have joined, and the first round has not begun.
    pub(crate) fn open(path: &Path, players: usize, system: &str) -> Evening {
        let mut evening = Evening {
            club: Tester::open(path, Limits::default()),
            now: START,
            players,
            id: TournamentId(0),
        };
        for (player, name) in NAMES.iter().enumerate().take(players) {
            evening.arrive(player);
            evening.say(player, json!({ "type": "rename", "name": name }));
        }
        evening.say(0, tournament(system));
        let shown = evening.shown(0)["tournament"].as_str().unwrap().to_owned();
        evening.id = shown.parse().unwrap();
        for player in 0..players {
            evening.look(player);
            evening.say(player, json!({ "type": "join_tournament" }));
        }
        evening
    }

    pub(crate) fn say(&mut self, player: usize, message: Value) {
        self.club.receive(self.now, visitor(player), &message);
    }

    pub(crate) fn arrive(&mut self, player: usize) {
        self.club.arrive(self.now, visitor(player));
    }

    pub(crate) fn look(&mut self, player: usize) {
        let id = self.id;
        self.say(
            player,
            json!({ "type": "open_tournament", "tournament": id }),
        );
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.club.tick(self.now);
    }

    /// The server ends and starts again; all visitors come back.
    pub(crate) fn restart(&mut self, path: &Path) {
        let (now, players) = (self.now, self.players);
        self.club.store.heartbeat(now).unwrap();
        self.club = {
            let closed = std::mem::replace(&mut self.club, Tester::nowhere());
            drop(closed);
            Tester::open(path, Limits::default())
        };
        self.club.tick(now);
        (0..players).for_each(|player| self.arrive(player));
        self.look(0);
    }

    /// The tournament as a player was shown it last.
    pub(crate) fn shown(&self, player: usize) -> Value {
        self.club.last(visitor(player), "tournament").clone()
    }

    pub(crate) fn error(&self, player: usize) -> Value {
        self.club.last(visitor(player), "error")["code"].clone()
    }

    /// The pairings as tables of names with their rooms.
    pub(crate) fn tables(&mut self) -> Vec<(usize, usize, Option<String>)> {
        self.look(0);
        let shown = self.shown(0);
        let number = |name: &Value| NAMES.iter().position(|it| name == it).unwrap_or(99);
        let table = |it: &Value| {
            let room = it["room"].as_str().map(str::to_owned);
            (number(&it["first"]), number(&it["second"]), room)
        };
        shown["pairings"]
            .as_array()
            .unwrap()
            .iter()
            .map(table)
            .collect()
    }

    fn enter(&mut self, player: usize, room: &str) {
        self.say(player, json!({ "type": "enter", "room": room }));
    }

    /// Both players of a table come, and the one with the larger number resigns.
    pub(crate) fn play(&mut self, table: &(usize, usize, Option<String>)) {
        let (first, second, room) = table;
        let Some(room) = room else { return };
        self.enter(*first, room);
        self.enter(*second, room);
        self.wait(1);
        for (ply, (player, point)) in [(first, "h8"), (second, "i9")].into_iter().enumerate() {
            self.say(
                *player,
                json!({ "type": "play", "point": point, "ply": ply }),
            );
        }
        self.say(*first.max(second), json!({ "type": "resign" }));
    }

    pub(crate) fn standings(&mut self) -> Vec<(String, f64)> {
        self.look(0);
        let rows = self.shown(0)["standings"].clone();
        let row = |row: &Value| {
            (
                row["name"].as_str().unwrap().to_owned(),
                row["points"].as_f64().unwrap(),
            )
        };
        rows.as_array().unwrap().iter().map(row).collect()
    }
}

#[test]
fn an_evening_goes_on_after_every_restart() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, ROUND_ROBIN);
    for round in 1..=3 {
        evening.look(0);
        let shown = evening.shown(0);
        assert_eq!(
            (&shown["round"], &shown["rounds"]),
            (&json!(round), &json!(3))
        );
        let tables = evening.tables();
        assert_eq!(tables.len(), 2);
        // Each player hears of their own game.
        for (first, second, room) in &tables {
            for player in [first, second] {
                let called = evening.club.last(visitor(*player), "round");
                assert_eq!(called["room"], json!(room), "{round}");
            }
        }
        evening.play(&tables[0]);
        evening.restart(&path);
        evening.play(&tables[1]);
        evening.look(0);
        let pause = (round < 3).then_some(60_000);
        assert_eq!(evening.shown(0)["next_round_ms"], json!(pause));
        evening.restart(&path);
        evening.wait(59);
        evening.look(0);
        assert_eq!(evening.shown(0)["round"], round);
        // In the pause no player has to come back for the next round to begin.
        (1..4).for_each(|player| evening.club.club.leave(evening.now, visitor(player)));
        (1..4).for_each(|player| evening.arrive(player));
        (1..4).for_each(|player| evening.look(player));
        evening.wait(1);
    }
    let shown = evening.shown(0);
    assert_eq!(
        (&shown["stage"], &shown["round"]),
        (&json!("over"), &json!(3))
    );
    let expected = [("Anna", 3.0), ("Béla", 2.0), ("Carl", 1.0), ("Dora", 0.0)];
    let expected: Vec<(String, f64)> = expected.map(|(name, it)| (name.to_owned(), it)).into();
    assert_eq!(evening.standings(), expected);
    let club = &evening.club.club;
    let csv = club.tournament_table(evening.id, TournamentTable::Standings);
    let csv = csv.unwrap();
    assert_eq!(
        csv.lines().nth(1).unwrap(),
        "1,Anna,3,3,3,0,3,false,0",
        "{csv}"
    );
    let csv = club.tournament_table(evening.id, TournamentTable::Pairings);
    let csv = csv.unwrap();
    assert_eq!(csv.lines().count(), 7);
    let columns = |line: &str| line.split(',').count();
    assert!(csv.lines().all(|line| columns(line) == 11), "{csv}");
    let numbers = club.tournament_games(evening.id).unwrap();
    let games = evening
        .club
        .store
        .reader()
        .unwrap()
        .games(&numbers.numbers)
        .unwrap();
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game.moves == "h8i9"));
    // Nothing is found of what is not there.
    let none = TournamentId(1);
    assert_eq!(
        club.tournament_table(none, TournamentTable::Standings),
        None
    );
    assert_eq!(club.tournament_games(none), None);
}

#[test]
fn whoever_does_not_come_loses_after_the_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let tables = evening.tables();
    let (first, second, room) = tables[0].clone();
    let room = room.unwrap();
    evening.enter(first, &room);
    evening.wait(1);
    // There is no move before both are there, and no clock runs.
    evening.say(first, json!({ "type": "play", "point": "h8", "ply": 0 }));
    assert_eq!(evening.error(first), "not_begun");
    evening.wait(200);
    let clock = evening.club.last(visitor(first), "room").clone();
    assert_eq!(
        (&clock["runs"], &clock["clock"][0]["main"]),
        (&json!(false), &json!(60_000))
    );
    // A restart gives them as long again, and remembers who was there.
    evening.restart(&path);
    evening.wait(299);
    assert_eq!(evening.shown(0)["pairings"][0]["points"], json!(null));
    evening.wait(1);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown["pairings"][0]["result"], "second_absent");
    assert_eq!(shown["pairings"][0]["points"], json!([1.0, 0.0]));
    assert_eq!(shown["pairings"][1]["result"], "neither");
    let winner = evening.standings()[0].clone();
    assert_eq!(winner, (NAMES[first].to_owned(), 1.0));
    // No game was played, and no rating has changed.
    assert_eq!(evening.club.club.statistics().games, 0);
    evening.say(0, json!({ "type": "profile", "name": NAMES[second] }));
    let profile = evening.club.last(visitor(0), "profile");
    assert_eq!(
        (&profile["standings"], &profile["against_you"]),
        (&json!([]), &json!([0, 0, 0]))
    );
    // Who did not come is withdrawn, and may take part again.
    let is_withdrawn = |row: &Value| row["withdrawn"] == true;
    let rows = shown["standings"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| is_withdrawn(row)).count(), 3);
    evening.look(second);
    evening.say(second, json!({ "type": "join_tournament" }));
    evening.wait(60);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(
        (&shown["round"], shown["pairings"].as_array().unwrap().len()),
        (&json!(2), 1)
    );
    // The only two who are left were to meet, and did not: they may meet now.
    assert_eq!(shown["stage"], "running");
}

#[test]
fn players_withdraw_before_in_and_between_games() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 5, ROUND_ROBIN);
    let tables = evening.tables();
    // In a game that is played.
    let (first, second, room) = tables[1].clone();
    evening.enter(first, room.as_ref().unwrap());
    evening.enter(second, room.as_ref().unwrap());
    evening.wait(1);
    evening.look(second);
    evening.say(second, json!({ "type": "withdraw" }));
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown["pairings"][1]["result"], json!({ "played": "win" }));
    // In a game to which no player has come yet.
    let (other, _, _) = tables[2];
    evening.look(other);
    evening.say(other, json!({ "type": "withdraw" }));
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown["pairings"][2]["result"], "first_absent");
    let gone = [NAMES[second], NAMES[other]];
    // A round without any game is over at once.
    for _ in 2..=5 {
        evening.wait(60);
        for table in evening.tables() {
            let has_room = table.2.is_some();
            let is_gone = [table.0, table.1]
                .iter()
                .any(|it| *it == 99 || gone.contains(&NAMES[*it]));
            assert_eq!(has_room, !is_gone, "{table:?}");
            evening.play(&table);
        }
    }
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(
        (&shown["stage"], &shown["round"]),
        (&json!("over"), &json!(5))
    );
    let withdrawn: Vec<&str> = (shown["standings"].as_array().unwrap().iter())
        .filter(|row| row["withdrawn"] == true)
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert_eq!(withdrawn.len(), 2);
    assert!(withdrawn.iter().all(|name| gone.contains(name)));
    // They left early: their games do not count, so the others have two each.
    let points: f64 = evening.standings().iter().map(|row| row.1).sum();
    assert_eq!(points, 3.0);
    evening.say(0, json!({ "type": "withdraw" }));
    assert_eq!(evening.error(0), "tournament");
}

#[test]
fn what_is_not_allowed_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 2, ROUND_ROBIN);
    // A guest takes part in nothing of their own making.
    evening.arrive(2);
    evening.say(2, tournament(SWISS));
    assert_eq!(evening.error(2), "unnamed");
    evening.say(2, json!({ "type": "join_tournament" }));
    assert_eq!(evening.error(2), "no_tournament");
    evening.say(2, json!({ "type": "rename", "name": NAMES[2] }));
    evening.look(2);
    for (message, code) in [
        ("join_tournament", "begun"),
        ("withdraw", "not_playing"),
        ("begin_tournament", "not_maker"),
        ("end_tournament", "not_maker"),
    ] {
        evening.say(2, json!({ "type": message }));
        assert_eq!(evening.error(2), code, "{message}");
    }
    evening.say(0, json!({ "type": "begin_tournament" }));
    assert_eq!(evening.error(0), "begun");
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("<b>")),
        ("system", json!({ "kind": "swiss", "rounds": 0 })),
        ("no_show_s", json!(0)),
        ("pause_s", json!(100_000)),
    ] {
        let mut wrong = tournament(SWISS);
        wrong[field] = value;
        evening.say(0, wrong);
        assert_eq!(evening.error(0), "tournament", "{field}");
    }
    let unknown = json!({ "type": "open_tournament", "tournament": "0000000000000001" });
    evening.say(2, unknown);
    assert_eq!(evening.error(2), "no_tournament");
    // One is running; one more may be open.
    for _ in 0..2 {
        evening.say(0, tournament(SWISS));
    }
    assert_eq!(evening.error(0), "open_tournament");
    // The last of these is looked at: alone it can't be begun, but ended.
    evening.say(0, json!({ "type": "begin_tournament" }));
    assert_eq!(evening.error(0), "players");
    evening.say(0, json!({ "type": "end_tournament" }));
    assert_eq!(evening.error(0), "no_tournament");
    assert_eq!(evening.club.club.list_tournaments(9).len(), 1);
    // No move is taken back and no game repeated.
    let (first, second, room) = evening.tables()[0].clone();
    let room = room.unwrap();
    evening.enter(first, &room);
    evening.enter(second, &room);
    evening.wait(1);
    evening.say(first, json!({ "type": "ask_undo" }));
    assert_eq!(evening.error(first), "tournament_game");
    evening.say(first, json!({ "type": "resign" }));
    evening.say(first, json!({ "type": "rematch" }));
    assert_eq!(evening.error(first), "tournament_game");
    // A player's room limit is not used up by games of a tournament.
    evening.arrive(3);
    evening.enter(3, &room);
    evening.say(3, json!({ "type": "sit" }));
    assert_eq!(evening.error(3), "seated");
}

#[test]
fn whoever_runs_the_club_ends_games_and_tournaments() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let tables = evening.tables();
    let room: RoomId = tables[0].2.as_ref().unwrap().parse().unwrap();
    evening.club.club.end_room(evening.now, room).unwrap();
    evening.wait(1);
    assert_eq!(evening.shown(0)["pairings"][0]["result"], "neither");
    let id = evening.id;
    evening.club.club.end_tournament(evening.now, id).unwrap();
    evening.wait(1);
    let shown = evening.shown(0);
    assert_eq!(
        (&shown["stage"], &shown["pairings"][1]["result"]),
        (&json!("over"), &json!("neither"))
    );
    assert_eq!(evening.club.club.statistics().playing, 0);
    assert!(evening.club.club.end_tournament(evening.now, id).is_err());
    evening.restart(&path);
    evening.wait(1000);
    evening.look(0);
    assert_eq!(evening.shown(0)["stage"], "over");
}

/// A round whose rooms are gone does not hold a tournament up.
#[test]
fn rounds_go_on_without_rooms_that_are_lost() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let table = evening.tables()[0].clone();
    evening.play(&table);
    let (id, now) = (evening.id, evening.now);
    drop(evening);
    let mut kept = ClubStore::open(Some(&path)).unwrap().load().unwrap();
    kept.rooms.clear();
    let mut club = Club::new(Limits::default(), kept, || 7);
    let table = |club: &Club| {
        club.tournament_table(id, TournamentTable::Pairings)
            .unwrap()
    };
    assert!(
        table(&club)
            .lines()
            .nth(2)
            .unwrap()
            .contains(",0,0,neither,")
    );
    club.tick(now);
    assert_eq!(table(&club).lines().count(), 5, "the next round");
}

#[test]
fn a_tournament_that_nobody_begins_is_forgotten() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 1, SWISS);
    evening.wait(7 * 24 * 3600 - 1);
    assert_eq!(evening.club.club.list_tournaments(9).len(), 1);
    evening.wait(1);
    assert_eq!(evening.club.club.list_tournaments(9).len(), 0);
    assert_eq!(evening.error(0), "no_tournament");
    drop(evening);
    let mut store = ClubStore::open(Some(&path)).unwrap();
    assert!(store.load().unwrap().tournaments.is_empty());
}

#[test]
fn names_from_one_address_are_limited() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        names_an_hour: 3,
        ..Limits::default()
    };
    let mut club = Tester::open(&folder.path().join("club"), limits);
    for (player, name) in NAMES.iter().enumerate().take(5) {
        club.arrive(START, visitor(player));
        let rename = json!({ "type": "rename", "name": name });
        club.receive(START, visitor(player), &rename);
        let is_named = player < 3;
        let last = &club.letters.last().unwrap().1;
        assert_eq!(last["type"] == "name", is_named, "{last}");
        assert!(is_named || last["code"] == "too_many_names");
    }
    // A seat needs a name too, even a guest's; a player with one goes on.
    let room = json!({ "type": "create", "setup": setup(OpeningRule::Free, MINUTE) });
    club.receive(START, visitor(4), &room);
    assert_eq!(club.last(visitor(4), "error")["code"], "too_many_names");
    club.receive(START, visitor(0), &room);
    assert_eq!(club.last(visitor(0), "room")["stage"], "waiting");
    let later = START + Duration::from_secs(1200);
    club.receive(later, visitor(4), &room);
    assert_eq!(club.last(visitor(4), "room")["stage"], "waiting");
}

/// Whatever players do, a club that starts again from what was kept knows the same.
#[test]
fn tournaments_are_stored_whole() {
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let mut number = 0;
        let draw = move || {
            number += 1;
            number
        };
        let limits = Limits {
            names_an_hour: 1000,
            ..Limits::default()
        };
        let mut club = Club::new(limits, StoredClub::default(), draw);
        let (mut rooms, mut tournaments) = (BTreeMap::new(), BTreeMap::new());
        for (player, name) in NAMES.iter().enumerate() {
            let key = format!("{player:032x}");
            club.arrive(visitor(player), FROM, Admission::All);
            for message in [
                json!({ "type": "hello", "version": 1, "key": key }),
                json!({ "type": "rename", "name": name }),
            ] {
                club.receive(START, visitor(player), ms(0), &message.to_string());
            }
        }
        let mut over = 0;
        for step in 0..600 {
            let now = START + Duration::from_secs(step * 20);
            let number = format!("{:016x}", random.u64(1..40));
            let message = match random.u8(..20) {
                0 => tournament([SWISS, ROUND_ROBIN][random.usize(..2)]),
                1..5 => json!({ "type": "open_tournament", "tournament": number }),
                5..8 => json!({ "type": "join_tournament" }),
                8..10 => json!({ "type": "begin_tournament" }),
                10 if random.u8(..4) == 0 => json!({ "type": "end_tournament" }),
                11 if random.u8(..4) == 0 => json!({ "type": "withdraw" }),
                12..17 => json!({ "type": "enter", "room": number }),
                17..19 => json!({ "type": "resign" }),
                _ => json!({ "type": "play", "point": "h8", "ply": 0 }),
            };
            let player = random.usize(..NAMES.len());
            club.receive(now, visitor(player), ms(0), &message.to_string());
            club.tick(now);
            for change in club.take_effects().writes {
                match change {
                    StoreWrite::Room(id, room) => drop(rooms.insert(id, room)),
                    StoreWrite::RoomGone(id) => drop(rooms.remove(&id)),
                    StoreWrite::Tournament(id, it) => drop(tournaments.insert(id, it)),
                    StoreWrite::TournamentGone(id) => drop(tournaments.remove(&id)),
                    _ => (),
                }
            }
            over = over.max(club.list_tournaments(99).len());
        }
        let ids: Vec<TournamentId> = tournaments.keys().copied().collect();
        let kept = StoredClub {
            rooms: rooms.into_iter().map(|(id, room)| (id, *room)).collect(),
            tournaments: tournaments.into_iter().map(|(id, it)| (id, *it)).collect(),
            ..StoredClub::default()
        };
        let again = Club::new(limits, kept, || 7);
        let numbers = |club: &Club| {
            let it = club.statistics();
            (it.waiting, it.playing, it.over, it.tournaments)
        };
        assert_eq!(numbers(&again), numbers(&club), "{seed}");
        assert!(!ids.is_empty() && over > 0);
        for id in ids {
            let games = |club: &Club| club.tournament_games(id).unwrap().numbers;
            assert_eq!(games(&again), games(&club));
            let lines = |club: &Club| {
                let csv = club.tournament_table(id, TournamentTable::Pairings);
                csv.unwrap().lines().count()
            };
            assert_eq!(lines(&again), lines(&club), "{seed}");
        }
    }
}
