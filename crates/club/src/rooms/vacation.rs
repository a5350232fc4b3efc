//! Vacations from correspondence games.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The days of vacation of a person in a year.
const DAYS: u32 = 14;

/// The fewest days of a vacation.
const LEAST: u32 = 3;

const DAY: u64 = 86_400;

/// The time in which no person has more than [`DAYS`]. It begins with the first of them.
const YEAR: u64 = 365 * DAY;

/// The last vacation of a person, and the days of their year. Times are seconds since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Vacation {
    /// The beginning of the year.
    year: u64,
    /// The used days of the year.
    used: u32,
    from: u64,
    until: u64,
}

impl Vacation {
    /// Begins a vacation. Returns its end; nothing if it is too short or too long, or one goes on.
    pub(super) fn begin(&mut self, now: Duration, days: u32) -> Option<Duration> {
        let left = self.left(now);
        if self.until(now).is_some() || !(LEAST..=left).contains(&days) {
            return None;
        }
        let now = now.as_secs();
        if left == DAYS {
            (self.year, self.used) = (now, 0);
        }
        self.used += days;
        (self.from, self.until) = (now, now + u64::from(days) * DAY);
        Some(Duration::from_secs(self.until))
    }

    /// Ends the vacation, whose days that have not begun can be used again. Returns the time until its
    /// planned end; nothing if none goes on.
    pub(super) fn end(&mut self, now: Duration) -> Option<Duration> {
        let until = self.until(now)?;
        let planned = (self.until - self.from) / DAY;
        let spent = now.as_secs().saturating_sub(self.from).div_ceil(DAY);
        let unspent = planned.saturating_sub(spent.max(LEAST.into()));
        self.used -= unspent as u32;
        self.until = now.as_secs();
        Some(until.saturating_sub(now))
    }

    /// The end of the vacation that goes on.
    pub(super) fn until(&self, now: Duration) -> Option<Duration> {
        let until = Duration::from_secs(self.until);
        (until > now).then_some(until)
    }

    /// The days that can be used. Before a vacation too few for one are none.
    pub(super) fn left(&self, now: Duration) -> u32 {
        let is_over = now.as_secs() >= self.year + YEAR;
        match DAYS.saturating_sub(self.used) {
            _ if is_over => DAYS,
            left if left < LEAST => 0,
            left => left,
        }
    }

    /// Moves all times back by the same amount.
    pub(super) fn set_back(&mut self, by: Duration) {
        for time in [&mut self.year, &mut self.from, &mut self.until] {
            *time = time.saturating_sub(by.as_secs());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Duration = Duration::from_secs(1_700_000_000);

    fn days(days: u64) -> Duration {
        Duration::from_secs(days * DAY)
    }

    #[test]
    fn a_year_has_fourteen_days_and_three_are_one_vacation() {
        let mut vacation = Vacation::default();
        assert_eq!(vacation.left(START), 14);
        for too_few_or_many in [0, 1, 2, 15, u32::MAX] {
            assert_eq!(vacation.begin(START, too_few_or_many), None);
        }
        assert_eq!(vacation.begin(START, 5), Some(START + days(5)));
        assert_eq!(vacation.begin(START + days(4), 3), None, "it goes on");
        assert_eq!(vacation.until(START + days(4)), Some(START + days(5)));
        assert_eq!(vacation.until(START + days(5)), None);
        assert_eq!(vacation.end(START + days(5)), None);
        assert_eq!(vacation.left(START + days(5)), 9);
        assert_eq!(vacation.begin(START + days(9), 7), Some(START + days(16)));
        assert_eq!(vacation.left(START + days(16)), 0, "two are too few");
        assert_eq!(vacation.left(START + days(364)), 0);
        assert_eq!(vacation.left(START + days(365)), 14);
        assert_eq!(
            vacation.begin(START + days(400), 14),
            Some(START + days(414))
        );
        assert_eq!(vacation.left(START + days(764)), 0);
        assert_eq!(vacation.left(START + days(765)), 14);
    }

    #[test]
    fn days_that_have_not_begun_can_be_used_again() {
        for (ended, back, left) in [(0, 10, 11), (2, 8, 11), (3, 7, 11), (6, 4, 8), (9, 1, 5)] {
            let mut vacation = Vacation::default();
            assert!(vacation.begin(START, 10).is_some());
            let now = START + days(ended);
            assert_eq!(vacation.end(now), Some(days(back)));
            assert_eq!((vacation.until(now), vacation.left(now)), (None, left));
        }
        let mut vacation = Vacation::default();
        assert!(vacation.begin(START, 10).is_some());
        let hour = Duration::from_secs(3600);
        assert!(vacation.end(START + days(3) + hour).is_some());
        assert_eq!(
            vacation.left(START + days(4)),
            10,
            "the fourth day has begun"
        );
    }

    #[test]
    fn a_clock_that_is_set_back_takes_the_vacation_with_it() {
        let mut vacation = Vacation::default();
        assert!(vacation.begin(START, 14).is_some());
        vacation.set_back(days(2));
        assert_eq!(vacation.until(START), Some(START + days(12)));
        assert_eq!(vacation.left(START + days(363)), 14);
    }
}
