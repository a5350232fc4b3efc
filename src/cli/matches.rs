//! Arguments of a match: checked here, carried out by the library.

use super::engines::Engines;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx::arena::schedule::{Order, Pairing, Schedule, Shard};
use quincunx::arena::settings::Settings;
use quincunx::arena::stats::{Model, Sprt};
use quincunx::arena::store::{Store, create, merge, publish};
use quincunx::arena::{Conduct, Plan, Progress, Standing, Stop, Table, conduct, openings, report};
use quincunx::rules::{BoardSize, Rule};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Who plays whom, how, and what becomes of it.
#[derive(Args)]
pub(crate) struct Match {
    #[command(flatten)]
    engines: Engines,

    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board: 15, or 20x15
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// Games of each two engines that meet; rounded up to pairs
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t)]
    pairing: PairingArg,

    /// Openings, one a line: h8i9g10, or offsets such as 0,0, 1,1
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
    /// Never turn or mirror openings
    #[arg(long)]
    as_written: bool,
    /// Fixes the order of openings and how they are turned
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games with so many stones are drawn
    #[arg(long, value_name = "STONES")]
    draw_after: Option<usize>,

    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Start the programs anew for every game
    #[arg(long)]
    restart: bool,
    /// Keep each pair of games on one core (on Linux)
    #[arg(long)]
    pin: bool,
    /// Send whole boards instead of single moves
    #[arg(long)]
    whole_boards: bool,

    /// Stop as soon as one of two differences is clear
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// How often elo1 may be accepted when elo0 holds
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often elo0 may be accepted when elo1 holds
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// The unit of the two differences
    #[arg(long, value_enum, default_value_t)]
    model: ModelArg,

    /// Keep records in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run whose records are in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only part I of N of the schedule
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Play nothing: put together the records of these runs or parts of one
    #[arg(long, value_name = "FILES", num_args = 1.., conflicts_with_all = ["engines", "resume"])]
    merge: Vec<PathBuf>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum PairingArg {
    /// Everyone against everyone
    #[default]
    RoundRobin,
    /// The first against each of the others
    Gauntlet,
    /// First against second, third against fourth
    Neighbours,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum OrderArg {
    #[default]
    Random,
    Sequential,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum ModelArg {
    #[default]
    Normalized,
    Logistic,
}

impl Match {
    /// Plays, or puts together what was played elsewhere.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        if !self.merge.is_empty() {
            return self.merge(output);
        }
        let plan = self.plan()?;
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        let settings = self.settings(&plan)?;
        self.warn(&plan);
        let mut played = Vec::new();
        let mut store = None;
        if let Some(folder) = &self.out {
            let (opened, before) = Store::open(folder, &settings, self.resume)?;
            store = Some(opened);
            played = before;
        }
        let stop = Stop::default();
        let on_signal = stop.clone();
        ctrlc::set_handler(move || on_signal.now()).context("can't listen for signals")?;
        let live = io::stderr().is_terminal();
        let mut out = io::stderr();
        let how = Conduct {
            shard: self.part()?,
            concurrency: self.concurrency,
            sprt: settings.sprt,
            store,
            played,
            progress: Progress {
                out: &mut out,
                live,
                every: Duration::from_millis(if live { 200 } else { 10_000 }),
            },
        };
        let (standing, games, elapsed) = conduct(&plan, how, &stop)?;
        let page = report::page(&standing, settings.sprt.as_ref(), Some(elapsed));
        if let Some(folder) = &self.out {
            publish(folder, &settings, &games, &page)?;
        }
        output.write_all(page.as_bytes())?;
        Ok(())
    }

    /// Says what is allowed but hardly meant.
    fn warn(&self, plan: &Plan) {
        let rounds = self.games.div_ceil(2);
        if rounds > plan.schedule.variety() {
            let _ = writeln!(
                io::stderr(),
                "note: {rounds} pairs a meeting from {} different starts: engines that always \
                 play the same will repeat games (see --openings)",
                plan.schedule.variety()
            );
        }
    }

    fn merge(&self, output: &mut dyn Write) -> Result<()> {
        let (mut settings, games) = merge(&self.merge)?;
        if let Some(sprt) = self.sprt()? {
            settings.sprt = Some(sprt);
        }
        let mut standing = Standing::new(settings.names());
        games.iter().for_each(|game| standing.add(game));
        let page = report::page(&standing, settings.sprt.as_ref(), None);
        if let Some(folder) = &self.out {
            create(folder, &settings, &games)?;
            publish(folder, &settings, &games, &page)?;
        }
        output.write_all(page.as_bytes())?;
        Ok(())
    }

    fn plan(&self) -> Result<Plan> {
        let entrants = self.engines.entrants()?;
        let openings = self.read_openings()?;
        let meetings = Pairing::from(self.pairing).meetings(entrants.len());
        let schedule = Schedule::new(
            meetings,
            self.games.div_ceil(2),
            openings.len(),
            self.order.into(),
            (!self.as_written).then_some(self.size),
            self.seed,
        );
        Ok(Plan {
            entrants,
            table: Table {
                rule: self.rule,
                size: self.size,
                whole_boards: self.whole_boards,
            },
            openings,
            schedule,
            draw_after: self.draw_after,
            restart: self.restart,
            pin: self.pin,
        })
    }

    fn read_openings(&self) -> Result<Vec<openings::Opening>> {
        let mut all = Vec::new();
        for path in &self.openings {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("can't read {}", path.display()))?;
            let read = openings::read(self.rule, self.size, &text)
                .with_context(|| path.display().to_string())?;
            all.extend(read);
        }
        if self.openings.is_empty() {
            all.push(openings::Opening::default());
        }
        ensure!(!all.is_empty(), "there are no openings in the files given");
        Ok(all)
    }

    fn sprt(&self) -> Result<Option<Sprt>> {
        let Some(text) = &self.sprt else {
            return Ok(None);
        };
        ensure!(
            self.engines.count() == 2 || !self.merge.is_empty(),
            "--sprt needs exactly two engines"
        );
        let bounds = text.split_once(',').and_then(|(a, b)| {
            let (a, b): (f64, f64) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
            (a < b).then_some((a, b))
        });
        let (elo0, elo1) =
            bounds.with_context(|| format!("--sprt wants ELO0,ELO1 such as 0,5, not '{text}'"))?;
        let proper = |p: f64| p > 0.0 && p < 0.5;
        ensure!(
            proper(self.alpha) && proper(self.beta),
            "--alpha and --beta must lie between 0 and 0.5"
        );
        Ok(Some(Sprt {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model.into(),
        }))
    }

    fn part(&self) -> Result<Shard> {
        let Some(text) = &self.shard else {
            return Ok(Shard::default());
        };
        text.split_once('/')
            .and_then(|(i, n)| Some((i.parse::<usize>().ok()?, n.parse::<usize>().ok()?)))
            .filter(|&(i, n)| i >= 1 && i <= n)
            .map(|(i, n)| Shard {
                index: i - 1,
                count: n,
            })
            .with_context(|| format!("--shard wants I/N such as 1/4, not '{text}'"))
    }

    /// All that decides the games, for the record and for resuming.
    fn settings(&self, plan: &Plan) -> Result<Settings> {
        Ok(Settings {
            engines: Settings::describe(&plan.entrants),
            rule: self.rule.to_string(),
            size: self.size.to_string(),
            pairs: plan.schedule.pairs(),
            meetings: plan.schedule.meetings().to_vec(),
            openings: plan.openings.iter().map(ToString::to_string).collect(),
            sequential: matches!(self.order, OrderArg::Sequential),
            as_written: self.as_written,
            seed: self.seed,
            draw_after: self.draw_after,
            restart: self.restart,
            whole_boards: self.whole_boards,
            shard: self.shard.clone(),
            sprt: self.sprt()?,
        })
    }
}

impl From<PairingArg> for Pairing {
    fn from(argument: PairingArg) -> Self {
        match argument {
            PairingArg::RoundRobin => Pairing::RoundRobin,
            PairingArg::Gauntlet => Pairing::Gauntlet,
            PairingArg::Neighbours => Pairing::Neighbours,
        }
    }
}

impl From<OrderArg> for Order {
    fn from(argument: OrderArg) -> Self {
        match argument {
            OrderArg::Random => Order::Random,
            OrderArg::Sequential => Order::Sequential,
        }
    }
}

impl From<ModelArg> for Model {
    fn from(argument: ModelArg) -> Self {
        match argument {
            ModelArg::Normalized => Model::Normalized,
            ModelArg::Logistic => Model::Logistic,
        }
    }
}
