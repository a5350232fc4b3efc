//! The evaluation against the slow way to the same numbers.

#![allow(clippy::unwrap_used)]

use quincunx::eval::{
    Classical, EvalTables, HEAD_SCALE, HIDDEN, INPUTS, LANES, MOVING, VALUE_SCALE, WAITING,
};
use quincunx::pattern::Pair;
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Color, Point, Rule};

/// The lanes of what every empty point is to `color`, added up in logits.
fn lanes(tables: &EvalTables, position: &Position, color: Color) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for point in position.size().iter().filter(|&p| position.is_empty(p)) {
        let code = position.code(color, point);
        let classes = [color, color.opponent()].map(|color| position.class(color, point));
        let pair = Pair::of(classes[0], classes[1]);
        let lanes = tables.lanes[color.index()][code.index()];
        let more = tables.pairs[color.index()][pair.index()];
        for (sum, lane) in sums.iter_mut().zip(lanes.into_iter().zip(more)) {
            *sum += (f64::from(lane.0) + f64::from(lane.1)) / f64::from(200 * VALUE_SCALE);
        }
    }
    sums
}

/// What sums and network come to for the side to move, in logits: one weight
/// after another, in numbers that round far less.
fn said(tables: &EvalTables, position: &Position) -> [f64; 2] {
    let side = position.side();
    let own = lanes(tables, position, side);
    let theirs = lanes(tables, position, side.opponent());
    let stones = position.occupied().iter().count() as f64;
    let fullness = (stones - 40.0) / 50.0;
    let inputs = [&own[..], &theirs[..], &[fullness, 1.0]].concat();
    let head = &tables.heads[side.index()];
    let weight = |index: usize| f64::from(head[index]) / f64::from(HEAD_SCALE);
    let network = (0..HIDDEN)
        .map(|unit| {
            let sum: f64 = (inputs.iter().enumerate())
                .map(|(input, value)| value * weight(input * HIDDEN + unit))
                .sum();
            sum.max(0.0) * weight(INPUTS * HIDDEN + unit)
        })
        .sum();
    [own[MOVING] - theirs[WAITING], network]
}

/// What the tables say of a move by the side to move, number by number.
fn promised(tables: &EvalTables, position: &Position, point: Point) -> [i32; 4] {
    let (side, opponent) = (position.side(), position.side().opponent());
    let pair = Pair::of(position.class(side, point), position.class(opponent, point));
    let near = |back: usize| {
        let stone = position.recent(back)?;
        let across = stone.x().abs_diff(point.x());
        let down = stone.y().abs_diff(point.y());
        let far = across.max(down);
        let place = if far > 8 {
            45
        } else {
            far * (far + 1) / 2 + across.min(down)
        };
        Some(tables.near[side.index()][back - 1][place])
    };
    [
        tables.attack[side.index()][position.code(side, point).index()],
        tables.defence[opponent.index()][position.code(opponent, point).index()],
        tables.both[side.index()][pair.index()],
        near(1).unwrap_or(0) + near(2).unwrap_or(0),
    ]
    .map(i32::from)
}

#[test]
fn moves_are_scored_by_what_they_do_and_where_they_are() {
    for rule in Rule::ALL {
        let tables = EvalTables::of(rule);
        let mut rng = fastrand::Rng::with_seed(10 + rule as u64);
        for size in ["15", "22x9"] {
            let size: BoardSize = size.parse().unwrap();
            let mut position = Position::new(rule, size);
            for _ in 0..60 {
                let empty: Vec<_> = size.iter().filter(|&p| position.is_empty(p)).collect();
                let evaluator = Classical::new(&position);
                let scores = evaluator.moves(&position);
                for &point in &empty {
                    let parts = scores.parts(point);
                    let told = [parts.attack, parts.defence, parts.both, parts.near];
                    assert_eq!(told, promised(&tables, &position, point), "{rule} {point}");
                    assert_eq!(scores.of(point), told.iter().sum::<i32>());
                }
                position.play(empty[rng.usize(..empty.len())]);
            }
        }
    }
}

#[test]
fn sums_follow_moves_and_undone_moves() {
    for rule in Rule::ALL {
        let tables = EvalTables::of(rule);
        let mut rng = fastrand::Rng::with_seed(rule as u64);
        for size in ["9", "15", "20", "12x17"] {
            let size: BoardSize = size.parse().unwrap();
            let mut position = Position::new(rule, size);
            let mut evaluator = Classical::new(&position);
            for _ in 0..150 {
                let empty: Vec<_> = size.iter().filter(|&p| position.is_empty(p)).collect();
                if empty.is_empty() || position.won() || position.ply() > 0 && rng.u8(..4) == 0 {
                    position.undo();
                } else {
                    position.play(empty[rng.usize(..empty.len())]);
                }
                // Several moves in a row are added up at once.
                if rng.bool() {
                    continue;
                }
                let parts = evaluator.parts(&position);
                let [points, network] = said(&tables, &position);
                let units = f64::from(parts.points) / f64::from(VALUE_SCALE);
                assert!((units - 200.0 * points).abs() < 0.01, "{rule} {size}");
                let near = 1.01 + network.abs() / 10.0;
                let told = f64::from(parts.network);
                assert!((told - 200.0 * network).abs() < near, "{told} {network}");
                assert_eq!(parts, Classical::new(&position).parts(&position));
            }
        }
    }
}

#[test]
fn one_evaluator_will_do_for_all_positions_of_a_rule() {
    let rule = Rule::Renju;
    let mut rng = fastrand::Rng::with_seed(31);
    let mut games = ["15", "15", "9x12"].map(|size| Position::new(rule, size.parse().unwrap()));
    let mut evaluator = Classical::new(&games[0]);
    for _ in 0..600 {
        let position = &mut games[rng.usize(..3)];
        let empty: Vec<_> = (position.size().iter())
            .filter(|&point| position.is_empty(point))
            .collect();
        match rng.choice(empty) {
            Some(point) if rng.u8(..3) > 0 => position.play(point),
            _ if rng.bool() => position.pass(),
            _ => (0..rng.usize(..8)).for_each(|_| position.undo()),
        }
        let expected = Classical::new(position).parts(position);
        assert_eq!(evaluator.parts(position), expected, "{position:?}");
    }
}
