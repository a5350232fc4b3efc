//! Rooms by their public interface: games of two people, and random messages beside a
//! slow model.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod capacity;
mod clocks;
mod club;
mod conditional;
mod contacts;
mod corrections;
mod correspondence;
mod correspondence_tournament;
mod fair_play;
mod fairness;
mod limits;
mod lobby;
mod matchmaking;
mod messages;
mod model;
mod names;
mod offers;
mod openings;
mod organiser;
mod pairing_requests;
mod presence;
mod questions;
mod rated;
mod season;
mod sleeping;
mod store;
mod swiss_standings;
mod tournament;

use fastrand::Rng;
use model::{Model, STEP};
use quincunx_club::rooms::{
    Action, ClockRule, MOST_LAG, Occupant, Outcome, PersonId, Room, RoomError, RoomSetup, Stage,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{Choice, OpeningRule, Seat};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::time::Duration;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn person(number: u8) -> Occupant {
    Occupant::Person(PersonId([number; 32]))
}

fn setup(opening: OpeningRule, clock: ClockRule) -> RoomSetup {
    RoomSetup {
        rule: Rule::Freestyle,
        size: BoardSize::square(15).unwrap(),
        opening,
        clock,
        rated: false,
    }
}

const MINUTE: ClockRule = ClockRule::SuddenDeath { main_ms: 60_000 };

/// A room where two people sit down at time zero.
fn begun(setup: RoomSetup) -> Room {
    let mut room = Room::new(setup.check().unwrap());
    room.sit(ms(0), Seat::First, person(1)).unwrap();
    room.sit(ms(0), Seat::Second, person(2)).unwrap();
    room
}

fn play(point: &str, ply: usize) -> Action {
    Action::Play {
        point: point.parse().unwrap(),
        ply,
    }
}

fn won(winner: Seat, reason: Termination) -> Option<Outcome> {
    Some(Outcome {
        winner: Some(winner),
        reason,
    })
}

#[test]
fn a_game_begins_when_both_sit() {
    let mut room = Room::new(setup(OpeningRule::Free, MINUTE));
    let act = |room: &mut Room, seat| room.act(ms(1), seat, play("h8", 0), ms(0));
    assert_eq!(act(&mut room, Seat::First), Err(RoomError::NotBegun));
    room.sit(ms(0), Seat::Second, person(1)).unwrap();
    assert_eq!(room.stage(), Stage::Waiting);
    assert_eq!(
        room.sit(ms(0), Seat::First, person(1)),
        Err(RoomError::OwnGame)
    );
    assert_eq!(
        room.sit(ms(0), Seat::Second, person(2)),
        Err(RoomError::Seated)
    );
    room.sit(ms(0), Seat::First, person(2)).unwrap();
    assert_eq!(room.stage(), Stage::Playing);
    assert_eq!(room.seat_of(PersonId([1; 32])), Some(Seat::Second));
    assert_eq!(act(&mut room, Seat::Second), Err(RoomError::NotYourTurn));
    assert_eq!(act(&mut room, Seat::First), Ok(()));
    assert_eq!(act(&mut room, Seat::Second), Err(RoomError::Stale));
}

#[test]
fn forbidden_points_are_refused_and_the_clock_goes_on() {
    let renju = RoomSetup {
        rule: Rule::Renju,
        ..setup(OpeningRule::Free, MINUTE)
    };
    let mut room = begun(renju);
    let moves = ["h7", "a1", "h6", "a15", "g8", "o1", "f8", "o15"];
    for (ply, point) in moves.into_iter().enumerate() {
        let seat = [Seat::First, Seat::Second][ply % 2];
        room.act(ms(0), seat, play(point, ply), ms(0)).unwrap();
    }
    let refused = room.act(ms(5000), Seat::First, play("h8", 8), ms(0));
    assert_eq!(refused.unwrap_err().code(), "forbidden");
    let taken = room.act(ms(5000), Seat::First, play("h7", 8), ms(0));
    assert_eq!(taken.unwrap_err().code(), "taken");
    assert_eq!(room.time_left(Seat::First, ms(5000)).main, ms(55_000));
}

#[test]
fn swap2_shares_out_the_colours() {
    let mut room = begun(setup(OpeningRule::Swap2, MINUTE));
    for (ply, point) in ["h8", "i9", "g7"].into_iter().enumerate() {
        assert_eq!(room.actor(), Some(Seat::First));
        room.act(ms(0), Seat::First, play(point, ply), ms(0))
            .unwrap();
    }
    assert_eq!(room.actor(), Some(Seat::Second));
    let stone = room.act(ms(0), Seat::Second, play("a1", 3), ms(0));
    assert_eq!(stone, Err(RoomError::Opens));
    let choose = |choice, ply| Action::Choose { choice, ply };
    room.act(ms(0), Seat::Second, choose(Choice::TwoStones, 3), ms(0))
        .unwrap();
    for (ply, point) in [(3, "a1"), (4, "b1")] {
        room.act(ms(0), Seat::Second, play(point, ply), ms(0))
            .unwrap();
    }
    room.act(ms(0), Seat::First, choose(Choice::White, 5), ms(0))
        .unwrap();
    assert_eq!(room.black(), Some(Seat::Second));
    // White is to move.
    assert_eq!(room.actor(), Some(Seat::First));
}

/// Who puts the three stones of an opening once earned three increments.
#[test]
fn stones_of_an_opening_earn_no_increment() {
    let clock = ClockRule::Increment {
        main_ms: 60_000,
        increment_ms: 5000,
    };
    let mut room = begun(setup(OpeningRule::Swap2, clock));
    for (ply, point) in ["h8", "i9", "g7"].into_iter().enumerate() {
        let action = play(point, ply);
        room.act(ms(1000), Seat::First, action, ms(0)).unwrap();
    }
    let choose = Action::Choose {
        choice: Choice::White,
        ply: 3,
    };
    room.act(ms(3000), Seat::Second, choose, ms(0)).unwrap();
    let left = |room: &Room, seat| room.time_left(seat, ms(3000)).main;
    assert_eq!(left(&room, Seat::First), ms(59_000));
    assert_eq!(left(&room, Seat::Second), ms(58_000));
    // The game begins, and moves earn.
    let mover = room.actor().unwrap();
    room.act(ms(3000), mover, play("a1", 3), ms(0)).unwrap();
    let before = if mover == Seat::First { 59_000 } else { 58_000 };
    assert_eq!(left(&room, mover), ms(before + 5000));
}

/// The time that the server takes to keep a move is charged to neither player.
#[test]
fn a_turn_begins_when_it_is_sent_to_its_player() {
    let mut room = begun(setup(OpeningRule::Free, MINUTE));
    room.act(ms(1000), Seat::First, play("h8", 0), ms(0))
        .unwrap();
    room.await_send(ms(0));
    let turn = room.turn();
    assert!(room.clock_runs() && room.is_unsent(turn) && !room.is_unsent(turn - 1));
    // The disk is slow: no flag falls, and nothing is charged.
    assert_eq!(room.deadline(), None);
    assert!(!room.tick(ms(90_000)));
    assert_eq!(room.time_left(Seat::Second, ms(90_000)).main, ms(60_000));
    let mut gone = room.clone();
    room.mark_sent(Some(ms(90_000)));
    room.mark_sent(Some(ms(95_000)));
    assert_eq!(room.deadline(), Some(ms(150_000) + MOST_LAG));
    room.act(ms(92_000), Seat::Second, play("i9", 1), ms(0))
        .unwrap();
    assert_eq!(room.time_left(Seat::Second, ms(92_000)).main, ms(58_000));
    // A player who went away before they were told has gained nothing.
    gone.mark_sent(None);
    assert_eq!(gone.deadline(), Some(ms(61_000) + MOST_LAG));
}

#[test]
fn flags_fall_by_themselves_and_lag_is_forgiven_up_to_a_limit() {
    let mut room = begun(setup(OpeningRule::Free, MINUTE));
    room.act(ms(500), Seat::First, play("h8", 0), ms(200))
        .unwrap();
    assert_eq!(room.time_left(Seat::First, ms(500)).main, ms(59_650));
    room.act(ms(1000), Seat::Second, play("i9", 1), ms(9000))
        .unwrap();
    assert_eq!(room.time_left(Seat::Second, ms(500)).main, ms(59_650));
    let deadline = ms(1000) + ms(59_650) + MOST_LAG;
    assert_eq!(room.deadline(), Some(deadline));
    assert!(!room.tick(deadline - ms(1)));
    // A move on its way when the flag fell is in time by its lag, or not.
    let at = ms(1000 + 59_650 + 100);
    let mut quick = room.clone();
    quick.act(at, Seat::First, play("j10", 2), ms(50)).unwrap();
    assert_eq!(quick.outcome(), won(Seat::Second, Termination::Time));
    let mut far = room.clone();
    far.act(at, Seat::First, play("j10", 2), ms(150)).unwrap();
    assert_eq!(far.outcome(), None);
    assert_eq!(far.time_left(Seat::First, at).main, ms(50));
    assert!(room.tick(deadline));
    assert_eq!(room.outcome(), won(Seat::Second, Termination::Time));
    let late = room.act(deadline, Seat::First, play("j10", 2), ms(300));
    assert_eq!(late, Err(RoomError::Over));
}

#[test]
fn the_engine_takes_moves_back_and_plays_again_but_agrees_to_no_draw() {
    let mut room = Room::new(setup(OpeningRule::Free, MINUTE));
    room.sit(ms(0), Seat::First, person(1)).unwrap();
    room.sit(ms(0), Seat::Second, Occupant::Engine(50)).unwrap();
    let draw = room.act(ms(0), Seat::First, Action::OfferDraw, ms(0));
    assert_eq!(draw, Err(RoomError::EnginePlaysOn));
    for (ply, (seat, point)) in [(Seat::First, "h8"), (Seat::Second, "i9")]
        .into_iter()
        .enumerate()
    {
        room.act(ms(0), seat, play(point, ply), ms(0)).unwrap();
    }
    room.act(ms(0), Seat::First, Action::AskUndo, ms(0))
        .unwrap();
    assert_eq!(room.game().ply(), 0);
    room.act(ms(0), Seat::First, Action::Resign, ms(0)).unwrap();
    assert!(!room.counts());
    room.act(ms(0), Seat::First, Action::Rematch, ms(0))
        .unwrap();
    assert_eq!(room.occupant(Seat::First), Some(Occupant::Engine(50)));
    assert_eq!((room.stage(), room.games()), (Stage::Playing, 2));
}

/// Two players who took moves back once earned the increments of these moves again and again.
#[test]
fn increments_are_taken_back_with_their_moves() {
    let clock = ClockRule::Increment {
        main_ms: 60_000,
        increment_ms: 5_000,
    };
    let mut room = begun(setup(OpeningRule::Free, clock));
    for round in 0..3 {
        let now = ms(10_000 * round);
        for (ply, seat) in [Seat::First, Seat::Second].into_iter().enumerate() {
            room.act(now, seat, play(["h8", "i9"][ply], ply), ms(0))
                .unwrap();
        }
        for seat in [Seat::First, Seat::Second] {
            room.act(now + ms(10_000), seat, Action::AskUndo, ms(0))
                .unwrap();
        }
        let left = |seat| room.time_left(seat, now + ms(10_000)).main;
        assert_eq!(left(Seat::First), ms(50_000 - 10_000 * round));
        assert_eq!(left(Seat::Second), ms(60_000));
    }
    // What was used of an increment can't be given back.
    room.act(ms(30_000), Seat::First, play("h8", 0), ms(0))
        .unwrap();
    room.act(ms(30_000), Seat::Second, play("i9", 1), ms(0))
        .unwrap();
    let late = room.act(ms(60_000), Seat::First, Action::AskUndo, ms(0));
    assert_eq!(late, Err(RoomError::Undo));
}

#[test]
fn a_stopped_clock_keeps_what_was_used() {
    let mut room = begun(setup(OpeningRule::Free, MINUTE));
    room.suspend(ms(20_000));
    assert_eq!(room.deadline(), None);
    assert!(!room.tick(ms(10_000_000)));
    assert_eq!(room.time_left(Seat::First, ms(10_000_000)).main, ms(40_000));
    room.resume(ms(10_000_000));
    room.act(ms(10_005_000), Seat::First, play("h8", 0), ms(0))
        .unwrap();
    assert_eq!(room.time_left(Seat::First, ms(0)).main, ms(35_000));
}

/// A setup whose games come to an end within a few dozen messages.
fn random_setup(random: &mut Rng) -> RoomSetup {
    let clocks = [
        ClockRule::SuddenDeath { main_ms: 5000 },
        ClockRule::Increment {
            main_ms: 1500,
            increment_ms: 250,
        },
        ClockRule::Byoyomi {
            main_ms: 700,
            period_ms: 1000,
            periods: 3,
        },
        ClockRule::SuddenDeath { main_ms: 600_000 },
    ];
    let pick = random.usize(..);
    RoomSetup {
        rule: [Rule::Freestyle, Rule::Standard, Rule::Caro][pick % 3],
        size: BoardSize::new(5 + pick / 3 % 2, 5).unwrap(),
        opening: OpeningRule::ALL[pick / 6 % 3],
        clock: clocks[pick / 18 % 4],
        rated: (pick / 72).is_multiple_of(2),
    }
}

fn random_action(random: &mut Rng, room: &Room) -> Action {
    let ply = match random.u8(..20) {
        0 => random.usize(..9),
        _ => room.game().ply(),
    };
    let kind = match (room.stage(), room.black()) {
        (Stage::Over, _) => random.u8(..60) + 30,
        (_, None) => random.u8(10..),
        _ => random.u8(..),
    };
    match kind {
        0..1 => Action::Resign,
        1..2 => Action::Abort,
        2..8 => Action::OfferDraw,
        8..10 => Action::DeclineDraw,
        10..50 => Action::Choose {
            choice: [Choice::Black, Choice::White, Choice::TwoStones][random.usize(..3)],
            ply,
        },
        50..60 => Action::AskUndo,
        60..63 => Action::DeclineUndo,
        63..75 => Action::Rematch,
        _ => Action::Play {
            // Sometimes beside the board.
            point: Point::new(random.usize(..6), random.usize(..5)),
            ply,
        },
    }
}

/// A room and its model hear the same random messages.
fn random_sequence(seed: u64) {
    let mut random = Rng::with_seed(seed);
    let setup = random_setup(&mut random);
    let mut room = begun(setup);
    let mut model = Model::new(setup, false);
    let mut now = 0;
    for _ in 0..random.usize(10..80) {
        let waited = [0, 0, STEP, 5 * STEP, 20 * STEP, 100 * STEP][random.usize(..6)];
        now += waited;
        let at = ms(now);
        let fell = model.wait(waited);
        let seat = match room.actor() {
            Some(actor) if random.u8(..4) > 0 => actor,
            _ => [Seat::First, Seat::Second][random.usize(..2)],
        };
        let lag = ms([0, STEP, 10 * STEP, 100 * STEP][random.usize(..4)]);
        match random.u8(..40) {
            0 => {
                room.tick(at);
                room.suspend(at);
                model.suspend();
            }
            1..3 => {
                room.tick(at);
                room.resume(at);
                model.resume();
            }
            _ => {
                let action = random_action(&mut random, &room);
                let done = room.act(at, seat, action, lag).is_ok();
                // The player who acts when the flag falls hears that the game is over.
                let is_allowed = !fell && model.act(seat, action, lag);
                assert_eq!(done, is_allowed, "{seed}: {action:?}");
            }
        }
        compare(seed, &room, &model, at);
    }
}

fn compare(seed: u64, room: &Room, model: &Model, at: Duration) {
    assert_eq!(room.stage(), model.stage, "{seed}");
    assert_eq!(room.actor(), model.actor(), "{seed}");
    assert_eq!(room.black(), model.black(), "{seed}");
    assert_eq!(room.clock_runs(), model.runs, "{seed}");
    assert_eq!(room.counts(), model.counts(), "{seed}");
    let stones: Vec<Point> = room.game().moves().map(|(_, point)| point).collect();
    assert_eq!(stones, model.stones, "{seed}");
    let outcome = room.outcome().map(|it| (it.winner, it.reason));
    assert_eq!(outcome, model.outcome, "{seed}");
    for seat in [Seat::First, Seat::Second] {
        let (left, expected) = (room.time_left(seat, at), model.left(seat));
        let shown = (left.main.as_millis() as u64, left.periods);
        assert_eq!(shown, (expected.main, expected.periods), "{seed} {seat:?}");
        let who = if model.swapped == (seat == Seat::First) {
            2
        } else {
            1
        };
        assert_eq!(room.occupant(seat), Some(person(who)), "{seed}");
    }
}

#[test]
fn random_messages_do_what_the_model_does() {
    (0..3000).for_each(random_sequence);
}

/// `cargo test --release --test rooms -- --ignored sequences`
#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_random_sequences() {
    (0..100_000).for_each(random_sequence);
}
