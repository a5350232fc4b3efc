//! A referee of proofs, who knows only the rules.
use crate::oracle::force::answers_to_fives;
use crate::oracle::{At, Board, at, name};
use quincunx_engine::rules::Point;
use quincunx_engine::threats::Proof;
use std::collections::HashSet;

/// Follows a proof against all legal replies. Boards on which it was found to
/// hold are remembered: proofs share parts.
#[derive(Default)]
pub struct Referee {
    seen: HashSet<Board>,
    /// The number of replies tried.
    pub replies: usize,
}

impl Referee {
    /// Says where the proof that the side to move wins fails, if it does.
    pub fn check(&mut self, board: &mut Board, proof: &Proof) -> Result<(), String> {
        if !self.seen.insert(board.clone()) {
            return Ok(());
        }
        let here = legal(board, proof.point())?;
        if proof.otherwise().is_empty() {
            let over = board.wins(board.side(), here) && proof.replies().is_empty();
            return over
                .then_some(())
                .ok_or_else(|| format!("{} does not win in {board:?}", name(here)));
        }
        board.after(here, |board| self.check_replies(board, proof))
    }

    fn check_replies(&mut self, board: &mut Board, proof: &Proof) -> Result<(), String> {
        let winner = board.side().opponent();
        loser_has_no_five(board)?;
        let threats = board.fives(winner);
        for reply in board.empty() {
            if !board.is_legal(reply) {
                continue;
            }
            self.replies += 1;
            let own = proof.replies().iter().find(|r| at(r.point) == Some(reply));
            board.after(reply, |board| match own {
                Some(own) => self.check(board, &own.refutation),
                None if still_wins(board, &threats) => Ok(()),
                None => follow(board, proof.otherwise()),
            })?;
        }
        Ok(())
    }
}

fn legal(board: &mut Board, point: Point) -> Result<At, String> {
    at(point)
        .filter(|&here| board.is_legal(here))
        .ok_or_else(|| format!("{point} is not legal in {board:?}"))
}

fn loser_has_no_five(board: &mut Board) -> Result<(), String> {
    match board.fives(board.side()).first() {
        Some(&five) => Err(format!("{} wins for the loser in {board:?}", name(five))),
        None => Ok(()),
    }
}

/// Returns true if the side to move still wins at once at one of the points.
fn still_wins(board: &Board, fives: &[At]) -> bool {
    let wins = |&five: &At| board.is_empty(five) && board.wins(board.side(), five);
    fives.iter().any(wins)
}

/// Checks that the side to move wins by these fours, each of which has one answer.
fn follow(board: &mut Board, line: &[Point]) -> Result<(), String> {
    if !board.fives(board.side()).is_empty() {
        return Ok(());
    }
    let (&four, rest) = line
        .split_first()
        .ok_or_else(|| format!("nothing left in {board:?}"))?;
    let four = legal(board, four)?;
    board.after(four, |board| follow_answers(board, rest))
}

fn follow_answers(board: &mut Board, rest: &[Point]) -> Result<(), String> {
    loser_has_no_five(board)?;
    if board.fives(board.side().opponent()).is_empty() {
        return Err(format!("no four in {board:?}"));
    }
    for answer in answers_to_fives(board) {
        if rest.first().and_then(|&point| at(point)) != Some(answer) {
            return Err(format!("{} is not answered in {board:?}", name(answer)));
        }
        board.after(answer, |board| follow(board, &rest[1..]))?;
    }
    Ok(())
}
