//! Adjudication: games that both engines hold for decided end before the last
//! stone. Evaluations are the engines' own, each from its own side.

use super::remarks;
use quincunx_engine::rules::Color;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The rule by which a lost game is resigned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignRule {
    /// The least evaluation of the winner; the loser's is at most its negative.
    pub score: f64,
    /// For how many moves in a row of each engine.
    pub moves: usize,
}

/// The rule by which a draw is agreed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The most that either engine's evaluation may differ from zero.
    pub score: f64,
    /// For how many moves in a row of each engine.
    pub moves: usize,
    /// The number of stones before which no game is drawn.
    pub after: usize,
}

/// The rules that end games early. By default there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjudication {
    /// The rule for lost games.
    pub resign: Option<ResignRule>,
    /// The rule for drawn games.
    pub draw: Option<DrawRule>,
}

/// The text is not a rule of adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicationError {
    /// A part is not of the form that is expected.
    #[error("'{0}' is not KEY=NUMBER with one of the keys {1}")]
    Key(String, &'static str),
    /// A key has no number.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A number makes no sense.
    #[error("{0} can't be {1}")]
    Number(&'static str, String),
}

/// The keys of [`ResignRule`] and [`DrawRule`], each with the words that
/// fastchess and cutechess have for it.
const KEYS: [(&str, &[&str]); 3] = [
    ("score", &["score"]),
    ("moves", &["moves", "movecount"]),
    ("after", &["after"]),
];

/// The numbers of `score=N,moves=M`, in the order of the first `count` keys.
fn numbers(
    text: &str,
    count: usize,
    expected: &'static str,
) -> Result<[Option<String>; 3], AdjudicationError> {
    let mut found = [None, None, None];
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    for part in parts {
        let error = || AdjudicationError::Key(part.to_owned(), expected);
        let (key, value) = part.split_once('=').ok_or_else(error)?;
        let known = KEYS[..count].iter();
        let at = known.clone().position(|(_, words)| words.contains(&key));
        let at = at.ok_or_else(error)?;
        if found[at].replace(value.to_owned()).is_some() {
            return Err(error());
        }
    }
    Ok(found)
}

fn score(text: Option<String>, least: f64) -> Result<f64, AdjudicationError> {
    let text = text.ok_or(AdjudicationError::Missing(KEYS[0].0))?;
    let score = text.parse().ok().filter(|score: &f64| score.is_finite());
    score
        .filter(|&score| score >= least)
        .ok_or(AdjudicationError::Number(KEYS[0].0, text))
}

fn whole(index: usize, text: Option<String>, least: usize) -> Result<usize, AdjudicationError> {
    let name = KEYS[index].0;
    let text = text.ok_or(AdjudicationError::Missing(name))?;
    let number = text.parse().ok().filter(|&number| number >= least);
    number.ok_or(AdjudicationError::Number(name, text))
}

/// `score=N,moves=M`.
impl FromStr for ResignRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [units, moves, _] = numbers(text, 2, "score and moves")?;
        let score = score(units, f64::MIN_POSITIVE)?;
        let moves = whole(1, moves, 1)?;
        Ok(ResignRule { score, moves })
    }
}

/// `score=N,moves=M,after=STONES`; `after` may be left out.
impl FromStr for DrawRule {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [units, moves, after] = numbers(text, 3, "score, moves and after")?;
        Ok(DrawRule {
            score: score(units, 0.0)?,
            moves: whole(1, moves, 1)?,
            after: whole(2, after.or_else(|| Some("0".into())), 0)?,
        })
    }
}

/// The numbers of moves in a row for which an engine held the game lost, won or drawn.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    winning: usize,
    losing: usize,
    level: usize,
}

/// Follows the evaluations of a game.
pub(super) struct Adjudicator {
    rules: Adjudication,
    streaks: [Streaks; 2],
}

impl Adjudicator {
    /// A game in which nothing was evaluations yet.
    pub(super) fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            streaks: [Streaks::default(); 2],
        }
    }

    /// Adds the evaluation of the engine of `color` for its move. A move without one resets the
    /// count.
    pub(super) fn add(&mut self, color: Color, evaluation: Option<&str>) {
        let score = evaluation.and_then(remarks::score);
        let streaks = &mut self.streaks[color.index()];
        let count = |streak: &mut usize, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let resign = self.rules.resign.map(|rule| rule.score);
        let draw = self.rules.draw.map(|rule| rule.score);
        let holds = |limit: Option<f64>, test: fn(f64, f64) -> bool| {
            (score.zip(limit)).is_some_and(|(score, limit)| test(score, limit))
        };
        let winning = holds(resign, |score, limit| score >= limit);
        let losing = holds(resign, |score, limit| score <= -limit);
        let level = holds(draw, |score, limit| score.abs() <= limit);
        count(&mut streaks.winning, winning);
        count(&mut streaks.losing, losing);
        count(&mut streaks.level, level);
    }

    /// The winner and the reason, if the engines agree and there are enough stones on the board.
    pub(super) fn verdict(&self, stones: usize) -> Option<(Option<Color>, String)> {
        if let Some(ResignRule { score, moves }) = self.rules.resign {
            for color in Color::ALL {
                let winner = self.streaks[color.index()];
                let loser = self.streaks[color.opponent().index()];
                if winner.winning >= moves && loser.losing >= moves {
                    let why = format!("{color} ahead by {score} or more for {moves} moves each");
                    return Some((Some(color), why));
                }
            }
        }
        let DrawRule {
            score,
            moves,
            after,
        } = self.rules.draw?;
        let level = self.streaks.iter().all(|streaks| streaks.level >= moves);
        (level && stones >= after).then(|| {
            let why = format!("level within {score} for {moves} moves each");
            (None, why)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn adjudicator(resign: &str, draw: &str) -> Adjudicator {
        Adjudicator::new(Adjudication {
            resign: Some(resign.parse().unwrap()),
            draw: Some(draw.parse().unwrap()),
        })
    }

    /// The verdict after every move; black's evaluation and white's in turn.
    fn verdicts(
        adjudicator: &mut Adjudicator,
        evaluations: &[Option<&str>],
    ) -> Vec<Option<Option<Color>>> {
        let colors = [Color::Black, Color::White].into_iter().cycle();
        let verdicts = colors
            .zip(evaluations)
            .enumerate()
            .map(|(i, (color, evaluations))| {
                adjudicator.add(color, *evaluations);
                adjudicator.verdict(i + 1).map(|(winner, _)| winner)
            });
        verdicts.collect()
    }

    #[test]
    fn both_engines_have_to_agree() {
        let mut one = adjudicator("score=500,moves=2", "score=10,moves=2,after=9");
        let evaluations = ["600", "-100", "700", "-800", "+M9", "-M8"].map(Some);
        let verdicts = verdicts(&mut one, &evaluations);
        assert_eq!(verdicts[..5], [None; 5]);
        assert_eq!(verdicts[5], Some(Some(Color::Black)));
        let (_, why) = one.verdict(6).unwrap();
        assert_eq!(why, "black ahead by 500 or more for 2 moves each");
    }

    #[test]
    fn silence_and_doubt_end_a_row() {
        let mut one = adjudicator("score=500,moves=2", "score=10,moves=1");
        let evaluations = [
            Some("-600"),
            Some("600"),
            Some("-600"),
            None,
            Some("-600"),
            Some("600"),
            Some("-499"),
            Some("600"),
        ];
        assert_eq!(verdicts(&mut one, &evaluations), [None; 8]);
        assert_eq!(
            verdicts(&mut one, &[Some("-600"), Some("600"), Some("-500")])[2],
            Some(Some(Color::White))
        );
    }

    #[test]
    fn level_games_are_drawn_after_a_number_of_stones() {
        let mut one = adjudicator("score=500,moves=2", "score=10,moves=2,after=6");
        let evaluations = ["0", "10", "-10", "3.5", "0", "0"].map(Some);
        let verdicts = verdicts(&mut one, &evaluations);
        assert_eq!(verdicts[..5], [None; 5]);
        assert_eq!(verdicts[5], Some(None));
    }

    #[test]
    fn rules_are_read_in_the_words_of_other_runners() {
        let rule = ResignRule {
            score: 600.0,
            moves: 3,
        };
        for text in [
            "score=600,moves=3",
            "movecount=3 score=600",
            "score=600.0,movecount=3",
        ] {
            assert_eq!(text.parse(), Ok(rule), "{text}");
        }
        for (text, complaint) in [
            ("600", "'600' is not KEY=NUMBER"),
            ("score=600", "moves is missing"),
            ("score=0,moves=3", "score can't be 0"),
            ("score=inf,moves=3", "score can't be inf"),
            ("score=600,moves=0", "moves can't be 0"),
            ("score=6,score=7,moves=3", "'score=7'"),
            ("score=600,moves=3,after=9", "'after=9'"),
        ] {
            let error = text.parse::<ResignRule>().unwrap_err().to_string();
            assert!(error.starts_with(complaint), "{text}: {error}");
        }
        let draw: DrawRule = "score=0,moves=8,after=100".parse().unwrap();
        assert_eq!((draw.score, draw.moves, draw.after), (0.0, 8, 100));
        assert!("score=-1,moves=8".parse::<DrawRule>().is_err());
    }
}
