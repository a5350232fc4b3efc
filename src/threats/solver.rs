//! The solver as a program embeds it: a position and limits in, a proof out.

use super::fours::{Found, Fours};
use super::meter::{Limits, Meter};
use super::proof::Proof;
use super::threes::Threes;
use crate::position::Position;
use crate::rules::Point;

/// Which wins to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// By continuous fours, the shortest.
    Vcf,
    /// By continuous threes and fours: each move is a four, or would win by
    /// fours were the opponent to pass.
    Vct,
    /// By continuous fours if there is such a win (the shortest), else by
    /// threes and fours.
    #[default]
    Any,
}

/// What is certain about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins, and this is how.
    Win(Proof),
    /// There is no win of the kind: nothing is left to try. There may be one
    /// of another kind, with a quiet move in it.
    None,
    /// The limit came first.
    Unknown,
}

/// What a call to the solver has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What is certain now.
    pub verdict: Verdict,
    /// How many moves were tried.
    pub nodes: u64,
}

/// The moves of the side to move, by what they do about the opponent's wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defence {
    /// After these the opponent has no win of the kind (or the game is won).
    pub holds: Vec<Point>,
    /// After these the opponent wins.
    pub loses: Vec<Point>,
    /// Moves left open by the limit.
    pub unknown: Vec<Point>,
    /// How many moves were tried.
    pub nodes: u64,
}

/// The nodes that each way to win has before the other one's turn.
const FIRST_SHARE: u64 = 100_000;

/// Finds forced wins and proves them.
///
/// It keeps what it has learnt from one call to the next; positions of
/// different rules and boards do not get in each other's way.
///
/// ```
/// use quincunx::position::Position;
/// use quincunx::rules::{BoardSize, Rule};
/// use quincunx::threats::{Kind, Limits, Solver, Verdict};
///
/// // Black, to move, has two stones in a row and two in a column.
/// let position = Position::from_moves(
///     Rule::Freestyle,
///     BoardSize::default(),
///     "h8a1i8c15k5o15k6o1",
/// )?;
/// let mut solver = Solver::new(16 << 20);
/// let limits = Limits {
///     nodes: 100_000,
///     stop: &mut || false, // or a look at a clock
/// };
/// match solver.solve(&position, Kind::Any, limits).verdict {
///     Verdict::Win(proof) => {
///         let line: String = proof.line().iter().map(|point| point.to_string()).collect();
///         println!("black wins in {} plies: {line}", proof.plies());
///         for reply in proof.replies() {
///             println!("{} is met by {}", reply.point, reply.refutation.point());
///         }
///         // Any other reply loses to this.
///         assert_eq!(proof.otherwise().len() % 2, 1);
///     }
///     Verdict::None => println!("black can't force a win by threats"),
///     Verdict::Unknown => println!("too hard for so few nodes"),
/// }
/// # Ok::<(), quincunx::position::ParsePositionError>(())
/// ```
pub struct Solver {
    fours: Fours,
    threes: Threes,
}

impl Solver {
    /// A solver that uses about so many bytes of memory.
    pub fn new(bytes: usize) -> Solver {
        Solver {
            // A graph grows with the work; the cache for fours may forget.
            fours: Fours::new(bytes / 4),
            threes: Threes::new(bytes / 4 * 3),
        }
    }

    /// Forgets what earlier calls have taught, so that a call takes the same
    /// number of nodes whatever came before.
    pub fn clear(&mut self) {
        self.fours.clear();
    }

    /// Looks for a win of the side to move.
    pub fn solve(&mut self, position: &Position, kind: Kind, limits: Limits) -> Solution {
        self.solve_here(&mut position.clone(), kind, limits)
    }

    /// The same on the position itself, which is changed and restored: for
    /// callers with no time to copy one. Once the solver's own memory has
    /// grown, only the proof of a win is allocated.
    pub fn solve_here(&mut self, position: &mut Position, kind: Kind, limits: Limits) -> Solution {
        let mut meter = Meter::new(limits);
        let verdict = match kind {
            Kind::Vcf => self.solve_fours(position, &mut meter),
            Kind::Vct => self.solve_threes(position, &mut meter),
            Kind::Any => self.solve_any(position, &mut meter),
        };
        Solution {
            verdict,
            nodes: meter.used(),
        }
    }

    /// Says of every legal move of the side to move whether the opponent wins
    /// after it. What is left of the nodes is shared out evenly among the
    /// moves that are left.
    pub fn defend(&mut self, position: &Position, kind: Kind, limits: Limits) -> Defence {
        let mut position = position.clone();
        let points: Vec<Point> = position.size().iter().collect();
        let legal: Vec<Point> = points
            .into_iter()
            .filter(|&point| position.is_legal(point))
            .collect();
        let mut defence = Defence::default();
        for (i, &point) in legal.iter().enumerate() {
            position.play(point);
            let left = limits.nodes.saturating_sub(defence.nodes);
            let verdict = if position.won() {
                Verdict::None
            } else {
                let share = Limits {
                    nodes: left / (legal.len() - i) as u64,
                    stop: &mut *limits.stop,
                };
                let solution = self.solve(&position, kind, share);
                defence.nodes += solution.nodes;
                solution.verdict
            };
            position.undo();
            match verdict {
                Verdict::None => defence.holds.push(point),
                Verdict::Win(_) => defence.loses.push(point),
                Verdict::Unknown => defence.unknown.push(point),
            }
        }
        defence
    }

    fn solve_fours(&mut self, position: &mut Position, meter: &mut Meter) -> Verdict {
        match self.fours.solve(position, meter) {
            Found::Win(fours) => self
                .fours
                .proof(position, fours, meter)
                .map_or(Verdict::Unknown, Verdict::Win),
            Found::None => Verdict::None,
            Found::Unknown => Verdict::Unknown,
        }
    }

    /// Fours and threes by turns, each with ten times the nodes of the time
    /// before: neither can keep the other from a win that is easy to find.
    fn solve_any(&mut self, position: &mut Position, meter: &mut Meter) -> Verdict {
        let mut share = FIRST_SHARE;
        let (mut fours_open, mut threes_open) = (true, true);
        while fours_open || threes_open {
            // Alone, one may go on to the end.
            let nodes = if threes_open { share } else { u64::MAX };
            let cap = meter.cap(nodes);
            if fours_open {
                match self.solve_fours(position, meter) {
                    Verdict::Unknown => fours_open = nodes != u64::MAX,
                    Verdict::None => fours_open = false,
                    win => return win,
                }
            }
            meter.restore(cap);
            let nodes = if fours_open { share } else { u64::MAX };
            let cap = meter.cap(nodes);
            if threes_open {
                match self.threes.solve(position, &mut self.fours, meter) {
                    Verdict::Unknown => {
                        threes_open = nodes != u64::MAX && !self.threes.is_full();
                    }
                    settled => return settled,
                }
            }
            meter.restore(cap);
            if meter.is_spent() {
                break;
            }
            share = share.saturating_mul(10);
        }
        Verdict::Unknown
    }

    /// A win by fours that is easy to find is taken first.
    fn solve_threes(&mut self, position: &mut Position, meter: &mut Meter) -> Verdict {
        let cap = meter.cap(FIRST_SHARE / 10);
        let verdict = self.solve_fours(position, meter);
        meter.restore(cap);
        match verdict {
            Verdict::Win(_) => verdict,
            _ => self.threes.solve(position, &mut self.fours, meter),
        }
    }
}
