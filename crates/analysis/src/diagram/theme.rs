//! The colours of a picture.

use quincunx_drawing::Rgb;
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

/// The colours of a theme.
pub(super) struct Palette {
    pub(super) board: Rgb,
    pub(super) grid: Rgb,
    pub(super) edge: Rgb,
    /// Black's and white's stones.
    pub(super) stones: [Rgb; 2],
    /// The numbers on black's and white's stones.
    pub(super) numbers: [Rgb; 2],
    pub(super) last: Rgb,
    pub(super) mark: Rgb,
}

impl Palette {
    /// Every colour of the palette.
    pub(super) fn colors(&self) -> [Rgb; 9] {
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
            board: Rgb(0xe7c88f),
            grid: Rgb(0x7a5c2e),
            edge: Rgb(0x222222),
            stones: [Rgb(0x171717), Rgb(0xfdfdfd)],
            numbers: [Rgb(0xffffff), Rgb(0x111111)],
            last: Rgb(0xd0342c),
            mark: Rgb(0x176d33),
        };
        match self {
            Theme::Wood => wood,
            Theme::Light => Palette {
                board: Rgb(0xfbfaf7),
                grid: Rgb(0x8d959b),
                ..wood
            },
            Theme::Dark => Palette {
                board: Rgb(0x1f2428),
                grid: Rgb(0x6d7880),
                edge: Rgb(0x9aa5ad),
                stones: [Rgb(0x05070a), Rgb(0xe6e9eb)],
                last: Rgb(0xff7b72),
                mark: Rgb(0x5fd17f),
                ..wood
            },
            Theme::Print => Palette {
                board: Rgb(0xffffff),
                grid: Rgb(0x000000),
                edge: Rgb(0x000000),
                stones: [Rgb(0x000000), Rgb(0xffffff)],
                numbers: [Rgb(0xffffff), Rgb(0x000000)],
                last: Rgb(0x808080),
                mark: Rgb(0x808080),
            },
            Theme::Contrast => Palette {
                board: Rgb(0x00324f),
                grid: Rgb(0xa8d8ff),
                edge: Rgb(0xffffff),
                stones: [Rgb(0x000000), Rgb(0xffffff)],
                numbers: [Rgb(0xffffff), Rgb(0x000000)],
                last: Rgb(0xffd400),
                mark: Rgb(0x00ff6a),
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
