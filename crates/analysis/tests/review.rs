//! Reviews of random games, refereed by brute force: nothing is claimed that does not hold
//! on the board, and nothing plain is missed.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_analysis::report::ProofSummary;
use quincunx_analysis::review::{GameReview, LastEscape, MoveClass, MoveReview, ReviewLimits};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::search::{Limits, Searcher, TranspositionTable};
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use quincunx_records::{GameRecord, ReadDefaults, RecordTree, Source, sgf};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{Fours, by_fours, loses_within, wins_within};
use quincunx_testing::referee::Referee;
use std::sync::Arc;
use std::time::Instant;

const LIMITS: ReviewLimits = ReviewLimits {
    nodes: 1000,
    proof_nodes: 3000,
};

/// A game between players who search little, and now and then not at all.
fn played(rule: Rule, random: &mut fastrand::Rng, weights: &Arc<WeightSet>) -> Game {
    let table = Arc::new(TranspositionTable::new(1 << 20));
    let mut searcher = Searcher::new(table, Arc::clone(weights));
    let limits = Limits {
        nodes: 150,
        ..Limits::default()
    };
    let mut game = Game::new(rule, BoardSize::square(9).unwrap());
    game.play(game.size().centre()).unwrap();
    while !game.is_over() && game.ply() < 60 {
        let near: Vec<Point> = game.position().empty_near_stones().iter().collect();
        let any = near[random.usize(..near.len())];
        let best = searcher.search(game.position(), &limits, &mut ()).best();
        let point = match random.u8(..4) {
            0 => any,
            _ => best.unwrap_or(any),
        };
        // A forbidden point loses.
        let _ = game.play_or_lose(point);
    }
    game
}

/// The position before the first move.
fn start(record: &GameRecord, review: &GameReview) -> Position {
    record.start(review.rule).position().unwrap()
}

fn make(position: &mut Position, point: Point) {
    match point {
        Point::NONE => position.pass(),
        point => position.play(point),
    }
}

/// The position before a move, and after it.
fn around(start: &Position, review: &GameReview, number: usize) -> (Position, Position) {
    let mut position = start.clone();
    let mut before = position.clone();
    for played in &review.moves[..number] {
        before = position.clone();
        make(&mut position, played.point);
    }
    (before, position)
}

/// The longest line of a proof wins, and the position is won: a solver proves it again, and the
/// referee approves of that proof.
fn check_proof(position: &Position, summary: &ProofSummary) {
    assert_eq!(summary.line.len(), summary.plies);
    let mut end = position.clone();
    for &point in &summary.line {
        make(&mut end, point);
    }
    assert!(end.won(), "{summary:?}");
    let limits = SolverLimits {
        nodes: 100 * LIMITS.proof_nodes,
        stop: &mut || false,
    };
    let solution = Solver::new(16 << 20).solve(position, WinKind::Any, limits);
    let ForcedWin::Proven(proof) = &solution.win else {
        panic!("{summary:?}: {:?}", solution.win);
    };
    let refereed = Referee::default().check(&mut Board::of(position), proof);
    assert_eq!(refereed, Ok(()));
}

/// The board after a move; none if the move has won.
fn after(position: &Position, point: Point) -> Option<Board> {
    let mut position = position.clone();
    position.play(point);
    (!position.won()).then(|| Board::of(&position))
}

/// Whether the opponent has no win in five plies after a move.
fn holds(position: &Position, point: Point) -> bool {
    after(position, point).is_none_or(|mut board| !wins_within(&mut board, 5))
}

/// What was refereed.
#[derive(Debug, Default)]
struct Claims {
    missed: usize,
    /// Wins missed with a reply that is shown to prevent them.
    shown: usize,
    allowed: usize,
    escapes: usize,
    certain: usize,
    plain_wins: usize,
}

impl Claims {
    fn check(&mut self, record: &GameRecord, review: &GameReview) {
        let start = start(record, review);
        for played in &review.moves {
            let (before, after) = around(&start, review, played.number);
            self.check_missed(played, &before, &after);
            self.check_allowed(played, &before, &after);
            self.check_plain_wins(played, &before, &after);
        }
        if let Some(escape) = review.summary.last_escape {
            self.check_escape(&start, review, escape);
        }
    }

    fn check_missed(&mut self, played: &MoveReview, before: &Position, now: &Position) {
        let Some(missed) = &played.win_missed else {
            assert_ne!(played.class, MoveClass::WinMissed);
            return;
        };
        self.missed += 1;
        check_proof(before, &missed.proof);
        if played.forbidden.is_some() {
            return;
        }
        assert!(!loses_within(&mut Board::of(now), 4), "the win is kept");
        let Some(reply) = missed.reply else {
            return;
        };
        self.shown += 1;
        assert!(holds(now, reply), "{reply} stops nothing");
    }

    fn check_allowed(&mut self, played: &MoveReview, before: &Position, now: &Position) {
        let Some(allowed) = &played.loss_allowed else {
            assert_ne!(played.class, MoveClass::LossAllowed);
            return;
        };
        self.allowed += 1;
        assert_eq!(played.class, MoveClass::LossAllowed);
        check_proof(now, &allowed.proof);
        let instead = allowed.instead;
        assert!(before.clone().is_legal(instead));
        assert!(holds(before, instead), "{instead} loses too");
    }

    /// A win in three plies is not overlooked, neither before a move nor after it.
    fn check_plain_wins(&mut self, played: &MoveReview, before: &Position, now: &Position) {
        if wins_within(&mut Board::of(before), 3) {
            self.plain_wins += 1;
            assert_eq!(played.before, 1.0, "{played:?}");
            assert!(
                played.after == 1.0 || played.win_missed.is_some(),
                "{played:?}"
            );
        }
        if !now.won() && played.forbidden.is_none() && wins_within(&mut Board::of(now), 3) {
            assert_eq!(played.after, 0.0, "{played:?}");
        }
    }

    fn check_escape(&mut self, start: &Position, review: &GameReview, escape: LastEscape) {
        self.escapes += 1;
        let loser = review.winner.unwrap().opponent();
        let played = &review.moves[escape.number - 1];
        assert_eq!(played.color, loser);
        assert_ne!(played.point, escape.instead);
        let (before, _) = around(start, review, escape.number);
        assert!(before.clone().is_legal(escape.instead));
        assert!(holds(&before, escape.instead), "{escape:?}");
        if !escape.certain {
            return;
        }
        self.certain += 1;
        // No later move wins, and all that were played lost.
        for later in &review.moves[escape.number..] {
            let (before, _) = around(start, review, later.number);
            if later.color == loser {
                assert!(!wins_within(&mut Board::of(&before), 3), "{later:?}");
            }
        }
    }
}

#[test]
fn every_claim_holds_on_the_board() {
    let weights = Arc::default();
    let mut claims = Claims::default();
    let mut random = fastrand::Rng::with_seed(53);
    for round in 0..20 {
        let rule = Rule::ALL[round % Rule::ALL.len()];
        let game = played(rule, &mut random, &weights);
        let record = GameRecord::of(&game);
        let review = GameReview::of(&record, &weights, LIMITS, &mut |_, _| {}).unwrap();
        assert_eq!(review.moves.len(), game.moves().len());
        let result = game.result().map(|result| result.to_string());
        assert_eq!(review.result, result);
        claims.check(&record, &review);
        // The annotated game is the same game.
        let read = sgf::read(&review.sgf(&RecordTree::of(record.clone())).to_string()).unwrap();
        let points = |record: &GameRecord| -> Vec<Point> {
            record.moves.iter().map(|played| played.point).collect()
        };
        assert_eq!(points(&read), points(&record));
        assert_eq!(read.rule, Some(rule));
    }
    let enough = claims.missed >= 10
        && claims.shown >= 5
        && claims.allowed >= 10
        && claims.escapes >= 8
        && claims.certain >= 4
        && claims.plain_wins >= 20;
    assert!(enough, "{claims:?}");
}

#[test]
fn the_same_limits_give_the_same_review() {
    let weights = Arc::default();
    let mut random = fastrand::Rng::with_seed(7);
    let game = GameRecord::of(&played(Rule::Standard, &mut random, &weights));
    let review = || GameReview::of(&game, &weights, LIMITS, &mut |_, _| {}).unwrap();
    let (first, second) = (review(), review());
    assert_eq!(first.json(), second.json());
    assert_eq!(first.page(), second.page());
}

/// A second opinion on claims: a solver with ten times the nodes, whose proofs are refereed
/// against all replies, and brute force for wins by fours.
struct SecondOpinion {
    solver: Solver,
    nodes: u64,
    /// The replies that were tried in refereed proofs.
    replies: usize,
    /// Moves that are said to hold: it is shown that there is no forced win after them, it is
    /// open, or there is one.
    holds: usize,
    open: usize,
    refuted: usize,
    /// Positions that are said to be lost: every move is proved to lose, or some are not.
    lost: usize,
    not_proved: usize,
}

impl SecondOpinion {
    fn wins(&mut self, position: &Position) -> ForcedWin {
        let limits = SolverLimits {
            nodes: self.nodes,
            stop: &mut || false,
        };
        let win = self.solver.solve(position, WinKind::Any, limits).win;
        let mut board = Board::of(position);
        if let ForcedWin::Proven(proof) = &win {
            let mut referee = Referee::default();
            assert_eq!(referee.check(&mut board, proof), Ok(()));
            self.replies += referee.replies;
        } else {
            let fours = by_fours(&mut board, 20_000);
            assert!(
                !matches!(fours, Fours::Win(_)),
                "the solver missed {fours:?}"
            );
        }
        win
    }

    fn hear_of_defence(&mut self, before: &Position, point: Point) {
        let mut after = before.clone();
        after.play(point);
        let over = after.won() || after.empty_points() == 0;
        match over {
            true => self.holds += 1,
            false => match self.wins(&after) {
                ForcedWin::None => self.holds += 1,
                ForcedWin::Unknown => self.open += 1,
                ForcedWin::Proven(_) => self.refuted += 1,
            },
        }
    }

    fn hear_of_loss(&mut self, position: &Position) {
        let mut game = position.clone();
        let legal: Vec<Point> = game
            .size()
            .iter()
            .filter(|&it| game.clone().is_legal(it))
            .collect();
        let loses = |point: &Point| {
            game.play(*point);
            let loses = !game.won() && matches!(self.wins(&game), ForcedWin::Proven(_));
            game.undo();
            loses
        };
        match legal.iter().all(loses) {
            true => self.lost += 1,
            false => self.not_proved += 1,
        }
    }

    fn hear(&mut self, record: &GameRecord, review: &GameReview) {
        let start = start(record, review);
        for played in &review.moves {
            let (before, now) = around(&start, review, played.number);
            let missed = played.win_missed.as_ref();
            if let Some(reply) = missed.and_then(|missed| missed.reply) {
                self.hear_of_defence(&now, reply);
            }
            if let Some(allowed) = &played.loss_allowed {
                self.hear_of_defence(&before, allowed.instead);
            }
        }
        let Some(escape) = review.summary.last_escape else {
            return;
        };
        let (before, _) = around(&start, review, escape.number);
        self.hear_of_defence(&before, escape.instead);
        let loser = review.moves[escape.number - 1].color;
        let later = review.moves[escape.number..].iter();
        for played in later.filter(|it| it.color == loser && escape.certain) {
            self.hear_of_loss(&around(&start, review, played.number).0);
        }
    }
}

/// Games of a file that the board opens, such as a collection of SGF: what a review of them
/// takes, and what a second opinion says of its claims.
#[test]
#[ignore = "takes minutes: GAMES=games.sgf NODES=50000 cargo test --release -p quincunx-analysis \
            --test review -- --ignored --nocapture"]
fn claims_about_real_games_hold() {
    let path = std::env::var("GAMES").expect("GAMES names a file of games");
    let nodes = std::env::var("NODES").map_or(50_000, |text| text.parse().unwrap());
    let bytes = std::fs::read(&path).unwrap();
    let source = Source {
        bytes: &bytes,
        name: Some(&path),
        encoding: None,
    };
    let file = quincunx_records::open(
        source,
        ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
    );
    let weights = Arc::default();
    let limits = ReviewLimits {
        nodes,
        proof_nodes: nodes,
    };
    let mut claims = Claims::default();
    let mut second = SecondOpinion {
        solver: Solver::new(256 << 20),
        nodes: 10 * nodes,
        replies: 0,
        holds: 0,
        open: 0,
        refuted: 0,
        lost: 0,
        not_proved: 0,
    };
    let (mut games, mut moves, mut taken, mut seconds) = (0, 0, 0, 0.0);
    for read in file.unwrap().games {
        let begun = Instant::now();
        let record = read.unwrap().record;
        let review = GameReview::of(&record, &weights, limits, &mut |_, _| {}).unwrap();
        seconds += begun.elapsed().as_secs_f64();
        games += 1;
        moves += review.moves.len();
        taken += review.nodes;
        claims.check(&record, &review);
        second.hear(&record, &review);
    }
    let of = f64::from(games);
    println!(
        "{games} games, {moves} moves: {:.0} nodes and {:.2} s a game",
        taken as f64 / of,
        seconds / of
    );
    println!("claims, all proofs refereed: {claims:?}");
    println!(
        "moves that hold: {} confirmed, {} open, {} refuted; lost positions after the last \
         escape: {} confirmed for every move, {} not; {} replies tried",
        second.holds, second.open, second.refuted, second.lost, second.not_proved, second.replies
    );
    assert!(games > 0 && second.refuted == 0);
}
