//! One person's training.

use super::message::{
    Strength, StrengthLimits, TrainingEnd, TrainingMessage, TrainingReply, TrainingState,
};
use crate::error::BoardError;
use crate::hosted::HostedSession;
use crate::message::VERSION;
use crate::state::{ForbiddenView, StoneView};
use quincunx_analysis::puzzle::{Attempt, GRADES, Puzzle, SETS, Verdict};
use quincunx_engine::game::Game;
use quincunx_engine::rules::{Color, Point};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use std::time::Duration;

/// The names of the sets. A constant leaves their texts out of the program: pages fetch those.
const SET_NAMES: [&str; SETS.len()] = {
    let mut names = [""; SETS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = SETS[index].0;
        index += 1;
    }
    names
};

/// The most bytes of a puzzle's line.
const LONGEST: usize = 4096;

/// The strengths that there are. Between some that are further apart Glicko-2 divides by zero.
const LIMITS: StrengthLimits = StrengthLimits {
    rating: [0.0, 4000.0],
    deviation: [10.0, 500.0],
    volatility: [0.01, 0.2],
};

/// A person of whom nothing is known.
const NEW_PERSON: Strength = Strength {
    rating: 1500.0,
    deviation: 350.0,
    volatility: 0.06,
};

/// An untried puzzle of this grade. Its grade is an estimate, so its deviation is smaller than
/// that of a new person.
fn new_puzzle(grade: u32) -> Strength {
    Strength {
        rating: f64::from(1000 + 200 * grade),
        deviation: 200.0,
        volatility: 0.06,
    }
}

/// A puzzle that a person is at.
struct Training {
    puzzle: String,
    attempt: Attempt,
    person: Strength,
    strength: Strength,
    result: Option<bool>,
    end: TrainingEnd,
}

/// One person's training. It needs no engine: the solver answers at once.
#[derive(Default)]
pub struct TrainingSession {
    training: Option<Training>,
}

impl TrainingSession {
    /// A session without a puzzle.
    pub fn new() -> TrainingSession {
        TrainingSession::default()
    }

    fn follow(&mut self, message: TrainingMessage) -> Result<(), BoardError> {
        match message {
            TrainingMessage::Hello { version } if version != VERSION => {
                return Err(BoardError::Version(version));
            }
            TrainingMessage::Hello { .. } => self.training = None,
            TrainingMessage::Begin {
                puzzle,
                person,
                strength,
                result,
            } => {
                if puzzle.len() > LONGEST {
                    return Err(BoardError::LongPuzzle(LONGEST));
                }
                if !person.is_sound() || !strength.is_sound() {
                    return Err(BoardError::Strength(LIMITS.to_string()));
                }
                self.training = Some(Training {
                    attempt: Attempt::new(puzzle.parse::<Puzzle>()?),
                    puzzle,
                    person,
                    strength,
                    result,
                    end: TrainingEnd::Open,
                });
            }
            TrainingMessage::Play { point, stones } => {
                let training = self.training.as_mut().ok_or(BoardError::NotNow)?;
                training.play(point.parse()?, stones)?;
            }
            TrainingMessage::Hint => {
                let training = self.training.as_mut().ok_or(BoardError::NotNow)?;
                training.hint()?;
            }
            TrainingMessage::GiveUp => {
                let training = self.training.as_mut().ok_or(BoardError::NotNow)?;
                training.show()?;
            }
        }
        Ok(())
    }
}

impl HostedSession for TrainingSession {
    type Message = TrainingMessage;
    type Reply = TrainingReply;

    fn handle(&mut self, _now: Duration, message: TrainingMessage) -> Vec<TrainingReply> {
        vec![match self.follow(message) {
            Ok(()) => match &self.training {
                Some(training) => TrainingReply::State(Box::new(training.state())),
                None => welcome(),
            },
            Err(error) => error.reply::<TrainingSession>(),
        }]
    }

    fn error(code: &'static str, text: String) -> TrainingReply {
        TrainingReply::Error { code, text }
    }
}

fn welcome() -> TrainingReply {
    TrainingReply::Welcome {
        version: VERSION,
        sets: SET_NAMES.to_vec(),
        person: NEW_PERSON,
        puzzles: GRADES.map(new_puzzle).collect(),
        limits: LIMITS,
    }
}

impl Training {
    fn play(&mut self, point: Point, stones: usize) -> Result<(), BoardError> {
        if stones != self.stones() {
            return Err(BoardError::Stale);
        }
        self.end = match self.attempt.play(point) {
            Verdict::Illegal => return Err(BoardError::NoStone(point)),
            Verdict::Solved => {
                self.count(true);
                TrainingEnd::Solved
            }
            Verdict::Right(_) => TrainingEnd::Open,
            Verdict::Slow => TrainingEnd::Slow,
            Verdict::Unknown => TrainingEnd::Unknown,
            Verdict::Wrong(reply) => {
                self.count(false);
                let line = [point, reply].into_iter();
                let line = line.filter(|&point| point != Point::NONE);
                TrainingEnd::Wrong {
                    line: line.map(|point| point.to_string()).collect(),
                }
            }
        };
        Ok(())
    }

    /// The next hint: first the number of moves, then the column, then the point. A
    /// puzzle that took more than the number is lost.
    fn hint(&mut self) -> Result<(), BoardError> {
        let point = self.attempt.hint().ok_or(BoardError::NotNow)?;
        self.end = match self.end {
            TrainingEnd::Moves { .. } => {
                self.count(false);
                let point = point.to_string();
                let column = point.trim_end_matches(|it: char| it.is_ascii_digit());
                TrainingEnd::Column {
                    column: column.to_owned(),
                }
            }
            TrainingEnd::Column { .. } | TrainingEnd::Point { .. } => {
                return self.show();
            }
            _ => TrainingEnd::Moves {
                moves: self.attempt.moves_left(),
            },
        };
        Ok(())
    }

    /// Shows the next move.
    fn show(&mut self) -> Result<(), BoardError> {
        let point = self.attempt.hint().ok_or(BoardError::NotNow)?;
        self.count(false);
        self.end = TrainingEnd::Point {
            point: point.to_string(),
        };
        Ok(())
    }

    /// Moves both ratings, the first time that it is known whether the puzzle is solved.
    fn count(&mut self, is_solved: bool) {
        if self.result.is_some() {
            return;
        }
        self.result = Some(is_solved);
        (self.person, self.strength) = self.rated(is_solved);
    }

    /// The ratings of the person and the puzzle after a result.
    fn rated(&self, is_solved: bool) -> (Strength, Strength) {
        let outcome = match is_solved {
            true => Outcomes::WIN,
            false => Outcomes::LOSS,
        };
        let (person, puzzle) = glicko2(
            &self.person.into(),
            &self.strength.into(),
            &outcome,
            &Glicko2Config::new(),
        );
        (person.into(), puzzle.into())
    }

    /// The rating points that the person loses with the puzzle. `None` once it has a result.
    fn stake(&self) -> Option<u32> {
        let lost = self.person.rating - self.rated(false).0.rating;
        self.result.is_none().then_some(lost.round() as u32)
    }

    /// Returns true if the next hint shows more than the number of moves.
    fn hint_loses(&self) -> bool {
        let was_free = matches!(
            self.end,
            TrainingEnd::Moves { .. } | TrainingEnd::Column { .. } | TrainingEnd::Point { .. }
        );
        self.result.is_none() && was_free
    }

    fn stones(&self) -> usize {
        let moves = self.attempt.position().moves();
        moves.filter(|(_, point)| *point != Point::NONE).count()
    }

    fn state(&self) -> TrainingState {
        let puzzle = self.attempt.puzzle();
        let position = self.attempt.position();
        let mut game = Game::from_position(puzzle.position.clone());
        for (_, point) in position.moves().skip(puzzle.position.ply()) {
            // The solver plays by the rules.
            let played = match point {
                Point::NONE => game.pass(),
                point => game.play(point),
            };
            debug_assert!(played.is_ok());
        }
        let opening = game.opening().map(|stone| (stone, None));
        let played = game.moves().zip(1..);
        let played = played.map(|(stone, number)| (stone, Some(number)));
        let stones = opening.chain(played);
        let view = |((color, point), number): ((Color, Point), _)| StoneView {
            point,
            color,
            number,
        };
        TrainingState {
            puzzle: self.puzzle.clone(),
            rule: game.rule().to_string(),
            width: game.size().width(),
            height: game.size().height(),
            stars: game.size().stars().map(|point| point.to_string()).collect(),
            stones: stones
                .filter(|((_, point), _)| *point != Point::NONE)
                .map(view)
                .collect(),
            turn: puzzle.position.side(),
            winning: game
                .winning_stones()
                .iter()
                .map(|it| it.to_string())
                .collect(),
            forbidden: (game.forbidden_points().into_iter())
                .map(|(point, kind)| ForbiddenView { point, kind })
                .collect(),
            kind: puzzle.kind.name(),
            grade: puzzle.grade(),
            end: self.end.clone(),
            solved: self.attempt.is_solved(),
            result: self.result,
            stake: self.stake(),
            hint_loses: self.hint_loses(),
            person: self.person,
            strength: self.strength,
            position: position.to_line(),
        }
    }
}

impl Strength {
    /// Returns true if the numbers are some that ratings have.
    fn is_sound(&self) -> bool {
        let is_within = |value: f64, [least, most]: [f64; 2]| (least..=most).contains(&value);
        is_within(self.rating, LIMITS.rating)
            && is_within(self.deviation, LIMITS.deviation)
            && is_within(self.volatility, LIMITS.volatility)
    }
}

impl From<Strength> for Glicko2Rating {
    fn from(strength: Strength) -> Glicko2Rating {
        Glicko2Rating {
            rating: strength.rating,
            deviation: strength.deviation,
            volatility: strength.volatility,
        }
    }
}

impl From<Glicko2Rating> for Strength {
    fn from(rating: Glicko2Rating) -> Strength {
        let within = |value: f64, [least, most]: [f64; 2]| value.clamp(least, most);
        Strength {
            rating: within(rating.rating, LIMITS.rating),
            deviation: within(rating.deviation, LIMITS.deviation),
            volatility: within(rating.volatility, LIMITS.volatility),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A win by fours in two moves, of which the first is the only right one.
    const PUZZLE: &str =
        "11 freestyle e5d5f5a1g5a11h6k11h7k1; vcf h5 i5 h4 any h8; tree 2; guess 1; grade 1";

    fn say(session: &mut TrainingSession, message: TrainingMessage) -> TrainingReply {
        session.handle(Duration::ZERO, message).remove(0)
    }

    fn opening() -> TrainingSession {
        let mut session = TrainingSession::new();
        let hello = TrainingMessage::Hello { version: VERSION };
        assert_eq!(say(&mut session, hello), welcome());
        state(say(&mut session, begin(PUZZLE, NEW_PERSON)));
        session
    }

    fn begin(puzzle: &str, person: Strength) -> TrainingMessage {
        TrainingMessage::Begin {
            puzzle: puzzle.to_owned(),
            person,
            strength: NEW_PERSON,
            result: None,
        }
    }

    fn play(session: &mut TrainingSession, point: &str) -> TrainingReply {
        let stones = session.training.as_ref().unwrap().stones();
        say(
            session,
            TrainingMessage::Play {
                point: point.to_owned(),
                stones,
            },
        )
    }

    fn state(reply: TrainingReply) -> TrainingState {
        match reply {
            TrainingReply::State(state) => *state,
            other => panic!("{other:?}"),
        }
    }

    fn code(reply: TrainingReply) -> &'static str {
        match reply {
            TrainingReply::Error { code, .. } => code,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_solved_puzzle_moves_both_ratings_once() {
        let mut session = opening();
        let first = state(play(&mut session, "h5"));
        assert_eq!((first.end, first.result), (TrainingEnd::Open, None));
        assert_eq!(first.stones.len(), 12, "the defence has answered");
        assert_eq!(first.person, NEW_PERSON);
        let mut last = None;
        for _ in 0..3 {
            let point = session.training.as_mut().unwrap().attempt.hint();
            let Some(point) = point else { break };
            last = Some(state(play(&mut session, &point.to_string())));
        }
        let last = last.unwrap();
        assert!(last.solved);
        assert_eq!(last.result, Some(true));
        assert_eq!(last.winning.len(), 5);
        assert!(last.person.rating > 1500.0 && last.strength.rating < 1500.0);
        assert!(last.person.deviation < 350.0);
        assert_eq!(code(say(&mut session, TrainingMessage::Hint)), "not_now");
    }

    #[test]
    fn a_mistake_is_taken_back_and_counts_once() {
        let mut session = opening();
        let wrong = state(play(&mut session, "b9"));
        assert!(matches!(&wrong.end, TrainingEnd::Wrong { line } if line[0] == "b9"));
        assert_eq!(wrong.stones.len(), 10);
        assert_eq!(wrong.result, Some(false));
        assert!(wrong.person.rating < 1500.0 && wrong.strength.rating > 1500.0);
        let again = state(play(&mut session, "a5"));
        assert_eq!(again.person, wrong.person);
        let right = state(play(&mut session, "h5"));
        assert_eq!(right.result, Some(false));
        assert_eq!(right.person, wrong.person);
    }

    #[test]
    fn hints_come_in_steps() {
        let mut session = opening();
        let mut hint = || state(say(&mut session, TrainingMessage::Hint));
        let (moves, column, point) = (hint(), hint(), hint());
        assert_eq!(moves.end, TrainingEnd::Moves { moves: 3 });
        assert_eq!(moves.result, None, "the number of moves is free");
        let h = "h".to_owned();
        assert_eq!(column.end, TrainingEnd::Column { column: h });
        assert_eq!(column.result, Some(false));
        let h5 = "h5".to_owned();
        assert_eq!(point.end, TrainingEnd::Point { point: h5 });
        assert_eq!(point.person, column.person);
    }

    /// A page whose connection was lost says how the puzzle went before.
    #[test]
    fn a_puzzle_that_is_begun_anew_counts_no_second_time() {
        let mut session = TrainingSession::new();
        let opening = state(say(
            &mut session,
            TrainingMessage::Begin {
                puzzle: PUZZLE.to_owned(),
                person: NEW_PERSON,
                strength: NEW_PERSON,
                result: Some(false),
            },
        ));
        assert_eq!(
            (opening.puzzle.as_str(), opening.result),
            (PUZZLE, Some(false))
        );
        let wrong = state(play(&mut session, "b9"));
        assert_eq!((wrong.person, wrong.strength), (NEW_PERSON, NEW_PERSON));
    }

    /// Whatever the strengths of both are, the new ones are some that the session takes again.
    #[test]
    fn every_result_has_sound_strengths() {
        let mut strengths = vec![NEW_PERSON];
        strengths.extend(GRADES.map(new_puzzle));
        for rating in LIMITS.rating {
            for deviation in LIMITS.deviation {
                for volatility in LIMITS.volatility {
                    strengths.push(Strength {
                        rating,
                        deviation,
                        volatility,
                    });
                }
            }
        }
        for &person in &strengths {
            for &strength in &strengths {
                for point in ["b9", "h5"] {
                    let mut session = TrainingSession::new();
                    state(say(
                        &mut session,
                        TrainingMessage::Begin {
                            puzzle: PUZZLE.to_owned(),
                            person,
                            strength,
                            result: None,
                        },
                    ));
                    play(&mut session, point);
                    let training = session.training.as_mut().unwrap();
                    while let Some(point) = training.attempt.hint() {
                        let stones = training.stones();
                        training.play(point, stones).unwrap();
                    }
                    assert!(training.result.is_some());
                    assert!(training.person.is_sound(), "{:?}", training.person);
                    assert!(training.strength.is_sound(), "{:?}", training.strength);
                }
            }
        }
    }

    #[test]
    fn bad_messages_change_nothing() {
        let mut session = TrainingSession::new();
        assert_eq!(code(say(&mut session, TrainingMessage::Hint)), "not_now");
        assert_eq!(code(say(&mut session, TrainingMessage::GiveUp)), "not_now");
        let mut session = opening();
        let before = session.training.as_ref().unwrap().state();
        let long = "x".repeat(LONGEST + 1);
        let nothing = Strength {
            volatility: 0.0,
            ..NEW_PERSON
        };
        let far = Strength {
            rating: 1e300,
            ..NEW_PERSON
        };
        for (message, expected) in [
            (TrainingMessage::Hello { version: 999 }, "version"),
            (begin("nonsense", NEW_PERSON), "puzzle"),
            (begin(&long, NEW_PERSON), "puzzle"),
            (begin(PUZZLE, nothing), "strength"),
            (begin(PUZZLE, far), "strength"),
        ] {
            assert_eq!(code(say(&mut session, message)), expected);
        }
        for (point, stones, expected) in [
            ("h5", 9, "stale"),
            ("??", 10, "point"),
            ("e5", 10, "move"),
            ("q20", 10, "move"),
        ] {
            let point = point.to_owned();
            let reply = say(&mut session, TrainingMessage::Play { point, stones });
            assert_eq!(code(reply), expected);
        }
        assert_eq!(session.training.as_ref().unwrap().state(), before);
    }
}
