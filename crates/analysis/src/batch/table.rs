//! Reviews of many games as a table, and how far they agree with others of the same games.

use super::BatchError;
use crate::review::{MoveClass, MoveReview, NamedReview};
use quincunx_engine::rules::Color;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The classes of moves that the table counts.
const COUNTED: [MoveClass; 4] = [
    MoveClass::Inaccuracy,
    MoveClass::Mistake,
    MoveClass::WinMissed,
    MoveClass::LossAllowed,
];

/// The table of the reviews of many games, with its agreement with other reviews of them.
#[derive(Debug)]
pub struct ReviewTable {
    rows: Vec<Row>,
    agreement: Option<Agreement>,
}

impl ReviewTable {
    /// Creates the table of reviews, and compares them with others of the same games.
    ///
    /// # Errors
    /// Returns an error if the others are of other games.
    pub fn new(
        reviews: &[NamedReview],
        others: Option<&[NamedReview]>,
    ) -> Result<ReviewTable, BatchError> {
        let agreement = others.map(|others| Agreement::of(reviews, others));
        Ok(ReviewTable {
            rows: reviews.iter().map(Row::of).collect(),
            agreement: agreement.transpose()?,
        })
    }

    /// Returns the table as a JSON object.
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(Row::json).collect();
        let agreement = self.agreement.as_ref().map(Agreement::json);
        json!({ "games": rows, "agreement": agreement })
    }

    /// Returns the table as text.
    pub fn text(&self) -> String {
        let agreement = self.agreement.as_ref().map(Agreement::text);
        let agreement = agreement.map_or_else(String::new, |text| text + "\n");
        text(&self.rows) + &agreement
    }
}

/// A game in the table.
#[derive(Debug)]
struct Row {
    game: String,
    result: String,
    opening: String,
    /// Black's and white's, in per cent.
    accuracy: [Option<f64>; 2],
    /// The moves of black and of white in each counted class.
    counts: [[usize; COUNTED.len()]; 2],
    /// The number of the last escape.
    escape: Option<usize>,
}

impl Row {
    fn of(stored: &NamedReview) -> Row {
        let review = &stored.review;
        let count = |color: Color, class: MoveClass| {
            let is = |it: &&MoveReview| it.color == color && it.class == class;
            review.moves.iter().filter(is).count()
        };
        Row {
            game: stored.game.clone(),
            result: review.result.clone().unwrap_or_default(),
            opening: review.opening.clone().unwrap_or_default(),
            accuracy: Color::ALL.map(|color| review.summary.accuracy.get(color)),
            counts: Color::ALL.map(|color| COUNTED.map(|class| count(color, class))),
            escape: review.summary.last_escape.map(|escape| escape.number),
        }
    }

    fn json(&self) -> Value {
        let of = |color: usize| {
            let mut object = json!({ "accuracy": self.accuracy[color] });
            for (class, count) in COUNTED.iter().zip(self.counts[color]) {
                object[class.name()] = json!(count);
            }
            object
        };
        json!({
            "game": self.game,
            "result": self.result,
            "opening": self.opening,
            "black": of(0),
            "white": of(1),
            "last_escape": self.escape,
        })
    }
}

fn text(rows: &[Row]) -> String {
    let mut text = String::from(
        "accuracy     inaccuracies  mistakes    wins missed  losses allowed  last    game\n\
         black white  black white   black white  black white  black white     escape\n",
    );
    let per_cent = |accuracy: Option<f64>| accuracy.map_or("-".to_owned(), |it| format!("{it:.1}"));
    for row in rows {
        let [black, white] = row.accuracy.map(per_cent);
        let _ = write!(text, "{black:>5} {white:>5}");
        for class in 0..COUNTED.len() {
            let (black, white) = (row.counts[0][class], row.counts[1][class]);
            let _ = write!(text, "  {black:>5} {white:>5}");
        }
        let escape = row.escape.map_or("-".to_owned(), |it| it.to_string());
        let notes = [&row.result, &row.opening].map(String::as_str);
        let notes: Vec<&str> = notes.into_iter().filter(|it| !it.is_empty()).collect();
        let _ = writeln!(text, "  {escape:>6}  {}: {}", row.game, notes.join(", "));
    }
    let mean = |color: usize| {
        let known: Vec<f64> = rows.iter().filter_map(|row| row.accuracy[color]).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let [black, white] = [0, 1].map(mean).map(per_cent);
    let _ = write!(text, "{black:>5} {white:>5}");
    for class in 0..COUNTED.len() {
        let [black, white] = [0, 1].map(|color| {
            rows.iter()
                .map(|row| row.counts[color][class])
                .sum::<usize>()
        });
        let _ = write!(text, "  {black:>5} {white:>5}");
    }
    let _ = writeln!(text, "          {} games", rows.len());
    text
}

/// How many bad moves of some reviews are bad in other reviews of the same games.
#[derive(Debug, Default, PartialEq, Eq)]
struct Agreement {
    moves: usize,
    /// Bad moves here, there, and in both.
    here: usize,
    there: usize,
    both: usize,
}

impl Agreement {
    fn of(reviews: &[NamedReview], others: &[NamedReview]) -> Result<Agreement, BatchError> {
        let mut agreement = Agreement::default();
        if reviews.len() != others.len() {
            let (own, others) = (reviews.len(), others.len());
            let why = format!("{own} reviews can't be compared with {others}");
            return Err(BatchError::Incomparable(why));
        }
        for (review, other) in reviews.iter().zip(others) {
            let [here, there] = [review, other].map(|it| &it.review.moves);
            let is_same = |it: &(&MoveReview, &MoveReview)| it.0.point == it.1.point;
            let pairs: Vec<_> = here.iter().zip(there).filter(is_same).collect();
            if [here.len(), there.len()] != [pairs.len(); 2] {
                let why = format!("{} is another game in the other file", review.game);
                return Err(BatchError::Incomparable(why));
            }
            agreement.moves += pairs.len();
            for (here, there) in pairs {
                let (here, there) = (here.class.is_mistake(), there.class.is_mistake());
                agreement.here += usize::from(here);
                agreement.there += usize::from(there);
                agreement.both += usize::from(here && there);
            }
        }
        Ok(agreement)
    }

    /// The share of bad moves here that are bad there, and of those there that are none here.
    fn shares(&self) -> [Option<f64>; 2] {
        let share = |part: usize, of: usize| (of > 0).then(|| part as f64 / of as f64);
        let missed = self.there - self.both;
        [share(self.both, self.here), share(missed, self.there)]
    }

    fn text(&self) -> String {
        let [confirmed, missed] = self.shares().map(|share| match share {
            Some(share) => format!("{:.1} %", 100.0 * share),
            None => "-".to_owned(),
        });
        format!(
            "of {} moves {} are bad here and {} there: {confirmed} of those here are confirmed, \
             {missed} of those there are missed here",
            self.moves, self.here, self.there
        )
    }

    fn json(&self) -> Value {
        let [confirmed, missed] = self.shares();
        json!({
            "moves": self.moves,
            "bad": self.here,
            "bad_there": self.there,
            "bad_in_both": self.both,
            "confirmed": confirmed,
            "missed": missed,
        })
    }
}
