//! Reviews of many games: a line of JSON each, with a checksum, in a file that an interrupted
//! run goes on with.

use super::sources::Sources;
use super::workers::work_on_each;
use crate::cli::games::GamesReading;
use crate::cli::numbers::Part;
use crate::cli::progress::ProgressLine;
use anyhow::{Context, Result, ensure};
use quincunx_analysis::review::{GameReview, NamedReview, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use quincunx_files::{CheckedLines, GrowingFile, checked_line, whole_lines};
use quincunx_records::GameRecord;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reviews are written each time every thread has done this many games. An interruption loses
/// fewer.
const BATCH: usize = 4;

/// How a review in the file begins.
const START: &[u8] = b"{\"accuracy\":";

/// Which games are reviewed, and how.
pub(super) struct Reviews<'a> {
    /// How files are read.
    pub(super) reading: &'a GamesReading,
    /// Games at a time.
    pub(super) threads: usize,
    /// Which part of the games is reviewed. Games are dealt to the parts in turn.
    pub(super) part: Part,
    /// The file of the reviews.
    pub(super) out: &'a Path,
    /// The limits of a review.
    pub(super) limits: ReviewLimits,
}

/// A game, and where it comes from.
struct Found {
    name: String,
    record: GameRecord,
}

impl Reviews<'_> {
    /// Reviews the games of the sources that the file does not have yet. Returns all reviews.
    pub(super) fn run(
        &self,
        sources: &mut Sources,
        weights: &Arc<WeightSet>,
    ) -> Result<Vec<NamedReview>> {
        let games = self.games(sources)?;
        let (mut file, mut lines) = self.resume(&games)?;
        let progress = ProgressLine::new();
        let mut workers = vec![(); self.threads];
        let due: Vec<usize> = (0..games.len()).filter(|&it| lines[it].is_none()).collect();
        let done = AtomicUsize::new(games.len() - due.len());
        let state = || format!("{}/{} games", done.load(Ordering::Relaxed), games.len());
        for batch in due.chunks(BATCH * self.threads) {
            let reviewed = work_on_each(&mut workers, batch, |(), &number| {
                let game: &Found = &games[number];
                let review = GameReview::of(&game.record, weights, self.limits, &mut |_, _| ());
                done.fetch_add(1, Ordering::Relaxed);
                progress.show(state);
                review
            })?;
            let mut text = String::new();
            for (&number, review) in batch.iter().zip(reviewed) {
                let game = &games[number];
                let review = review.with_context(|| format!("can't review {}", game.name))?;
                let stored = NamedReview {
                    game: game.name.clone(),
                    review,
                };
                text += &checked_line(&stored.json().to_string());
                lines[number] = Some(stored);
            }
            file.write_all(text.as_bytes())?;
        }
        progress.finish(&state());
        Ok(lines.into_iter().flatten().collect())
    }

    /// Reads the games of the part.
    fn games(&self, sources: &mut Sources) -> Result<Vec<Found>> {
        let mut games = Vec::new();
        let mut count = 0;
        sources.each_record(self.reading, &mut |place, record| {
            count += 1;
            // No other game of the file says which part a game is in.
            if self.part.has(place.index + place.number - 1) {
                let name = format!("{} {}", place.path.display(), place.number);
                games.push(Found { name, record });
            }
            Ok(())
        })?;
        sources.expect_games(count)?;
        Ok(games)
    }

    /// Opens the file, and reads the reviews of games that it has, as a run that was
    /// interrupted leaves them, or several that had parts of the games.
    fn resume(&self, games: &[Found]) -> Result<(GrowingFile, Vec<Option<NamedReview>>)> {
        let path = self.out;
        let (mut file, bytes) = GrowingFile::open(path)?;
        // A line that was cut off is made again.
        let whole = whole_lines(&bytes);
        let is_begun = START.iter().zip(&bytes).all(|(one, other)| one == other);
        ensure!(
            !whole.is_empty() || is_begun,
            "can't resume {}: it is no file of reviews: choose another file",
            path.display()
        );
        let lines = read(path, whole)?;
        let mut known = vec![None; games.len()];
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, game) in games.iter().enumerate().rev() {
            places.entry(&game.name).or_default().push(place);
        }
        let mut take = |line: NamedReview| {
            let is_alike = line.review.limits == self.limits;
            let places = places.get_mut(&*line.game);
            let is_of = |&place: &usize| line.review.is_of(&games[place].record);
            let place = places
                .and_then(Vec::pop)
                .filter(|place| is_alike && is_of(place));
            place.map(|place| known[place] = Some(line)).is_some()
        };
        for (number, line) in (1..).zip(lines) {
            ensure!(
                take(line),
                "can't resume {}: line {number} is no review of these games with these nodes: \
                 choose another file",
                path.display()
            );
        }
        file.keep(whole.len())?;
        Ok((file, known))
    }
}

/// The reviews of a file.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Vec<NamedReview>> {
    let mut checked = CheckedLines::default();
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let reviews = (1..).zip(lines).map(|(number, line)| {
        let place = format!("{}: line {number}", path.display());
        let json = checked.json(line).with_context(|| {
            format!("{place} is damaged: without the line, no more than its review is lost")
        })?;
        let context = || format!("{place} is no review");
        serde_json::from_slice(&json).with_context(context)
    });
    reviews.collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::games::Reading;
    use quincunx_engine::rules::BoardSize;
    use std::fs;
    use std::path::PathBuf;

    /// The reviews of a part of the games of files, each the work of a moment.
    fn reviews(paths: &[&Path], part: Part, out: &Path) -> Result<Vec<NamedReview>> {
        let reading = GamesReading {
            rule: None,
            size: BoardSize::default(),
            reading: Reading { encoding: None },
        };
        let reviews = Reviews {
            reading: &reading,
            threads: 1,
            part,
            out,
            limits: ReviewLimits {
                nodes: 20,
                proof_nodes: 20,
            },
        };
        let paths: Vec<PathBuf> = paths.iter().map(|&path| path.to_owned()).collect();
        reviews.run(&mut Sources::of(&paths)?, &Arc::default())
    }

    /// Two runs once wrote to one file, which no third one could go on with.
    #[test]
    fn one_run_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["a.txt", "out"].map(|name| folder.path().join(name));
        fs::write(&games, "9 freestyle e5e6f6\n").unwrap();
        let other = GrowingFile::open(&out).unwrap();
        let refused = reviews(&[&games], Part::default(), &out).unwrap_err();
        assert!(refused.to_string().ends_with("is in use by another run"));
        drop(other);
        let made = reviews(&[&games], Part::default(), &out).unwrap();
        assert_eq!(made.len(), 1);
    }

    const FIRST: &str = "(;GM[4]SZ[9];B[ee];W[ef];B[ff])";
    const BROKEN: &str = "(;GM[4]SZ[9];B[ee];W[ee])";
    const MENDED: &str = "(;GM[4]SZ[9];B[ee];W[de])";
    const THIRD: &str = "(;GM[4]SZ[9];B[bb];W[cc];B[dd])";

    /// Games were once counted without those that make no sense. When one was mended, the review
    /// of the next was taken for that of the mended one.
    #[test]
    fn reviews_stay_with_their_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (games, out) = (path("c.sgf"), path("out"));
        let all = Part::default();
        let numbers = |reviews: &[NamedReview]| -> Vec<String> {
            let names = reviews.iter().map(|it| it.game.rsplit_once(' ').unwrap().1);
            names.map(str::to_owned).collect()
        };
        fs::write(&games, [FIRST, BROKEN, THIRD].concat()).unwrap();
        let before = reviews(&[&games], all, &out).unwrap();
        assert_eq!(numbers(&before), ["1", "3"]);
        // Which part a game is in does not depend on the broken one.
        for (index, expected) in [(0, &["1", "3"][..]), (1, &[][..])] {
            let part = Part { index, count: 2 };
            let made = reviews(&[&games], part, &path(&format!("part{index}"))).unwrap();
            assert_eq!(numbers(&made), expected);
        }
        fs::write(&games, [FIRST, MENDED, THIRD].concat()).unwrap();
        let after = reviews(&[&games], all, &out).unwrap();
        assert_eq!(numbers(&after), ["1", "2", "3"]);
        assert_eq!([&after[0], &after[2]], [&before[0], &before[1]]);
        assert_eq!(after[1].review.moves[1].point, "d5".parse().unwrap());
        // Another game under the same name.
        let whole = fs::read(&out).unwrap();
        fs::write(&games, [FIRST, THIRD, MENDED].concat()).unwrap();
        let refused = reviews(&[&games], all, &out).unwrap_err().to_string();
        assert!(
            refused.contains("line 2 is no review of these games"),
            "{refused}"
        );
        assert_eq!(fs::read(&out).unwrap(), whole);
    }
}
