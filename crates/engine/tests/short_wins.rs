//! Wins in at most five plies, found by trying every move and every reply, and the search
//! with few nodes: it may not miss any.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Direction, Point, Rule};
use quincunx_testing::oracle::force::{wins_by, wins_within};
use quincunx_testing::oracle::{At, Board, at, point};
use quincunx_testing::searcher::FreshSearcher;

/// Stones close together on a board of any size, so that threats abound. Now and then one
/// side has more of them than in a game.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::square(rng.usize(7..=15)).unwrap();
    let mut position = Position::new(rule, size);
    let window = rng.usize(5..=size.width().min(11));
    let [left, bottom] = [size.width(), size.height()].map(|side| rng.usize(0..=side - window));
    let is_uneven = rng.u8(0..4) == 0;
    for _ in 0..rng.usize(6..=window * window / 2) {
        let point = Point::new(left + rng.usize(0..window), bottom + rng.usize(0..window));
        let wins = position.class(position.side(), point) == Class::Five;
        if position.is_empty(point) && !wins && position.is_legal(point) {
            position.play(point);
            if is_uneven && rng.u8(0..3) == 0 {
                position.set_side(position.side().opponent());
            }
        }
    }
    position
}

/// Whether some line through the point has two stones of the side to move that a five through
/// it can use: with fewer, three more stones make none.
fn has_two_stones_near(position: &Position, here: At) -> bool {
    let here = point(here);
    let is_own = |direction, steps: i32| {
        position.stone(here.step(direction, steps)) == Some(position.side())
    };
    Direction::ALL.into_iter().any(|direction| {
        let near = (-4..=4).filter(|&steps| steps != 0 && is_own(direction, steps));
        near.count() >= 2
    })
}

/// Whether the side to move has a win in three or five plies, and in how many.
fn short_win(position: &Position) -> Option<usize> {
    let mut board = Board::of(position);
    if wins_within(&mut board, 1) {
        return None;
    }
    if wins_within(&mut board, 3) {
        return Some(3);
    }
    let must_meet_five = board.after_a_pass(|board| wins_within(board, 1));
    let mut moves = board.empty();
    moves.retain(|&here| must_meet_five || has_two_stones_near(position, here));
    let wins = moves
        .into_iter()
        .any(|here| board.is_legal(here) && board.after(here, |board| loses_in_four(board, here)));
    wins.then_some(5)
}

/// Whether the side to move, whose opponent has just played `last`, loses within four plies
/// whatever it does.
fn loses_in_four(board: &mut Board, last: At) -> bool {
    // Without a threat to win, it passes.
    if !board.after_a_pass(|board| wins_within(board, 3)) || wins_within(board, 1) {
        return false;
    }
    let mut replies = board.empty();
    // What refutes a move is mostly near it.
    replies.sort_by_key(|&(x, y)| (x - last.0).abs().max((y - last.1).abs()));
    replies
        .into_iter()
        .all(|reply| !board.is_legal(reply) || board.after(reply, |board| wins_within(board, 3)))
}

/// The number of positions with a win in three and in five plies, and the numbers that a
/// search with so many nodes misses.
fn count(seed: u64, positions: usize, nodes: &[u64]) -> ([usize; 2], [usize; 2]) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut searcher = FreshSearcher::default();
    let (mut seen, mut missed) = ([0; 2], [0; 2]);
    while seen[0] + seen[1] < positions {
        // Half of them under renju, where wins hide.
        let rule = Rule::ALL[rng.usize(0..Rule::ALL.len())];
        let rule = if rng.bool() { Rule::Renju } else { rule };
        let position = random_position(&mut rng, rule);
        let Some(plies) = short_win(&position) else {
            continue;
        };
        seen[usize::from(plies == 5)] += 1;
        for &nodes in nodes {
            let found = searcher.search(&position, nodes);
            // A win that hides under renju may be played before an iteration has seen it.
            let best = at(found.best().unwrap()).unwrap();
            let wins = || wins_by(&mut Board::of(&position), best, 5);
            if !found.score.is_win() && !wins() {
                println!("{plies} plies, {nodes} nodes: {position:?}, {found:?}");
                missed[usize::from(plies == 5)] += 1;
            }
        }
        if (seen[0] + seen[1]).is_multiple_of(100) {
            println!("{seen:?}, missed {missed:?}");
        }
    }
    (seen, missed)
}

#[test]
fn no_short_win_is_missed() {
    let (seen, missed) = count(33, 60, &[400]);
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    assert_eq!(missed, [0; 2]);
}

/// More of the same: `cargo test --release -p quincunx-engine --test short_wins -- --ignored`.
#[test]
#[ignore = "takes an hour"]
fn no_short_win_is_missed_at_volume() {
    let (_, missed) = count(34, 10_000, &[400, 700, 3_000]);
    assert_eq!(missed, [0; 2]);
}

/// Black wins by an open four at d8 or h8, which look forbidden. Quiescence after other moves
/// once took four thousand nodes before the first iteration was complete, and until then the
/// move was g6.
#[test]
fn an_open_four_that_looks_forbidden_is_played_with_any_number_of_nodes() {
    let line = "14 renju d4a6c4c6e6b9d6d2f8c2d9--b7--g8--e8--f5--";
    let position = Position::from_line(line).unwrap();
    for nodes in [1, 100, 400, 3_000, 100_000] {
        let found = FreshSearcher::default().search(&position, nodes);
        assert_eq!(found.best().unwrap().to_string(), "d8", "{nodes}");
        assert_eq!(found.score.is_win(), nodes > 1, "{nodes}");
    }
}

/// Where quiescence could take all nodes, the first iteration is complete, and has a value for
/// every move.
#[test]
fn the_first_iteration_ends_whatever_quiescence_does() {
    let line = "14 renju d4a6c4c6e6b9d6d2f8c2d9--b7--g8--e8--f5--";
    let position = Position::from_line(line).unwrap();
    let wins = ["d8", "h8"].map(|point| point.parse().unwrap());
    let mut searcher = FreshSearcher::default();
    for nodes in [400, 1_000, 2_000] {
        let excluded = wins.into_iter().collect();
        let found = searcher.search_without(&position, excluded, nodes, &mut ());
        assert!(found.depth >= 1, "{nodes}: {found:?}");
    }
}
