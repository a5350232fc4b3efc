//! The clock of one player in one game: arithmetic on the durations it is
//! handed, so that no test has to wait.

// The arithmetic of time, not the system's clock.
use core::time::Duration;

/// How much time a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The most time for one move.
    pub turn: Option<Duration>,
    /// The time for the whole game.
    pub game: Option<Duration>,
    /// Added to the time for the game after every move.
    pub increment: Duration,
}

/// What is left of a player's time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Option<Duration>,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        Clock {
            control,
            left: control.game,
        }
    }

    /// What is left for the whole game, if that is limited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// How long the next move may take; `None` without any limit.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.control.turn, self.left) {
            (Some(turn), Some(left)) => Some(turn.min(left)),
            (limit, None) | (None, limit) => limit,
        }
    }

    /// Takes the time of a move off, and returns by how much it was more than
    /// allowed: zero for a move in time.
    pub fn spend(&mut self, used: Duration) -> Duration {
        let over = self
            .allowed()
            .map_or(Duration::ZERO, |allowed| used.saturating_sub(allowed));
        if let Some(left) = &mut self.left {
            *left = left
                .saturating_sub(used)
                .saturating_add(self.control.increment);
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(turn: Option<u64>, game: Option<u64>, increment: u64) -> Clock {
        Clock::new(TimeControl {
            turn: turn.map(ms),
            game: game.map(ms),
            increment: ms(increment),
        })
    }

    #[test]
    fn the_shorter_limit_counts() {
        let mut clock = clock(Some(100), Some(250), 0);
        assert_eq!(clock.allowed(), Some(ms(100)));
        assert_eq!(clock.spend(ms(90)), ms(0));
        assert_eq!(clock.spend(ms(130)), ms(30));
        assert_eq!(clock.left(), Some(ms(30)));
        assert_eq!(clock.allowed(), Some(ms(30)));
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = clock(None, Some(100), 20);
        assert_eq!(clock.spend(ms(110)), ms(10));
        assert_eq!(clock.left(), Some(ms(20)));
        assert_eq!(clock.spend(ms(5)), ms(0));
        assert_eq!(clock.left(), Some(ms(35)));
    }

    #[test]
    fn without_limits_nothing_is_too_long() {
        let mut clock = clock(None, None, 9);
        assert_eq!(clock.allowed(), None);
        assert_eq!(clock.spend(Duration::MAX), ms(0));
        assert_eq!(clock.left(), None);
    }
}
