//! Tournaments of a club without sockets: joining, rounds, rooms, absences, restarts.

use crate::club::{FROM, START, Tester};
use crate::messages::{
    Message, create_tournament, enter, hello, key_of, open_tournament, profile, rated, rename,
    text, tournament_setup, unrated,
};
use crate::{ms, play};
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, Admission, Club, ClubMessage, ClubRequest, ClubStore, Limits, NewRoom, PairingView,
    RoomId, Stage, StoreWrite, StoredClub, TournamentId, TournamentMessage, TournamentSetup,
    TournamentStage, TournamentTable, TournamentView, VisitorId,
};
use quincunx_pairing::{PairingResult, Score, System};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const NAMES: [&str; 7] = ["Anna", "Béla", "Carl", "Dora", "Emil", "Fritz", "Gyula"];

const ROUND_ROBIN: System = System::RoundRobin { double: false };
pub(crate) const SWISS: System = System::Swiss { rounds: 2 };

pub(crate) fn visitor(player: usize) -> VisitorId {
    VisitorId(player as u64 + 1)
}

fn tournament(system: System) -> TournamentSetup {
    TournamentSetup {
        setup: rated(),
        ..tournament_setup(system)
    }
}

/// The players of a table by their numbers, and the room of their game.
pub(crate) type Table = (usize, usize, Option<RoomId>);

/// A club evening: named players who look at a tournament that the first has made.
pub(crate) struct Evening {
    pub(crate) club: Tester,
    pub(crate) now: Duration,
    pub(crate) players: usize,
    pub(crate) id: TournamentId,
}

impl Evening {
    pub(crate) fn begin(path: &Path, players: usize, system: System) -> Evening {
        let mut evening = Evening::open(path, players, system);
        evening.say(0, TournamentMessage::BeginTournament);
        evening
    }

    /// All players have joined, and the first round has not begun.
    pub(crate) fn open(path: &Path, players: usize, system: System) -> Evening {
        let mut evening = Evening {
            club: Tester::open(path, Limits::default()),
            now: START,
            players,
            id: TournamentId(0),
        };
        for (player, name) in NAMES.iter().enumerate().take(players) {
            evening.arrive(player);
            evening.say(player, rename(name));
        }
        evening.say(0, create_tournament(tournament(system)));
        evening.id = evening.shown(0).summary.tournament;
        for player in 0..players {
            evening.look(player);
            evening.say(player, TournamentMessage::JoinTournament);
        }
        evening
    }

    pub(crate) fn say(&mut self, player: usize, message: impl Message) {
        self.club.receive(self.now, visitor(player), &message);
    }

    pub(crate) fn arrive(&mut self, player: usize) {
        self.club.arrive(self.now, visitor(player));
    }

    pub(crate) fn look(&mut self, player: usize) {
        self.say(player, open_tournament(self.id));
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
    pub(crate) fn shown(&self, player: usize) -> TournamentView {
        self.club.tournament(visitor(player)).clone()
    }

    pub(crate) fn error(&self, player: usize) -> &str {
        self.club.error(visitor(player))
    }

    /// The pairings as tables of names with their rooms.
    pub(crate) fn tables(&mut self) -> Vec<Table> {
        self.look(0);
        let number = |name: &str| NAMES.iter().position(|it| *it == name).unwrap_or(99);
        let table = |it: &PairingView| {
            let second = it.second.as_deref().map_or(99, number);
            (number(&it.first), second, it.room)
        };
        self.shown(0).pairings.iter().map(table).collect()
    }

    pub(crate) fn enter(&mut self, player: usize, room: RoomId) {
        self.say(player, enter(room));
    }

    /// Both players of a table come, and the one with the larger number resigns.
    pub(crate) fn play(&mut self, &(first, second, room): &Table) {
        let Some(room) = room else { return };
        self.enter(first, room);
        self.enter(second, room);
        self.wait(1);
        self.say(first, play("h8", 0));
        self.say(second, play("i9", 1));
        self.say(first.max(second), Action::Resign);
    }

    pub(crate) fn standings(&mut self) -> Vec<(String, f64)> {
        self.look(0);
        let rows = self.shown(0).standings.into_iter();
        rows.map(|row| (row.name, row.place.points)).collect()
    }

    /// Returns true if a player has withdrawn, as another was shown last.
    pub(crate) fn has_withdrawn(&self, player: usize, shown_to: usize) -> bool {
        let mut rows = self.shown(shown_to).standings.into_iter();
        let row = rows.find(|row| row.name == NAMES[player]);
        row.unwrap().place.withdrawn
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
        assert_eq!((shown.summary.round, shown.summary.rounds), (round, 3));
        let tables = evening.tables();
        assert_eq!(tables.len(), 2);
        // Each player hears of their own game.
        for &(first, second, room) in &tables {
            for player in [first, second] {
                let called = evening.club.round(visitor(player));
                assert_eq!(Some(called), room, "{round}");
            }
        }
        evening.play(&tables[0]);
        evening.restart(&path);
        evening.play(&tables[1]);
        evening.look(0);
        let pause = (round < 3).then_some(60_000);
        assert_eq!(evening.shown(0).next_round_ms, pause);
        evening.restart(&path);
        evening.wait(59);
        evening.look(0);
        assert_eq!(evening.shown(0).summary.round, round);
        // In the pause no player has to come back for the next round to begin.
        (1..4).for_each(|player| evening.club.club.leave(evening.now, visitor(player)));
        (1..4).for_each(|player| evening.arrive(player));
        (1..4).for_each(|player| evening.look(player));
        evening.wait(1);
    }
    let shown = evening.shown(0);
    assert_eq!(
        (shown.summary.stage, shown.summary.round),
        (TournamentStage::Over, 3)
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
    let (first, second, room) = tables[0];
    let room = room.unwrap();
    evening.enter(first, room);
    evening.wait(1);
    // There is no move before both are there, and no clock runs.
    evening.say(first, play("h8", 0));
    assert_eq!(evening.error(first), "not_begun");
    evening.wait(200);
    let clock = evening.club.room(visitor(first)).clone();
    assert_eq!((clock.runs, clock.clock[0].main), (false, 60_000));
    // A restart gives them as long again, and remembers who was there.
    evening.restart(&path);
    evening.wait(299);
    assert_eq!(evening.shown(0).pairings[0].points, None);
    evening.wait(1);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown.pairings[0].result, Some(PairingResult::SecondAbsent));
    assert_eq!(shown.pairings[0].points, Some([1.0, 0.0]));
    assert_eq!(shown.pairings[1].result, Some(PairingResult::Neither));
    let winner = evening.standings()[0].clone();
    assert_eq!(winner, (NAMES[first].to_owned(), 1.0));
    // No game was played, and no rating has changed.
    assert_eq!(evening.club.club.statistics().games, 0);
    evening.say(0, profile(NAMES[second]));
    let profile = evening.club.profile(visitor(0));
    assert_eq!(
        (&*profile.standings, profile.against_you),
        (&[][..], [0, 0, 0])
    );
    // Who did not come is withdrawn, and may take part again.
    let withdrawn = shown.standings.iter().filter(|row| row.place.withdrawn);
    assert_eq!(withdrawn.count(), 3);
    evening.look(second);
    evening.say(second, TournamentMessage::JoinTournament);
    evening.wait(60);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!((shown.summary.round, shown.pairings.len()), (2, 1));
    // The only two who are left were to meet, and did not: they may meet now.
    assert_eq!(shown.summary.stage, TournamentStage::Running);
}

#[test]
fn players_withdraw_before_in_and_between_games() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 5, ROUND_ROBIN);
    let tables = evening.tables();
    // In a game that is played.
    let (first, second, room) = tables[1];
    evening.enter(first, room.unwrap());
    evening.enter(second, room.unwrap());
    evening.wait(1);
    evening.look(second);
    evening.say(second, TournamentMessage::Withdraw);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(
        shown.pairings[1].result,
        Some(PairingResult::Played(Score::Win))
    );
    // In a game to which no player has come yet.
    let (other, _, _) = tables[2];
    evening.look(other);
    evening.say(other, TournamentMessage::Withdraw);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown.pairings[2].result, Some(PairingResult::FirstAbsent));
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
        (shown.summary.stage, shown.summary.round),
        (TournamentStage::Over, 5)
    );
    let withdrawn: Vec<&str> = (shown.standings.iter())
        .filter(|row| row.place.withdrawn)
        .map(|row| &*row.name)
        .collect();
    assert_eq!(withdrawn.len(), 2);
    assert!(withdrawn.iter().all(|name| gone.contains(name)));
    // They left early: their games do not count, so the others have two each.
    let points: f64 = evening.standings().iter().map(|row| row.1).sum();
    assert_eq!(points, 3.0);
    evening.say(0, TournamentMessage::Withdraw);
    assert_eq!(evening.error(0), "tournament");
}

#[test]
fn what_is_not_allowed_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 2, ROUND_ROBIN);
    // A guest takes part in nothing of their own making.
    evening.arrive(2);
    evening.say(2, create_tournament(tournament(SWISS)));
    assert_eq!(evening.error(2), "unnamed");
    evening.say(2, TournamentMessage::JoinTournament);
    assert_eq!(evening.error(2), "no_tournament");
    evening.say(2, rename(NAMES[2]));
    evening.look(2);
    for (message, code) in [
        (TournamentMessage::JoinTournament, "begun"),
        (TournamentMessage::Withdraw, "not_playing"),
        (TournamentMessage::BeginTournament, "not_maker"),
        (TournamentMessage::EndTournament, "not_maker"),
    ] {
        evening.say(2, message.clone());
        assert_eq!(evening.error(2), code, "{message:?}");
    }
    evening.say(0, TournamentMessage::BeginTournament);
    assert_eq!(evening.error(0), "begun");
    let right = tournament(SWISS);
    for wrong in [
        TournamentSetup {
            name: String::new(),
            ..right.clone()
        },
        TournamentSetup {
            name: "<b>".to_owned(),
            ..right.clone()
        },
        tournament(System::Swiss { rounds: 0 }),
        TournamentSetup {
            no_show_s: 0,
            ..right.clone()
        },
        TournamentSetup {
            pause_s: 100_000,
            ..right.clone()
        },
    ] {
        evening.say(0, create_tournament(wrong.clone()));
        assert_eq!(evening.error(0), "tournament", "{wrong:?}");
    }
    evening.say(2, open_tournament(TournamentId(1)));
    assert_eq!(evening.error(2), "no_tournament");
    // One is running; one more may be open.
    for _ in 0..2 {
        evening.say(0, create_tournament(right.clone()));
    }
    assert_eq!(evening.error(0), "open_tournament");
    // The last of these is looked at: alone it can't be begun, but ended.
    evening.say(0, TournamentMessage::BeginTournament);
    assert_eq!(evening.error(0), "players");
    evening.say(0, TournamentMessage::EndTournament);
    assert_eq!(evening.error(0), "no_tournament");
    assert_eq!(evening.club.club.list_tournaments(9).len(), 1);
    // No move is taken back and no game repeated.
    let (first, second, room) = evening.tables()[0];
    let room = room.unwrap();
    evening.enter(first, room);
    evening.enter(second, room);
    evening.wait(1);
    evening.say(first, Action::AskUndo);
    assert_eq!(evening.error(first), "tournament_game");
    evening.say(first, Action::Resign);
    evening.say(first, Action::Rematch);
    assert_eq!(evening.error(first), "tournament_game");
    // A player's room limit is not used up by games of a tournament.
    evening.arrive(3);
    evening.enter(3, room);
    evening.say(3, ClubRequest::Sit);
    assert_eq!(evening.error(3), "seated");
}

#[test]
fn whoever_runs_the_club_ends_games_and_tournaments() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let tables = evening.tables();
    let room: RoomId = tables[0].2.unwrap();
    evening.club.club.end_room(evening.now, room).unwrap();
    evening.wait(1);
    assert_eq!(
        evening.shown(0).pairings[0].result,
        Some(PairingResult::Neither)
    );
    let id = evening.id;
    evening.club.club.end_tournament(evening.now, id).unwrap();
    evening.wait(1);
    let shown = evening.shown(0);
    assert_eq!(
        (shown.summary.stage, shown.pairings[1].result),
        (TournamentStage::Over, Some(PairingResult::Neither))
    );
    assert_eq!(evening.club.club.statistics().playing, 0);
    assert!(evening.club.club.end_tournament(evening.now, id).is_err());
    evening.restart(&path);
    evening.wait(1000);
    evening.look(0);
    assert_eq!(evening.shown(0).summary.stage, TournamentStage::Over);
}

/// A round whose rooms are gone does not hold a tournament up.
#[test]
fn rounds_go_on_without_rooms_that_are_lost() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let table = evening.tables()[0];
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
        club.say(visitor(player), &rename(name));
        let is_named = player < 3;
        let (_, last) = club.letters.last().unwrap();
        let has_name = matches!(last, ClubMessage::Name { .. });
        assert_eq!(has_name, is_named, "{last:?}");
        assert!(is_named || club.error(visitor(player)) == "too_many_names");
    }
    // A seat needs a name too, even a guest's; a player with one goes on.
    let room = ClubRequest::Create(NewRoom::of(unrated()));
    club.say(visitor(4), &room);
    assert_eq!(club.error(visitor(4)), "too_many_names");
    club.say(visitor(0), &room);
    assert_eq!(club.room(visitor(0)).state.stage, Stage::Waiting);
    let later = START + Duration::from_secs(1200);
    club.receive(later, visitor(4), &room);
    assert_eq!(club.room(visitor(4)).state.stage, Stage::Waiting);
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
            let player = visitor(player);
            club.arrive(player, FROM, Admission::All);
            for message in [hello(&key_of(player)), rename(name)] {
                club.receive(START, player, ms(0), &text(&message));
            }
        }
        let mut over = 0;
        for step in 0..600 {
            let now = START + Duration::from_secs(step * 20);
            let number = random.u64(1..40);
            let message = match random.u8(..20) {
                0 => {
                    let system = [SWISS, ROUND_ROBIN][random.usize(..2)];
                    text(&create_tournament(tournament(system)))
                }
                1..5 => text(&open_tournament(TournamentId(number))),
                5..8 => text(&TournamentMessage::JoinTournament),
                8..10 => text(&TournamentMessage::BeginTournament),
                10 if random.u8(..4) == 0 => text(&TournamentMessage::EndTournament),
                11 if random.u8(..4) == 0 => text(&TournamentMessage::Withdraw),
                12..17 => text(&enter(RoomId(number))),
                17..19 => text(&Action::Resign),
                _ => text(&play("h8", 0)),
            };
            let player = random.usize(..NAMES.len());
            club.receive(now, visitor(player), ms(0), &message);
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
