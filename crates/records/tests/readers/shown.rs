//! The stones that damaged files show, as a few lines of code find them without a grammar.

use quincunx_engine::rules::{BoardSize, Color, Point};

/// The text of a damaged file: as it says that it is encoded, in UTF-8 or in Latin-1.
pub(super) fn text_of(bytes: &[u8]) -> String {
    let is_sign = |byte: &u8| !byte.is_ascii_whitespace();
    let signs: Vec<u8> = bytes.iter().copied().filter(is_sign).collect();
    let label = (1..signs.len()).find_map(|at| {
        let value = signs[at..].strip_prefix(b"CA[")?;
        let end = value.iter().position(|&byte| byte == b']')?;
        (end > 0 && b";](".contains(&signs[at - 1])).then(|| &value[..end])
    });
    let named = label.and_then(encoding_rs::Encoding::for_label_no_replacement);
    match (named, std::str::from_utf8(bytes)) {
        (Some(charset), _) if charset != encoding_rs::UTF_8 => charset.decode(bytes).0.into_owned(),
        (_, Ok(text)) => text.to_owned(),
        (_, Err(_)) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

/// The stones of an SGF text, each with the text of its point.
pub(super) fn stones_of_sgf(text: &str, size: BoardSize) -> Vec<(Color, String)> {
    let mut stones = Vec::new();
    let (mut name, mut is_ended) = (String::new(), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '[' => {
                let mut value = String::new();
                // What is not closed is no value.
                let mut is_closed = false;
                while let Some(c) = chars.next() {
                    is_closed = c == ']';
                    match c {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        c => value.push(c),
                    }
                }
                // Old files write names such as `Black`, as words of prose begin.
                let capitals = name.replace(|c: char| c.is_ascii_lowercase(), "");
                let point = point_text(&value, size);
                let is_stone = is_closed && (capitals == name || !point.is_empty());
                match capitals.as_str() {
                    "B" if is_stone => stones.push((Color::Black, point)),
                    "W" if is_stone => stones.push((Color::White, point)),
                    _ => {}
                }
            }
            ']' | ';' | '(' | ')' => name.clear(),
            c if c.is_ascii_alphanumeric() => {
                // A name is one word.
                if std::mem::take(&mut is_ended) {
                    name.clear();
                }
                name.push(c);
            }
            c => is_ended |= c.is_whitespace(),
        }
        if c == '[' {
            // Another value may follow, which makes it an error for a move.
            let again = chars
                .as_str()
                .trim_start_matches(|c: char| c.is_whitespace() || c < ' ');
            if !again.starts_with('[') {
                name.clear();
            }
        }
    }
    stones
}

/// The text of the point that a value of SGF names, `--` for a pass, or nothing.
fn point_text(value: &str, size: BoardSize) -> String {
    let value = value.trim_matches(|c: char| c.is_whitespace());
    match value.as_bytes() {
        [] => "--".to_owned(),
        b"tt" if size.width() < 20 || size.height() < 20 => "--".to_owned(),
        [x @ b'a'..=b'z', row @ b'a'..=b'z'] => {
            let y = size.height() as i64 - i64::from(row - b'a');
            format!("{}{y}", char::from(*x))
        }
        _ => value
            .to_ascii_lowercase()
            .parse::<Point>()
            .map_or(String::new(), |it| it.to_string()),
    }
}

/// The stones of a PSQ text: every line that begins with two numbers.
pub(super) fn stones_of_psq(text: &str) -> Vec<(i64, i64)> {
    let lines = text.split(['\n', '\r']).skip(1);
    let stone = |line: &str| {
        let mut fields = line
            .trim_matches(|c: char| c.is_whitespace() || c < ' ')
            .split(',');
        Some((
            fields.next()?.trim().parse().ok()?,
            fields.next()?.trim().parse().ok()?,
        ))
    };
    lines.filter_map(stone).collect()
}

/// The points of a text: every letter with digits behind it.
pub(super) fn stones_of_text(text: &str) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let starts = text.char_indices().filter(|(_, c)| c.is_ascii_lowercase());
    let point = |(at, _): (usize, char)| {
        let digits: String = text[at + 1..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        (!digits.is_empty()).then(|| format!("{}{digits}", &text[at..=at]))
    };
    starts.filter_map(point).collect()
}
