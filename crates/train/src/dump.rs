//! Games, tables, networks and parameters as text, for people and for other programs.

use super::checkpoint;
use super::record::{GameReader, RecordError, SelfplayGame, TreePosition};
use super::spsa::SpsaState;
use quincunx_engine::engine::is_table_file;
use quincunx_engine::eval::line::{LINE_CHANNELS, LineError, LineNetwork, LineWeights};
use quincunx_engine::eval::{
    EMBEDDING_SCALE, Embedding, EvalTables, HEAD_SCALE, HIDDEN_UNITS, THREAT_NAMES, TablesError,
};
use quincunx_engine::pattern::{ClassPair, Code, CodeTable, Shape};
use quincunx_engine::rules::{Color, Point};
use std::io::{self, Write};

/// A file can't be written as text.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The file can't be written as text. The error names the command that reads it.
    #[error("{0}")]
    Other(&'static str),
    /// The file is a network that can't be read.
    #[error(transparent)]
    Network(#[from] LineError),
    /// The file has games that can't be read.
    #[error(transparent)]
    Games(#[from] RecordError),
    /// The file has tables that can't be read.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The text can't be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Writes the contents of `bytes`, a file of games, tables, a network or parameters. Of a
/// network these are its measures. A text is written as it is.
///
/// # Errors
/// Returns an error if the file is something else or damaged, or `output` can't be
/// written.
pub fn dump(bytes: &[u8], output: &mut impl Write) -> Result<(), DumpError> {
    if bytes.starts_with(b"QXTABLE\0") {
        write_tables(output, &EvalTables::from_bytes(bytes)?)?;
    } else if bytes.starts_with(b"QXGAMES\0") {
        let mut reader = GameReader::new(bytes)?;
        writeln!(output, "# rule {}", reader.rule())?;
        while let Some(game) = reader.next_game()? {
            write_game(output, &game)?;
        }
    } else if bytes.starts_with(b"QXLINE\0") {
        write_network(output, &LineWeights::from_bytes(bytes)?)?;
    } else if let Ok(state) = serde_json::from_slice::<SpsaState>(bytes) {
        let (played, options) = (state.played, &state.options);
        writeln!(output, "# {played} pairs played of {options}")?;
        for (name, value) in &state.values {
            writeln!(output, "{name} {value}")?;
        }
    } else if let Some(reader) = reader(bytes) {
        return Err(DumpError::Other(reader));
    } else {
        output.write_all(bytes)?;
    }
    Ok(())
}

/// The command that reads a binary file.
fn reader(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"SQLite format 3\0") {
        Some("a database: `quincunx database export` prints it")
    } else if is_table_file(bytes) {
        Some("a hash table: the command YXHASHLOAD of the protocol reads it")
    } else if checkpoint::is_checkpoint(bytes) {
        Some("a checkpoint: the command that wrote it resumes from it")
    } else {
        let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        (!is_text).then_some("nothing that this program writes")
    }
}

/// Writes the rule and the checksum of a network, and the number of trained windows by colour.
fn write_network(output: &mut impl Write, weights: &LineWeights) -> io::Result<()> {
    writeln!(output, "# rule {}", weights.rule)?;
    writeln!(
        output,
        "checksum {:08x}",
        LineNetwork::new(weights).checksum()
    )?;
    for color in &weights.colors {
        let windows: usize = color
            .embeddings
            .iter()
            .map(|of_length| of_length.len())
            .sum();
        writeln!(output, "{windows} windows of {LINE_CHANNELS} channels")?;
    }
    Ok(())
}

/// Writes a game as a line: seed and number, board, nodes, winner, opening, then
/// each move with its score for the side to move. `!` marks a sampled move, which
/// is followed by the move that the search chose. Positions of search trees come last: the
/// searched ply, from zero, the moves from there, and what a search of the position chose.
fn write_game(output: &mut impl Write, game: &SelfplayGame) -> io::Result<()> {
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
    for position in &game.tree {
        let line: String = position.line.iter().map(Point::to_string).collect();
        let TreePosition {
            ply, best, score, ..
        } = position;
        write!(output, "; {ply}:{line} {best}{score:+}")?;
    }
    writeln!(output)
}

/// Writes a line for each code, pair of classes, distance bucket and set of
/// threats, and the value head.
fn write_tables(output: &mut impl Write, tables: &EvalTables) -> io::Result<()> {
    let rule = tables.rule;
    let colors = &Color::ALL[..EvalTables::colors(rule)];
    writeln!(output, "# rule {rule}")?;
    for &color in colors {
        let whose = if colors.len() == 1 {
            "both".to_owned()
        } else {
            color.to_string()
        };
        let part = ColorTables {
            tables,
            index: color.index(),
            whose,
        };
        part.write_codes(output)?;
        part.write_pairs(output)?;
        part.write_distances(output)?;
        part.write_threats(output)?;
        part.write_head(output)?;
    }
    Ok(())
}

/// The tables of one colour, or of both if they share them.
struct ColorTables<'a> {
    tables: &'a EvalTables,
    index: usize,
    whose: String,
}

impl ColorTables<'_> {
    /// Writes a heading.
    fn head(&self, output: &mut impl Write, what: &str) -> io::Result<()> {
        writeln!(output, "# {}: {what}", self.whose)
    }

    fn write_codes(&self, output: &mut impl Write) -> io::Result<()> {
        let ColorTables { tables, index, .. } = *self;
        self.head(
            output,
            "shapes, attack, defence, embedding (value to move, value to the opponent, hidden features)",
        )?;
        for code in Code::all() {
            let embedding = units(&tables.code_embeddings[index][code.index()]);
            let shapes: Vec<String> = (CodeTable::shared().shapes(code).iter())
                .filter(|&&shape| shape != Shape::Dead)
                .map(|shape| format!("{shape:?}"))
                .collect();
            writeln!(
                output,
                "{:<60} {:6} {:6}{embedding}",
                shapes.join("+"),
                tables.attack[index][code.index()],
                tables.defence[index][code.index()],
            )?;
        }
        Ok(())
    }

    fn write_pairs(&self, output: &mut impl Write) -> io::Result<()> {
        let ColorTables { tables, index, .. } = *self;
        self.head(
            output,
            "own class / opponent's, attack-and-defence bonus, embedding",
        )?;
        for pair in ClassPair::all() {
            let [own, theirs] = pair.classes();
            let embedding = units(&tables.pair_embeddings[index][pair.index()]);
            let bonus = tables.attack_defence[index][pair.index()];
            let classes = format!("{own:?}/{theirs:?}");
            writeln!(output, "{classes:<30} {bonus:6}{embedding}")?;
        }
        Ok(())
    }

    fn write_distances(&self, output: &mut impl Write) -> io::Result<()> {
        let ColorTables { tables, index, .. } = *self;
        self.head(
            output,
            "to move: distance bucket, score from the opponent's last stone, from the own",
        )?;
        let [theirs, own] = &*tables.distance[index];
        for (bucket, (theirs, own)) in theirs.iter().zip(own).enumerate() {
            writeln!(output, "{bucket:2} {theirs:6} {own:6}")?;
        }
        Ok(())
    }

    fn write_threats(&self, output: &mut impl Write) -> io::Result<()> {
        let ColorTables { tables, index, .. } = *self;
        self.head(output, "to move: value of the threats on the board")?;
        for (set, value) in tables.threats[index].iter().enumerate() {
            let names: Vec<&str> = (THREAT_NAMES.iter().enumerate())
                .filter(|&(bit, _)| set >> bit & 1 != 0)
                .map(|(_, &name)| name)
                .collect();
            writeln!(output, "{value:6} {}", names.join(", "))?;
        }
        Ok(())
    }

    fn write_head(&self, output: &mut impl Write) -> io::Result<()> {
        let ColorTables { tables, index, .. } = *self;
        self.head(output, "to move: weights of the value head by input (own sum, opponent's sum, stones, bias), then output weights")?;
        for row in tables.heads[index].chunks(HIDDEN_UNITS) {
            let weights: String = (row.iter())
                .map(|&weight| format!(" {:7.3}", f32::from(weight) / HEAD_SCALE))
                .collect();
            writeln!(output, "{weights}")?;
        }
        Ok(())
    }
}

/// Formats an embedding in units.
fn units(embedding: &Embedding) -> String {
    let unit = |&part: &i16| format!(" {:8.2}", f64::from(part) / f64::from(EMBEDDING_SCALE));
    embedding.iter().map(unit).collect()
}
