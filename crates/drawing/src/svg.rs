//! Pictures as SVG.

use super::font::GlyphRun;
use super::{Area, Outline, Picture, Shape, Stroke};
use std::fmt::{self, Write};

impl Picture {
    /// The picture as a self-contained SVG, with this many pixels to a unit by default.
    pub fn svg(&self, unit: f64) -> String {
        let Area { left, top, .. } = self.area;
        let (width, height) = (self.area.width(), self.area.height());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\" \
             width=\"{:.0}\" height=\"{:.0}\" role=\"img\" aria-label=\"{}\">{}</svg>\n",
            width * unit,
            height * unit,
            escape(&self.title),
            svg(&self.shapes),
        )
    }
}

/// Shapes as SVG elements.
fn svg(shapes: &[Shape]) -> String {
    let mut svg = String::new();
    for shape in shapes {
        // Writing to a string can't fail.
        let _ = shape.write(&mut svg);
    }
    svg
}

impl Shape {
    fn write(&self, svg: &mut String) -> fmt::Result {
        let tag = match self.outline {
            Outline::Rectangle(_) => "rect",
            Outline::Circle(..) => "circle",
            Outline::Path(..) => "path",
            Outline::Word(..) | Outline::Group(..) => "g",
        };
        write!(svg, "<{tag}")?;
        if let Some(class) = self.class {
            write!(svg, " class=\"{class}\"")?;
        }
        match &self.outline {
            Outline::Rectangle(area) => {
                let Area { left, top, .. } = area;
                let (width, height) = (area.width(), area.height());
                write!(
                    svg,
                    " x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\""
                )?;
                self.paint(svg, 1.0)?;
            }
            Outline::Circle((x, y), radius) => {
                let radius = Short(*radius);
                write!(svg, " cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")?;
                self.paint(svg, 1.0)?;
            }
            Outline::Path((x, y), data) => {
                if (*x, *y) != (0.0, 0.0) {
                    write!(svg, " transform=\"translate({x} {y})\"")?;
                }
                self.paint(svg, 1.0)?;
                write!(svg, " d=\"{data}\"")?;
            }
            Outline::Word(place, height, word) => {
                let GlyphRun {
                    place: (x, y),
                    scale,
                    glyphs,
                } = GlyphRun::of(word, *place, *height);
                write!(
                    svg,
                    " aria-label=\"{word}\" transform=\"translate({x:.3} {y:.3}) scale({scale:.4})\""
                )?;
                self.paint(svg, scale)?;
                svg.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\">");
                for (x, strokes) in glyphs {
                    write!(
                        svg,
                        "<path transform=\"translate({x:.1})\" d=\"{strokes}\"/>"
                    )?;
                }
                return svg.write_str("</g>");
            }
            Outline::Group((name, value), shapes) => {
                write!(svg, " data-{name}=\"{}\">", escape(value))?;
                for shape in shapes {
                    shape.write(svg)?;
                }
                return svg.write_str("</g>");
            }
        }
        svg.write_str("/>")
    }

    /// Writes the colours. A line is as many units wide where a unit has this size.
    fn paint(&self, svg: &mut String, size: f64) -> fmt::Result {
        match self.fill {
            Some(color) => write!(svg, " fill=\"{color}\"")?,
            None => svg.push_str(" fill=\"none\""),
        }
        if let Some(Stroke { color, width }) = self.stroke {
            let width = Short((width / size * 1000.0).round() / 1000.0);
            write!(svg, " stroke=\"{color}\" stroke-width=\"{width}\"")?;
        }
        Ok(())
    }
}

/// A number without the zero before its point.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        f.write_str(
            text.strip_prefix('0')
                .filter(|rest| !rest.is_empty())
                .unwrap_or(&text),
        )
    }
}

/// Text as the value of an attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
