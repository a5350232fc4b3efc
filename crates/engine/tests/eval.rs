//! The evaluation against a slow reference.

#![allow(clippy::unwrap_used)]

use quincunx_engine::eval::{
    Classical, EMBEDDING_DIM, EMBEDDING_SCALE, EvalTables, HEAD_INPUTS, HEAD_SCALE, HIDDEN_UNITS,
    OPPONENT, SIDE_TO_MOVE,
};
use quincunx_engine::pattern::ClassPair;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_testing::weights::weights;

/// Creates an evaluator with the program's weights.
fn classical(position: &Position) -> Classical {
    Classical::new(&weights().of(position.rule()).classical, position)
}

/// Sums the embeddings of `color` over the empty points, in logits.
fn embedding_sum(tables: &EvalTables, position: &Position, color: Color) -> [f64; EMBEDDING_DIM] {
    let mut sum = [0.0; EMBEDDING_DIM];
    for point in position.size().iter().filter(|&p| position.is_empty(p)) {
        let code = position.code(color, point);
        let classes = [color, color.opponent()].map(|color| position.class(color, point));
        let pair = ClassPair::new(classes[0], classes[1]);
        let of_code = tables.code_embeddings[color.index()][code.index()];
        let of_pair = tables.pair_embeddings[color.index()][pair.index()];
        for (sum, (code, pair)) in sum.iter_mut().zip(of_code.into_iter().zip(of_pair)) {
            *sum += (f64::from(code) + f64::from(pair)) / f64::from(200 * EMBEDDING_SCALE);
        }
    }
    sum
}

/// Computes the linear term and the output of the value head for the side to
/// move, in logits: one weight after another, in double precision.
fn reference_terms(tables: &EvalTables, position: &Position) -> [f64; 2] {
    let side = position.side();
    let own = embedding_sum(tables, position, side);
    let theirs = embedding_sum(tables, position, side.opponent());
    let stones = position.occupied().iter().count() as f64;
    let inputs = [&own[..], &theirs[..], &[(stones - 40.0) / 50.0, 1.0]].concat();
    let head = &tables.heads[side.index()];
    let weight = |index: usize| f64::from(head[index]) / f64::from(HEAD_SCALE);
    let network = (0..HIDDEN_UNITS)
        .map(|unit| {
            let hidden: f64 = (inputs.iter().enumerate())
                .map(|(input, value)| value * weight(input * HIDDEN_UNITS + unit))
                .sum();
            hidden.max(0.0) * weight(HEAD_INPUTS * HIDDEN_UNITS + unit)
        })
        .sum();
    [own[SIDE_TO_MOVE] - theirs[OPPONENT], network]
}

/// Looks up the terms of a move score for the side to move.
fn reference_move_terms(tables: &EvalTables, position: &Position, point: Point) -> [i32; 4] {
    let (side, opponent) = (position.side(), position.side().opponent());
    let pair = ClassPair::new(position.class(side, point), position.class(opponent, point));
    let distance = |back: usize| {
        let stone = position.recent(back)?;
        let dx = stone.x().abs_diff(point.x());
        let dy = stone.y().abs_diff(point.y());
        let larger = dx.max(dy);
        let bucket = if larger > 8 {
            45
        } else {
            larger * (larger + 1) / 2 + dx.min(dy)
        };
        Some(tables.distance[side.index()][back - 1][bucket])
    };
    [
        tables.attack[side.index()][position.code(side, point).index()],
        tables.defence[opponent.index()][position.code(opponent, point).index()],
        tables.attack_defence[side.index()][pair.index()],
        distance(1).unwrap_or(0) + distance(2).unwrap_or(0),
    ]
    .map(i32::from)
}

#[test]
fn move_scores_are_the_sums_of_their_terms() {
    for rule in Rule::ALL {
        let tables = EvalTables::built_in(rule);
        let mut rng = fastrand::Rng::with_seed(10 + rule as u64);
        for size in ["15", "22x9"] {
            let size: BoardSize = size.parse().unwrap();
            let mut position = Position::new(rule, size);
            for _ in 0..60 {
                let empty: Vec<_> = size.iter().filter(|&p| position.is_empty(p)).collect();
                let evaluator = classical(&position);
                let scores = evaluator.moves(&position);
                for &point in &empty {
                    let terms = scores.terms(point);
                    let terms = [
                        terms.attack,
                        terms.defence,
                        terms.attack_defence,
                        terms.distance,
                    ];
                    let expected = reference_move_terms(&tables, &position, point);
                    assert_eq!(terms, expected, "{rule} {point}");
                    assert_eq!(scores.of(point).units(), terms.iter().sum::<i32>());
                }
                position.play(empty[rng.usize(..empty.len())]);
            }
        }
    }
}

#[test]
fn the_accumulator_follows_moves_and_undone_moves() {
    for rule in Rule::ALL {
        let tables = EvalTables::built_in(rule);
        let mut rng = fastrand::Rng::with_seed(rule as u64);
        for size in ["9", "15", "20", "12x17"] {
            let size: BoardSize = size.parse().unwrap();
            let mut position = Position::new(rule, size);
            let mut evaluator = classical(&position);
            for _ in 0..150 {
                let empty: Vec<_> = size.iter().filter(|&p| position.is_empty(p)).collect();
                if empty.is_empty() || position.won() || position.ply() > 0 && rng.u8(..4) == 0 {
                    position.undo();
                } else {
                    position.play(empty[rng.usize(..empty.len())]);
                }
                // An evaluation may come several moves after the last.
                if rng.bool() {
                    continue;
                }
                let terms = evaluator.terms(&position);
                let [linear, network] = reference_terms(&tables, &position);
                let units = f64::from(terms.linear) / f64::from(EMBEDDING_SCALE);
                assert!((units - 200.0 * linear).abs() < 0.01, "{rule} {size}");
                let tolerance = 1.01 + network.abs() / 10.0;
                let error = (f64::from(terms.network) - 200.0 * network).abs();
                assert!(error < tolerance, "{} {network}", terms.network);
                assert_eq!(terms, classical(&position).terms(&position));
            }
        }
    }
}

#[test]
fn one_evaluator_serves_all_positions_of_a_rule() {
    let rule = Rule::Renju;
    let mut rng = fastrand::Rng::with_seed(31);
    let mut games = ["15", "15", "9x12"].map(|size| Position::new(rule, size.parse().unwrap()));
    let mut evaluator = classical(&games[0]);
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
        let expected = classical(position).terms(position);
        assert_eq!(evaluator.terms(position), expected, "{position:?}");
    }
}
