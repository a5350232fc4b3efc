//! The openings of a match: read from files, made by the program, or left to the engines.

use crate::cli::balance::BalanceArgs;
use crate::cli::exit::ensure_usage;
use crate::cli::games::{Reading, warn_of};
use crate::cli::inputs::{files, match_of, read_file};
use crate::cli::options::Seed;
use crate::cli::runs::{StopSignal, progress};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx_arena::schedule::OpeningOrder;
use quincunx_arena::settings::MatchSettings;
use quincunx_arena::store::read_settings;
use quincunx_arena::{EngineConfig, Variant};
use quincunx_engine::engine::openings::{BalanceTest, OpeningSettings};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::opening::{Opening, read_openings};
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::FileFormat;
use quincunx_tools::openings::{ListEvent, ListSettings, make};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of openings that are made. A longer match turns and mirrors them.
const MOST_MADE: usize = 500;

/// Where the openings of a match come from.
#[derive(Args)]
pub(crate) struct MatchOpenings {
    /// Openings: a text with one per line (h8i9g10, or offsets such as 0,0, 1,1), a game file
    /// (SGF, PSQ and so on), a folder of such files, or the folder of another match, for its
    /// openings. By default the match makes balanced openings
    #[arg(help_heading = "Openings", long, value_name = "PATH")]
    openings: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    balance: BalanceArgs,
    /// Take only the first N stones of each opening in the files
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "N",
        requires = "openings"
    )]
    opening_plies: Option<usize>,
    /// Begin every game on the empty board
    #[arg(
        help_heading = "Openings",
        long,
        conflicts_with_all = ["openings", "opening_plies"]
    )]
    no_openings: bool,
    /// The opening rule: free takes openings from the list; under swap2 the engines place the
    /// first stones and choose their colours (SWAP2BOARD)
    #[arg(help_heading = "Openings", long, value_name = "RULE", default_value_t)]
    pub(super) opening_rule: OpeningRule,
    /// The order of the openings: shuffled by --seed, or as they are listed
    #[arg(help_heading = "Openings", long, value_enum, default_value_t)]
    order: OrderArg,
    /// Never turn or mirror openings
    #[arg(help_heading = "Openings", long)]
    pub(super) as_written: bool,
    #[command(flatten, next_help_heading = "Openings")]
    pub(super) seed: Seed,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum OrderArg {
    #[default]
    Random,
    Sequential,
}

/// The match that openings are for.
pub(super) struct OpeningNeeds<'a> {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    /// The maximum number of openings that the match needs.
    pub(super) pairs: usize,
    pub(super) threads: usize,
    pub(super) weights: &'a Arc<WeightSet>,
    /// The settings of the run that this one resumes.
    pub(super) resumed: Option<&'a MatchSettings>,
    /// The test of openings that the program makes.
    pub(super) balance: Option<BalanceTest>,
    /// Ends the work on openings at once.
    pub(super) stop: &'a StopSignal,
}

impl MatchOpenings {
    /// The order in which the openings are played.
    pub(super) fn order(&self) -> OpeningOrder {
        match self.order {
            OrderArg::Random => OpeningOrder::Random,
            OrderArg::Sequential => OpeningOrder::Sequential,
        }
    }

    /// Whether the command line names no openings, so that the program makes them.
    pub(super) fn are_made(&self) -> bool {
        let free = self.opening_rule == OpeningRule::Free;
        free && self.openings.is_empty() && !self.no_openings
    }

    /// The test of the openings that the program makes for a match of these engines. A run that
    /// goes on keeps its own, unless the options name another.
    pub(super) fn balance(
        &self,
        engines: &[EngineConfig],
        resumed: Option<&MatchSettings>,
    ) -> Option<BalanceTest> {
        if !self.are_made() {
            return None;
        }
        if let Some(before) = resumed.filter(|_| !self.balance.are_given()) {
            let limits = before.opening_nodes.zip(before.opening_window);
            return limits.map(|(nodes, window)| BalanceTest { nodes, window });
        }
        let nodes = engines.iter().map(|engine| engine.limits.nodes_a_move());
        Some(self.balance.test(nodes.max().unwrap_or(0)))
    }

    /// Fails if the options contradict each other.
    pub(super) fn check(&self) -> Result<()> {
        ensure_usage!(
            matches!(self.opening_rule, OpeningRule::Free | OpeningRule::Swap2),
            "--opening-rule {}: the protocol has no command for it, as it has SWAP2BOARD for swap2",
            self.opening_rule
        );
        ensure_usage!(
            self.opening_rule == OpeningRule::Free || self.openings.is_empty(),
            "--opening-rule {}: the engines put the first stones, so --openings has no place",
            self.opening_rule
        );
        ensure_usage!(
            self.are_made() || !self.balance.are_given(),
            "--opening-nodes and --opening-window are for openings that the match makes"
        );
        Ok(())
    }

    /// Fails where games with `limit` stones are drawn and one of these openings has as many:
    /// its games would end before a move.
    pub(super) fn ensure_shorter(&self, limit: usize, openings: &[Opening]) -> Result<()> {
        let longest = openings.iter().map(|opening| opening.points().len()).max();
        let stones = match self.opening_rule {
            OpeningRule::Free => longest.unwrap_or(0),
            // The engines put five at most.
            _ => 5,
        };
        ensure_usage!(
            limit > stones,
            "--draw-after {limit}: an opening has as many stones, so its games would be drawn before \
             a move"
        );
        Ok(())
    }

    /// Reads or makes the openings.
    pub(super) fn openings(&self, needs: &OpeningNeeds<'_>) -> Result<Vec<Opening>> {
        if self.opening_rule != OpeningRule::Free || self.no_openings {
            return Ok(vec![Opening::default()]);
        }
        if self.openings.is_empty() {
            // Another number of games, or another version of the program, would make others.
            return match needs.resumed {
                Some(settings) => settings.openings().context("match.json"),
                None => make_openings(needs, self.seed.seed),
            };
        }
        let mut all = Vec::new();
        for (path, _) in files(&self.openings, |name| FileFormat::of_name(name).is_some())? {
            all.extend(match match_of(&path) {
                Some(folder) => self.of_match(folder, needs)?,
                None => self.read(&path, needs)?,
            });
        }
        ensure!(!all.is_empty(), "there are no openings in the files given");
        Ok(all)
    }

    fn read(&self, path: &Path, needs: &OpeningNeeds<'_>) -> Result<Vec<Opening>> {
        let bytes = read_file(path)?;
        let source = self.reading.source(path, &bytes);
        let read =
            quincunx_records::read_openings(source, needs.rule, needs.size, self.opening_plies);
        let (openings, remarks) = read.with_context(|| path.display().to_string())?;
        warn_of(path, &remarks);
        Ok(openings)
    }

    /// The openings that another match was played from.
    fn of_match(&self, folder: &Path, needs: &OpeningNeeds<'_>) -> Result<Vec<Opening>> {
        let context = || format!("the openings of {}", folder.display());
        let settings = read_settings(folder)?;
        let Variant { rule, size } = settings.variant().with_context(context)?;
        ensure!(
            size == needs.size,
            "the match {} was played on {size}, not {}",
            folder.display(),
            needs.size
        );
        if rule != needs.rule {
            warn_of(
                folder,
                &[format!("openings for {rule}, not {}", needs.rule)],
            );
        }
        let openings = settings.openings().with_context(context)?;
        let openings = openings.iter().map(|opening| {
            let points = opening.points().iter().copied();
            let points = points.take(self.opening_plies.unwrap_or(usize::MAX));
            Opening::new(needs.rule, size, points.collect())
        });
        openings.collect::<Result<_, _>>().with_context(context)
    }
}

/// Makes balanced openings, one for every pair of games as far as possible.
fn make_openings(needs: &OpeningNeeds<'_>, seed: u64) -> Result<Vec<Opening>> {
    let settings = ListSettings {
        opening: OpeningSettings {
            rule: needs.rule,
            size: needs.size,
            stones: 3..=7,
            balance: needs.balance.unwrap_or(BalanceTest::for_moves_of(0)),
            choose_last: true,
            quiet: false,
        },
        count: needs.pairs.min(MOST_MADE),
        seed,
        threads: needs.threads.max(1),
        weights: Arc::clone(needs.weights),
    };
    let progress = progress();
    let mut text = String::new();
    let mut count = 0;
    let made = make(&settings, &|| needs.stop.is_given(), |event| {
        if let ListEvent::Found(opening) = event {
            text.push_str(&opening.position.move_text());
            text.push('\n');
            count += 1;
        }
        progress.show(|| {
            let left = progress.time_left(count as u64, (settings.count - count) as u64);
            let BalanceTest { nodes, window } = settings.opening.balance;
            format!(
                "{count}/{} openings, {left} to go, level within {window} after {nodes} nodes",
                settings.count
            )
        });
        ControlFlow::Continue(())
    });
    progress.clear();
    made.context("can't start a thread")?;
    ensure!(
        !needs.stop.is_given(),
        "interrupted while openings were made"
    );
    ensure!(
        count > 0,
        "no balanced openings found: give --openings or --no-openings"
    );
    progress.note(&format!("{count} balanced openings made"));
    Ok(read_openings(needs.rule, needs.size, None, &text)?)
}
