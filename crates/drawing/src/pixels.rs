//! Pictures as pixels, and those as PNG.

use super::font::GlyphRun;
use super::{Area, Outline, Picture, Place, Rgb, Shape, Stroke};
use std::borrow::Cow;
use zeno::{Cap, Fill, Join, Mask, Style, Transform};

/// The reasons why a picture can't be made.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The picture has no pixels, or too many.
    #[error("the picture has no size that can be drawn")]
    Size,
    /// The picture can't be written as PNG.
    #[error("the picture can't be written: {0}")]
    Png(#[from] png::EncodingError),
}

/// The largest side of a picture in pixels.
const LARGEST: u32 = 1 << 14;

/// The pixels of a picture, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The red, green, blue and alpha channels of each.
    pub rgba: Vec<[u8; 4]>,
}

impl Pixels {
    /// The pixels as PNG.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.rgba.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Blends a colour into the pixels that a path covers.
    fn paint(&mut self, path: &str, style: Style<'_>, view: Transform, color: Rgb) {
        let (cover, area) = Mask::new(path).style(style).transform(Some(view)).render();
        let rows = cover.chunks_exact(area.width.max(1) as usize);
        for (row, y) in rows.zip(area.top..) {
            for (&cover, x) in row.iter().zip(area.left..) {
                let is_in =
                    (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
                if is_in && cover > 0 {
                    blend(
                        &mut self.rgba[(y * self.width as i32 + x) as usize],
                        color,
                        cover,
                    );
                }
            }
        }
    }
}

/// Blends a colour into a pixel, with this alpha.
fn blend(pixel: &mut [u8; 4], color: Rgb, cover: u8) {
    let above = u32::from(cover);
    let below = u32::from(pixel[3]) * (255 - above) / 255;
    let opaque = above + below;
    for (old, new) in pixel.iter_mut().zip(color.parts()) {
        let sum = u32::from(new) * above + u32::from(*old) * below;
        *old = ((sum + opaque / 2) / opaque) as u8;
    }
    pixel[3] = opaque as u8;
}

impl Picture {
    /// The picture as PNG, with this many pixels to a unit.
    ///
    /// # Errors
    /// When the picture can't be drawn.
    pub fn png(&self, unit: f64) -> Result<Vec<u8>, PictureError> {
        self.pixels(unit)?.png()
    }

    /// The pixels of the picture, this many to a unit.
    ///
    /// # Errors
    /// When there are none, or too many.
    pub fn pixels(&self, unit: f64) -> Result<Pixels, PictureError> {
        let count = |units: f64| (units * unit).round() as u32;
        let (width, height) = (count(self.area.width()), count(self.area.height()));
        if ![width, height]
            .iter()
            .all(|side| (1..=LARGEST).contains(side))
        {
            return Err(PictureError::Size);
        }
        let mut pixels = Pixels {
            width,
            height,
            rgba: vec![[0; 4]; width as usize * height as usize],
        };
        let view = place((-self.area.left, -self.area.top)).then_scale(unit as f32, unit as f32);
        for shape in &self.shapes {
            shape.draw(&mut pixels, view);
        }
        Ok(pixels)
    }
}

impl Shape {
    fn draw(&self, pixels: &mut Pixels, view: Transform) {
        if let Outline::Group(_, shapes) = &self.outline {
            shapes.iter().for_each(|shape| shape.draw(pixels, view));
        }
        let (join, cap) = match self.outline {
            Outline::Word(..) => (Join::Round, Cap::Round),
            _ => (Join::Miter, Cap::Butt),
        };
        for (path, place, scale) in self.outline.paths() {
            let view = place.then(&view);
            if let Some(color) = self.fill {
                pixels.paint(&path, Fill::NonZero.into(), view, color);
            }
            if let Some(Stroke { color, width }) = self.stroke {
                let mut stroke = zeno::Stroke::new((width / scale) as f32);
                stroke.join(join).cap(cap);
                pixels.paint(&path, stroke.into(), view, color);
            }
        }
    }
}

/// The translation to a place.
fn place((x, y): Place) -> Transform {
    Transform::translation(x as f32, y as f32)
}

impl Outline {
    /// The paths as SVG path data, each with its transform and its scale.
    fn paths(&self) -> Vec<(Cow<'_, str>, Transform, f64)> {
        let (path, start) = match self {
            Outline::Rectangle(area) => {
                let Area {
                    left,
                    top,
                    right,
                    bottom,
                } = area;
                let path = format!("M{left} {top}H{right}V{bottom}H{left}Z");
                (path.into(), (0.0, 0.0))
            }
            Outline::Circle(middle, radius) => {
                let half = format!("{radius} {radius} 0 1 1");
                let path = format!("M{radius} 0A{half} -{radius} 0A{half} {radius} 0Z");
                (path.into(), *middle)
            }
            Outline::Path(start, data) => (Cow::Borrowed(&**data), *start),
            Outline::Word(middle, height, word) => {
                let GlyphRun {
                    place: start,
                    scale,
                    glyphs,
                } = GlyphRun::of(word, *middle, *height);
                let glyphs = glyphs.into_iter().map(|(x, strokes)| {
                    let size = Transform::scale(scale as f32, scale as f32);
                    let view = place((x, 0.0)).then(&size).then(&place(start));
                    (Cow::Borrowed(strokes), view, scale)
                });
                return glyphs.collect();
            }
            Outline::Group(..) => return Vec::new(),
        };
        vec![(path, place(start), 1.0)]
    }
}
