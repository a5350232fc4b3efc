//! A puzzle that a person plays out against the best defence.

use super::prover::{Prover, Reply};
use super::{Puzzle, PuzzleKind};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, WinKind};

/// The memory of the solver, in bytes.
const SOLVER_BYTES: usize = 1 << 20;
/// The nodes of the solver for the proof of a reply.
const NODES: u64 = 20_000;
/// The nodes for everything that a move or a hint takes. They are few, because a server has
/// other visitors.
const MOST: u64 = 100_000;

/// The verdict on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The puzzle is solved.
    Solved,
    /// The move is right. The defence has played this point, or passed if no reply prevents
    /// the five ([`Point::NONE`]).
    Right(Point),
    /// The move does not win, or does not hold, and is taken back. This reply refutes it.
    /// [`Point::NONE`] means that every reply does.
    Wrong(Point),
    /// In a puzzle won by fours, the move also wins, but by threes or slowly. It is undone, but is
    /// not a mistake.
    Slow,
    /// The solver finds no result within its limits, and the move is undone.
    Unknown,
    /// The move can't be played.
    Illegal,
}

/// A puzzle that is being played out.
pub struct Attempt {
    puzzle: Puzzle,
    position: Position,
    prover: Prover,
    solved: bool,
}

impl Attempt {
    /// Starts a puzzle.
    pub fn new(puzzle: Puzzle) -> Attempt {
        Attempt {
            position: puzzle.position.clone(),
            puzzle,
            prover: Prover::new(SOLVER_BYTES, NODES),
            solved: false,
        }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The position after all right moves and the replies to them.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns true if the puzzle is solved.
    pub fn is_solved(&self) -> bool {
        self.solved
    }

    /// Plays a move of the solving side.
    pub fn play(&mut self, point: Point) -> Verdict {
        let can_be_played = point != Point::NONE
            && self.position.size().has(point)
            && self.position.is_legal(point);
        if self.solved || !can_be_played {
            return Verdict::Illegal;
        }
        let verdict = match self.puzzle.kind {
            PuzzleKind::Defence => self.hold(point),
            kind => self.attack(point, kind),
        };
        self.solved = verdict == Verdict::Solved;
        verdict
    }

    fn attack(&mut self, point: Point, kind: PuzzleKind) -> Verdict {
        let way = self.way();
        self.position.play(point);
        if self.position.won() {
            return Verdict::Solved;
        }
        let reply = match way[..] {
            // A proof has this move, and the reply that holds out longest.
            [first, reply, ..] if first == point => Reply::Loses(reply),
            _ => self.prover.reply(&mut self.position, kind),
        };
        let verdict = match reply {
            Reply::Loses(reply) => {
                match reply {
                    Point::NONE => self.position.pass(),
                    reply => self.position.play(reply),
                }
                return Verdict::Right(reply);
            }
            Reply::Unknown => Verdict::Unknown,
            Reply::Holds(reply) if kind == PuzzleKind::Vcf => {
                match self.prover.reply(&mut self.position, PuzzleKind::Vct) {
                    Reply::Loses(_) => Verdict::Slow,
                    Reply::Unknown => Verdict::Unknown,
                    Reply::Holds(Point::NONE) if self.prover.wins_after_all(&mut self.position) => {
                        Verdict::Slow
                    }
                    Reply::Holds(_) => Verdict::Wrong(reply),
                }
            }
            // It may threaten to win by fours, which is as good as a three.
            Reply::Holds(Point::NONE) if kind == PuzzleKind::Vct => {
                match self.prover.reply_to_fours(&mut self.position) {
                    Some(reply) => Verdict::Wrong(reply),
                    None => Verdict::Unknown,
                }
            }
            Reply::Holds(reply) => Verdict::Wrong(reply),
        };
        self.position.undo();
        verdict
    }

    fn hold(&mut self, point: Point) -> Verdict {
        self.prover.begin(MOST);
        self.position.play(point);
        if self.position.won() || point == self.puzzle.answer() {
            return Verdict::Solved;
        }
        let win = self.prover.win(&self.position, WinKind::Any);
        self.position.undo();
        match win {
            ForcedWin::Proven(proof) => Verdict::Wrong(proof.point()),
            ForcedWin::None | ForcedWin::Unknown => Verdict::Unknown,
        }
    }

    /// The right move: that of the puzzle at its start, later the solver's.
    pub fn hint(&mut self) -> Option<Point> {
        self.way().first().copied()
    }

    /// The number of moves that the solving side still needs against the longest defence.
    pub fn moves_left(&mut self) -> usize {
        match self.puzzle.kind {
            PuzzleKind::Defence => usize::from(!self.solved),
            _ => self.way().len().div_ceil(2),
        }
    }

    /// The rest of the solution, by the longest line.
    fn way(&mut self) -> Vec<Point> {
        if self.solved {
            return Vec::new();
        }
        self.prover.begin(MOST);
        let mut line = self.puzzle.line.iter().copied();
        let mut played = self.position.moves().skip(self.puzzle.position.ply());
        if played.all(|(_, point)| line.next() == Some(point)) {
            return line.collect();
        }
        let means = match self.puzzle.kind {
            PuzzleKind::Vcf => WinKind::Vcf,
            _ => WinKind::Any,
        };
        match self.prover.win(&self.position, means) {
            ForcedWin::Proven(proof) => proof.line(),
            ForcedWin::None | ForcedWin::Unknown => Vec::new(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::puzzle::{SETS, THREES};
    use quincunx_records::text;

    fn puzzles() -> impl Iterator<Item = Puzzle> {
        let lines = SETS.into_iter().flat_map(|(_, text)| text.lines());
        let lines = lines.filter(|line| !line.starts_with('#'));
        lines.step_by(61).map(|line| line.parse().unwrap())
    }

    /// The longest line of the proof is accepted, and so is what the solver plays against the
    /// best defence, in no more moves than the proof has.
    #[test]
    fn puzzles_are_solved_by_their_hints() {
        for puzzle in puzzles() {
            let most = puzzle.line.len().div_ceil(2);
            let mut attempt = Attempt::new(puzzle);
            let mut moves = 0;
            while !attempt.is_solved() {
                let point = attempt.hint().unwrap();
                let verdict = attempt.play(point);
                assert!(
                    matches!(verdict, Verdict::Right(_) | Verdict::Solved),
                    "{}: {point} {verdict:?}",
                    attempt.puzzle()
                );
                moves += 1;
            }
            assert!(moves <= 2 * most, "{}", attempt.puzzle());
            assert_eq!(attempt.hint(), None);
            assert_eq!(attempt.play(Point::NONE), Verdict::Illegal);
        }
    }

    /// Every other first move is wrong, or wins slowly, and changes nothing.
    #[test]
    fn other_first_moves_are_taken_back() {
        let mut wrong = 0;
        for puzzle in puzzles().take(8) {
            let mut attempt = Attempt::new(puzzle.clone());
            for point in puzzle.position.size().iter() {
                if point == puzzle.answer() {
                    continue;
                }
                let verdict = attempt.play(point);
                if !puzzle.position.is_empty(point) {
                    assert_eq!(verdict, Verdict::Illegal);
                } else if let Verdict::Wrong(reply) = verdict {
                    wrong += 1;
                    assert!(reply == Point::NONE || puzzle.position.is_empty(reply));
                }
                let is_done = matches!(verdict, Verdict::Right(_) | Verdict::Solved);
                assert!(!is_done, "{puzzle}: {point} {verdict:?}");
                assert_eq!(attempt.position().move_text(), puzzle.position.move_text());
            }
        }
        assert!(wrong > 1_000, "{wrong}");
    }

    /// A move that wins by threes is no mistake where the solver can't find that out.
    #[test]
    fn what_the_solver_cannot_tell_is_not_wrong() {
        let (mut slow, mut unknown) = (0, 0);
        for puzzle in puzzles().take(8) {
            for point in puzzle.position.size().iter() {
                let mut attempt = Attempt::new(puzzle.clone());
                if attempt.play(point) != Verdict::Slow {
                    continue;
                }
                slow += 1;
                for nodes in [1, 10, 100] {
                    let mut attempt = Attempt::new(puzzle.clone());
                    attempt.prover = Prover::new(SOLVER_BYTES, nodes);
                    let verdict = attempt.play(point);
                    unknown += usize::from(verdict == Verdict::Unknown);
                    assert!(
                        matches!(verdict, Verdict::Slow | Verdict::Unknown),
                        "{puzzle}: {point} {verdict:?}"
                    );
                }
            }
        }
        assert!(slow > 0 && unknown > 0, "{slow} {unknown}");
    }

    /// Where there are two wins by fours no reply prevents both: a move that threatens nothing
    /// more was once wrong.
    #[test]
    fn a_quiet_move_that_wins_is_no_mistake() {
        let moves = "d4c4e4c12f4a1g5a8g6a15d12o1e12o8f12o15g10k1g11k15";
        let line = ["g4", "h4", "g7", "g3", "g8"].map(|point| point.parse().unwrap());
        let puzzle = Puzzle {
            position: text::line(&format!("15 freestyle {moves}")).unwrap(),
            kind: PuzzleKind::Vcf,
            line: line.into(),
            width: 3,
        };
        let mut attempt = Attempt::new(puzzle.clone());
        assert_eq!(attempt.play("n9".parse().unwrap()), Verdict::Slow);
        // With one of them alone it is wrong.
        let moves = moves.replace("d12", "l3").replace("g10", "l13");
        let position = text::line(&format!("15 freestyle {moves}")).unwrap();
        let mut attempt = Attempt::new(Puzzle { position, ..puzzle });
        let verdict = attempt.play("n9".parse().unwrap());
        assert_eq!(verdict, Verdict::Wrong(Point::NONE));
        let right = Verdict::Right("h4".parse().unwrap());
        assert_eq!(attempt.play("g4".parse().unwrap()), right);
    }

    /// One move holds; any other is answered with the win that it allows.
    #[test]
    fn an_only_defence_is_played_out() {
        let line = "7 freestyle d5a2d3b2d4a1g5g1f2; defence d2 d2 d1 d6; tree 2; guess 1; grade 1";
        let puzzle: Puzzle = line.parse().unwrap();
        let mut attempt = Attempt::new(puzzle.clone());
        let wrong = attempt.play("a7".parse().unwrap());
        assert!(matches!(wrong, Verdict::Wrong(reply) if reply != Point::NONE));
        assert_eq!(attempt.hint(), Some(puzzle.answer()));
        assert_eq!(attempt.play(puzzle.answer()), Verdict::Solved);
    }

    /// A puzzle of threes whose first move threatens to win by fours, and no open four.
    const QUIET: usize = 1;

    /// The longest line of the proof is accepted, and every other first move is wrong.
    #[test]
    fn threes_are_played_out() {
        let lines = THREES.lines().filter(|line| !line.starts_with('#'));
        for (number, line) in lines.take(6).enumerate() {
            let puzzle: Puzzle = line.parse().unwrap();
            let mut attempt = Attempt::new(puzzle.clone());
            for point in puzzle.position.size().iter() {
                if point != puzzle.answer() && puzzle.position.is_empty(point) {
                    let verdict = attempt.play(point);
                    assert!(
                        matches!(verdict, Verdict::Wrong(_)),
                        "{line}: {point} {verdict:?}"
                    );
                }
            }
            let [first, reply, ..] = puzzle.line[..] else {
                panic!("{line}");
            };
            assert_eq!(attempt.play(first), Verdict::Right(reply));
            if number == QUIET {
                let mut other = puzzle.position.clone();
                other.play(first);
                assert_eq!(
                    attempt.prover.reply(&mut other, PuzzleKind::Vct),
                    Reply::Holds(Point::NONE)
                );
                // That it is wrong could not be shown.
                attempt.prover.begin(MOST);
                assert_eq!(attempt.prover.reply_to_fours(&mut other), None);
            }
            while !attempt.is_solved() {
                let point = attempt.hint().unwrap();
                let verdict = attempt.play(point);
                assert!(
                    matches!(verdict, Verdict::Right(_) | Verdict::Solved),
                    "{line}"
                );
            }
        }
    }
}
