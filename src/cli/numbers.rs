//! Numbers on the command line: one that makes no sense, such as NaN or a share of 2, is
//! wrong usage and refused before anything begins.

use std::fmt::Display;
use std::str::FromStr;

/// The most games or attempts at a time: each has threads of its own.
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
}
