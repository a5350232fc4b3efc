//! Arguments of ratings across runs.

use crate::cli::exit::{ensure_usage, usage};
use anyhow::{Result, ensure};
use clap::Args;
use quincunx_arena::merge::{MergedMatch, merge};
use quincunx_arena::rating_list::{Anchor, RatedMatch, drop_repeats, names, page};
use std::io::{self, Write};
use std::path::PathBuf;

/// Which games are rated.
#[derive(Args)]
pub(crate) struct RatingsArgs {
    /// Fix the rating of an engine; without it the mean of all ratings is 0
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Folders that match --out has made, or their games.jsonl
    #[arg(required = true, value_name = "PATH")]
    matches: Vec<PathBuf>,
}

impl RatingsArgs {
    /// Rates the engines of the matches.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        let anchor = self.anchor()?;
        let mut matches = Vec::new();
        for path in &self.matches {
            let MergedMatch {
                settings, games, ..
            } = merge(std::slice::from_ref(path), false)?;
            let name = path.display().to_string();
            matches.push(RatedMatch {
                name,
                settings,
                games,
            });
        }
        let dropped = drop_repeats(&mut matches);
        for (rated, dropped) in matches.iter().zip(dropped) {
            if dropped > 0 {
                let name = &rated.name;
                let note = format!("note: {name}: {dropped} games came before and count once");
                // Nothing depends on the note.
                let _ = writeln!(io::stderr(), "{note}");
            }
        }
        let games: usize = matches.iter().map(|rated| rated.games.len()).sum();
        ensure!(games > 0, "there are no games to rate");
        if let Some(Anchor { name, .. }) = &anchor {
            let all = names(&matches);
            ensure_usage!(
                all.contains(name),
                "no engine with games is called '{name}', but {}",
                all.join(", ")
            );
        }
        write!(output, "{}", page(&matches, anchor.as_ref()))?;
        Ok(())
    }

    fn anchor(&self) -> Result<Option<Anchor>> {
        let Some(text) = &self.anchor else {
            return Ok(None);
        };
        let anchor = text.rsplit_once('=').and_then(|(name, elo)| {
            let elo: f64 = elo.trim().parse().ok()?;
            (elo.is_finite() && !name.is_empty()).then(|| Anchor {
                name: name.to_owned(),
                elo,
            })
        });
        let wrong = || usage(format!("expected --anchor NAME=ELO, found '{text}'"));
        anchor.ok_or_else(wrong).map(Some)
    }
}
