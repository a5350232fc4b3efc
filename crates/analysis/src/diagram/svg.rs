//! A diagram as SVG. A unit is the distance between two lines of the board.

use super::lettering::lettering;
use super::theme::Palette;
use super::{Diagram, Mark, Stone, letter};
use crate::words::escape;
use quincunx_engine::rules::Point;
use std::fmt::Write;

/// The default width of a unit in pixels.
pub(super) const SCALE: f64 = 32.0;
/// The board beyond the outermost lines.
const MARGIN: f64 = 0.75;
/// The margin with coordinates.
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
    /// The area of a point: half of the way to its neighbours.
    fn around((x, y): (f64, f64)) -> Area {
        Area {
            left: x - 0.5,
            top: y - 0.5,
            right: x + 0.5,
            bottom: y + 0.5,
        }
    }

    /// The smallest area that contains both.
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
    /// The picture as a self-contained SVG.
    pub fn svg(&self) -> String {
        self.svg_of(self.whole())
    }

    /// The picture of the board without stones, with other SVG content on it.
    pub fn board(&self, content: &str) -> String {
        self.frame(self.whole(), content)
    }

    /// The whole picture.
    pub(super) fn whole(&self) -> Area {
        let near = if self.coordinates { LABELLED } else { MARGIN };
        let (columns, rows) = self.extent();
        Area {
            left: -near,
            top: -MARGIN,
            right: (columns - 1) as f64 + MARGIN,
            bottom: (rows - 1) as f64 + near,
        }
    }

    /// The area of a point.
    pub(super) fn area_of(&self, point: Point) -> Area {
        Area::around(self.place(point))
    }

    /// The columns and rows of the picture.
    fn extent(&self) -> (usize, usize) {
        let (width, height) = (self.size.width(), self.size.height());
        match self.view.transposes() {
            true => (height, width),
            false => (width, height),
        }
    }

    /// The place of a point in the picture: column from the left, row from the top.
    pub(super) fn place(&self, point: Point) -> (f64, f64) {
        let (_, rows) = self.extent();
        let seen = self.view.apply(self.size, point);
        (seen.x() as f64, (rows - 1 - seen.y()) as f64)
    }

    /// An area of the picture.
    pub(super) fn svg_of(&self, area: Area) -> String {
        // Stones beyond it would only take time.
        let within = |stone: &&Stone| area.has(self.place(stone.point));
        let shown = Diagram {
            stones: self.stones.iter().filter(within).copied().collect(),
            ..self.clone()
        };
        self.frame(area, &shown.content())
    }

    /// An area of the board with this content on it.
    fn frame(&self, area: Area, content: &str) -> String {
        let (columns, rows) = self.extent();
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
        for x in 0..columns {
            let _ = write!(svg, "M{x} 0V{}", rows - 1);
        }
        for y in 0..rows {
            let _ = write!(svg, "M0 {y}H{}", columns - 1);
        }
        svg.push_str("\"/>");
        for star in self.size.stars() {
            let (x, y) = self.place(star);
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\".1\" fill=\"{grid}\"/>"
            );
        }
        // An area of points has none of them in it.
        if self.coordinates && area == self.whole() {
            let size = self.size;
            let letters = (0..size.width()).map(|x| (Point::new(x, 0), letter(x).to_string()));
            let numbers = (0..size.height()).map(|y| (Point::new(0, y), (y + 1).to_string()));
            let is_on_its_side = self.view.transposes();
            // A point of each column and row says where its letter or number is seen.
            let labels = (letters.map(|label| (label, !is_on_its_side)))
                .chain(numbers.map(|label| (label, is_on_its_side)));
            for ((point, text), is_below) in labels {
                let (x, y) = self.place(point);
                let at = match is_below {
                    true => (x, (rows - 1) as f64 + 0.85),
                    false => (-0.87, y),
                };
                svg += &lettering(&text, at, COORDINATE, grid);
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
            write_stone(&mut svg, self.place(stone.point), &palette, stone);
        }
        if let Some(last) = self.last {
            let (x, y) = self.place(last);
            let _ = write!(
                svg,
                "<circle class=\"last\" cx=\"{x}\" cy=\"{y}\" r=\".45\" fill=\"none\" \
                 stroke=\"{}\" stroke-width=\".09\"/>",
                palette.last
            );
        }
        for &(mark, point) in &self.marks {
            write_mark(&mut svg, self.place(point), &palette, mark);
        }
        svg
    }
}

fn write_stone(svg: &mut String, (x, y): (f64, f64), palette: &Palette, stone: &Stone) {
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

fn write_mark(svg: &mut String, (x, y): (f64, f64), palette: &Palette, mark: Mark) {
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
    use quincunx_engine::rules::{BoardSize, Color, Symmetry};

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

    /// A board that is turned keeps the names of its points.
    #[test]
    fn a_turned_picture_keeps_its_coordinates() {
        let turned = Diagram {
            view: Symmetry::ALL[5],
            ..diagram()
        };
        let svg = turned.svg();
        // A quarter turn to the right: b3 was in the middle of its column, a1 at the bottom left.
        assert!(svg.contains("class=\"black\" cx=\"2\" cy=\"1\""), "{svg}");
        assert!(
            svg.contains("class=\"cross\" transform=\"translate(0 0)\""),
            "{svg}"
        );
        assert!(svg.contains("viewBox=\"-1.25 -0.75 6.00 8.00\""), "{svg}");
        // The numbers stand below, the letters beside.
        let at = |text: &str| {
            let (_, rest) = svg
                .split_once(&format!("aria-label=\"{text}\" transform=\"translate("))
                .unwrap();
            let (x, rest) = rest.split_once(' ').unwrap();
            let (y, _) = rest.split_once(')').unwrap();
            (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
        };
        assert!(
            at("1").0 < 0.0 && at("5").0 > 3.5 && at("1").1 > 6.0,
            "{svg}"
        );
        assert!(
            at("a").1 < 0.0 && at("g").1 > 5.5 && at("a").0 < 0.0,
            "{svg}"
        );
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
