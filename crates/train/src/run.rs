//! A run of self-play: games played on several threads into one file, in the
//! order of their numbers.
//!
//! A game depends on nothing but the options of the run and its number. So the file
//! has the same bytes with any number of threads, and a run that was interrupted
//! resumes where its file ends.

use super::record::{self, BlockError, GameReader, RecordError, SelfplayGame};
use super::selfplay::{GameGenerator, SelfplayOptions};
use quincunx_engine::engine::openings::NoOpening;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_runs::{Header, RunError, RunFile, in_order};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct SelfplayProgress {
    /// Games in the file.
    pub games: u32,
    /// Games that the file will have.
    pub target: u32,
    /// Games that were in the file before the run.
    pub resumed: u32,
    /// Searched positions in the file.
    pub positions: u64,
    /// Positions that were in the file before the run.
    pub resumed_positions: u64,
    /// Games in the file that black won, that white won, and draws.
    pub results: [u32; 3],
}

impl SelfplayProgress {
    fn add(&mut self, game: &SelfplayGame) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.winner.map_or(2, |color| color.index())] += 1;
    }
}

/// A run of self-play failed.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The options allow no nodes, or too many.
    #[error("searches need 1 to {} nodes", SelfplayOptions::MAX_NODES)]
    Nodes,
    /// The options name no board.
    #[error("games need a board")]
    NoBoard,
    /// Games on a board are drawn before anything is searched.
    #[error("the {0} board is too small: its games would be drawn before the first search")]
    SmallBoard(BoardSize),
    /// A game has no opening.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The system can't start a thread to play on.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
    /// The file can't be read or written, or is in use by another run.
    #[error(transparent)]
    File(#[from] RunError),
    /// The file is not one that the run could resume.
    #[error("can't resume {}", path.display())]
    Resume {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: RecordError,
    },
    /// The file has games of another rule.
    #[error("{} holds games of {rule}", path.display())]
    Rule {
        /// The file.
        path: PathBuf,
        /// The rule of its games.
        rule: Rule,
    },
    /// The file has games of another run.
    #[error(
        "{} holds games of another run (seed {seed}, game {number}, {nodes} nodes, board {size})",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The seed of that run.
        seed: u64,
        /// The number of the first game of that run.
        number: u32,
        /// The nodes a move in that run.
        nodes: u32,
        /// The board of that game.
        size: BoardSize,
    },
    /// The last game in the file would be another game today: other options, other weights
    /// or another program made it.
    #[error(
        "{} holds games of another run: its last game, number {number}, differs from what these \
         options, weights and this program make of it",
        path.display()
    )]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        number: u32,
    },
}

/// Refuses options with which no games can be played.
///
/// # Errors
/// Returns an error for too few or too many nodes, without a board and for one that is too small.
pub fn expect_playable(options: &SelfplayOptions) -> Result<(), SelfplayError> {
    let is_valid = |nodes| (1..=SelfplayOptions::MAX_NODES).contains(&nodes);
    if !is_valid(options.nodes) || !is_valid(options.tree_nodes) {
        return Err(SelfplayError::Nodes);
    }
    if options.sizes.is_empty() {
        return Err(SelfplayError::NoBoard);
    }
    options
        .too_small()
        .map_or(Ok(()), |size| Err(SelfplayError::SmallBoard(size)))
}

/// Plays the games of a run that are missing in the file at `path`, up to `games`, and
/// appends them. `on_game` is called after every game.
///
/// # Errors
/// Returns an error if the file holds games of another run, is damaged, or can't be read or
/// written, and if no balanced openings can be found. Games are of this run if the last
/// of them, played once more, is the same.
pub fn run(
    options: &SelfplayOptions,
    weights: &Arc<WeightSet>,
    games: u32,
    threads: usize,
    path: &Path,
    on_game: &mut dyn FnMut(&SelfplayProgress),
) -> Result<SelfplayProgress, SelfplayError> {
    expect_playable(options)?;
    let (mut file, resumed) = open(options, weights, path)?;
    let mut progress = SelfplayProgress {
        target: games.max(resumed.games),
        resumed: resumed.games,
        resumed_positions: resumed.positions,
        ..resumed
    };
    let generator = || GameGenerator::new(options.clone(), Arc::clone(weights));
    let mut outcome = Ok(());
    in_order(
        (0..threads.max(1)).map(|_| generator()),
        resumed.games..games,
        GameGenerator::play,
        |game| {
            let written = game.map_err(SelfplayError::from).and_then(|game| {
                file.write_all(&game.to_bytes()).map_err(RunError::from)?;
                Ok(game)
            });
            match written {
                Ok(game) => {
                    progress.add(&game);
                    on_game(&progress);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    outcome = Err(error);
                    ControlFlow::Break(())
                }
            }
        },
    )
    .map_err(SelfplayError::Thread)?;
    outcome?;
    Ok(progress)
}

/// Opens the file for appending and returns its contents. If it ends in the middle of a
/// game, that part is cut off. A file that is damaged otherwise, or is not a file of games, is not
/// changed.
fn open(
    options: &SelfplayOptions,
    weights: &Arc<WeightSet>,
    path: &Path,
) -> Result<(RunFile, SelfplayProgress), SelfplayError> {
    let cannot_resume = |source| SelfplayError::Resume {
        path: path.to_owned(),
        source,
    };
    let header = record::header(options.rule);
    let mut file = match RunFile::open(path, Header::of_bytes(&header)) {
        Err(RunError::Other { .. }) => {
            let file = File::open(path).map_err(RunError::from)?;
            // Its reader knows what else it may be.
            let reader = GameReader::new(BufReader::new(file)).map_err(cannot_resume)?;
            return Err(SelfplayError::Rule {
                path: path.to_owned(),
                rule: reader.rule(),
            });
        }
        opened => opened?,
    };
    let reader = GameReader::new(BufReader::new(header.as_slice().chain(&mut file)));
    let (length, games) = check(options, weights, path, reader.map_err(cannot_resume)?)?;
    let length = length - header.len() as u64;
    file.resume(length).map_err(RunError::from)?;
    Ok((file, games))
}

/// Checks that the games are the first of this run. Returns the length of the intact part of the
/// file, and its contents.
fn check(
    options: &SelfplayOptions,
    weights: &Arc<WeightSet>,
    path: &Path,
    mut reader: GameReader<impl Read>,
) -> Result<(u64, SelfplayProgress), SelfplayError> {
    let mut found = SelfplayProgress::default();
    let mut last = None;
    loop {
        let game = match reader.next_game() {
            Ok(Some(game)) => game,
            Ok(None) => break,
            // An interrupted run ended here.
            Err(RecordError::Game {
                source: BlockError::Truncated,
                ..
            }) => break,
            Err(source) => {
                let path = path.to_owned();
                return Err(SelfplayError::Resume { path, source });
            }
        };
        let number = found.games;
        let expected = (options.seed, number, options.nodes, options.size(number));
        if (game.seed, game.number, game.nodes, game.size) != expected {
            return Err(SelfplayError::OtherRun {
                path: path.to_owned(),
                seed: game.seed,
                number: game.number,
                nodes: game.nodes,
                size: game.size,
            });
        }
        found.add(&game);
        last = Some(game);
    }
    if let Some(last) = last {
        let mut generator = GameGenerator::new(options.clone(), Arc::clone(weights));
        if generator.play(last.number)? != last {
            return Err(SelfplayError::OtherGames {
                path: path.to_owned(),
                number: last.number,
            });
        }
    }
    Ok((reader.offset(), found))
}
