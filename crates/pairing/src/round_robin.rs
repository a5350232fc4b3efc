//! Round robin by the circle method: the last player stands still, the others go round.

use super::pairing::{Pairing, PairingResult};

/// The pairings of a round, from zero. With an odd number of players one has a bye, which
/// scores nothing, as all players have as many; in the second half of a double tournament
/// seats are exchanged.
pub(super) fn pair(players: usize, round: usize, double: bool) -> Vec<Pairing> {
    // The circle has an odd number of chairs. The player on the chair that meets itself
    // meets the last player, or has a bye.
    let last = players.is_multiple_of(2).then(|| players - 1);
    let circle = players - usize::from(last.is_some());
    let (half, round) = (round / circle, round % circle);
    let mut pairings = Vec::new();
    for one in 0..circle {
        let other = (round + circle - one) % circle;
        if one == other {
            pairings.push(match last {
                Some(last) if one < players / 2 => Pairing::game(one, last),
                Some(last) => Pairing::game(last, one),
                None => Pairing::bye(one, PairingResult::Neither),
            });
        } else if one < other && (one + other) % 2 == 1 {
            pairings.push(Pairing::game(one, other));
        } else if one < other {
            pairings.push(Pairing::game(other, one));
        }
    }
    if double && half == 1 {
        for pairing in &mut pairings {
            if let Some(second) = pairing.second {
                *pairing = Pairing::game(second, pairing.first);
            }
        }
    }
    pairings
}
