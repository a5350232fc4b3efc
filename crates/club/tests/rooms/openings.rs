//! The dialogues of all opening rules in rooms: two people at random, and the engine.

use crate::club::{ANNA, START, Tester};
use crate::{MINUTE, begun, ms, setup};
use fastrand::Rng;
use quincunx_board::Phase;
use quincunx_club::rooms::{
    Action, ClockRule, ClubMessage, ClubRequest, EnginePool, EngineReport, Limits, NewRoom, Room,
    RoomError, RoomSetup, RoomView, Stage,
};
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::swap::{Choice, OpeningRule, OpeningStep, Seat};
use quincunx_engine::rules::{Point, Rule};
use std::sync::Arc;
use std::sync::mpsc::channel;
use tempfile::TempDir;

/// Renju with this opening.
fn renju(opening: OpeningRule) -> RoomSetup {
    RoomSetup {
        rule: Rule::Renju,
        ..setup(opening, MINUTE)
    }
}

/// An action that the opening allows, and one that it does not.
fn draw(room: &Room, random: &mut Rng) -> (Action, Option<(Action, RoomError)>) {
    let ply = room.game().ply();
    if let Some(OpeningStep::Choose { options, .. }) = room.step() {
        let choice = options[random.usize(..options.len())];
        let wrong = match options.contains(&Choice::TwoStones) {
            true => Choice::Offers(1),
            false => Choice::TwoStones,
        };
        let refused = (Action::Choose { choice: wrong, ply }, RoomError::Choice);
        return (Action::Choose { choice, ply }, Some(refused));
    }
    let position = room.game().position();
    let (allowed, refused): (Vec<Point>, Vec<Point>) = (position.size().iter())
        .filter(|&point| position.is_empty(point))
        .partition(|&point| room.dialogue().allows(position, point));
    let play = |point| Action::Play { point, ply };
    let wrong = random.choice(&refused);
    (
        play(allowed[random.usize(..allowed.len())]),
        wrong.map(|&point| (play(point), RoomError::OpeningPoint)),
    )
}

#[test]
fn every_opening_is_played_in_rooms() {
    for opening in OpeningRule::ALL {
        for seed in 0..40 {
            let mut random = Rng::with_seed(seed);
            let mut room = begun(renju(opening));
            while !matches!(room.step(), Some(OpeningStep::Play { .. })) {
                let actor = room.actor().unwrap();
                let (action, refused) = draw(&room, &mut random);
                let by_other = room.act(ms(0), actor.other(), action, ms(0));
                assert_eq!(by_other, Err(RoomError::NotYourTurn), "{opening} {seed}");
                if let Some((wrong, error)) = refused {
                    let wrong = room.act(ms(0), actor, wrong, ms(0));
                    assert_eq!(wrong, Err(error), "{opening} {seed}");
                }
                room.act(ms(0), actor, action, ms(0)).unwrap();
                // Nothing of the dialogue is lost at a restart.
                let restored = Room::restore(room.record()).unwrap();
                assert_eq!(restored.dialogue(), room.dialogue());
                assert_eq!(restored.record(), room.record());
            }
            assert!(room.game().ply() <= 5, "{opening} {seed}");
            assert_eq!(room.stage(), Stage::Playing);
            let settled = room.record();
            assert!(room.black().is_some());
            // Both have their colours for the rest of the game.
            for _ in 0..4 {
                let (action, _) = draw(&room, &mut random);
                let actor = room.actor().unwrap();
                if room.act(ms(0), actor, action, ms(0)).is_ok() {
                    assert_ne!(room.actor(), Some(actor), "{opening} {seed}");
                }
            }
            assert_ne!(room.record(), settled);
        }
    }
}

/// Anna answers at random, the engine by its search.
#[test]
fn the_engine_plays_every_opening_in_rooms() {
    let (sender, reports) = channel();
    let options = Options {
        max_memory: Some(32 << 20),
        ..Options::default()
    };
    let weights = Arc::<WeightSet>::default();
    let pool = EnginePool::start(1, &weights, options, move |room, turn, report| {
        _ = sender.send((room, turn, report));
    });
    let pool = pool.unwrap();
    // Steps of an opening earn no increment: the engine once lost on time in the dialogue.
    let clocks =
        [(1000, 1000), (180_000, 2000)].map(|(main_ms, increment_ms)| ClockRule::Increment {
            main_ms,
            increment_ms,
        });
    for (number, opening) in OpeningRule::ALL.into_iter().enumerate() {
        for (seat, clock) in [Seat::First, Seat::Second]
            .into_iter()
            .zip(clocks.into_iter().cycle())
            .chain([(Seat::Second, clocks[0])])
        {
            let folder = TempDir::new().unwrap();
            let mut tester = Tester::open(&folder.path().join("club"), Limits::default());
            let mut random = Rng::with_seed(number as u64);
            let mut now = START;
            tester.arrive(START, ANNA);
            let setup = RoomSetup {
                clock,
                ..renju(opening)
            };
            let create = ClubRequest::Create(NewRoom {
                seat: Some(seat),
                engine: Some(100),
                ..NewRoom::of(setup)
            });
            tester.say(ANNA, &create);
            while tester.room(ANNA).board.stones.len() < 7 {
                tester.tick(now);
                let view = tester.room(ANNA).clone();
                assert_eq!(
                    view.state.stage,
                    Stage::Playing,
                    "{opening} {seat:?}: {view:?}"
                );
                if view.state.actor == Some(seat) {
                    let action = answer(&view, &mut random);
                    tester.receive(now, ANNA, &action);
                    assert_ne!(*tester.room(ANNA), view, "{opening}: {action:?}");
                }
                for mut job in std::mem::take(&mut tester.jobs) {
                    // A short search is charged as if it had used all of its time.
                    let took = job.options.timeout_turn.unwrap();
                    job.options.timeout_turn = Some(took.min(ms(5)));
                    pool.add(job);
                    let (turn, answer) = loop {
                        let (room, turn, report) = reports.recv().unwrap();
                        if let EngineReport::Ended { answer, .. } = report {
                            break ((room, turn), answer);
                        }
                        tester.club.begin_turn(now, (room, turn));
                    };
                    now += took;
                    (tester.club).receive_answer(now, turn, took, answer.as_ref());
                    tester.settle();
                }
            }
            // The archive has the whole dialogue.
            let chosen = tester.room(ANNA).chosen.clone();
            let views = tester
                .letters
                .iter()
                .filter_map(|(_, letter)| match letter {
                    ClubMessage::Room(view) => Some(&view.offers),
                    _ => None,
                });
            let offered = views.max_by_key(|offers| offers.len()).unwrap().clone();
            tester.receive(now, ANNA, &Action::Resign);
            let archived = tester.store.reader().unwrap().games(&[1]).unwrap();
            let archived = archived[0].view().unwrap();
            assert_eq!((archived.chosen, archived.offers), (chosen, offered));
        }
    }
}

/// A random answer that the opening allows.
fn answer(view: &RoomView, random: &mut Rng) -> Action {
    let ply = view.board.stones.len();
    if let Phase::Choose { options, .. } = &view.phase {
        let choice = options[random.usize(..options.len())];
        return Action::Choose { choice, ply };
    }
    let point = match &view.allowed {
        Some(allowed) => allowed[random.usize(..allowed.len())],
        // The stones of a free step stand in no one's way.
        None => ["a1", "c3", "a5", "c7", "a9", "c11", "a13"][ply]
            .parse()
            .unwrap(),
    };
    Action::Play { point, ply }
}
