//! Play where the game is decided: wins are won without detours, and lost positions are
//! defended to the end. People find fours that lead nowhere and stones in the corner silly,
//! even where they cost nothing.

use crate::sources::{ends_of_games, random_boards};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use quincunx_testing::searcher::FreshSearcher;

const NODES: u64 = 5_000;

fn limits(stop: &mut dyn FnMut() -> bool) -> SolverLimits<'_> {
    SolverLimits {
        nodes: 20_000,
        stop,
    }
}

/// The length in plies of the shortest win by fours, if there is one.
fn shortest_win(solver: &mut Solver, position: &Position) -> Option<usize> {
    let solution = solver.solve(position, WinKind::Vcf, limits(&mut || false));
    match solution.win {
        ForcedWin::Proven(proof) => Some(proof.plies()),
        _ => None,
    }
}

/// The distance of a point from the nearest stone.
fn distance_to_stones(position: &Position, point: Point) -> usize {
    let stones = position.moves().map(|(_, stone)| stone);
    let distances = stones.filter(|&stone| stone != Point::NONE);
    distances.map(|stone| stone.distance(point)).min().unwrap()
}

/// The plies until the game is over if the engine plays both sides.
fn plies_to_the_end(searcher: &mut FreshSearcher, position: &Position, most: usize) -> usize {
    let mut position = position.clone();
    for ply in 0..most {
        let Some(best) = searcher.search(&position, NODES).best() else {
            return most;
        };
        let near = distance_to_stones(&position, best);
        assert!(near <= 4, "{best} after {position:?}");
        position.play(best);
        if position.won() {
            return ply + 1;
        }
    }
    most
}

#[test]
fn wins_are_won_without_detours() {
    let (mut solver, mut searcher) = (Solver::new(4 << 20), FreshSearcher::default());
    let (mut wins, mut detours, mut lost) = (0, 0, 0);
    for position in ends_of_games(11, 30, 15).chain(random_boards(11, 600, 9..=15)) {
        if position.won() {
            continue;
        }
        let Some(shortest) = shortest_win(&mut solver, &position) else {
            continue;
        };
        wins += 1;
        let plies = plies_to_the_end(&mut searcher, &position, shortest + 20);
        if plies > shortest {
            println!("{plies} for {shortest} in {position:?}");
            detours += 1;
            lost += usize::from(plies == shortest + 20);
        }
    }
    println!("{wins} wins, {detours} took longer than the shortest win by fours, {lost} lost");
    assert!(wins > 200 && lost == 0 && detours * 50 < wins);
}

#[test]
fn lost_positions_are_defended_to_the_end() {
    let (mut solver, mut searcher) = (Solver::new(4 << 20), FreshSearcher::default());
    let (mut losses, mut shorter) = (0, 0);
    for position in ends_of_games(12, 30, 15).chain(random_boards(12, 2_000, 9..=15)) {
        if position.won() || shortest_win(&mut solver, &position).is_some() {
            continue;
        }
        let defence = solver.defend(&position, WinKind::Vcf, limits(&mut || false));
        if !defence.holds.is_empty() || !defence.unknown.is_empty() {
            continue;
        }
        losses += 1;
        let best = searcher.search(&position, NODES).best().unwrap();
        let mut after = position.clone();
        after.play(best);
        let plies = 1 + shortest_win(&mut solver, &after).unwrap();
        if plies < defence.longest.len() {
            println!(
                "{best} {plies} of {:?} in {position:?}",
                defence.longest.len()
            );
            shorter += 1;
        }
        let near = distance_to_stones(&position, best);
        assert!(near <= 4, "{best} after {position:?}");
    }
    println!("{losses} losses, {shorter} not with the longest resistance");
    assert!(losses > 200 && shorter * 25 < losses);
}
