//! Finds the positions of a game that are puzzles.

use super::prover::{Prover, Reply};
use super::{Puzzle, PuzzleKind};
use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_engine::threats::{ForcedWin, Proof, WinKind};

/// The memory of the solver, in bytes. It is cleared before every game.
const SOLVER_BYTES: usize = 8 << 20;

/// The properties that a puzzle must have, and the limits of the proof that it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleLimits {
    /// The kinds that are wanted.
    pub kinds: Vec<PuzzleKind>,
    /// The fewest plies of the win, including the five.
    pub least_plies: usize,
    /// The nodes of the solver for a win, and to show that there is none after a move.
    pub nodes: u64,
}

impl Default for PuzzleLimits {
    fn default() -> PuzzleLimits {
        PuzzleLimits {
            kinds: PuzzleKind::ALL.to_vec(),
            least_plies: 5,
            nodes: 20_000,
        }
    }
}

/// Looks for puzzles in games.
pub struct PuzzleFinder {
    prover: Prover,
    limits: PuzzleLimits,
}

impl PuzzleFinder {
    /// Creates a finder with these limits. The same games always have the same puzzles.
    pub fn new(limits: PuzzleLimits) -> PuzzleFinder {
        PuzzleFinder {
            prover: Prover::new(SOLVER_BYTES, limits.nodes),
            limits,
        }
    }

    /// The puzzles of the game that led to a position, in the order of the game. Its first
    /// `set_up` moves are set-up stones. After a puzzle as many plies of the game are skipped as
    /// its solution has. A game that ends where the solver sees a win is played out along the
    /// proof, because a win whose first moves can be interchanged may have a unique move later.
    pub fn of_game(&mut self, end: &Position, set_up: usize) -> Vec<Puzzle> {
        self.prover.clear();
        let mut puzzles = Vec::new();
        let mut position = Position::new(end.rule(), end.size());
        let mut next = 0;
        for (number, (color, point)) in end.moves().enumerate() {
            if position.won() {
                return puzzles;
            }
            if number < set_up {
                position.place(color, point);
                continue;
            }
            give_turn(&mut position, color);
            if position.ply() >= next
                && let Some(puzzle) = self.of_position(&position)
            {
                next = position.ply() + puzzle.line.len();
                puzzles.push(puzzle);
            }
            match point {
                Point::NONE => position.pass(),
                point => position.play(point),
            }
        }
        if !position.won() {
            give_turn(&mut position, end.side());
            if position.ply() >= next {
                puzzles.extend(self.played_out(position));
            }
        }
        puzzles
    }

    /// The first puzzle along the winning line of a position.
    fn played_out(&mut self, mut position: Position) -> Option<Puzzle> {
        let puzzle = self.of_position(&position);
        if puzzle.is_some() {
            return puzzle;
        }
        let mut win = self.prover.win(&position, WinKind::Vcf);
        if win == ForcedWin::None {
            win = self.prover.win(&position, WinKind::Any);
        }
        let ForcedWin::Proven(proof) = win else {
            return None;
        };
        for moves in proof.line().chunks_exact(2) {
            // After a reply that prevents nothing any other would do as well.
            let &[own, reply] = moves else { break };
            if reply == Point::NONE {
                break;
            }
            position.play(own);
            position.play(reply);
            let puzzle = self.of_position(&position);
            if puzzle.is_some() {
                return puzzle;
            }
        }
        None
    }

    /// The puzzle of a position, if it is one.
    pub fn of_position(&mut self, position: &Position) -> Option<Puzzle> {
        let wants = |kind| self.limits.kinds.contains(&kind);
        let (fours, threes, defence) = (
            wants(PuzzleKind::Vcf),
            wants(PuzzleKind::Vct),
            wants(PuzzleKind::Defence),
        );
        match self.prover.win(position, WinKind::Vcf) {
            ForcedWin::Proven(proof) if fours => {
                return self.unique_win(position, PuzzleKind::Vcf, &proof);
            }
            ForcedWin::None => {}
            ForcedWin::Proven(_) | ForcedWin::Unknown => return None,
        }
        if !threes && !defence {
            return None;
        }
        match self.prover.win(position, WinKind::Any) {
            ForcedWin::Proven(proof) if threes => {
                self.unique_win(position, PuzzleKind::Vct, &proof)
            }
            ForcedWin::None if defence => self.unique_defence(position),
            _ => None,
        }
    }

    /// The puzzle of a win, if every other first move is shown not to win by the same means.
    fn unique_win(
        &mut self,
        position: &Position,
        kind: PuzzleKind,
        proof: &Proof,
    ) -> Option<Puzzle> {
        if proof.plies() < self.limits.least_plies {
            return None;
        }
        let mut after = position.clone();
        for point in position.size().iter() {
            if point == proof.point() || !after.is_legal(point) {
                continue;
            }
            after.play(point);
            let refuted =
                !after.won() && matches!(self.prover.reply(&mut after, kind), Reply::Holds(_));
            after.undo();
            if !refuted {
                return None;
            }
        }
        Some(Puzzle {
            position: position.clone(),
            kind,
            line: proof.line(),
            width: proof.moves(),
        })
    }

    /// The puzzle of a defence: the opponent would win by fours after a pass, and has no
    /// forced win after exactly one move. If a five has to be stopped there is no puzzle,
    /// because that would be too easy.
    fn unique_defence(&mut self, position: &Position) -> Option<Puzzle> {
        let opponent = position.side().opponent();
        if position.counts(opponent).any(Class::Five) {
            return None;
        }
        let mut passed = position.clone();
        passed.set_side(opponent);
        let ForcedWin::Proven(threat) = self.prover.win(&passed, WinKind::Vcf) else {
            return None;
        };
        if threat.plies() < self.limits.least_plies {
            return None;
        }
        // What holds is most often on the way of the threat: a second one is found early.
        let way = threat.line().into_iter().filter(|&it| it != Point::NONE);
        let mut points: Vec<Point> = way.collect();
        points.extend(position.size().iter());
        let mut seen = PointSet::EMPTY;
        let mut after = position.clone();
        let mut answer = None;
        for point in points {
            if seen.has(point) || !after.is_legal(point) {
                continue;
            }
            seen.insert(point);
            after.play(point);
            let win = match after.won() {
                true => ForcedWin::None,
                false => self.prover.win(&after, WinKind::Any),
            };
            after.undo();
            match win {
                ForcedWin::Proven(_) => {}
                ForcedWin::None if answer.is_none() => answer = Some(point),
                _ => return None,
            }
        }
        let line = answer.into_iter().chain(threat.line()).collect();
        answer.map(|_| Puzzle {
            position: position.clone(),
            kind: PuzzleKind::Defence,
            line,
            width: threat.moves(),
        })
    }
}

/// Gives a colour the move by a pass, because the text of a puzzle has no side to move.
fn give_turn(position: &mut Position, color: Color) {
    if position.side() != color {
        position.pass();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};
    use quincunx_engine::threats::{Solver, SolverLimits};

    fn puzzle(moves: &str, least_plies: usize) -> Option<Puzzle> {
        let size = BoardSize::square(11).unwrap();
        let position = Position::from_moves(Rule::Freestyle, size, moves).unwrap();
        let limits = PuzzleLimits {
            least_plies,
            ..PuzzleLimits::default()
        };
        PuzzleFinder::new(limits).of_position(&position)
    }

    /// Black has a closed three in a row and an open two in a column: the four at the
    /// crossing makes an open three as well, and the other four gives it away.
    #[test]
    fn a_win_by_the_only_four_is_a_puzzle() {
        let found = puzzle("e5d5f5a1g5a11h6k11h7k1", 5).unwrap();
        assert_eq!(found.kind, PuzzleKind::Vcf);
        assert_eq!(found.answer().to_string(), "h5");
        let longer = puzzle("e5d5f5a1g5a11h6k11h7k1", 7);
        assert!(longer.is_none(), "it is too short");
    }

    /// Self-play stops where a win is proved. Here two fours can come first, and the win is
    /// unique after one of them.
    #[test]
    fn a_game_is_played_out_where_a_win_is_seen() {
        let mut finder = PuzzleFinder::new(PuzzleLimits {
            kinds: vec![PuzzleKind::Vcf],
            ..PuzzleLimits::default()
        });
        let line = "15 freestyle e6c8b9d5d6d7e8e5e9d9f6g6b6c6";
        let end = Position::from_line(line).unwrap();
        assert!(finder.of_position(&end).is_none());
        let found = finder.of_game(&end, 0);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].position.ply(), end.ply() + 2);
        assert_eq!(found[0].answer().to_string(), "e7");
        let before = Position::from_line("15 freestyle e6c8b9d5d6d7e8e5").unwrap();
        assert!(finder.of_game(&before, 0).is_empty());
    }

    /// Nothing was found where stones were set up, for they are no moves in turn.
    #[test]
    fn a_game_may_begin_with_stones() {
        let mut finder = PuzzleFinder::new(PuzzleLimits {
            kinds: vec![PuzzleKind::Vcf],
            ..PuzzleLimits::default()
        });
        let size = BoardSize::square(11).unwrap();
        let mut end = Position::new(Rule::Freestyle, size);
        // Those of `a_win_by_the_only_four_is_a_puzzle`, but for a white one.
        let stones = [
            (Color::White, "d5 a1 a11 k11"),
            (Color::Black, "e5 f5 g5 h6 h7"),
        ];
        for (color, points) in stones {
            for point in points.split(' ') {
                end.place(color, point.parse().unwrap());
            }
        }
        let (set_up, last) = (end.ply(), "k1".parse().unwrap());
        let mut answers = |end: &Position| -> Vec<String> {
            let found = finder.of_game(end, set_up);
            let answer = |puzzle: Puzzle| {
                let read: Puzzle = puzzle.to_string().parse().unwrap();
                assert_eq!(read.key(), puzzle.key());
                assert_eq!(read.position.side(), Color::Black);
                read.answer().to_string()
            };
            found.into_iter().map(answer).collect()
        };
        let mut played = end.clone();
        played.play(last);
        assert_eq!(answers(&played), ["h5"]);
        // The diagram alone, with black to move.
        end.set_side(Color::Black);
        assert_eq!(answers(&end), ["h5"]);
    }

    /// An open three can be carried on at both ends.
    #[test]
    fn a_win_by_either_of_two_moves_is_none() {
        assert!(puzzle("e5a1f5a11g5k11", 3).is_none());
    }

    /// The same threat with white to move: everything but a stone at the crossing, or on the
    /// way of the four, loses; so there are several that hold, or one.
    #[test]
    fn the_only_defence_is_the_only_one() {
        let size = BoardSize::square(11).unwrap();
        let moves = "e5d5f5a1g5a11h6k11h7k1k2";
        let position = Position::from_moves(Rule::Freestyle, size, moves).unwrap();
        let limits = SolverLimits {
            nodes: 1_000_000,
            stop: &mut || false,
        };
        let defence = Solver::new(1 << 20).defend(&position, WinKind::Any, limits);
        let found = puzzle(moves, 5);
        assert!(defence.unknown.is_empty());
        assert_eq!(found.is_some(), defence.holds.len() == 1, "{defence:?}");
    }
}
