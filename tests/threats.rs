//! What is claimed without search, proved by brute force on random positions.
#![allow(clippy::unwrap_used)]

use quincunx::pattern::Class;
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Point, Rule};
use quincunx::threats::{Outlook, answers, outlook};

fn empty_points(position: &Position) -> Vec<Point> {
    position
        .size()
        .iter()
        .filter(|&p| position.is_empty(p))
        .collect()
}

/// Whether the side to move wins within `plies` whatever the other does. Only
/// moves that make at least an open three are tried for the winner, every
/// legal reply for the loser: "yes" is a proof.
fn wins_within(position: &mut Position, plies: usize) -> bool {
    let side = position.side();
    empty_points(position).into_iter().any(|point| {
        let class = position.class(side, point);
        let serves = class == Class::Five || (plies > 1 && class >= Class::OpenThree);
        if !serves || !position.is_legal(point) {
            return false;
        }
        position.play(point);
        let wins = position.won() || (plies > 2 && loses_within(position, plies - 1));
        position.undo();
        wins
    })
}

/// Whether every legal reply of the side to move loses within `plies`.
fn loses_within(position: &mut Position, plies: usize) -> bool {
    empty_points(position)
        .into_iter()
        .all(|point| reply_loses(position, point, plies))
}

fn reply_loses(position: &mut Position, point: Point, plies: usize) -> bool {
    if !position.is_legal(point) {
        return true;
    }
    position.play(point);
    let loses = !position.won() && wins_within(position, plies - 1);
    position.undo();
    loses
}

/// A few stones close together, so that threats abound.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::square(rng.usize(7..=10)).unwrap();
    let mut position = Position::new(rule, size);
    for _ in 0..rng.usize(6..=26) {
        let point = Point::new(rng.usize(0..size.width()), rng.usize(0..size.height()));
        let wins = position.class(position.side(), point) == Class::Five;
        if position.is_empty(point) && !wins && position.is_legal(point) {
            position.play(point);
        }
    }
    position
}

#[test]
fn static_claims_are_true() {
    let mut rng = fastrand::Rng::with_seed(1993);
    let mut seen = [0; 6];
    for rule in Rule::ALL {
        for _ in 0..4_000 {
            let mut position = random_position(&mut rng, rule);
            let claim = outlook(&mut position);
            let (kind, holds) = match claim {
                Outlook::Win(1) => (0, wins_within(&mut position, 1)),
                Outlook::Win(plies) => (plies / 2, wins_within(&mut position, plies)),
                Outlook::Loss(plies) => (3, loses_within(&mut position, plies)),
                Outlook::Forced(only) => {
                    let others = empty_points(&position);
                    let holds = others
                        .into_iter()
                        .filter(|&p| p != only)
                        .all(|p| reply_loses(&mut position, p, 2));
                    (4, holds)
                }
                Outlook::Threatened => (5, true),
                Outlook::Open => continue,
            };
            assert!(holds, "{claim:?} is wrong in {position:?}");
            seen[kind] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 40), "{seen:?}");
}

#[test]
fn moves_left_out_of_the_answers_lose() {
    let mut rng = fastrand::Rng::with_seed(1994);
    let mut left_out = 0;
    let mut hopeless = 0;
    for rule in Rule::ALL {
        for _ in 0..6_000 {
            let mut position = random_position(&mut rng, rule);
            if outlook(&mut position) != Outlook::Threatened {
                continue;
            }
            let answers = answers(&position);
            let side = position.side();
            let five_next = position.counts(side.opponent()).any(Class::Five);
            for point in empty_points(&position) {
                let keeps_the_move = !five_next && position.class(side, point).is_four();
                // A forbidden class may hide a four that is legal.
                let unclear = position.class(side, point) == Class::Forbidden;
                if answers.has(point) || keeps_the_move || unclear {
                    continue;
                }
                let plies = if five_next { 2 } else { 4 };
                assert!(
                    reply_loses(&mut position, point, plies),
                    "{point} is an answer in {position:?}"
                );
                left_out += 1;
            }
            hopeless += usize::from(answers.is_empty());
        }
    }
    assert!(left_out > 10_000, "{left_out}");
    assert!(hopeless > 20, "{hopeless}");
}
