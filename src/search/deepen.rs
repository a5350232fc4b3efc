//! The root: iterative deepening with aspiration windows.

use super::depth::{Depth, PLY};
use super::history::History;
use super::node::Node;
use super::picker::candidates;
use super::stack::Lines;
use super::team::{Team, agree};
use super::worker::{Task, Worker};
use super::{Limits, Outcome, Params, Progress, Report, Table};
use crate::eval::Score;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use crate::threats::{Outlook, outlook};
use std::panic::resume_unwind;
use std::sync::Arc;

/// What stays from one move to the next: the memories of the threads that
/// search, and the table they share.
pub struct Searcher {
    table: Arc<Table>,
    /// Of the thread that calls and reports.
    mind: Mind,
    /// One for each thread that helps it.
    helpers: Vec<Mind>,
    /// By name: values other than those of [`Params::of`].
    changes: Vec<(String, i32)>,
}

/// One thread's memory.
struct Mind {
    history: History,
    lines: Lines,
}

impl Mind {
    fn new() -> Mind {
        Mind {
            history: History::new(),
            lines: Lines::new(),
        }
    }
}

/// Deep lines recurse; pages that are never touched cost nothing.
const STACK: usize = 16 << 20;

/// The first iteration that starts with a narrow window.
const ASPIRATION_DEPTH: u32 = 5;

/// A move at the root and what is known of it.
struct RootMove {
    point: Point,
    /// Its value in this iteration, for those that raised alpha.
    score: Score,
    /// Its value in the last iteration.
    previous: Score,
    line: Vec<Point>,
}

impl Searcher {
    /// A searcher that shares `table`.
    pub fn new(table: Arc<Table>) -> Searcher {
        Searcher {
            table,
            mind: Mind::new(),
            helpers: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Searches with so many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers
            .resize_with(threads.saturating_sub(1), Mind::new);
    }

    /// Searches with other values for the numbers of [`Params`] with these
    /// names from now on.
    pub fn tune(&mut self, changes: &[(String, i32)]) {
        self.changes = changes.to_vec();
    }

    /// Forgets what was learned from earlier searches (the table, which others
    /// may be using, stays).
    pub fn forget(&mut self) {
        for mind in self.helpers.iter_mut().chain([&mut self.mind]) {
            mind.history = History::new();
        }
    }

    /// Searches `position` for the best move until a limit is reached or
    /// `report` says stop. However early that is, a legal move comes back
    /// where there is one.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &mut dyn Report,
    ) -> Outcome {
        self.table.next_search();
        let mut params = Params::of(position.rule());
        for (name, value) in &self.changes {
            params.set(name, *value);
        }
        let team = Team::new(limits.nodes);
        let task = Task {
            position,
            table: &self.table,
            params: &params,
            team: &team,
            limits,
        };
        let (mind, helpers) = (&mut self.mind, &mut self.helpers);
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (helpers.iter_mut().enumerate())
                .filter_map(|(index, mind)| {
                    // Every other thread is a ply ahead: they do not all learn
                    // the same.
                    let first_depth = 1 + (index as u32 + 1) % 2;
                    let builder = std::thread::Builder::new().stack_size(STACK);
                    let search = move || mind.search(task, first_depth, None);
                    builder.spawn_scoped(scope, search).ok()
                })
                .collect();
            let first = mind.search(task, 1, Some(report));
            team.stop();
            let others: Vec<Outcome> = helpers
                .into_iter()
                .map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)))
                .collect();
            agree(first, &others)
        })
    }
}

impl Mind {
    /// One thread's search, which reports if it is the one to do so.
    fn search<'a>(
        &'a mut self,
        task: Task<'a>,
        first_depth: u32,
        report: Option<&'a mut dyn Report>,
    ) -> Outcome {
        self.history.fade();
        let worker = Worker::new(task, &mut self.history, &mut self.lines, report);
        Root::new(worker).deepen(first_depth)
    }
}

/// The search of a root position.
struct Root<'a> {
    worker: Worker<'a>,
    moves: Vec<RootMove>,
    outlook: Outlook,
    /// What the evaluation says of the likeliest move.
    likeliest: i32,
    depth: u32,
}

impl<'a> Root<'a> {
    fn new(mut worker: Worker<'a>) -> Root<'a> {
        let outlook = root_outlook(&mut worker);
        let moves = root_moves(&mut worker, outlook);
        let scores = worker.evaluator.moves(&worker.position);
        let likeliest = (moves.iter())
            .map(|root_move| scores.of(root_move.point))
            .max()
            .unwrap_or(0);
        Root {
            worker,
            moves,
            outlook,
            likeliest,
            depth: 0,
        }
    }

    fn deepen(mut self, first_depth: u32) -> Outcome {
        let Some(first) = self.moves.first() else {
            return self.outcome();
        };
        if let Outlook::Win(1) = self.outlook {
            self.moves[0].previous = Score::win_at(1);
            return self.outcome();
        }
        let mut score = first.previous;
        if self.worker.is_over() {
            return self.outcome();
        }
        let last_depth = self.worker.limits.depth;
        for depth in first_depth.min(last_depth)..=last_depth {
            score = self.aspire(depth, score);
            if self.worker.stopped {
                break;
            }
            self.depth = depth;
            for root_move in &mut self.moves {
                root_move.previous = root_move.score;
            }
            self.report();
            if self.is_settled(score) {
                break;
            }
        }
        self.outcome()
    }

    /// Whether deeper iterations could not change what is played.
    fn is_settled(&self, score: Score) -> bool {
        match score.plies() {
            // A shorter win or a longer defence may still turn up for a while.
            Some(plies) => self.depth as usize > plies + 4,
            None => self.moves.len() == 1 && self.depth >= 4,
        }
    }

    /// One iteration, in a window around the last score that is widened until
    /// the true score lies within.
    fn aspire(&mut self, depth: u32, last: Score) -> Score {
        let mut width = self.worker.params.aspiration_width;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= ASPIRATION_DEPTH && !last.is_decided() {
            alpha = last - width;
            beta = last + width;
        }
        loop {
            let score = self.iterate(alpha, beta, depth as Depth * PLY);
            if self.worker.stopped {
                return score;
            }
            width += width / 2 + 5;
            if score <= alpha {
                alpha = if width > 1000 {
                    -Score::INFINITE
                } else {
                    score.max(-Score::LIMIT) - width
                };
            } else if score >= beta {
                // Should the wider search be cut short before this move is
                // done, it is known to be worth so much at least.
                self.moves[0].previous = score;
                beta = if width > 1000 {
                    Score::INFINITE
                } else {
                    score.min(Score::LIMIT) + width
                };
            } else {
                return score;
            }
        }
    }

    /// Searches every root move in the window; the best comes first afterwards.
    fn iterate(&mut self, mut alpha: Score, beta: Score, depth: Depth) -> Score {
        let worker = &mut self.worker;
        worker.lines.clear(0);
        worker.root_window = beta.units() - alpha.units();
        let eval = worker.evaluate(0, Outlook::Open);
        let frame = worker.frame(0);
        frame.eval = eval;
        frame.extension = 0;
        frame.was_pv = true;
        for root_move in &mut self.moves {
            root_move.score = -Score::INFINITE;
        }
        let mut best = -Score::INFINITE;
        for index in 0..self.moves.len() {
            let point = self.moves[index].point;
            self.tell(|report| report.trying(point));
            let score = self.try_root_move(alpha, beta, depth, index);
            if self.worker.stopped {
                return best;
            }
            self.tell(|report| report.tried(point, score));
            if score > best {
                best = score;
            }
            if index == 0 || score > alpha {
                self.moves[index].score = score;
                let line = &mut self.moves[index].line;
                line.truncate(1);
                line.extend(self.worker.lines.below_root());
                if score > alpha {
                    if index > 0 {
                        self.tell(|report| report.preferred(point));
                    }
                    self.moves[..=index].rotate_right(1);
                    alpha = score;
                }
            }
            if score >= beta {
                break;
            }
        }
        best
    }

    fn try_root_move(&mut self, alpha: Score, beta: Score, depth: Depth, index: usize) -> Score {
        let worker = &mut self.worker;
        let point = self.moves[index].point;
        let is_late = index >= 2 && depth >= 2 * PLY;
        let node = Node {
            depth,
            ply: 0,
            is_cut: false,
            improving: false,
            outlook: self.outlook,
            estimate: 0,
            remembered: Point::NONE,
        };
        let look = worker.look(0, point, Some(self.likeliest));
        let reduction = worker.reduction::<true>(node, beta - alpha.units(), look, index + 1);
        worker.play(0, point);
        let full = depth - PLY;
        let mut score = alpha + 1;
        if index > 0 {
            let reduced = if is_late {
                (full - reduction).min(full + PLY).max(PLY)
            } else {
                full
            };
            score = -worker.node::<false>(-alpha - 1, -alpha, reduced, 1, true);
            if score > alpha && reduced < full {
                score = -worker.node::<false>(-alpha - 1, -alpha, full, 1, true);
            }
        }
        if score > alpha {
            worker.lines.clear(1);
            score = -worker.node::<true>(-beta, -alpha, full, 1, false);
        }
        worker.undo();
        score
    }

    fn report(&mut self) {
        let progress = self.progress();
        self.tell(|report| report.progress(&progress));
    }

    /// Lets whoever listens hear something.
    fn tell(&mut self, news: impl FnOnce(&mut dyn Report)) {
        if let Some(report) = &mut self.worker.report {
            news(*report);
        }
    }

    fn progress(&self) -> Progress {
        let best = self.moves.first();
        Progress {
            depth: self.depth,
            selective: self.worker.selective as u32,
            score: best.map_or(Score::ZERO, |best| best.previous),
            nodes: self.worker.total_nodes(),
            line: best.map_or(Vec::new(), |best| best.line.clone()),
        }
    }

    fn outcome(mut self) -> Outcome {
        // An iteration that was cut short still counts as far as it came; but
        // as long as a move has not been tried the game is not lost.
        if let Some(best) = self.moves.first_mut()
            && best.score > -Score::INFINITE
            && !(self.worker.stopped && best.score.is_loss())
        {
            best.previous = best.score;
        }
        let Progress {
            depth,
            selective,
            score,
            line,
            ..
        } = self.progress();
        Outcome {
            best: line.first().copied(),
            score,
            depth,
            selective,
            nodes: self.worker.nodes,
            line,
        }
    }
}

/// What is certain at the root. A win at once that may not be played is none.
fn root_outlook(worker: &mut Worker<'_>) -> Outlook {
    let outlook = outlook(&mut worker.position);
    let excluded = worker.limits.excluded;
    let side = worker.position.side();
    let mut fives = worker.position.fours_of(side, Class::Five);
    match outlook {
        Outlook::Win(1) if fives.all(|point| excluded.has(point)) => Outlook::Open,
        _ => outlook,
    }
}

/// Where the opponent's worst threats are: a lost game is still played as if
/// the other might not see them.
fn threatened_points(position: &Position) -> Vec<Point> {
    let opponent = position.side().opponent();
    let class = |point: &Point| position.class(opponent, *point);
    let worst = position.fours(opponent).map(|point| class(&point)).max();
    (position.fours(opponent))
        .filter(|point| Some(class(point)) == worst)
        .collect()
}

/// The legal moves worth searching at the root, the most promising first.
fn root_moves(worker: &mut Worker<'_>, outlook: Outlook) -> Vec<RootMove> {
    let side = worker.position.side();
    let excluded = worker.limits.excluded;
    let mut points: Vec<Point> = match outlook {
        Outlook::Win(1) => (worker.position.fours_of(side, Class::Five))
            .filter(|&point| !excluded.has(point))
            .take(1)
            .collect(),
        Outlook::Loss(_) => threatened_points(&worker.position),
        _ => candidates(&worker.position, outlook).iter().collect(),
    };
    points.retain(|&point| !excluded.has(point) && worker.position.is_legal(point));
    if points.is_empty() && outlook == Outlook::Threatened {
        points = threatened_points(&worker.position);
        points.retain(|&point| !excluded.has(point) && worker.position.is_legal(point));
    }
    if points.is_empty() {
        // Black under renju with no legal point near, nothing left to save, or
        // all that is worth a try excluded.
        points = worker.position.size().iter().collect();
        points.retain(|&point| !excluded.has(point) && worker.position.is_legal(point));
    }
    let scores = worker.evaluator.moves(&worker.position);
    let mut moves: Vec<RootMove> = points
        .into_iter()
        .map(|point| RootMove {
            point,
            score: -Score::INFINITE,
            previous: Score::new(scores.of(point)),
            line: vec![point],
        })
        .collect();
    moves.sort_by_key(|root_move| (-root_move.previous, root_move.point));
    let eval = worker.evaluator.evaluate(&worker.position);
    for root_move in &mut moves {
        root_move.previous = eval;
    }
    moves
}
