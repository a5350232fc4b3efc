//! The weights to play with: the program's, or those of files.

use anyhow::{Context, Result};
use quincunx_engine::eval::line::{LineNetwork, LineWeights};
use quincunx_engine::eval::{ClassicalWeights, EvalTables, WeightSet};
use quincunx_engine::rules::Rule;
use quincunx_files as files;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// A source of evaluation tables.
#[derive(Clone, Debug)]
pub(crate) enum TableSource {
    /// The tables in a file, for their rule.
    File(PathBuf),
    /// The hand-set tables of every rule.
    HandSet,
    /// Tables of zeros for every rule.
    Zero,
}

impl FromStr for TableSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "hand-set" => TableSource::HandSet,
            "zero" => TableSource::Zero,
            _ => TableSource::File(text.into()),
        })
    }
}

/// A source of line networks.
#[derive(Clone, Debug)]
pub(crate) enum NetworkSource {
    /// The network in a file, for its rule.
    File(PathBuf),
    /// No network for any rule.
    None,
}

impl FromStr for NetworkSource {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "none" => NetworkSource::None,
            _ => NetworkSource::File(text.into()),
        })
    }
}

pub(crate) fn tables_in(file: &Path) -> Result<EvalTables> {
    let bytes = files::read(file).map_err(anyhow::Error::from);
    bytes
        .and_then(|bytes| Ok(EvalTables::from_bytes(&bytes)?))
        .with_context(|| format!("can't use the tables {}", file.display()))
}

pub(crate) fn network_in(file: &Path) -> Result<LineWeights> {
    let bytes = files::read(file).map_err(anyhow::Error::from);
    bytes
        .and_then(|bytes| Ok(LineWeights::from_bytes(&bytes)?))
        .with_context(|| format!("can't use the network {}", file.display()))
}

/// Returns the program's weights with the tables and networks of these sources in
/// place of its own. Tables leave out the network of their rule.
pub(crate) fn weights(sources: &[TableSource], networks: &[NetworkSource]) -> Result<WeightSet> {
    let every = |make: fn(Rule) -> EvalTables| Rule::ALL.map(make).into_iter().collect();
    let mut weights = WeightSet::default();
    for source in sources {
        let tables: Vec<EvalTables> = match source {
            TableSource::File(file) => vec![tables_in(file)?],
            TableSource::HandSet => every(EvalTables::hand_set),
            TableSource::Zero => every(EvalTables::zero),
        };
        for tables in tables {
            weights.set_classical(tables.rule, Arc::new(ClassicalWeights::new(tables)));
        }
    }
    for network in networks {
        match network {
            NetworkSource::None => weights.clear_lines(),
            NetworkSource::File(file) => {
                weights.set_line(Arc::new(LineNetwork::new(&network_in(file)?)));
            }
        }
    }
    Ok(weights)
}
