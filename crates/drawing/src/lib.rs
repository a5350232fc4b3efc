//! Pictures as lists of shapes, charts, and pages.
//!
//! A [`Picture`] is described once, in units of its own. `svg` writes it as text, and `pixels`
//! draws it and writes it as PNG. Digits and small letters come from `font`, so that a
//! picture needs no font and looks the same everywhere.
//!
//! `page` fills the templates of pages, with escaped text. A [`Chart`] is such a page.

#[cfg(feature = "pages")]
mod chart;
mod font;
#[cfg(feature = "pages")]
mod page;
#[cfg(feature = "pixels")]
mod pixels;
mod svg;

#[cfg(feature = "pages")]
pub use chart::{Axes, Chart};
#[cfg(feature = "pages")]
pub use page::page;
#[cfg(feature = "pixels")]
pub use pixels::{PictureError, Pixels};

use std::borrow::Cow;
use std::fmt;

/// A place in a picture: columns from the left, rows from the top.
pub type Place = (f64, f64);

/// A rectangle of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// The first column.
    pub left: f64,
    /// The first row.
    pub top: f64,
    /// The end of the last column.
    pub right: f64,
    /// The end of the last row.
    pub bottom: f64,
}

impl Area {
    /// The square around a place, half a unit to each side.
    pub fn around((x, y): Place) -> Area {
        Area {
            left: x - 0.5,
            top: y - 0.5,
            right: x + 0.5,
            bottom: y + 0.5,
        }
    }

    /// The smallest area that contains both.
    #[must_use]
    pub fn with(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns true if the place is in the area.
    pub fn has(self, (x, y): Place) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }

    /// The width in units.
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    /// The height in units.
    pub fn height(self) -> f64 {
        self.bottom - self.top
    }
}

/// A colour as the number `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u32);

impl Rgb {
    /// The red, green and blue parts.
    pub const fn parts(self) -> [u8; 3] {
        let [_, red, green, blue] = self.0.to_be_bytes();
        [red, green, blue]
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// The line along an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The colour of the line.
    pub color: Rgb,
    /// The width of the line in units.
    pub width: f64,
}

/// The outline of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A rectangle.
    Rectangle(Area),
    /// A circle around a place, with this radius.
    Circle(Place, f64),
    /// The data of an SVG path, from a place on.
    Path(Place, Cow<'static, str>),
    /// Digits and small letters around a place. The height is that of a digit.
    Word(Place, f64, String),
    /// Shapes that belong together. A group has data of its own, under a name.
    Group((&'static str, String), Vec<Shape>),
}

/// A shape of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The class of the element in SVG.
    pub class: Option<&'static str>,
    /// The outline.
    pub outline: Outline,
    /// The colour inside the outline.
    pub fill: Option<Rgb>,
    /// The line along the outline.
    pub stroke: Option<Stroke>,
}

impl Shape {
    /// Creates a shape with a colour inside its outline.
    pub const fn filled(outline: Outline, color: Rgb) -> Shape {
        Shape {
            class: None,
            outline,
            fill: Some(color),
            stroke: None,
        }
    }

    /// Creates a shape of lines.
    pub const fn drawn(outline: Outline, color: Rgb, width: f64) -> Shape {
        Shape {
            class: None,
            outline,
            fill: None,
            stroke: Some(Stroke { color, width }),
        }
    }

    /// Creates a word around a place.
    pub fn word(text: String, place: Place, height: f64, color: Rgb) -> Shape {
        let width = font::WEIGHT * height;
        Shape {
            class: Some("word"),
            ..Shape::drawn(Outline::Word(place, height, text), color, width)
        }
    }

    /// Creates a group of shapes with data for the script of a page.
    pub const fn group(data: (&'static str, String), shapes: Vec<Shape>) -> Shape {
        Shape {
            class: None,
            outline: Outline::Group(data, shapes),
            fill: None,
            stroke: None,
        }
    }

    /// The same shape with a class.
    #[must_use]
    pub fn class(self, class: &'static str) -> Shape {
        Shape {
            class: Some(class),
            ..self
        }
    }
}

/// A picture: an area and the shapes on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The area that is shown, in units.
    pub area: Area,
    /// The description of the picture where it can't be seen.
    pub title: String,
    /// The shapes, from the ground up.
    pub shapes: Vec<Shape>,
}
