//! Labels, signs and arrows on the points of a position, from files and by
//! hand. They are kept as SGF has them.

use quincunx_engine::rules::{BoardSize, Point};
use quincunx_records::sgf::{self, Property};

/// The property of labels.
pub(super) const LABEL: &str = "LB";

/// The property of arrows.
pub(super) const ARROW: &str = "AR";

/// The signs of SGF for points.
pub(super) const SIGNS: [(&str, &str); 4] = [("TR", "△"), ("SQ", "□"), ("CR", "○"), ("MA", "×")];

/// The labelled points of a node, and their labels.
pub(super) fn labels_of(properties: &str, size: BoardSize) -> Vec<(Point, String)> {
    let mut labels = Vec::new();
    for property in Property::parse(properties) {
        let values = property.values.iter();
        let found = values.filter_map(|value| label(&property.name, value));
        labels.extend(found.filter_map(|(point, text)| {
            let point = sgf::point(size, point)?;
            Some((point, text.to_owned()))
        }));
    }
    labels
}

/// The point as SGF has it and the characters of a property's value, if it is a label.
pub(super) fn label<'a>(name: &str, value: &'a str) -> Option<(&'a str, &'a str)> {
    if name == LABEL {
        return Some(value.split_once(':').unwrap_or((value, "")));
    }
    let (_, sign) = SIGNS.iter().find(|(sign, _)| *sign == name)?;
    Some((value, sign))
}

/// The arrow of a property's value, from a point to another, if it is one.
pub(super) fn arrow(name: &str, value: &str, size: BoardSize) -> Option<[Point; 2]> {
    let (from, to) = value.split_once(':').filter(|_| name == ARROW)?;
    Some([sgf::point(size, from)?, sgf::point(size, to)?])
}
