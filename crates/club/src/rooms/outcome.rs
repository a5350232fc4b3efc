//! Outcomes of games in rooms.

use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use serde::{Deserialize, Serialize};

/// The winner of a game and the reason of its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// The winner; `None` in a draw.
    pub winner: Option<Seat>,
    /// Why the game ended.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub reason: Termination,
}

/// The name of a seat in files.
pub(super) const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "first",
        Seat::Second => "second",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Outcomes stand in the files of rooms and in messages.
    #[test]
    fn outcomes_stay_as_they_are_written() {
        let reasons = [
            (Termination::Five, "five"),
            (Termination::BoardFull, "board_full"),
            (Termination::Resignation, "resignation"),
            (Termination::Agreement, "agreement"),
            (Termination::Time, "time"),
            (Termination::NoShow, "no_show"),
            (Termination::Aborted, "ended"),
        ];
        for (reason, name) in reasons {
            let winner = Some(Seat::Second);
            let text = serde_json::to_string(&Outcome { winner, reason }).unwrap();
            assert_eq!(text, format!(r#"{{"winner":"second","reason":"{name}"}}"#));
            let read: Outcome = serde_json::from_str(&text).unwrap();
            assert_eq!(read, Outcome { winner, reason });
        }
        let unknown = r#"{"winner":null,"reason":"weather"}"#;
        assert!(serde_json::from_str::<Outcome>(unknown).is_err());
    }
}
