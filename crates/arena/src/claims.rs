//! Wins that engines said they had and did not get: each is a mistake of an engine, which its
//! author will want to look at.

use super::record::{MatchGame, Reason};
use super::remarks;
use super::settings::MatchSettings;
use super::table::Table;
use quincunx_engine::rules::Color;

/// The most games that are named. The others are counted.
const NAMED: usize = 20;

/// The games in which an engine claimed a win.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct WinClaims {
    /// The number of claims that turned out right or wrong.
    games: usize,
    /// The numbers of those that it did not win.
    missed: Vec<usize>,
}

impl WinClaims {
    /// The claims of the engine of this name.
    fn of(name: &str, settings: &MatchSettings, games: &[MatchGame]) -> WinClaims {
        let mut claims = WinClaims::default();
        for game in games {
            for color in Color::ALL {
                let won = game.winner == Some(color);
                if [&game.black, &game.white][color.index()] == name
                    && claims_win(game, color, settings.draw_after)
                    && (won || !is_fault_of_program(game.reason))
                {
                    claims.games += 1;
                    claims.missed.extend((!won).then_some(game.number));
                }
            }
        }
        claims.missed.sort_unstable();
        claims
    }
}

/// Returns whether the engine of `color` claimed a win in the game that comes before the game is
/// drawn at `limit` stones.
fn claims_win(game: &MatchGame, color: Color, limit: Option<usize>) -> bool {
    let opening = game.opening_stones();
    let stones = opening + game.moves.len();
    let limit = limit.filter(|&limit| game.reason == Reason::Draw && stones >= limit);
    let moves = game.moves.iter().enumerate();
    let mut own = moves.filter(|(i, _)| (opening + i) % 2 == color.index());
    own.any(|(i, played)| {
        let moves = played.eval.as_deref().and_then(remarks::win_in);
        moves.is_some_and(|moves| limit.is_none_or(|limit| opening + i + 2 * moves <= limit))
    })
}

/// Returns true if the loser's program failed, so that the result says nothing about the claim.
const fn is_fault_of_program(reason: Reason) -> bool {
    reason.is_fault() && !matches!(reason, Reason::Illegal | Reason::Forbidden)
}

/// The claims of every engine that made one.
pub(super) fn claim_table(settings: &MatchSettings, games: &[MatchGame]) -> Table {
    let head = ["Engine", "Claimed", "Not won", "Games not won"];
    let mut table = Table::new("Games in which an engine said that it wins".into(), &head);
    for name in settings.names() {
        let claims = WinClaims::of(&name, settings, games);
        if claims.games == 0 {
            continue;
        }
        let mut named: Vec<String> = (claims.missed.iter().take(NAMED))
            .map(ToString::to_string)
            .collect();
        if let Some(more) = claims.missed.len().checked_sub(NAMED).filter(|&n| n > 0) {
            named.push(format!("{more} more"));
        }
        table.add(vec![
            name,
            claims.games.to_string(),
            claims.missed.len().to_string(),
            named.join(", "),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::MatchMove;

    /// A game of A with black, who says this of its moves in turn with B.
    fn game(evals: &[&str], winner: Option<Color>, reason: Reason) -> MatchGame {
        let said = |eval: &&str| MatchMove {
            point: "h8".into(),
            ms: 1.0,
            eval: Some((*eval).to_owned()),
            message: None,
        };
        MatchGame {
            moves: evals.iter().map(said).collect(),
            reason,
            ..MatchGame::without_moves(7, "A".into(), "B".into(), winner)
        }
    }

    fn claims(name: &str, game: MatchGame, draw_after: Option<usize>) -> (usize, usize) {
        let settings = MatchSettings {
            draw_after,
            ..MatchSettings::for_tests(&["A", "B"])
        };
        let claims = WinClaims::of(name, &settings, &[game]);
        (claims.games, claims.missed.len())
    }

    #[test]
    fn a_missing_win_is_counted_for_its_claimant() {
        let (black, white) = (Some(Color::Black), Some(Color::White));
        for (evals, winner, reason, expected) in [
            (&["+M5", "-M4"][..], black, Reason::Five, (1, 0)),
            (&["12", "-M4", "#3", "9"], white, Reason::Five, (1, 1)),
            (&["W9", "0", "0", "0"], None, Reason::Draw, (1, 1)),
            (&["M9", "0", "-700"], white, Reason::Adjudication, (1, 1)),
            (&["+M3", "0"], white, Reason::Forbidden, (1, 1)),
            // The other's win, a mere number, and programs that end prove nothing.
            (&["-M5", "+M4"], white, Reason::Five, (0, 0)),
            (&["99999", "0"], white, Reason::Five, (0, 0)),
            (&["+M5", "0"], white, Reason::Time, (0, 0)),
            (&["+M5", "0"], white, Reason::Crash, (0, 0)),
            (&["+M5", "0"], black, Reason::Crash, (1, 0)),
        ] {
            let found = claims("A", game(evals, winner, reason), None);
            assert_eq!(found, expected, "{evals:?} {reason:?}");
        }
        let lost = game(&["+M5", "+M4"], black, Reason::Five);
        assert_eq!(claims("B", lost, None), (1, 1));
    }

    /// A game that ends at a number of stones cuts off wins that needed more.
    #[test]
    fn a_win_that_had_no_time_to_come_is_not_counted() {
        let drawn = |evals: &[&str]| game(evals, None, Reason::Draw);
        let evals = ["+M3", "0", "+M2", "0"];
        assert_eq!(claims("A", drawn(&evals), Some(4)), (0, 0));
        assert_eq!(claims("A", drawn(&["+M2", "0", "0", "0"]), Some(4)), (1, 1));
        assert_eq!(claims("A", drawn(&evals), Some(400)), (1, 1));
    }
}
