//! The engine's part in the dialogue of an opening: the request for each step, and the choice
//! and the stones that an answer means.
//!
//! The player who chooses takes the better side, so the engine places stones after which neither
//! side is better, and asks for a single fifth stone: black's best answers the fourth
//! stone, and every further one would be worse for black, who may still swap. Where a player has
//! asked for more, the choice of a colour takes into account what they cost black.

use super::request::{Answer, Request, Swap2Step};
use crate::game::swap::{Choice, Dialogue, OpeningRule, OpeningStep, Region};
use crate::position::Position;
use crate::rules::{Color, Point, PointSet};
use crate::score::Score;
use crate::search::Line;

/// The loss of black with each fifth stone after the first, in units: white places the worst of them.
///
/// Measured in the 26 openings with white's best fourth stone (300,000 nodes), by the values of
/// black's twelve best fifth stones (1,200,000 nodes): 38 units on average for the second, 83 for
/// four, 154 for eight, 233 for twelve.
const LOSS_PER_OFFER: i32 = 20;

/// The engine's part in a step of an opening: its choice, if the step asks for one, and then
/// the stones to place or to offer.
pub type Part = (Option<Choice>, Vec<Point>);

impl Dialogue {
    /// The engine's request at the next step. The points that are not
    /// [allowed](Dialogue::allowed) have to be excluded.
    pub fn request(&self, position: &Position) -> Request {
        let stones = position.ply();
        let step = self.step(stones);
        match (step, self.rule, Swap2Step::after(stones)) {
            (Some(OpeningStep::Play { .. }) | None, ..) => Request::Move,
            (_, OpeningRule::Swap2, Some(swap2)) => Request::Swap2Step(swap2),
            (Some(OpeningStep::Place { swap_follows, .. }), ..) if swap_follows => {
                Request::Balance {
                    pair: false,
                    bias: 0,
                }
            }
            _ if self.is_obvious(stones) || !self.needs_lines(stones) => Request::Move,
            // Some of the best moves may be alike.
            _ if self.missing_offers(stones) > 0 => Request::Lines(2 * self.wanted_lines(position)),
            _ => Request::Lines(self.wanted_lines(position)),
        }
    }

    /// The points that the engine may not answer with.
    pub fn excluded(&self, position: &Position) -> PointSet {
        let allowed = self.allowed(position);
        allowed.map_or(PointSet::EMPTY, |allowed| {
            position.board().difference(&allowed)
        })
    }

    /// Returns true if the engine need not think: nearly nothing is allowed, or it always
    /// answers the same.
    pub fn is_obvious(&self, stones: usize) -> bool {
        match self.step(stones) {
            Some(OpeningStep::Place { region, .. }) => region == Region::Nested && stones < 2,
            Some(OpeningStep::Choose { options, .. }) => {
                matches!(options, [Choice::Offers(_), ..])
            }
            _ => false,
        }
    }

    /// Returns true at a choice or an offer that the values of lines decide. Those of swap1 and
    /// swap2 the engine makes itself.
    fn needs_lines(&self, stones: usize) -> bool {
        use OpeningStep::{Choose, Fifth};
        !matches!(self.rule, OpeningRule::Swap1 | OpeningRule::Swap2)
            && matches!(self.step(stones), Some(Choose { .. } | Fifth { .. }))
    }

    /// The number of lines that decide: at black's fifth move as many as fifth stones are
    /// asked for, because white will place the worst of them.
    fn wanted_lines(&self, position: &Position) -> usize {
        if let Some(OpeningStep::Fifth { count, .. }) = self.step(position.ply()) {
            return count;
        }
        match position.side() {
            Color::Black => self.announced().into(),
            Color::White => 1,
        }
    }

    /// The number of fifth stones that black will have to offer.
    fn announced(&self) -> u8 {
        let mut choices = self.choices.iter();
        let announced = choices.find_map(|choice| match choice {
            Choice::Offers(count) => Some(*count),
            _ => None,
        });
        announced.unwrap_or(1)
    }

    /// The value of the side to move at the choice of a colour, by the value of the worst line. The
    /// lines of white's fourth stone know nothing of the fifth ones.
    fn value_of_choice(&self, side: Color, value: Score) -> Score {
        match side {
            Color::White if !value.is_decided() => {
                value + LOSS_PER_OFFER * i32::from(self.announced() - 1)
            }
            _ => value,
        }
    }

    /// The engine's part at the next step by its answer and the last lines of its search.
    /// `None` if that does not answer the step.
    pub fn part(&self, position: &Position, answer: &Answer, lines: &[Line]) -> Option<Part> {
        let stones = position.ply();
        let placed = answer.stones();
        let worst = lines.iter().min_by_key(|line| line.score);
        match self.step(stones) {
            Some(OpeningStep::Place { until, .. }) => {
                let missing = until.saturating_sub(stones).min(placed.len());
                (missing > 0).then(|| (None, placed[..missing].to_vec()))
            }
            Some(OpeningStep::Choose { options, .. }) if self.needs_lines(stones) => {
                let side = position.side();
                let line = worst.or(answer.info());
                let value = line.map(|line| self.value_of_choice(side, line.score));
                Some((Some(choice(options, side, value)), Vec::new()))
            }
            // The stones leave the move to white, so that a swap takes black.
            Some(OpeningStep::Choose { .. }) => {
                let choice = match answer {
                    Answer::Swap { .. } => Choice::Black,
                    Answer::Stones(_) => Choice::TwoStones,
                    Answer::Move(_) => Choice::White,
                };
                Some((Some(choice), placed.to_vec()))
            }
            Some(OpeningStep::Fifth { .. }) if self.missing_offers(stones) > 0 => {
                let offers = self.best_offers(position, answer, lines);
                (!offers.is_empty()).then_some((None, offers))
            }
            Some(OpeningStep::Fifth { .. }) => {
                let point = worst.and_then(Line::best).or(placed.first().copied())?;
                Some((None, vec![point]))
            }
            _ => matches!(answer, Answer::Move(_)).then(|| (None, placed.to_vec())),
        }
    }

    /// The best moves that are not alike, as many as are missing.
    fn best_offers(&self, position: &Position, answer: &Answer, lines: &[Line]) -> Vec<Point> {
        let mut dialogue = self.clone();
        // The lines are in order, the best first.
        let best = lines.iter().filter_map(Line::best);
        for point in best.chain(answer.stones().iter().copied()) {
            if dialogue.missing_offers(position.ply()) > 0 && dialogue.allows(position, point) {
                dialogue.offers.push(point);
            }
        }
        dialogue.offers.split_off(self.offers.len())
    }
}

/// The better colour, by the value for the side to move; or a single fifth stone.
fn choice(options: &[Choice], side: Color, value: Option<Score>) -> Choice {
    if let [offers @ Choice::Offers(_), ..] = options {
        return *offers;
    }
    let color = match value {
        Some(value) if value < Score::ZERO => side.opponent(),
        _ => side,
    };
    match color {
        Color::Black => Choice::Black,
        Color::White => Choice::White,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::request::{BestMove, Event};
    use super::super::{Engine, Lines, MonotonicClock};
    use super::*;
    use crate::rules::{BoardSize, Rule};
    use std::collections::HashSet;

    /// A position with this number of stones, none of which are alike.
    fn position(stones: usize) -> Position {
        let mut position = Position::new(Rule::Renju, BoardSize::default());
        let points = [(7, 7), (7, 8), (8, 6), (6, 9), (3, 3)];
        for &(x, y) in &points[..stones] {
            position.play(Point::new(x, y));
        }
        position
    }

    fn dialogue(rule: OpeningRule, choices: &[Choice]) -> Dialogue {
        Dialogue {
            rule,
            choices: choices.to_vec(),
            offers: Vec::new(),
        }
    }

    #[test]
    fn answers_are_choices_and_stones() {
        let points = [7, 8, 9].map(|x| Point::new(x, 2));
        let swap = Answer::Swap { info: None };
        let stones = Answer::Stones(points.to_vec());
        let best = Answer::Move(BestMove::unsearched(points[0]));
        let swap2 = dialogue(OpeningRule::Swap2, &[]);
        let part = |answer: &Answer, stones| swap2.part(&position(stones), answer, &[]);

        assert_eq!(part(&stones, 0), Some((None, points.to_vec())));
        assert_eq!(part(&stones, 2), Some((None, points[..1].to_vec())));
        assert_eq!(part(&best, 2), Some((None, points[..1].to_vec())));
        assert_eq!(part(&swap, 0), None);

        assert_eq!(part(&swap, 3), Some((Some(Choice::Black), Vec::new())));
        let white = (Some(Choice::White), points[..1].to_vec());
        assert_eq!(part(&best, 3), Some(white));
        let two = (Some(Choice::TwoStones), points.to_vec());
        assert_eq!(part(&stones, 3), Some(two));

        let free = dialogue(OpeningRule::Free, &[]);
        let part = |answer: &Answer| free.part(&position(5), answer, &[]);
        assert_eq!(part(&best), Some((None, points[..1].to_vec())));
        assert_eq!(part(&stones), None);
        assert_eq!(part(&swap), None);
    }

    #[test]
    fn lines_decide_colours_and_fifth_stones() {
        let line = |score, x| Line::new(Score::new(score), vec![Point::new(x, 2)]);
        let lines = [line(50, 9), line(-20, 4)];
        let any = Answer::Move(BestMove::unsearched(Point::new(9, 2)));
        let part = |choices: &[Choice], stones| {
            let rif = dialogue(OpeningRule::Rif, choices);
            rif.part(&position(stones), &any, &lines)
        };
        // White is to move, and the worst line of several counts.
        assert_eq!(part(&[], 3), Some((Some(Choice::Black), Vec::new())));
        let offers = [9, 4].map(|x| Point::new(x, 2)).to_vec();
        assert_eq!(part(&[Choice::Black], 4), Some((None, offers.clone())));
        let mut rif = dialogue(OpeningRule::Rif, &[Choice::Black]);
        rif.offers = offers;
        let worst = vec![Point::new(4, 2)];
        assert_eq!(rif.part(&position(4), &any, &lines), Some((None, worst)));
        let announced = dialogue(OpeningRule::Yamaguchi, &[]);
        let part = announced.part(&position(3), &any, &lines);
        assert_eq!(part, Some((Some(Choice::Offers(1)), Vec::new())));
        // Black is better by a little, but has to offer several stones.
        for (offers, color) in [(1, Choice::Black), (2, Choice::White), (8, Choice::White)] {
            let announced = dialogue(OpeningRule::Yamaguchi, &[Choice::Offers(offers)]);
            let part = announced.part(&position(3), &any, &[line(-19, 4)]);
            assert_eq!(part, Some((Some(color), Vec::new())), "{offers}");
            let lost = Line::new(Score::loss_at(20), vec![Point::new(4, 2)]);
            let part = announced.part(&position(3), &any, &[lost]);
            assert_eq!(part, Some((Some(Choice::Black), Vec::new())));
        }
    }

    #[test]
    fn requests_follow_the_step() {
        let balance = Request::Balance {
            pair: false,
            bias: 0,
        };
        let request =
            |rule, choices: &[Choice], stones| dialogue(rule, choices).request(&position(stones));
        assert_eq!(request(OpeningRule::Free, &[], 0), Request::Move);
        assert_eq!(request(OpeningRule::Swap1, &[], 0), balance);
        assert_eq!(request(OpeningRule::Swap1, &[], 1), Request::Move);
        assert_eq!(
            request(OpeningRule::Swap2, &[], 0),
            Request::Swap2Step(Swap2Step::Open)
        );
        assert_eq!(request(OpeningRule::Swap2, &[], 1), balance);
        let three = Request::Swap2Step(Swap2Step::ChooseOfThree);
        assert_eq!(request(OpeningRule::Swap2, &[], 3), three);
        assert_eq!(request(OpeningRule::Soosorv, &[], 0), balance);
        assert_eq!(request(OpeningRule::Soosorv, &[], 3), Request::Lines(1));
        assert_eq!(request(OpeningRule::Pro, &[], 0), Request::Move);
        assert_eq!(request(OpeningRule::Yamaguchi, &[], 3), Request::Move);
        let black = [Choice::Black];
        assert_eq!(request(OpeningRule::Rif, &black, 4), Request::Lines(4));
        let wrong = [Choice::Offers(9)];
        assert_eq!(request(OpeningRule::Swap2, &wrong, 3), Request::Move);
    }

    /// Plays the dialogue of an opening with itself, a step with these nodes, and returns black's chance
    /// of winning afterwards by a longer search, and the stones.
    fn chance_after_dialogue(rule: OpeningRule, nodes: u64) -> (f64, String) {
        let mut engine = Engine::new(MonotonicClock::system());
        let mut position = Position::new(Rule::Renju, BoardSize::default());
        let mut dialogue = Dialogue {
            rule,
            ..Dialogue::default()
        };
        let search = |engine: &mut Engine, position: &Position, request: Request, nodes: u64| {
            engine.options_mut().max_node = Some(nodes);
            engine.set_position(position.clone());
            let mut lines = Lines::default();
            let answer = engine.answer(request, &mut |event| {
                if let Event::Info(line) = event {
                    lines.add(line);
                }
            });
            (answer.unwrap(), lines.last().to_vec())
        };
        loop {
            let step = dialogue.step(position.ply()).unwrap();
            if let OpeningStep::Play { .. } = step {
                break;
            }
            engine.options_mut().opening = rule;
            engine.options_mut().may_swap = matches!(step, OpeningStep::Choose { .. });
            *engine.excluded_mut() = dialogue.excluded(&position);
            let request = dialogue.request(&position);
            let (answer, lines) = search(&mut engine, &position, request, nodes);
            let (choice, points) = dialogue.part(&position, &answer, &lines).unwrap();
            if let Some(choice) = choice {
                dialogue.choose(position.ply(), choice).unwrap();
            }
            for point in points {
                if dialogue.missing_offers(position.ply()) > 0 {
                    dialogue.offers.push(point);
                } else {
                    position.play(point);
                }
            }
        }
        *engine.excluded_mut() = PointSet::EMPTY;
        engine.options_mut().may_swap = false;
        let (answer, lines) = search(&mut engine, &position, Request::Lines(1), nodes * 4);
        let line = lines.first().or(answer.info()).unwrap();
        let chance = match position.side() {
            Color::Black => line.score.win_chance(),
            Color::White => 1.0 - line.score.win_chance(),
        };
        (chance, position.move_text())
    }

    /// Prints black's chances after dialogues of the engine with itself. `DIALOGUES` and `STEP_NODES`
    /// change their number and the nodes of a step, `OPENING` takes a single rule.
    #[test]
    #[ignore = "takes an hour"]
    #[allow(clippy::print_stdout)]
    fn dialogues_end_in_balance() {
        let number = |name: &str, usual: u64| {
            std::env::var(name).map_or(usual, |text| text.parse().unwrap())
        };
        let (count, nodes) = (number("DIALOGUES", 50), number("STEP_NODES", 300_000));
        println!("rule, black's chance: mean, median, within 15 % of even, different positions");
        let only = std::env::var("OPENING").ok();
        let is_meant = |rule: &OpeningRule| match &only {
            Some(name) => rule.name() == name,
            None => *rule != OpeningRule::Free,
        };
        for rule in OpeningRule::ALL.into_iter().filter(is_meant) {
            // Searches with the same nodes would be the same.
            let ends = (0..count).map(|i| chance_after_dialogue(rule, nodes + nodes * i / count));
            let (mut chances, positions): (Vec<f64>, HashSet<String>) = ends.unzip();
            chances.sort_by(f64::total_cmp);
            let even = chances.iter().filter(|it| (**it - 0.5).abs() <= 0.15);
            let mean = chances.iter().sum::<f64>() / count as f64;
            let median = chances[chances.len() / 2];
            let (even, positions) = (even.count(), positions.len());
            println!("{rule}: {mean:.2} {median:.2} {even}/{count} {positions}");
        }
    }
}
