//! A diagram as pixels, and those as PNG.

use super::Diagram;
use super::svg::{Area, SCALE};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The distance between two lines of the board in a PNG, in pixels.
const STEP: f64 = 48.0;

/// Why a picture can't be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The picture can't be drawn.
    #[error("the picture can't be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture has no pixels, or too many.
    #[error("the picture has no size that can be drawn")]
    Size,
    /// The picture can't be written as PNG.
    #[error("the picture can't be written: {0}")]
    Png(String),
    /// The picture can't be written as GIF.
    #[error("the picture can't be written: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// Converts a picture in SVG to a PNG with this width in pixels.
///
/// # Errors
/// When the picture can't be drawn.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PictureError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    encode(&draw(&tree, (width, height), scale)?)
}

fn draw(tree: &Tree, (width, height): (u32, u32), scale: f32) -> Result<Pixmap, PictureError> {
    let mut map = Pixmap::new(width, height).ok_or(PictureError::Size)?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(tree, transform, &mut map.as_mut());
    Ok(map)
}

fn encode(pixels: &Pixmap) -> Result<Vec<u8>, PictureError> {
    (pixels.encode_png()).map_err(|error| PictureError::Png(error.to_string()))
}

impl Diagram {
    /// The picture as PNG.
    ///
    /// # Errors
    /// When the picture can't be drawn.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        encode(&self.pixels(self.whole(), STEP)?)
    }

    /// An area of the picture with this many pixels between two lines of the board.
    pub(super) fn pixels(&self, area: Area, step: f64) -> Result<Pixmap, PictureError> {
        let tree = Tree::from_str(&self.svg_of(area), &Options::default())?;
        let pixels = |units: f64| (units * step).round() as u32;
        let size = (pixels(area.width()), pixels(area.height()));
        draw(&tree, size, (step / SCALE) as f32)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::theme::rgb;
    use crate::diagram::{Mark, Stone, Theme};
    use quincunx_engine::rules::{BoardSize, Color};

    /// What is drawn near a point: the colour at a distance from it, in units.
    fn color(png: &Pixmap, diagram: &Diagram, point: &str, (dx, dy): (f64, f64)) -> [u8; 3] {
        let point = point.parse().unwrap();
        let area = diagram.whole();
        let row = diagram.size.row_from_top(point) as f64;
        let at = |units: f64| (units * STEP) as u32;
        let (x, y) = (point.x() as f64 + dx - area.left, row + dy - area.top);
        let pixel = png.pixel(at(x), at(y)).unwrap().demultiply();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    /// Every theme, on a board that is no square: stones, ground and marks have the colours
    /// of the theme, read from the PNG itself.
    #[test]
    fn a_png_shows_what_the_diagram_says() {
        for theme in Theme::ALL {
            let stone = |color, point: &str| Stone {
                color,
                point: point.parse().unwrap(),
                number: None,
            };
            let diagram = Diagram {
                stones: vec![stone(Color::Black, "b2"), stone(Color::White, "f4")],
                marks: vec![(Mark::Square, "d3".parse().unwrap())],
                theme,
                ..Diagram::new(BoardSize::new(7, 5).unwrap())
            };
            let png = Pixmap::decode_png(&diagram.png().unwrap()).unwrap();
            let area = diagram.whole();
            let size = (f64::from(png.width()), f64::from(png.height()));
            assert_eq!(size, (area.width() * STEP, area.height() * STEP));
            let palette = theme.palette();
            let at = |point, from| color(&png, &diagram, point, from);
            assert_eq!(at("b2", (0.2, 0.1)), rgb(palette.stones[0]));
            assert_eq!(at("f4", (0.2, 0.1)), rgb(palette.stones[1]));
            assert_eq!(at("c3", (0.3, 0.3)), rgb(palette.board));
            assert_eq!(at("d3", (-0.22, 0.1)), rgb(palette.mark));
        }
    }

    /// Numbers and coordinates are there without any font.
    #[test]
    fn words_are_drawn() {
        let count = |diagram: &Diagram| diagram.pixels(diagram.whole(), STEP).unwrap();
        let mut diagram = Diagram::new(BoardSize::square(9).unwrap());
        let differs = |a: &Pixmap, b: &Pixmap| {
            let pairs = a.pixels().iter().zip(b.pixels());
            pairs.filter(|(a, b)| a != b).count()
        };
        diagram.stones = vec![Stone {
            color: Color::Black,
            point: "e5".parse().unwrap(),
            number: Some(128),
        }];
        let bare = diagram.clone().without_numbers();
        let ink = differs(&count(&diagram), &count(&bare));
        assert!((50..900).contains(&ink), "{ink} pixels of a number");
    }
}
