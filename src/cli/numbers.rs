//! Parsers of numbers on the command line. Invalid ones, such as NaN or a share of 2, are wrong
//! usage, and are refused before the command begins.

use quincunx_engine::game::parse_time;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The maximum number of games or attempts at a time, each of which has threads of its own.
pub(crate) const MOST_AT_A_TIME: usize = 1024;

/// Parses a number from `least` to `most`.
pub(crate) fn within<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: Copy + Display + FromStr + PartialOrd + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

/// Parses a number that is more than zero and at most `most`.
pub(crate) fn positive<T>(
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: Copy + Default + Display + FromStr + PartialOrd + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok();
        let number = number.filter(|number| *number > T::default() && *number <= most);
        number.ok_or_else(|| format!("expected a number more than 0 and up to {most}"))
    }
}

/// Parses a whole number that is at least one.
pub(crate) fn at_least_one<T>(text: &str) -> Result<T, &'static str>
where
    T: From<u8> + FromStr + PartialOrd,
{
    let number = text.parse().ok();
    let number = number.filter(|number| *number >= T::from(1));
    number.ok_or("expected a whole number of at least 1")
}

/// The units of memory, in MiB.
const SIZES: &[(&str, f64)] = &[
    ("MiB", 1.0),
    ("MB", 1.0),
    ("M", 1.0),
    ("GiB", 1_024.0),
    ("GB", 1_024.0),
    ("G", 1_024.0),
];

/// Parses a time such as `100ms`, `2s` or `5min` as milliseconds. A number alone is in
/// milliseconds.
pub(crate) fn milliseconds<T: TryFrom<u64>>(text: &str) -> Result<T, &'static str> {
    whole_time(text, 1, 1).ok_or("expected a time such as 100ms, 2s or 5min")
}

/// Parses a time of at least a millisecond.
pub(crate) fn some_milliseconds(text: &str) -> Result<u64, &'static str> {
    let time = milliseconds(text)?;
    at_least_one::<u64>(&u64::to_string(&time)).map_err(|_| "expected a time of 1ms or more")
}

/// Parses a time as seconds. A number alone is in seconds.
pub(crate) fn seconds(text: &str) -> Result<u64, &'static str> {
    whole_time(text, 1_000, 1_000).ok_or("expected a time such as 60s or 2min")
}

/// Parses a time as seconds. A number alone is in minutes.
pub(crate) fn minutes(text: &str) -> Result<u64, &'static str> {
    whole_time(text, 60_000, 1_000).ok_or("expected a time such as 10min or 1h")
}

/// A time in whole units of `worth` milliseconds. A number alone is in units of `alone`
/// milliseconds.
fn whole_time<T: TryFrom<u64>>(text: &str, alone: u64, worth: u64) -> Option<T> {
    let time = parse_time(text, Duration::from_millis(alone))?;
    let unit = Duration::from_millis(worth).as_nanos();
    let is_whole = time.as_nanos().is_multiple_of(unit);
    let units = is_whole.then_some(time.as_nanos() / unit)?;
    u64::try_from(units).ok()?.try_into().ok()
}

/// Parses an amount of memory such as `350MiB` or `2GiB` as MiB. A number alone is in MiB.
pub(crate) fn mebibytes<T: TryFrom<u64>>(text: &str) -> Result<T, &'static str> {
    in_units(text).ok_or("expected an amount of memory such as 350MiB or 2GiB")
}

/// Parses an amount of at least one MiB.
pub(crate) fn some_mebibytes(text: &str) -> Result<u64, &'static str> {
    let size = mebibytes(text)?;
    at_least_one::<u64>(&u64::to_string(&size)).map_err(|_| "expected 1MiB or more")
}

/// A whole number of MiB in one of the units of memory, or in none.
fn in_units<T: TryFrom<u64>>(text: &str) -> Option<T> {
    let end = text.find(|letter: char| letter.is_ascii_alphabetic());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = match unit {
        "" => 1.0,
        unit => SIZES.iter().find(|(name, _)| *name == unit)?.1,
    };
    let number: f64 = number.trim_end().parse().ok()?;
    let whole = number * unit;
    // Whole numbers of this size are exact.
    let is_whole = (0.0..=9e15).contains(&whole) && whole.fract() == 0.0;
    is_whole.then_some(whole as u64)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let share = within(0.0, 1.0);
        assert_eq!((share("0"), share("1")), (Ok(0.0), Ok(1.0)));
        let rate = positive(9.0);
        assert_eq!((rate("1e-9"), rate("9")), (Ok(1e-9), Ok(9.0)));
        for text in ["nan", "-nan", "inf", "-inf", "-1", "1e300", "x", ""] {
            assert!(share(text).is_err() && rate(text).is_err(), "{text}");
        }
        assert!(rate("0").is_err() && share("1.1").is_err());
        assert_eq!(at_least_one::<u32>("1"), Ok(1));
        for text in ["0", "-1", "1.5", "4294967296"] {
            assert!(at_least_one::<u32>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_and_sizes_have_units_or_the_usual_one() {
        for (text, time) in [
            ("100", 100),
            ("0", 0),
            ("100ms", 100),
            ("100 ms", 100),
            ("2s", 2_000),
            ("1.5s", 1_500),
            ("5m", 300_000),
            ("5min", 300_000),
            ("1h", 3_600_000),
            ("1:30", 90_000),
        ] {
            assert_eq!(milliseconds::<u64>(text), Ok(time), "{text}");
        }
        assert_eq!((seconds("60"), seconds("2min")), (Ok(60), Ok(120)));
        assert_eq!((minutes("10"), minutes("90s")), (Ok(600), Ok(90)));
        for (text, size) in [
            ("350", 350),
            ("350MiB", 350),
            ("2GiB", 2_048),
            ("2GB", 2_048),
        ] {
            assert_eq!(mebibytes::<u32>(text), Ok(size), "{text}");
        }
        for text in [
            "", "ms", "s2", "-1s", "1e300s", "nan", "2 weeks", "2S", "0.5ms", "1s2",
        ] {
            assert!(milliseconds::<u64>(text).is_err(), "{text}");
        }
        assert!(minutes("5ms").is_err() && mebibytes::<u8>("2GiB").is_err());
        assert!(some_milliseconds("0s").is_err());
    }
}
