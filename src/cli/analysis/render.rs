//! `quincunx render`: pictures of boards.

use super::source::Source;
use crate::cli::exit::usage;
use crate::cli::output::ensure_free;
use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx_analysis::diagram::{Diagram, Mark, Theme};
use quincunx_engine::rules::Point;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `quincunx render`.
#[derive(Args)]
pub(crate) struct Render {
    #[command(flatten)]
    source: Source,
    /// The picture: a name that ends in .svg or .txt; - is text on standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only so many moves of the game
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Leave out the numbers on the stones
    #[arg(long)]
    no_numbers: bool,
    /// Leave out the letters and numbers at the edges
    #[arg(long)]
    no_coordinates: bool,
    /// Mark points: ring, cross, triangle, square or dot, and points such as
    /// cross=h8,i9. Can be repeated
    #[arg(long, value_name = "MARK=POINTS", value_parser = marks)]
    mark: Vec<Marks>,
    /// The colours: wood, light, dark or print
    #[arg(long, default_value_t)]
    theme: Theme,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
}

/// A mark and where it is put.
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

impl Render {
    /// Draws.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        let extension = self.out.extension().and_then(|it| it.to_str());
        let as_svg = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => true,
            Some("txt") => false,
            _ if self.out == Path::new("-") => false,
            _ => {
                let name = self.out.display();
                return Err(usage(format!("{name}: expected a name in .svg or .txt")));
            }
        };
        let diagram = self.diagram()?;
        let picture = if as_svg {
            diagram.svg()
        } else {
            diagram.text()
        };
        if self.out == Path::new("-") {
            output.write_all(picture.as_bytes())?;
            return Ok(());
        }
        ensure_free(&self.out, self.force)?;
        quincunx_files::replace(&self.out, picture.as_bytes())?;
        Ok(())
    }

    fn diagram(&self) -> Result<Diagram> {
        let mut record = self.source.record()?;
        record.moves.truncate(self.moves.unwrap_or(usize::MAX));
        let rule = record.rule.unwrap_or_default();
        let game = record.replay(rule);
        let game = game.with_context(|| format!("can't draw {}", self.source.name()))?;
        let mut diagram = Diagram::of(&game);
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
        Ok(Diagram {
            coordinates: !self.no_coordinates,
            theme: self.theme,
            ..diagram
        })
    }
}
