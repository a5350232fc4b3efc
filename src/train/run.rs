//! A run of self-play: many games on some threads, into one file, in the order
//! of their numbers.
//!
//! Because a game depends on nothing but the run's settings and its number,
//! the file has the same bytes however many threads made it, and a run that
//! was cut off goes on where its file ends.

use super::record::{self, Game, Reader};
use super::selfplay::{Player, Settings};
use crate::rules::Rule;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How a run is coming along.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Games in the file.
    pub games: u32,
    /// Games wanted.
    pub wanted: u32,
    /// Games that were in the file before.
    pub found: u32,
    /// Searched plies of this run.
    pub plies: u64,
    /// Games won by black and white, and drawn, in this run.
    pub results: [u32; 3],
    /// How long this run has taken.
    pub time: Duration,
}

impl Progress {
    /// Positions searched a second.
    pub fn speed(&self) -> f64 {
        self.plies as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// How long the rest will take at this pace.
    pub fn left(&self) -> Duration {
        let done = f64::from(self.games - self.found).max(1.0);
        self.time
            .mul_f64(f64::from(self.wanted - self.games) / done)
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.results[game.winner.map_or(2, |color| color.index())] += 1;
    }
}

/// Plays the games of a run that `path` lacks, up to `games`, and appends them.
/// `told` hears of every game.
///
/// # Errors
/// When the file holds another run's games, or can't be read or written.
pub fn run(
    settings: &Settings,
    games: u32,
    threads: usize,
    path: &Path,
    mut told: impl FnMut(&Progress),
) -> Result<Progress> {
    ensure!(settings.nodes > 0, "games need nodes");
    ensure!(!settings.sizes.is_empty(), "games need a board");
    let (mut file, found) = open(settings, path)?;
    let start = Instant::now();
    let mut progress = Progress {
        games: found,
        wanted: games.max(found),
        found,
        ..Progress::default()
    };
    let next = AtomicU32::new(found);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            let mut player = Player::new(settings.clone());
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= games || stop.load(Relaxed) {
                        break;
                    }
                    if sender.send(player.play(number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for game in &receiver {
            waiting.insert(game.number, game);
            while let Some(game) = waiting.remove(&progress.games) {
                if let Err(error) = file.write_all(&game.to_bytes()) {
                    stop.store(true, Relaxed);
                    return Err(error).context(format!("can't write {}", path.display()));
                }
                progress.add(&game);
                progress.time = start.elapsed();
                told(&progress);
            }
        }
        Ok(())
    })?;
    Ok(progress)
}

/// The file, ready to append to, and how many games it has. What follows the
/// last whole game is cut off.
fn open(settings: &Settings, path: &Path) -> Result<(File, u32)> {
    let mut file = File::options()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(path)
        .with_context(|| format!("can't open {}", path.display()))?;
    let length = file.metadata()?.len();
    if length < record::HEADER as u64 {
        file.set_len(0)?;
        file.write_all(&record::header(settings.rule))?;
        return Ok((file, 0));
    }
    let mut reader = Reader::new(BufReader::new(&file))
        .with_context(|| format!("can't go on with {}", path.display()))?;
    ensure!(
        reader.rule() == settings.rule,
        "{} holds games of {}",
        path.display(),
        reader.rule()
    );
    let mut games = 0;
    while let Ok(Some(game)) = reader.next_game() {
        ensure!(
            (game.seed, game.number, game.nodes) == (settings.seed, games, settings.nodes),
            "{} holds games of another run (seed {}, game {}, {} nodes)",
            path.display(),
            game.seed,
            game.number,
            game.nodes
        );
        games += 1;
    }
    let good = reader.good_bytes();
    drop(reader);
    file.set_len(good)?;
    file.seek(SeekFrom::Start(good))?;
    Ok((file, games))
}

/// Copies the games of `files`, all of one rule, into a new file; returns how
/// many there are. The same game twice is an error: it would count double.
///
/// # Errors
/// When a file is damaged or of another rule, a game comes twice, or `out`
/// exists or can't be written.
pub fn merge(files: &[PathBuf], out: &Path) -> Result<usize> {
    let mut output: Option<(Rule, BufWriter<File>)> = None;
    let mut seen = HashSet::new();
    for path in files {
        let mut read = || -> Result<()> {
            let mut reader = Reader::new(BufReader::new(File::open(path)?))?;
            let rule = reader.rule();
            if output.is_none() {
                let file = File::create_new(out)
                    .with_context(|| format!("can't create {}", out.display()))?;
                let mut file = BufWriter::new(file);
                file.write_all(&record::header(rule))?;
                output = Some((rule, file));
            }
            let Some((first, file)) = &mut output else {
                return Ok(());
            };
            ensure!(rule == *first, "its games are of {rule}, not {first}");
            while let Some(game) = reader.next_game()? {
                ensure!(
                    seen.insert((game.seed, game.number, game.nodes)),
                    "game {} of seed {} came before",
                    game.number,
                    game.seed
                );
                file.write_all(&game.to_bytes())?;
            }
            Ok(())
        };
        read().with_context(|| format!("can't merge {}", path.display()))?;
    }
    if let Some((_, mut file)) = output {
        file.flush()?;
    }
    Ok(seen.len())
}
