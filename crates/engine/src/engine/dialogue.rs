//! The opening dialogue: the request for a step of an opening rule, and the effect of the
//! answer on the game.

use super::request::{Answer, Request, Swap2Step};
use crate::game::swap::{Choice, OpeningRule, OpeningStep};
use crate::rules::Point;

impl Request {
    /// The request for `step` of `rule`, after this number of stones. Choices of rules other
    /// than swap1 and swap2, and offers, are up to the caller.
    pub fn at_step(rule: OpeningRule, step: Option<OpeningStep>, stones: usize) -> Request {
        match (step, rule, Swap2Step::after(stones)) {
            (Some(OpeningStep::Play { .. }) | None, ..) => Request::Move,
            (_, OpeningRule::Swap2, Some(swap2)) => Request::Swap2Step(swap2),
            (Some(OpeningStep::Place { swap_follows, .. }), ..) if swap_follows => {
                Request::Balance {
                    pair: false,
                    bias: 0,
                }
            }
            _ => Request::Move,
        }
    }
}

impl Answer {
    /// The effect of the answer at `step`, after this number of stones: the choice, if the
    /// step asks for one, and then the stones to place. `None` if it does not answer the step.
    pub fn at_step(
        &self,
        step: Option<OpeningStep>,
        stones: usize,
    ) -> Option<(Option<Choice>, &[Point])> {
        let placed = self.stones();
        match (step, self) {
            (Some(OpeningStep::Place { until, .. }), _) => {
                let missing = until.saturating_sub(stones).min(placed.len());
                (missing > 0).then_some((None, &placed[..missing]))
            }
            // The stones leave the move to white, so that a swap takes black.
            (Some(OpeningStep::Choose { .. }), _) => {
                let choice = match self {
                    Answer::Swap { .. } => Choice::Black,
                    Answer::Stones(_) => Choice::TwoStones,
                    Answer::Move(_) => Choice::White,
                };
                Some((Some(choice), placed))
            }
            (_, Answer::Move(_)) => Some((None, placed)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::BestMove;
    use super::*;
    use crate::game::swap::{Region, Seat};

    #[test]
    fn answers_are_choices_and_stones() {
        let seat = Seat::First;
        let place = |until| {
            Some(OpeningStep::Place {
                seat,
                until,
                region: Region::Board,
                swap_follows: true,
            })
        };
        let choose = Some(OpeningStep::Choose { seat, options: &[] });
        let play = Some(OpeningStep::Play { black: seat });
        let points = [7, 8, 9].map(|x| Point::new(x, 7));
        let swap = Answer::Swap { info: None };
        let stones = Answer::Stones(points.to_vec());
        let best = Answer::Move(BestMove::unsearched(points[0]));

        assert_eq!(stones.at_step(place(3), 0), Some((None, &points[..])));
        assert_eq!(stones.at_step(place(3), 2), Some((None, &points[..1])));
        assert_eq!(best.at_step(place(3), 2), Some((None, &points[..1])));
        assert_eq!(stones.at_step(place(3), 3), None);
        assert_eq!(swap.at_step(place(3), 0), None);

        let chosen = |answer: &Answer| answer.at_step(choose, 3).unwrap_or_default().0;
        assert_eq!(chosen(&swap), Some(Choice::Black));
        assert_eq!(chosen(&best), Some(Choice::White));
        assert_eq!(chosen(&stones), Some(Choice::TwoStones));
        assert_eq!(
            best.at_step(choose, 3),
            Some((Some(Choice::White), &points[..1]))
        );

        for step in [play, None] {
            assert_eq!(best.at_step(step, 5), Some((None, &points[..1])));
            assert_eq!(stones.at_step(step, 5), None);
            assert_eq!(swap.at_step(step, 5), None);
        }
    }

    #[test]
    fn requests_follow_the_step() {
        let balance = Request::Balance {
            pair: false,
            bias: 0,
        };
        let request =
            |rule: OpeningRule, stones| Request::at_step(rule, rule.step(stones, &[]).ok(), stones);
        assert_eq!(request(OpeningRule::Free, 0), Request::Move);
        assert_eq!(request(OpeningRule::Swap1, 0), balance);
        assert_eq!(request(OpeningRule::Swap1, 1), Request::Move);
        assert_eq!(
            request(OpeningRule::Swap2, 0),
            Request::Swap2Step(Swap2Step::Open)
        );
        assert_eq!(request(OpeningRule::Swap2, 1), balance);
        let three = Request::Swap2Step(Swap2Step::ChooseOfThree);
        assert_eq!(request(OpeningRule::Swap2, 3), three);
        assert_eq!(request(OpeningRule::Soosorv, 0), balance);
        assert_eq!(request(OpeningRule::Pro, 0), Request::Move);
        assert_eq!(Request::at_step(OpeningRule::Swap2, None, 3), Request::Move);
    }
}
