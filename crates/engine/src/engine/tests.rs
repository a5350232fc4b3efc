//! The engine as a library user sees it.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::game::swap::OpeningRule;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};
use crate::score::Score;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

fn engine() -> Engine {
    let mut engine = Engine::new(MonotonicClock::system());
    engine.options_mut().hash_size = Some(1 << 20);
    engine.options_mut().timeout_turn = Some(Duration::from_millis(60));
    engine
}

/// The answer to a request, by a search on this thread.
fn answer(engine: &mut Engine, request: Request) -> Result<Answer, RequestError> {
    engine.answer(request, &mut |_| ())
}

fn best_move(engine: &mut Engine) -> BestMove {
    match answer(engine, Request::Move) {
        Ok(Answer::Move(best)) => best,
        other => panic!("{other:?}"),
    }
}

fn thread() -> (EngineThread, Receiver<(SearchId, Event)>) {
    let (sender, events) = channel();
    let thread = EngineThread::start(move |id, event| sender.send((id, event)).unwrap());
    (thread.unwrap(), events)
}

fn start(engine: &mut Engine, request: Request) -> Box<Search> {
    match engine.start(request, engine.clock().now()).unwrap() {
        Started::Searching(search) => search,
        Started::Answered(answer) => panic!("{answer:?}"),
    }
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
        let best = best_move(&mut engine);
        assert_eq!((best.point, best.info), (size.centre(), None));
    }
}

#[test]
fn weights_are_loaded_before_the_clock_runs() {
    let mut engine = engine();
    for rule in [Rule::Freestyle, Rule::Renju] {
        engine.set_rule(rule);
        assert!(!engine.weights.has(rule));
        engine.prepare().unwrap().run();
        assert!(engine.weights.has(rule));
        assert!(engine.prepare().is_none());
    }
    // Memory is limited: those of the rule before are not kept.
    assert!(!engine.weights.has(Rule::Freestyle));
}

/// An engine in a game, whose weights are loaded after `before`.
fn engine_loading_after(before: impl FnOnce() + Send + 'static) -> Engine {
    let mut engine = engine();
    for moves in ["h8", "i9", "h9"] {
        engine.play(point(moves)).unwrap();
    }
    let memory = Arc::clone(&engine.memory);
    (memory.lock()).load_after(before, Rule::Freestyle, &engine.weights);
    engine
}

/// A move that is due at once is searched with what is there, not with nothing.
#[test]
fn a_search_waits_for_its_weights_only_a_part_of_its_time() {
    let (release, released) = channel();
    let mut engine = engine_loading_after(move || released.recv().unwrap());
    engine.options_mut().timeout_turn = Some(Duration::from_millis(200));
    let best = best_move(&mut engine);
    assert!(best.info.unwrap().nodes > 100);
    assert!(!engine.weights.has(Rule::Freestyle));
    release.send(()).unwrap();
    engine.prepare().unwrap().run();
    assert!(engine.weights.has(Rule::Freestyle));
    assert!(engine.prepare().is_none());
}

/// The search takes the network and the whole table over as soon as they are there, and
/// begins anew with them.
#[test]
fn a_search_that_began_early_goes_on_with_the_network_and_the_whole_table() {
    let (release, released) = channel();
    let mut engine = engine_loading_after(move || released.recv().unwrap());
    engine.options_mut().timeout_turn = Some(Duration::from_millis(10_000));
    engine.options_mut().hash_size = Some(16 << 20);
    let (mut begins, mut deepest, mut last) = (0, 0, None);
    let answer = start(&mut engine, Request::Move).answer(&mut |event| {
        let Event::Info(info) = event else { return };
        begins += usize::from(info.depth == 1);
        match begins {
            1 => (_, deepest) = (release.send(()), info.depth),
            _ if info.depth >= deepest => engine.stop(),
            _ => (),
        }
        last = Some(info);
    });
    let (told, last) = (answer.info().unwrap(), last.unwrap());
    assert_eq!((told.depth, begins), (last.depth, 2));
    assert!(told.nodes >= last.nodes);
    let weights = engine.weights.of(Rule::Freestyle);
    assert!(weights.line.is_some() && Arc::strong_count(&weights) > 1);
    assert_eq!(engine.memory.table().unwrap().bytes(), 16 << 20);
}

/// Nothing that comes meanwhile replaces the work that a search waits for.
#[test]
fn a_stopped_preparation_goes_on_loading_for_the_search() {
    let (release, released) = channel();
    let mut engine = engine_loading_after(move || released.recv().unwrap());
    let preparation = engine.prepare().unwrap();
    let preparing = std::thread::spawn(move || preparation.run());
    std::thread::sleep(Duration::from_millis(20));
    engine.stop_preparing();
    preparing.join().unwrap();
    release.send(()).unwrap();
    engine.options_mut().timeout_turn = Some(Duration::from_millis(2000));
    best_move(&mut engine);
    assert!(engine.weights.has(Rule::Freestyle));
}

#[test]
fn a_small_board_is_played_until_it_is_full() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(2000);
    engine.new_game(BoardSize::square(5).unwrap());
    for _ in 0..25 {
        let answer = answer(&mut engine, Request::Move).unwrap();
        engine.finish(&answer).unwrap();
    }
    assert_eq!(
        answer(&mut engine, Request::Move),
        Err(RequestError::BoardFull)
    );
}

#[test]
fn every_search_that_runs_answers_once() {
    let (thread, events) = thread();
    let mut engine = engine();
    engine.options_mut().timeout_turn = None;
    engine.options_mut().infinite = true;
    engine.play(point("h8")).unwrap();
    let (mut ids, mut answered) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let search = start(&mut engine, Request::Move);
        let own = search.id();
        ids.push(own);
        thread.run(search);
        // Until it runs the next search would take its place in the mailbox.
        while let (id, event) = events.recv().unwrap()
            && id != own
        {
            answered.extend(matches!(event, Event::Answer(_)).then_some(id));
        }
    }
    engine.stop();
    drop(thread);
    let answers = events.iter().filter_map(|(id, event)| match event {
        Event::Answer(_) => Some(id),
        _ => None,
    });
    answered.extend(answers);
    assert_eq!(answered, ids);
}

#[test]
fn time_is_kept() {
    let mut engine = engine();
    engine.play(point("h8")).unwrap();
    engine.prepare().unwrap().run();
    // One late answer may be due to a busy machine, five are not.
    let is_kept = (0..5).any(|_| {
        let before = Instant::now();
        assert!(best_move(&mut engine).info.unwrap().depth >= 1);
        before.elapsed() < Duration::from_millis(60)
    });
    assert!(is_kept);
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
    engine.set_rule(Rule::Standard);
    assert!(!engine.position().is_empty(point("a1")));
    assert_eq!(engine.position().stone(point("h9")), white);
    assert_eq!(engine.position().side(), Color::Black);
}

/// Wherever among the stones the filled points stand.
#[test]
fn filled_points_stay_filled_when_a_move_is_taken_back() {
    let mut engine = engine();
    let stone = |name: &str, color| Stone {
        color,
        point: point(name),
    };
    let [black, white] = [Some(Color::Black), Some(Color::White)];
    let played = ["d8", "e8", "f8", "g8"].map(|name| stone(name, black));
    let filled = ["c8", "h8"].map(|name| stone(name, None));
    let before = engine.set_up(&[&played[..], &filled].concat(), Color::White);
    let all = [&played[..], &[stone("m3", white)], &filled].concat();
    let position = engine.set_up(&all, Color::Black).unwrap();
    engine.set_position(position);
    engine.take_back(point("m3")).unwrap();
    let (before, now) = (before.unwrap(), engine.position());
    assert_eq!(now.key(), before.key());
    // No five is left to be made.
    let fives = |position: &Position| position.counts(Color::Black).of(Class::Five);
    assert_eq!([fives(now), fives(&before)], [0, 0]);
}

#[test]
fn a_new_game_forgets_the_time_left_of_the_last() {
    let mut engine = engine();
    engine.set_time_left(Duration::from_millis(500));
    engine.new_game(BoardSize::default());
    assert_eq!(engine.options().time_left, Some(Duration::from_millis(500)));
    engine.play(point("h8")).unwrap();
    // The search is dropped before it has run.
    drop(start(&mut engine, Request::Move));
    engine.new_game(BoardSize::default());
    assert_eq!(engine.options().time_left, None);
}

#[test]
fn a_won_game_still_has_a_legal_move() {
    let mut engine = engine();
    for text in ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"] {
        engine.play(point(text)).unwrap();
    }
    assert!(engine.position().won());
    let best = best_move(&mut engine);
    assert_eq!(engine.check(best.point), Ok(()));
}

#[test]
fn a_panic_in_the_search_still_gives_a_move() {
    let mut engine = engine();
    engine.options_mut().timeout_turn = None;
    engine.play(point("h8")).unwrap();
    for threads in [1, 1, 2] {
        engine.options_mut().threads = threads;
        let answer = engine.answer(Request::Move, &mut |event| {
            if let Event::Info(info) = event {
                assert!(info.depth < 3, "as if the search had a bug");
            }
        });
        let answer = answer.unwrap();
        assert_eq!(engine.check(answer.stones()[0]), Ok(()));
        assert_eq!(answer.info().unwrap().depth, 3);
    }
}

#[test]
fn requests_have_answers_of_their_kind() {
    let mut engine = engine();
    let opening = answer(&mut engine, Request::Swap2).unwrap();
    assert!(
        matches!(&opening, Answer::Stones(stones) if stones.len() == 3),
        "{opening:?}"
    );
    engine.play(point("h8")).unwrap();
    for request in [
        Request::Move,
        Request::Lines(3),
        Request::Lines(1000),
        Request::Defences,
    ] {
        assert!(
            matches!(answer(&mut engine, request), Ok(Answer::Move(_))),
            "{request:?}"
        );
    }
    for pair in [false, true] {
        let answer = answer(&mut engine, Request::Balance { pair, bias: 0 }).unwrap();
        assert_eq!(answer.stones().len(), 1 + usize::from(pair));
        engine.finish(&answer).unwrap();
        assert_eq!(engine.position().ply(), 1, "it is only a proposal");
    }
}

#[test]
fn the_end_of_the_game_is_known_wherever_moves_are_searched_one_by_one() {
    let mut engine = engine();
    engine.options_mut().timeout_turn = None;
    engine.options_mut().max_depth = Some(4);
    for text in ["h8", "a1", "i8", "o1", "g9", "o15", "g10", "a15"] {
        engine.play(point(text)).unwrap();
    }
    for (max_moves, wins) in [(None, true), (Some(12), false)] {
        engine.options_mut().max_moves = max_moves;
        let best = answer(&mut engine, Request::Defences).unwrap();
        assert_eq!(best.info().unwrap().score.is_win(), wins, "{max_moves:?}");
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
        let best = best_move(&mut engine);
        assert_eq!(best.point, point(expected));
        engine.play(best.point).unwrap();
    }
}

/// A book that knows one move, and one not to make.
struct OneMove(Point);

impl Book for OneMove {
    fn moves(&self, _: &Position, _: u64) -> BookMoves {
        BookMoves {
            play: Some(self.0),
            ..BookMoves::default()
        }
    }
}

#[test]
fn the_book_is_asked_only_for_moves_that_may_be_played() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(100);
    engine.play(point("h8")).unwrap();
    assert!(!best_move(&mut engine).from_book);
    let books = ["a1", "b1"].map(|name| -> Arc<dyn Book> { Arc::new(OneMove(point(name))) });
    engine.set_books(books.into());
    let best = best_move(&mut engine);
    assert_eq!((best.point, best.from_book), (point("a1"), true));
    engine.excluded_mut().insert(point("a1"));
    let best = best_move(&mut engine);
    assert_eq!((best.point, best.from_book), (point("b1"), true));
    engine.excluded_mut().insert(point("b1"));
    assert!(!best_move(&mut engine).from_book);
}

#[test]
fn under_swap1_the_worse_side_is_left() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(3_000);
    engine.options_mut().opening = OpeningRule::Swap1;
    let first = answer(&mut engine, Request::Move).unwrap();
    assert!(matches!(first, Answer::Stones(_)), "{first:?}");
    engine.play(point("h8")).unwrap();
    let stays = answer(&mut engine, Request::Move).unwrap();
    assert!(matches!(stays, Answer::Move(_)), "{stays:?}");
    engine.options_mut().may_swap = true;
    let swaps = answer(&mut engine, Request::Move).unwrap();
    assert!(matches!(swaps, Answer::Swap { .. }), "{swaps:?}");
    assert!(swaps.info().unwrap().score.units() < 0);
}

#[test]
fn a_step_of_swap2_needs_its_stones() {
    let mut engine = engine();
    engine.play(point("h8")).unwrap();
    let refused = answer(&mut engine, Request::Swap2Step(Swap2Step::ChooseOfThree));
    let (needed, found) = (3, 1);
    assert_eq!(refused, Err(RequestError::Swap2Stones { needed, found }));
}

/// A book that knows a value, and a move.
struct OneValue(i32);

impl Book for OneValue {
    fn moves(&self, _: &Position, _: u64) -> BookMoves {
        BookMoves {
            play: Some(point("a15")),
            value: Some(Score::from_units(self.0)),
            ..BookMoves::default()
        }
    }
}

/// Without a search, unless two more stones may be better than either colour.
#[test]
fn under_swap2_the_book_chooses_a_colour() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(100);
    let stones = ["h8", "a1", "h9", "b2", "o1"];
    for (count, value, expected) in [
        (3, -100, Some(true)),
        (3, -10, None),
        (3, 10, None),
        (3, 100, Some(false)),
        (5, -1, Some(true)),
        (5, 0, Some(false)),
        (0, 100, None),
        (0, -100, None),
    ] {
        let step = Request::Swap2Step(Swap2Step::after(count).unwrap());
        for request in [Request::Swap2, step] {
            engine.new_game(BoardSize::square(15).unwrap());
            for text in &stones[..count] {
                engine.play(point(text)).unwrap();
            }
            engine.set_books(vec![Arc::new(OneValue(value))]);
            let now = engine.clock().now();
            let chosen = match engine.start(request, now).unwrap() {
                Started::Searching(_) => None,
                Started::Answered(Answer::Swap { .. }) => Some(true),
                Started::Answered(answer) => {
                    let from_book = BestMove {
                        from_book: true,
                        ..BestMove::unsearched(point("a15"))
                    };
                    assert_eq!(answer, Answer::Move(from_book));
                    Some(false)
                }
            };
            assert_eq!(chosen, expected, "{count} {value}");
        }
    }
}

/// Black's two in a row in the middle against a stone in the corner.
#[test]
fn under_swap2_the_evaluation_decides_where_no_iteration_is_complete() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(1);
    for moves in [["h8", "a1", "h9"], ["a1", "h8", "o1"]] {
        engine.new_game(BoardSize::square(15).unwrap());
        for text in moves {
            engine.play(point(text)).unwrap();
        }
        let choice = answer(&mut engine, Request::Swap2Step(Swap2Step::ChooseOfThree));
        let swaps = matches!(choice, Ok(Answer::Swap { .. }));
        assert_eq!(swaps, moves[0] == "h8", "{choice:?}");
    }
}

#[test]
fn pondering_reports_its_end_alone_and_costs_no_time() {
    let mut engine = engine();
    engine.options_mut().max_node = Some(20_000);
    engine.options_mut().shows_moves = true;
    // With less, a search does not wait for weights that are loaded slowly.
    engine.options_mut().timeout_turn = Some(Duration::from_secs(600));
    engine.options_mut().timeout_match = Some(Duration::from_secs(600));
    assert!(engine.play_as_answer(point("h8")).unwrap().is_none());
    engine.options_mut().pondering = true;
    let ponder = engine.play_as_answer(point("i9")).unwrap().unwrap();
    let mut events = Vec::new();
    ponder.run(&mut |event| events.push(event));
    assert_eq!(events, [Event::Ended]);
    let table = engine.memory.table().unwrap();
    assert!(table.records().count() > 1000);
    assert_eq!(engine.used.moves(), 0);
}

/// What was loaded into a table that the next search replaces would be lost.
#[test]
fn a_loaded_table_is_the_one_that_is_searched_with() {
    let mut engine = Engine::new(MonotonicClock::system());
    engine.options_mut().max_node = Some(5_000);
    engine.play(point("h8")).unwrap();
    engine.play(point("i9")).unwrap();
    best_move(&mut engine);
    let mut file = Vec::new();
    let saved = engine.save_table(&mut file).unwrap();
    assert!(saved > 1000);
    let (_, small) = engine.table_usage().unwrap();
    engine.options_mut().hash_size = Some(8 << 20);
    let memory = Arc::clone(&engine.memory);
    let search = memory.lock();
    let busy = engine.load_table(Cursor::new(&file));
    assert!(matches!(busy, Err(TableFileError::Busy)), "{busy:?}");
    drop(search);
    assert_eq!(engine.load_table(Cursor::new(&file)).unwrap(), saved);
    engine.options_mut().max_node = Some(1);
    best_move(&mut engine);
    let (_, large) = engine.table_usage().unwrap();
    assert!(large > small, "{large} {small}");
    let table = engine.memory.table().unwrap();
    assert!(table.records().count() as u64 >= saved);
}

/// A table whose memory could not be found in time is too small for what is loaded, and the
/// next search may replace it.
#[test]
fn a_table_that_was_cut_short_is_not_loaded_into() {
    let mut engine = Engine::new(MonotonicClock::system());
    engine.options_mut().max_node = Some(5_000);
    engine.play(point("h8")).unwrap();
    best_move(&mut engine);
    let mut file = Vec::new();
    let saved = engine.save_table(&mut file).unwrap();
    let (size, memory) = (engine.table_size(), &engine.memory);
    memory.new_table(&size, &engine.weights, &|| true, &|| false);
    memory.mark_used();
    assert_eq!(engine.load_table(Cursor::new(&file)).unwrap(), saved);
    assert!(engine.prepare().is_none(), "the loaded table stays");
}

/// An analysis says what moves on the empty board are worth, with a limit of time too. A
/// move there takes no search.
#[test]
fn an_analysis_has_lines_on_the_empty_board() {
    let limited = Some(Duration::from_secs(20));
    for (request, timeout_turn) in [
        (Request::Lines(3), None),
        (Request::Lines(3), limited),
        (Request::Defences, None),
        (Request::Defences, limited),
    ] {
        let mut engine = engine();
        engine.options_mut().timeout_turn = timeout_turn;
        engine.options_mut().infinite = true;
        let search = start(&mut engine, request);
        let mut ranks = std::collections::BTreeSet::new();
        search.run(&mut |event| {
            if let Event::Info(info) = event {
                assert!(!info.pv.is_empty());
                ranks.insert(info.rank);
            }
            if ranks.len() >= 3 {
                engine.stop();
            }
        });
        assert!(ranks.contains(&2), "{ranks:?}");
        let begun = engine.start(Request::Move, engine.clock().now());
        assert!(matches!(begun, Ok(Started::Answered(_))));
    }
}

/// The line of a single move once ended at depth 4, while those of moves that only an analysis
/// looks at went on.
#[test]
fn an_analysis_searches_a_single_move_as_deeply_as_others() {
    // The empty board has the centre for a candidate, and a four has one answer.
    for (moves, count) in [("", 1), ("", 3), ("h8g8i8a1j8c1k8", 1)] {
        let mut engine = engine();
        let line = format!("15 freestyle {moves}");
        engine.set_position(Position::from_line(&line).unwrap());
        engine.options_mut().timeout_turn = None;
        engine.options_mut().max_depth = Some(8);
        let mut depths = Vec::new();
        let answer = engine.answer(Request::Lines(count), &mut |event| {
            if let Event::Info(info) = event {
                depths.push(info.depth);
            }
        });
        assert!(depths.ends_with(&vec![8; count]), "{moves}: {depths:?}");
        assert!(answer.is_ok());
    }
    let mut engine = engine();
    engine.set_position(Position::from_line("15 freestyle h8g8i8a1j8c1k8").unwrap());
    engine.options_mut().max_depth = Some(8);
    assert_eq!(best_move(&mut engine).info.unwrap().depth, 4);
}

/// A host without threads cannot call `stop` while it searches.
#[test]
fn an_interrupt_stops_a_search() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let mut engine = engine();
    engine.options_mut().timeout_turn = None;
    engine.options_mut().infinite = true;
    engine.play(point("h8")).unwrap();
    let (due, is_due) = (Arc::new(AtomicBool::new(false)), Arc::default());
    let asked: Arc<AtomicBool> = Arc::clone(&is_due);
    let told = Arc::clone(&due);
    engine.set_interrupt(move || {
        asked.store(true, Ordering::Relaxed);
        told.load(Ordering::Relaxed)
    });
    let answer = engine.answer(Request::Move, &mut |event| {
        if let Event::Info(info) = event {
            due.store(info.depth >= 3, Ordering::Relaxed);
        }
    });
    let Ok(Answer::Move(best)) = answer else {
        panic!("{answer:?}");
    };
    assert!(engine.check(best.point).is_ok());
    assert!(is_due.load(Ordering::Relaxed));
    assert_eq!(best.info.unwrap().depth, 3);
}
