//! `quincunx render`: pictures of boards.

use super::source::Source;
use crate::cli::exit::usage;
use crate::cli::files::Files;
use crate::cli::options::Force;
use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx_analysis::NamedOpening;
use quincunx_analysis::diagram::{self, Diagram, Mark, Theme};
use quincunx_engine::game::Game;
use quincunx_engine::rules::Point;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `quincunx render`.
#[derive(Args)]
pub(crate) struct Render {
    #[command(flatten)]
    source: Source,
    /// The picture: a name that ends in .svg, .png, .gif (the game move by move) or
    /// .txt; - is text on standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw only the first N moves of the game
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Leave out the numbers on the stones
    #[arg(long)]
    no_numbers: bool,
    /// Leave out the letters and numbers at the edges
    #[arg(long)]
    no_coordinates: bool,
    /// Mark points with a ring, cross, triangle, square or dot, such as cross=h8,i9. Can be
    /// repeated
    #[arg(long, value_name = "MARK=POINTS", value_parser = marks)]
    mark: Vec<Marks>,
    /// The colours: wood, light, dark, print or contrast
    #[arg(long, default_value_t)]
    theme: Theme,
    #[command(flatten)]
    force: Force,
}

/// A mark and its points.
#[derive(Clone, Debug)]
struct Marks {
    mark: Mark,
    points: Vec<Point>,
}

fn marks(text: &str) -> Result<Marks, String> {
    let (mark, points) = text
        .split_once('=')
        .ok_or("expected MARK=POINTS, such as cross=h8,i9")?;
    let points = points.split(',').map(|point| {
        let point = point.trim();
        point.parse::<Point>().map_err(|error| error.to_string())
    });
    Ok(Marks {
        mark: mark.parse().map_err(|error| format!("{error}"))?,
        points: points.collect::<Result<_, _>>()?,
    })
}

/// The format of a picture.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
    Gif,
    Text,
}

impl Format {
    /// The format for the extension of a file.
    fn of(path: &Path) -> Option<Format> {
        let extension = path.extension().and_then(|it| it.to_str());
        Some(match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            Some("gif") => Format::Gif,
            Some("txt") => Format::Text,
            _ if path == Path::new("-") => Format::Text,
            _ => return None,
        })
    }
}

impl Render {
    /// Draws the picture.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        let format = Format::of(&self.out).ok_or_else(|| {
            let name = self.out.display();
            usage(format!(
                "{name}: expected a name in .svg, .png, .gif or .txt"
            ))
        })?;
        let game = self.game()?;
        let diagram = self.looks(&game, Diagram::of(&game))?;
        let picture = match format {
            Format::Svg => diagram.svg().into_bytes(),
            Format::Png => diagram.png()?,
            Format::Gif => {
                let pictures = Diagram::each_of(&game).into_iter();
                let pictures = pictures.map(|picture| self.looks(&game, picture));
                diagram::gif(&pictures.collect::<Result<Vec<_>>>()?)?
            }
            Format::Text => diagram.text().into_bytes(),
        };
        if self.out == Path::new("-") {
            output.write_all(&picture)?;
            return Ok(());
        }
        Files::read([self.source.name()])
            .replace([&self.out], self.force.force)
            .check()?;
        quincunx_files::replace(&self.out, &picture)?;
        Ok(())
    }

    fn game(&self) -> Result<Game> {
        let mut record = self.source.record()?;
        record.moves.truncate(self.moves.unwrap_or(usize::MAX));
        let rule = record.rule.unwrap_or_default();
        let game = record.replay(rule);
        game.with_context(|| format!("can't draw {}", self.source.name()))
    }

    /// A picture with the options of the arguments.
    fn looks(&self, game: &Game, mut diagram: Diagram) -> Result<Diagram> {
        if self.no_numbers {
            diagram = diagram.without_numbers();
        }
        for Marks { mark, points } in &self.mark {
            for &point in points {
                let size = diagram.size;
                ensure!(size.has(point), "{point} is off the {size} board");
                diagram.marks.push((*mark, point));
            }
        }
        let opening = NamedOpening::of(game);
        let title = opening.map_or_else(|| diagram.title.clone(), |name| name.to_string());
        Ok(Diagram {
            coordinates: !self.no_coordinates,
            theme: self.theme,
            title,
            ..diagram
        })
    }
}
