//! The time that the engine of a guest is given, from the clock of a room.

use quincunx_engine::game::TimeControl;
use serde_json::Value;
use std::time::Duration;

/// A move in byo-yomi may use one of this many parts of the main time.
const PART_OF_MAIN: u32 = 20;

/// The time that the engine is given.
pub(crate) fn time(clock: &Value, left: &Value, reserve: Duration) -> Option<TimeControl> {
    let ms = |value: &Value| value.as_u64().map(Duration::from_millis);
    let usable = |time: Duration| {
        // Of little time some is used.
        time.saturating_sub(reserve)
            .max(time / 2)
            .max(Duration::from_millis(1))
    };
    let main = ms(&left["main"])?;
    if left["periods"].as_u64()? > 0 {
        return Some(TimeControl {
            turn: Some(usable(main / PART_OF_MAIN + ms(&left["period"])?)),
            ..TimeControl::default()
        });
    }
    Some(TimeControl {
        game: Some(usable(main)),
        increment: ms(&clock["increment_ms"]).unwrap_or_default(),
        ..TimeControl::default()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn some_time_is_reserved_for_the_connection() {
        let ms = Duration::from_millis;
        let increment = json!({ "kind": "increment", "main_ms": 60_000, "increment_ms": 2000 });
        let left = json!({ "main": 50_000, "periods": 0, "period": 0 });
        let control = time(&increment, &left, ms(200)).unwrap();
        assert_eq!(
            (control.game, control.increment),
            (Some(ms(49_800)), ms(2000))
        );
        let short = json!({ "main": 100, "periods": 0, "period": 0 });
        assert_eq!(
            time(&increment, &short, ms(200)).unwrap().game,
            Some(ms(50))
        );
        let byoyomi = json!({ "kind": "byoyomi", "main_ms": 0, "period_ms": 5000, "periods": 3 });
        let left = json!({ "main": 20_000, "periods": 3, "period": 5000 });
        let control = time(&byoyomi, &left, ms(200)).unwrap();
        assert_eq!((control.turn, control.game), (Some(ms(5800)), None));
    }
}
