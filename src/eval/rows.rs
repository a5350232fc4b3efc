//! The tables in use, laid out as the evaluation reads them: what is needed
//! together lies together and is found without a check. Made once for all
//! searches.

use super::head::{HEAD_SCALE, Head};
use super::moves::around;
use super::tables::{EvalTables, Lanes};
use crate::pattern::{PAIR_TABLE, Pair};
use crate::rules::{Around, Color, Rule};
use std::sync::{Arc, PoisonError, RwLock};

/// The tables of one rule and what was made of them.
pub(super) struct Rows {
    /// The tables themselves.
    pub(super) tables: Arc<EvalTables>,
    /// By colour: whose tables it has, where both might have the same.
    pub(super) owners: [usize; 2],
    /// [`EvalTables::pairs`] by [`Pair::number`] as black sees them, black's lanes
    /// and white's side by side.
    pub(super) pairs: [[Lanes; 2]; PAIR_TABLE],
    /// [`EvalTables::both`], the same with the colour to move.
    pub(super) both: [[i16; 2]; PAIR_TABLE],
    /// [`EvalTables::near`].
    pub(super) around: [[Around<i16>; 2]; 2],
    /// [`EvalTables::heads`].
    pub(super) heads: [Head; 2],
}

/// What the process evaluates with, by rule, once asked for.
static ROWS: [RwLock<Option<Arc<Rows>>>; Rule::ALL.len()] =
    [const { RwLock::new(None) }; Rule::ALL.len()];

impl Rows {
    /// Those of the tables of `rule` that this process uses.
    pub(super) fn of(rule: Rule) -> Arc<Rows> {
        let current = ROWS[rule as usize].read();
        if let Some(rows) = &*current.unwrap_or_else(PoisonError::into_inner) {
            return Arc::clone(rows);
        }
        let mut current = (ROWS[rule as usize].write()).unwrap_or_else(PoisonError::into_inner);
        Arc::clone(current.get_or_insert_with(|| Arc::new(Rows::new(EvalTables::learned(rule)))))
    }

    fn new(tables: EvalTables) -> Rows {
        let owner = |color| EvalTables::owner(tables.rule, color);
        let near = |color: Color| tables.near[color.index()].each_ref().map(around);
        let head = |color: Color| {
            let numbers = &tables.heads[color.index()];
            Head::new(|index| f32::from(numbers[index]) / HEAD_SCALE)
        };
        let mut rows = Rows {
            owners: Color::ALL.map(owner),
            pairs: [Default::default(); PAIR_TABLE],
            both: [Default::default(); PAIR_TABLE],
            around: Color::ALL.map(near),
            heads: Color::ALL.map(head),
            tables: Arc::new(tables),
        };
        for pair in Pair::all() {
            let [black, white] = [pair, pair.turned()].map(Pair::index);
            let tables = &rows.tables;
            rows.pairs[pair.number()] = [tables.pairs[0][black], tables.pairs[1][white]];
            rows.both[pair.number()] = [tables.both[0][black], tables.both[1][white]];
        }
        rows
    }
}

impl EvalTables {
    /// The tables of `rule` that this process uses.
    pub fn of(rule: Rule) -> Arc<EvalTables> {
        Arc::clone(&Rows::of(rule).tables)
    }

    /// Makes this process use `self` for its rule from the next evaluator on.
    /// What a transposition table remembers was said by the tables before.
    pub fn install(self) {
        let mut current =
            (ROWS[self.rule as usize].write()).unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::new(Rows::new(self)));
    }
}
