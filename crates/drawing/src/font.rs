//! A font of lines for digits and small letters: a picture needs no other, and looks the same
//! everywhere.

/// The width and height of a digit, and the space between two, in the units of [`strokes`].
const WIDTH: f64 = 4.0;
const HEIGHT: f64 = 6.0;
const SPACE: f64 = 1.4;

/// The width of a line for a digit of height 1.
pub(super) const WEIGHT: f64 = 0.8 / HEIGHT;

/// The glyphs of a word with their offsets in font units, and the place and the scale of the run in
/// the picture.
pub(super) struct GlyphRun {
    pub(super) place: (f64, f64),
    pub(super) scale: f64,
    pub(super) glyphs: Vec<(f64, &'static str)>,
}

impl GlyphRun {
    /// A word of digits and small letters around a place. `height` is that of a digit.
    pub(super) fn of(word: &str, (x, y): (f64, f64), height: f64) -> GlyphRun {
        let scale = height / HEIGHT;
        let starts = (0..).map(|index| f64::from(index) * (WIDTH + SPACE));
        let glyphs: Vec<_> = starts.zip(word.chars().map(strokes)).collect();
        let width = glyphs.len() as f64 * (WIDTH + SPACE) - SPACE;
        GlyphRun {
            place: (x - width * scale / 2.0, y - height / 2.0),
            scale,
            glyphs,
        }
    }
}

/// The lines of a digit or a small letter, as the data of an SVG path. Digits are 4 units
/// wide and 6 high; the tails of letters reach down to 8.
fn strokes(letter: char) -> &'static str {
    match letter {
        '0' => "M2 0C3.3 0 4 1.2 4 3 4 4.8 3.3 6 2 6 .7 6 0 4.8 0 3 0 1.2 .7 0 2 0Z",
        '1' => "M.8 1.2L2.4 0V6",
        '2' => "M.2 1.5C.4 .5 1.1 0 2 0 3.1 0 3.8 .7 3.8 1.7 3.8 3.1 .2 4.4 0 6H4",
        '3' => "M.2 0H3.7L1.9 2.4C3.2 2.3 4 3.1 4 4.2 4 5.3 3.1 6 2 6 1.1 6 .3 5.6 0 4.8",
        '4' => "M3 6V0L0 4.2H4",
        '5' => {
            "M3.6 0H.7L.4 2.8C.8 2.4 1.4 2.2 2 2.2 3.2 2.2 4 3 4 4.1 4 5.2 3.2 6 2 6 1.1 6 .4 5.6 0 4.9"
        }
        '6' => {
            "M3.4 .4C3 .1 2.6 0 2.2 0 .8 0 0 1.4 0 3.6 0 5.1 .8 6 2 6 3.2 6 4 5.2 4 4.1 4 3 3.2 2.2 2.1 2.2 1 2.2 .1 3 0 4"
        }
        '7' => "M0 0H4L1.5 6",
        '8' => {
            "M2 2.8C1 2.8 .3 2.2 .3 1.4 .3 .6 1 0 2 0 3 0 3.7 .6 3.7 1.4 3.7 2.2 3 2.8 2 2.8ZM2 2.8C.8 2.8 0 3.5 0 4.4 0 5.3 .8 6 2 6 3.2 6 4 5.3 4 4.4 4 3.5 3.2 2.8 2 2.8Z"
        }
        '9' => {
            "M.6 5.6C1 5.9 1.4 6 1.8 6 3.2 6 4 4.6 4 2.4 4 .9 3.2 0 2 0 .8 0 0 .8 0 1.9 0 3 .8 3.8 1.9 3.8 3 3.8 3.9 3 4 2"
        }
        'a' => "M4 4A2 2 0 1 1 0 4A2 2 0 1 1 4 4M4 2V6",
        'b' => "M0 0V6M0 4A2 2 0 1 1 4 4A2 2 0 1 1 0 4",
        'c' => "M3.6 2.8A2 2 0 1 0 3.6 5.2",
        'd' => "M4 0V6M4 4A2 2 0 1 1 0 4A2 2 0 1 1 4 4",
        'e' => "M0 4H4A2 2 0 1 0 3.5 5.3",
        'f' => "M3.4 .2C2-.3 1.6.6 1.6 1.5V6M.4 2.2H3",
        'g' => "M4 2V6.2C4 7.4 3.1 8 2 8 1.2 8 .6 7.7 .2 7.2M4 4A2 2 0 1 1 0 4A2 2 0 1 1 4 4",
        'h' => "M0 0V6M0 4C0 2.8 .9 2 2 2 3.2 2 3.8 2.8 3.8 4V6",
        'i' => "M2 2V6M2 .3V.4",
        'j' => "M2.6 2V6.6C2.6 7.6 2 8 1.2 8H.8M2.6 .3V.4",
        'k' => "M0 0V6M3.6 2L0 4.6M1.3 3.7L3.8 6",
        'l' => "M2 0V6",
        'm' => {
            "M0 2V6M0 3.6C0 2.6 .4 2 1.1 2 1.8 2 2 2.6 2 3.4V6M2 3.6C2 2.6 2.5 2 3.1 2 3.8 2 4 2.6 4 3.4V6"
        }
        'n' => "M0 2V6M0 4C0 2.8 .9 2 2 2 3.2 2 3.8 2.8 3.8 4V6",
        'o' => "M4 4A2 2 0 1 1 0 4A2 2 0 1 1 4 4",
        'p' => "M0 2V8M0 4A2 2 0 1 1 4 4A2 2 0 1 1 0 4",
        'q' => "M4 2V8M4 4A2 2 0 1 1 0 4A2 2 0 1 1 4 4",
        'r' => "M.6 2V6M.6 4C.6 2.8 1.4 2 2.6 2H3.2",
        's' => {
            "M3.5 2.7C3.2 2.2 2.7 2 2 2 1 2 .5 2.4 .5 3 .5 4.4 3.6 3.5 3.6 5 3.6 5.6 3 6 2 6 1.2 6 .7 5.7 .4 5.2"
        }
        't' => "M1.6 .6V4.8C1.6 5.6 2 6 2.7 6H3.3M.4 2H3.2",
        'u' => "M4 2V6M.2 2V4C.2 5.2 .8 6 2 6 3.1 6 4 5.2 4 4",
        'v' => "M0 2L2 6 4 2",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letters of the widest board and all digits are drawn, and no two alike.
    #[test]
    fn every_letter_of_a_board_has_lines() {
        let drawn: Vec<&str> = ('a'..='v').chain('0'..='9').map(strokes).collect();
        for (number, lines) in drawn.iter().enumerate() {
            assert!(!lines.is_empty(), "{number}");
            assert!(!drawn[..number].contains(lines), "{lines}");
        }
    }

    #[test]
    fn words_stand_around_their_place() {
        let word = GlyphRun::of("17", (3.0, 2.0), 0.6);
        let (x, y) = word.place;
        assert!((x - 2.53).abs() < 1e-9 && (y - 1.7).abs() < 1e-9);
        assert!((word.scale - 0.1).abs() < 1e-9);
        assert_eq!(word.glyphs.len(), 2);
    }
}
