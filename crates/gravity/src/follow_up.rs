//! The follow-up rule: what the side that is not to move is sure of, without any
//! search.
//!
//! Call the side to move the leader and its opponent the follower. The follower
//! can always answer with the point right above the leader's stone. The free
//! points of a column then go in pairs, from the lowest: the first of each to the
//! leader, the second to the follower. Three things follow.
//!
//! * A *claim* is a second point where the follower completes a four. The leader
//!   who plays below it loses, so neither side gets to the points above.
//! * A column with an odd number of free points and without a claim is *loose*:
//!   the leader may take its last point, and there is no point above to answer
//!   with. The follower then plays first in another loose column, whose rest
//!   makes pairs again. This works as long as there is another one, that is,
//!   if the number of loose columns is even. Which points of loose columns the
//!   leader gets is open: say all.
//! * The leader never has two new stones on top of each other. As he cannot win at
//!   once, he gets no four up a column.
//!
//! So if the number of loose columns is even and the leader's stones make no four
//! but up a column even with all the points he could get, he does not win. If
//! there is a claim besides, he loses: every other point fills up, and he has to
//! play below a claim in the end.
//!
//! Good players know both halves: the second player draws by following up, which
//! Victor Allis calls *claimeven*, and the first player wins by a threat in an odd
//! row, which turns the pairs of its column round.

use super::board::Board;
use super::score::Score;
use super::stones::Stones;

/// A score that the side to move, which cannot win at once, does not exceed;
/// `INFINITE` where the rule says nothing, or not that the score is at most
/// `alpha`. The opponent has these `threats`.
#[inline]
pub(super) fn upper_bound(board: &Board, stones: Stones, threats: u64, alpha: Score) -> Score {
    let free = board.points() & !stones.occupied;
    let odd = board.odd_columns(stones.occupied);
    let seconds = board.second_points(free, odd);
    let claims = seconds & threats;
    if claims == 0 && alpha < Score::DRAW {
        return Score::INFINITE;
    }
    let out_of_reach = board.upwards(claims);
    let loose = board.columns_topped_by(odd & !out_of_reach) & free;
    if loose.count_ones() % 2 == 1 {
        return Score::INFINITE;
    }
    let firsts = free & !seconds & !out_of_reach;
    if board.has_slanted_four(stones.own | firsts | loose) {
        return Score::INFINITE;
    }
    match out_of_reach.count_ones() {
        0 => Score::DRAW,
        // The follower's claim is the last point but those above it.
        beyond => Score::loss_at(board.size().points() as u32 + 1 - beyond),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Position, Size, Suite};
    use super::*;

    /// The score by the rules and nothing else.
    fn minimax(board: &Board, stones: Stones) -> Score {
        if board.fours(stones.opponent()) != 0 {
            return Score::loss_at(stones.count());
        }
        let landing = board.landing_points(stones.occupied);
        let moves = board.centre_first().iter().map(|column| landing & column);
        let scores = moves
            .filter(|&point| point != 0)
            .map(|point| -minimax(board, stones.play(point)));
        scores.max().unwrap_or(Score::DRAW)
    }

    fn bound(position: &Position) -> Score {
        let (board, stones) = (position.board(), position.stones());
        upper_bound(board, stones, stones.threats(board), Score::DRAW)
    }

    #[test]
    fn no_position_is_worth_more_than_the_bound() {
        let (mut draws, mut losses) = (0, 0);
        for (columns, rows) in [(7, 6), (7, 7), (6, 5), (5, 5), (8, 4), (4, 9), (4, 12)] {
            let size = Size::new(columns, rows).unwrap();
            let mut suite = Suite::new(size, 1);
            for index in 0..300 {
                let position = suite.position(size.points() - 4 - index % 6);
                let (board, stones) = (position.board(), position.stones());
                if stones.wins(board) != 0 {
                    continue;
                }
                let bound = bound(&position);
                let score = minimax(board, stones);
                assert!(score <= bound, "{size} {}", position.moves_text());
                draws += u32::from(bound == Score::DRAW);
                losses += u32::from(bound.is_loss());
            }
        }
        assert!(draws > 100 && losses > 100, "{draws} {losses}");
    }
}
