//! The search as a whole: it repeats itself, keeps its limits, sees what is
//! forced.
#![allow(clippy::unwrap_used)]

use quincunx_engine::eval::{ClassicalWeights, EvalTables, WeightSet};
use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_engine::score::Score;
use quincunx_engine::search::{Limits, Line, POLL_INTERVAL, Report, Searcher, TranspositionTable};
use quincunx_engine::threats::{ThreatStatus, threat_status};
use quincunx_testing::weights::weights;
use std::sync::Arc;

fn searcher() -> Searcher {
    Searcher::new(Arc::new(TranspositionTable::new(4 << 20)), weights())
}

fn position(rule: Rule, side: usize, moves: &str) -> Position {
    Position::from_moves(rule, BoardSize::square(side).unwrap(), moves).unwrap()
}

fn search(position: &Position, nodes: u64) -> Line {
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    searcher().search(position, &limits, &mut ())
}

#[test]
fn equal_searches_are_equal() {
    for nodes in [1, 100, 513, 5_000, 40_000] {
        for rule in Rule::ALL {
            let position = position(rule, 15, "h8h7i8g8j9");
            let first = search(&position, nodes);
            assert_eq!(first, search(&position, nodes));
            assert!(
                first.nodes == nodes || first.score.is_decided(),
                "{first:?}"
            );
            assert!(first.nodes <= nodes);
        }
    }
}

/// Stops a search once a move after the first turns out best, although it loses.
#[derive(Default)]
struct StopAtLongestLoss {
    score: Score,
    is_found: bool,
}

impl Report for StopAtLongestLoss {
    fn progress(&mut self, _: &Line) {}

    fn stop(&mut self, _: u64) -> bool {
        self.is_found
    }

    fn searched(&mut self, _: Point, score: Score) {
        self.score = score;
    }

    fn new_best(&mut self, _: Point) {
        self.is_found |= self.score.is_loss();
    }
}

/// As long as there are moves to try, the game is not lost, and the score is that of the
/// iteration before. The hand-set weights stay as they are.
#[test]
fn the_longest_loss_so_far_is_no_score() {
    let hand_set = ClassicalWeights::new(EvalTables::hand_set(Rule::Freestyle));
    let mut weights = WeightSet::default();
    weights.set_classical(Rule::Freestyle, Arc::new(hand_set));
    let weights = Arc::new(weights);
    let mut stopped = 0;
    for (side, moves) in [
        (15, "c4a3c1e5d6d7f7e6e4f5g4e8g5c8b9c6"),
        (20, "n16o16o18p19n14o13o17q15p16p14n12"),
        (20, "h7i10l7f10e9k10g9j11h9"),
        (20, "m9k7j6i6j5j7h5k6i8l5m7m6j4k5"),
        (20, "e9f10c8e10g10g9f8d10c10e8c9c11b9"),
    ] {
        let table = Arc::new(TranspositionTable::new(4 << 20));
        let mut searcher = Searcher::new(table, Arc::clone(&weights));
        let limits = Limits {
            nodes: 100_000,
            ..Limits::default()
        };
        let mut report = StopAtLongestLoss::default();
        let found = searcher.search(
            &position(Rule::Freestyle, side, moves),
            &limits,
            &mut report,
        );
        assert!(found.score >= Score::loss_at(0), "{moves}: {found:?}");
        stopped += usize::from(report.is_found);
    }
    assert!(stopped > 0, "none of the searches was stopped");
}

/// Wherever in the tree the limit is met, no move is tried beyond it.
#[test]
fn node_limits_are_exact() {
    let mut rng = fastrand::Rng::with_seed(4);
    for rule in Rule::ALL {
        let position = position(rule, 15, "h8h7i8g8j9");
        for _ in 0..40 {
            let nodes = rng.u64(1..30_000);
            let found = search(&position, nodes);
            assert!(found.nodes == nodes || found.score.is_decided() && found.nodes < nodes);
        }
    }
    // Deep enough for null moves, which a stop must not cost a node either.
    let position = position(Rule::Freestyle, 15, "h8i9h10g9i7f9");
    for _ in 0..6 {
        let nodes = rng.u64(60_000..150_000);
        assert_eq!(search(&position, nodes).nodes, nodes);
    }
}

#[test]
fn threads_together_keep_the_limit() {
    let mut position = position(Rule::Freestyle, 15, "h8i9h10g9i7f9");
    let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1 << 20)), weights());
    searcher.set_threads(3);
    for nodes in [0, 1, 2, 700, 5_000, 40_000] {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let found = searcher.search(&position, &limits, &mut ());
        assert!(found.nodes <= nodes);
        let best = found.best().unwrap();
        assert!(position.is_legal(best), "{nodes}");
    }
}

/// Two points are left, one of them forbidden to black: white takes the other.
#[test]
fn who_has_only_forbidden_points_left_has_lost() {
    let rows = ["XOOXOO", "XXOXOO", "XXX.XX", "OOXOOX", "XOXOOX", "O.OXOX"];
    let mut position = Position::new(Rule::Renju, BoardSize::square(6).unwrap());
    for (y, row) in rows.iter().enumerate() {
        for (x, stone) in row.chars().enumerate() {
            let point = position.size().point(x, y).unwrap();
            match stone {
                'X' => position.place(Color::Black, point),
                'O' => position.place(Color::White, point),
                _ => {}
            }
        }
    }
    let [overline, other] = [(3, 2), (1, 5)].map(|(x, y)| position.size().point(x, y));
    position.set_side(Color::White);
    let found = search(&position, 1_000);
    assert_eq!(found.best(), other);
    assert!(found.score.is_win(), "{found:?}");
    position.play(overline.unwrap());
    assert_eq!(search(&position, 1_000).score, Score::ZERO);
}

#[test]
fn every_position_gets_a_legal_move() {
    let mut rng = fastrand::Rng::with_seed(3);
    for rule in Rule::ALL {
        for _ in 0..30 {
            let size = BoardSize::new(rng.usize(5..=22), rng.usize(5..=22)).unwrap();
            let mut position = Position::new(rule, size);
            let stones = rng.usize(0..=size.points());
            for point in size.iter().take(stones) {
                if rng.u8(0..10) > 0 {
                    position.place(
                        if rng.bool() {
                            position.side()
                        } else {
                            position.side().opponent()
                        },
                        point,
                    );
                }
            }
            let any_legal = size.iter().any(|p| position.is_legal(p));
            let outcome = search(&position, rng.u64(1..2_000));
            assert_eq!(outcome.best().is_some(), any_legal, "{position:?}");
            if let Some(best) = outcome.best() {
                assert!(position.is_legal(best), "{best} in {position:?}");
            }
        }
    }
}

#[test]
fn the_shortest_win_is_played() {
    // Black has four in a row, both ends open.
    let five = position(Rule::Freestyle, 15, "h8a1i8c1j8e1k8g1");
    let outcome = search(&five, 1_000);
    assert_eq!(outcome.score.to_string(), "+M1");
    assert!(["g8", "l8"].contains(&outcome.best().unwrap().to_string().as_str()));
    // An open three with the move is an open four.
    let four = position(Rule::Standard, 15, "h8a1i8c1j8e1");
    assert_eq!(search(&four, 1_000).score.to_string(), "+M3");
    // Two open twos that cross make a double three.
    let threes = position(Rule::Freestyle, 15, "h8a1i8o1g9o15g10a15");
    assert_eq!(search(&threes, 5_000).score.to_string(), "+M5");
}

#[test]
fn a_four_is_stopped() {
    for rule in Rule::ALL {
        // White closed one end; the other is the only move.
        let position = position(rule, 15, "h8g8i8a1j8c1k8");
        let outcome = search(&position, 1_000);
        let best = outcome.best().unwrap().to_string();
        // Under caro the stone beyond the end closes the five as well.
        let caro = matches!(rule, Rule::Caro | Rule::CaroOverline);
        assert!(best == "l8" || (caro && best == "m8"), "{rule}: {best}");
    }
}

#[test]
fn a_lost_game_is_played_on() {
    let open_four = position(Rule::Freestyle, 15, "h8a1i8c1j8e1k8");
    let outcome = search(&open_four, 1_000);
    assert_eq!(outcome.score.to_string(), "-M2");
    assert!(["g8", "l8"].contains(&outcome.best().unwrap().to_string().as_str()));
}

/// White makes a four whose only answer is forbidden to black: that wins, and
/// only under renju.
#[test]
fn fours_that_may_not_be_answered_win() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut found = 0;
    while found < 20 {
        let mut position = Position::new(Rule::Renju, BoardSize::square(11).unwrap());
        for _ in 0..2 * rng.usize(6..14) + 1 {
            let point = Point::new(rng.usize(1..10), rng.usize(1..10));
            let wins = position.class(position.side(), point) == Class::Five;
            if !wins && position.is_legal(point) {
                position.play(point);
            }
        }
        position.set_side(Color::White);
        if threat_status(&mut position) != ThreatStatus::Quiet {
            continue;
        }
        let fours: Vec<Point> = position.fours(Color::White).collect();
        let mut is_foul_attack = |point| {
            position.play(point);
            let answer = position.fours_of_class(Color::White, Class::Five).next();
            let forbidden = answer.is_some_and(|answer| position.forbidden(answer).is_some());
            position.undo();
            forbidden
        };
        if fours.into_iter().any(&mut is_foul_attack) {
            found += 1;
            let score = search(&position, 3_000).score;
            assert_eq!(score.to_string(), "+M3", "{position:?}");
        }
    }
}

/// Writing to a gibibyte takes a few hundred milliseconds, which the first move
/// of a game does not have.
#[test]
fn a_large_table_costs_nothing_until_used() {
    // A busy machine may stand still: what takes long by itself does so every time.
    let quickest = (0..5).map(|_| {
        let start = std::time::Instant::now();
        let table = TranspositionTable::new(1 << 30);
        assert_eq!(table.hashfull(), 0);
        start.elapsed()
    });
    let quickest = quickest.min().unwrap();
    assert!(quickest.as_millis() < 60, "{quickest:?}");
}

/// Stops after so many calls, and checks what it hears.
struct Impatient {
    polls: u64,
    last_nodes: u64,
    depths: Vec<u32>,
}

impl Report for Impatient {
    fn progress(&mut self, progress: &Line) {
        assert!(!progress.pv.is_empty());
        self.depths.push(progress.depth);
    }

    fn stop(&mut self, nodes: u64) -> bool {
        assert!(nodes <= self.last_nodes + POLL_INTERVAL);
        self.last_nodes = nodes;
        self.polls -= 1;
        self.polls == 0
    }
}

#[test]
fn stop_is_obeyed_and_progress_reported() {
    let position = position(Rule::Freestyle, 15, "h8h7g8i8");
    for polls in [1, 2, 50] {
        let mut report = Impatient {
            polls,
            last_nodes: 0,
            depths: vec![],
        };
        let outcome = searcher().search(&position, &Limits::default(), &mut report);
        assert!(outcome.best().is_some());
        assert_eq!(report.polls, 0);
        assert!(outcome.nodes <= report.last_nodes + 1);
        let expected: Vec<u32> = (1..=outcome.depth).collect();
        assert_eq!(report.depths, expected);
    }
}

/// A search that goes on with what others have left in the table may be cut
/// short anywhere: even while it looks again, in a wider window, at a move that
/// came out better than thought. What it says is a value all the same.
#[test]
fn a_search_cut_short_has_a_value() {
    let position = position(Rule::Standard, 15, "a1h8o1h9a15");
    for nodes in [
        &[1_020, 0, 2_026, 0][..],
        &[404, 0, 10_973, 0, 6_395, 0, 4_750],
        &[169, 0, 9_685, 0, 10_071, 0, 2_207],
    ] {
        let mut searcher = searcher();
        for &nodes in nodes {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let found = searcher.search(&position, &limits, &mut ());
            assert!(found.score > -Score::MAX_EVAL, "{nodes}: {found:?}");
        }
    }
}

/// A move that turns out to lose is no lost game as long as others have not
/// been tried, wherever the search is cut short.
#[test]
fn a_search_cut_short_claims_no_loss_it_has_not_seen() {
    let mut losses = 0;
    for seed in 0..64 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut position = position(Rule::Freestyle, 15, "h8i9");
        let mut searcher = searcher();
        loop {
            let limits = Limits {
                nodes: rng.u64(50..2_000),
                ..Limits::default()
            };
            let found = searcher.search(&position, &limits, &mut ());
            if found.score.is_loss() {
                let deep = search(&position, 200_000);
                // The search of one move alone ends at depth 4, whatever it is worth.
                let is_only_move = deep.depth == 4 && !deep.score.is_decided();
                assert!(
                    deep.score.is_loss() || is_only_move,
                    "{seed} {position:?}: {found:?}, {deep:?}"
                );
                losses += usize::from(!is_only_move);
                break;
            }
            // The side that sees its win goes on, so that the other sees the loss.
            position.play(found.best().unwrap());
            if position.won() || position.ply() > 100 {
                break;
            }
        }
    }
    assert!(losses > 0);
}

/// Points may be excluded at the root, even those that win or save the game.
#[test]
fn excluded_points_are_not_played() {
    let search = |moves: &str, excluded: &str| {
        let position = position(Rule::Freestyle, 15, moves);
        let mut limits = Limits {
            nodes: 3_000,
            ..Limits::default()
        };
        for point in excluded.split_whitespace() {
            limits.excluded.insert(point.parse().unwrap());
        }
        searcher().search(&position, &limits, &mut ())
    };
    let four = "d8a1e8a3f8a5g8a7";
    let play = |excluded: &str| search(four, excluded).best().unwrap().to_string();
    assert_eq!([play("c8"), play("h8")], ["h8", "c8"]);
    let neither = search(four, "c8 h8");
    assert!(!["c8", "h8"].contains(&neither.best().unwrap().to_string().as_str()));
    assert!(neither.depth > 1 && neither.score < Score::win_at(2));
    // The one answer to a four may be excluded as well, and all points.
    let lost = search("d8a1e8a3f8a5g8", "c8 h8");
    assert!(lost.best().is_some() && lost.score.is_loss());
    let all: Vec<String> = BoardSize::default()
        .iter()
        .map(|point| point.to_string())
        .collect();
    assert_eq!(search(four, &all.join(" ")).best(), None);
}
