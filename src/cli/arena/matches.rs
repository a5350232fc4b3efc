//! Arguments of a match: checked here, carried out by the library.

use super::engines::Engines;
use super::match_openings::{MatchOpenings, OpeningNeeds};
use super::sprt::SprtArgs;
use crate::VERSION;
use crate::cli::exit::{self, ensure_usage};
use crate::cli::numbers::{MOST_AT_A_TIME, at_least_one, within};
use crate::cli::options::VariantOptions;
use crate::cli::runs::{INTERRUPTED, Shard, StopSignal, on_interrupt, progress};
use anyhow::Result;
use clap::{Arg, ArgGroup, Args, ValueEnum};
use quincunx_arena::adjudicate::{Adjudication, DrawRule, ResignRule};
use quincunx_arena::merge::{MergedMatch, merge};
use quincunx_arena::parts::Comparison;
use quincunx_arena::record::MatchGame;
use quincunx_arena::report::Report;
use quincunx_arena::schedule::{Format, OpeningList, OpeningOrder, Schedule};
use quincunx_arena::settings::{MatchSettings, RunInfo};
use quincunx_arena::stats::Sprt;
use quincunx_arena::store::{RunFolder, Store, create, has_games, publish, read_settings};
use quincunx_arena::{
    CAN_SUSPEND, EngineConfig, GameConfig, MatchRunner, MatchSummary, Tournament, Variant, speed,
};
use quincunx_engine::engine::openings::BalanceTest;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::opening::Opening;
use quincunx_engine::game::swap::OpeningRule;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The options that have a meaning where nothing is played. All others are refused there.
const WITHOUT_PLAY: [&str; 8] = [
    "merge",
    "moved",
    "out",
    "sprt",
    "alpha",
    "beta",
    "model",
    "sprt_exit",
];

fn excluding_merge(option: Arg) -> Arg {
    match WITHOUT_PLAY.contains(&option.get_id().as_str()) {
        true => option,
        false => option.conflicts_with("merge"),
    }
}

/// Who plays whom, how, and what becomes of it.
#[derive(Args)]
#[command(mut_args(excluding_merge), group(ArgGroup::new("earlier").args(["resume", "merge"])))]
pub(crate) struct Match {
    #[command(flatten)]
    engines: Engines,

    #[command(flatten, next_help_heading = "Games")]
    variant: VariantOptions,
    /// Games of each meeting of two engines, rounded up to pairs
    #[arg(
        help_heading = "Games",
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = at_least_one::<usize>,
    )]
    games: usize,
    /// Who meets whom
    #[arg(help_heading = "Games", long, value_enum, default_value_t)]
    format: FormatArg,
    /// Rounds of a Swiss tournament; by default as many as a single winner needs
    #[arg(help_heading = "Games", long, value_name = "N")]
    rounds: Option<usize>,

    #[command(flatten)]
    openings: MatchOpenings,
    /// Games with this number of stones are drawn; by default those with a full board
    #[arg(
        help_heading = "Games",
        long,
        value_name = "STONES",
        value_parser = at_least_one::<usize>,
    )]
    draw_after: Option<usize>,

    /// End games that both engines consider decided: N or more for one and -N or less
    /// for the other, by their own evaluations, for M moves of each in a row
    #[arg(help_heading = "Adjudication", long, value_name = "score=N,moves=M")]
    resign: Option<ResignRule>,
    /// End games that both engines consider drawn: from -N to N for M moves of each in
    /// a row, with at least STONES on the board
    #[arg(
        help_heading = "Adjudication",
        long,
        value_name = "score=N,moves=M,after=STONES"
    )]
    draw: Option<DrawRule>,

    /// Games at a time
    #[arg(
        help_heading = "How it is played",
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = within(1, MOST_AT_A_TIME),
    )]
    concurrency: usize,
    /// Start the programs anew for every game
    #[arg(help_heading = "How it is played", long)]
    restart: bool,
    /// Keep each pair of games on one core (on Linux)
    #[arg(help_heading = "How it is played", long)]
    pin: bool,
    /// Scale the times, which are meant for a machine on which the first engine searches N
    /// nodes a second, so that it searches as many nodes here. The speed is measured before
    /// the first game, with --concurrency processes at once
    #[arg(
        help_heading = "How it is played",
        long,
        value_name = "N",
        value_parser = at_least_one::<u64>,
    )]
    scale_to: Option<u64>,
    /// Suspend the program that is not to move (SIGSTOP), as Gomocup does; on Unix
    #[arg(help_heading = "How it is played", long)]
    suspend: bool,
    /// Send whole boards instead of single moves
    #[arg(help_heading = "How it is played", long)]
    whole_boards: bool,

    #[command(flatten)]
    sprt: SprtArgs,

    /// Keep records and a report in this folder
    #[arg(help_heading = "Records", long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the conversation of every game, with the time of each line, in the folder
    /// transcripts of --out
    #[arg(help_heading = "Records", long, requires = "out")]
    transcripts: bool,
    /// Continue the run whose records are in the folder; with more --games than before it
    /// becomes longer, for instance after an undecided test
    #[arg(help_heading = "Records", long, requires = "out")]
    resume: bool,
    /// With --resume or --merge: the programs are the same ones, in another place
    #[arg(help_heading = "Records", long, requires = "earlier")]
    moved: bool,
    /// Play only part I of N of the schedule
    #[arg(help_heading = "Records", long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Merge these parts of a match (see --shard) instead of playing: their folders, or the
    /// games.jsonl in them. The report says whether their results differ by more than chance.
    /// Of the other options only --out, --moved and those of a test are allowed
    #[arg(help_heading = "Records", long, value_name = "PATH", num_args = 1..)]
    merge: Vec<PathBuf>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum FormatArg {
    /// Every engine against every other
    #[default]
    RoundRobin,
    /// The first against each of the others
    Gauntlet,
    /// First against second, third against fourth
    Neighbours,
    /// In every round engines with equal points, no two of them twice
    Swiss,
    /// An engine that loses a meeting is out
    Knockout,
}

impl Match {
    /// Plays the match, or merges its parts.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<u8> {
        if !self.merge.is_empty() {
            return self.merge(output);
        }
        let engines = self.checked_engines()?;
        let format = self.format(engines.len())?;
        let sprt = self.sprt.sprt(engines.len())?;
        // The options are valid. The work begins here.
        Engines::try_start(&engines)?;
        // No other run may write to the folder until this one has ended.
        let folder = (self.out.as_ref())
            .map(|folder| RunFolder::take(folder, self.resume))
            .transpose()?;
        let (stop, interrupted) = stop_on_interrupt()?;
        let resumed = self.resumed_folder().map(read_settings).transpose()?;
        let balance = self.openings.balance(&engines, resumed.as_ref());
        let openings = match self.openings.openings(&OpeningNeeds {
            rule: self.variant.of.rule,
            size: self.variant.size,
            pairs: Schedule::opening_count(format, engines.len(), self.games.div_ceil(2)),
            threads: self.concurrency,
            weights,
            resumed: resumed.as_ref(),
            balance,
            stop: &stop,
        }) {
            Err(_) if interrupted.load(Ordering::Relaxed) => return Ok(self.interrupted()),
            openings => openings?,
        };
        let mut tournament = self.tournament(engines, format, openings)?;
        let mut settings = self.settings(&tournament, format, sprt, balance);
        match self.scale(&mut tournament, &mut settings, resumed.as_ref(), &stop) {
            Err(_) if interrupted.load(Ordering::Relaxed) => return Ok(self.interrupted()),
            scaled => scaled?,
        }
        let mut played = Vec::new();
        let mut store = None;
        if let Some(folder) = &folder {
            let (opened, before) = Store::open(folder, &settings, self.moved)?;
            store = Some(opened);
            played = before;
            // These include the earlier runs.
            settings = read_settings(folder.path())?;
        }
        // Only now is it certain that openings of an earlier run are on this board.
        self.warn(&tournament);
        let summary = self.play(&tournament, settings.sprt, (store, played), &stop)?;
        if let Some(run) = settings.runs.last_mut() {
            run.versions = summary.versions;
        }
        let report = Report::new(&settings, &summary.games, Some(summary.elapsed));
        let published = (folder.as_ref())
            .map(|folder| publish(folder.path(), &settings, &summary.games, &report));
        // The result is printed even if the disk is full.
        exit::unless_gone(output.write_all(report.text().as_bytes()))?;
        summary.failure.map_or(Ok(()), Err)?;
        published.transpose()?;
        if interrupted.load(Ordering::Relaxed) {
            return Ok(self.interrupted());
        }
        Ok(self.sprt.exit_code(report.decision()))
    }

    /// Plays what is left of the schedule.
    fn play(
        &self,
        tournament: &Tournament,
        sprt: Option<Sprt>,
        (store, played): (Option<Store>, Vec<MatchGame>),
        stop: &StopSignal,
    ) -> Result<MatchSummary> {
        let runner = MatchRunner {
            shard: self.shard.unwrap_or_default(),
            concurrency: self.concurrency,
            sprt,
            store,
            played,
            progress: &progress(),
        };
        Ok(runner.run(tournament, stop)?)
    }

    /// Says how to go on with a match that was interrupted, and returns the exit code.
    fn interrupted(&self) -> u8 {
        let how = match &self.out {
            Some(folder) if has_games(folder) => {
                "the same command with --resume continues the match"
            }
            Some(_) => "no game has ended; the same command starts over",
            None => "with --out it could be resumed",
        };
        // A reader that has gone away misses nothing.
        let _ = writeln!(io::stderr(), "interrupted: {how}");
        INTERRUPTED
    }

    /// The engines, after a check of all options that do not depend on their number.
    fn checked_engines(&self) -> Result<Vec<EngineConfig>> {
        ensure_usage!(
            CAN_SUSPEND || !self.suspend,
            "--suspend: programs can't be suspended on this system"
        );
        self.openings.check()?;
        let engines = self.engines.engines()?;
        let timed = |engine: &EngineConfig| {
            let time = &engine.limits.time;
            time.turn.is_some() || time.game.is_some()
        };
        ensure_usage!(
            self.scale_to.is_none() || engines.iter().any(timed),
            "--scale-to scales times, and there are none: give --turn or --tc"
        );
        Ok(engines)
    }

    /// Scales the times of a tournament by the speed of the first engine, if that was asked for:
    /// by the speed that a resumed run has kept, or else as measured now. The settings keep the
    /// unscaled times, which are the same on every machine.
    fn scale(
        &self,
        tournament: &mut Tournament,
        settings: &mut MatchSettings,
        resumed: Option<&MatchSettings>,
        stop: &StopSignal,
    ) -> Result<()> {
        let Some(meant) = self.scale_to else {
            return Ok(());
        };
        let (speed, since) = match resumed.and_then(MatchSettings::speed) {
            Some(speed) => (speed, " when the run began"),
            None => (
                speed::measure(tournament, self.concurrency, meant, stop)?,
                "",
            ),
        };
        let (name, words) = (&tournament.engines[0].name, speed::words(meant, speed));
        let _ = writeln!(io::stderr(), "speed of {name}{since}: {words}");
        for engine in &mut tournament.engines {
            engine.limits.scale(speed::factor(meant, speed));
        }
        for run in &mut settings.runs {
            run.speed = Some(speed);
        }
        Ok(())
    }

    /// Prints notes about settings that are allowed but hardly intended.
    fn warn(&self, tournament: &Tournament) {
        let cores = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
        if self.concurrency > cores {
            let _ = writeln!(
                io::stderr(),
                "note: {} games at a time on {cores} cores: engines will take each other's time",
                self.concurrency
            );
        }
        let rounds = self.games.div_ceil(2);
        let starts = tournament.different_starts();
        // Under swap2 the engines decide what they start from.
        if rounds > starts && tournament.game.opening_rule == OpeningRule::Free {
            let plural = if starts == 1 { "" } else { "s" };
            let _ = writeln!(
                io::stderr(),
                "note: {rounds} pairs of two engines from {starts} different start{plural}: engines \
                 that always play the same will repeat games (see --openings)",
            );
        }
    }

    fn merge(&self, output: &mut dyn Write) -> Result<u8> {
        let merged = merge(&self.merge, self.moved)?;
        let sprt = self.sprt.sprt(merged.settings.engines.len())?;
        if sprt.is_some() {
            merged.expect_moves()?;
        }
        let MergedMatch {
            mut settings,
            games,
            parts,
        } = merged;
        settings.sprt = sprt.or(settings.sprt);
        let comparison = Comparison::new(&settings, &games, &parts);
        let report = Report::new(&settings, &games, None).with_parts(&comparison);
        if let Some(remark) = comparison.remark() {
            let _ = writeln!(io::stderr(), "note: {remark}");
        }
        let published = (self.out.as_ref()).map(|folder| {
            let created = create(folder, &settings, &games);
            created.and_then(|()| publish(folder, &settings, &games, &report))
        });
        exit::unless_gone(output.write_all(report.text().as_bytes()))?;
        published.transpose()?;
        Ok(self.sprt.exit_code(report.decision()))
    }

    fn tournament(
        &self,
        engines: Vec<EngineConfig>,
        format: Format,
        openings: Vec<Opening>,
    ) -> Result<Tournament> {
        let pairs_each = self.games.div_ceil(2);
        if let Some(limit) = self.draw_after {
            self.openings.ensure_shorter(limit, &openings)?;
        }
        let list = OpeningList {
            count: openings.len(),
            order: self.openings.order(),
            turn: (!self.openings.as_written).then_some(self.variant.size),
            seed: self.openings.seed.seed,
        };
        let schedule = Schedule::new(format, engines.len(), pairs_each, list);
        Ok(Tournament {
            engines,
            game: GameConfig {
                variant: Variant {
                    rule: self.variant.of.rule,
                    size: self.variant.size,
                },
                opening_rule: self.openings.opening_rule,
                move_limit: self.draw_after,
                adjudication: Adjudication {
                    resign: self.resign,
                    draw: self.draw,
                },
                suspend: self.suspend,
                whole_boards: self.whole_boards,
            },
            openings,
            schedule,
            restart: self.restart,
            pin: self.pin,
            transcripts: self.transcripts,
        })
    }

    /// The folder of the run that this one resumes.
    fn resumed_folder(&self) -> Option<&Path> {
        let folder = self.out.as_deref().filter(|_| self.resume);
        folder.filter(|folder| has_games(folder))
    }

    fn format(&self, players: usize) -> Result<Format> {
        let format = match self.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
            FormatArg::Neighbours => Format::Neighbours,
            FormatArg::Swiss => Format::Swiss {
                rounds: self.rounds,
            },
            FormatArg::Knockout => Format::Knockout,
        };
        if let Some(rounds) = self.rounds {
            let most = Format::most_swiss_rounds(players);
            ensure_usage!(
                matches!(self.format, FormatArg::Swiss),
                "--rounds is for --format swiss"
            );
            ensure_usage!(
                (1..=most).contains(&rounds),
                "--rounds must be 1 to {most}: no two engines meet twice"
            );
        }
        ensure_usage!(
            self.shard.is_none() || !format.depends_on_results(),
            "--shard has no place where who meets whom depends on results"
        );
        Ok(format)
    }

    /// Everything that decides the games, for the record and for resuming.
    fn settings(
        &self,
        tournament: &Tournament,
        format: Format,
        sprt: Option<Sprt>,
        balance: Option<BalanceTest>,
    ) -> MatchSettings {
        MatchSettings {
            engines: MatchSettings::describe(&tournament.engines),
            rule: self.variant.of.rule.to_string(),
            size: self.variant.size.to_string(),
            pairs: tournament.schedule.pairs(),
            pairings: tournament.schedule.pairings().to_vec(),
            format: Some(format).filter(|format| format.depends_on_results()),
            openings: tournament
                .openings
                .iter()
                .map(ToString::to_string)
                .collect(),
            opening_nodes: balance.map(|test| test.nodes),
            opening_window: balance.map(|test| test.window),
            sequential: self.openings.order() == OpeningOrder::Sequential,
            as_written: self.openings.as_written,
            seed: self.openings.seed.seed,
            draw_after: self.draw_after,
            resign: self.resign,
            draw: self.draw,
            scale_to: self.scale_to,
            restart: self.restart,
            suspend: self.suspend,
            whole_boards: self.whole_boards,
            opening_rule: match self.openings.opening_rule {
                OpeningRule::Free => None,
                rule => Some(rule.to_string()),
            },
            shard: self.shard.map(|shard| shard.to_string()),
            sprt,
            runs: vec![RunInfo::now(VERSION)],
        }
    }
}

/// A signal that an interruption of the program gives, and whether there was one.
fn stop_on_interrupt() -> Result<(StopSignal, Arc<AtomicBool>)> {
    let stop = StopSignal::default();
    let interrupted = Arc::<AtomicBool>::default();
    let (on_signal, by_signal) = (stop.clone(), Arc::clone(&interrupted));
    on_interrupt(move || {
        by_signal.store(true, Ordering::Relaxed);
        on_signal.give();
    })?;
    Ok((stop, interrupted))
}
