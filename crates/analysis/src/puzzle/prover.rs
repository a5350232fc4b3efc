//! Proofs about moves that are to win by continuous threats, and the replies to them.

use super::PuzzleKind;
use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind, defences};

/// The best reply to a move that is to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// After this reply the solver shows that there is no such win, or the reply wins.
    /// [`Point::NONE`] stands for any reply to a move that threatens nothing.
    Holds(Point),
    /// Every reply loses, by proof. This one holds out longest. [`Point::NONE`] if no reply
    /// prevents the five.
    Loses(Point),
    /// Neither could be shown.
    Unknown,
}

/// A solver with limits.
pub(super) struct Prover {
    solver: Solver,
    /// The nodes of the solver for each proof.
    nodes: u64,
    /// The nodes that are left for all proofs until [`Prover::begin`].
    left: u64,
}

impl Prover {
    /// Creates a prover whose solver has this many bytes of memory.
    pub(super) fn new(bytes: usize, nodes: u64) -> Prover {
        Prover {
            solver: Solver::new(bytes),
            nodes,
            left: u64::MAX,
        }
    }

    /// Sets the number of nodes for all following proofs.
    pub(super) fn begin(&mut self, nodes: u64) {
        self.left = nodes;
    }

    /// Forgets all positions.
    pub(super) fn clear(&mut self) {
        self.solver.clear();
    }

    /// The forced win of the side to move.
    pub(super) fn win(&mut self, position: &Position, means: WinKind) -> ForcedWin {
        let limits = SolverLimits {
            nodes: self.nodes.min(self.left),
            stop: &mut || false,
        };
        let solution = self.solver.solve(position, means, limits);
        self.left = self.left.saturating_sub(solution.nodes);
        solution.win
    }

    /// The best reply of the side to move to the last move, which is to win a puzzle of this
    /// kind.
    pub(super) fn reply(&mut self, position: &mut Position, kind: PuzzleKind) -> Reply {
        let (side, attacker) = (position.side(), position.side().opponent());
        if let Some(five) = position.fives(side).next() {
            return Reply::Holds(five);
        }
        let counts = position.counts(attacker);
        let (means, threatens) = match kind {
            PuzzleKind::Vcf => (WinKind::Vcf, counts.any(Class::Five)),
            _ => (WinKind::Any, counts.any_from(Class::OpenFour)),
        };
        if !threatens {
            return Reply::Holds(Point::NONE);
        }
        let mut last = (0, Point::NONE);
        let mut is_known = true;
        for reply in defences(position).iter() {
            if !position.is_legal(reply) {
                continue;
            }
            position.play(reply);
            let win = match position.won() {
                true => ForcedWin::None,
                false => self.win(position, means),
            };
            position.undo();
            match win {
                ForcedWin::None => return Reply::Holds(reply),
                ForcedWin::Unknown => is_known = false,
                ForcedWin::Proven(proof) => last = last.max((proof.plies(), reply)),
            }
        }
        match is_known {
            true => Reply::Loses(last.1),
            false => Reply::Unknown,
        }
    }

    /// A reply of the side to move that holds against a move that threatens no open four. Any
    /// reply does if the move does not threaten to win by fours. Otherwise the reply is in the
    /// way of the fours. `None` if no reply could be shown to hold.
    pub(super) fn reply_to_fours(&mut self, position: &mut Position) -> Option<Point> {
        let mut passed = position.clone();
        passed.set_side(position.side().opponent());
        let way = match self.win(&passed, WinKind::Vcf) {
            ForcedWin::Proven(proof) => proof.line(),
            ForcedWin::None => return Some(Point::NONE),
            ForcedWin::Unknown => return None,
        };
        way.into_iter().find(|&reply| {
            if reply == Point::NONE || !position.is_legal(reply) {
                return false;
            }
            position.play(reply);
            let holds = position.won() || self.win(position, WinKind::Any) == ForcedWin::None;
            position.undo();
            holds
        })
    }

    /// Returns true if the last move, which threatens no open four, wins by fours after every reply.
    pub(super) fn wins_after_all(&mut self, position: &mut Position) -> bool {
        let mut passed = position.clone();
        passed.set_side(position.side().opponent());
        let ForcedWin::Proven(proof) = self.win(&passed, WinKind::Vcf) else {
            return false;
        };
        // What stands in the way of these fours refutes most moves.
        let mut replies = proof.line().into_iter().chain(position.size().iter());
        replies.all(|reply| {
            if reply == Point::NONE || !position.is_legal(reply) {
                return true;
            }
            position.play(reply);
            let win = match position.won() {
                true => ForcedWin::None,
                false => self.win(position, WinKind::Vcf),
            };
            position.undo();
            matches!(win, ForcedWin::Proven(_))
        })
    }
}
