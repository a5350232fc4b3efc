//! Positions of rated games in progress, which no board of the server analyses.

use crate::MINUTE;
use crate::club::{ANNA, BELA, OPENING, START, Tester};
use fastrand::Rng;
use quincunx_club::rooms::{Action, Limits, RunningGames};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule, Symmetry};
use std::time::Instant;
use tempfile::TempDir;

/// A club where Anna and Béla have put so many stones in a rated game.
fn club_with(folder: &TempDir, stones: &[&str]) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.play_stones(START, [ANNA, BELA], stones);
    club
}

/// Ten stones of a game.
fn ten() -> Vec<&'static str> {
    [&OPENING[..], &["j10", "g8"]].concat()
}

fn position(rule: Rule, size: &str, moves: &[String]) -> Position {
    Position::from_moves(rule, size.parse().unwrap(), &moves.concat()).unwrap()
}

fn texts(moves: &[&str]) -> Vec<String> {
    moves.iter().map(|&it| it.to_owned()).collect()
}

/// The moves on a board where the game lies elsewhere.
fn moved(moves: &[&str], dx: usize, dy: usize) -> Vec<String> {
    let moved = |point: &&str| {
        let point: Point = point.parse().unwrap();
        Point::new(point.x() + dx, point.y() + dy).to_string()
    };
    moves.iter().map(moved).collect()
}

/// Each of these was once analysed during a rated game.
#[test]
fn a_running_game_is_known_in_disguise() {
    let folder = TempDir::new().unwrap();
    let ten = ten();
    let mut club = club_with(&folder, &ten);
    let games = club.club.running_games();
    let size: BoardSize = "15".parse().unwrap();
    let turned: Vec<String> = (ten.iter())
        .map(|it| {
            Symmetry::ALL[5]
                .apply(size, it.parse().unwrap())
                .to_string()
        })
        .collect();
    let mut later = texts(&ten);
    later.extend(texts(&["k11", "l12"]));
    // The stones of one side come in another order, and one of them is missing.
    let mut without = moved(&ten, 1, 1);
    let (first, last) = (without.remove(0), without.pop().unwrap());
    without.insert(0, last);
    let mut with_another = without.clone();
    with_another.extend(["j2".to_owned(), first]);
    let exchanged: Vec<String> = texts(&ten)
        .chunks(2)
        .flat_map(|it| [&it[1], &it[0]])
        .cloned()
        .collect();
    let free = Rule::Freestyle;
    for (what, position) in [
        ("itself", position(free, "15", &texts(&ten))),
        ("turned", position(free, "15", &turned)),
        ("another rule", position(Rule::Renju, "15", &texts(&ten))),
        ("16x16", position(free, "16", &texts(&ten))),
        ("moved on 16x16", position(free, "16", &moved(&ten, 1, 0))),
        (
            "moved on 22x18",
            position(Rule::Standard, "22x18", &moved(&ten, 7, 3)),
        ),
        ("later", position(free, "15", &later)),
        ("a stone is another", position(free, "17", &with_another)),
        ("exchanged", position(free, "15", &exchanged)),
    ] {
        assert!(games.have(&position), "{what}");
    }
    let mut passed = position(free, "15", &texts(&ten));
    passed.pass();
    assert!(games.have(&passed), "a pass");
    club.say(ANNA, &Action::Resign);
    let ended = club.club.running_games();
    assert!(!ended.have(&position(free, "15", &texts(&ten))));
}

/// Analysis of an opening was once refused while a rated game began with it.
#[test]
fn openings_are_open_to_all() {
    let folder = TempDir::new().unwrap();
    let ten = ten();
    let games = club_with(&folder, &ten[..9]).club.running_games();
    assert!(!games.have(&position(Rule::Freestyle, "15", &texts(&ten[..9]))));
    let folder = TempDir::new().unwrap();
    let games = club_with(&folder, &ten).club.running_games();
    for stones in 0..10 {
        let opening = position(Rule::Freestyle, "15", &texts(&ten[..stones]));
        assert!(!games.have(&opening), "{stones}");
    }
    // Another game with as many stones is none of them.
    let mut random = Rng::with_seed(1);
    for _ in 0..200 {
        let other = random_position(&mut random, 40);
        assert!(!games.have(&other), "{}", other.move_text());
    }
    assert!(!RunningGames::default().have(&position(Rule::Freestyle, "15", &texts(&ten))));
}

/// A position of random stones.
fn random_position(random: &mut Rng, stones: usize) -> Position {
    let mut position = Position::new(Rule::Freestyle, BoardSize::square(15).unwrap());
    while position.ply() < stones {
        let point = Point::new(random.usize(..15), random.usize(..15));
        if position.stone(point).is_none() {
            position.play(point);
        }
    }
    position
}

/// The check agrees with a slow one that tries every symmetry, place and pair of colours.
#[test]
fn the_check_agrees_with_a_slow_one() {
    let folder = TempDir::new().unwrap();
    let ten = ten();
    let games = club_with(&folder, &ten).club.running_games();
    let stones: Vec<(usize, i32, i32)> = (ten.iter().enumerate())
        .map(|(ply, it)| {
            let point: Point = it.parse().unwrap();
            (ply % 2, point.x() as i32, point.y() as i32)
        })
        .collect();
    let mut random = Rng::with_seed(7);
    let mut known = 0;
    for round in 0..100 {
        // The game without up to two of its stones, among others, or something else.
        let mut lists = [Vec::new(), Vec::new()];
        let (dx, dy) = (random.i32(0..3), random.i32(0..3));
        let absent = random.usize(..4);
        let mirrored = random.bool();
        for &(side, x, y) in stones.iter().skip(absent) {
            let x = if mirrored { 14 - x } else { x };
            lists[side].push(Point::new((x + dx) as usize, (y + dy) as usize));
        }
        let mut position = Position::new(Rule::Freestyle, BoardSize::square(18).unwrap());
        while lists.iter().any(|it| !it.is_empty()) || position.ply() < 14 {
            let side = position.ply() % 2;
            let point = lists[side].pop().unwrap_or_else(|| {
                loop {
                    let point = Point::new(random.usize(..18), random.usize(..18));
                    let is_wanted = lists.iter().any(|it| it.contains(&point));
                    if position.stone(point).is_none() && !is_wanted {
                        return point;
                    }
                }
            });
            position.play(point);
        }
        let expected = is_there(&stones, &position);
        assert_eq!(games.have(&position), expected, "{round} {absent}");
        known += usize::from(expected);
    }
    assert!((20..80).contains(&known), "{known}");
}

/// Returns true if all stones of a game but one are on the board.
fn is_there(stones: &[(usize, i32, i32)], position: &Position) -> bool {
    let at = |x: i32, y: i32| {
        let is_on = (0..18).contains(&x) && (0..18).contains(&y);
        let stone = is_on.then(|| position.stone(Point::new(x as usize, y as usize)));
        stone
            .flatten()
            .map(|color| usize::from(color == Color::White))
    };
    let mut found = false;
    for exchanged in 0..2 {
        for turn in 0..8 {
            for (dx, dy) in (-18..33).flat_map(|dx| (-18..33).map(move |dy| (dx, dy))) {
                let lacks = stones.iter().filter(|(side, x, y)| {
                    let (x, y) = if turn & 1 == 0 { (*x, *y) } else { (*y, *x) };
                    let x = if turn & 2 == 0 { x } else { -x };
                    let y = if turn & 4 == 0 { y } else { -y };
                    at(x + dx, y + dy) != Some(side ^ exchanged)
                });
                found |= lacks.count() <= 1;
            }
        }
    }
    found
}

/// The time of a check against a thousand games.
#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stdout)]
fn the_check_is_fast() {
    let folder = TempDir::new().unwrap();
    let moves: Vec<String> = {
        let mut random = Rng::with_seed(3);
        random_position(&mut random, 30)
            .moves()
            .map(|(_, it)| it.to_string())
            .collect()
    };
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let games = club_with(&folder, &moves).club.running_games();
    let full = random_position(&mut Rng::with_seed(4), 150);
    let began = Instant::now();
    for _ in 0..1000 {
        assert!(!games.have(&full));
    }
    println!("a thousand games: {:?}", began.elapsed());
}
