//! When clocks begin to run.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{create_with_engine, enter, text, unrated};
use crate::tournament::{Evening, SWISS, visitor};
use crate::{MINUTE, ms, play, setup, won};
use quincunx_club::rooms::{
    Action, ClockRule, ClubMessage, ClubRequest, EngineJob, Limits, MOST_LAG, Stage, VisitorId,
};
use quincunx_engine::engine::{Answer, BestMove};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{OpeningRule, Seat};
use std::time::Duration;
use tempfile::TempDir;

/// The clock once ran from the moment when the opponent's move came, whatever the server did
/// with it meanwhile.
#[test]
fn clocks_wait_until_the_turn_was_sent_to_its_player() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    let room = tester.begin(START, MINUTE);
    let at = |seconds| START + Duration::from_secs(seconds);
    tester
        .club
        .receive(at(1), ANNA, ms(0), &text(&play("h8", 0)));
    let effects = tester.club.take_effects();
    let turn = effects
        .messages
        .iter()
        .find_map(|letter| letter.turn)
        .unwrap();
    assert_eq!(turn.0, room);
    // Anna and a spectator hear of it first: the turn is not theirs.
    tester.club.turn_sent(at(2), ANNA, turn);
    tester.club.turn_sent(at(2), VisitorId(99), turn);
    tester.tick(at(70));
    assert_eq!(tester.room(BELA).state.stage, Stage::Playing);
    tester.club.turn_sent(at(70), BELA, turn);
    tester.receive(at(73), BELA, &play("i9", 1));
    assert_eq!(tester.main_ms(ANNA), [59_000, 57_000]);
    // A player who is gone before they hear of it is not waited for.
    tester
        .club
        .receive(at(74), ANNA, ms(0), &text(&play("j10", 2)));
    tester.club.leave(at(75), BELA);
    tester.tick(at(74 + 58));
    assert_eq!(
        tester.room(ANNA).state.outcome.unwrap().reason,
        Termination::Time
    );
}

/// The time of a machine that slept in mid-game was once charged to the player to move, or had
/// never been: by system.
#[test]
fn a_sleep_of_the_machine_is_charged_to_no_player() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    let room = tester.begin(START, MINUTE);
    let at = |seconds| START + Duration::from_secs(seconds);
    tester.receive(at(1), ANNA, &play("h8", 0));
    tester.club.leave(at(6), BELA);
    tester.tick(at(11));
    let night = Duration::from_secs(8 * 3600);
    tester.club.wake(at(11), night);
    tester.settle();
    let morning = |seconds| at(seconds) + night;
    let enter = enter(room);
    tester.arrive(morning(30), ANNA);
    tester.receive(morning(30), ANNA, &enter);
    tester.tick(morning(31));
    let state = tester.room(ANNA);
    assert_eq!((state.runs, state.clock[1].main), (false, 50_000));
    // Béla was gone for 25 seconds of an evening and a morning.
    tester.receive(morning(31), ANNA, &ClubRequest::Claim);
    assert_eq!(tester.retry_s(ANNA), Some(35));
    tester.arrive(morning(40), BELA);
    tester.receive(morning(40), BELA, &enter);
    tester.tick(morning(40));
    tester.receive(morning(42), BELA, &play("i9", 1));
    assert_eq!(tester.room(ANNA).clock[1].main, 48_000);
    // What ends now is of the new day.
    tester.receive(morning(50), ANNA, &Action::Resign);
    let games = tester.games_of_anna(morning(50));
    assert_eq!(games[0].ended, morning(50).as_secs());
}

/// Where moves could be kept again after a moment, the clock of a player who was away once ran at
/// once.
#[test]
fn a_game_waits_for_its_players_after_clocks_were_stopped() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    tester.tick(START);
    let at = |seconds: u64| START + Duration::from_secs(3600 + seconds);
    tester.begin(at(0), MINUTE);
    tester.receive(at(0), ANNA, &play("h8", 0));
    tester.receive(at(0), BELA, &play("i9", 1));
    tester.club.leave(at(1), ANNA);
    tester.club.stop_clocks(at(2));
    for (seconds, runs) in [(3, false), (61, false), (62, true)] {
        tester.tick(at(seconds));
        assert_eq!(tester.room(BELA).runs, runs);
    }
}

/// Who lost the connection while nothing could be kept was let in by no try, and had lost as soon
/// as moves could be kept again.
#[test]
fn no_player_is_gone_where_none_can_come() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    tester.tick(START);
    let at = |seconds: u64| START + Duration::from_secs(3600 + seconds);
    tester.begin(at(0), MINUTE);
    tester.receive(at(0), ANNA, &play("h8", 0));
    tester.receive(at(0), BELA, &play("i9", 1));
    for seconds in 1..120 {
        tester.club.stop_clocks(at(seconds));
        if seconds == 10 {
            tester.club.leave(at(seconds), BELA);
        }
    }
    tester.tick(at(120));
    tester.receive(at(120), ANNA, &ClubRequest::Claim);
    assert_eq!(tester.retry_s(ANNA), Some(60));
    assert_eq!(tester.room(ANNA).state.stage, Stage::Playing);
}

/// The clock of a player whose page had to connect anew once ran at once.
#[test]
fn a_player_who_was_there_before_a_sleep_is_waited_for() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    let room = tester.begin(START, MINUTE);
    let at = |seconds| START + Duration::from_secs(seconds);
    tester.receive(at(1), ANNA, &play("h8", 0));
    tester.tick(at(11));
    let night = Duration::from_secs(8 * 3600);
    tester.club.wake(at(11), night);
    tester.tick(at(11) + night);
    tester.arrive(at(30) + night, ANNA);
    tester.receive(at(30) + night, ANNA, &enter(room));
    let state = tester.room(ANNA);
    assert_eq!((state.runs, state.clock[1].main), (false, 50_000));
    // The minute until the win may be claimed begins after the time to come back.
    let claim = ClubRequest::Claim;
    tester.receive(at(30) + night, ANNA, &claim);
    assert_eq!(tester.retry_s(ANNA), Some(60));
    tester.receive(at(100) + night, ANNA, &claim);
    assert_eq!(tester.retry_s(ANNA), Some(31));
}

/// After a sleep, or a restart, the clock of a player once ran where the other came back first,
/// and moved.
#[test]
fn a_player_who_is_not_back_yet_is_waited_for() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    let room = tester.begin(START, MINUTE);
    tester.club.wake(START, Duration::from_secs(8 * 3600));
    let at = |seconds: u64| START + Duration::from_secs(8 * 3600 + seconds);
    let enter = enter(room);
    tester.arrive(at(10), ANNA);
    tester.receive(at(10), ANNA, &enter);
    tester.tick(at(10));
    tester.receive(at(11), ANNA, &play("h8", 0));
    tester.tick(at(30));
    assert!(!tester.room(ANNA).runs);
    tester.arrive(at(50), BELA);
    tester.receive(at(50), BELA, &enter);
    tester.tick(at(50));
    tester.receive(at(52), BELA, &play("i9", 1));
    assert_eq!(tester.main_ms(ANNA), [59_000, 58_000]);
    // Later the clock of a player who is away runs on.
    tester.club.leave(at(53), BELA);
    tester.receive(at(70), ANNA, &play("j10", 2));
    assert!(tester.room(ANNA).runs);
}

/// A turn that began near the end of the grace period once got a whole one of its own, the first
/// turn of the second player as well.
#[test]
fn a_game_waits_for_its_players_once_after_a_sleep() {
    for played in [0, 2] {
        let folder = TempDir::new().unwrap();
        let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
        let room = tester.begin(START, MINUTE);
        let moves = [(ANNA, "h8"), (BELA, "i9"), (ANNA, "j10")];
        for (ply, (player, point)) in moves.into_iter().enumerate().take(played) {
            tester.say(player, &play(point, ply));
        }
        tester.club.wake(START, Duration::from_secs(8 * 3600));
        let at = |seconds: u64| START + Duration::from_secs(8 * 3600 + seconds);
        tester.arrive(at(10), ANNA);
        tester.receive(at(10), ANNA, &enter(room));
        tester.tick(at(10));
        tester.receive(at(55), ANNA, &play(moves[played].1, played));
        tester.tick(at(59));
        assert!(!tester.room(ANNA).runs);
        tester.tick(at(60));
        assert!(tester.room(ANNA).runs);
    }
}

/// A player who had come first and gone elsewhere once heard nothing of the game that began.
#[test]
fn players_are_sent_that_both_have_come() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::begin(&folder.path().join("club"), 2, SWISS);
    let (first, second, room) = evening.tables()[0];
    let room = room.unwrap();
    evening.enter(first, room);
    evening.look(first);
    let told = evening.club.letters.len();
    evening.enter(second, room);
    let is_call =
        |it: &ClubMessage| matches!(it, ClubMessage::YourRoom(own) if own.state.room == room);
    assert!(evening.club.since(told, visitor(first)).any(is_call));
    // That is told once.
    let told = evening.club.letters.len();
    evening.enter(second, room);
    assert!(!evening.club.since(told, visitor(first)).any(is_call));
}

/// A player whose move had to wait, behind messages that took the server long, once had the other
/// charged for it: one who had left the room meanwhile, or the engine.
#[test]
fn a_move_that_waits_is_charged_to_no_player() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    tester.tick(START);
    let at = |seconds: u64| START + Duration::from_secs(3600 + seconds);
    let room = tester.begin(at(0), MINUTE);
    tester.receive(at(1), ANNA, &play("h8", 0));
    tester.receive(at(2), BELA, &play("i9", 1));
    tester.receive(at(3), BELA, &ClubRequest::Leave);
    tester.tick(at(32));
    tester.receive(at(12), ANNA, &play("j10", 2));
    tester.receive(at(33), BELA, &enter(room));
    assert_eq!(tester.main_ms(BELA), [49_000, 58_000]);
    let create = create_with_engine(unrated(), 50);
    tester.receive(at(33), ANNA, &create);
    let room = tester.room(ANNA).state.room;
    tester.tick(at(63));
    tester.receive(at(43), ANNA, &play("h8", 0));
    tester.receive(at(64), ANNA, &enter(room));
    assert_eq!(
        tester.main_ms(ANNA),
        [50_000, 60_000],
        "the turn of the engine begins with its search"
    );
}

/// The same where the connection of the other broke before they were told.
#[test]
fn a_delayed_move_is_not_charged_before_it_is_sent() {
    let folder = TempDir::new().unwrap();
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    tester.tick(START);
    let at = |seconds: u64| START + Duration::from_secs(3600 + seconds);
    let room = tester.begin(at(0), MINUTE);
    tester.receive(at(1), ANNA, &play("h8", 0));
    tester.receive(at(2), BELA, &play("i9", 1));
    tester.tick(at(32));
    let late = text(&play("j10", 2));
    tester.club.receive(at(12), ANNA, Duration::ZERO, &late);
    tester.club.leave(at(32), BELA);
    tester.arrive(at(33), BELA);
    tester.receive(at(33), BELA, &enter(room));
    assert_eq!(tester.room(BELA).clock[1].main, 58_000);
}

/// The search that the engine asks for after Anna's first move.
fn engine_job(tester: &mut Tester, clock: ClockRule) -> EngineJob {
    tester.arrive(START, ANNA);
    let create = create_with_engine(setup(OpeningRule::Free, clock), 100);
    tester.say(ANNA, &create);
    let message = text(&play("h8", 0));
    tester.club.receive(START, ANNA, ms(0), &message);
    let effects = tester.club.take_effects();
    tester.store.commit(&effects.writes).unwrap();
    assert!(
        effects.messages.iter().all(|letter| letter.turn.is_none()),
        "the turn of the engine does not begin with a message"
    );
    effects.jobs[0].clone()
}

/// Five games at once once let the engine lose on time, with a clock of one second.
#[test]
fn the_engine_is_charged_for_its_searches_alone() {
    let folder = TempDir::new().unwrap();
    let second = ClockRule::SuddenDeath { main_ms: 1000 };
    let mut tester = Tester::open(&folder.path().join("club.db"), Limits::default());
    let job = engine_job(&mut tester, second);
    let limit = job.options.timeout_turn.unwrap();
    assert!(limit <= ms(50), "{limit:?}");
    // Others are searched first, the server restarts, and then the search has to wait for the
    // processor.
    tester.store.heartbeat(START + ms(8000)).unwrap();
    tester = {
        drop(std::mem::replace(&mut tester, Tester::nowhere()));
        Tester::open(&folder.path().join("club.db"), Limits::default())
    };
    tester.club.tick(START + ms(8500));
    let job = tester.club.take_effects().jobs[0].clone();
    tester.arrive(START + ms(8500), ANNA);
    tester.receive(START + ms(8500), ANNA, &enter(job.room));
    tester.tick(START + ms(9000));
    tester
        .club
        .begin_turn(START + ms(9000), (job.room, job.turn));
    tester.tick(START + ms(12_000));
    let answer = Answer::Move(BestMove {
        point: "i9".parse().unwrap(),
        info: None,
        from_book: false,
    });
    let (at, turn) = (START + ms(13_000), (job.room, job.turn));
    let answer = Some((answer, Vec::new()));
    tester.club.receive_answer(at, turn, limit, answer.as_ref());
    tester.settle();
    let shown = tester.room(ANNA);
    assert_eq!(
        (shown.state.stage, shown.board.stones[1].point),
        (Stage::Playing, "i9".parse().unwrap())
    );
    let left = 1000 - limit.as_millis() as u64;
    assert_eq!(shown.clock[1].main, left);
    // The player has the next turn, and a clock.
    tester.tick(at + ms(1000) + MOST_LAG);
    let outcome = &tester.room(ANNA).state.outcome;
    assert_eq!(outcome, &won(Seat::Second, Termination::Time));
}
