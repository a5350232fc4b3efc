//! Game files over random games, and those of other programs.

#![allow(clippy::unwrap_used)]

use core::time::Duration;
use proptest::prelude::*;
use quincunx_engine::game::{Game, GameResult, Opening, Termination};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, PointSet, Rule};
use quincunx_records::{Date, GameRecord, psq, sgf};

fn game(rule: Rule, opening: &str) -> Game {
    let size = BoardSize::default();
    let opening = Opening::parse(rule, size, opening).unwrap();
    Game::from_opening(rule, size, &opening)
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
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
                    let replayed = read.replay(Rule::Freestyle).unwrap();
                    prop_assert_eq!(replayed.result(), record.result);
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
        (
            "(;GM[1]SZ[19];B[aa])",
            "line 1, column 3: GM[1]: this is not Gomoku",
        ),
        (
            "(;GM[4]SZ[23])",
            "line 1, column 8: SZ[23]: expected a board",
        ),
        (
            "(;SZ[9];B[aa];W[jj])",
            "line 1, column 15: W[jj]: there is no such point on the 9 board",
        ),
        (
            "(;SZ[9];B[aa]AW[bb])",
            "line 1, column 14: AW[bb]: set-up is only understood before",
        ),
        ("(;PL[x])", "line 1, column 3: PL[x]: expected B or W"),
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
    let twice = sgf::read("(;GM[4];B[aa];W[aa])").unwrap_err();
    assert_eq!(twice.to_string(), "line 1, column 15: W[aa]: a15 is taken");
}
