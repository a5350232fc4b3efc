//! Headers of runs: a JSON object of all settings that decide the results. A run resumes only
//! with an equal header, and otherwise the error lists the settings that differ.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt;

/// The first line of the file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) line: Vec<u8>,
}

impl Header {
    /// The header of a file without one, whose records say what they belong to.
    pub const NONE: Header = Header { line: Vec::new() };

    /// Creates a header of text or JSON in one line.
    pub fn of(text: impl fmt::Display) -> Header {
        let line = format!("{text}\n").into_bytes();
        Header { line }
    }

    /// Creates a header of bytes, of a file that has no lines.
    pub fn of_bytes(bytes: &[u8]) -> Header {
        let line = bytes.to_vec();
        Header { line }
    }

    /// Describes in which settings the start of a file differs from the header.
    pub(super) fn mismatch(&self, found: &[u8]) -> String {
        let found = found.split(|&byte| byte == b'\n').next();
        let [own, found] = [&self.line[..], found.unwrap_or_default()]
            .map(|line| serde_json::from_slice::<Map<String, Value>>(line).ok());
        // A file of the same kind has at least the first setting.
        let both = own.zip(found);
        match both.filter(|(own, found)| own.keys().any(|key| found.contains_key(key))) {
            Some((own, found)) => {
                let all = differences(&own.into(), &found.into());
                format!("it is of another run: {}", join(&all))
            }
            None => "it is of another run, or of another kind".to_owned(),
        }
    }
}

/// A setting in which two runs differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the setting.
    pub setting: String,
    /// The value in this run and in the other, null where the setting is missing.
    pub values: [Value; 2],
}

/// `seed 9, not 1`: the value of the other run and of this one, unless they are lists.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.setting)?;
        self.fmt_values(f)
    }
}

impl Difference {
    /// Writes the values behind the name of the setting.
    ///
    /// # Errors
    /// Returns an error of the formatter.
    pub fn fmt_values(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &Value| match value {
            Value::Null => Some("none".to_owned()),
            Value::String(text) => Some(text.clone()),
            Value::Array(_) => None,
            value => Some(value.to_string()),
        };
        match self.values.each_ref().map(word) {
            [Some(own), Some(other)] => write!(f, " {other}, not {own}"),
            _ => Ok(()),
        }
    }
}

/// Returns the members in which the settings of two runs differ. A setting that is missing is
/// null.
pub fn differences(own: &Value, other: &Value) -> Vec<Difference> {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let both = [own, other].map(members);
    let keys: BTreeSet<&String> = both.iter().flat_map(Map::keys).collect();
    let all = keys.into_iter().map(|key| Difference {
        setting: key.clone(),
        values: (both.each_ref()).map(|of| of.get(key).cloned().unwrap_or_default()),
    });
    all.filter(|difference| difference.values[0] != difference.values[1])
        .collect()
}

/// Lists differences in one line.
pub fn join(differences: &[impl fmt::Display]) -> String {
    let all: Vec<String> = differences.iter().map(ToString::to_string).collect();
    all.join("; ")
}
