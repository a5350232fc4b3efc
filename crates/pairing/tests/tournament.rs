//! Tournaments of any size with random results and withdrawals: who meets whom, and
//! standings worked out by hand.

#![allow(clippy::unwrap_used)]

use fastrand::Rng;
use proptest::prelude::*;
use quincunx_pairing::{
    Pairing, PairingResult, Score, StandingsRow, System, Tournament, TournamentError, Wishes,
};
use std::collections::BTreeSet;

const RESULTS: [PairingResult; 6] = [
    PairingResult::Played(Score::Win),
    PairingResult::Played(Score::Draw),
    PairingResult::Played(Score::Loss),
    PairingResult::FirstAbsent,
    PairingResult::SecondAbsent,
    PairingResult::Neither,
];

/// What has happened to a player.
#[derive(Clone, Default)]
struct Tally {
    met: Vec<usize>,
    byes: usize,
    balance: i32,
}

fn tallies(tournament: &Tournament) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); tournament.players()];
    for pairing in tournament.rounds().iter().flatten() {
        let Some(second) = pairing.second else {
            tallies[pairing.first].byes += 1;
            continue;
        };
        // Players of a game that was not played may still meet, and have had no seat.
        if pairing.result.is_none_or(|it| it.is_played()) {
            tallies[pairing.first].met.push(second);
            tallies[pairing.first].balance += 1;
            tallies[second].met.push(pairing.first);
            tallies[second].balance -= 1;
        }
    }
    tallies
}

/// Each player of a round is there once.
fn players_of(round: &[Pairing]) -> BTreeSet<usize> {
    let players: Vec<usize> = (round.iter())
        .flat_map(|pairing| [Some(pairing.first), pairing.second])
        .flatten()
        .collect();
    let set: BTreeSet<usize> = players.iter().copied().collect();
    assert_eq!(set.len(), players.len(), "{round:?}");
    set
}

/// Ends every game of the last round by lot.
fn play_round(tournament: &mut Tournament, random: &mut Rng) {
    let round = tournament.rounds().last().unwrap().clone();
    for (table, pairing) in round.iter().enumerate() {
        if pairing.result.is_none() {
            // As a rule all players come.
            let kinds = if random.u8(..8) == 0 { 6 } else { 3 };
            let result = RESULTS[random.usize(..kinds)];
            tournament.record(table, result).unwrap();
        }
    }
}

#[test]
fn everybody_meets_everybody_in_a_round_robin() {
    for players in 2..=64 {
        for double in [false, true] {
            let system = System::RoundRobin { double };
            let mut tournament = Tournament::new(system, players).unwrap();
            while tournament.pair().unwrap() {
                let round = tournament.rounds().last().unwrap().clone();
                assert_eq!(players_of(&round).len(), players);
                for table in (0..round.len()).filter(|it| round[*it].result.is_none()) {
                    let draw = PairingResult::Played(Score::Draw);
                    tournament.record(table, draw).unwrap();
                }
            }
            let circle = players - 1 + players % 2;
            let cycles = 1 + usize::from(double);
            assert_eq!(tournament.rounds().len(), cycles * circle);
            for (player, tally) in tallies(&tournament).into_iter().enumerate() {
                let mut met = tally.met;
                met.sort_unstable();
                let others: Vec<usize> = (0..players)
                    .filter(|other| *other != player)
                    .flat_map(|other| std::iter::repeat_n(other, cycles))
                    .collect();
                assert_eq!(met, others);
                assert_eq!(tally.byes, cycles * (players % 2));
                let most = if double || players % 2 == 1 { 0 } else { 1 };
                assert!(tally.balance.abs() <= most, "{players}: {}", tally.balance);
            }
        }
    }
}

/// Whether so many players can be paired who have not met, with one bye if they are
/// odd: every way is tried.
fn can_be_paired(rest: &[usize], tallies: &[Tally], bye_is_free: bool) -> bool {
    let Some((player, others)) = rest.split_first() else {
        return true;
    };
    let without =
        |other: usize| -> Vec<usize> { others.iter().copied().filter(|it| *it != other).collect() };
    let has_bye = bye_is_free
        && rest.len() % 2 == 1
        && tallies[*player].byes == 0
        && can_be_paired(others, tallies, false);
    has_bye
        || others.iter().any(|other| {
            !tallies[*player].met.contains(other)
                && can_be_paired(&without(*other), tallies, bye_is_free)
        })
}

/// Plays a Swiss tournament to its end, and checks every round.
fn swiss(players: usize, rounds: u32, seed: u64, withdrawals: bool) {
    let mut random = Rng::with_seed(seed);
    let mut tournament = Tournament::new(System::Swiss { rounds }, players).unwrap();
    loop {
        let before = tallies(&tournament);
        let here: Vec<usize> = (0..players)
            .filter(|player| !tournament.has_withdrawn(*player))
            .collect();
        let is_last = tournament.rounds().len() >= tournament.planned_rounds();
        match tournament.pair() {
            Err(error) => {
                assert_eq!(error, TournamentError::NoPairing);
                let can_be_paired = || can_be_paired(&here, &before, true);
                assert!(players > 10 || !can_be_paired(), "{seed}: too early");
                assert!(!tournament.is_over() && tournament.is_round_over());
                tournament.end();
                break;
            }
            Ok(false) => {
                assert!(is_last || here.len() < 2, "{seed}: too early");
                break;
            }
            Ok(true) => (),
        }
        let round = tournament.rounds().last().unwrap();
        assert!(players_of(round).into_iter().eq(here));
        for (player, tally) in tallies(&tournament).into_iter().enumerate() {
            let met: BTreeSet<usize> = tally.met.iter().copied().collect();
            assert_eq!(
                met.len(),
                tally.met.len(),
                "{player} meets one player twice"
            );
            assert!(!met.contains(&player) && tally.byes <= 1);
            let rounds = tournament.rounds().len();
            // Late in a small field few players are left to choose from.
            let is_early = 4 * (rounds - 1) <= players;
            let balance = tally.balance.abs();
            // Points come before seats up to a difference of three.
            assert!(
                balance <= 3 || !is_early,
                "{players} players, round {rounds}: {balance}"
            );
        }
        play_round(&mut tournament, &mut random);
        for player in 0..players {
            if withdrawals && random.usize(..players * 3) == 0 {
                tournament.withdraw(player).unwrap();
            }
        }
    }
    assert!(tournament.is_over());
    assert_eq!(tournament.pair(), Err(TournamentError::Over));
    let played = tournament.rounds().len();
    let sure = tournament.planned_rounds().min(players.div_ceil(2));
    assert!(withdrawals || played >= sure, "{played} of {sure} rounds");
    let places = tournament.standings();
    assert!(places.is_sorted_by(|one, other| one.points >= other.points));
    let ranked: BTreeSet<usize> = places.iter().map(|place| place.player).collect();
    assert_eq!(ranked.len(), players);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn nobody_meets_anybody_twice(
        players in 2_usize..=24, rounds in 1_u32..12, seed: u64, withdrawals: bool
    ) {
        swiss(players, rounds, seed, withdrawals);
    }
}

#[test]
fn swiss_tournaments_of_every_size() {
    for players in 2..=64 {
        swiss(players, 5, players as u64, players % 3 == 0);
    }
}

/// `cargo test --release -p quincunx-pairing -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_swiss_tournaments() {
    for seed in 0..10_000 {
        let mut random = Rng::with_seed(seed);
        let (players, rounds) = (random.usize(2..=64), random.u32(1..=12));
        swiss(players, rounds, seed, random.bool());
    }
}

#[test]
fn equal_points_meet_and_halves_cross() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 3 }, 8).unwrap();
    assert!(tournament.pair().unwrap());
    let tables = |tournament: &Tournament| -> Vec<(usize, Option<usize>)> {
        let round = tournament.rounds().last().unwrap().iter();
        round.map(|it| (it.first, it.second)).collect()
    };
    assert_eq!(
        tables(&tournament),
        [(0, Some(4)), (5, Some(1)), (2, Some(6)), (7, Some(3))]
    );
    // The stronger ones win.
    for (table, score) in [Score::Win, Score::Loss, Score::Win, Score::Loss]
        .into_iter()
        .enumerate()
    {
        let result = PairingResult::Played(score);
        tournament.record(table, result).unwrap();
        assert_eq!(
            tournament.record(table, result),
            Err(TournamentError::Table)
        );
        let early = table < 3;
        assert_eq!(tournament.clone().pair().is_err(), early);
    }
    assert!(tournament.pair().unwrap());
    // Winners meet winners, and who began answers now: 0 and 2 began, 1 and 3 did not.
    assert_eq!(
        tables(&tournament),
        [(3, Some(0)), (1, Some(2)), (4, Some(7)), (6, Some(5))]
    );
}

#[test]
fn an_odd_one_out_has_a_bye_and_a_point() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 3 }, 3).unwrap();
    tournament.pair().unwrap();
    let bye = Pairing {
        first: 2,
        second: None,
        result: Some(PairingResult::SecondAbsent),
    };
    assert_eq!(tournament.rounds()[0][1], bye);
    tournament
        .record(0, PairingResult::Played(Score::Win))
        .unwrap();
    tournament.pair().unwrap();
    let last = tournament.rounds()[1].last().unwrap();
    assert_eq!((last.first, last.second), (1, None));
    let points: Vec<f64> = tournament.standings().iter().map(|it| it.points).collect();
    assert_eq!(points, [1.0, 1.0, 1.0]);
}

#[test]
fn a_bye_of_a_round_robin_has_no_result() {
    let mut tournament = round_robin(&[&[0, 2, 1], &[0, 0, 2], &[1, 0, 0]]);
    let pairings = tournament.rounds().iter().flatten();
    let byes: Vec<&Pairing> = pairings.filter(|it| it.second.is_none()).collect();
    assert_eq!(byes.len(), 3);
    assert!(byes.iter().all(|bye| bye.points().is_none()));
    let points: f64 = tournament.standings().iter().map(|it| it.points).sum();
    assert_eq!(points, 3.0, "as many as games");
    // A bye of the Swiss system is a point.
    tournament = Tournament::new(System::Swiss { rounds: 3 }, 3).unwrap();
    tournament.pair().unwrap();
    assert_eq!(tournament.rounds()[0][1].points(), Some([1.0, 0.0]));
}

/// Plays a round robin where the result of two players is in a table: 2 for a win of
/// the one that the row is of, 1 for a draw.
fn round_robin(results: &[&[u32]]) -> Tournament {
    let system = System::RoundRobin { double: false };
    let mut tournament = Tournament::new(system, results.len()).unwrap();
    while tournament.pair().unwrap() {
        let round = tournament.rounds().last().unwrap().clone();
        for (table, pairing) in round.iter().enumerate() {
            if let Some(second) = pairing.second {
                let score = [Score::Loss, Score::Draw, Score::Win];
                let score = score[results[pairing.first][second] as usize];
                tournament
                    .record(table, PairingResult::Played(score))
                    .unwrap();
            }
        }
    }
    tournament
}

fn summary(place: &StandingsRow) -> (usize, usize, f64, f64, f64, f64) {
    (
        place.place,
        place.player,
        place.points,
        place.buchholz,
        place.sonneborn_berger,
        place.direct,
    )
}

/// Worked out by hand: 0 and 1 have two points each, 2 and 3 one each.
#[test]
fn ties_are_broken_by_the_quality_of_wins_and_then_by_direct_games() {
    let tournament = round_robin(&[&[0, 1, 1, 2], &[1, 0, 2, 1], &[1, 0, 0, 1], &[0, 1, 1, 0]]);
    let places: Vec<_> = tournament.standings().iter().map(summary).collect();
    assert_eq!(
        places,
        [
            // Draws with 1 (2.0) and 2 (1.0), a win against 3 (1.0).
            (1, 0, 2.0, 4.0, 2.5, 0.5),
            // Draws with 0 (2.0) and 3 (1.0), a win against 2 (1.0).
            (1, 1, 2.0, 4.0, 2.5, 0.5),
            (3, 2, 1.0, 5.0, 1.5, 0.5),
            (3, 3, 1.0, 5.0, 1.5, 0.5),
        ]
    );
    // A circle of wins among the first three, who all beat the last; 3 has none.
    let circle = round_robin(&[&[0, 2, 0, 2], &[0, 0, 2, 2], &[2, 0, 0, 2], &[0, 0, 0, 0]]);
    let places: Vec<_> = circle.standings().iter().map(summary).collect();
    assert_eq!(places[0], (1, 0, 2.0, 4.0, 2.0, 1.0));
    assert_eq!(places[2], (1, 2, 2.0, 4.0, 2.0, 1.0));
    assert_eq!(places[3], (4, 3, 0.0, 6.0, 0.0, 0.0));
}

/// Points, Buchholz, Sonneborn-Berger and direct games of all players, each counted anew
/// from the list of all games.
#[test]
fn tie_breaks_are_those_of_a_slow_count() {
    let (mut decided, mut shared) = (0, 0);
    for seed in 0..300 {
        let mut random = Rng::with_seed(seed);
        let system = [
            System::Swiss { rounds: 3 },
            System::RoundRobin { double: false },
        ][seed as usize % 2];
        let mut tournament = Tournament::new(system, random.usize(3..8)).unwrap();
        while tournament.pair().unwrap() {
            play_round(&mut tournament, &mut random);
        }
        let is_swiss = seed % 2 == 0;
        let players = 0..tournament.players();
        // Player, opponent, points, and whether a game was played.
        let mut games: Vec<(usize, Option<usize>, f64, bool)> = Vec::new();
        for pairing in tournament.rounds().iter().flatten() {
            let (played, points) = match pairing.result.unwrap() {
                PairingResult::Played(Score::Win) => (true, [1.0, 0.0]),
                PairingResult::Played(Score::Draw) => (true, [0.5, 0.5]),
                PairingResult::Played(Score::Loss) => (true, [0.0, 1.0]),
                PairingResult::FirstAbsent => (false, [0.0, 1.0]),
                PairingResult::SecondAbsent => (false, [1.0, 0.0]),
                PairingResult::Neither => (false, [0.0, 0.0]),
                PairingResult::HalfPoint => (false, [0.5, 0.0]),
            };
            if let Some(second) = pairing.second {
                games.push((pairing.first, Some(second), points[0], played));
                games.push((second, Some(pairing.first), points[1], played));
            } else if is_swiss {
                games.push((pairing.first, None, 1.0, false));
            }
        }
        let of = |player: usize| games.iter().filter(move |game| game.0 == player);
        let points: Vec<f64> = players
            .map(|player| of(player).map(|game| game.2).sum())
            .collect();
        let breaks = |player: usize| {
            let strength =
                |game: &(usize, Option<usize>, f64, bool)| points[game.1.unwrap_or(player)];
            let buchholz: f64 = of(player).map(strength).sum();
            let berger: f64 = of(player).map(|game| strength(game) * game.2).sum();
            (points[player], buchholz, berger)
        };
        let places = tournament.standings();
        for (at, place) in places.iter().enumerate() {
            let shown = (place.points, place.buchholz, place.sonneborn_berger);
            assert_eq!(shown, breaks(place.player), "{seed}");
            let is_rival = |other: usize| other != place.player && breaks(other) == shown;
            let direct = of(place.player).filter(|game| game.3 && game.1.is_some_and(is_rival));
            assert_eq!(
                place.direct,
                direct.map(|game| game.2).sum::<f64>(),
                "{seed}"
            );
            let Some(above) = at.checked_sub(1).map(|above| &places[above]) else {
                continue;
            };
            let key = |it: &StandingsRow| (breaks(it.player), it.direct);
            assert!(key(above) >= key(place), "{seed}");
            assert_eq!(
                above.place == place.place,
                key(above) == key(place),
                "{seed}"
            );
            decided += usize::from(breaks(above.player) == shown && key(above) > key(place));
            shared += usize::from(key(above) == key(place));
        }
    }
    assert!(decided > 5 && shared > 5, "{decided} {shared}");
}

#[test]
fn whoever_withdraws_early_from_a_round_robin_never_was_there() {
    let system = System::RoundRobin { double: false };
    for (played, annulled) in [(1, true), (2, false)] {
        let mut tournament = Tournament::new(system, 4).unwrap();
        let gone = 3;
        for round in 0..3 {
            tournament.pair().unwrap();
            if round == played {
                tournament.withdraw(gone).unwrap();
            }
            let pairings = tournament.rounds().last().unwrap().clone();
            for (table, pairing) in pairings.iter().enumerate() {
                let result = match pairing.result {
                    Some(_) => continue,
                    // Withdrawn in mid-round.
                    None if pairing.has(gone) && round == played => {
                        if pairing.first == gone {
                            PairingResult::FirstAbsent
                        } else {
                            PairingResult::SecondAbsent
                        }
                    }
                    None => PairingResult::Played(Score::Draw),
                };
                tournament.record(table, result).unwrap();
            }
        }
        let places = tournament.standings();
        let of = |player: usize| places.iter().find(|it| it.player == player).unwrap();
        let theirs = of(gone);
        assert!(theirs.withdrawn && theirs.place == 4);
        assert_eq!(theirs.points == 0.0, annulled, "{played}: {places:?}");
        let total: f64 = (0..3).map(|player| of(player).points).sum();
        // Three draws of the others, and what the one who left gave away.
        assert_eq!(total, if annulled { 3.0 } else { 5.0 }, "{played}");
    }
}

#[test]
fn nonsense_is_refused() {
    let swiss = |rounds| System::Swiss { rounds };
    for (system, players, error) in [
        (swiss(3), 1, TournamentError::Players),
        (swiss(3), 65, TournamentError::Players),
        (swiss(0), 8, TournamentError::Rounds),
        (swiss(21), 8, TournamentError::Rounds),
    ] {
        assert_eq!(Tournament::new(system, players), Err(error));
    }
    let mut tournament = Tournament::new(swiss(3), 4).unwrap();
    assert_eq!(
        tournament.record(0, PairingResult::Neither),
        Err(TournamentError::Table)
    );
    tournament.pair().unwrap();
    assert_eq!(tournament.pair(), Err(TournamentError::RoundNotOver));
    tournament.end();
    assert_eq!(tournament.pair(), Err(TournamentError::Over));
    assert_eq!(tournament.withdraw(0), Err(TournamentError::Over));
}

/// A player who came in the last round once stood in the table without a game.
#[test]
fn the_last_round_takes_no_new_player() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 2 }, 4).unwrap();
    let mut random = Rng::with_seed(1);
    assert_eq!(tournament.pair(), Ok(true));
    assert_eq!(tournament.enter_late(), Ok(4));
    play_round(&mut tournament, &mut random);
    assert_eq!(tournament.pair(), Ok(true));
    assert_eq!(tournament.enter_late(), Err(TournamentError::LastRound));
}

/// A win by absence once counted as one against an equal, which is the best that a leader can have,
/// and the rounds that a player missed did not count at all.
#[test]
fn an_absent_opponent_counts_as_they_stand_and_a_missed_round_as_an_equal() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 3 }, 4).unwrap();
    let loss = PairingResult::Played(Score::Loss);
    tournament.pair().unwrap();
    // 2 does not come, 1 beats 3.
    assert_eq!(tournament.rounds()[0][0].second, Some(2));
    tournament.record(0, PairingResult::SecondAbsent).unwrap();
    tournament.record(1, loss).unwrap();
    tournament.withdraw(2).unwrap();
    assert_eq!(tournament.enter_late(), Ok(4));
    tournament.pair().unwrap();
    for table in 0..2 {
        tournament.record(table, loss).unwrap();
    }
    let games: Vec<(usize, Option<usize>)> = (tournament.rounds()[1].iter())
        .map(|it| (it.first, it.second))
        .collect();
    assert_eq!(games, [(1, Some(0)), (4, Some(3))]);
    let places = tournament.standings();
    let of = |player: usize| places.iter().find(|it| it.player == player).unwrap();
    // 0 has two points: one of absence against 2 (0 points), one against 1 (1 point).
    assert_eq!((of(0).points, of(0).buchholz, of(0).games), (2.0, 1.0, 1));
    // 4 missed a round (0 points of their own) and lost to 3 (1 point).
    assert_eq!((of(4).points, of(4).buchholz), (0.0, 1.0));
    // 2 was to meet 0 (2 points), and is away in the second round.
    assert_eq!((of(2).points, of(2).buchholz), (0.0, 2.0));
}

/// Players who were to meet, and did not, may still meet.
#[test]
fn a_game_that_was_not_played_is_no_meeting_and_no_seat() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 2 }, 2).unwrap();
    tournament.pair().unwrap();
    tournament.record(0, PairingResult::Neither).unwrap();
    assert_eq!(tournament.planned_rounds(), 1, "all could have met");
    let mut tournament = Tournament::new(System::Swiss { rounds: 3 }, 4).unwrap();
    tournament.pair().unwrap();
    for table in 0..2 {
        tournament.record(table, PairingResult::Neither).unwrap();
    }
    tournament.pair().unwrap();
    assert_eq!(
        tournament.rounds()[0],
        tournament.rounds()[1]
            .iter()
            .map(|it| Pairing {
                result: Some(PairingResult::Neither),
                ..*it
            })
            .collect::<Vec<_>>()
    );
}

#[test]
fn an_organiser_gives_half_points_forbids_and_pairs_by_hand() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 5 }, 8).unwrap();
    let pairs = |tournament: &Tournament| -> Vec<(usize, Option<usize>)> {
        let round = tournament.rounds().last().unwrap().iter();
        let sorted = |it: &Pairing| match it.second {
            Some(second) => (it.first.min(second), Some(it.first.max(second))),
            None => (it.first, None),
        };
        round.map(sorted).collect()
    };
    let end_round = |tournament: &mut Tournament| {
        for table in 0..tournament.rounds().last().unwrap().len() {
            _ = tournament.record(table, PairingResult::Played(Score::Draw));
        }
    };
    // 0 and 4 would meet; 1 and 2 meet by hand, and 7 has a round off, and so has another.
    let wishes = Wishes {
        half_byes: vec![7],
        fixed: vec![(1, 2), (2, 3), (5, 5), (6, 99)],
        forbidden: vec![(0, 4), (4, 0)],
    };
    tournament.pair_with(&wishes).unwrap();
    let round = pairs(&tournament);
    assert_eq!(
        round,
        [
            (1, Some(2)),
            (0, Some(5)),
            (3, Some(4)),
            (6, None),
            (7, None)
        ]
    );
    assert_eq!(tournament.rounds()[0][4].points(), Some([0.5, 0.0]));
    end_round(&mut tournament);
    // A round off for half a point is no bye: 7 may have one. A rematch by hand is the organiser's will.
    let wishes = Wishes {
        half_byes: vec![0, 6, 7],
        fixed: vec![(1, 2)],
        ..Wishes::default()
    };
    tournament.pair_with(&wishes).unwrap();
    assert_eq!(pairs(&tournament)[0], (1, Some(2)));
    end_round(&mut tournament);
    // Where everybody is forbidden to meet everybody they meet all the same.
    let all = (0..8).flat_map(|one| (0..one).map(move |other| (one, other)));
    let wishes = Wishes {
        forbidden: all.collect(),
        ..Wishes::default()
    };
    assert_eq!(tournament.pair_with(&wishes), Ok(true));
    assert_eq!(pairs(&tournament).len(), 4);
}

/// Rounds off that left no pairing of the others once ended the tournament.
#[test]
fn nobody_has_a_round_off_where_the_others_have_all_met() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 3 }, 4).unwrap();
    for _ in 0..2 {
        assert_eq!(tournament.pair(), Ok(true));
        for table in 0..2 {
            let won = PairingResult::Played(Score::Win);
            tournament.record(table, won).unwrap();
        }
    }
    let has_met_first = |player: &usize| {
        let mut pairings = tournament.rounds().iter().flatten();
        pairings.any(|it| it.has(0) && it.has(*player))
    };
    let wishes = Wishes {
        half_byes: vec![0, (1..4).find(has_met_first).unwrap()],
        ..Wishes::default()
    };
    assert_eq!(tournament.pair_with(&wishes), Ok(true));
    let round = tournament.rounds().last().unwrap();
    assert!(round.iter().all(|it| it.second.is_some()), "{round:?}");
    for table in 0..2 {
        tournament.record(table, PairingResult::Neither).unwrap();
    }
    assert_eq!(tournament.pair(), Ok(false));
}

#[test]
fn a_tournament_without_a_new_pairing_waits_for_its_organiser() {
    let mut tournament = Tournament::new(System::Swiss { rounds: 5 }, 4).unwrap();
    assert_eq!(tournament.pair(), Ok(true));
    let won = PairingResult::Played(Score::Win);
    (0..2).for_each(|table| tournament.record(table, won).unwrap());
    let met = tournament.rounds()[0][0];
    let others = (0..4).filter(|player| !met.has(*player));
    for player in others.collect::<Vec<_>>() {
        tournament.withdraw(player).unwrap();
    }
    let before = tournament.clone();
    assert_eq!(tournament.pair(), Err(TournamentError::NoPairing));
    assert_eq!(tournament, before);
    tournament.enter_late().unwrap();
    assert_eq!(tournament.pair(), Ok(true));
}

/// A round robin in one round has the games of one in many.
#[test]
fn all_at_once_has_the_games_of_a_round_robin() {
    for double in [false, true] {
        for players in 2..=16 {
            let mut one = Tournament::new(System::AllAtOnce { double }, players).unwrap();
            let mut many = Tournament::new(System::RoundRobin { double }, players).unwrap();
            assert!(one.pair().unwrap());
            assert!(one.is_last_round());
            let mut random = Rng::with_seed(players as u64);
            while many.pair().unwrap() {
                play_round(&mut many, &mut random);
            }
            let pairs = |it: &Tournament| -> Vec<(usize, Option<usize>)> {
                let pairings = it.rounds().iter().flatten();
                let games = pairings.filter(|pairing| pairing.second.is_some());
                games.map(|it| (it.first, it.second)).collect()
            };
            assert_eq!(pairs(&one), pairs(&many));
            // With the same results the standings are the same.
            let results = many.rounds().iter().flatten();
            let results = results.filter(|pairing| pairing.second.is_some());
            let results: Vec<PairingResult> = results.filter_map(|it| it.result).collect();
            for (table, result) in results.into_iter().enumerate() {
                one.record(table, result).unwrap();
            }
            assert!(one.is_round_over());
            assert_eq!(one.standings(), many.standings());
        }
        let many = Tournament::new(System::AllAtOnce { double }, 17);
        assert_eq!(many, Err(TournamentError::Players));
    }
}
