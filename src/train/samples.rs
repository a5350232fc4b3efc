//! Records turned into what the fits read: one pass over the moves of each
//! game, a sample for each position that the evaluation could be asked about.

use super::layout::Layout;
use super::record::{Game, Ply};
use super::selfplay::candidates;
use crate::eval::{place, threat_set};
use crate::pattern::{CODES, Code, PAIRS, Pair};
use crate::position::{Position, Standing};
use crate::rules::{Color, Point, Rule};
use crate::threats::{Outlook, answers, outlook};
use anyhow::{Result, ensure};

/// One game in so many is kept from the fit to judge it by.
const VALIDATION_ONE_IN: u64 = 10;

/// Scores beyond this say little more about the value than a proven win.
const SCORE_LIMIT: i16 = 2_000;

/// A position's features and what it turned out to be worth, for the side to
/// move. All positions lie one after another.
#[derive(Default)]
pub struct ValueSamples {
    /// Where each position's features end.
    pub ends: Vec<u32>,
    /// A code or pair by its row in the [`Layout`], the opponent's after all of
    /// the side to move's, and how often it is on the board.
    pub features: Vec<(u16, i16)>,
    /// The side to move.
    pub sides: Vec<Color>,
    /// The threats on the board, as the evaluation tells them.
    pub threats: Vec<u16>,
    /// Stones on the board.
    pub stones: Vec<u16>,
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub results: Vec<f32>,
    /// What the search said, in units.
    pub scores: Vec<i16>,
    /// Whether every later move was the search's own.
    pub fair: Vec<bool>,
}

/// The slots of the numbers that a move's score adds up: attack, defence, both at
/// once, and its places as seen from the opponent's last stone and the own.
pub type MoveSlots = [u16; 5];

/// The moves of positions in which the winner was to move, the one the search chose
/// first.
#[derive(Default)]
pub struct MoveSamples {
    /// Where each position's moves end.
    pub ends: Vec<u32>,
    /// The slots of each move.
    pub moves: Vec<MoveSlots>,
}

/// Both kinds of samples.
#[derive(Default)]
pub struct Samples {
    /// For the values.
    pub values: ValueSamples,
    /// For the move scores.
    pub moves: MoveSamples,
    /// Games they come from.
    pub games: usize,
}

impl ValueSamples {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The features of a position.
    #[inline]
    pub fn features(&self, index: usize) -> &[(u16, i16)] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.features[start as usize..self.ends[index] as usize]
    }
}

impl MoveSamples {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves of a position.
    #[inline]
    pub fn moves(&self, index: usize) -> &[MoveSlots] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start as usize..self.ends[index] as usize]
    }
}

/// Whether a game is kept from the fit to judge it by: always the same ones.
pub fn is_for_validation(game: &Game) -> bool {
    let number = u64::from(game.number) ^ game.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32 & 0xFFFF_FFFF < (1 << 32) / VALIDATION_ONE_IN
}

/// Takes games apart; keeps its buffers from one to the next.
pub struct Sampler {
    rule: Rule,
    layout: Layout,
    counts: Counts,
}

/// How often each code and pair stands on the board, by colour.
struct Counts {
    codes: [Vec<i16>; 2],
    pairs: [Vec<i16>; 2],
}

impl Sampler {
    /// A sampler of games of `rule`.
    pub fn new(rule: Rule) -> Sampler {
        Sampler {
            rule,
            layout: Layout::of(rule),
            counts: Counts {
                codes: [vec![0; CODES], vec![0; CODES]],
                pairs: [vec![0; PAIRS], vec![0; PAIRS]],
            },
        }
    }

    /// Adds the samples of `game`.
    ///
    /// # Errors
    /// When a move of the game hits a stone.
    pub fn add(&mut self, game: &Game, samples: &mut Samples) -> Result<()> {
        let mut position = Position::new(self.rule, game.size);
        self.counts.start(&position);
        for &point in &game.opening {
            self.play(&mut position, point)?;
        }
        let strays = |ply: &Ply| ply.sampled && ply.played != ply.best;
        let last_strayed = game.plies.iter().rposition(strays);
        for (index, ply) in game.plies.iter().enumerate() {
            let outlook = outlook(&mut position);
            let decided = ply.score.abs() > SCORE_LIMIT;
            if outlook == Outlook::Open && !decided {
                self.add_value(&position, game.winner, ply.score, &mut samples.values);
                let fair = last_strayed.is_none_or(|last| last < index);
                samples.values.fair.push(fair);
            }
            // Those who won have more to teach.
            if game.winner == Some(position.side()) {
                self.add_moves(&mut position, outlook, ply.best, &mut samples.moves);
            }
            self.play(&mut position, ply.played)?;
        }
        samples.games += 1;
        Ok(())
    }

    fn play(&mut self, position: &mut Position, point: Point) -> Result<()> {
        ensure!(
            position.is_empty(point),
            "move {}: {point} is taken",
            position.ply() + 1
        );
        position.play(point);
        for change in position.last_changes() {
            self.counts.add(&change.old, -1);
            self.counts.add(&change.new, 1);
        }
        Ok(())
    }

    fn add_value(
        &self,
        position: &Position,
        winner: Option<Color>,
        score: i16,
        samples: &mut ValueSamples,
    ) {
        let side = position.side();
        self.counts
            .features(self.layout, side, &mut samples.features);
        samples.ends.push(samples.features.len() as u32);
        samples.sides.push(side);
        samples.threats.push(threat_set(position) as u16);
        let stones = position.size().points() - position.empty_points();
        samples.stones.push(stones as u16);
        samples.scores.push(score);
        samples.results.push(match winner {
            Some(color) if color == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        });
    }

    fn add_moves(
        &self,
        position: &mut Position,
        outlook: Outlook,
        best: Point,
        samples: &mut MoveSamples,
    ) {
        let points = match outlook {
            Outlook::Open => candidates(position),
            Outlook::Threatened => {
                let fours = position.fours(position.side()).collect();
                answers(position).union(&fours).iter().collect()
            }
            _ => return,
        };
        if points.len() < 2 || !points.contains(&best) {
            return;
        }
        let side = position.side();
        let last = [1, 2].map(|back| position.recent(back));
        let mut push = |point| {
            let layout = self.layout;
            let standing = position.standing(point);
            let [own, theirs] = [side, side.opponent()].map(|color| standing.codes[color.index()]);
            let near = |whose| layout.near(side, whose, place(last[whose], point));
            let slots = [
                layout.attack(side, own),
                layout.defence(side.opponent(), theirs),
                layout.both(side, standing.pair_of(side)),
                near(0),
                near(1),
            ];
            samples.moves.push(slots.map(|slot| slot as u16));
        };
        push(best);
        points.into_iter().filter(|&p| p != best).for_each(push);
        samples.ends.push(samples.moves.len() as u32);
    }
}

impl Counts {
    fn start(&mut self, position: &Position) {
        for counts in self.codes.iter_mut().chain(&mut self.pairs) {
            counts.fill(0);
        }
        for point in position.size().iter() {
            self.add(&position.standing(point), 1);
        }
    }

    /// There is one more, or less, of what the point is.
    #[inline]
    fn add(&mut self, standing: &Standing, times: i16) {
        for color in Color::ALL {
            let index = color.index();
            self.codes[index][standing.codes[index].index()] += times;
            self.pairs[index][standing.pair_of(color).index()] += times;
        }
    }

    /// What is on the board for `side` to move, with the number of times. The code
    /// of nothing at all is worth nothing by definition, and so is a pair with one.
    fn features(&self, layout: Layout, side: Color, features: &mut Vec<(u16, i16)>) {
        let mut push = |row: usize, times: i16| {
            if times != 0 {
                features.push((row as u16, times));
            }
        };
        let sides = [(side, 0), (side.opponent(), layout.rows())];
        for code in Code::all().skip(1) {
            for (color, first) in sides {
                let times = self.codes[color.index()][code.index()];
                push(first + layout.code_row(color, code), times);
            }
        }
        for pair in Pair::telling() {
            for (color, first) in sides {
                let times = self.pairs[color.index()][pair.index()];
                push(first + layout.pair_row(color, pair), times);
            }
        }
    }
}
