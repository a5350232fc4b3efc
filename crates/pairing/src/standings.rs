//! The standings of a tournament, with the tie-breaks of chess.

use super::pairing::{Pairing, System};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A player's place in a tournament. Whatever is counted in points is a half or a
/// quarter of one at the least, so it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
pub struct StandingsRow {
    /// The place, from one. Players whom no tie-break parts share one.
    pub place: usize,
    /// The player.
    pub player: usize,
    /// The points: one for a win, a half for a draw.
    pub points: f64,
    /// The tie-break of Buchholz: the points of all opponents, also of those who did not come. A
    /// round without an opponent counts as one against an opponent with as many points as the player.
    pub buchholz: f64,
    /// The tie-break of Sonneborn and Berger: the points of those who were beaten, and
    /// half of those who drew.
    pub sonneborn_berger: f64,
    /// The points from games among those with whom the player shares everything above.
    pub direct: f64,
    /// The number of games that were played.
    pub games: usize,
    /// True if the player has withdrawn.
    pub withdrawn: bool,
}

impl StandingsRow {
    /// The place of a player before the first round.
    pub fn before(player: usize) -> StandingsRow {
        StandingsRow {
            place: 1,
            ..place(player, &[], &[])
        }
    }
}

/// A round of a player that counts.
#[derive(Clone, Copy, Default)]
struct Round {
    /// The opponent; none in a round without one.
    opponent: Option<usize>,
    half_points: u32,
    is_played: bool,
}

/// The standings after these rounds, the best first.
pub(super) fn standings(
    system: System,
    withdrawn: &[bool],
    rounds: &[Vec<Pairing>],
) -> Vec<StandingsRow> {
    let rounds = counted(system, withdrawn, rounds);
    let points: Vec<f64> = (rounds.iter())
        .map(|rounds| halves(rounds.iter().map(|round| round.half_points).sum()))
        .collect();
    let mut places: Vec<StandingsRow> = (withdrawn.iter().enumerate())
        .map(|(player, withdrawn)| StandingsRow {
            withdrawn: *withdrawn,
            ..place(player, &rounds[player], &points)
        })
        .collect();
    let ranks = |place: &StandingsRow| [place.points, place.buchholz, place.sonneborn_berger];
    places.sort_by(|one, other| compare(&ranks(other), &ranks(one)));
    for group in places.chunk_by_mut(|one, other| ranks(one) == ranks(other)) {
        let players: Vec<usize> = group.iter().map(|place| place.player).collect();
        for place in group.iter_mut() {
            let among = rounds[place.player].iter().filter(|round| {
                let opponent = round.opponent.filter(|_| round.is_played);
                opponent.is_some_and(|opponent| players.contains(&opponent))
            });
            place.direct = halves(among.map(|round| round.half_points).sum());
        }
        group.sort_by(|one, other| compare(&[other.direct], &[one.direct]));
    }
    let all = |place: &StandingsRow| (ranks(place), place.direct);
    for at in 0..places.len() {
        places[at].place = match at.checked_sub(1) {
            Some(above) if all(&places[above]) == all(&places[at]) => places[above].place,
            _ => at + 1,
        };
    }
    places
}

fn place(player: usize, rounds: &[Round], points: &[f64]) -> StandingsRow {
    let of_opponent = |round: &Round| points[round.opponent.unwrap_or(player)];
    let half = |round: &Round| f64::from(round.half_points) / 2.0;
    StandingsRow {
        place: 0,
        player,
        points: points.get(player).copied().unwrap_or_default(),
        buchholz: rounds.iter().map(of_opponent).sum(),
        sonneborn_berger: (rounds.iter())
            .map(|round| half(round) * of_opponent(round))
            .sum(),
        direct: 0.0,
        games: rounds.iter().filter(|it| it.is_played).count(),
        withdrawn: false,
    }
}

/// The rounds that count, by players.
fn counted(system: System, withdrawn: &[bool], rounds: &[Vec<Pairing>]) -> Vec<Vec<Round>> {
    let is_swiss = matches!(system, System::Swiss { .. });
    let annulled = annulled(system, withdrawn, rounds);
    let counts = |pairing: &&Pairing| match pairing.second {
        Some(second) => !annulled[pairing.first] && !annulled[second],
        // In a round robin all players sit out as often.
        None => is_swiss,
    };
    let mut counted: Vec<Vec<Round>> = withdrawn.iter().map(|_| Vec::new()).collect();
    for round in rounds {
        for pairing in round.iter().filter(counts) {
            let Some(result) = pairing.result else {
                continue;
            };
            let [first, second] = result.half_points();
            let seats = [
                (Some(pairing.first), pairing.second, first),
                (pairing.second, Some(pairing.first), second),
            ];
            for (player, opponent, half_points) in seats {
                if let Some(player) = player {
                    counted[player].push(Round {
                        opponent,
                        half_points,
                        is_played: result.is_played(),
                    });
                }
            }
        }
        // A player who came later, or was away, has missed a round.
        for (player, counted) in counted.iter_mut().enumerate().filter(|_| is_swiss) {
            if !round.iter().any(|pairing| pairing.has(player)) {
                counted.push(Round::default());
            }
        }
    }
    counted
}

/// Players whose games do not count: in a round robin those of players who withdrew before
/// they had played half of them, or else who met them would be better off than others.
fn annulled(system: System, withdrawn: &[bool], rounds: &[Vec<Pairing>]) -> Vec<bool> {
    let others = withdrawn.len() - 1;
    let planned = match system {
        System::RoundRobin { double } => others * (1 + usize::from(double)),
        // Those who withdraw have resigned their games.
        System::AllAtOnce { .. } | System::Swiss { .. } => 0,
    };
    let is_annulled = |player: usize| {
        let played = |it: &&Pairing| it.has(player) && it.result.is_some_and(|it| it.is_played());
        let played = rounds.iter().flatten().filter(played).count();
        withdrawn[player] && 2 * played < planned
    };
    (0..withdrawn.len()).map(is_annulled).collect()
}

fn halves(half_points: u32) -> f64 {
    f64::from(half_points) / 2.0
}

fn compare(one: &[f64], other: &[f64]) -> std::cmp::Ordering {
    one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal)
}
