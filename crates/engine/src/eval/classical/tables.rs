//! The quantised weights of the classical evaluation for one rule.

use super::distance::DISTANCE_BUCKETS;
use super::embedding::{EMBEDDING_DIM, Embedding};
use super::threats::THREAT_SETS;
use super::value_head::HEAD_WEIGHTS;
use crate::pattern::{CLASS_PAIRS, PADDED_CODES};
use crate::rules::{Color, Rule};

/// The evaluation tables of one rule. The numbers are in units of
/// [`Score`](crate::score::Score), except in embeddings and heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalTables {
    /// The rule they are for.
    pub rule: Rule,
    /// Embeddings by colour and code.
    pub code_embeddings: [Box<[Embedding; PADDED_CODES]>; 2],
    /// Embeddings by colour and pair of its class and its opponent's. They are
    /// added to the embedding of the code.
    pub pair_embeddings: [Box<[Embedding; CLASS_PAIRS]>; 2],
    /// Move scores for the shapes that a move makes, by colour and code.
    pub attack: [Box<[i16; PADDED_CODES]>; 2],
    /// Move scores for the shapes that a move takes from the opponent, by the
    /// opponent's colour and code.
    pub defence: [Box<[i16; PADDED_CODES]>; 2],
    /// The bonus of moves that attack and defend at once, by the colour to move
    /// and the pair of its class and its opponent's.
    pub attack_defence: [Box<[i16; CLASS_PAIRS]>; 2],
    /// Move scores by the colour to move and [`distance_bucket`], as seen from the
    /// opponent's last stone and from the side's own.
    ///
    /// [`distance_bucket`]: super::distance_bucket
    pub distance: [Box<[[i16; DISTANCE_BUCKETS]; 2]>; 2],
    /// Values by the colour to move and the set of threats on the board.
    pub threats: [Box<[i16; THREAT_SETS]>; 2],
    /// The weights of the value head by the colour to move, in units over
    /// [`HEAD_SCALE`](super::HEAD_SCALE).
    pub heads: [Box<[i16; HEAD_WEIGHTS]>; 2],
}

impl EvalTables {
    /// Returns the number of colours with weights of their own under `rule`: one
    /// where the rule treats both colours alike, else two.
    pub fn colors(rule: Rule) -> usize {
        if rule == Rule::Renju { 2 } else { 1 }
    }

    /// Returns the index of the weights that `color` reads. Colours that share
    /// weights share an index, so that the cache holds them once.
    pub fn color_index(rule: Rule, color: Color) -> usize {
        color.index() % EvalTables::colors(rule)
    }

    /// Returns tables of zeros.
    pub fn zero(rule: Rule) -> EvalTables {
        let codes = || Color::ALL.map(|_| Box::new([0; PADDED_CODES]));
        EvalTables {
            rule,
            code_embeddings: Color::ALL.map(|_| Box::new([[0; EMBEDDING_DIM]; PADDED_CODES])),
            pair_embeddings: Color::ALL.map(|_| Box::new([[0; EMBEDDING_DIM]; CLASS_PAIRS])),
            attack: codes(),
            defence: codes(),
            attack_defence: Color::ALL.map(|_| Box::new([0; CLASS_PAIRS])),
            distance: Color::ALL.map(|_| Box::new([[0; DISTANCE_BUCKETS]; 2])),
            threats: Color::ALL.map(|_| Box::new([0; THREAT_SETS])),
            heads: Color::ALL.map(|_| Box::new([0; HEAD_WEIGHTS])),
        }
    }

    /// Returns the same numbers for another rule. If that rule treats both colours
    /// alike, both get black's numbers.
    pub fn for_rule(&self, rule: Rule) -> EvalTables {
        let mut tables = self.clone();
        tables.rule = rule;
        if EvalTables::colors(rule) == 1 {
            share(&mut tables.code_embeddings);
            share(&mut tables.pair_embeddings);
            share(&mut tables.attack);
            share(&mut tables.defence);
            share(&mut tables.attack_defence);
            share(&mut tables.distance);
            share(&mut tables.threats);
            share(&mut tables.heads);
        }
        tables
    }

    /// Takes over the move scores of `other`, which is for the same rule.
    pub fn replace_move_scores(&mut self, other: EvalTables) {
        self.attack = other.attack;
        self.defence = other.defence;
        self.attack_defence = other.attack_defence;
        self.distance = other.distance;
    }
}

/// Gives white black's numbers.
fn share<T: Clone>([black, white]: &mut [Box<T>; 2]) {
    white.clone_from(black);
}
