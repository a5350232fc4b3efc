//! Correspondence games: days for a move, limits of their own, and no rule of presence.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{
    challenge, create, create_with_engine, decline, enter, profile, quick, rated, rename, text,
};
use crate::{MINUTE, ms, play, won};
use quincunx_club::rooms::{
    Action, ClockRule, ClubMessage, ClubRequest, ClubStore, Limits, NewRoom, RoomId, RoomQuery,
    RoomSetup, SleepingRooms, Stage, VacationView, VisitorId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use quincunx_engine::rules::Rule;
use serde_json::Value;
use std::fs;
use std::net::IpAddr;
use std::time::Duration;
use tempfile::TempDir;

const DAY: Duration = Duration::from_secs(86_400);
const HOUR: Duration = Duration::from_secs(3600);
const THREE_DAYS: ClockRule = ClockRule::Correspondence { days: 3 };

fn rated_with(clock: ClockRule) -> RoomSetup {
    RoomSetup { clock, ..rated() }
}

fn folder() -> TempDir {
    TempDir::new().unwrap()
}

fn open(folder: &TempDir) -> Tester {
    Tester::open(&folder.path().join("club"), Limits::default())
}

/// Both players leave their rooms and the server.
fn both_leave(club: &mut Tester, now: Duration) {
    for visitor in [ANNA, BELA] {
        club.club.leave(now, visitor);
    }
    club.tick(now);
}

/// A player comes, enters the room and plays.
fn visit(club: &mut Tester, now: Duration, visitor: VisitorId, room: RoomId, action: &Action) {
    club.arrive(now, visitor);
    club.receive(now, visitor, &enter(room));
    club.receive(now, visitor, action);
    club.club.leave(now, visitor);
    club.tick(now);
}

#[test]
fn a_game_goes_on_for_days_without_its_players() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    both_leave(&mut club, START);
    assert_eq!(club.club.statistics().awake, 0, "nobody is in the room");
    visit(&mut club, START + 2 * DAY, ANNA, room, &play("h8", 0));
    visit(&mut club, START + 4 * DAY, BELA, room, &play("i9", 1));
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    let now = START + 5 * DAY;
    club.tick(now);
    assert_eq!(club.club.statistics().awake, 0);
    club.arrive(now, ANNA);
    assert_eq!(club.your_turns(ANNA), (1, Some(room)));
    assert_eq!(club.welcome(ANNA).rooms, []);
    club.receive(now, ANNA, &ClubRequest::Correspondence);
    let game = &club.correspondence(ANNA)[0];
    let state = &game.own.state;
    assert_eq!((state.room, &*game.moves), (room, "h8i9"));
    assert_eq!(
        (state.actor, game.own.seat),
        (Some(Seat::First), Seat::First)
    );
    assert_eq!(game.left_ms, Some(2 * 86_400_000 + 150));
    club.receive(now, ANNA, &enter(room));
    let view = club.room(ANNA);
    assert_eq!((view.runs, view.gone_ms), (true, [None, None]));
    assert_eq!(club.main_ms(ANNA), [2 * 86_400_000, 3 * 86_400_000]);
    // Béla has been away for a day, which is nothing to claim.
    club.receive(now, ANNA, &ClubRequest::Claim);
    assert_eq!(club.error(ANNA), "not_gone");
    club.receive(now, ANNA, &play("j10", 2));
    assert_eq!(club.your_turns(ANNA).0, 0);
}

#[test]
fn a_flag_falls_within_a_minute_though_nobody_looks() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    club.play_opening(START);
    both_leave(&mut club, START);
    club.tick(START + 3 * DAY - ms(1000));
    club.arrive(START + 3 * DAY, BELA);
    club.tick(START + 3 * DAY + Duration::from_secs(60));
    let own = &club.own_room(BELA).state;
    let lost = won(Seat::Second, Termination::Time);
    assert_eq!((own.room, &own.outcome), (room, &lost));
    // The rating of correspondence games is one of its own.
    club.receive(START + 4 * DAY, BELA, &profile("Béla"));
    let standings = &club.profile(BELA).standings;
    assert_eq!(standings.len(), 1);
    assert!(standings[0].standing.correspondence);
    for (correspondence, rows) in [(false, 0), (true, 2)] {
        let ask = ClubRequest::Ratings {
            rule: Rule::Freestyle.name().to_owned(),
            correspondence,
        };
        club.receive(START + 4 * DAY, BELA, &ask);
        assert_eq!(club.ratings(BELA).len(), rows);
    }
    // The room stays for a while, and goes.
    club.tick(START + 9 * DAY);
    club.receive(START + 9 * DAY, BELA, &enter(room));
    assert_eq!(club.room(BELA).state.stage, Stage::Over);
    club.receive(START + 9 * DAY, BELA, &ClubRequest::Leave);
    club.tick(START + 11 * DAY);
    club.tick(START + 11 * DAY + ms(1000));
    club.receive(START + 11 * DAY, BELA, &enter(room));
    assert_eq!(club.error(BELA), "no_room");
}

/// On vacation no time passes, and a turn that begins then has all of its days afterwards.
#[test]
fn on_vacation_no_time_passes() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    let second = club.begin_in(START, [BELA, ANNA], &create(rated_with(THREE_DAYS)));
    let vacation = |days| ClubRequest::Vacation { days };
    let now = START + DAY;
    for days in [2, 15] {
        club.receive(now, ANNA, &vacation(days));
        assert_eq!(club.error(ANNA), "vacation");
    }
    club.receive(now, BELA, &enter(room));
    club.receive(now, ANNA, &vacation(10));
    let end = now + 10 * DAY;
    let shown = Some(end.as_secs());
    assert_eq!(
        club.vacation(ANNA),
        VacationView {
            until: shown,
            days_left: 4
        }
    );
    // Of the opponent's time nothing is changed.
    let left = |club: &Tester, room| {
        let games = club.correspondence(ANNA);
        let game = games.iter().find(|it| it.own.state.room == room).unwrap();
        game.left_ms.unwrap() / 3_600_000
    };
    assert_eq!((left(&club, room), left(&club, second)), (12 * 24, 2 * 24));
    assert_eq!(club.player(BELA, 0).vacation, shown, "the opponent sees it");
    club.receive(now, ANNA, &vacation(3));
    assert_eq!(club.error(ANNA), "vacation");
    // The other game waits for her from the second day on.
    let later = now + 2 * DAY - HOUR;
    visit(&mut club, later, BELA, second, &play("h8", 0));
    club.store.heartbeat(end).unwrap();
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    let mut club = open(&folder);
    club.tick(end);
    club.arrive(end, ANNA);
    club.receive(end, ANNA, &ClubRequest::Correspondence);
    let over = VacationView {
        until: None,
        days_left: 4,
    };
    assert_eq!(club.vacation(ANNA), over);
    assert_eq!((left(&club, room), left(&club, second)), (2 * 24, 3 * 24));
    // She comes back early from another one.
    club.receive(end, ANNA, &vacation(4));
    let back = end + 3 * DAY + HOUR;
    club.receive(back, ANNA, &vacation(0));
    assert_eq!((left(&club, room), left(&club, second)), (2 * 24, 3 * 24));
    assert_eq!(
        club.vacation(ANNA),
        VacationView {
            until: None,
            days_left: 0
        }
    );
    club.receive(back, ANNA, &vacation(0));
    assert_eq!(club.error(ANNA), "vacation");
    // A vacation is for people with a name.
    let carl = VisitorId(3);
    club.arrive(back, carl);
    club.receive(back, carl, &vacation(5));
    assert_eq!(club.error(carl), "unnamed");
}

/// The heartbeat beside a restored backup is that of the file whose place it has taken: deadlines of
/// the backup once fell at once.
#[test]
fn after_a_restore_no_flag_falls_for_as_long_as_the_backup_is_old() {
    let folder = folder();
    let (path, copy) = (folder.path().join("club"), folder.path().join("copy"));
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    club.play_opening(START);
    club.store.reader().unwrap().back_up(&copy).unwrap();
    let late = START + 2 * DAY;
    club.receive(late, ANNA, &play("d4", 8));
    club.store.heartbeat(START + 10 * DAY).unwrap();
    // The server is killed: the last changes are in the log, which is not that of the backup.
    let log = folder.path().join("club-wal");
    let changes = fs::read(&log).unwrap();
    drop(club);
    fs::rename(&copy, &path).unwrap();
    fs::write(&log, changes).unwrap();
    let error = ClubStore::open(Some(&path)).err().unwrap().to_string();
    assert!(
        error.contains("club-wal belongs to another file"),
        "{error}"
    );
    fs::remove_file(&log).unwrap();
    let mut club = open(&folder);
    let restored = START + 10 * DAY + HOUR;
    for now in [restored, restored + 10 * DAY] {
        club.tick(now);
        club.arrive(now, ANNA);
        club.receive(now, ANNA, &enter(room));
        assert_eq!(club.room(ANNA).state.stage, Stage::Playing);
        club.club.leave(now, ANNA);
    }
    // Later starts have the heartbeat of the restored file.
    let now = restored + 10 * DAY + 2 * HOUR;
    club.store.heartbeat(now).unwrap();
    drop(club);
    let mut club = open(&folder);
    club.tick(now);
    club.arrive(now, ANNA);
    club.receive(now, ANNA, &enter(room));
    let lost = won(Seat::Second, Termination::Time);
    assert_eq!(club.room(ANNA).state.outcome, lost);
}

/// A deadline in the outage, and one as long after it as it took.
#[test]
fn after_an_outage_no_flag_falls_for_as_long_as_it_took() {
    for (down_at, up_at, falls_at) in [
        (3 * DAY - HOUR, 3 * DAY + 9 * HOUR, 3 * DAY + 19 * HOUR),
        (3 * DAY - 12 * HOUR, 3 * DAY - 2 * HOUR, 3 * DAY + 8 * HOUR),
        (DAY, DAY + HOUR, 3 * DAY),
    ] {
        let folder = folder();
        let mut club = open(&folder);
        let room = club.begin(START, THREE_DAYS);
        both_leave(&mut club, START);
        club.tick(START + down_at);
        club.store.heartbeat(START + down_at).unwrap();
        drop(std::mem::replace(&mut club, Tester::nowhere()));
        club = open(&folder);
        club.tick(START + up_at);
        club.tick(START + falls_at - ms(1000));
        club.arrive(START + falls_at, BELA);
        club.receive(START + falls_at, BELA, &enter(room));
        assert_eq!(club.room(BELA).state.stage, Stage::Playing);
        club.tick(START + falls_at + Duration::from_secs(2));
        assert_eq!(club.room(BELA).state.stage, Stage::Over);
    }
}

#[test]
fn a_clock_that_was_set_back_changes_no_time_left() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    // A live room has times of its own, which are not stored again before it changes.
    club.receive(START + DAY, ANNA, &create(rated()));
    both_leave(&mut club, START + DAY);
    club.store.heartbeat(START + DAY).unwrap();
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    // A year earlier, and again after another end of the server.
    const MINUTES: Duration = Duration::from_secs(300);
    let back = START - 365 * DAY;
    for now in [back, back + MINUTES] {
        club = Tester::open_at(&folder.path().join("club"), Limits::default(), now);
        club.tick(now);
        club.tick(now + MINUTES);
        club.store.heartbeat(now + MINUTES).unwrap();
        drop(std::mem::replace(&mut club, Tester::nowhere()));
    }
    let now = back + 2 * MINUTES;
    club = Tester::open_at(&folder.path().join("club"), Limits::default(), now);
    club.tick(now);
    club.arrive(now, ANNA);
    club.receive(now, ANNA, &enter(room));
    assert_eq!(
        club.main_ms(ANNA)[0],
        (2 * DAY - 2 * MINUTES).as_millis() as u64
    );
}

/// Rooms in use stay, and a batch of them once kept all flags up.
#[test]
fn rooms_in_use_hold_back_no_flag() {
    let folder = folder();
    let mut club = open(&folder);
    let two_weeks = ClockRule::Correspondence { days: 14 };
    let room = club.begin(START, two_weeks);
    club.play_opening(START);
    both_leave(&mut club, START);
    let with_engine = create_with_engine(rated_with(THREE_DAYS), 50);
    let visitors = || (0..101).map(|number| VisitorId(10 + number));
    for (visitor, number) in visitors().zip(0..) {
        club.arrive_at(START, visitor, IpAddr::from([10, 0, 0, number]));
        club.receive(START, visitor, &rename(&format!("Person {number}")));
        club.receive(START, visitor, &with_engine);
        club.receive(START, visitor, &Action::Abort);
        assert_eq!(club.room(visitor).state.stage, Stage::Over);
    }
    for hours in 0..=14 * 24 {
        club.tick(START + HOUR * hours);
    }
    club.arrive(START + 14 * DAY + HOUR, BELA);
    club.tick(START + 14 * DAY + HOUR);
    let own = &club.own_room(BELA).state;
    assert_eq!((own.room, own.stage), (room, Stage::Over));
    // They close a week after they were used last.
    assert_eq!(club.club.statistics().awake, 101);
    let now = START + 14 * DAY + HOUR;
    visitors().for_each(|visitor| club.club.leave(now, visitor));
    club.tick(now);
    assert_eq!(club.club.statistics().awake, 0);
    let count = |club: &Tester| {
        let rooms = club.store.reader().unwrap();
        rooms.find(RoomQuery::Due(Duration::MAX), usize::MAX).len()
    };
    assert_eq!(count(&club), 102);
    club.tick(now + 8 * DAY);
    club.tick(now + 8 * DAY + ms(1000));
    assert_eq!(count(&club), 0);
}

#[test]
fn of_ten_thousand_challenges_ten_are_open() {
    const CHALLENGES: u64 = 10_000;
    let folder = folder();
    let mut club = open(&folder);
    club.arrive_as(START, ANNA, "Anna");
    let others: Vec<String> = (0..20).map(|number| format!("Person {number}")).collect();
    for (visitor, name) in (10..).map(VisitorId).zip(&others) {
        club.arrive_as(START, visitor, name);
        assert_eq!(club.error_since(0, visitor), None);
    }
    for (number, name) in (0..CHALLENGES).zip(others.iter().cycle()) {
        let now = START + ms(10) * number as u32;
        club.receive(now, ANNA, &challenge(rated_with(THREE_DAYS), name));
        club.letters.retain(|(visitor, _)| *visitor != ANNA);
    }
    let sent: usize = (10..30).map(|id| club.challenges(VisitorId(id))).sum();
    assert_eq!(sent, 10);
    let now = START + HOUR;
    club.receive(now, ANNA, &ClubRequest::Correspondence);
    assert_eq!(club.correspondence(ANNA).len(), 10);
    // A live challenge and a live game are not refused.
    club.receive(now, ANNA, &challenge(rated(), "Person 15"));
    assert_eq!(club.challenge(VisitorId(25)).setup, rated());
    club.receive(now, ANNA, &quick(rated()));
    assert_eq!(club.room(ANNA).state.setup, rated());
}

#[test]
fn live_and_correspondence_games_have_limits_of_their_own() {
    let folder = folder();
    let mut club = open(&folder);
    club.arrive(START, ANNA);
    club.receive(START, ANNA, &create(rated_with(THREE_DAYS)));
    assert_eq!(club.error(ANNA), "unnamed");
    club.receive(START, ANNA, &rename("Anna"));
    for _ in 0..10 {
        club.receive(START, ANNA, &create(rated_with(THREE_DAYS)));
    }
    let errors = |club: &Tester| club.count(0, ANNA, |it| matches!(it, ClubMessage::Error { .. }));
    assert_eq!(errors(&club), 1);
    club.receive(START, ANNA, &create(rated_with(THREE_DAYS)));
    assert_eq!(club.error(ANNA), "too_many_of_yours");
    // All live seats are free.
    for _ in 0..Limits::default().rooms_of_one {
        club.receive(START, ANNA, &create(rated_with(MINUTE)));
    }
    assert_eq!(errors(&club), 2);
    club.receive(START, ANNA, &create(rated_with(MINUTE)));
    assert_eq!(errors(&club), 3);
    // Games with the engine are no open rooms.
    let with_engine = ClubRequest::Create(NewRoom {
        engine: Some(1),
        ..NewRoom::of(rated_with(THREE_DAYS))
    });
    let hour_later = |hours: u32| START + HOUR * hours;
    for game in 0..90 {
        club.receive(hour_later(game), ANNA, &with_engine);
    }
    assert_eq!(errors(&club), 3);
    club.receive(hour_later(90), ANNA, &with_engine);
    assert_eq!(errors(&club), 4);
    assert_eq!(club.error(ANNA), "too_many_of_yours");
}

#[test]
fn open_rooms_are_listed_and_challenges_sent_while_their_player_is_away() {
    let folder = folder();
    let mut club = open(&folder);
    club.arrive_as(START, BELA, "Béla");
    club.arrive_as(START, ANNA, "Anna");
    club.receive(START, ANNA, &create(rated_with(THREE_DAYS)));
    let open_room = club.room(ANNA).state.room;
    club.receive(START, ANNA, &challenge(rated_with(THREE_DAYS), "Béla"));
    let challenged = club.room(ANNA).state.room;
    assert_eq!(club.challenge(BELA).room, challenged);
    both_leave(&mut club, START);
    assert_eq!(club.club.statistics().awake, 0);
    let now = START + DAY;
    club.tick(now);
    club.letters.clear();
    club.arrive(now, BELA);
    assert_eq!(club.challenge(BELA).room, challenged);
    club.tick(now + ms(2000));
    let lobby = club.lobby(BELA);
    assert_eq!(lobby.open[0].room, open_room);
    assert_eq!(lobby.open.len(), 1);
    assert_eq!(lobby.live, []);
    club.receive(now, BELA, &decline(challenged));
    assert_eq!(club.closed(BELA), challenged);
    club.receive(now, BELA, &quick(rated_with(THREE_DAYS)));
    let state = &club.room(BELA).state;
    assert_eq!((state.room, state.stage), (open_room, Stage::Playing));
    // Two weeks later an open room is closed.
    club.receive(now, BELA, &create(rated_with(THREE_DAYS)));
    let room = club.room(BELA).state.room;
    club.club.leave(now, BELA);
    club.tick(now + 15 * DAY);
    club.arrive(now + 15 * DAY, BELA);
    club.receive(now + 15 * DAY, BELA, &enter(room));
    assert_eq!(club.error(BELA), "no_room");
}

#[test]
fn the_engine_moves_in_a_game_that_sleeps() {
    let folder = folder();
    let mut club = open(&folder);
    club.arrive_as(START, ANNA, "Anna");
    let create = create_with_engine(rated_with(THREE_DAYS), 50);
    club.receive(START, ANNA, &create);
    club.receive(START, ANNA, &play("h8", 0));
    assert_eq!(club.jobs.len(), 1);
    club.club.leave(START, ANNA);
    club.tick(START);
    assert_eq!(club.club.statistics().awake, 1, "the search is not over");
    // The end of the program in the middle of the search.
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    club.tick(START + HOUR);
    let job = club.jobs.remove(0);
    club.club
        .receive_answer(START + HOUR, (job.room, job.turn), ms(10), None);
    club.settle();
    assert_eq!((club.club.statistics().awake, club.jobs.len()), (0, 0));
}

/// A kill loses the moves that are not stored, which no player was sent.
#[test]
fn a_game_goes_on_from_its_last_stored_move_after_a_kill() {
    let folder = folder();
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    club.receive(START, ANNA, &play("h8", 0));
    both_leave(&mut club, START);
    let now = START + DAY;
    let enter = enter(room);
    club.arrive(now, BELA);
    club.receive(now, BELA, &enter);
    club.club.receive(now, BELA, ms(0), &text(&play("i9", 1)));
    let unstored = club.club.take_effects();
    assert!(!unstored.writes.is_empty());
    club.club.leave(now, BELA);
    club.club.stored(unstored.number - 1);
    assert_eq!(
        club.club.statistics().awake,
        1,
        "its last write is not stored"
    );
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    club.tick(now);
    club.arrive(now, BELA);
    assert_eq!(club.your_turns(BELA).0, 1);
    club.receive(now, BELA, &enter);
    assert_eq!(club.room(BELA).board.stones.len(), 1);
    club.receive(now, BELA, &play("i9", 1));
    assert_eq!(club.room(BELA).board.stones.len(), 2);
    club.club.leave(now, BELA);
    club.tick(now);
    assert_eq!(club.club.statistics().awake, 0);
}

/// A game of two people who are away is closed to analysis once one of them has been here.
#[test]
fn positions_of_games_that_sleep_are_not_analysed() {
    let folder = folder();
    let mut club = open(&folder);
    club.begin(START, THREE_DAYS);
    club.play_opening(START);
    for (ply, point) in [(8, "e5"), (9, "e11")] {
        club.receive(START, [ANNA, BELA][ply % 2], &play(point, ply));
    }
    both_leave(&mut club, START);
    let running = club.club.running_games();
    assert_ne!(running, Default::default());
    drop(std::mem::replace(&mut club, Tester::nowhere()));
    club = open(&folder);
    club.tick(START + DAY);
    club.arrive(START + DAY, BELA);
    assert_eq!(club.club.running_games(), running);
}

/// The time of the club with 50,000 games that sleep.
#[test]
#[ignore = "measures times and needs a quiet machine"]
fn fifty_thousand_games_that_sleep_cost_little() {
    const GAMES: u64 = 50_000;
    let folder = folder();
    let path = folder.path().join("club");
    let mut club = open(&folder);
    let room = club.begin(START, THREE_DAYS);
    club.play_opening(START);
    both_leave(&mut club, START);
    club.store.heartbeat(START).unwrap();
    drop(club);
    let connection = rusqlite::Connection::open(&path).unwrap();
    let state: String = connection
        .query_row("SELECT state FROM rooms", [], |row| row.get(0))
        .unwrap();
    let seats = serde_json::from_str::<Value>(&state).unwrap()["room"]["seats"].clone();
    let people = [0, 1].map(|seat| seats[seat]["person"].as_str().unwrap().to_owned());
    connection.execute_batch("BEGIN").unwrap();
    for number in 1..GAMES {
        // A hundred are Anna's, and as many more of hers are over as an address opens in a week.
        let state = match number {
            100..16_900 => state
                .replace("\"stage\":\"playing\"", "\"stage\":\"over\"")
                .replace(&format!("\"actor\":\"{}\"", people[0]), "\"actor\":null"),
            _ => state.clone(),
        };
        let stranger = format!("{number:064x}");
        let state = state.replace(&people[1], &format!("{:064x}", GAMES + number));
        let state = match number < 16_900 {
            true => state,
            false => state.replace(&people[0], &stranger),
        };
        // Numbers that the club has not drawn.
        let parameters = (format!("{:016x}", u64::MAX - number), state);
        let insert = "INSERT INTO rooms (room, state) VALUES (?1, ?2)";
        connection.execute(insert, parameters).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
    drop(connection);
    let memory = || {
        let status = std::fs::read_to_string("/proc/self/statm").unwrap();
        status.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4 / 1024
    };
    let before = memory();
    let mut slow = Vec::new();
    let mut timed = |name, most: Duration, club: &mut Tester, act: &dyn Fn(&mut Tester)| {
        let began = std::time::Instant::now();
        act(club);
        let took = began.elapsed();
        println!("{name}: {took:?}");
        slow.extend((took >= most).then_some(name));
    };
    let mut club = Tester::nowhere();
    timed("start", ms(1000), &mut club, &|club| *club = open(&folder));
    timed("tick", ms(50), &mut club, &|club| club.tick(START + HOUR));
    timed("hello and lobby", ms(50), &mut club, &|club| {
        club.arrive(START + HOUR, ANNA)
    });
    timed("profile", ms(50), &mut club, &|club| {
        _ = club.games_of_anna(START + HOUR)
    });
    timed("own games", ms(50), &mut club, &|club| {
        club.receive(START + HOUR, ANNA, &ClubRequest::Correspondence)
    });
    assert_eq!(club.correspondence(ANNA).len(), 100);
    timed("enter and play", ms(50), &mut club, &|club| {
        let enter = enter(room);
        club.receive(START + HOUR, ANNA, &enter);
        club.receive(START + HOUR, ANNA, &play("e5", 8));
    });
    println!("memory: {} MiB more", memory() - before);
    assert!(memory() - before < 50);
    assert!(slow.is_empty(), "{slow:?}");
}
