//! The clock of one player in one game: arithmetic on what it is handed, so
//! that no test has to wait.

use std::time::Duration;

/// How much a player may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most time for one move.
    pub turn: Option<Duration>,
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// Added to the time for the game after every move.
    pub increment: Duration,
    /// The most nodes for one move, told to the engine.
    pub nodes: Option<u64>,
    /// The greatest depth, told to the engine.
    pub depth: Option<u64>,
    /// By how much a limit may be overrun.
    pub tolerance: Duration,
    /// The time for one move where no other limit says how long it may take.
    pub patience: Duration,
    /// How much longer the first move of a fresh process may take: that is
    /// when many engines load what they need.
    pub load: Duration,
    /// The most time from the start of a process, and of a game, to its `OK`.
    pub start: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            turn: None,
            game: None,
            increment: Duration::ZERO,
            nodes: None,
            depth: None,
            tolerance: Duration::from_millis(200),
            patience: Duration::from_secs(60),
            load: Duration::from_secs(3),
            start: Duration::from_secs(10),
        }
    }
}

/// What is left of a player's time.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limits: Limits,
    left: Option<Duration>,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(limits: Limits) -> Clock {
        Clock {
            limits,
            left: limits.game,
        }
    }

    /// What is left for the whole game, if that is limited.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// How long the next move may take by the rules of the match.
    pub fn allowed(&self) -> Duration {
        match (self.limits.turn, self.left) {
            (Some(turn), Some(left)) => turn.min(left),
            (Some(limit), None) | (None, Some(limit)) => limit,
            (None, None) => self.limits.patience,
        }
    }

    /// How long to wait for the next move before it is lost.
    pub fn patience(&self) -> Duration {
        self.allowed() + self.limits.tolerance
    }

    /// Takes the time of a move off. By how much it was more than allowed
    /// comes back (zero for a move in time); more than the tolerance loses.
    pub fn spend(&mut self, used: Duration) -> Duration {
        let over = used.saturating_sub(self.allowed());
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(used) + self.limits.increment;
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
        Clock::new(Limits {
            turn: turn.map(ms),
            game: game.map(ms),
            increment: ms(increment),
            tolerance: ms(50),
            ..Limits::default()
        })
    }

    #[test]
    fn the_shorter_limit_counts() {
        let mut clock = clock(Some(100), Some(250), 0);
        assert_eq!(clock.allowed(), ms(100));
        assert_eq!(clock.patience(), ms(150));
        assert_eq!(clock.spend(ms(90)), ms(0));
        assert_eq!(clock.spend(ms(130)), ms(30));
        assert_eq!(clock.left(), Some(ms(30)));
        assert_eq!(clock.allowed(), ms(30));
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
    fn without_limits_patience_is_the_limit() {
        let clock = clock(None, None, 0);
        assert_eq!(clock.allowed(), Limits::default().patience);
        assert_eq!(clock.left(), None);
    }
}
