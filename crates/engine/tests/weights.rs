//! Two engines in one process with different weights play exactly as each does alone.

#![allow(clippy::unwrap_used)]

use quincunx_engine::engine::{Answer, Engine, MonotonicClock, Request};
use quincunx_engine::eval::{ClassicalWeights, EvalTables, WeightSet};
use quincunx_engine::rules::{Point, Rule};
use std::sync::Arc;

/// A move and the number of nodes of its search.
type Searched = (Point, u64);

fn engine(tables: Option<EvalTables>) -> Engine {
    let mut weights = WeightSet::default();
    if let Some(tables) = tables {
        weights.set_classical(tables.rule, Arc::new(ClassicalWeights::new(tables)));
    }
    let mut engine = Engine::with_weights(MonotonicClock::system(), Arc::new(weights));
    engine.options_mut().hash_size = Some(1 << 20);
    engine.options_mut().max_depth = Some(6);
    engine.play("h8".parse().unwrap()).unwrap();
    engine.play("i9".parse().unwrap()).unwrap();
    engine
}

/// Plays one move for the side to move.
fn step(engine: &mut Engine) -> Searched {
    let answer = engine.answer(Request::Move, &mut |_| ()).unwrap();
    engine.finish(&answer).unwrap();
    let Answer::Move(best) = answer else {
        panic!("{answer:?}");
    };
    (best.point, best.info.unwrap().nodes)
}

fn alone(tables: Option<EvalTables>) -> Vec<Searched> {
    let mut engine = engine(tables);
    (0..6).map(|_| step(&mut engine)).collect()
}

#[test]
fn engines_with_different_tables_do_not_disturb_each_other() {
    let hand_set = || Some(EvalTables::hand_set(Rule::Freestyle));
    let expected = [alone(None), alone(hand_set())];
    assert_ne!(expected[0], expected[1], "the tables make a difference");
    let mut engines = [engine(None), engine(hand_set())];
    for number in 0..6 {
        for (engine, expected) in engines.iter_mut().zip(&expected) {
            assert_eq!(step(engine), expected[number]);
        }
    }
}
