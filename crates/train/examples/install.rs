//! Makes weights those of the program: checks them, and copies them with their origin to
//! where the engine's crate includes them from.
//!
//! ```sh
//! cargo run --example install -- mine.line
//! ```

#![allow(missing_docs, clippy::print_stdout)]

use quincunx_engine::eval::EvalTables;
use quincunx_engine::eval::line::LineWeights;
use quincunx_engine::rules::Rule;
use quincunx_train::{beside, origin};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let weights: PathBuf = (std::env::args_os().nth(1))
        .ok_or("expected a file that fit or train has written")?
        .into();
    let bytes = fs::read(&weights)?;
    let (folder, extension, rule) = kind_of(&bytes)?;
    let text = fs::read_to_string(beside(&weights, origin::EXTENSION))
        .map_err(|error| format!("there is no origin beside the weights: {error}"))?;
    if !origin::is_of(&text, &bytes) {
        return Err("the origin beside the weights is that of others".into());
    }
    let eval = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/eval");
    let installed = eval.join(folder).join(format!("{rule}.{extension}"));
    fs::write(&installed, bytes)?;
    fs::write(beside(&installed, origin::EXTENSION), text)?;
    println!(
        "{rule} is played with {} from the next build on",
        weights.display()
    );
    Ok(())
}

/// The folder and the extension of weights like these, and the rule they are for.
fn kind_of(bytes: &[u8]) -> Result<(&'static str, &'static str, Rule), Box<dyn Error>> {
    if let Ok(tables) = EvalTables::from_bytes(bytes) {
        return Ok(("classical/learned", "tables", tables.rule));
    }
    let network = LineWeights::from_bytes(bytes)?;
    Ok(("line/learned", "line", network.rule))
}
