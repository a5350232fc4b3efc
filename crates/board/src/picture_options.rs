//! Options of pictures of a board.

use quincunx_analysis::diagram::Theme;
use quincunx_engine::rules::Symmetry;
use serde::{Deserialize, Serialize};

/// Options of a picture of the board.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PictureOptions {
    /// The orientation of the board, 0 to 7: quarter turns to the right, and 4 more for a board
    /// that is mirrored first.
    pub view: u8,
    /// The colours.
    pub theme: PictureTheme,
}

/// The colours of a picture.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureTheme {
    /// A board of wood.
    #[default]
    Wood,
    /// A pale one.
    Light,
    /// A dark one.
    Dark,
    /// Black on white.
    Paper,
    /// Bright on dark.
    Contrast,
}

/// The orientations by the numbers of symmetries. A symmetry's bits mirror columns (1) and rows
/// (2), and then exchange them (4).
const VIEWS: [usize; 8] = [0, 5, 3, 6, 1, 4, 2, 7];

impl PictureOptions {
    /// The symmetry of the board that the view shows.
    pub(super) fn symmetry(self) -> Symmetry {
        Symmetry::ALL[VIEWS[usize::from(self.view) % VIEWS.len()]]
    }
}

impl From<PictureTheme> for Theme {
    fn from(theme: PictureTheme) -> Theme {
        match theme {
            PictureTheme::Wood => Theme::Wood,
            PictureTheme::Light => Theme::Light,
            PictureTheme::Dark => Theme::Dark,
            PictureTheme::Paper => Theme::Print,
            PictureTheme::Contrast => Theme::Contrast,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Point};

    /// The bottom left corner and its neighbour, seen from each side.
    #[test]
    fn views_turn_to_the_right() {
        let size = BoardSize::new(7, 5).unwrap();
        let seen = |view, point: Point| {
            let look = PictureOptions {
                view,
                ..PictureOptions::default()
            };
            look.symmetry().apply(size, point).to_string()
        };
        let (corner, beside) = ("a1".parse().unwrap(), "b1".parse().unwrap());
        let views: Vec<String> = (0..8)
            .map(|view| seen(view, corner) + &seen(view, beside))
            .collect();
        assert_eq!(
            views,
            [
                "a1b1", "a7a6", "g5f5", "e1e2", "g1f1", "a1a2", "a5b5", "e7e6"
            ]
        );
    }
}
