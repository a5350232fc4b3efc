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
        write_codes(output, tables, color, &whose)?;
        write_pairs(output, tables, color, &whose)?;
        write_places(output, tables, color, &whose)?;
        write_threats(output, tables, color, &whose)?;
        write_network(output, tables, color, &whose)?;
    }
    Ok(())
}

fn write_codes(
    output: &mut impl Write,
    tables: &EvalTables,
    color: Color,
    whose: &str,
) -> std::io::Result<()> {
    let index = color.index();
    writeln!(
        output,
        "# {whose}: shapes, attack, defence, lanes (value to move, waiting, what the network takes)"
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

fn write_pairs(
    output: &mut impl Write,
    tables: &EvalTables,
    color: Color,
    whose: &str,
) -> std::io::Result<()> {
    let index = color.index();
    writeln!(
        output,
        "# {whose}: own class, the opponent's, a move that makes and prevents these, lanes"
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

fn write_places(
    output: &mut impl Write,
    tables: &EvalTables,
    color: Color,
    whose: &str,
) -> std::io::Result<()> {
    writeln!(
        output,
        "# {whose} to move: place, a move there from the opponent's last stone, from the own"
    )?;
    let [theirs, own] = &*tables.near[color.index()];
    for (place, (theirs, own)) in theirs.iter().zip(own).enumerate() {
        writeln!(output, "{place:2} {theirs:6} {own:6}")?;
    }
    Ok(())
}

fn write_threats(
    output: &mut impl Write,
    tables: &EvalTables,
    color: Color,
    whose: &str,
) -> std::io::Result<()> {
    writeln!(
        output,
        "# {whose} to move: value of the threats on the board"
    )?;
    for (set, value) in tables.threats[color.index()].iter().enumerate() {
        let names: Vec<&str> = (THREAT_NAMES.iter().enumerate())
            .filter(|&(bit, _)| set >> bit & 1 != 0)
            .map(|(_, &name)| name)
            .collect();
        writeln!(output, "{value:6} {}", names.join(", "))?;
    }
    Ok(())
}

fn write_network(
    output: &mut impl Write,
    tables: &EvalTables,
    color: Color,
    whose: &str,
) -> std::io::Result<()> {
    writeln!(
        output,
        "# {whose} to move: the network's weights by input (own lanes, the opponent's, stones, one), then outward"
    )?;
    for row in tables.heads[color.index()].chunks(HIDDEN) {
        let weights: String = (row.iter())
            .map(|&weight| format!(" {:7.3}", f32::from(weight) / HEAD_SCALE))
            .collect();
        writeln!(output, "{weights}")?;
    }
    Ok(())
}

fn units(lanes: &Lanes) -> String {
    let unit = |&lane: &i16| format!(" {:8.2}", f64::from(lane) / f64::from(VALUE_SCALE));
    lanes.iter().map(unit).collect()
}
