//! The solver on random positions of every rule: what it claims is checked
//! against every legal reply, by a referee that knows only the rules.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod oracle;

use oracle::Board;
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Color, Point, Rule};
use quincunx::threats::{Kind, Limits, Proof, Solver, Verdict};
use std::collections::HashSet;

fn empty_points(position: &Position) -> Vec<Point> {
    position
        .size()
        .iter()
        .filter(|&p| position.is_empty(p))
        .collect()
}

/// The legal points where `color` would win at once, by the rules alone.
fn winning_points(position: &Position, color: Color) -> Vec<Point> {
    let mut board = Board::of(position);
    empty_points(position)
        .into_iter()
        .filter(|p| board.wins(color, (p.x() as i32, p.y() as i32)))
        .collect()
}

/// Whether the side to move may play there, by the rules alone.
fn may_play(position: &Position, point: Point) -> bool {
    if !position.is_empty(point) {
        return false;
    }
    let at = (point.x() as i32, point.y() as i32);
    !position.rule().forbids(position.side()) || Board::of(position).forbidden(at).is_empty()
}

/// Follows a proof against all legal replies. Nodes that were found to hold
/// are remembered with their position: proofs share parts.
struct Referee {
    seen: HashSet<u64>,
    replies: usize,
}

impl Referee {
    fn check(&mut self, position: &mut Position, proof: &Proof) -> Result<(), String> {
        if !self.seen.insert(position.key()) {
            return Ok(());
        }
        let winner = position.side();
        let point = proof.point();
        if !may_play(position, point) {
            return Err(format!("{point} is not legal in {position:?}"));
        }
        let wins = winning_points(position, winner).contains(&point);
        if proof.otherwise().is_empty() {
            let over = wins && proof.replies().is_empty();
            return over
                .then_some(())
                .ok_or(format!("{point} does not win in {position:?}"));
        }
        position.play(point);
        let result = self.check_replies(position, proof);
        position.undo();
        result
    }

    fn check_replies(&mut self, position: &mut Position, proof: &Proof) -> Result<(), String> {
        for reply in empty_points(position) {
            if !may_play(position, reply) {
                continue;
            }
            self.replies += 1;
            if winning_points(position, position.side()).contains(&reply) {
                return Err(format!("{reply} wins for the loser in {position:?}"));
            }
            let own = proof.replies().iter().find(|r| r.point == reply);
            position.play(reply);
            let result = match own {
                Some(own) => self.check(position, &own.refutation),
                None => follow(position, proof.otherwise()),
            };
            position.undo();
            result?;
        }
        Ok(())
    }
}

/// Whether the side to move wins by these fours, each answer being forced.
fn follow(position: &mut Position, line: &[Point]) -> Result<(), String> {
    let winner = position.side();
    let now = winning_points(position, winner);
    if !now.is_empty() {
        return Ok(());
    }
    let (&point, rest) = line
        .split_first()
        .ok_or(format!("nothing left in {position:?}"))?;
    if !may_play(position, point) {
        return Err(format!("{point} is not legal in {position:?}"));
    }
    position.play(point);
    let result = follow_answers(position, rest);
    position.undo();
    result
}

fn follow_answers(position: &mut Position, rest: &[Point]) -> Result<(), String> {
    let loser = position.side();
    if !winning_points(position, loser).is_empty() {
        return Err(format!("the loser wins in {position:?}"));
    }
    let mut fours = winning_points(position, loser.opponent());
    if fours.is_empty() {
        return Err(format!("no four in {position:?}"));
    }
    // Only what stands near a five can prevent it.
    let far = |p: &Point| fours.iter().all(|five| five.distance(*p) > 6);
    let mut answers = empty_points(position);
    let one_far = answers.iter().copied().find(far);
    answers.retain(|p| !far(p));
    answers.extend(one_far);
    fours.clear();
    for answer in answers {
        if !may_play(position, answer) {
            continue;
        }
        position.play(answer);
        let still = !winning_points(position, loser.opponent()).is_empty();
        let result = if still {
            Ok(())
        } else if rest.first() == Some(&answer) {
            follow(position, &rest[1..])
        } else {
            Err(format!("{answer} is not answered in {position:?}"))
        };
        position.undo();
        result?;
    }
    Ok(())
}

/// A few stones close together, so that threats abound.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::square(rng.usize(8..=11)).unwrap();
    let mut position = Position::new(rule, size);
    let reach = rng.usize(5..=8);
    for _ in 0..rng.usize(8..=28) {
        let point = Point::new(rng.usize(0..reach), 1 + rng.usize(0..reach - 1));
        let wins = position.class(position.side(), point) == quincunx::pattern::Class::Five;
        if position.is_empty(point) && !wins && position.is_legal(point) {
            position.play(point);
        }
    }
    position
}

/// Whether the side to move wins with at most so many fours: every legal move
/// that makes a four and every legal answer, without any memory.
fn wins_by_fours(position: &mut Position, fours: usize) -> bool {
    let attacker = position.side();
    if !winning_points(position, attacker).is_empty() {
        return true;
    }
    if fours == 0 {
        return false;
    }
    empty_points(position).into_iter().any(|point| {
        if !may_play(position, point) {
            return false;
        }
        position.play(point);
        let wins = !winning_points(position, attacker).is_empty()
            && winning_points(position, attacker.opponent()).is_empty()
            && every_answer_loses(position, fours - 1);
        position.undo();
        wins
    })
}

fn every_answer_loses(position: &mut Position, fours: usize) -> bool {
    empty_points(position).into_iter().all(|answer| {
        if !may_play(position, answer) {
            return true;
        }
        position.play(answer);
        let loses = wins_by_fours(position, fours);
        position.undo();
        loses
    })
}

fn solve(solver: &mut Solver, position: &Position, kind: Kind, nodes: u64) -> Verdict {
    let limits = Limits {
        nodes,
        stop: &mut || false,
    };
    solver.solve(position, kind, limits).verdict
}

#[test]
fn wins_by_fours_are_the_shortest_and_none_is_missed() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut solver = Solver::new(1 << 20);
    let mut seen = [0; 5];
    for rule in Rule::ALL {
        for _ in 0..60 {
            let mut position = random_position(&mut rng, rule);
            match solve(&mut solver, &position, Kind::Vcf, 100_000) {
                Verdict::Win(proof) => {
                    let fours = proof.plies() / 2;
                    seen[fours.min(3)] += 1;
                    assert_eq!(proof.line().len(), proof.plies());
                    let shorter = (fours.min(3)).checked_sub(1);
                    let shorter = shorter.is_some_and(|n| wins_by_fours(&mut position, n));
                    assert!(
                        !shorter,
                        "a win in fewer than {} plies: {position:?}",
                        proof.plies()
                    );
                }
                Verdict::None => {
                    seen[4] += 1;
                    assert!(!wins_by_fours(&mut position, 2), "a win in {position:?}");
                }
                Verdict::Unknown => panic!("no answer for {position:?}"),
            }
        }
    }
    println!("wins with 0, 1, 2 and more fours, and none: {seen:?}");
    assert!(seen.iter().all(|&n| n > 3), "{seen:?}");
}

/// Any stones at all: both sides with fives, forbidden stones, full boards.
#[test]
fn nonsense_is_answered_within_the_limit() {
    let mut rng = fastrand::Rng::with_seed(77);
    let mut solver = Solver::new(1 << 20);
    for rule in Rule::ALL {
        for number in 0..60 {
            let size = BoardSize::new(rng.usize(5..=22), rng.usize(5..=22)).unwrap();
            let mut position = Position::new(rule, size);
            for _ in 0..rng.usize(0..=size.points()) {
                let point = Point::new(rng.usize(0..size.width()), rng.usize(0..size.height()));
                if rng.u8(..) < 8 {
                    position.pass();
                } else if position.is_empty(point) {
                    position.play(point);
                }
            }
            for kind in [Kind::Vcf, Kind::Vct, Kind::Any] {
                let limits = Limits {
                    nodes: 2_000,
                    stop: &mut || false,
                };
                let solution = solver.solve(&position, kind, limits);
                assert!(solution.nodes <= 2_000);
                if let Verdict::Win(proof) = solution.verdict {
                    assert_eq!(proof.line().len(), proof.plies());
                }
            }
            if number % 10 == 0 {
                let limits = Limits {
                    nodes: 20_000,
                    stop: &mut || false,
                };
                let defence = solver.defend(&position, Kind::Any, limits);
                let moves = defence.holds.len() + defence.loses.len() + defence.unknown.len();
                assert!(moves <= position.empty_points());
            }
        }
    }
}

/// White's first move shows no shape: it blocks a four that would interrupt a
/// threat. "None" would be wrong however few nodes there are.
#[test]
fn a_threat_upheld_by_a_block_is_not_missed() {
    let size = BoardSize::square(9).unwrap();
    let moves = "a7h5b2e1a5a4d4a6f8h3c1h8e7h4c7f4";
    let mut position = Position::from_moves(Rule::Renju, size, moves).unwrap();
    let mut solver = Solver::new(16 << 20);
    let few = solve(&mut solver, &position, Kind::Vct, 1_000);
    assert_eq!(few, Verdict::Unknown);
    let Verdict::Win(proof) = solve(&mut solver, &position, Kind::Vct, 100_000) else {
        panic!("no win in {position:?}");
    };
    let mut referee = Referee {
        seen: HashSet::new(),
        replies: 0,
    };
    referee.check(&mut position, &proof).unwrap();
}

/// What the stop function says ends the search at once.
#[test]
fn a_search_can_be_stopped() {
    let position = Position::from_moves(
        Rule::Freestyle,
        BoardSize::default(),
        "h8i9h9i8h7i10g9j8g10k7f11l6",
    )
    .unwrap();
    let mut asked = 0;
    let limits = Limits {
        nodes: u64::MAX,
        stop: &mut || {
            asked += 1;
            asked > 3
        },
    };
    let solution = Solver::new(1 << 20).solve(&position, Kind::Any, limits);
    assert!(solution.nodes <= 5 * 1024, "{}", solution.nodes);
}

/// Solves random positions and has every win refereed.
fn refereed(rule: Rule, seed: u64, positions: usize, nodes: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut solver = Solver::new(16 << 20);
    let (mut wins, mut threes, mut replies) = (0, 0, 0);
    for number in 0..positions {
        let mut position = random_position(&mut rng, rule);
        let kind = if number % 2 == 0 {
            Kind::Vct
        } else {
            Kind::Any
        };
        let Verdict::Win(proof) = solve(&mut solver, &position, kind, nodes) else {
            continue;
        };
        let mut referee = Referee {
            seen: HashSet::new(),
            replies: 0,
        };
        let before = position.key();
        if let Err(problem) = referee.check(&mut position, &proof) {
            panic!("{rule}: {problem}\nin the proof of {position:?}: {proof:?}");
        }
        assert_eq!(position.key(), before);
        assert_eq!(proof.line().len(), proof.plies());
        wins += 1;
        threes += usize::from(proof.otherwise().len() > 1);
        replies += referee.replies;
    }
    println!("{rule}: {wins} wins of {positions}, {threes} by threes; {replies} replies checked");
    assert!(threes > 0);
}

#[test]
fn claimed_wins_hold_against_every_reply() {
    for (number, rule) in Rule::ALL.into_iter().enumerate() {
        refereed(rule, 11 + number as u64, 40, 2_000);
    }
}

/// More of the same, a test a rule so that they run side by side:
/// `cargo test --release --test solver -- --ignored thousands`.
mod thousands {
    use super::*;

    const POSITIONS: usize = 2_000;
    const NODES: u64 = 3_000;

    #[test]
    #[ignore = "takes minutes"]
    fn freestyle() {
        refereed(Rule::Freestyle, 21, POSITIONS, NODES);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn exact_five() {
        refereed(Rule::ExactFive, 22, POSITIONS, NODES);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn renju() {
        refereed(Rule::Renju, 23, POSITIONS, NODES);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn caro() {
        refereed(Rule::Caro, 24, POSITIONS, NODES);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn caro_overline() {
        refereed(Rule::CaroOverline, 25, POSITIONS, NODES);
    }
}
