//! The position against the slow auditor, over random games on random boards
//! under every rule.
#![allow(clippy::unwrap_used)]

use quincunx::pattern::Class;
use quincunx::position::{Auditor, Position};
use quincunx::rules::{BoardSize, Color, Point, Rule};

/// A random move, near other stones more often than not, so that lines come
/// about.
fn random_point(rng: &mut fastrand::Rng, position: &Position) -> Option<Point> {
    let size = position.size();
    let empty: Vec<Point> = size.iter().filter(|&p| position.is_empty(p)).collect();
    let near: Vec<Point> = empty
        .iter()
        .copied()
        .filter(|&p| {
            size.iter()
                .any(|q| position.stone(q).is_some() && p.distance(q) <= 2)
        })
        .collect();
    let pool = if near.is_empty() || rng.u8(0..8) == 0 {
        &empty
    } else {
        &near
    };
    rng.choice(pool).copied()
}

fn random_size(rng: &mut fastrand::Rng) -> BoardSize {
    if rng.bool() {
        BoardSize::square(rng.usize(5..=22)).unwrap()
    } else {
        BoardSize::new(rng.usize(5..=22), rng.usize(5..=22)).unwrap()
    }
}

/// The lists of fours against a look at every point.
fn check_fours(position: &Position) {
    for color in Color::ALL {
        let fours = |wanted: &dyn Fn(Class) -> bool| -> Vec<Point> {
            let is_one = |&point: &Point| wanted(position.class(color, point));
            position.size().iter().filter(is_one).collect()
        };
        let all: Vec<Point> = position.fours(color).collect();
        assert_eq!(all, fours(&Class::is_four));
        assert_eq!(position.counts(color).fours(), all.len());
        for class in Class::ALL.into_iter().filter(|class| class.is_four()) {
            let listed: Vec<Point> = position.fours_of(color, class).collect();
            assert_eq!(listed, fours(&|other| other == class));
        }
    }
}

/// What the last move changed against a look at every point.
fn check_changed(before: &Position, after: &Position) {
    let mut listed: Vec<Point> = after
        .last_changes()
        .iter()
        .map(|change| change.point)
        .collect();
    listed.sort();
    let differs = |&point: &Point| {
        before.is_empty(point) != after.is_empty(point)
            || before.standing(point) != after.standing(point)
    };
    let different: Vec<Point> = after.size().iter().filter(differs).collect();
    assert!(different.iter().all(|point| listed.contains(point)));
    // Shapes may change places without making the point another.
    assert!(listed.len() <= 41 && listed.iter().all(|&p| after.size().has(p)));
}

#[test]
fn everything_incremental_survives_random_games() {
    let mut rng = fastrand::Rng::with_seed(20_261_121);
    let mut moves_checked = 0;
    for rule in Rule::ALL {
        let mut auditor = Auditor::new(rule);
        for game in 0..400 {
            let mut position = Position::new(rule, random_size(&mut rng));
            if game % 5 == 0 {
                for _ in 0..rng.usize(0..4) {
                    let point = random_point(&mut rng, &position).unwrap();
                    position.block(point);
                }
            }
            let mut keys = vec![];
            for _ in 0..rng.usize(1..40) {
                let Some(point) = random_point(&mut rng, &position) else {
                    break;
                };
                keys.push(position.key());
                match rng.u8(0..20) {
                    0 => position.pass(),
                    1 => position.place(position.side().opponent(), point),
                    _ => {
                        let after = position.key_after(point);
                        let before = position.clone();
                        position.play(point);
                        assert_eq!(position.key(), after);
                        check_changed(&before, &position);
                    }
                }
                auditor.check(&position).unwrap();
                check_fours(&position);
                moves_checked += 1;
                if rng.u8(0..6) == 0 {
                    position.undo();
                    assert_eq!(position.key(), keys.pop().unwrap());
                    auditor.check(&position).unwrap();
                }
            }
            let copy = position.clone();
            auditor.check(&copy).unwrap();
            while let Some(key) = keys.pop() {
                position.undo();
                assert_eq!(position.key(), key);
            }
            auditor.check(&position).unwrap();
            assert_eq!(position.ply(), 0);
        }
    }
    assert!(moves_checked > 30_000, "{moves_checked}");
}

/// Whether the last stone made a winning line, by walking over the stones.
fn wins_by_walking(position: &Position, color: Color, point: Point) -> bool {
    let directions: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    directions.iter().any(|&(dx, dy)| {
        let stone = |steps: i32| {
            let x = usize::try_from(point.x() as i32 + dx * steps).ok()?;
            let y = usize::try_from(point.y() as i32 + dy * steps).ok()?;
            position.stone(position.size().point(x, y)?)
        };
        let walk = |sign: i32| {
            (1..)
                .take_while(|&i| stone(sign * i) == Some(color))
                .count() as i32
        };
        let (before, after) = (walk(-1), walk(1));
        let enemy = Some(color.opponent());
        let closed = stone(-before - 1) == enemy && stone(after + 1) == enemy;
        position
            .rule()
            .run_wins(color, (before + after + 1) as usize, closed)
    })
}

#[test]
fn wins_are_what_the_rule_says() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut wins = 0;
    for rule in Rule::ALL {
        for _ in 0..300 {
            let mut position = Position::new(rule, random_size(&mut rng));
            for _ in 0..200 {
                let Some(point) = random_point(&mut rng, &position) else {
                    break;
                };
                let color = position.side();
                position.play(point);
                let won = wins_by_walking(&position, color, point);
                assert_eq!(position.won(), won, "{position:?}");
                wins += usize::from(won);
            }
        }
    }
    assert!(wins > 500, "{wins}");
}

#[test]
fn symmetric_games_have_symmetric_classes() {
    let mut rng = fastrand::Rng::with_seed(8);
    for rule in Rule::ALL {
        for _ in 0..20 {
            let size = random_size(&mut rng);
            let mut position = Position::new(rule, size);
            for _ in 0..30 {
                if let Some(point) = random_point(&mut rng, &position) {
                    position.play(point);
                }
            }
            for symmetry in size.symmetries() {
                let mut image = Position::new(rule, size);
                for (_, point) in position.moves() {
                    image.play(symmetry.apply(size, point));
                }
                for point in size.iter() {
                    for color in Color::ALL {
                        let there = symmetry.apply(size, point);
                        assert_eq!(position.class(color, point), image.class(color, there));
                    }
                }
                for color in Color::ALL {
                    assert_eq!(position.counts(color), image.counts(color));
                }
            }
        }
    }
}
