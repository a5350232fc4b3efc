//! The referee against the definitions, undo and redo over random games.

#![allow(clippy::unwrap_used)]

use super::play::has_stone;
use super::*;
use crate::position::{Forbidden, Position};
use crate::rules::{BoardSize, Color, Direction, Point, PointSet, Rule};
use proptest::prelude::*;

fn game(rule: Rule, opening: &str) -> Game {
    let size = BoardSize::default();
    let opening = Opening::parse(rule, size, opening).unwrap();
    Game::from_opening(rule, size, &opening)
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

/// The result of one more move under tournament rules.
fn last(rule: Rule, opening: &str, move_: &str) -> Option<Termination> {
    let mut game = game(rule, opening);
    let _ = game.play_or_lose(point(move_));
    game.result().map(|result| result.termination)
}

#[test]
fn impossible_moves_are_refused_or_lose() {
    let mut game = game(Rule::Freestyle, "h8");
    assert_eq!(game.play(point("h8")), Err(MoveError::Taken(point("h8"))));
    let size = game.size();
    assert_eq!(game.play(point("p1")), Err(MoveError::OffBoard(size)));
    assert_eq!(game.play(Point::NONE), Err(MoveError::OffBoard(size)));
    assert_eq!((game.ply(), game.result()), (1, None));
    game.play_or_lose(point("h8")).unwrap_err();
    let result = GameResult::win(Color::Black, Termination::IllegalMove);
    assert_eq!((game.ply(), game.result()), (1, Some(result)));
    assert_eq!(game.play(point("a1")), Err(MoveError::Over(result)));
    assert_eq!(game.pass(), Err(MoveError::Over(result)));
}

#[test]
fn renju_restricts_black_only() {
    let six = "a1a15b1b15c1c15e1e15f1f14";
    let overline = Some(Termination::Forbidden(Forbidden::Overline));
    let five = Some(Termination::Five);
    assert_eq!(last(Rule::Renju, six, "d1"), overline);
    assert_eq!(last(Rule::Freestyle, six, "d1"), five);
    assert_eq!(last(Rule::Standard, six, "d1"), None);
    assert_eq!(
        last(Rule::Renju, "o15a1o13b1o11c1m15e1m13f1m11", "d1"),
        five
    );
    let threes = "h7a1h6a15g8o1f8o15";
    let double = Some(Termination::Forbidden(Forbidden::DoubleThree));
    assert_eq!(last(Rule::Renju, threes, "h8"), double);
    let mut game = game(Rule::Renju, threes);
    let kind = Forbidden::DoubleThree;
    assert_eq!(game.forbidden_points(), [(point("h8"), kind)]);
    assert_eq!(
        game.play(point("h8")),
        Err(MoveError::Forbidden(point("h8"), kind))
    );
    assert_eq!(game.result(), None);
}

#[test]
fn caro_wants_an_open_end() {
    let closed = "b1a1c1g1d1o15e1o13";
    assert_eq!(last(Rule::Caro, closed, "f1"), None);
    assert_eq!(last(Rule::CaroOverline, closed, "f1"), None);
    assert_eq!(last(Rule::Freestyle, closed, "f1"), Some(Termination::Five));
    assert_eq!(
        last(Rule::Caro, "a1f1b1o15c1o13d1o11", "e1"),
        Some(Termination::Five)
    );
}

#[test]
fn a_full_board_is_a_draw() {
    let size = BoardSize::square(5).unwrap();
    let mut game = Game::new(Rule::Standard, size);
    // Blocks of two and two: no five in a row anywhere.
    let moves = "a5b5c5d5e5a4b4c4d4e4b3a3d3c3a2e3c2b2e2d2b1a1d1c1e1";
    let full = Position::from_moves(Rule::Standard, size, moves).unwrap();
    for (_, point) in full.moves() {
        assert_eq!(game.result(), None);
        game.play(point).unwrap();
    }
    assert_eq!(
        game.result(),
        Some(GameResult::draw(Termination::BoardFull))
    );
    assert_eq!(Game::from_position(full).result(), game.result());
}

/// The only point left is the gap in black's row of seven.
#[test]
fn a_game_with_forbidden_points_only_can_be_a_draw() {
    let moves = "c5c4b3d5f4a2f1c3b2c2d3a3e1e2d2e3d4e4a1g5e5f5f2g2f3g3c1g4b4b5b1a4g1a5";
    let size = BoardSize::new(7, 5).unwrap();
    let stuck = Position::from_moves(Rule::Renju, size, moves).unwrap();
    let mut game = Game::new(Rule::Renju, size).drawn_when_stuck();
    for (_, point) in stuck.moves() {
        assert_eq!(game.result(), None);
        game.play(point).unwrap();
    }
    let draw = Some(GameResult::draw(Termination::BoardFull));
    assert_eq!(game.result(), draw);
    assert!(game.undo());
    assert_eq!((game.ply(), game.result()), (33, None));
    assert!(game.redo());
    assert_eq!(game.result(), draw);
    let mut tournament = Game::from_position(stuck);
    assert_eq!(tournament.result(), None);
    let _ = tournament.play_or_lose(point("d1"));
    let foul = Termination::Forbidden(Forbidden::Overline);
    let lost = Some(GameResult::loss(Color::Black, foul));
    assert_eq!(tournament.result(), lost);
    assert_eq!(tournament.drawn_when_stuck().result(), lost);
}

#[test]
fn long_games_can_be_cut() {
    let mut game = game(Rule::Freestyle, "a1").with_move_limit(3);
    game.play(point("f1")).unwrap();
    assert_eq!(game.result(), None);
    game.play(point("j10")).unwrap();
    let draw = Some(GameResult::draw(Termination::MoveLimit));
    assert_eq!(game.result(), draw);
    assert_eq!(
        super::tests::game(Rule::Renju, "h8i9")
            .with_move_limit(2)
            .result(),
        draw
    );
}

#[test]
fn endings_without_a_move_are_taken_back_alone() {
    let mut game = game(Rule::Freestyle, "h8");
    game.play(point("i9")).unwrap();
    game.resign(Color::White);
    let resigned = Some(GameResult::win(Color::Black, Termination::Resignation));
    assert_eq!(game.result(), resigned);
    game.end(GameResult::draw(Termination::Agreement));
    assert_eq!(game.result(), resigned, "the first ending counts");
    assert!(game.undo());
    assert_eq!((game.ply(), game.result()), (2, None));
    assert!(game.undo());
    assert!(!game.undo(), "the opening stays");
    assert!(game.redo() && game.redo());
    assert_eq!((game.ply(), game.result()), (2, resigned));
    assert!(!game.redo());
}

#[test]
fn a_new_move_forgets_what_was_taken_back() {
    let mut game = game(Rule::Freestyle, "");
    for text in ["h8", "i9", "g10"] {
        game.play(point(text)).unwrap();
    }
    assert!(game.undo() && game.undo());
    assert_eq!(
        game.undone().collect::<Vec<_>>(),
        [point("i9"), point("g10")]
    );
    game.play(point("a1")).unwrap();
    assert!(!game.redo());
    assert_eq!(game.position().move_text(), "h8a1");
}

#[test]
fn passes_change_the_side() {
    let mut game = game(Rule::Renju, "");
    game.pass().unwrap();
    assert_eq!(game.side(), Color::White);
    game.play(point("h8")).unwrap();
    assert_eq!(game.position().move_text(), "--h8");
    assert!(game.undo() && game.undo());
    assert_eq!(game.side(), Color::Black);
}

#[test]
fn every_line_that_wins_is_shown() {
    let mut game = game(Rule::Freestyle, "a1o1b1o3c1o5d1o7e2o9e3o11e4o13e5n1f6n3");
    game.play(point("e1")).unwrap();
    let stones: Vec<String> = game
        .winning_stones()
        .iter()
        .map(|p| p.to_string())
        .collect();
    assert_eq!(
        stones,
        ["a1", "b1", "c1", "d1", "e1", "e2", "e3", "e4", "e5"]
    );
    game.undo();
    assert!(game.winning_stones().is_empty());
}

/// Of stones that were set up the last one may stand anywhere, and be the opponent's.
#[test]
fn a_line_that_was_set_up_is_shown() {
    let mut position = Position::new(Rule::Freestyle, BoardSize::default());
    for text in ["a1", "b1", "c1", "d1", "e1", "h8"] {
        position.place(Color::Black, point(text));
    }
    position.place(Color::White, point("o15"));
    let stones: Vec<String> = (Game::from_position(position).winning_stones().iter())
        .map(|p| p.to_string())
        .collect();
    assert_eq!(stones, ["a1", "b1", "c1", "d1", "e1"]);
}

/// Returns whether the stone on `point` wins, by the definition alone.
fn wins_by_definition(position: &Position, side: Color, point: Point) -> bool {
    Direction::ALL.into_iter().any(|direction| {
        let mut run = 1;
        let mut ends = Vec::new();
        for sign in [-1, 1] {
            let mut place = point.step(direction, sign);
            while has_stone(position, place, side) {
                run += 1;
                place = place.step(direction, sign);
            }
            ends.push(has_stone(position, place, side.opponent()));
        }
        position
            .rule()
            .run_wins(side, run, ends.iter().all(|&end| end))
    })
}

/// A game of random moves, forbidden ones and passes among them; `watch` sees
/// it after each.
fn random_game(rule: Rule, seed: u64, mut watch: impl FnMut(&mut Game)) -> Game {
    let mut random = fastrand::Rng::with_seed(seed);
    let size = BoardSize::new(random.usize(5..12), random.usize(5..12)).unwrap();
    let mut game = Game::new(rule, size);
    while !game.is_over() {
        let points: Vec<Point> = size
            .iter()
            .filter(|&p| game.position().is_empty(p))
            .collect();
        let _ = match random.u8(..40) {
            0 => game.pass(),
            _ => game.play_or_lose(random.choice(points).unwrap()),
        };
        watch(&mut game);
    }
    game
}

/// Random games against a judge that only knows the definition.
#[test]
fn results_equal_the_definition() {
    for rule in Rule::ALL {
        for seed in 0..60 {
            let mut winner = None;
            random_game(rule, seed, |game| {
                let (color, point) = game.moves().next_back().unwrap();
                let result = game.result();
                let forbidden = matches!(
                    result.map(|result| result.termination),
                    Some(Termination::Forbidden(_))
                );
                if point == Point::NONE || forbidden {
                    assert!(!forbidden || rule.forbids(color));
                    return;
                }
                let won = wins_by_definition(game.position(), color, point);
                let five = GameResult::win(color, Termination::Five);
                assert_eq!(result == Some(five), won, "{:?}", game.position());
                let stones = game.winning_stones();
                assert_eq!(stones.has(point), won);
                assert!(!won || stones.len() >= 5);
                winner = result.and_then(|result| result.winner);
            });
        }
    }
}

/// What undo and redo must bring back.
fn state(game: &Game) -> (String, u64, Color, Option<GameResult>, PointSet) {
    let position = game.position();
    let result = game.result();
    let text = position.move_text();
    (
        text,
        position.key(),
        game.side(),
        result,
        game.winning_stones(),
    )
}

proptest! {
    /// Everything can be taken back to the start and made again.
    #[test]
    fn redo_is_the_inverse_of_undo(
        seed in any::<u64>(),
        rule in proptest::sample::select(Rule::ALL.to_vec()),
        resigns in any::<bool>(),
        back in any::<prop::sample::Index>(),
    ) {
        let mut states = Vec::new();
        let mut game = random_game(rule, seed, |game| states.push(state(game)));
        if resigns && game.result().is_some_and(|result| result.winner.is_none()) {
            game.undo();
            states.pop();
            game.resign(Color::White);
            states.push(state(&game));
        }
        let steps = back.index(states.len());
        for i in 0..steps {
            prop_assert_eq!(&state(&game), &states[states.len() - 1 - i]);
            prop_assert!(game.undo());
        }
        for i in (0..=steps).rev() {
            prop_assert_eq!(&state(&game), &states[states.len() - 1 - i]);
            prop_assert_eq!(game.redo(), i > 0);
        }
    }
}

/// Lists of moves may go on after the end.
#[test]
fn the_first_line_decides() {
    let result = |rule, text| {
        let position = Position::from_moves(rule, BoardSize::default(), text).unwrap();
        decided_by_stones(&position).map(|result| (result.winner, result.termination))
    };
    let (black, white) = (Some(Color::Black), Some(Color::White));
    let five = Termination::Five;
    let overline = Termination::Forbidden(Forbidden::Overline);
    let row = "a1a2b1b2c1c2d1d2";
    assert_eq!(result(Rule::Freestyle, row), None);
    let text = format!("{row}e1e2g7");
    assert_eq!(result(Rule::Freestyle, &text), Some((black, five)));
    let text = "a1a15b1c15c1e15d1g15f1i15e1k15h8a13h9c13h10e13h11g13h12";
    assert_eq!(result(Rule::Renju, text), Some((white, overline)));
    let six = "a1a15b1c15c1e15d1g15f1i15e1";
    assert_eq!(result(Rule::Standard, six), None);
}
