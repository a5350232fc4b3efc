//! Tables and incremental positions against the text of the rules, at volume.
//!
//! The number of positions a rule is small for a test run; the environment
//! variable `QUINCUNX_POSITIONS` sets another.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::pattern::Class;
use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_engine::search::{Limits, Searcher, TranspositionTable};
use quincunx_testing::oracle::Board;
use quincunx_testing::weights::weights;
use std::collections::BTreeSet;
use std::sync::Arc;

fn positions_wanted() -> usize {
    let told = std::env::var("QUINCUNX_POSITIONS").ok();
    told.map_or(1_500, |number| number.parse().unwrap())
}

/// Stones anywhere, few or many, or played near each other as in games.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::new(rng.usize(5..=22), rng.usize(5..=22)).unwrap();
    let mut position = Position::new(rule, size);
    let dense = rng.bool();
    let blocked = if rng.u8(0..8) == 0 {
        rng.usize(1..4)
    } else {
        0
    };
    let stones = if dense {
        size.points() * rng.usize(10..70) / 100
    } else {
        rng.usize(4..60)
    };
    let mut last = size.centre();
    for number in 0..stones + blocked {
        let reach = if dense { 22 } else { 3 };
        let near = |rng: &mut fastrand::Rng, around: usize, side: usize| {
            rng.usize(around.saturating_sub(reach)..(around + reach + 1).min(side))
        };
        let point = Point::new(
            near(rng, last.x(), size.width()),
            near(rng, last.y(), size.height()),
        );
        if !position.is_empty(point) {
            continue;
        }
        if number < blocked {
            position.block(point);
        } else {
            // Colours in any order: black has runs of stones to trip over.
            let color = if rng.u8(0..3) > 0 {
                Color::Black
            } else {
                Color::White
            };
            position.place(
                if dense || rule == Rule::Renju {
                    color
                } else {
                    position.side()
                },
                point,
            );
            last = point;
        }
    }
    position
}

fn check(position: &mut Position) -> usize {
    let mut board = Board::of(position);
    let mut forbidden = 0;
    for point in position
        .size()
        .iter()
        .filter(|&p| position.is_empty(p))
        .collect::<Vec<_>>()
    {
        let at = (point.x() as i32, point.y() as i32);
        for color in Color::ALL {
            let wins = position.class(color, point) == Class::Five;
            assert_eq!(
                wins,
                board.wins(color, at),
                "{color} {point} in {position:?}"
            );
        }
        if position.rule() == Rule::Renju {
            let expected = board.forbidden(at);
            let found: BTreeSet<Forbidden> = position.forbidden_kinds(point).into_iter().collect();
            assert_eq!(found, expected, "{point} in {position:?}");
            let weightiest = position.forbidden_to_black(point);
            assert_eq!(
                weightiest.is_some(),
                !expected.is_empty(),
                "{point} in {position:?}"
            );
            forbidden += usize::from(weightiest.is_some());
        }
    }
    forbidden
}

fn check_rule(rule: Rule, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut forbidden = 0;
    let wanted = positions_wanted();
    for _ in 0..wanted {
        let mut position = random_position(&mut rng, rule);
        forbidden += check(&mut position);
    }
    println!("{rule}: {wanted} positions, {forbidden} forbidden points");
    assert!(rule != Rule::Renju || forbidden > wanted / 10);
}

/// Whole games of the engine against itself, with a referee that knows only
/// the rule's text. The environment variable `QUINCUNX_GAMES` sets their number.
#[test]
fn games_are_played_by_the_rules() {
    let told = std::env::var("QUINCUNX_GAMES").ok();
    let games: usize = told.map_or(4, |number| number.parse().unwrap());
    let mut rng = fastrand::Rng::with_seed(6);
    for rule in Rule::ALL {
        let mut wins = 0;
        for _ in 0..games {
            let size = BoardSize::square(rng.usize(9..=20)).unwrap();
            let mut position = Position::new(rule, size);
            let centre = size.centre();
            while position.ply() < 4 {
                let (x, y) = (
                    centre.x() - 2 + rng.usize(0..5),
                    centre.y() - 2 + rng.usize(0..5),
                );
                if position.is_legal(Point::new(x, y)) {
                    position.play(Point::new(x, y));
                }
            }
            wins += usize::from(play_out(&mut position));
        }
        println!("{rule}: {games} games, {wins} won");
        assert!(wins > 0, "{rule}");
    }
}

/// Plays on to the end; whether a side won.
fn play_out(position: &mut Position) -> bool {
    let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(4 << 20)), weights());
    let limits = Limits {
        nodes: 1_000,
        ..Limits::default()
    };
    while position.empty_points() > 0 {
        let outcome = searcher.search(position, &limits, &mut ());
        let mut board = Board::of(position);
        let Some(point) = outcome.best() else {
            let all_foul = position.size().iter().all(|p| {
                !position.is_empty(p) || !board.forbidden((p.x() as i32, p.y() as i32)).is_empty()
            });
            assert!(
                position.rule() == Rule::Renju && all_foul,
                "no move in {position:?}"
            );
            return false;
        };
        let at = (point.x() as i32, point.y() as i32);
        let side = position.side();
        if position.rule().forbids(side) {
            assert!(
                board.forbidden(at).is_empty(),
                "{point} is a foul in {position:?}"
            );
        }
        let wins = board.wins(side, at);
        position.play(point);
        assert_eq!(position.won(), wins, "{position:?}");
        if wins {
            return true;
        }
    }
    false
}

#[test]
fn freestyle_is_what_its_rule_says() {
    check_rule(Rule::Freestyle, 1);
}

#[test]
fn exact_five_is_what_its_rule_says() {
    check_rule(Rule::Standard, 2);
}

#[test]
fn renju_is_what_its_rule_says() {
    check_rule(Rule::Renju, 3);
}

#[test]
fn caro_is_what_its_rule_says() {
    check_rule(Rule::Caro, 4);
}

#[test]
fn caro_with_overlines_is_what_its_rule_says() {
    check_rule(Rule::CaroOverline, 5);
}
