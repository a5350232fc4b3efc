//! Lines of JSON that end with a checksum, for files of runs that can be resumed. A single
//! changed bit in them would be another result.

/// The closing bracket of a JSON line, with the text around the checksum before it: the last member
/// of an object, the last item of an array.
const ENDS: [(char, &str, &str); 2] = [('}', ",\"crc32\":\"", "\"}"), (']', ",\"", "\"]")];

/// Returns the line of an object or an array in JSON that is not empty, with the checksum of
/// the line without it.
pub fn checked_line(json: &str) -> String {
    let sum = crc32fast::hash(json.as_bytes());
    let ended = ENDS
        .iter()
        .find_map(|&(end, before, after)| Some((json.strip_suffix(end)?, before, after)));
    match ended {
        Some((rest, before, after)) => format!("{rest}{before}{sum:08x}{after}\n"),
        None => format!("{json}\n"),
    }
}

/// The complete lines of a file. The text after them was cut off.
pub fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    &bytes[..end.map_or(0, |end| end + 1)]
}

/// Reads the lines of a file one after another.
#[derive(Debug, Default)]
pub struct CheckedLines {
    /// True if the line had a checksum.
    is_checked: bool,
}

impl CheckedLines {
    /// Returns the JSON of a line without its checksum, or `None` if the line has changed since
    /// it was written. Lines of older programs have no checksum, but none of them follows one
    /// that has.
    pub fn json(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        match split(line) {
            Some((json, sum)) => {
                self.is_checked = true;
                let is_sound = sum == format!("{:08x}", crc32fast::hash(&json)).as_bytes();
                is_sound.then_some(json)
            }
            None => (!self.is_checked).then(|| line.to_vec()),
        }
    }
}

/// The JSON of a line, and its checksum if it has one.
fn split(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    ENDS.iter().find_map(|&(end, before, after)| {
        let rest = line.strip_suffix(after.as_bytes())?;
        let (rest, sum) = rest.split_last_chunk::<8>()?;
        let mut json = rest.strip_suffix(before.as_bytes())?.to_vec();
        json.push(end as u8);
        Some((json, sum.as_slice()))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const JSON: [&str; 3] = [
        r#"{"game":"a.sgf 1","white":"bold-one"}"#,
        r#"["h8i9",[["g7",35],["j10",12]]]"#,
        r#"{"game":"a.sgf 2","moves":[]}"#,
    ];

    /// The JSON of the lines of a file up to one that is damaged.
    fn read(file: &[u8]) -> Vec<Option<Vec<u8>>> {
        let mut lines = CheckedLines::default();
        file.split_inclusive(|&byte| byte == b'\n')
            .map(|line| lines.json(line))
            .collect()
    }

    #[test]
    fn every_changed_bit_is_found() {
        let file = JSON.map(checked_line).concat();
        let whole = JSON.map(|json| Some(json.as_bytes().to_vec()));
        assert_eq!(read(file.as_bytes()), whole);
        let first = checked_line(JSON[0]).len();
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut bytes = file.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let found = read(&bytes);
                // Before the first line that has a checksum a damaged one may be an old one.
                let is_old =
                    at < first && found[0].as_deref() == bytes.split(|&b| b == b'\n').next();
                assert!(found.contains(&None) || is_old, "{at} {bit}");
            }
        }
    }

    #[test]
    fn old_lines_are_read_before_others() {
        let old = JSON.map(|json| format!("{json}\n")).concat();
        let new = checked_line(JSON[1]);
        let json = |file: String| read(file.as_bytes());
        assert!(json(old.clone() + &new).iter().all(Option::is_some));
        assert_eq!(json(new + &old)[1..], [None, None, None]);
    }

    #[test]
    fn a_line_without_an_end_is_none() {
        for (file, whole) in [("", ""), ("one", ""), ("\n", "\n"), ("one\ntw", "one\n")] {
            assert_eq!(whole_lines(file.as_bytes()), whole.as_bytes());
        }
    }

    #[test]
    fn the_checksum_is_the_last_member_or_item() {
        let expected = [
            r#"{"game":"a.sgf 1","white":"bold-one","crc32":"d4595d59"}"#,
            r#"["h8i9",[["g7",35],["j10",12]],"4c2078f5"]"#,
            r#"{"game":"a.sgf 2","moves":[],"crc32":"dc0ffbb5"}"#,
        ];
        assert_eq!(
            JSON.map(checked_line),
            expected.map(|line| format!("{line}\n"))
        );
    }
}
