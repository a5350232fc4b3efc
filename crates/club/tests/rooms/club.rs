//! A club without sockets: messages and times go in, letters and changes come out.

use crate::messages::{
    Message, apply, create, enter, enter_and_sit, hello, key_of, profile, rated, rename, text,
    unrated,
};
use crate::{MINUTE, ms, play, setup, won};
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, Admission, ClockRule, Club, ClubMessage, ClubRequest, ClubStore, EngineJob,
    GameSummary, Limits, MOST_LAG, NewRoom, RoomId, RoomSetup, Stage, StoreWrite, StoredClub,
    TournamentMessage, VisitorId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{Choice, OpeningRule, Seat};
use quincunx_engine::rules::Point;
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
    pub(crate) letters: Vec<(VisitorId, ClubMessage)>,
    /// The searches that the engine asks for.
    pub(crate) jobs: Vec<EngineJob>,
}

impl Tester {
    pub(crate) fn open(path: &Path, limits: Limits) -> Tester {
        Tester::open_at(path, limits, Duration::MAX)
    }

    /// The same, where the machine's clock shows this time.
    pub(crate) fn open_at(path: &Path, limits: Limits, now: Duration) -> Tester {
        let mut store = ClubStore::open(Some(path)).unwrap();
        store.set_back_to(now).unwrap();
        let kept = store.load().unwrap();
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
            let message: ClubMessage = serde_json::from_str(&letter.text).unwrap();
            for to in &letter.to {
                let message = match message.clone() {
                    ClubMessage::LobbyChanges(changes) => {
                        let mut lobby = self.lobby(*to).clone();
                        apply(&mut lobby, changes);
                        ClubMessage::Lobby(lobby)
                    }
                    message => message,
                };
                self.letters.push((*to, message));
            }
            // They are told at once: a turn begins when the one before it ends.
            for (to, turn) in letter.to.iter().zip(letter.turn.iter().cycle()) {
                self.club.turn_sent(Duration::ZERO, *to, *turn);
            }
        }
    }

    pub(crate) fn receive(&mut self, now: Duration, visitor: VisitorId, message: &impl Message) {
        self.receive_text(now, visitor, &text(message));
    }

    /// Receives a text, which may be no message.
    pub(crate) fn receive_text(&mut self, now: Duration, visitor: VisitorId, text: &str) {
        self.club.receive(now, visitor, ms(0), text);
        self.settle();
    }

    /// Receives a message at the start.
    pub(crate) fn say(&mut self, visitor: VisitorId, message: &impl Message) {
        self.receive(START, visitor, message);
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

    pub(crate) fn arrive_at(&mut self, now: Duration, visitor: VisitorId, from: IpAddr) {
        self.club.arrive(visitor, from, Admission::All);
        self.receive(now, visitor, &hello(&key_of(visitor)));
    }

    /// Connects a visitor who has the key of another.
    pub(crate) fn arrive_with(&mut self, now: Duration, visitor: VisitorId, key: &str) {
        self.club.arrive(visitor, FROM, Admission::All);
        self.receive(now, visitor, &hello(key));
    }

    /// A visitor comes, says hello and takes a name.
    pub(crate) fn arrive_as(&mut self, now: Duration, visitor: VisitorId, name: &str) {
        self.arrive(now, visitor);
        self.receive(now, visitor, &rename(name));
    }

    /// Anna and Béla begin a game, and the room's number.
    pub(crate) fn begin(&mut self, now: Duration, clock: ClockRule) -> RoomId {
        self.arrive_as(now, ANNA, "Anna");
        self.arrive_as(now, BELA, "Béla");
        self.begin_in(now, [ANNA, BELA], &create(RoomSetup { clock, ..rated() }))
    }

    /// Two visitors begin a game in a room of the first. Returns the room.
    pub(crate) fn begin_in(
        &mut self,
        now: Duration,
        [first, second]: [VisitorId; 2],
        create: &ClubRequest,
    ) -> RoomId {
        self.receive(now, first, create);
        let room = self.room(first).state.room;
        self.receive(now, second, &enter_and_sit(room));
        room
    }

    /// The games in Anna's profile, newest first.
    pub(crate) fn games_of_anna(&mut self, now: Duration) -> Vec<GameSummary> {
        self.receive(now, ANNA, &profile("Anna"));
        self.profile(ANNA).games.clone()
    }

    /// Anna and Béla put eight stones.
    pub(crate) fn play_opening(&mut self, now: Duration) {
        self.play_stones(now, [ANNA, BELA], &OPENING);
    }

    /// Two players put the first stones of their game by turns.
    pub(crate) fn play_stones(&mut self, now: Duration, players: [VisitorId; 2], stones: &[&str]) {
        for (ply, point) in stones.iter().enumerate() {
            self.receive(now, players[ply % 2], &play(point, ply));
        }
    }
}

/// Eight stones, and no line in sight.
pub(crate) const OPENING: [&str; 8] = ["h8", "i9", "a1", "a15", "o1", "o15", "c3", "c13"];

/// The club goes on a day after the start, and Anna comes back to her room.
fn a_day_later(path: &Path, room: RoomId) -> (Tester, Duration) {
    let day = START + Duration::from_secs(86_400);
    let mut club = Tester::open(path, Limits::default());
    club.tick(day);
    club.arrive(day, ANNA);
    club.receive(day, ANNA, &enter(room));
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
    let (mut club, day) = a_day_later(&path, room);
    let state = club.room(ANNA);
    assert_eq!((state.runs, state.clock[1].main), (false, 58_000));
    club.arrive(day + ms(20_000), BELA);
    assert_eq!(club.welcome(BELA).rooms[0].state.room, room);
    club.receive(day + ms(20_000), BELA, &enter(room));
    club.tick(day + ms(20_050));
    assert!(club.room(BELA).runs);
    club.receive(day + ms(21_050), BELA, &play("i9", 1));
    assert_eq!(club.main_ms(ANNA), [55_000, 57_000]);
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
    let (club, _) = a_day_later(&path, room);
    let state = club.room(ANNA);
    assert_eq!((state.state.stage, state.runs), (Stage::Playing, false));
    assert_eq!(club.main_ms(ANNA), [55_000, 60_000]);
}

#[test]
fn whoever_does_not_come_back_loses_by_time() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.say(ANNA, &play("h8", 0));
    club.store.heartbeat(START + ms(1000)).unwrap();
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START + ms(100_000));
    club.arrive(START + ms(100_000), ANNA);
    club.receive(START + ms(100_000), ANNA, &enter(room));
    for second in 100..230 {
        club.tick(START + Duration::from_secs(second));
    }
    let over = &club.room(ANNA).state.outcome;
    assert_eq!(over, &won(Seat::First, Termination::Time));
    // Béla has done nothing in this game: it does not count.
    assert_eq!(club.ask_for_ratings(START + ms(230_000), ANNA), []);
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
    assert_eq!(club.room(BELA).state.outcome, None);
    club.tick(flag);
    club.tick(flag + ms(50));
    let over = club.room(BELA).clone();
    assert_eq!(over.state.outcome.unwrap().winner, Some(Seat::Second));
    assert_eq!(over.rating_changes, [Some(-162), Some(162)]);
    assert_eq!(club.player(BELA, 1).rating, Some(1662));
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.arrive(flag, ANNA);
    let rows = club.ask_for_ratings(flag, ANNA);
    let points: Vec<i32> = rows.iter().map(|row| row.standing.points).collect();
    assert_eq!(points, [1210, 1190]);
    assert_eq!(club.club.statistics().games, 1);
    // It is still shown after a restart, and no more in the next game.
    club.arrive(flag, BELA);
    for visitor in [ANNA, BELA] {
        club.receive(flag, visitor, &enter(over.state.room));
    }
    assert_eq!(club.room(BELA).rating_changes, over.rating_changes);
    for visitor in [ANNA, BELA] {
        club.receive(flag, visitor, &Action::Rematch);
    }
    let next = club.room(BELA);
    assert_eq!(
        (next.state.stage, next.rating_changes),
        (Stage::Playing, [None, None])
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
    let rematch = Action::Rematch;
    club.receive(flag, ANNA, &rematch);
    assert_eq!(club.error(ANNA), "over");
    let over = club.room(ANNA);
    assert_eq!(over.state.outcome, won(Seat::Second, Termination::Time));
    assert!(over.rating_changes[0].unwrap() < 0);
    assert_eq!(club.club.statistics().games, 1);
    club.receive(flag, ANNA, &rematch);
    club.receive(flag, BELA, &rematch);
    assert_eq!(club.room(ANNA).state.stage, Stage::Playing);
}

#[test]
fn rooms_that_nobody_visits_expire() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let limits = Limits::default();
    let mut club = Tester::open(&path, limits);
    club.begin(START, MINUTE);
    club.say(BELA, &Action::Resign);
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
fn wait_in_the_lobby(club: &mut Tester) -> RoomId {
    club.arrive(START, ANNA);
    club.arrive(START, BELA);
    club.say(ANNA, &create(unrated()));
    club.say(ANNA, &ClubRequest::Leave);
    club.own_room(ANNA).state.room
}

#[test]
fn players_are_sent_their_rooms_wherever_they_are() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    club.tick(START + ms(1000));
    assert_eq!(club.lobby(ANNA).open[0].room, room);
    assert_eq!(club.lobby(BELA).open[0].room, room);
    let own = |club: &Tester, visitor| {
        let own = club.own_room(visitor);
        (own.state.stage, own.seat, own.state.actor)
    };
    let (first, second) = (Some(Seat::First), Some(Seat::Second));
    assert_eq!(own(&club, ANNA), (Stage::Waiting, Seat::First, None));
    // Béla comes, and Anna makes her move and goes again.
    club.say(BELA, &enter(room));
    club.say(BELA, &ClubRequest::Sit);
    assert_eq!(own(&club, ANNA), (Stage::Playing, Seat::First, first));
    assert_eq!(own(&club, BELA), (Stage::Playing, Seat::Second, first));
    club.say(ANNA, &enter(room));
    club.say(ANNA, &play("h8", 0));
    club.say(ANNA, &ClubRequest::Leave);
    assert_eq!(own(&club, ANNA), (Stage::Playing, Seat::First, second));
    club.say(BELA, &play("i9", 1));
    assert_eq!(own(&club, ANNA), (Stage::Playing, Seat::First, first));
    let told = club.letters.len();
    club.say(BELA, &Action::OfferDraw);
    let is_wish = |it: &ClubMessage| matches!(it, ClubMessage::YourRoom(own) if own.state.draw_offer == second);
    assert!(
        club.since(told, ANNA).any(is_wish),
        "a wish finds its player"
    );
    club.say(BELA, &Action::Resign);
    assert_eq!(own(&club, ANNA), (Stage::Over, Seat::First, None));
}

#[test]
fn a_free_seat_is_taken_on_entering() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    let enter = enter_and_sit(room);
    club.say(BELA, &enter);
    assert_eq!(club.room(BELA).state.stage, Stage::Playing);
    // A player who comes too late watches.
    let carl = VisitorId(3);
    club.arrive(START, carl);
    club.say(carl, &enter);
    assert_eq!(club.error(carl), "seated");
    assert_eq!(club.seat(carl), None);
    assert_eq!(club.room(carl).watchers, 1, "players do not watch");
    // A number that is none is no room's.
    let (room, sit) = ("deadbeef".to_owned(), false);
    club.say(carl, &ClubRequest::Enter { room, sit });
    assert_eq!(club.error(carl), "no_room");
    let tournament = "deadbeef".to_owned();
    club.say(carl, &TournamentMessage::OpenTournament { tournament });
    assert_eq!(club.error(carl), "no_tournament");
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
    assert_eq!(club.welcome(ANNA).rooms[0].state.room, room);
    for visitor in [ANNA, BELA] {
        club.receive(later, visitor, &enter(room));
    }
    club.receive(later, BELA, &ClubRequest::Close);
    assert_eq!(club.error(BELA), "watching");
    club.receive(later, ANNA, &ClubRequest::Close);
    for visitor in [ANNA, BELA] {
        assert_eq!(club.closed(visitor), room);
    }
    assert_eq!(club.club.statistics().waiting, 0);
    // A room where a game has begun is not closed.
    let room = wait_in_the_lobby(&mut club);
    club.receive(later, BELA, &enter(room));
    club.receive(later, BELA, &ClubRequest::Sit);
    club.receive(later, BELA, &ClubRequest::Close);
    assert_eq!(club.error(BELA), "seated");
}

/// Béla wants another game and goes to the lobby before Anna agrees.
#[test]
fn the_clock_of_a_rematch_waits_for_whoever_is_away() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = club.begin(START, MINUTE);
    club.say(BELA, &Action::Resign);
    club.say(BELA, &Action::Rematch);
    club.say(BELA, &ClubRequest::Leave);
    club.say(ANNA, &Action::Rematch);
    let state = club.room(ANNA);
    assert_eq!(
        (state.games, state.state.actor, state.runs),
        (2, Some(Seat::First), false)
    );
    assert_eq!(club.seat(ANNA), Some(Seat::Second));
    let later = START + ms(10_000);
    club.tick(later);
    club.receive(later, BELA, &enter(room));
    club.tick(later + ms(50));
    let state = club.room(BELA);
    assert_eq!((state.runs, state.clock[0].main), (true, 60_000));
}

/// A visitor could once sit down in it, and a game began.
#[test]
fn a_room_that_waits_is_closed_by_whoever_runs_the_club() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let room = wait_in_the_lobby(&mut club);
    let ended = club.club.end_room(START, room);
    assert_eq!(ended, Ok(Stage::Waiting));
    club.settle();
    assert_eq!(club.closed(ANNA), room);
    assert!(club.club.end_room(START, room).is_err());
    club.say(BELA, &enter_and_sit(room));
    assert_eq!(club.error(BELA), "no_room");
}

#[test]
fn a_copy_of_a_running_club_is_a_club() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    club.say(BELA, &Action::Resign);
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
        for visitor in (1..=3).map(VisitorId) {
            club.arrive(visitor, FROM, Admission::All);
            club.receive(START, visitor, ms(0), &text(&hello(&key_of(visitor))));
        }
        let opening = OpeningRule::ALL[seed as usize % 3];
        let create = ClubRequest::Create(NewRoom::of(setup(opening, MINUTE)));
        for step in 0..200 {
            let now = START + ms(step * 100);
            let ply = random.usize(..12);
            let choose = |choice| Action::Choose { choice, ply };
            let message = match random.u8(..20) {
                0 => text(&create),
                1..3 => text(&enter(RoomId(7))),
                13 => text(&ClubRequest::Close),
                3..5 => text(&ClubRequest::Sit),
                5 => text(&Action::Resign),
                6 => text(&Action::OfferDraw),
                7 => text(&Action::AskUndo),
                8 => text(&Action::Rematch),
                9..12 => text(&choose(Choice::TwoStones)),
                12 => text(&choose(Choice::White)),
                _ => {
                    let point = Point::new(random.usize(..15), random.usize(..15));
                    text(&Action::Play { point, ply })
                }
            };
            let visitor = VisitorId(random.u64(1..4));
            club.receive(now, visitor, ms(0), &message);
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
