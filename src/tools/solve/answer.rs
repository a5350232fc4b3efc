//! What has been found, as one line of text.

use super::{Task, Wishes, sgf};
use crate::rules::Point;
use crate::threats::{Defence, Solution, Verdict};
use std::fmt::Write;
use std::time::Duration;

/// What the solver said.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Solved(Solution),
    Defended(Defence),
}

/// What the solver said, and how long it took.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(super) outcome: Outcome,
    pub(super) time: Duration,
}

impl Answer {
    /// In one word: `win`, `none` or `unknown`; of a defence `holds`, `lost`
    /// or `unknown`.
    pub fn result(&self) -> &'static str {
        match &self.outcome {
            Outcome::Solved(solution) => match solution.verdict {
                Verdict::Win(_) => "win",
                Verdict::None => "none",
                Verdict::Unknown => "unknown",
            },
            Outcome::Defended(defence) => {
                if !defence.holds.is_empty() {
                    "holds"
                } else if defence.unknown.is_empty() {
                    "lost"
                } else {
                    "unknown"
                }
            }
        }
    }

    fn nodes(&self) -> u64 {
        match &self.outcome {
            Outcome::Solved(solution) => solution.nodes,
            Outcome::Defended(defence) => defence.nodes,
        }
    }

    /// One line, as it is wished for.
    pub fn show(&self, task: &Task, wishes: &Wishes) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = if wishes.json {
            self.write_json(&mut text, task, wishes)
        } else if wishes.sgf {
            write!(text, "{}", sgf::show(task.position(), self.proof()))
        } else {
            self.write_text(&mut text)
        };
        text
    }

    fn proof(&self) -> Option<&crate::threats::Proof> {
        match &self.outcome {
            Outcome::Solved(Solution {
                verdict: Verdict::Win(proof),
                ..
            }) => Some(proof),
            _ => None,
        }
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        write!(text, "{}", self.result())?;
        match &self.outcome {
            Outcome::Solved(_) => {
                if let Some(proof) = self.proof() {
                    let line = points(&proof.line());
                    write!(text, " in {} plies: {line}", proof.plies())?;
                }
            }
            Outcome::Defended(defence) => {
                for (name, list) in lists(defence) {
                    if !list.is_empty() {
                        write!(text, ", {name} {}", points(list))?;
                    }
                }
            }
        }
        write!(
            text,
            " ({} nodes, {} ms)",
            self.nodes(),
            self.time.as_millis()
        )
    }

    fn write_json(&self, text: &mut String, task: &Task, wishes: &Wishes) -> std::fmt::Result {
        write!(text, "{{\"result\":\"{}\"", self.result())?;
        if let Some(proof) = self.proof() {
            let line = points(&proof.line());
            write!(text, ",\"plies\":{},\"line\":\"{line}\"", proof.plies())?;
            if wishes.sgf {
                let tree = sgf::show(task.position(), Some(proof));
                write!(text, ",\"sgf\":\"{}\"", escape(&tree))?;
            }
        }
        if let Outcome::Defended(defence) = &self.outcome {
            for (name, list) in lists(defence) {
                write!(text, ",\"{name}\":\"{}\"", points(list))?;
            }
        }
        let milliseconds = self.time.as_millis();
        write!(text, ",\"nodes\":{},\"ms\":{milliseconds}}}", self.nodes())
    }
}

/// A line of input that makes no sense, as one line of output.
pub(super) fn refusal(reason: &str, json: bool) -> String {
    if json {
        let reason = escape(reason);
        format!("{{\"result\":\"error\",\"error\":\"{reason}\"}}")
    } else {
        format!("error: {reason}")
    }
}

fn lists(defence: &Defence) -> [(&'static str, &[Point]); 3] {
    [
        ("holding", &defence.holds),
        ("open", &defence.unknown),
        ("losing", &defence.loses),
    ]
}

fn points(line: &[Point]) -> String {
    line.iter().map(Point::to_string).collect()
}

/// The text inside the quotes of a JSON string.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => {
                // Writing to a string can't fail.
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(escape("a\"b\\c\n"), "a\\\"b\\\\c\\u000a");
        assert_eq!(
            refusal("'\"' is", true),
            r#"{"result":"error","error":"'\"' is"}"#
        );
    }
}
