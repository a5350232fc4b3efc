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

/// Returns the JSON of a checked line without its checksum, or `None` if the line has changed since
/// it was written.
pub fn checked_json(line: &[u8]) -> Option<Vec<u8>> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let (json, sum) = ENDS.iter().find_map(|&(end, before, after)| {
        let rest = line.strip_suffix(after.as_bytes())?;
        let (rest, sum) = rest.split_last_chunk::<8>()?;
        let mut json = rest.strip_suffix(before.as_bytes())?.to_vec();
        json.push(end as u8);
        Some((json, sum))
    })?;
    (sum == format!("{:08x}", crc32fast::hash(&json)).as_bytes()).then_some(json)
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

    #[test]
    fn every_changed_bit_is_found() {
        for json in JSON {
            let line = checked_line(json);
            assert_eq!(checked_json(line.as_bytes()).unwrap(), json.as_bytes());
            assert_eq!(checked_json(json.as_bytes()), None);
            for at in 0..line.len() - 1 {
                for bit in 0..8 {
                    let mut bytes = line.clone().into_bytes();
                    bytes[at] ^= 1 << bit;
                    assert_eq!(checked_json(&bytes), None, "{at} {bit}");
                }
            }
        }
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
