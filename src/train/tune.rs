//! A whole fit: files of games in, tables out.

use super::adam::{self, Epoch, Problem, Progress, Schedule};
use super::layout::Layout;
use super::moves::MoveProblem;
use super::record::Reader;
use super::resume::Journal;
use super::samples::{Sampler, Samples, is_for_validation};
use super::values::ValueProblem;
use crate::eval::{
    EvalTables, HEAD_NUMBERS, HEAD_SCALE, HIDDEN, INPUTS, LANE_LIMIT, LANES, Lanes, MOVING, Score,
    TABLES_VERSION, THREAT_SETS, VALUE_SCALE, WAITING,
};
use crate::pattern::{Code, Pair};
use crate::rules::{Color, Rule};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use std::fs::{self, File};
use std::io::{self, BufReader};
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
    /// All but the move scores of these is taken as it is; only move scores are
    /// fitted.
    pub values: Option<&'a EvalTables>,
    /// The move scores of these are taken as they are; none are fitted.
    pub moves: Option<&'a EvalTables>,
}

/// Fits tables to the games in `files`. Where a `journal` is named it is written
/// after every pass, and the same fit goes on from it; it is for the caller to
/// remove.
///
/// # Errors
/// When a file can't be read, is damaged, or holds games of another rule; what
/// `told` says, which ends the fit.
pub fn tune(
    options: &Options,
    given: Given<'_>,
    files: &[PathBuf],
    journal: Option<&Path>,
    mut told: impl FnMut(Event) -> Result<()>,
) -> Result<Fitted> {
    let mut journal = Journal::open(journal, ingredients(options, given, files)?);
    if let Some(note) = journal.note() {
        told(Event::Note(note))?;
    }
    let [training, validation] = load(options.rule, files, &mut told)?;
    let mut tables = match given.base {
        Some(base) => base.for_rule(options.rule),
        None => EvalTables::zero(options.rule),
    };
    let samples = [&training, &validation];
    let mut curves = Vec::new();
    if let Some(values) = given.values {
        let begun = std::mem::replace(&mut tables, values.for_rule(options.rule));
        tables.take_moves(begun);
    } else {
        let values = fit_values(options, samples, &mut tables, &mut journal, &mut told)?;
        curves.push(("values", values));
    }
    if let Some(moves) = given.moves {
        tables.take_moves(moves.for_rule(options.rule));
    } else {
        let moves = fit_moves(options, samples, &mut tables, &mut journal, &mut told)?;
        curves.push(("moves", moves));
    }
    Ok(Fitted { tables, curves })
}

/// What decides how a fit ends: another of these and a journal is of no use.
fn ingredients(options: &Options, given: Given<'_>, files: &[PathBuf]) -> Result<String> {
    let sum = |tables: &EvalTables| crc32fast::hash(&tables.to_bytes());
    let sums = files
        .iter()
        .map(|path| Ok(crc32fast::hash(&fs::read(path)?)))
        .collect::<io::Result<Vec<u32>>>()
        .context("can't read the games")?;
    let version = (env!("CARGO_PKG_VERSION"), TABLES_VERSION);
    let layout = Layout::of(options.rule);
    let sizes = [layout.value_parts(), layout.move_parts()].map(|p| (p.slots(), p.shared()));
    let given = [given.base, given.values, given.moves].map(|tables| tables.map(sum));
    Ok(format!(
        "{version:?}, {sizes:?}, {options:?}, {given:?}, {sums:?}"
    ))
}

/// The samples to fit to and those to judge by.
fn load(
    rule: Rule,
    files: &[PathBuf],
    told: &mut impl FnMut(Event) -> Result<()>,
) -> Result<[Samples; 2]> {
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
        })?;
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
    [training, validation]: [&Samples; 2],
    tables: &mut EvalTables,
    journal: &mut Journal<'_>,
    told: &mut impl FnMut(Event) -> Result<()>,
) -> Result<Vec<Epoch>> {
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
    )))?;
    let schedule = Schedule {
        epochs: options.epochs,
        batch: 1024,
        rate: 0.002,
        own_spread: options.spread / Score::LOGIT,
        shared_spread: 1.0,
        patience: 4,
        seed: options.seed,
    };
    let mut start = value_slots(options, tables);
    begin_by_chance(options, tables, &mut start);
    let fitted = fit("values", &problem, &schedule, &start, journal, told)?;
    told(Event::Note(format!(
        "loss of the values on results {:.5}",
        problem.result_loss(&fitted.best)
    )))?;
    take_values(options, &fitted.best, tables);
    Ok(fitted.curve)
}

/// What lanes and heads are rounded to.
struct Scale {
    /// Parts of a logit of a lane.
    lane: f32,
    /// Weights inward are for lanes that are larger than logits by this.
    stretch: f32,
}

impl Scale {
    fn of(options: &Options) -> Scale {
        Scale {
            lane: options.value_units * VALUE_SCALE as f32,
            stretch: options.value_units / Score::LOGIT,
        }
    }

    /// What a number of a head stands for in parts of the weight it comes from.
    fn head(&self, number: usize) -> f32 {
        HEAD_SCALE
            * match number / HIDDEN {
                input if input < 2 * LANES => 1.0 / self.stretch,
                INPUTS => self.stretch,
                _ => 1.0,
            }
    }
}

/// The slots of [`Layout::value_parts`] that stand for `tables`, in logits.
pub fn value_slots(options: &Options, tables: &EvalTables) -> Vec<f32> {
    let layout = Layout::of(options.rule);
    let scale = Scale::of(options);
    let mut slots = vec![0.0; layout.value_parts().slots()];
    for color in Color::ALL {
        let index = color.index();
        for (row, lanes) in rows(layout, color, tables) {
            for (slot, &lane) in slots[row * LANES..].iter_mut().zip(lanes) {
                *slot = f32::from(lane) / scale.lane;
            }
        }
        for set in 0..THREAT_SETS {
            let value = tables.threats[index][set];
            slots[layout.threats(color, set)] = f32::from(value) / options.value_units;
        }
        for (number, &weight) in tables.heads[index].iter().enumerate() {
            slots[layout.head(color) + number] = f32::from(weight) / scale.head(number);
        }
    }
    slots
}

/// The rows of `color` and their lanes.
fn rows(
    layout: Layout,
    color: Color,
    tables: &EvalTables,
) -> impl Iterator<Item = (usize, &Lanes)> {
    let index = color.index();
    let codes = Code::all().map(move |code| {
        let lanes = &tables.lanes[index][code.index()];
        (layout.code_row(color, code), lanes)
    });
    let pairs = Pair::telling().map(move |pair| {
        let lanes = &tables.pairs[index][pair.index()];
        (layout.pair_row(color, pair), lanes)
    });
    codes.chain(pairs)
}

/// Small numbers by chance for the network and the lanes that only it uses,
/// where the tables have none: from nothing at all a fit could not tell in
/// which direction to go.
fn begin_by_chance(options: &Options, tables: &EvalTables, slots: &mut [f32]) {
    if tables
        .heads
        .iter()
        .flat_map(|head| head.iter())
        .any(|&weight| weight != 0)
    {
        return;
    }
    let layout = Layout::of(options.rule);
    let mut rng = Rng::with_seed(options.seed);
    let mut chance = |width: f32| (rng.f32() - 0.5) * width;
    for &color in &Color::ALL[..layout.colors()] {
        for code in Code::all().skip(1) {
            let first = layout.code_row(color, code) * LANES;
            for lane in (0..LANES).filter(|lane| ![MOVING, WAITING].contains(lane)) {
                slots[first + lane] = chance(0.05);
            }
        }
        let head = &mut slots[layout.head(color)..][..HEAD_NUMBERS];
        let (inward, outward) = head.split_at_mut(INPUTS * HIDDEN);
        inward.fill_with(|| chance(0.5));
        outward.fill_with(|| chance(0.2));
    }
}

/// Puts the fitted slots into the tables.
fn take_values(options: &Options, slots: &[f32], tables: &mut EvalTables) {
    let layout = Layout::of(options.rule);
    let scale = Scale::of(options);
    for color in Color::ALL {
        let index = color.index();
        let take = |row: usize, lanes: &mut Lanes| {
            for (lane, slot) in lanes.iter_mut().zip(&slots[row * LANES..]) {
                *lane = rounded(slot * scale.lane, LANE_LIMIT);
            }
        };
        for code in Code::all() {
            let lanes = &mut tables.lanes[index][code.index()];
            take(layout.code_row(color, code), lanes);
        }
        for pair in Pair::telling() {
            let lanes = &mut tables.pairs[index][pair.index()];
            take(layout.pair_row(color, pair), lanes);
        }
        for set in 0..THREAT_SETS {
            let weight = slots[layout.threats(color, set)];
            tables.threats[index][set] = rounded(weight * options.value_units, 2_000);
        }
        for (number, weight) in tables.heads[index].iter_mut().enumerate() {
            let slot = slots[layout.head(color) + number];
            *weight = rounded(slot * scale.head(number), i16::MAX);
        }
    }
}

fn fit_moves(
    options: &Options,
    [training, validation]: [&Samples; 2],
    tables: &mut EvalTables,
    journal: &mut Journal<'_>,
    told: &mut impl FnMut(Event) -> Result<()>,
) -> Result<Vec<Epoch>> {
    let problem = MoveProblem::new(options.rule, &training.moves, &validation.moves);
    let layout = Layout::of(options.rule);
    told(Event::Note(format!(
        "{} positions with moves to fit to, {} to judge by",
        problem.training(),
        problem.validation(),
    )))?;
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
    each_move_number(layout, tables, |slot, number| {
        base[slot] = f32::from(*number) / options.move_units;
    });
    let fitted = fit("moves", &problem, &schedule, &base, journal, told)?;
    let slots = fitted.best;
    told(Event::Note(format!(
        "the best scored move is the search's in {:.2} %",
        100.0 * problem.agreement(&slots)
    )))?;
    each_move_number(layout, tables, |slot, number| {
        *number = rounded(slots[slot] * options.move_units, 3_000);
    });
    Ok(fitted.curve)
}

/// Calls `each` with every number of move scores and its slot.
fn each_move_number(
    layout: Layout,
    tables: &mut EvalTables,
    mut each: impl FnMut(usize, &mut i16),
) {
    for color in Color::ALL {
        let index = color.index();
        for code in Code::all() {
            each(
                layout.attack(color, code),
                &mut tables.attack[index][code.index()],
            );
            each(
                layout.defence(color, code),
                &mut tables.defence[index][code.index()],
            );
        }
        for pair in Pair::all() {
            each(
                layout.both(color, pair),
                &mut tables.both[index][pair.index()],
            );
        }
        for (whose, numbers) in tables.near[index].iter_mut().enumerate() {
            for (place, number) in numbers.iter_mut().enumerate() {
                each(layout.near(color, whose, place), number);
            }
        }
    }
}

/// [`adam::fit`] with a journal.
fn fit(
    name: &'static str,
    problem: &impl Problem,
    schedule: &Schedule,
    base: &[f32],
    journal: &mut Journal<'_>,
    told: &mut impl FnMut(Event) -> Result<()>,
) -> Result<Progress> {
    let begun = journal.begun(name);
    adam::fit(problem, schedule, base, begun, |progress| {
        journal.keep(name, progress)?;
        let passed = |epoch: &Epoch| told(Event::Passed(name, *epoch));
        progress.curve.last().map_or(Ok(()), passed)
    })
}

fn rounded(number: f32, limit: i16) -> i16 {
    let limit = f32::from(limit);
    number.round().clamp(-limit, limit) as i16
}
