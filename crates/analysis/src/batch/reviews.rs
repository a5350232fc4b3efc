//! Reviews of many games: a line of JSON each in a file that an interrupted run resumes.

use super::{BatchError, NamedGame};
use crate::review::{GameReview, NamedReview, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use quincunx_files::{checked_line, whole_lines};
use quincunx_runs::{Header, Progress, RunError, RunFile, in_order, records};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The setting that begins the header of every file of reviews: the version of its format.
const KIND: &str = "reviews";

/// A run that reviews games.
#[derive(Clone, Copy, Debug)]
pub struct ReviewRun<'a> {
    /// The file of the reviews.
    pub out: &'a Path,
    /// The limits of a review.
    pub limits: ReviewLimits,
    /// The number of games at a time.
    pub threads: usize,
}

impl ReviewRun<'_> {
    /// Reviews the games that the file does not have yet. Returns all reviews.
    ///
    /// # Errors
    /// Returns an error if the file is of another run or of other games, can't be read or written,
    /// or if a game can't be replayed.
    pub fn run(
        &self,
        games: &[NamedGame],
        weights: &Arc<WeightSet>,
        progress: &Progress,
    ) -> Result<Vec<NamedReview>, BatchError> {
        let (mut file, mut reviews) = self.resume(games)?;
        let due: Vec<usize> = (0..games.len())
            .filter(|&it| reviews[it].is_none())
            .collect();
        let mut done = games.len() - due.len();
        let mut outcome = Ok(());
        in_order(
            vec![(); self.threads.max(1)],
            due,
            |(), number| {
                let record = &games[number].record;
                let review = GameReview::of(record, weights, self.limits, &mut |_, _| ());
                (number, review)
            },
            |(number, review)| {
                let game = games[number].name.clone();
                let written = match review {
                    Err(source) => Err(BatchError::Review { name: game, source }),
                    Ok(review) => {
                        let review = NamedReview { game, review };
                        let line = checked_line(&review.json().to_string());
                        reviews[number] = Some(review);
                        file.write_all(line.as_bytes()).map_err(BatchError::from)
                    }
                };
                done += 1;
                progress.show(|| format!("{done}/{} games", games.len()));
                outcome = written;
                match outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            },
        )
        .map_err(BatchError::Thread)?;
        outcome?;
        progress.note(&format!("{done}/{} games", games.len()));
        Ok(reviews.into_iter().flatten().collect())
    }

    /// Opens the file, and reads the reviews of an interrupted run, or of runs of several shards.
    fn resume(
        &self,
        games: &[NamedGame],
    ) -> Result<(RunFile, Vec<Option<NamedReview>>), BatchError> {
        let ReviewLimits { nodes, proof_nodes } = self.limits;
        let header = json!({ KIND: 1, "nodes": nodes, "proof_nodes": proof_nodes });
        let mut file = RunFile::open(self.out, Header::of(header))?;
        let mut reviews = vec![None; games.len()];
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, game) in games.iter().enumerate().rev() {
            places.entry(&game.name).or_default().push(place);
        }
        file.resume_records(|line, review: NamedReview| {
            let places = places.get_mut(&*review.game);
            let place = places.and_then(Vec::pop);
            let place = place.filter(|&it| review.review.is_of(&games[it].record));
            let place = place.ok_or_else(|| BatchError::OtherGames {
                path: self.out.to_owned(),
                why: format!("line {line} is no review of these games"),
            })?;
            reviews[place] = Some(review);
            Ok::<(), BatchError>(())
        })?;
        Ok((file, reviews))
    }
}

/// Reads the reviews in the bytes of a file, of any limits.
///
/// # Errors
/// Returns an error if the file is not one of reviews.
pub fn read_reviews(path: &Path, bytes: &[u8]) -> Result<Vec<NamedReview>, BatchError> {
    let whole = whole_lines(bytes);
    let length = whole.iter().position(|&byte| byte == b'\n');
    let (first, rest) = whole.split_at(length.map_or(0, |length| length + 1));
    let header: Option<Value> = serde_json::from_slice(first).ok();
    let header = header.filter(|header| header.get(KIND).is_some());
    let header = header.ok_or_else(|| BatchError::Line {
        path: path.to_owned(),
        line: 1,
        why: "this is no file of reviews".to_owned(),
    })?;
    let header = Header::of(header);
    let reviews = records(path, &header, rest);
    let reviews = reviews.map(|(_, review)| review);
    Ok(reviews.collect::<Result<_, RunError>>()?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::BoardSize;
    use quincunx_records::{ReadDefaults, Source};
    use std::fs;

    /// Reviews games, each the work of a moment.
    fn reviews(games: &[NamedGame], out: &Path) -> Result<Vec<NamedReview>, BatchError> {
        let run = ReviewRun {
            threads: 1,
            out,
            limits: ReviewLimits {
                nodes: 20,
                proof_nodes: 20,
            },
        };
        run.run(games, &Arc::default(), &Progress::new(false))
    }

    /// The games of a collection, without those that make no sense.
    fn games(texts: &[&str]) -> Vec<NamedGame> {
        let text = texts.concat();
        let source = Source {
            bytes: text.as_bytes(),
            name: Some("c.sgf"),
            encoding: None,
        };
        let expected = ReadDefaults::new(Default::default(), BoardSize::default());
        let file = quincunx_records::open(source, expected).unwrap();
        let games = (1..).zip(file.games);
        let named = |(number, game): (usize, Result<quincunx_records::RecordTree, _>)| {
            let record = game.ok()?.record;
            record.replay(Default::default()).ok()?;
            let name = format!("c.sgf {number}");
            Some(NamedGame { name, record })
        };
        games.filter_map(named).collect()
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
        let out = folder.path().join("out");
        let numbers = |reviews: &[NamedReview]| -> Vec<String> {
            let names = reviews.iter().map(|it| &it.game);
            names
                .map(|name| name.rsplit_once(' ').unwrap().1.to_owned())
                .collect()
        };
        let before = reviews(&games(&[FIRST, BROKEN, THIRD]), &out).unwrap();
        assert_eq!(numbers(&before), ["1", "3"]);
        let after = reviews(&games(&[FIRST, MENDED, THIRD]), &out).unwrap();
        assert_eq!(numbers(&after), ["1", "2", "3"]);
        assert_eq!([&after[0], &after[2]], [&before[0], &before[1]]);
        assert_eq!(after[1].review.moves[1].point.to_string(), "d5");
        let whole = fs::read(&out).unwrap();
        assert_eq!(read_reviews(&out, &whole).unwrap().len(), 3);
        // Another game under the same name.
        let refused = reviews(&games(&[FIRST, THIRD, MENDED]), &out).unwrap_err();
        let expected = "line 3 is no review of these games";
        assert!(refused.to_string().contains(expected), "{refused}");
        assert_eq!(fs::read(&out).unwrap(), whole);
    }
}
