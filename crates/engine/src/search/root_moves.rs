//! The moves of the root: more of them than in the tree, since a move has to be
//! played even in a lost game.

use super::movegen::candidates;
use super::search_thread::SearchThread;
use crate::eval::{Evaluator, MoveScore};
use crate::position::Position;
use crate::rules::{MAX_POINTS, Point, PointSet};
use crate::score::Score;
use crate::threats::{ThreatStatus, short_win, threat_status};
use arrayvec::ArrayVec;

type Points = ArrayVec<Point, MAX_POINTS>;

/// The most plies of a [`short_win`].
const SHORT_WIN: usize = 5;

/// A move at the root.
pub(super) struct RootMove {
    pub(super) point: Point,
    /// The evaluator's score of the move.
    pub(super) move_score: MoveScore,
    /// The score in this iteration, if the move was the first or raised alpha.
    pub(super) score: Score,
    /// The principal variation from this move on.
    pub(super) pv: Vec<Point>,
}

/// What the threats on the board prove at the root. A win at once that is
/// excluded proves nothing.
pub(super) fn root_status<E: Evaluator>(thread: &mut SearchThread<'_, E>) -> ThreatStatus {
    let status = threat_status(&mut thread.position);
    let excluded = thread.limits.excluded;
    let side = thread.position.side();
    let mut fives = thread.position.fives(side);
    match status {
        ThreatStatus::Win(1) if fives.all(|point| excluded.has(point)) => ThreatStatus::Quiet,
        _ => status,
    }
}

/// A move that is known to win within a few plies, of those that are not excluded.
pub(super) fn root_win<E: Evaluator>(thread: &mut SearchThread<'_, E>) -> Option<Point> {
    let may_win = thread.moves_left() >= SHORT_WIN;
    may_win.then(|| short_win(&mut thread.position, &thread.limits.excluded))?
}

/// The legal moves worth a search at the root, the one with the best move score
/// first: `win` alone, if it is known.
pub(super) fn root_moves<E: Evaluator>(
    thread: &mut SearchThread<'_, E>,
    status: ThreatStatus,
    win: Option<Point>,
) -> Vec<RootMove> {
    let points = match win {
        Some(point) => Points::from_iter([point]),
        None => root_points(thread, status),
    };
    let mut move_scores = ArrayVec::<MoveScore, MAX_POINTS>::new();
    thread.score_moves(&points, &mut move_scores);
    let root_move = |(&point, &move_score)| RootMove {
        point,
        move_score,
        score: -Score::INFINITE,
        pv: vec![point],
    };
    let mut moves: Vec<RootMove> = points.iter().zip(&move_scores).map(root_move).collect();
    moves.sort_by_key(|root_move| (-root_move.move_score.units(), root_move.point));
    moves
}

/// The points that are searched at the root.
fn root_points<E: Evaluator>(thread: &mut SearchThread<'_, E>, status: ThreatStatus) -> Points {
    let position = &mut thread.position;
    let excluded = &thread.limits.excluded;
    let side = position.side();
    let points = match status {
        ThreatStatus::Win(1) => (position.fives(side))
            .filter(|&point| !excluded.has(point))
            .take(1)
            .collect(),
        ThreatStatus::Loss(_) => worst_threats(position),
        _ => candidates(position, status).iter().collect(),
    };
    let mut points = playable(position, excluded, points);
    if points.is_empty() && status == ThreatStatus::MustDefend {
        points = playable(position, excluded, worst_threats(position));
    }
    if points.is_empty() {
        // All moves worth a try are forbidden to black or excluded, or none prevents the loss.
        points = playable(position, excluded, position.size().iter().collect());
    }
    points
}

/// Those of `points` that are legal and not excluded.
fn playable(position: &mut Position, excluded: &PointSet, mut points: Points) -> Points {
    points.retain(|point| !excluded.has(*point) && position.is_legal(*point));
    points
}

/// The points of the opponent's worst threats: a lost game is still played as
/// if the opponent might not see them.
fn worst_threats(position: &Position) -> Points {
    let opponent = position.side().opponent();
    let class = |point: &Point| position.class(opponent, *point);
    let worst = position.fours(opponent).map(|point| class(&point)).max();
    (position.fours(opponent))
        .filter(|point| Some(class(point)) == worst)
        .collect()
}
