//! The solver on random positions of every rule: what it claims is checked
//! against every legal reply, by a referee that knows only the rules.

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{Fours, by_fours};
use quincunx_testing::referee::Referee;
use quincunx_train::selfplay::{GameGenerator, SelfplayOptions};
use std::sync::Arc;

/// A few stones close together, so that threats abound.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::square(rng.usize(8..=11)).unwrap();
    let mut position = Position::new(rule, size);
    let reach = rng.usize(5..=8);
    for _ in 0..rng.usize(8..=28) {
        let point = Point::new(rng.usize(0..reach), 1 + rng.usize(0..reach - 1));
        let wins = position.class(position.side(), point) == quincunx_engine::pattern::Class::Five;
        if position.is_empty(point) && !wins && position.is_legal(point) {
            position.play(point);
        }
    }
    position
}

fn solve(solver: &mut Solver, position: &Position, kind: WinKind, nodes: u64) -> ForcedWin {
    let limits = SolverLimits {
        nodes,
        stop: &mut || false,
    };
    solver.solve(position, kind, limits).win
}

#[test]
fn wins_by_fours_are_the_shortest_and_none_is_missed() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut solver = Solver::new(1 << 20);
    let mut seen = [0; 5];
    for rule in Rule::ALL {
        for _ in 0..100 {
            let position = random_position(&mut rng, rule);
            let expected = by_fours(&mut Board::of(&position), 100_000);
            let (place, found) = match solve(&mut solver, &position, WinKind::Vcf, 100_000) {
                ForcedWin::Proven(proof) => {
                    assert_eq!(proof.line().len(), proof.plies());
                    ((proof.plies() / 2).min(3), Fours::Win(proof.plies()))
                }
                ForcedWin::None => (4, Fours::None),
                ForcedWin::Unknown => panic!("no answer for {position:?}"),
            };
            assert_eq!(found, expected, "{position:?}");
            seen[place] += 1;
        }
    }
    println!("wins with 0, 1, 2 and more fours, and none: {seen:?}");
    assert!(seen.iter().all(|&n| n > 3), "{seen:?}");
}

/// Any stones at all: both sides with fives, forbidden stones, full boards.
fn any_stones(rng: &mut fastrand::Rng, rule: Rule) -> Position {
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
    position
}

/// Solves so many such positions of every rule, and keeps the limit.
fn answered_within(seed: u64, positions: usize, nodes: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut solver = Solver::new(1 << 20);
    for number in 0..positions * Rule::ALL.len() {
        let rule = Rule::ALL[number % Rule::ALL.len()];
        let position = any_stones(&mut rng, rule);
        let kind = [WinKind::Vcf, WinKind::Vct, WinKind::Any][number % 3];
        let limits = SolverLimits {
            nodes,
            stop: &mut || false,
        };
        solver.clear();
        let solution = solver.solve(&position, kind, limits);
        assert!(solution.nodes <= nodes, "{position:?}");
        if let ForcedWin::Proven(proof) = solution.win {
            assert_eq!(proof.line().len(), proof.plies());
        }
        if number % 50 == 0 {
            let limits = SolverLimits {
                nodes: 10 * nodes,
                stop: &mut || false,
            };
            let defence = solver.defend(&position, kind, limits);
            let moves = defence.holds.len() + defence.loses.len() + defence.unknown.len();
            assert!(moves <= position.empty_points());
            assert!(defence.nodes <= 10 * nodes);
            let longest = defence.longest.first();
            assert_eq!(longest.is_none(), defence.loses.is_empty());
            assert!(longest.is_none_or(|point| defence.loses.contains(point)));
        }
        if (number + 1) % 100_000 == 0 {
            println!("{} positions", number + 1);
        }
    }
}

#[test]
fn nonsense_is_answered_within_the_limit() {
    answered_within(77, 180, 2_000);
}

/// More of the same: `cargo test --release --test positions -- --ignored solver million`.
#[test]
#[ignore = "takes an hour"]
fn a_million_pieces_of_nonsense_are_answered() {
    answered_within(78, 200_000, 300);
}

/// White's first move shows no shape: it blocks a four that would interrupt a
/// threat. "None" would be wrong however few nodes there are.
#[test]
fn a_threat_upheld_by_a_block_is_not_missed() {
    let size = BoardSize::square(9).unwrap();
    let moves = "a7h5b2e1a5a4d4a6f8h3c1h8e7h4c7f4";
    let position = Position::from_moves(Rule::Renju, size, moves).unwrap();
    let mut solver = Solver::new(16 << 20);
    let few = solve(&mut solver, &position, WinKind::Vct, 1_000);
    assert_eq!(few, ForcedWin::Unknown);
    let ForcedWin::Proven(proof) = solve(&mut solver, &position, WinKind::Vct, 100_000) else {
        panic!("no win in {position:?}");
    };
    let mut referee = Referee::default();
    referee.check(&mut Board::of(&position), &proof).unwrap();
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
    let limits = SolverLimits {
        nodes: u64::MAX,
        stop: &mut || {
            asked += 1;
            asked > 3
        },
    };
    let solution = Solver::new(1 << 20).solve(&position, WinKind::Any, limits);
    assert!(solution.nodes <= 5 * 1024, "{}", solution.nodes);
}

/// Positions without end, and the same again for the same seed.
fn random_positions(rule: Rule, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = fastrand::Rng::with_seed(seed);
    std::iter::repeat_with(move || random_position(&mut rng, rule))
}

/// Games of the engine against itself, every position of each.
fn own_games(rule: Rule, seed: u64) -> impl Iterator<Item = Vec<Position>> {
    let size = BoardSize::default();
    let mut generator = GameGenerator::new(
        SelfplayOptions::new(rule, vec![size], 200, seed),
        Arc::default(),
    );
    (0..).map(move |number| {
        let game = generator.play(number).unwrap();
        let mut position = Position::new(rule, size);
        game.opening.iter().for_each(|&point| position.play(point));
        let mut positions = vec![position.clone()];
        for ply in game.plies {
            position.play(ply.played);
            positions.push(position.clone());
        }
        positions
    })
}

/// Solves so many positions and has every win refereed. Returns how many there
/// were, and how many with threes.
fn refereed(positions: impl Iterator<Item = Position>, count: usize, nodes: u64) -> (usize, usize) {
    let mut solver = Solver::new(16 << 20);
    let (mut wins, mut threes, mut replies) = (0, 0, 0);
    for (number, position) in positions.take(count).enumerate() {
        let kind = if number % 2 == 0 {
            WinKind::Vct
        } else {
            WinKind::Any
        };
        let ForcedWin::Proven(proof) = solve(&mut solver, &position, kind, nodes) else {
            continue;
        };
        let mut referee = Referee::default();
        if let Err(problem) = referee.check(&mut Board::of(&position), &proof) {
            panic!("{problem}\nin the proof of {position:?}: {proof:?}");
        }
        assert_eq!(proof.line().len(), proof.plies());
        wins += 1;
        threes += usize::from(proof.otherwise().len() > 1);
        replies += referee.replies;
    }
    println!("{wins} wins of {count}, {threes} by threes; {replies} replies checked");
    (wins, threes)
}

#[test]
fn claimed_wins_hold_against_every_reply() {
    for (number, rule) in Rule::ALL.into_iter().enumerate() {
        let positions = random_positions(rule, 11 + number as u64);
        let (_, threes) = refereed(positions, 40, 2_000);
        assert!(threes > 0);
    }
}

#[test]
fn claimed_wins_of_own_games_hold_against_every_reply() {
    // Where games end there are wins, whatever the evaluation makes of the rest.
    let wins = |(number, rule)| {
        let games = own_games(rule, 31 + number as u64);
        let ends = games.flat_map(|game| game.into_iter().rev().take(3));
        refereed(ends, 6, 500).0
    };
    let all: usize = Rule::ALL.into_iter().enumerate().map(wins).sum();
    assert!(all > 0);
}

/// More of the same, a test a rule so that they run side by side:
/// `cargo test --release --test positions -- --ignored solver thousands`.
mod thousands {
    use super::*;

    /// Half of them of games of our own.
    fn both(rule: Rule, seed: u64) {
        const POSITIONS: usize = 2_000;
        const NODES: u64 = 3_000;
        refereed(random_positions(rule, seed), POSITIONS, NODES);
        refereed(own_games(rule, seed).flatten(), POSITIONS, NODES);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn freestyle() {
        both(Rule::Freestyle, 21);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn exact_five() {
        both(Rule::Standard, 22);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn renju() {
        both(Rule::Renju, 23);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn caro() {
        both(Rule::Caro, 24);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn caro_overline() {
        both(Rule::CaroOverline, 25);
    }
}
