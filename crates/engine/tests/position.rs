//! The position against slow references, over random games on random boards under
//! every rule.
#![allow(clippy::unwrap_used)]

use quincunx_engine::pattern::Class;
use quincunx_engine::position::{LineCodes, MAX_RADIUS, Position, Validator};
use quincunx_engine::rules::{BoardSize, Color, Direction, Point, Rule};
use std::collections::BTreeMap;

/// Draws a move, mostly near other stones, so that lines arise.
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

/// Compares the lists of fours with the class of every point.
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
            let listed: Vec<Point> = position.fours_of_class(color, class).collect();
            assert_eq!(listed, fours(&|other| other == class));
        }
    }
}

/// Compares the changes of the last move with the state of every point.
fn check_changed(before: &Position, after: &Position) {
    let mut listed: Vec<Point> = after
        .last_changes()
        .iter()
        .map(|change| change.point)
        .collect();
    listed.sort();
    let differs = |&point: &Point| {
        before.is_empty(point) != after.is_empty(point) || before.state(point) != after.state(point)
    };
    let different: Vec<Point> = after.size().iter().filter(differs).collect();
    assert!(different.iter().all(|point| listed.contains(point)));
    // Shapes may swap directions without changing the state.
    assert!(listed.len() <= 41 && listed.iter().all(|&p| after.size().has(p)));
}

#[test]
fn everything_incremental_is_validated_in_random_games() {
    let mut rng = fastrand::Rng::with_seed(20_261_121);
    let mut moves_checked = 0;
    for rule in Rule::ALL {
        let mut validator = Validator::new(rule);
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
                validator.validate(&position).unwrap();
                check_fours(&position);
                moves_checked += 1;
                if rng.u8(0..6) == 0 {
                    position.undo();
                    assert_eq!(position.key(), keys.pop().unwrap());
                    validator.validate(&position).unwrap();
                }
            }
            let copy = position.clone();
            validator.validate(&copy).unwrap();
            while let Some(key) = keys.pop() {
                position.undo();
                assert_eq!(position.key(), key);
            }
            validator.validate(&position).unwrap();
            assert_eq!(position.ply(), 0);
        }
    }
    assert!(moves_checked > 30_000, "{moves_checked}");
}

/// Walks over the stones to find whether the last stone made a winning line.
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

/// An evaluator's copy of the line codes. It sees the moves of a position and nothing
/// else, and keeps the windows of all points up to date.
struct Follower {
    codes: LineCodes,
    radius: usize,
    /// The moves in the line codes.
    moves: Vec<(Color, Point)>,
    /// The keys of the positions before, between and after these moves.
    keys: Vec<u64>,
    /// The windows by direction and centre.
    windows: BTreeMap<(usize, Point), u64>,
}

impl Follower {
    /// Starts at a position without moves.
    fn new(position: &Position, radius: usize) -> Follower {
        let codes = position.line_codes().clone();
        let mut windows = BTreeMap::new();
        for point in position.size().iter().filter(|&p| codes.bits(p) != 0) {
            for direction in Direction::ALL {
                let window = codes.window(direction, point, radius);
                windows.insert((direction.index(), point), window);
            }
        }
        Follower {
            codes,
            radius,
            moves: Vec::new(),
            keys: vec![position.key()],
            windows,
        }
    }

    fn toggle(&mut self, color: Color, point: Point) {
        if point == Point::NONE {
            return;
        }
        self.codes.toggle(color, point);
        for direction in Direction::ALL {
            let line = self.codes.window(direction, point, self.radius);
            let on_board = |at: &usize| line >> (2 * at) & 3 != 0;
            for at in (0..=2 * self.radius).filter(on_board) {
                let centre = point.step(direction, at as i32 - self.radius as i32);
                let window = self.codes.window(direction, centre, self.radius);
                self.windows.insert((direction.index(), centre), window);
            }
        }
    }

    /// Follows the position: undoes moves back to a common key, then makes the moves
    /// since.
    fn follow(&mut self, position: &Position) {
        while self.moves.len() > position.ply()
            || self.keys[self.moves.len()] != position.key_after_moves(self.moves.len())
        {
            let (color, point) = self.moves.pop().unwrap();
            self.keys.pop();
            self.toggle(color, point);
        }
        for (color, point) in position.moves().skip(self.moves.len()) {
            self.toggle(color, point);
            self.moves.push((color, point));
            self.keys.push(position.key_after_moves(self.moves.len()));
        }
    }
}

/// A board that knows nothing but where stones and blocked points are.
struct PlainBoard {
    size: BoardSize,
    stones: Vec<(Point, Color)>,
    blocked: Vec<Point>,
}

impl PlainBoard {
    /// Reads a point: 3 is empty, 2 black, 1 white and 0 off the board or blocked.
    fn read(&self, x: i32, y: i32) -> u64 {
        let inside = |i: i32, side: usize| usize::try_from(i).ok().filter(|&i| i < side);
        let x = inside(x, self.size.width());
        let y = inside(y, self.size.height());
        let Some(point) = x.zip(y).and_then(|(x, y)| self.size.point(x, y)) else {
            return 0;
        };
        if self.blocked.contains(&point) {
            return 0;
        }
        match self.stones.iter().find(|(stone, _)| *stone == point) {
            Some((_, Color::Black)) => 2,
            Some((_, Color::White)) => 1,
            None => 3,
        }
    }

    /// Reads the window around a point, step by step.
    fn window(&self, (dx, dy): (i32, i32), point: Point, radius: usize) -> u64 {
        let (x, y, radius) = (point.x() as i32, point.y() as i32, radius as i32);
        (-radius..=radius).rev().fold(0, |window, step| {
            window << 2 | self.read(x + step * dx, y + step * dy)
        })
    }
}

/// Columns and rows of a step in each direction.
fn step_of(direction: Direction) -> (i32, i32) {
    let board = BoardSize::square(9).unwrap();
    let centre = board.point(4, 4).unwrap();
    let next = centre.step(direction, 1);
    (next.x() as i32 - 4, next.y() as i32 - 4)
}

#[test]
fn an_evaluator_can_follow_every_window_by_the_moves_alone() {
    let mut rng = fastrand::Rng::with_seed(24);
    let steps = Direction::ALL.map(step_of);
    assert_eq!(
        steps.map(|(dx, dy)| (dx, dy.abs())),
        [(1, 0), (0, 1), (1, 1), (1, 1)]
    );
    for (index, rule) in Rule::ALL.into_iter().enumerate() {
        let squares = (5..=22).map(|side| BoardSize::square(side).unwrap());
        let others = (0..8).map(|_| random_size(&mut rng)).collect::<Vec<_>>();
        for (game, size) in squares.chain(others).enumerate() {
            let mut position = Position::new(rule, size);
            let mut blocked = Vec::new();
            for _ in 0..[0, 0, 3][game % 3] {
                let point = random_point(&mut rng, &position).unwrap();
                position.block(point);
                blocked.push(point);
            }
            let radius = [4, 5, 1, MAX_RADIUS][(game + index) % 4];
            let mut follower = Follower::new(&position, radius);
            for _ in 0..60 {
                match (rng.u8(0..10), random_point(&mut rng, &position)) {
                    (0, _) | (_, None) => position.pass(),
                    (1..4, _) => (0..rng.usize(1..8)).for_each(|_| position.undo()),
                    (4, Some(point)) => position.place(position.side().opponent(), point),
                    (_, Some(point)) => position.play(point),
                }
                // Several moves may come before an evaluation.
                if rng.bool() {
                    follower.follow(&position);
                }
            }
            follower.follow(&position);
            let stones = position.moves().filter(|(_, point)| *point != Point::NONE);
            let board = PlainBoard {
                size,
                stones: stones.map(|(color, point)| (point, color)).collect(),
                blocked,
            };
            let on_board = size.iter().filter(|point| !board.blocked.contains(point));
            let mut windows = BTreeMap::new();
            for point in on_board {
                for (direction, step) in Direction::ALL.into_iter().zip(steps) {
                    let window = board.window(step, point, radius);
                    windows.insert((direction.index(), point), window);
                }
            }
            assert_eq!(follower.windows, windows, "{position:?}");
            assert_eq!(follower.codes, *position.line_codes());
        }
    }
}
