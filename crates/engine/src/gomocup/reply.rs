//! Replies of an engine.

use super::coordinates::Coordinates;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// The answer to ABOUT: `name="..", version=".."` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Keys and values in their order.
    pub entries: Vec<(String, String)>,
}

impl About {
    /// The value of `key`, if there is one.
    pub fn get(&self, key: &str) -> Option<&str> {
        let entry = self
            .entries
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(key));
        entry.map(|(_, value)| value.as_str())
    }

    /// Reads `key="value"` pairs with commas or blanks between; `None` if the
    /// text has another shape.
    fn parse(text: &str) -> Option<About> {
        let separator = |c: char| c == ',' || c.is_whitespace();
        let mut entries = Vec::new();
        let mut rest = text.trim_matches(separator);
        while !rest.is_empty() {
            let (key, after) = rest.split_once('=')?;
            let (value, after) = after.trim_start().strip_prefix('"')?.split_once('"')?;
            let key = key.trim();
            if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return None;
            }
            entries.push((key.to_owned(), value.to_owned()));
            rest = after.trim_start_matches(separator);
        }
        (!entries.is_empty()).then_some(About { entries })
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (key, value)) in self.entries.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(f, "{comma}{key}=\"{value}\"")?;
        }
        Ok(())
    }
}

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The command was obeyed.
    Ok,
    /// A move.
    Move(Coordinates),
    /// Two or more stones, to be placed one after another.
    Stones(Vec<Coordinates>),
    /// The engine takes the other colour.
    Swap,
    /// The command is known but can't be obeyed.
    Error(String),
    /// There is no such command.
    Unknown(String),
    /// Text for the user.
    Message(String),
    /// Text for the author of the engine.
    Debug(String),
    /// The answer to ABOUT.
    About(About),
    /// The points that black may not play.
    Forbid(Vec<Coordinates>),
    /// Live output of a search: key and value. Only for GUIs that asked.
    Info(String, String),
    /// Any other line.
    Other(String),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Move(at) => write!(f, "{at}"),
            Reply::Stones(stones) => {
                let stones: Vec<String> = stones.iter().map(Coordinates::to_string).collect();
                f.write_str(&stones.join(" "))
            }
            Reply::Swap => f.write_str("SWAP"),
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::About(about) => write!(f, "{about}"),
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                for point in points {
                    write!(f, "{:02}{:02}", point.x, point.y)?;
                }
                f.write_str(".")
            }
            Reply::Info(key, value) => write!(f, "INFO {key} {value}"),
            Reply::Other(text) => f.write_str(text),
        }
    }
}

impl FromStr for Reply {
    type Err = Infallible;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = line.trim();
        if let Ok(at) = line.parse() {
            return Ok(Reply::Move(at));
        }
        let stones = line.split_whitespace().map(str::parse);
        if let Ok(stones) = stones.collect::<Result<Vec<Coordinates>, _>>()
            && stones.len() > 1
        {
            return Ok(Reply::Stones(stones));
        }
        if let Some(about) = About::parse(line) {
            return Ok(Reply::About(about));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        Ok(match word.to_ascii_uppercase().as_str() {
            "OK" if rest.is_empty() => Reply::Ok,
            "SWAP" if rest.is_empty() => Reply::Swap,
            "ERROR" => Reply::Error(text()),
            "UNKNOWN" => Reply::Unknown(text()),
            "MESSAGE" => Reply::Message(text()),
            "DEBUG" => Reply::Debug(text()),
            "FORBID" => forbid(rest).map_or_else(|| Reply::Other(line.to_owned()), Reply::Forbid),
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Reply::Info(key.to_owned(), value.trim().to_owned())
            }
            _ => Reply::Other(line.to_owned()),
        })
    }
}

/// Two digits a coordinate, a dot at the end.
fn forbid(text: &str) -> Option<Vec<Coordinates>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    let two = |pair: &[u8]| match pair {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            Some(i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
        }
        _ => None,
    };
    digits
        .chunks(4)
        .map(|chunk| {
            let (x, y) = chunk.split_at_checked(2)?;
            Some(Coordinates {
                x: two(x)?,
                y: two(y)?,
            })
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn replies() -> impl Strategy<Value = Reply> {
        let at = || (0..22i32, 0..22i32).prop_map(|(x, y)| Coordinates { x, y });
        let text = || "[!-~]([ -~]{0,20}[!-~])?";
        prop_oneof![
            Just(Reply::Ok),
            at().prop_map(Reply::Move),
            proptest::collection::vec(at(), 2..4).prop_map(Reply::Stones),
            Just(Reply::Swap),
            text().prop_map(Reply::Error),
            text().prop_map(Reply::Unknown),
            text().prop_map(Reply::Message),
            text().prop_map(Reply::Debug),
            proptest::collection::vec(at(), 0..5).prop_map(Reply::Forbid),
            ("[A-Z]{1,9}", text()).prop_map(|(key, value)| Reply::Info(key, value)),
            proptest::collection::vec(("[a-z]{1,7}", "[ !#-~]{0,9}"), 1..4)
                .prop_map(|entries| Reply::About(About { entries })),
        ]
    }

    proptest! {
        #[test]
        fn replies_round_trip(reply in replies()) {
            prop_assert_eq!(reply.to_string().parse::<Reply>().unwrap(), reply);
        }

        #[test]
        fn any_line_is_some_reply(line in "\\PC*") {
            let _ = line.parse::<Reply>();
        }
    }

    #[test]
    fn other_engines_lines_are_understood() {
        let parse = |line: &str| line.parse::<Reply>().unwrap();
        assert_eq!(parse("ok\r"), Reply::Ok);
        assert_eq!(parse(" 7,8"), Reply::Move(Coordinates { x: 7, y: 8 }));
        assert_eq!(
            parse("FORBID 0102."),
            Reply::Forbid(vec![Coordinates { x: 1, y: 2 }])
        );
        assert_eq!(parse("swap"), Reply::Swap);
        assert_eq!(
            parse("7,8 9,10"),
            Reply::Stones(vec![
                Coordinates { x: 7, y: 8 },
                Coordinates { x: 9, y: 10 }
            ])
        );
        assert_eq!(parse("FORBID ."), Reply::Forbid(vec![]));
        for line in ["OK then", "FORBID 010.", "SWAP?", "hello", "7,8 9"] {
            assert_eq!(parse(line), Reply::Other(line.to_owned()));
        }
        let Reply::About(about) = parse("name=\"A B\", version=\"1.0\",author=\"x\"") else {
            panic!("no ABOUT answer");
        };
        assert_eq!(about.get("version"), Some("1.0"));
        assert_eq!(about.get("www"), None);
    }
}
