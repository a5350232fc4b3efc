//! The solver as a program embeds it: a position and limits in, a proof out.

use super::forced_win::{ForcedWin, WinKind};
use super::limits::{NodeCounter, SolverLimits};
use super::vcf::{Vcf, VcfResult};
use super::vct::Vct;
use crate::position::Position;
use crate::rules::Point;

/// The result of a call to the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The win, or the proof that there is none.
    pub win: ForcedWin,
    /// Moves tried.
    pub nodes: u64,
}

/// The legal moves of the side to move, by whether the opponent wins after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defence {
    /// Moves after which the opponent has no win of the kind, or the game is won.
    pub holds: Vec<Point>,
    /// Moves after which the opponent wins.
    pub loses: Vec<Point>,
    /// Moves that the limit left open.
    pub unknown: Vec<Point>,
    /// The longest resistance among the moves in `loses`: the move, and the win against
    /// it with the replies that hold out longest. Empty if no move loses. Wins by
    /// threes need not be the shortest.
    pub longest: Vec<Point>,
    /// Moves tried.
    pub nodes: u64,
}

/// The nodes of the first turn of each kind of search.
const FIRST_SHARE: u64 = 100_000;

/// Finds forced wins and proves them.
///
/// What it learns in one call helps later ones, also of other rules and boards.
///
/// ```
/// use quincunx_engine::position::Position;
/// use quincunx_engine::rules::{BoardSize, Rule};
/// use quincunx_engine::threats::{WinKind, SolverLimits, Solver, ForcedWin};
///
/// // Black, to move, has two stones in a row and two in a column.
/// let position = Position::from_moves(
///     Rule::Freestyle,
///     BoardSize::default(),
///     "h8a1i8c15k5o15k6o1",
/// )?;
/// let mut solver = Solver::new(16 << 20);
/// let limits = SolverLimits {
///     nodes: 100_000,
///     ..SolverLimits::default() // or `stop`, a look at a clock
/// };
/// match solver.solve(&position, WinKind::Any, limits).win {
///     ForcedWin::Proven(proof) => {
///         let line: String = proof.line().iter().map(|point| point.to_string()).collect();
///         println!("black wins in {} plies: {line}", proof.plies());
///         for reply in proof.replies() {
///             println!("{} is met by {}", reply.point, reply.refutation.point());
///         }
///         // Any other reply loses to this.
///         assert_eq!(proof.otherwise().len() % 2, 1);
///     }
///     ForcedWin::None => println!("black can't force a win by threats"),
///     ForcedWin::Unknown => println!("too hard for so few nodes"),
/// }
/// # Ok::<(), quincunx_engine::position::notation::MovesError>(())
/// ```
pub struct Solver {
    vcf: Vcf,
    vct: Vct,
}

impl Solver {
    /// A solver that uses about this many bytes of memory.
    pub fn new(bytes: usize) -> Solver {
        Solver {
            // A graph grows with the work; the cache for fours may forget.
            vcf: Vcf::new(bytes / 4),
            vct: Vct::new(bytes / 4 * 3),
        }
    }

    /// Forgets what earlier calls found, so that a call takes the same number of
    /// nodes whatever came before.
    pub fn clear(&mut self) {
        self.vcf.clear();
    }

    /// Looks for a win of the side to move.
    pub fn solve(&mut self, position: &Position, kind: WinKind, limits: SolverLimits) -> Solution {
        self.solve_here(&mut position.clone(), kind, limits)
    }

    /// Looks for a win on the position itself, which is changed and restored.
    fn solve_here(
        &mut self,
        position: &mut Position,
        kind: WinKind,
        limits: SolverLimits,
    ) -> Solution {
        let mut counter = NodeCounter::new(limits);
        let win = match kind {
            WinKind::Vcf => self.solve_vcf(position, &mut counter),
            WinKind::Vct => self.solve_vct(position, &mut counter),
            WinKind::Any => self.solve_any(position, &mut counter),
        };
        Solution {
            win,
            nodes: counter.used(),
        }
    }

    /// Finds out for every legal move of the side to move whether the opponent
    /// wins after it. The nodes that are left are shared out evenly among the
    /// moves that are left.
    pub fn defend(&mut self, position: &Position, kind: WinKind, limits: SolverLimits) -> Defence {
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
            let win = if position.won() {
                ForcedWin::None
            } else {
                let share = SolverLimits {
                    nodes: left / (legal.len() - i) as u64,
                    stop: &mut *limits.stop,
                };
                let solution = self.solve_here(&mut position, kind, share);
                defence.nodes += solution.nodes;
                solution.win
            };
            position.undo();
            match win {
                ForcedWin::None => defence.holds.push(point),
                ForcedWin::Proven(proof) => {
                    defence.loses.push(point);
                    if proof.plies() >= defence.longest.len() {
                        defence.longest = [point].into_iter().chain(proof.line()).collect();
                    }
                }
                ForcedWin::Unknown => defence.unknown.push(point),
            }
        }
        defence
    }

    fn solve_vcf(&mut self, position: &mut Position, counter: &mut NodeCounter) -> ForcedWin {
        match self.vcf.solve(position, counter) {
            VcfResult::Win(fours) => self
                .vcf
                .proof(position, fours, counter)
                .map_or(ForcedWin::Unknown, ForcedWin::Proven),
            VcfResult::None => ForcedWin::None,
            VcfResult::Unknown => ForcedWin::Unknown,
        }
    }

    /// Searches for fours and for threes by turns, each time with ten times the
    /// nodes: neither keeps the other from a win that is easy to find.
    fn solve_any(&mut self, position: &mut Position, counter: &mut NodeCounter) -> ForcedWin {
        let mut share = FIRST_SHARE;
        let (mut vcf_open, mut vct_open) = (true, true);
        while vcf_open || vct_open {
            // Alone, one may go on to the end.
            let nodes = if vct_open { share } else { u64::MAX };
            let cap = counter.cap(nodes);
            if vcf_open {
                match self.solve_vcf(position, counter) {
                    ForcedWin::Unknown => vcf_open = nodes != u64::MAX,
                    ForcedWin::None => vcf_open = false,
                    win => return win,
                }
            }
            counter.restore(cap);
            let nodes = if vcf_open { share } else { u64::MAX };
            let cap = counter.cap(nodes);
            if vct_open {
                match self.vct.solve(position, &mut self.vcf, counter) {
                    ForcedWin::Unknown => {
                        vct_open = nodes != u64::MAX && !self.vct.is_full();
                    }
                    settled => return settled,
                }
            }
            counter.restore(cap);
            if counter.is_spent() {
                break;
            }
            share = share.saturating_mul(10);
        }
        ForcedWin::Unknown
    }

    /// Searches for threes, after a short search for fours.
    fn solve_vct(&mut self, position: &mut Position, counter: &mut NodeCounter) -> ForcedWin {
        let cap = counter.cap(FIRST_SHARE / 10);
        let win = self.solve_vcf(position, counter);
        counter.restore(cap);
        match win {
            ForcedWin::Proven(_) => win,
            _ => self.vct.solve(position, &mut self.vcf, counter),
        }
    }
}
