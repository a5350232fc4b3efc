//! The referee against the definitions, undo and redo, and game files over
//! random games.

#![allow(clippy::unwrap_used)]

use super::play::has_stone;
use super::*;
use crate::position::{Forbidden, Position};
use crate::rules::{BoardSize, Color, Direction, Point, PointSet, Rule};
use core::time::Duration;
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

/// Whether the stone on `point` wins, by the definition alone.
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

    /// SGF and text give back the moves, the result and the rule of any game.
    #[test]
    fn records_round_trip(
        seed in any::<u64>(),
        rule in proptest::sample::select(Rule::ALL.to_vec()),
        names in ("[!-~]([ -~]{0,9}[!-~])?", "[!-~]?"),
        comment in "[^\r]{0,20}",
    ) {
        let game = random_game(rule, seed, |_| ());
        let mut record = GameRecord::of(&game);
        (record.black, record.white) = names;
        record.date = Some(Date::from_unix(seed % 9_999_999_999));
        record.moves[0].comment.clone_from(&comment);
        record.comment = comment;
        let read = sgf::read(&sgf::write(&record)).unwrap();
        prop_assert_eq!(&read, &record);
        let replayed = read.replay(Rule::default()).unwrap();
        prop_assert_eq!(state(&replayed), state(&game));
        let text = game.position().move_text();
        let position = Position::from_moves(rule, game.size(), &text).unwrap();
        prop_assert_eq!(position.key(), game.position().key());
    }

    /// PSQ gives back the moves and the players of games without passes.
    #[test]
    fn psq_round_trips(seed in any::<u64>(), rule in 0..2usize, times in any::<u16>()) {
        let rule = [Rule::Freestyle, Rule::Renju][rule];
        let game = random_game(rule, seed, |_| ());
        let mut record = GameRecord::of(&game);
        (record.black, record.white) = ("A, B".to_owned(), "w".to_owned());
        for played in &mut record.moves {
            played.time = Some(Duration::from_millis(times.into()));
        }
        let passed = record.moves.iter().any(|played| played.point == Point::NONE);
        match psq::write(&record) {
            Err(psq::PsqError::OutOfTurn(_)) => prop_assert!(passed),
            Err(error) => panic!("{error}"),
            Ok(text) => {
                let read = psq::read(&text).unwrap();
                prop_assert_eq!(&read.moves, &record.moves);
                prop_assert_eq!((&read.black, read.size), (&record.black, record.size));
                if rule == Rule::Freestyle
                    || matches!(game.result().unwrap().termination, Termination::Forbidden(_))
                {
                    prop_assert_eq!(read.result, record.result);
                }
            }
        }
    }

    /// Files of any content are read or refused, never with a panic.
    #[test]
    fn files_of_any_content(noise in "[();A-Ca-z0-9\\[\\]:,\n]{0,60}", at in any::<prop::sample::Index>()) {
        let record = GameRecord::of(&game(Rule::Renju, "h8i9g10"));
        for text in [sgf::write(&record), psq::write(&record).unwrap()] {
            let mut damaged = text.clone();
            damaged.insert_str(at.index(text.len()), &noise);
            for text in [&damaged, &text[..at.index(text.len())], &noise] {
                let read = [sgf::read(text).ok(), psq::read(text).ok()];
                for record in read.into_iter().flatten() {
                    let _ = record.replay(Rule::Renju);
                }
            }
        }
    }
}

#[test]
fn sgf_of_other_programs_is_understood() {
    let text = "(;GaMe[4]FF[3]SiZe[15]PlayerBlack[A\nB]RU[unknown]RE[W+Resign]DT[2026-11]\
                AB[hh:ii][aa]AE[ii]AW[gg]PL[W]C[a set-up];W[tt];B[];W[o1]C[corner](;B[ab];W[ac])(;B[ad]))";
    let record = sgf::read(text).unwrap();
    assert_eq!(
        (record.black.as_str(), record.rule, record.date),
        ("A B", None, None)
    );
    let setup: Vec<String> = record
        .setup
        .iter()
        .map(|(c, p)| format!("{c} {p}"))
        .collect();
    let expected = ["black h7", "black h8", "black i8", "black a15", "white g9"];
    assert_eq!(setup, expected);
    let points: Vec<String> = record.moves.iter().map(|m| m.point.to_string()).collect();
    assert_eq!(points, ["--", "--", "o1", "a14", "a13"]);
    assert_eq!(record.moves[2].comment, "corner");
    assert_eq!(
        (record.comment.as_str(), record.first),
        ("a set-up", Color::White)
    );
    let game = record.replay(Rule::Standard).unwrap();
    assert_eq!(
        (game.rule(), game.opening().count(), game.moves().count()),
        (Rule::Standard, 5, 5)
    );
    let resigned = GameResult::win(Color::White, Termination::Resignation);
    assert_eq!(game.result(), Some(resigned));
}

/// Rows of SGF, PSQ and the protocol count from the top, those of points from
/// the bottom.
#[test]
fn a1_is_the_bottom_left_point_in_every_format() {
    let size = BoardSize::new(20, 15).unwrap();
    let mut game = Game::new(Rule::Freestyle, size);
    game.play(point("a1")).unwrap();
    game.play(point("t15")).unwrap();
    let record = GameRecord::of(&game);
    assert!(sgf::write(&record).ends_with("SZ[20:15]RU[freestyle];B[ao];W[ta])"));
    let psq = psq::write(&record).unwrap();
    assert_eq!(psq, "Piskvorky 20x15, 11:11, 0\n1,15,0\n20,1,0\n\n\n0\n");
    let text = Position::from_moves(Rule::Freestyle, size, "0,14 19,0").unwrap();
    assert_eq!(text.key(), game.position().key());
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    for (text, complaint) in [
        ("", "line 1, column 1: there is no game tree"),
        ("(;GM[1]SZ[19];B[aa])", "node 1: GM[1]: this is not Gomoku"),
        ("(;GM[4]SZ[23])", "node 1: SZ[23]: expected a board"),
        (
            "(;SZ[9];B[aa];W[jj])",
            "node 3: W[jj]: there is no such point on the 9 board",
        ),
        (
            "(;SZ[9];B[aa]AW[bb])",
            "node 2: AW[bb]: set-up is only understood before",
        ),
        ("(;PL[x])", "node 1: PL[x]: expected B or W"),
        ("(;B[aa]\n;W[bb", "line 2, column 6: the text ends"),
    ] {
        let error = sgf::read(text).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{text}: {error}");
    }
    for (text, complaint) in [
        ("", "line 1: expected a line such as"),
        ("Piskvorky 4x4, 11:11, 0", "line 1: expected a board"),
        (
            "Piskvorky 9x9, 11:11, 0\n1,1,5\n10,1,5\n",
            "line 3: there is no point 10,1",
        ),
        (
            "Piskvorky 9x9, 11:11, 0\n0,1,5\n",
            "line 2: there is no point 0,1",
        ),
    ] {
        let error = psq::read(text).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{text}: {error}");
    }
    let twice = sgf::read("(;GM[4];B[aa];W[aa])").unwrap();
    let error = twice.replay(Rule::Freestyle).unwrap_err();
    assert_eq!(error.to_string(), "move 2: a15 is taken");
}
