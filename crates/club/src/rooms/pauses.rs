//! Pauses that grow with every repetition, for what spoils the time of others.

use super::person::PersonId;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::Duration;

/// The first pause.
const FIRST: Duration = Duration::from_secs(10);

/// The longest pause of a person.
pub(super) const LONGEST: Duration = Duration::from_secs(600);

/// The time after which an offence is forgotten.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// The owner of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Offender {
    /// A person.
    Person(PersonId),
    /// The guests of an address: each would be new again at no cost.
    Guests(IpAddr),
}

/// Pauses by key. Each is twice as long as the one before it.
#[derive(Debug)]
pub(super) struct Pauses<K> {
    by_key: HashMap<K, Pause>,
}

#[derive(Debug)]
struct Pause {
    offences: u32,
    ends: Duration,
}

impl<K> Default for Pauses<K> {
    fn default() -> Pauses<K> {
        Pauses {
            by_key: HashMap::new(),
        }
    }
}

impl<K: Eq + Hash> Pauses<K> {
    /// Begins a pause of at most `longest`.
    pub(super) fn begin(&mut self, now: Duration, whose: K, longest: Duration) {
        self.by_key.retain(|_, it| now < it.ends + REMEMBERED);
        let pause = self.by_key.entry(whose).or_insert(Pause {
            offences: 0,
            ends: now,
        });
        let length = FIRST * 2u32.saturating_pow(pause.offences.min(16));
        pause.offences += 1;
        pause.ends = pause.ends.max(now + length.min(longest));
    }

    /// Checks that a pause is over.
    ///
    /// # Errors
    /// Returns the time that is left of it.
    pub(super) fn check(&self, now: Duration, whose: &K) -> Result<(), Duration> {
        let ends = self.by_key.get(whose).map(|it| it.ends);
        let left = ends.unwrap_or_default().saturating_sub(now);
        if left.is_zero() { Ok(()) } else { Err(left) }
    }

    /// Forgets one offence, for a game that began after the pause.
    pub(super) fn forgive(&mut self, whose: &K, began: Duration) {
        let pause = self.by_key.get_mut(whose);
        if let Some(pause) = pause.filter(|it| it.ends <= began) {
            pause.offences = pause.offences.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn pauses_grow_and_are_forgotten() {
        let mut pauses = Pauses::default();
        let mut now = s(1_700_000_000);
        for length in [10, 20, 40, 80, 160, 320, 600, 600] {
            assert_eq!(pauses.check(now, &1), Ok(()));
            pauses.begin(now, 1, LONGEST);
            assert_eq!(pauses.check(now, &1), Err(s(length)));
            now += s(length);
        }
        assert_eq!(pauses.check(now, &2), Ok(()));
        pauses.forgive(&1, now);
        pauses.forgive(&2, now);
        now += s(3600);
        pauses.begin(now, 1, s(60));
        assert_eq!(pauses.check(now, &1), Err(s(10)));
        pauses.forgive(&1, now + s(9));
        pauses.begin(now + s(10), 1, LONGEST);
        assert_eq!(pauses.check(now + s(10), &1), Err(s(20)));
        pauses.forgive(&1, now + s(30));
        pauses.begin(now + s(30), 1, LONGEST);
        assert_eq!(pauses.check(now + s(30), &1), Err(s(20)));
    }
}
