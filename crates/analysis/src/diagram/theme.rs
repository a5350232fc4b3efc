//! The colours of a picture.

use std::fmt;
use std::str::FromStr;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// A board of wood.
    #[default]
    Wood,
    /// Pale, for pages with a light background.
    Light,
    /// Dark, for pages with a dark background.
    Dark,
    /// Black on white, for paper.
    Print,
    /// Bright on dark, with high contrast.
    Contrast,
}

/// The text names no theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme '{0}': expected wood, light, dark, print or contrast")]
pub struct ParseThemeError(String);

/// The colours of a theme, in the form of SVG.
pub(super) struct Palette {
    pub(super) board: &'static str,
    pub(super) grid: &'static str,
    pub(super) edge: &'static str,
    /// Black's and white's stones.
    pub(super) stones: [&'static str; 2],
    /// The numbers on black's and white's stones.
    pub(super) numbers: [&'static str; 2],
    pub(super) last: &'static str,
    pub(super) mark: &'static str,
}

impl Palette {
    /// Every colour of the palette.
    pub(super) fn colors(&self) -> [&'static str; 9] {
        let [black, white] = self.stones;
        let [on_black, on_white] = self.numbers;
        let Palette {
            board, grid, edge, ..
        } = *self;
        [
            board, grid, edge, black, white, on_black, on_white, self.last, self.mark,
        ]
    }
}

/// The parts of a colour such as `#1f2428`.
pub(super) fn rgb(color: &str) -> [u8; 3] {
    let number = u32::from_str_radix(color.trim_start_matches('#'), 16).unwrap_or(0);
    let [_, red, green, blue] = number.to_be_bytes();
    [red, green, blue]
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 5] = [
        Theme::Wood,
        Theme::Light,
        Theme::Dark,
        Theme::Print,
        Theme::Contrast,
    ];

    /// The theme's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Wood => "wood",
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Print => "print",
            Theme::Contrast => "contrast",
        }
    }

    pub(super) const fn palette(self) -> Palette {
        let wood = Palette {
            board: "#e7c88f",
            grid: "#7a5c2e",
            edge: "#222222",
            stones: ["#171717", "#fdfdfd"],
            numbers: ["#ffffff", "#111111"],
            last: "#d0342c",
            mark: "#176d33",
        };
        match self {
            Theme::Wood => wood,
            Theme::Light => Palette {
                board: "#fbfaf7",
                grid: "#8d959b",
                ..wood
            },
            Theme::Dark => Palette {
                board: "#1f2428",
                grid: "#6d7880",
                edge: "#9aa5ad",
                stones: ["#05070a", "#e6e9eb"],
                last: "#ff7b72",
                mark: "#5fd17f",
                ..wood
            },
            Theme::Print => Palette {
                board: "#ffffff",
                grid: "#000000",
                edge: "#000000",
                stones: ["#000000", "#ffffff"],
                numbers: ["#ffffff", "#000000"],
                last: "#808080",
                mark: "#808080",
            },
            Theme::Contrast => Palette {
                board: "#00324f",
                grid: "#a8d8ff",
                edge: "#ffffff",
                stones: ["#000000", "#ffffff"],
                numbers: ["#ffffff", "#000000"],
                last: "#ffd400",
                mark: "#00ff6a",
            },
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Theme, ParseThemeError> {
        let mut themes = Theme::ALL.into_iter();
        let named = themes.find(|theme| theme.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ParseThemeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_themes_are_read_back() {
        for theme in Theme::ALL {
            assert_eq!(theme.name().parse(), Ok(theme));
        }
        assert!("glass".parse::<Theme>().is_err());
    }
}
