//! Pictures as pixels, and those as PNG.

use super::font::GlyphRun;
use super::{Outline, Picture, Place, Rgb, Shape};
use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

/// The reasons why a picture can't be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The picture has no pixels, or too many.
    #[error("the picture has no size that can be drawn")]
    Size,
    /// The picture can't be written as PNG.
    #[error("the picture can't be written: {0}")]
    Png(String),
}

impl Picture {
    /// The picture as PNG, with this many pixels to a unit.
    ///
    /// # Errors
    /// When the picture can't be drawn.
    pub fn png(&self, unit: f64) -> Result<Vec<u8>, PictureError> {
        let pixels = self.pixels(unit)?;
        (pixels.encode_png()).map_err(|error| PictureError::Png(error.to_string()))
    }

    /// The pixels of the picture, this many to a unit.
    ///
    /// # Errors
    /// When there are none, or too many.
    pub fn pixels(&self, unit: f64) -> Result<Pixmap, PictureError> {
        let count = |units: f64| (units * unit).round() as u32;
        let size = (count(self.area.width()), count(self.area.height()));
        let mut pixels = Pixmap::new(size.0, size.1).ok_or(PictureError::Size)?;
        let corner = (-self.area.left as f32, -self.area.top as f32);
        let view =
            Transform::from_scale(unit as f32, unit as f32).pre_translate(corner.0, corner.1);
        for shape in &self.shapes {
            shape.draw(&mut pixels, view);
        }
        Ok(pixels)
    }
}

impl Shape {
    fn draw(&self, pixels: &mut Pixmap, view: Transform) {
        let (line_cap, line_join) = match self.outline {
            Outline::Word(..) => (LineCap::Round, LineJoin::Round),
            _ => (LineCap::Butt, LineJoin::Miter),
        };
        for (path, place, scale) in self.outline.paths() {
            let view = view.pre_concat(place);
            if let Some(color) = self.fill {
                pixels.fill_path(&path, &paint(color), FillRule::Winding, view, None);
            }
            if let Some(line) = self.stroke {
                let stroke = Stroke {
                    width: line.width as f32 / scale,
                    line_cap,
                    line_join,
                    ..Stroke::default()
                };
                pixels.stroke_path(&path, &paint(line.color), &stroke, view, None);
            }
        }
    }
}

fn paint(color: Rgb) -> Paint<'static> {
    let [red, green, blue] = color.parts();
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, u8::MAX);
    paint
}

impl Outline {
    /// The paths of the outline, each with its place in the picture and the size of its units.
    fn paths(&self) -> Vec<(Path, Transform, f32)> {
        let place = |(x, y): Place| Transform::from_translate(x as f32, y as f32);
        let (path, place) = match self {
            Outline::Rectangle(area) => {
                let (width, height) = (area.width() as f32, area.height() as f32);
                let rectangle = Rect::from_xywh(area.left as f32, area.top as f32, width, height);
                (rectangle.map(PathBuilder::from_rect), Transform::identity())
            }
            Outline::Circle((x, y), radius) => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                (circle, Transform::identity())
            }
            Outline::Path(start, data) => (path(data), place(*start)),
            Outline::Word(middle, height, word) => {
                let word = GlyphRun::of(word, *middle, *height);
                let scale = word.scale as f32;
                let view = place(word.place).pre_scale(scale, scale);
                let glyphs = word.glyphs.into_iter().filter_map(|(x, strokes)| {
                    Some((path(strokes)?, view.pre_translate(x as f32, 0.0), scale))
                });
                return glyphs.collect();
            }
        };
        path.map(|path| (path, place, 1.0)).into_iter().collect()
    }
}

/// A path from the data of an SVG path, as far as it is well-formed.
fn path(data: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for segment in SimplifyingPathParser::from(data).map_while(Result::ok) {
        match segment {
            SimplePathSegment::MoveTo { x, y } => path.move_to(x as f32, y as f32),
            SimplePathSegment::LineTo { x, y } => path.line_to(x as f32, y as f32),
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                path.quad_to(x1 as f32, y1 as f32, x as f32, y as f32);
            }
            SimplePathSegment::CurveTo {
                x1,
                y1,
                x2,
                y2,
                x,
                y,
            } => {
                let (x1, y1, x2, y2) = (x1 as f32, y1 as f32, x2 as f32, y2 as f32);
                path.cubic_to(x1, y1, x2, y2, x as f32, y as f32);
            }
            SimplePathSegment::ClosePath => path.close(),
        }
    }
    path.finish()
}
