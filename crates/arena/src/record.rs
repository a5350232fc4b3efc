//! What is kept of a game: one line of JSON holds all of it, and every other
//! form of record is made from these lines.

use super::stats::Wdl;
use quincunx_engine::game::swap::Choice;
use quincunx_engine::rules::Color;
use serde::{Deserialize, Serialize};

/// Why a game ended as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The winner completed a line.
    Five,
    /// The board is full, or the game has reached the maximum length.
    Draw,
    /// Both engines held the game for decided.
    Adjudication,
    /// Black played a forbidden point, which is the last of the moves.
    Forbidden,
    /// The loser played a point that is taken or on no board, which is none of the moves.
    Illegal,
    /// The loser took too long over a move.
    Time,
    /// The loser's program ended or closed its output.
    Crash,
    /// The loser's program did not get ready.
    Hang,
    /// The loser's program refused the board.
    Refused,
    /// The loser's program used too much memory.
    Memory,
    /// The loser's program wrote without end.
    Flood,
}

impl Reason {
    /// Returns whether a program misbehaved, rather than a player was beaten.
    pub const fn is_fault(self) -> bool {
        !matches!(self, Reason::Five | Reason::Draw | Reason::Adjudication)
    }

    /// The word for it in records and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Five => "five",
            Reason::Draw => "draw",
            Reason::Adjudication => "adjudication",
            Reason::Forbidden => "forbidden",
            Reason::Illegal => "illegal",
            Reason::Time => "time",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::Refused => "refused",
            Reason::Memory => "memory",
            Reason::Flood => "flood",
        }
    }

    /// The word and more about the reason, if there is any: `crash: exit status: 3`.
    pub(super) fn with_detail(self, detail: &str) -> String {
        let colon = if detail.is_empty() { "" } else { ": " };
        format!("{}{colon}{detail}", self.name())
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchMove {
    /// The point, letter and number.
    pub point: String,
    /// Milliseconds it took.
    pub ms: f64,
    /// The engine's evaluation, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<String>,
    /// The engine's last remark before the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The choice of a player in a swap opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SwapChoice {
    /// To have black.
    Black,
    /// To have white.
    White,
    /// To put two more stones and leave the choice to the other player.
    TwoStones,
}

impl SwapChoice {
    /// The choice, if it is one of swap2.
    pub(crate) const fn of(choice: Choice) -> Option<SwapChoice> {
        match choice {
            Choice::Black => Some(SwapChoice::Black),
            Choice::White => Some(SwapChoice::White),
            Choice::TwoStones => Some(SwapChoice::TwoStones),
            Choice::Offers(_) => None,
        }
    }
}

/// A step of a player in a swap opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwapMove {
    /// The player.
    pub engine: String,
    /// The choice, or `None` where the player only put the first stones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chose: Option<SwapChoice>,
    /// The stones it put, white's first move aside.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stones: String,
    /// Milliseconds it took.
    pub ms: f64,
}

impl SwapMove {
    /// The act in words, such as `A put h8i9g10` or `B took black`.
    pub fn describe(&self) -> String {
        let (engine, stones) = (&self.engine, &self.stones);
        match self.chose {
            Some(SwapChoice::Black) => format!("{engine} took black"),
            Some(SwapChoice::White) => format!("{engine} took white"),
            Some(SwapChoice::TwoStones) | None => format!("{engine} put {stones}"),
        }
    }
}

/// A game from its opening to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchGame {
    /// Its number in the whole schedule: two times the pair, and one more for
    /// the second game.
    pub number: usize,
    /// The name of the engine with black.
    pub black: String,
    /// The name of the engine with white.
    pub white: String,
    /// The stones it started from.
    pub opening: String,
    /// The steps of a swap opening in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swap: Vec<SwapMove>,
    /// The moves after the opening.
    pub moves: Vec<MatchMove>,
    /// The winner; `None` in a draw.
    #[serde(with = "winner")]
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// More about the reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Milliseconds until the move came that was too late, or until it was no longer waited for.
    /// It is none of the moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late_ms: Option<f64>,
    /// The start, in seconds since 1970.
    pub started: u64,
}

impl MatchGame {
    /// A game of which a test needs only who played and who won.
    #[cfg(test)]
    pub(super) fn without_moves(
        number: usize,
        black: String,
        white: String,
        winner: Option<Color>,
    ) -> MatchGame {
        MatchGame {
            number,
            black,
            white,
            opening: String::new(),
            swap: Vec::new(),
            moves: Vec::new(),
            winner,
            reason: Reason::Five,
            detail: String::new(),
            late_ms: None,
            started: 0,
        }
    }

    /// The number of the pair it belongs to.
    pub const fn pair(&self) -> usize {
        self.number / 2
    }

    /// All stones as text, the opening's included.
    pub fn move_text(&self) -> String {
        let moves = self.moves.iter().map(|m| m.point.as_str());
        std::iter::once(self.opening.as_str())
            .chain(moves)
            .collect()
    }

    /// Returns the number of stones of the opening.
    pub(super) fn opening_stones(&self) -> usize {
        let letters = self.opening.bytes().filter(u8::is_ascii_alphabetic);
        letters.count()
    }

    /// The names of the players that have made a legal move in it, or took part in its swap
    /// opening. One may be there several times.
    pub(super) fn movers(&self) -> impl Iterator<Item = &String> {
        let players = [&self.black, &self.white];
        let first = self.opening_stones();
        let forbidden = usize::from(self.reason == Reason::Forbidden);
        let legal = self.moves.len().saturating_sub(forbidden);
        // Players take turns.
        let moved = (0..legal.min(2)).map(move |ply| players[(first + ply) % 2]);
        moved.chain(self.swap.iter().map(|act| &act.engine))
    }

    /// The name of the player that lost it by misbehaviour, if one did.
    pub(super) fn offender(&self) -> Option<&str> {
        self.loser().filter(|_| self.reason.is_fault())
    }

    /// The name of the loser; `None` in a draw.
    pub fn loser(&self) -> Option<&str> {
        self.winner.map(|winner| match winner {
            Color::Black => self.white.as_str(),
            Color::White => self.black.as_str(),
        })
    }

    /// The word for the winner in records and reports.
    pub(crate) const fn winner_name(&self) -> &'static str {
        winner::name(self.winner)
    }

    /// Returns the result for the player with `color`.
    pub(crate) fn wdl_for(&self, color: Color) -> Wdl {
        match self.winner {
            None => Wdl::Draw,
            Some(winner) if winner == color => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }
}

/// The winner as records write it: a colour, or a draw.
mod winner {
    use quincunx_engine::rules::Color;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    const ALL: [Option<Color>; 3] = [Some(Color::Black), Some(Color::White), None];

    pub(super) const fn name(winner: Option<Color>) -> &'static str {
        match winner {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "draw",
        }
    }

    pub(super) fn serialize<S: Serializer>(
        winner: &Option<Color>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name(*winner))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Color>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let winner = ALL.into_iter().find(|winner| name(*winner) == text);
        winner.ok_or_else(|| D::Error::custom(format!("no winner is called '{text}'")))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Matches are continued and merged from records of older versions.
    #[test]
    fn records_stay_as_they_are_written() {
        let reasons = [
            Reason::Five,
            Reason::Draw,
            Reason::Adjudication,
            Reason::Forbidden,
            Reason::Illegal,
            Reason::Time,
            Reason::Crash,
            Reason::Hang,
            Reason::Refused,
            Reason::Memory,
            Reason::Flood,
        ];
        let written = serde_json::to_string(&reasons).unwrap();
        let names = reasons.map(Reason::name);
        assert_eq!(
            names.join(" "),
            "five draw adjudication forbidden illegal time crash hang refused memory flood"
        );
        assert_eq!(written, serde_json::to_string(&names).unwrap());

        let winners = [Some(Color::Black), Some(Color::White), None];
        for (winner, name) in winners.into_iter().zip(["black", "white", "draw"]) {
            let game = MatchGame::without_moves(2, "a".into(), "b".into(), winner);
            let text = serde_json::to_string(&game).unwrap();
            let expected = format!(
                r#"{{"number":2,"black":"a","white":"b","opening":"","moves":[],"winner":"{name}","reason":"five","started":0}}"#
            );
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<MatchGame>(&text).unwrap(), game);
        }
        let choices = [SwapChoice::Black, SwapChoice::White, SwapChoice::TwoStones];
        let written = serde_json::to_string(&choices).unwrap();
        assert_eq!(written, r#"["black","white","two-stones"]"#);
    }

    /// It once let a test count the losses of a program that does not know the rule.
    #[test]
    fn a_forbidden_first_move_is_no_legal_move() {
        let mut game = MatchGame::without_moves(0, "a".into(), "b".into(), Some(Color::White));
        game.moves = vec![MatchMove {
            point: "h8".into(),
            ms: 1.0,
            eval: None,
            message: None,
        }];
        assert!(game.movers().eq(["a"]));
        game.reason = Reason::Forbidden;
        assert_eq!(game.movers().next(), None);
    }
}
