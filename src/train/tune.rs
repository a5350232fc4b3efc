//! A whole fit: files of games in, tables out.

use super::adam::{self, Epoch, Problem, Schedule};
use super::layout::Layout;
use super::moves::MoveProblem;
use super::record::Reader;
use super::samples::{Sampler, Samples, is_for_validation};
use super::values::ValueProblem;
use crate::eval::{EvalTables, THREAT_SETS, VALUE_SCALE, Value};
use crate::pattern::Code;
use crate::rules::{Color, Rule};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How a fit is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The rule.
    pub rule: Rule,
    /// The seed of the order in which samples are gone through.
    pub seed: u64,
    /// The share of the game's result in what values are fitted to; the rest
    /// is the search's word.
    pub result_share: f32,
    /// Units of a logit of value: 200, says [`crate::eval::Score`], and so do
    /// matches.
    pub value_units: f32,
    /// Units of a logit of move score.
    pub move_units: f32,
    /// The most passes over the data.
    pub epochs: usize,
    /// How far a code's value is expected to be from what its shapes and class
    /// say, in two hundredths of a logit.
    pub spread: f32,
}

/// What a fit tells while it runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// A file was read.
    Read {
        /// The file.
        path: PathBuf,
        /// Games so far.
        games: usize,
        /// Games so far that say nothing ([`super::record::Game::is_credible`]).
        left_out: usize,
        /// Positions for values so far, to fit to and to judge by.
        positions: [usize; 2],
    },
    /// A pass of the named fit is over.
    Passed(&'static str, Epoch),
    /// Something measured.
    Note(String),
}

/// Tables and how they came about.
pub struct Fitted {
    /// The tables.
    pub tables: EvalTables,
    /// Losses by pass of the fit of values and, if there was one, of move
    /// scores.
    pub curves: Vec<(&'static str, Vec<Epoch>)>,
}

/// Tables that a fit is given, perhaps of a rule much like the one it is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// What is fitted is how far to depart from these.
    pub base: Option<&'a EvalTables>,
    /// The move scores of these are taken as they are; none are fitted.
    pub moves: Option<&'a EvalTables>,
}

/// Fits tables to the games in `files`.
///
/// # Errors
/// When a file can't be read, is damaged, or holds games of another rule.
pub fn tune(
    options: &Options,
    given: Given<'_>,
    files: &[PathBuf],
    mut told: impl FnMut(Event),
) -> Result<Fitted> {
    let [training, validation] = load(options.rule, files, &mut told)?;
    let mut tables = match given.base {
        Some(base) => base.for_rule(options.rule),
        None => EvalTables::zero(options.rule),
    };
    let values = fit_values(options, &training, &validation, &mut tables, &mut told);
    let mut curves = vec![("values", values)];
    if let Some(moves) = given.moves {
        let moves = moves.for_rule(options.rule);
        (tables.attack, tables.defence) = (moves.attack, moves.defence);
    } else {
        let moves = fit_moves(options, &training, &validation, &mut tables, &mut told);
        curves.push(("moves", moves));
    }
    Ok(Fitted { tables, curves })
}

/// The samples to fit to and those to judge by.
fn load(rule: Rule, files: &[PathBuf], told: &mut impl FnMut(Event)) -> Result<[Samples; 2]> {
    let mut sampler = Sampler::new(rule);
    let mut samples = [Samples::default(), Samples::default()];
    let mut left_out = 0;
    for path in files {
        load_file(rule, path, &mut sampler, &mut samples, &mut left_out)
            .with_context(|| format!("can't use {}", path.display()))?;
        told(Event::Read {
            path: path.clone(),
            games: samples[0].games + samples[1].games,
            left_out,
            positions: [samples[0].values.len(), samples[1].values.len()],
        });
    }
    for part in &samples {
        ensure!(
            !part.values.is_empty() && !part.moves.is_empty(),
            "there are too few games to learn from"
        );
    }
    Ok(samples)
}

fn load_file(
    rule: Rule,
    path: &Path,
    sampler: &mut Sampler,
    samples: &mut [Samples; 2],
    left_out: &mut usize,
) -> Result<()> {
    let mut reader = Reader::new(BufReader::new(File::open(path)?))?;
    ensure!(
        reader.rule() == rule,
        "its games are of {}, not {rule}",
        reader.rule()
    );
    while let Some(game) = reader.next_game()? {
        if !game.is_credible() {
            *left_out += 1;
            continue;
        }
        let part = usize::from(is_for_validation(&game));
        sampler.add(&game, &mut samples[part])?;
    }
    Ok(())
}

fn fit_values(
    options: &Options,
    training: &Samples,
    validation: &Samples,
    tables: &mut EvalTables,
    told: &mut impl FnMut(Event),
) -> Vec<Epoch> {
    let problem = ValueProblem::new(
        options.rule,
        &training.values,
        &validation.values,
        options.result_share,
    );
    told(Event::Note(format!(
        "a logit of the search is {:.0} units; its loss on results is {:.5}",
        1.0 / problem.score_scale,
        problem.search_loss()
    )));
    let schedule = Schedule {
        epochs: options.epochs,
        batch: 1024,
        rate: 0.01,
        own_spread: options.spread / 200.0,
        shared_spread: 1.0,
        patience: 4,
        seed: options.seed,
    };
    let layout = Layout::of(options.rule);
    let fine = options.value_units * VALUE_SCALE as f32;
    let mut base = vec![0.0; problem.parts().slots()];
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            let value = tables.values[index][code.index()];
            base[layout.value(color, true, code)] = f32::from(value.moving) / fine;
            base[layout.value(color, false, code)] = f32::from(value.waiting) / fine;
        }
        for set in 0..THREAT_SETS {
            let value = tables.threats[index][set];
            base[layout.threats(color, set)] = f32::from(value) / options.value_units;
        }
    }
    let (slots, curve) = adam::fit(&problem, &schedule, &base, |epoch| {
        told(Event::Passed("values", *epoch));
    });
    told(Event::Note(format!(
        "loss of the values on results {:.5}",
        problem.result_loss(&slots)
    )));
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            let number = |is_moving| {
                let weight = slots[layout.value(color, is_moving, code)];
                rounded(weight * fine, 16_000)
            };
            tables.values[index][code.index()] = Value {
                moving: number(true),
                waiting: number(false),
            };
        }
        for set in 0..THREAT_SETS {
            let weight = slots[layout.threats(color, set)];
            tables.threats[index][set] = rounded(weight * options.value_units, 2_000);
        }
    }
    curve
}

fn fit_moves(
    options: &Options,
    training: &Samples,
    validation: &Samples,
    tables: &mut EvalTables,
    told: &mut impl FnMut(Event),
) -> Vec<Epoch> {
    let problem = MoveProblem::new(options.rule, &training.moves, &validation.moves);
    let layout = Layout::of(options.rule);
    told(Event::Note(format!(
        "{} positions with moves to fit to, {} to judge by",
        problem.training(),
        problem.validation(),
    )));
    let schedule = Schedule {
        epochs: options.epochs.min(8),
        batch: 1024,
        rate: 0.03,
        own_spread: 0.5,
        shared_spread: 3.0,
        patience: 3,
        seed: options.seed,
    };
    let mut base = vec![0.0; problem.parts().slots()];
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            let [attack, defence] = [&tables.attack, &tables.defence]
                .map(|table| f32::from(table[index][code.index()]) / options.move_units);
            base[layout.attack(color, code)] = attack;
            base[layout.defence(color, code)] = defence;
        }
    }
    let (slots, curve) = adam::fit(&problem, &schedule, &base, |epoch| {
        told(Event::Passed("moves", *epoch));
    });
    told(Event::Note(format!(
        "the best scored move is the search's in {:.2} %",
        100.0 * problem.agreement(&slots)
    )));
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            let attack = slots[layout.attack(color, code)];
            let defence = slots[layout.defence(color, code)];
            tables.attack[index][code.index()] = rounded(attack * options.move_units, 3_000);
            tables.defence[index][code.index()] = rounded(defence * options.move_units, 3_000);
        }
    }
    curve
}

fn rounded(number: f32, limit: i16) -> i16 {
    let limit = f32::from(limit);
    number.round().clamp(-limit, limit) as i16
}
