//! Records and tables as text, for people and for other programs.

use super::record::{Game, Reader};
use crate::eval::{EvalTables, HEAD_SCALE, HIDDEN, Lanes, THREAT_NAMES, VALUE_SCALE};
use crate::pattern::{Code, Merger, Pair, Shape};
use crate::rules::{Color, Point};
use anyhow::{Result, bail};
use std::io::Write;

/// Writes what `bytes`, a file of games or of tables, holds.
///
/// # Errors
/// When it is neither or damaged, or `output` can't be written.
pub fn dump(bytes: &[u8], output: &mut impl Write) -> Result<()> {
    if bytes.starts_with(b"QXTABLE\0") {
        write_tables(output, &EvalTables::from_bytes(bytes)?)?;
    } else if bytes.starts_with(b"QXGAMES\0") {
        let mut reader = Reader::new(bytes)?;
        writeln!(output, "# rule {}", reader.rule())?;
        while let Some(game) = reader.next_game()? {
            write_game(output, &game)?;
        }
    } else {
        bail!("neither games nor tables");
    }
    Ok(())
}

/// A game as a line: seed and number, board, nodes, who won, the opening, then
/// each move with its score for the side to move. `!` marks a move drawn by
/// lot, with the search's choice after it.
fn write_game(output: &mut impl Write, game: &Game) -> std::io::Result<()> {
    let winner = game
        .winner
        .map_or_else(|| "draw".to_owned(), |color| color.to_string());
    let opening: String = game.opening.iter().map(Point::to_string).collect();
    write!(
        output,
        "{}:{} {} {} {winner}; {opening};",
        game.seed, game.number, game.size, game.nodes
    )?;
    for ply in &game.plies {
        if ply.sampled {
            write!(output, " !{}({})", ply.played, ply.best)?;
        } else {
            write!(output, " {}", ply.played)?;
        }
        write!(output, "{:+}", ply.score)?;
    }
    writeln!(output)
}

/// A line for each code, pair of classes, place and set of threats, and the
/// network.
fn write_tables(output: &mut impl Write, tables: &EvalTables) -> std::io::Result<()> {
    let rule = tables.rule;
    let colors = &Color::ALL[..EvalTables::colors(rule)];
    writeln!(output, "# rule {rule}")?;
    for &color in colors {
        let whose = if colors.len() == 1 {
            "both".to_owned()
        } else {
            color.to_string()
        };
        let part = Part {
            tables,
            index: color.index(),
            whose,
        };
        part.write_codes(output)?;
        part.write_pairs(output)?;
        part.write_places(output)?;
        part.write_threats(output)?;
        part.write_network(output)?;
    }
    Ok(())
}

/// The tables of one colour, or of both where they have the same.
struct Part<'a> {
    tables: &'a EvalTables,
    index: usize,
    whose: String,
}

impl Part<'_> {
    /// Says whose numbers follow and what they are.
    fn head(&self, output: &mut impl Write, what: &str) -> std::io::Result<()> {
        writeln!(output, "# {}: {what}", self.whose)
    }

    fn write_codes(&self, output: &mut impl Write) -> std::io::Result<()> {
        let Part { tables, index, .. } = *self;
        self.head(
            output,
            "shapes, attack, defence, lanes (value to move, waiting, what the network takes)",
        )?;
        for code in Code::all() {
            let lanes = units(&tables.lanes[index][code.index()]);
            let shapes: Vec<String> = (Merger::shared().shapes(code).iter())
                .filter(|&&shape| shape != Shape::Dead)
                .map(|shape| format!("{shape:?}"))
                .collect();
            writeln!(
                output,
                "{:<60} {:6} {:6}{lanes}",
                shapes.join("+"),
                tables.attack[index][code.index()],
                tables.defence[index][code.index()],
            )?;
        }
        Ok(())
    }

    fn write_pairs(&self, output: &mut impl Write) -> std::io::Result<()> {
        let Part { tables, index, .. } = *self;
        self.head(
            output,
            "own class, the opponent's, a move that makes and prevents these, lanes",
        )?;
        for pair in Pair::all() {
            let [own, theirs] = pair.classes();
            let lanes = units(&tables.pairs[index][pair.index()]);
            let both = tables.both[index][pair.index()];
            let classes = format!("{own:?}/{theirs:?}");
            writeln!(output, "{classes:<30} {both:6}{lanes}")?;
        }
        Ok(())
    }

    fn write_places(&self, output: &mut impl Write) -> std::io::Result<()> {
        let Part { tables, index, .. } = *self;
        self.head(
            output,
            "with the move, place, a move there from the opponent's last stone, from the own",
        )?;
        let [theirs, own] = &*tables.near[index];
        for (place, (theirs, own)) in theirs.iter().zip(own).enumerate() {
            writeln!(output, "{place:2} {theirs:6} {own:6}")?;
        }
        Ok(())
    }

    fn write_threats(&self, output: &mut impl Write) -> std::io::Result<()> {
        let Part { tables, index, .. } = *self;
        self.head(output, "with the move, value of the threats on the board")?;
        for (set, value) in tables.threats[index].iter().enumerate() {
            let names: Vec<&str> = (THREAT_NAMES.iter().enumerate())
                .filter(|&(bit, _)| set >> bit & 1 != 0)
                .map(|(_, &name)| name)
                .collect();
            writeln!(output, "{value:6} {}", names.join(", "))?;
        }
        Ok(())
    }

    fn write_network(&self, output: &mut impl Write) -> std::io::Result<()> {
        let Part { tables, index, .. } = *self;
        self.head(output, "with the move, the network's weights by input (own lanes, the opponent's, stones, one), then outward")?;
        for row in tables.heads[index].chunks(HIDDEN) {
            let weights: String = (row.iter())
                .map(|&weight| format!(" {:7.3}", f32::from(weight) / HEAD_SCALE))
                .collect();
            writeln!(output, "{weights}")?;
        }
        Ok(())
    }
}

fn units(lanes: &Lanes) -> String {
    let unit = |&lane: &i16| format!(" {:8.2}", f64::from(lane) / f64::from(VALUE_SCALE));
    lanes.iter().map(unit).collect()
}
