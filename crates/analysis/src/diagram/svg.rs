//! A diagram as SVG. A unit is the distance between two lines of the board.

use super::lettering::lettering;
use super::theme::Palette;
use super::{Diagram, Mark, Stone, letter, stars};
use crate::words::escape;
use quincunx_engine::rules::{BoardSize, Point};
use std::fmt::Write;

/// The width of a unit in pixels, where nothing else says how large a picture is.
pub(super) const SCALE: f64 = 32.0;
/// The board beyond the outermost lines.
const MARGIN: f64 = 0.75;
/// The same where coordinates stand.
const LABELLED: f64 = 1.25;
/// The height of digits at the edges, and on stones.
const COORDINATE: f64 = 0.28;
const NUMBER: f64 = 0.32;

/// A rectangle of a picture: columns from the left, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    /// What belongs to a point: half of the way to its neighbours.
    pub(super) fn of(size: BoardSize, point: Point) -> Area {
        let (x, y) = place(size, point);
        Area {
            left: x - 0.5,
            top: y - 0.5,
            right: x + 0.5,
            bottom: y + 0.5,
        }
    }

    /// The smallest area that has both in it.
    pub(super) fn with(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn has(self, (x, y): (f64, f64)) -> bool {
        (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
    }

    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }
}

impl Diagram {
    /// The picture, which needs no other file.
    pub fn svg(&self) -> String {
        self.svg_of(self.whole())
    }

    /// The picture of the board without any stones, and on it something else that is SVG.
    pub fn board(&self, content: &str) -> String {
        self.frame(self.whole(), content)
    }

    /// The whole picture.
    pub(super) fn whole(&self) -> Area {
        let near = if self.coordinates { LABELLED } else { MARGIN };
        Area {
            left: -near,
            top: -MARGIN,
            right: (self.size.width() - 1) as f64 + MARGIN,
            bottom: (self.size.height() - 1) as f64 + near,
        }
    }

    /// An area of the picture.
    pub(super) fn svg_of(&self, area: Area) -> String {
        // Stones beyond it would only take time.
        let within = |stone: &&Stone| area.has(place(self.size, stone.point));
        let shown = Diagram {
            stones: self.stones.iter().filter(within).copied().collect(),
            ..self.clone()
        };
        self.frame(area, &shown.content())
    }

    /// An area of the board, and on it something else.
    fn frame(&self, area: Area, content: &str) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        let (across, down) = (area.width(), area.height());
        let Palette { board, grid, .. } = self.theme.palette();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.2} {:.2} {across:.2} {down:.2}\" \
             width=\"{:.0}\" height=\"{:.0}\" role=\"img\" aria-label=\"{}\">\
             <rect x=\"{:.2}\" y=\"{:.2}\" width=\"{across:.2}\" height=\"{down:.2}\" fill=\"{board}\"/>",
            area.left,
            area.top,
            across * SCALE,
            down * SCALE,
            escape(&self.title),
            area.left,
            area.top,
        );
        let _ = write!(svg, "<path stroke=\"{grid}\" stroke-width=\".04\" d=\"");
        for x in 0..width {
            let _ = write!(svg, "M{x} 0V{}", height - 1);
        }
        for y in 0..height {
            let _ = write!(svg, "M0 {y}H{}", width - 1);
        }
        svg.push_str("\"/>");
        for star in stars(self.size) {
            let (x, y) = place(self.size, star);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\".1\" fill=\"{grid}\"/>"
            );
        }
        // An area of points has none of them in it.
        if self.coordinates && area == self.whole() {
            for x in 0..width {
                let below = (x as f64, (height - 1) as f64 + 0.85);
                svg += &lettering(&letter(x).to_string(), below, COORDINATE, grid);
            }
            for y in 0..height {
                let beside = (-0.87, y as f64);
                svg += &lettering(&(height - y).to_string(), beside, COORDINATE, grid);
            }
        }
        svg.push_str(content);
        svg.push_str("</svg>\n");
        svg
    }

    /// The stones and marks alone, to be put on a [`Diagram::board`].
    pub fn content(&self) -> String {
        let palette = self.theme.palette();
        let mut svg = String::new();
        for stone in &self.stones {
            write_stone(&mut svg, self.size, &palette, stone);
        }
        if let Some(last) = self.last {
            let (x, y) = place(self.size, last);
            let _ = write!(
                svg,
                "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\".45\" fill=\"none\" \
                 stroke=\"{}\" stroke-width=\".09\"/>",
                palette.last
            );
        }
        for &(mark, point) in &self.marks {
            write_mark(&mut svg, self.size, &palette, mark, point);
        }
        svg
    }
}

/// Where a point is: column from the left, row from the top.
fn place(size: BoardSize, point: Point) -> (f64, f64) {
    (point.x() as f64, size.row_from_top(point) as f64)
}

fn write_stone(svg: &mut String, size: BoardSize, palette: &Palette, stone: &Stone) {
    let (x, y) = place(size, stone.point);
    let index = stone.color.index();
    let _ = write!(
        svg,
        "<circle class=\"{}\" cx=\"{x}\" cy=\"{y}\" r=\".45\" fill=\"{}\" stroke=\"{}\" \
         stroke-width=\".04\"/>",
        stone.color, palette.stones[index], palette.edge
    );
    if let Some(number) = stone.number {
        let number = number.to_string();
        // Three digits need a smaller hand.
        let height = if number.len() > 2 {
            0.8 * NUMBER
        } else {
            NUMBER
        };
        svg.push_str(&lettering(&number, (x, y), height, palette.numbers[index]));
    }
}

fn write_mark(svg: &mut String, size: BoardSize, palette: &Palette, mark: Mark, point: Point) {
    let (x, y) = place(size, point);
    let shape = match mark {
        Mark::Ring => "<circle r=\".45\"/>",
        Mark::Cross => "<path d=\"M-.22 -.22L.22 .22M-.22 .22L.22 -.22\"/>",
        Mark::Triangle => "<path d=\"M0 -.3L.28 .2H-.28Z\"/>",
        Mark::Square => "<path d=\"M-.22 -.22H.22V.22H-.22Z\"/>",
        Mark::Dot => "<circle r=\".09\"/>",
    };
    let _ = write!(
        svg,
        "<g class=\"{mark}\" transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{}\" \
         stroke-width=\".1\">{shape}</g>",
        palette.mark
    );
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::Theme;
    use quincunx_engine::rules::Color;

    fn diagram() -> Diagram {
        let point = |text: &str| text.parse().unwrap();
        Diagram {
            stones: vec![Stone {
                color: Color::Black,
                point: point("b3"),
                number: Some(12),
            }],
            last: Some(point("b3")),
            marks: vec![(Mark::Cross, point("a1"))],
            ..Diagram::new(BoardSize::new(7, 5).unwrap())
        }
    }

    /// Rows of SVG count from the top, those of the board from the bottom.
    #[test]
    fn points_are_where_they_belong() {
        let svg = diagram().svg();
        assert!(svg.contains("class=\"black\" cx=\"1\" cy=\"2\""), "{svg}");
        assert!(
            svg.contains("class=\"cross\" transform=\"translate(0 4)\""),
            "{svg}"
        );
        assert!(svg.contains("aria-label=\"12\""), "{svg}");
        assert!(
            svg.contains("aria-label=\"5\" transform=\"translate(-0.963 -0.140)"),
            "{svg}"
        );
        assert!(
            svg.contains("aria-label=\"g\" transform=\"translate(5.907 4.710)"),
            "{svg}"
        );
        assert!(svg.contains("viewBox=\"-1.25 -0.75 8.00 6.00\""), "{svg}");
    }

    #[test]
    fn coordinates_can_be_left_out() {
        let bare = Diagram {
            coordinates: false,
            ..diagram()
        };
        let svg = bare.svg();
        assert_eq!(
            svg.matches("class=\"word\"").count(),
            1,
            "the number alone: {svg}"
        );
        assert!(svg.contains("viewBox=\"-0.75 -0.75 7.50 5.50\""), "{svg}");
    }

    #[test]
    fn every_element_is_closed() {
        for theme in Theme::ALL {
            let svg = Diagram { theme, ..diagram() }.svg();
            let count = |text: &str| svg.matches(text).count();
            for name in ["svg", "g"] {
                let opened = count(&format!("<{name} ")) + count(&format!("<{name}>"));
                assert_eq!(opened, count(&format!("</{name}>")), "{name}: {svg}");
            }
            let alone = count("<circle") + count("<path") + count("<rect");
            assert_eq!(alone, count("/>"), "{svg}");
            assert_eq!(count("\"") % 2, 0);
        }
    }

    #[test]
    fn themes_differ() {
        let pictures = Theme::ALL.map(|theme| Diagram { theme, ..diagram() }.svg());
        for (index, picture) in pictures.iter().enumerate() {
            assert!(!pictures[..index].contains(picture));
        }
    }
}
