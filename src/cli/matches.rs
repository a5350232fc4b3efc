//! Arguments of a match: checked here, carried out by the library.

use super::engines::Engines;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx::arena::schedule::{OpeningOrder, Pairing, Schedule, Shard};
use quincunx::arena::settings::MatchSettings;
use quincunx::arena::stats::{EloModel, Sprt};
use quincunx::arena::store::{Store, create, merge, publish};
use quincunx::arena::{
    GameConfig, MatchRunner, ProgressDisplay, Standings, StopSignal, Tournament, Variant, report,
};
use quincunx::game::opening::{Opening, read_openings};
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
        let tournament = self.tournament()?;
        ensure!(self.concurrency > 0, "--concurrency must be at least 1");
        let settings = self.settings(&tournament)?;
        self.warn(&tournament);
        let mut played = Vec::new();
        let mut store = None;
        if let Some(folder) = &self.out {
            let (opened, before) = Store::open(folder, &settings, self.resume)?;
            store = Some(opened);
            played = before;
        }
        let stop = StopSignal::default();
        let on_signal = stop.clone();
        ctrlc::set_handler(move || on_signal.give()).context("can't listen for signals")?;
        let live = io::stderr().is_terminal();
        let mut out = io::stderr();
        let runner = MatchRunner {
            shard: self.part()?,
            concurrency: self.concurrency,
            sprt: settings.sprt,
            store,
            played,
            display: ProgressDisplay {
                out: &mut out,
                live,
                every: Duration::from_millis(if live { 200 } else { 10_000 }),
            },
        };
        let summary = runner.run(&tournament, &stop)?;
        let (sprt, elapsed) = (settings.sprt.as_ref(), Some(summary.elapsed));
        let page = report::page(&summary.standings, sprt, elapsed);
        if let Some(folder) = &self.out {
            publish(folder, &settings, &summary.games, &page)?;
        }
        output.write_all(page.as_bytes())?;
        Ok(())
    }

    /// Says what is allowed but hardly meant.
    fn warn(&self, tournament: &Tournament) {
        let rounds = self.games.div_ceil(2);
        if rounds > tournament.schedule.variety() {
            let _ = writeln!(
                io::stderr(),
                "note: {rounds} pairs of two engines from {} different starts: engines that always \
                 play the same will repeat games (see --openings)",
                tournament.schedule.variety()
            );
        }
    }

    fn merge(&self, output: &mut dyn Write) -> Result<()> {
        let (mut settings, games) = merge(&self.merge)?;
        if let Some(sprt) = self.sprt()? {
            settings.sprt = Some(sprt);
        }
        let mut standings = Standings::new(settings.names());
        games.iter().for_each(|game| standings.add(game));
        let page = report::page(&standings, settings.sprt.as_ref(), None);
        if let Some(folder) = &self.out {
            create(folder, &settings, &games)?;
            publish(folder, &settings, &games, &page)?;
        }
        output.write_all(page.as_bytes())?;
        Ok(())
    }

    fn tournament(&self) -> Result<Tournament> {
        let engines = self.engines.engines()?;
        let openings = self.read_openings()?;
        let pairings = Pairing::from(self.pairing).pairings(engines.len());
        let schedule = Schedule::new(
            pairings,
            self.games.div_ceil(2),
            openings.len(),
            self.order.into(),
            (!self.as_written).then_some(self.size),
            self.seed,
        );
        Ok(Tournament {
            engines,
            game: GameConfig {
                variant: Variant {
                    rule: self.rule,
                    size: self.size,
                },
                move_limit: self.draw_after,
                whole_boards: self.whole_boards,
            },
            openings,
            schedule,
            restart: self.restart,
            pin: self.pin,
        })
    }

    fn read_openings(&self) -> Result<Vec<Opening>> {
        let mut all = Vec::new();
        for path in &self.openings {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("can't read {}", path.display()))?;
            let read = read_openings(self.rule, self.size, &text)
                .with_context(|| path.display().to_string())?;
            all.extend(read);
        }
        if self.openings.is_empty() {
            all.push(Opening::default());
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
    fn settings(&self, tournament: &Tournament) -> Result<MatchSettings> {
        Ok(MatchSettings {
            engines: MatchSettings::describe(&tournament.engines),
            rule: self.rule.to_string(),
            size: self.size.to_string(),
            pairs: tournament.schedule.pairs(),
            pairings: tournament.schedule.pairings().to_vec(),
            openings: tournament
                .openings
                .iter()
                .map(ToString::to_string)
                .collect(),
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

impl From<OrderArg> for OpeningOrder {
    fn from(argument: OrderArg) -> Self {
        match argument {
            OrderArg::Random => OpeningOrder::Random,
            OrderArg::Sequential => OpeningOrder::Sequential,
        }
    }
}

impl From<ModelArg> for EloModel {
    fn from(argument: ModelArg) -> Self {
        match argument {
            ModelArg::Normalized => EloModel::Normalized,
            ModelArg::Logistic => EloModel::Logistic,
        }
    }
}
