//! `quincunx explore`: what was played from positions, and how those games ended.

use super::sources::Sources;
use crate::cli::files::Files;
use crate::cli::games::{GameReading, GamesReading};
use crate::cli::numbers::within;
use crate::cli::options::{Force, Json};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Color;
use quincunx_explorer::{BuildLimits, Builder, ExploredMove, Explorer, Tally};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `quincunx explore`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Explore {
    /// A file that build has made
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Moves such as h8i9g10 (-- is a pass), a line such as "15 renju h8i9g10", or a game
    /// file, whose last position is used. The default is the empty board
    #[arg(
        value_name = "POSITION|FILE",
        default_value = "",
        hide_default_value = true
    )]
    position: String,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    reading: GameReading,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Make a file of the moves that were played in games
    #[command(
        after_long_help = "Examples:\n  quincunx explore build games.sgf tournaments/ --out played.qxplore\n  quincunx explore build selfplay.qx --plies 20 --least 2 --out openings.qxplore"
    )]
    Build(Build),
}

/// The arguments of `quincunx explore build`.
#[derive(Args)]
struct Build {
    /// Game files: any that the board opens, and files of selfplay. In folders, the files with
    /// extensions of game files; the folder of a match stands for its games
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The file to make
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Count only the first N moves of a game
    #[arg(long, value_name = "N", value_parser = within(1, usize::MAX))]
    plies: Option<usize>,
    /// Leave out moves that were played in fewer than N games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1, u64::MAX))]
    least: u64,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    reading: GamesReading,
}

impl Explore {
    /// Makes a file, or shows what was played from a position.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        if let Some(Action::Build(build)) = &self.action {
            return build.run(output);
        }
        let Some(path) = &self.file else {
            bail!("no file is named");
        };
        let context = || format!("can't read {}", path.display());
        let explorer = Explorer::open(path).with_context(context)?;
        let position = self.reading.position(&self.position)?;
        ensure!(
            explorer.has_board_of(&position),
            "{} has no games of {} on a board of {}, only {}",
            path.display(),
            position.rule(),
            position.size(),
            boards(&explorer)
        );
        let moves = explorer.moves(&position).with_context(context)?;
        match self.json.json {
            true => writeln!(output, "{}", json_of(&position, &moves))?,
            false => output.write_all(text_of(&position, &moves).as_bytes())?,
        }
        Ok(())
    }
}

/// The rules and boards of a file, with their games.
fn boards(explorer: &Explorer) -> String {
    let boards = explorer.boards().iter();
    let boards: Vec<String> = boards
        .map(|it| format!("{} on {} ({} games)", it.rule, it.size, it.games))
        .collect();
    match boards.is_empty() {
        true => "none".to_owned(),
        false => boards.join(", "),
    }
}

fn total(moves: &[ExploredMove]) -> Tally {
    let mut total = Tally::default();
    moves.iter().for_each(|it| total += it.tally);
    total
}

fn text_of(position: &Position, moves: &[ExploredMove]) -> String {
    let (rule, size, side) = (position.rule(), position.size(), position.side());
    let mut text = format!("{rule}, board {size}, {side} to move");
    if moves.is_empty() {
        return text + ": no move is known\n";
    }
    text += "\n    games    black    white    draws  unknown  black  move\n";
    let row = |tally: &Tally| {
        let score = tally.score(Color::Black);
        let score = score.map_or(String::new(), |it| format!("{:.0} %", 100.0 * it));
        format!(
            "{:9}{:9}{:9}{:9}{:9}{score:>7}",
            tally.games(),
            tally.black,
            tally.white,
            tally.draws,
            tally.unknown
        )
    };
    for ExploredMove { points, tally } in moves {
        let points: Vec<String> = points.iter().map(ToString::to_string).collect();
        text += &format!("{}  {}\n", row(tally), points.join(" "));
    }
    text + &format!("{}  all\n", row(&total(moves)))
}

fn json_of(position: &Position, moves: &[ExploredMove]) -> serde_json::Value {
    let counts = |tally: &Tally| {
        json!({
            "games": tally.games(),
            "black": tally.black,
            "white": tally.white,
            "draws": tally.draws,
            "unknown": tally.unknown,
        })
    };
    let moves_json = moves.iter().map(|ExploredMove { points, tally }| {
        let points: Vec<String> = points.iter().map(ToString::to_string).collect();
        let mut object = counts(tally);
        object["points"] = json!(points);
        object
    });
    let moves_json: Vec<serde_json::Value> = moves_json.collect();
    let mut object = counts(&total(moves));
    object["rule"] = json!(position.rule().name());
    object["size"] = json!(position.size().to_string());
    object["side"] = json!(position.side().to_string());
    object["moves"] = json!(moves_json);
    object
}

impl Build {
    fn run(&self, output: &mut dyn Write) -> Result<()> {
        let context = || format!("can't write {}", self.out.display());
        let mut sources = Sources::of(&self.games)?;
        let files = Files::read(sources.paths());
        files.replace([&self.out], self.force.force).check()?;
        exit_on_interrupt("no file was written")?;
        let line = progress();
        let limits = BuildLimits {
            plies: self.plies.unwrap_or(usize::MAX),
            games: self.least,
        };
        let mut builder = Builder::new(&self.out, limits).with_context(context)?;
        let count = sources.paths().len();
        sources.each_game(&self.reading, &mut |place, game| {
            let added = builder.add(&game.end(), game.set_up, game.result.into());
            added.with_context(context)?;
            let games = builder.games();
            line.show(|| format!("file {} of {count}: {games} games", place.index + 1));
            Ok(())
        })?;
        line.clear();
        sources.expect_games(usize::try_from(builder.games())?)?;
        line.show(|| format!("{} games: sorting", builder.games()));
        let built = builder.finish().with_context(context)?;
        line.clear();
        writeln!(
            output,
            "{} games, {} positions, {} moves",
            built.games, built.positions, built.moves
        )?;
        sources.expect_all_read()
    }
}
