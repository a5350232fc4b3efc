//! Dates of the civil calendar, as game files write them.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u32,
    month: u8,
    day: u8,
}

impl Date {
    /// The day in UTC of a moment, given in seconds since 1970.
    pub const fn from_unix(seconds: u64) -> Date {
        // Years are counted from March, so that leap days come last.
        let days = seconds / 86_400 + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
        Date {
            year: if year > u32::MAX as u64 {
                u32::MAX
            } else {
                year as u32
            },
            month: month as u8,
            day: day as u8,
        }
    }
}

/// `2026-11-23`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The text is not a date such as 2026-11-23.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a date: expected year, month and day such as 2026-11-23")]
pub struct ParseDateError(String);

impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (year, rest) = text.split_once('-')?;
            let (month, day) = rest.split_once('-')?;
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            if !(digits(year) && digits(month) && digits(day)) {
                return None;
            }
            let date = Date {
                year: year.parse().ok()?,
                month: month.parse().ok()?,
                day: day.parse().ok()?,
            };
            let fits = (1..=12).contains(&date.month) && (1..=31).contains(&date.day);
            fits.then_some(date)
        };
        parse().ok_or_else(|| ParseDateError(text.to_owned()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            let date = Date::from_unix(seconds);
            assert_eq!(date.to_string(), expected);
            assert_eq!(expected.parse::<Date>().unwrap(), date);
        }
        // The end of time is a date too.
        let _ = Date::from_unix(u64::MAX).to_string();
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-13-01",
            "2026-11-32",
            "-1-1-1",
            "2026-11-23x",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
