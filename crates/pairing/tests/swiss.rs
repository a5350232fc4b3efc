//! The pairings of the Swiss system against an oracle that looks at every pairing of a round.

#![allow(clippy::unwrap_used)]

use fastrand::Rng;
use quincunx_pairing::swiss::{Float, Repeats, SwissPlayer, pair};
use quincunx_pairing::{PairingResult, Score, System, Tournament, TournamentError};
use std::collections::BTreeSet;

type Pairs = Vec<(usize, usize)>;

/// What the rules look at, counted from the list of all games.
struct Facts {
    half_points: Vec<u32>,
    /// Pairs that have played.
    played: BTreeSet<(usize, usize)>,
    /// Games begun minus other games.
    balance: Vec<i32>,
    had_bye: Vec<bool>,
    /// The floats of each player in the last round and in the one before: below zero for a weaker
    /// opponent or none, above for a stronger one.
    floats: [Vec<i32>; 2],
}

impl Facts {
    fn of(tournament: &Tournament) -> Facts {
        let count = tournament.players();
        let mut facts = Facts {
            half_points: vec![0; count],
            played: BTreeSet::new(),
            balance: vec![0; count],
            had_bye: vec![false; count],
            floats: [
                tournament.rounds().len(),
                tournament.rounds().len().wrapping_sub(1),
            ]
            .map(|round| floats_of(tournament, round)),
        };
        for pairing in tournament.rounds().iter().flatten() {
            let result = pairing.result.unwrap();
            let [mine, theirs] = result.half_points();
            facts.half_points[pairing.first] += mine;
            match pairing.second {
                None => facts.had_bye[pairing.first] |= mine == 2,
                Some(second) => {
                    facts.half_points[second] += theirs;
                    if matches!(result, PairingResult::Played(_)) {
                        facts.played.insert((pairing.first, second));
                        facts.played.insert((second, pairing.first));
                        facts.balance[pairing.first] += 1;
                        facts.balance[second] -= 1;
                    }
                }
            }
        }
        facts
    }

    /// The best that can be done about seats: who begins more often with less.
    fn after(&self, (one, other): (usize, usize)) -> [i32; 2] {
        let (one, other) = (self.balance[one], self.balance[other]);
        let (more, less) = (one.max(other), one.min(other));
        [(more - 1).abs(), (less + 1).abs()]
    }

    fn fourth_seats(&self, pairs: &Pairs) -> usize {
        let is_fourth = |pair: &&(usize, usize)| self.after(**pair).iter().any(|it| *it >= 4);
        pairs.iter().filter(is_fourth).count()
    }

    fn unevenness(&self, pairs: &Pairs) -> i32 {
        let seats = pairs.iter().flat_map(|pair| self.after(*pair));
        seats
            .map(|it| if it >= 3 { 2 } else { i32::from(it == 2) })
            .sum()
    }

    /// The number of players who float as in an earlier round.
    fn repeated_floats(&self, pairs: &Pairs, back: usize) -> usize {
        let players = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let repeats = |&(player, opponent): &(usize, usize)| {
            float(&self.half_points, player, opponent) * self.floats[back][player] > 0
        };
        players.filter(repeats).count()
    }

    /// How many pairs cross each border between groups, from the top.
    fn crossings(&self, pairs: &Pairs) -> Vec<usize> {
        let points: BTreeSet<u32> = (pairs.iter())
            .flat_map(|(one, other)| [self.half_points[*one], self.half_points[*other]])
            .collect();
        let crosses = |border: u32, &(one, other): &(usize, usize)| {
            (self.half_points[one] >= border) != (self.half_points[other] >= border)
        };
        let count = |border: &u32| pairs.iter().filter(|pair| crosses(*border, pair)).count();
        points.iter().rev().map(count).collect()
    }
}

/// The direction in which a player leaves the own group against an opponent.
fn float(half_points: &[u32], player: usize, opponent: usize) -> i32 {
    (half_points[opponent] as i32 - half_points[player] as i32).signum()
}

/// The floats of all players in a round, counted from one. Of rounds that were not there all are zero.
fn floats_of(tournament: &Tournament, round: usize) -> Vec<i32> {
    let rounds = tournament.rounds().get(..round).unwrap_or_default();
    let Some((last, earlier)) = rounds.split_last() else {
        return vec![0; tournament.players()];
    };
    let mut half_points = vec![0; tournament.players()];
    for pairing in earlier.iter().flatten() {
        let points = pairing.result.unwrap().half_points();
        for (player, points) in [Some(pairing.first), pairing.second]
            .into_iter()
            .zip(points)
        {
            player.into_iter().for_each(|it| half_points[it] += points);
        }
    }
    let mut floats = vec![-1; tournament.players()];
    let played = last
        .iter()
        .filter(|it| matches!(it.result, Some(PairingResult::Played(_))));
    for (a, b) in played.filter_map(|it| Some((it.first, it.second?))) {
        (floats[a], floats[b]) = (float(&half_points, a, b), float(&half_points, b, a));
    }
    floats
}

/// Every pairing of these players without a rematch; the higher in the order comes first.
fn all_pairings(facts: &Facts, order: &[usize]) -> Vec<Pairs> {
    let Some((first, others)) = order.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for second in others
        .iter()
        .filter(|it| !facts.played.contains(&(*first, **it)))
    {
        let rest: Vec<usize> = others.iter().copied().filter(|it| it != second).collect();
        for mut pairs in all_pairings(facts, &rest) {
            pairs.insert(0, (*first, *second));
            all.push(pairs);
        }
    }
    all
}

fn keep_least<K: Ord>(pairings: &mut Vec<Pairs>, key: impl Fn(&Pairs) -> K) {
    if let Some(least) = pairings.iter().map(&key).min() {
        pairings.retain(|pairs| key(pairs) == least);
    }
}

/// The opponents of the first of these players from the most to the least suitable, as the
/// documents have it.
fn suitable(facts: &Facts, left: &[usize]) -> Vec<usize> {
    let is_equal = |it: &&usize| facts.half_points[**it] == facts.half_points[left[0]];
    let (group, below): (Vec<usize>, Vec<usize>) = left.iter().partition(is_equal);
    let lower = if group.len() == 1 { 1 } else { group.len() / 2 };
    let mut suitable: Vec<usize> = group[lower..].to_vec();
    suitable.extend(group[1..lower].iter().rev());
    suitable.extend(below);
    suitable
}

/// The pairings by the rules, and the bye.
fn oracle(facts: &Facts, present: &[usize]) -> Option<(Pairs, Option<usize>)> {
    let mut order = present.to_vec();
    order.sort_by_key(|player| std::cmp::Reverse(facts.half_points[*player]));
    let byes: Vec<Option<usize>> = if order.len().is_multiple_of(2) {
        vec![None]
    } else {
        let free = order.iter().rev().filter(|player| !facts.had_bye[**player]);
        free.copied().map(Some).collect()
    };
    let mut best: Option<(usize, Option<usize>, Vec<Pairs>)> = None;
    for bye in byes {
        let rest: Vec<usize> = order
            .iter()
            .copied()
            .filter(|it| Some(*it) != bye)
            .collect();
        let pairings = all_pairings(facts, &rest);
        let least = pairings.iter().map(|it| facts.fourth_seats(it)).min();
        if let Some(least) = least
            && best.as_ref().is_none_or(|(before, ..)| least < *before)
        {
            best = Some((least, bye, pairings));
        }
    }
    let (_, bye, mut pairings) = best?;
    keep_least(&mut pairings, |it| facts.fourth_seats(it));
    keep_least(&mut pairings, |it| facts.crossings(it));
    keep_least(&mut pairings, |it| facts.unevenness(it));
    keep_least(&mut pairings, |it| facts.repeated_floats(it, 0));
    keep_least(&mut pairings, |it| facts.repeated_floats(it, 1));
    let mut left: Vec<usize> = order.into_iter().filter(|it| Some(*it) != bye).collect();
    while !left.is_empty() {
        let wishes = suitable(facts, &left);
        let opponent = |pairs: &Pairs| pairs.iter().find(|it| it.0 == left[0]).unwrap().1;
        let rank = |pairs: &Pairs| wishes.iter().position(|it| *it == opponent(pairs)).unwrap();
        keep_least(&mut pairings, rank);
        let gone = [left[0], opponent(&pairings[0])];
        left.retain(|it| !gone.contains(it));
    }
    assert_eq!(pairings.len(), 1);
    Some((pairings.remove(0), bye))
}

/// Plays a random tournament and compares every round with the oracle. Returns the number of rounds.
fn compare(seed: u64) -> usize {
    let mut random = Rng::with_seed(seed);
    let system = System::Swiss {
        rounds: random.u32(1..=10),
    };
    let mut tournament = Tournament::new(system, random.usize(2..=9)).unwrap();
    let is_calm = random.bool();
    loop {
        if random.u8(..12) == 0 && tournament.players() < 10 {
            _ = tournament.enter_late();
        }
        let present: Vec<usize> = (0..tournament.players())
            .filter(|it| !tournament.has_withdrawn(*it))
            .collect();
        let facts = Facts::of(&tournament);
        let is_last = tournament.rounds().len() >= tournament.planned_rounds();
        let ends = is_last || present.len() < 2;
        let expected = oracle(&facts, &present).filter(|_| !ends);
        let paired = (ends || expected.is_some()).then_some(expected.is_some());
        let paired = paired.ok_or(TournamentError::NoPairing);
        assert_eq!(tournament.pair(), paired, "{seed}");
        let Some((mut pairs, bye)) = expected else {
            return tournament.rounds().len();
        };
        let round = tournament.rounds().last().unwrap().clone();
        let found_bye = round
            .iter()
            .find(|it| it.second.is_none())
            .map(|it| it.first);
        let games = round.iter().filter_map(|it| Some((it.first, it.second?)));
        let mut found: Pairs = games.clone().map(|(a, b)| (a.min(b), a.max(b))).collect();
        pairs
            .iter_mut()
            .for_each(|(a, b)| (*a, *b) = (*a.min(b), *a.max(b)));
        found.sort_unstable();
        pairs.sort_unstable();
        assert_eq!((found, found_bye), (pairs, bye), "{seed}: {round:?}");
        for (first, second) in games {
            assert!(
                facts.balance[first] <= facts.balance[second],
                "{seed}: {round:?}"
            );
        }
        for (table, pairing) in round.iter().enumerate() {
            let result = match random.u8(..12) {
                0 if !is_calm => PairingResult::FirstAbsent,
                1 if !is_calm => PairingResult::SecondAbsent,
                2 if !is_calm => PairingResult::Neither,
                it if it % 3 == 0 => PairingResult::Played(Score::Win),
                it if it % 3 == 1 => PairingResult::Played(Score::Draw),
                _ => PairingResult::Played(Score::Loss),
            };
            if pairing.result.is_none() {
                tournament.record(table, result).unwrap();
            }
        }
        for player in 0..tournament.players() {
            match random.u8(..40) {
                0 if !is_calm => tournament.withdraw(player).unwrap(),
                1 => tournament.readmit(player).unwrap(),
                _ => (),
            }
        }
    }
}

#[test]
fn ten_thousand_tournaments_are_paired_as_by_the_oracle() {
    let rounds: usize = (0..10_000).map(compare).sum();
    assert!(rounds > 30_000, "{rounds}");
}

/// Seats were once balanced before points: every winner met a loser in the second round, and after
/// four rounds all eight shared the first place.
#[test]
fn the_first_seat_wins_every_game_and_one_player_wins() {
    for rounds in [3, 4] {
        let mut tournament = Tournament::new(System::Swiss { rounds }, 8).unwrap();
        while tournament.pair().unwrap() {
            let round = tournament.rounds().last().unwrap().clone();
            let before = tournament.standings();
            let points = |player| before.iter().find(|it| it.player == player).unwrap().points;
            for (table, pairing) in round.iter().enumerate() {
                let second = pairing.second.unwrap();
                let is_even = points(pairing.first) == points(second);
                assert!(is_even || tournament.rounds().len() == 4, "{round:?}");
                let win = PairingResult::Played(Score::Win);
                tournament.record(table, win).unwrap();
            }
        }
        let places = tournament.standings();
        let first = places.iter().filter(|it| it.place == 1);
        assert_eq!(first.count(), 1, "{places:?}");
        // In a fourth round the leader has to answer, and loses.
        assert!(
            places[1].points < places[0].points || rounds == 4,
            "{places:?}"
        );
    }
}

/// A difference of three decides over points, one of two does not.
#[test]
fn a_fourth_game_more_in_one_seat_is_worse_than_a_lower_group() {
    for (count, games) in [(2, [(0, 1), (2, 3)]), (3, [(0, 2), (1, 3)])] {
        let player = |half_points, began| SwissPlayer {
            half_points,
            began: vec![began; count],
            ..SwissPlayer::default()
        };
        let players = [
            player(4, true),
            player(4, true),
            player(2, false),
            player(2, false),
        ];
        let round = pair(&players, &[0, 1, 2, 3], Repeats::Never).unwrap();
        assert_eq!(round.games, games, "{count}");
    }
}

/// The last of a group once met a lower one in two rounds on end.
#[test]
fn another_player_floats_after_a_float() {
    let player = |half_points, floats| SwissPlayer {
        half_points,
        floats,
        ..SwissPlayer::default()
    };
    let (down, up) = (Some(Float::Down), Some(Float::Up));
    // Of three with two points one meets one of three with one point: without floats the first
    // of the upper half meets the last of the lower half, and the third the fourth.
    for (floats, expected) in [
        ([[None; 2]; 6], [(0, 1), (2, 3), (4, 5)]),
        (
            [
                [None; 2],
                [None; 2],
                [down, None],
                [None; 2],
                [None; 2],
                [None; 2],
            ],
            [(0, 2), (1, 3), (4, 5)],
        ),
        (
            [
                [None; 2],
                [None, down],
                [down, None],
                [up, None],
                [None; 2],
                [None; 2],
            ],
            [(1, 2), (0, 4), (3, 5)],
        ),
        // Two rounds ago weighs less than the last round.
        (
            [
                [down, None],
                [None, down],
                [down, None],
                [None; 2],
                [None; 2],
                [None; 2],
            ],
            [(0, 2), (1, 3), (4, 5)],
        ),
    ] {
        let points = [4, 4, 4, 2, 2, 2].into_iter().zip(floats);
        let players: Vec<SwissPlayer> = points.map(|(it, floats)| player(it, floats)).collect();
        let mut games = pair(&players, &[0, 1, 2, 3, 4, 5], Repeats::Never)
            .unwrap()
            .games;
        let mut expected = expected.to_vec();
        games.sort_unstable();
        expected.sort_unstable();
        assert_eq!(games, expected, "{floats:?}");
    }
}

/// With the bye to the last who had none, two would have to meet again.
#[test]
fn another_bye_is_better_than_a_rematch() {
    let rounds = [
        ([(5, 1), (2, 6), (7, 3), (4, 8)], 9),
        ([(5, 2), (4, 7), (9, 1), (3, 6)], 8),
        ([(5, 4), (9, 2), (3, 8), (7, 1)], 6),
        ([(9, 5), (3, 4), (7, 2), (6, 8)], 1),
        ([(3, 9), (5, 7), (4, 6), (8, 1)], 2),
        ([(3, 5), (9, 4), (2, 8), (1, 6)], 7),
    ];
    let mut players = vec![SwissPlayer::default(); 9];
    for (games, bye) in rounds {
        for (winner, loser) in games {
            players[winner - 1].half_points += 2;
            players[winner - 1].met.push(loser - 1);
            players[loser - 1].met.push(winner - 1);
        }
        players[bye - 1].half_points += 2;
        players[bye - 1].had_bye = true;
    }
    let all: Vec<usize> = (0..9).collect();
    let round = pair(&players, &all, Repeats::IfNeeded).unwrap();
    assert_eq!(round.games.len(), 4, "{round:?}");
    let is_rematch = |(one, other): &(usize, usize)| players[*one].met.contains(other);
    assert!(!round.games.iter().any(is_rematch), "{round:?}");
    assert!(!players[round.bye.unwrap()].had_bye, "{round:?}");
}

/// Six players who have met in two triangles of strangers can't be paired without a rematch.
#[test]
fn a_rematch_is_better_than_no_round_where_it_is_allowed() {
    let mut players = vec![SwissPlayer::default(); 6];
    for (one, player) in players.iter_mut().enumerate() {
        player.met = (0..6).filter(|other| other / 3 != one / 3).collect();
    }
    let order: Vec<usize> = (0..6).collect();
    assert_eq!(pair(&players, &order, Repeats::Never), None);
    let games = pair(&players, &order, Repeats::IfNeeded).unwrap().games;
    let again = games.iter().filter(|(a, b)| a / 3 != b / 3).count();
    assert_eq!((games.len(), again), (3, 1), "{games:?}");
}
