//! The engine as a library user sees it.

#![allow(clippy::unwrap_used)]

use super::*;
use std::sync::mpsc::channel;

fn engine() -> Engine {
    let mut engine = Engine::new(|_| ()).unwrap();
    engine.options_mut().hash_size = 1024;
    engine.options_mut().timeout_turn = Some(60);
    engine
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

#[test]
fn the_first_move_is_the_centre_and_needs_no_search() {
    let mut engine = engine();
    for side in [5, 15, 20, 22] {
        let size = BoardSize::square(side).unwrap();
        engine.new_game(size);
        let choice = engine.think().unwrap();
        assert_eq!((choice.point, choice.thought), (size.centre(), None));
    }
}

#[test]
fn a_small_board_is_played_until_it_is_full() {
    let mut engine = engine();
    engine.options_mut().max_node = 2000;
    engine.new_game(BoardSize::square(5).unwrap());
    for _ in 0..25 {
        let choice = engine.think().unwrap();
        engine.play(choice.point).unwrap();
    }
    assert_eq!(engine.think(), Err(BoardFull));
}

#[test]
fn every_search_answers_once_even_if_dropped() {
    let (sender, events) = channel();
    let mut engine = Engine::new(move |event| sender.send(event).unwrap()).unwrap();
    engine.options_mut().patience = Patience::UntilStopped;
    engine.options_mut().hash_size = 1024;
    engine.play(point("h8")).unwrap();
    let started: Vec<Started> = (0..3)
        .map(|_| engine.start(Task::Move, Instant::now()).unwrap())
        .collect();
    engine.stop();
    let Started::Searching(last) = started[2] else {
        panic!("{started:?}");
    };
    let choice = engine.wait(last);
    drop(engine);
    let answers: Vec<Event> = events
        .iter()
        .filter(|event| matches!(event, Event::Answer(..)))
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[2], Event::Answer(last, choice));
}

#[test]
fn time_is_kept() {
    let mut engine = engine();
    engine.play(point("h8")).unwrap();
    // The first search sets the table up.
    engine.think().unwrap();
    let before = Instant::now();
    let choice = engine.think().unwrap();
    let elapsed = before.elapsed();
    assert!(elapsed < Duration::from_millis(60), "{elapsed:?}");
    assert!(choice.thought.unwrap().depth >= 1);
}

#[test]
fn stones_can_be_set_up_and_taken_back() {
    let mut engine = engine();
    let stone = |color, text| Stone {
        color,
        point: point(text),
    };
    let (black, white) = (Some(Color::Black), Some(Color::White));
    let stones = [
        stone(black, "h8"),
        stone(None, "a1"),
        stone(white, "h9"),
        stone(white, "i9"),
    ];
    let position = engine.set_up(&stones, Color::White).unwrap();
    engine.set_position(position);
    assert_eq!(engine.position().side(), Color::White);
    assert_eq!(
        engine.check(point("a1")),
        Err(PlayError::Taken(point("a1")))
    );

    let twice = [stone(black, "c3"), stone(None, "c3")];
    let refused = engine.set_up(&twice, Color::Black).err();
    assert_eq!(refused, Some(PlayError::Taken(point("c3"))));

    assert_eq!(
        engine.take_back(point("a1")),
        Err(PlayError::NoStone(point("a1")))
    );
    engine.take_back(point("h8")).unwrap();
    assert!(engine.position().is_empty(point("h8")));
    assert_eq!(engine.position().side(), Color::Black);
    engine.set_rule(Rule::ExactFive);
    assert!(!engine.position().is_empty(point("a1")));
    assert_eq!(engine.position().stone(point("h9")), white);
    assert_eq!(engine.position().side(), Color::Black);
}

#[test]
fn a_won_game_still_has_a_legal_move() {
    let mut engine = engine();
    for text in ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"] {
        engine.play(point(text)).unwrap();
    }
    assert!(engine.position().won());
    let choice = engine.think().unwrap();
    assert_eq!(engine.check(choice.point), Ok(()));
}

#[test]
fn a_panic_in_the_search_still_gives_a_move() {
    let mut engine = Engine::new(|event| {
        if let Event::Progress(_, thought) = event {
            assert!(thought.depth < 3, "as if the search had a bug");
        }
    })
    .unwrap();
    engine.options_mut().hash_size = 1024;
    engine.play(point("h8")).unwrap();
    for _ in 0..2 {
        let choice = engine.think().unwrap();
        assert_eq!(engine.check(choice.point), Ok(()));
        assert_eq!(choice.thought.unwrap().depth, 3);
    }
}

#[test]
fn tasks_have_answers_of_their_kind() {
    let mut engine = engine();
    let opening = engine.answer(Task::Opening).unwrap();
    assert!(
        matches!(&opening, Answer::Stones(stones) if stones.len() == 3),
        "{opening:?}"
    );
    engine.play(point("h8")).unwrap();
    for task in [
        Task::Move,
        Task::Lines(3),
        Task::Lines(1000),
        Task::Defences,
    ] {
        assert!(
            matches!(engine.answer(task), Ok(Answer::Move(_))),
            "{task:?}"
        );
    }
    for pair in [false, true] {
        let answer = engine.answer(Task::Balance { pair, bias: 0 });
        let stones = 1 + usize::from(pair);
        assert!(
            matches!(&answer, Ok(Answer::Stones(some)) if some.len() == stones),
            "{answer:?}"
        );
    }
}

#[test]
fn excluded_points_are_the_last_resort() {
    let mut engine = engine();
    engine.new_game(BoardSize::square(5).unwrap());
    for point in BoardSize::square(5).unwrap().iter() {
        engine.excluded_mut().insert(point);
    }
    engine.excluded_mut().remove(point("b2"));
    for expected in ["b2", "c3"] {
        let choice = engine.think().unwrap();
        assert_eq!(choice.point, point(expected));
        engine.play(choice.point).unwrap();
    }
}

#[test]
fn pondering_tells_nothing_and_costs_no_time() {
    let (sender, events) = channel();
    let mut engine = Engine::new(move |event| sender.send(event).unwrap()).unwrap();
    engine.options_mut().hash_size = 1024;
    engine.options_mut().max_node = 20_000;
    engine.options_mut().shows_moves = true;
    engine.play(point("h8")).unwrap();
    engine.ponder();
    assert!(engine.running.is_none(), "nobody asked for it");
    engine.options_mut().pondering = true;
    engine.ponder();
    // The worker does one thing after another: pondering is over then.
    let table = engine
        .worker
        .prepare(engine.options().table_size(0))
        .unwrap();
    assert!(table.records().count() > 1000);
    assert_eq!(engine.used.load(Ordering::Relaxed), 0);
    assert_eq!(events.try_iter().count(), 0);
    engine.ponder();
    engine.think().unwrap();
    drop(engine);
    let answers = events
        .iter()
        .filter(|event| matches!(event, Event::Answer(..)));
    assert_eq!(answers.count(), 1);
}

/// What was loaded into a table that the next search replaces would be lost.
#[test]
fn a_loaded_table_is_the_one_that_is_searched_with() {
    let mut engine = Engine::new(|_| {}).unwrap();
    engine.options_mut().max_node = 5_000;
    engine.play(point("h8")).unwrap();
    engine.play(point("i9")).unwrap();
    engine.think().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let saved = engine.save_table(&path).unwrap();
    assert!(saved > 1000);
    let (_, small) = engine.table_usage().unwrap();
    engine.options_mut().hash_size = 8 << 10;
    assert_eq!(engine.load_table(&path).unwrap(), saved);
    engine.options_mut().max_node = 1;
    engine.think().unwrap();
    let (_, large) = engine.table_usage().unwrap();
    assert!(large > small, "{large} {small}");
    let table = engine.worker.table().unwrap();
    assert!(table.records().count() as u64 >= saved);
}
