//! A diagram as SVG. A unit is the distance between two lines of the board.

use super::theme::Palette;
use super::{Diagram, Mark, Stone, letter, stars};
use quincunx_engine::rules::{BoardSize, Point};
use std::fmt::Write;

/// The width of a unit in pixels, where nothing else says how large a picture is.
const SCALE: f64 = 32.0;
/// The board beyond the outermost lines.
const MARGIN: f64 = 0.6;
/// The same where coordinates stand.
const LABELLED: f64 = 1.2;

impl Diagram {
    /// The picture, which needs no other file.
    pub fn svg(&self) -> String {
        self.board(&self.content())
    }

    /// The picture of the board without any stones, and on it something else that is SVG.
    pub fn board(&self, content: &str) -> String {
        let (width, height) = (self.size.width(), self.size.height());
        let near = if self.coordinates { LABELLED } else { MARGIN };
        let (across, down) = (
            (width - 1) as f64 + near + MARGIN,
            (height - 1) as f64 + near + MARGIN,
        );
        let Palette { board, grid, .. } = self.theme.palette();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.1} {:.1} {across:.1} {down:.1}\" \
             width=\"{:.0}\" height=\"{:.0}\" role=\"img\" aria-label=\"board\" \
             font-family=\"system-ui, sans-serif\" text-anchor=\"middle\">\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{across:.1}\" height=\"{down:.1}\" fill=\"{board}\"/>",
            -near,
            -MARGIN,
            across * SCALE,
            down * SCALE,
            -near,
            -MARGIN,
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
        if self.coordinates {
            let _ = write!(svg, "<g font-size=\".42\" fill=\"{grid}\">");
            for x in 0..width {
                let y = (height - 1) as f64 + 0.95;
                let _ = write!(svg, "<text x=\"{x}\" y=\"{y:.2}\">{}</text>", letter(x));
            }
            for y in 0..height {
                let row = y as f64 + 0.15;
                let _ = write!(svg, "<text x=\"-.8\" y=\"{row:.2}\">{}</text>", height - y);
            }
            svg.push_str("</g>");
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
fn place(size: BoardSize, point: Point) -> (usize, usize) {
    (point.x(), size.row_from_top(point))
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
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{:.2}\" font-size=\".4\" fill=\"{}\">{number}</text>",
            y as f64 + 0.14,
            palette.numbers[index]
        );
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
        assert!(svg.contains(">12</text>"), "{svg}");
        assert!(svg.contains("<text x=\"-.8\" y=\"0.15\">5</text>"), "{svg}");
        assert!(svg.contains("<text x=\"6\" y=\"4.95\">g</text>"), "{svg}");
        assert!(svg.contains("viewBox=\"-1.2 -0.6 7.8 5.8\""), "{svg}");
    }

    #[test]
    fn coordinates_can_be_left_out() {
        let bare = Diagram {
            coordinates: false,
            ..diagram()
        };
        let svg = bare.svg();
        assert_eq!(svg.matches("<text").count(), 1, "the number alone: {svg}");
        assert!(svg.contains("viewBox=\"-0.6 -0.6 7.2 5.2\""), "{svg}");
    }

    #[test]
    fn every_element_is_closed() {
        for theme in Theme::ALL {
            let svg = Diagram { theme, ..diagram() }.svg();
            let count = |text: &str| svg.matches(text).count();
            for name in ["svg", "g", "text"] {
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
