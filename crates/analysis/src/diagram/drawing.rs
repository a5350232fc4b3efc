//! The shapes of a diagram. A unit is the distance between two lines of the board.

use super::theme::Palette;
use super::{Diagram, Mark, Stone, letter};
use quincunx_drawing::{Area, Outline, Picture, PictureError, Place, Rgb, Shape, Stroke};
use quincunx_engine::rules::Point;
use std::fmt::Write;

/// The distance between two lines of the board in pixels, in a PNG and by default in an SVG.
const PNG: f64 = 48.0;
const SVG: f64 = 32.0;
/// The board beyond the outermost lines.
const MARGIN: f64 = 0.75;
/// The margin with coordinates.
const LABELLED: f64 = 1.25;
/// The height of digits at the edges, and on stones.
const COORDINATE: f64 = 0.28;
const NUMBER: f64 = 0.32;
/// The radius of a stone.
const STONE: f64 = 0.45;
/// The width of the lines of the board, and around stones.
const LINE: f64 = 0.04;

impl Diagram {
    /// The picture as a self-contained SVG.
    pub fn svg(&self) -> String {
        self.picture(self.whole()).svg(SVG)
    }

    /// The picture as PNG.
    ///
    /// # Errors
    /// When the picture can't be drawn.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        self.picture(self.whole()).png(PNG)
    }

    /// The picture of the board with these shapes on it, as a self-contained SVG.
    #[cfg(feature = "pages")]
    pub(crate) fn svg_with(&self, shapes: Vec<Shape>) -> String {
        self.on_board(self.whole(), shapes).svg(SVG)
    }

    /// The stones and marks alone.
    pub fn shapes(&self) -> Vec<Shape> {
        self.stones_and_marks(self.whole())
    }

    /// An area of the picture.
    pub(super) fn picture(&self, area: Area) -> Picture {
        self.on_board(area, self.stones_and_marks(area))
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

    /// The columns and rows of the picture.
    fn extent(&self) -> (usize, usize) {
        let (width, height) = (self.size.width(), self.size.height());
        match self.view.transposes() {
            true => (height, width),
            false => (width, height),
        }
    }

    /// The place of a point in the picture.
    pub(super) fn place(&self, point: Point) -> Place {
        let (_, rows) = self.extent();
        let seen = self.view.apply(self.size, point);
        (seen.x() as f64, (rows - 1 - seen.y()) as f64)
    }

    /// An area of the board with these shapes on it.
    fn on_board(&self, area: Area, content: Vec<Shape>) -> Picture {
        let (columns, rows) = self.extent();
        let Palette { board, grid, .. } = self.theme.palette();
        let mut lines = String::new();
        for x in 0..columns {
            let _ = write!(lines, "M{x} 0V{}", rows - 1);
        }
        for y in 0..rows {
            let _ = write!(lines, "M0 {y}H{}", columns - 1);
        }
        let mut shapes = vec![
            Shape::filled(Outline::Rectangle(area), board),
            Shape::drawn(Outline::Path((0.0, 0.0), lines.into()), grid, LINE),
        ];
        let stars = self.size.stars();
        shapes
            .extend(stars.map(|star| Shape::filled(Outline::Circle(self.place(star), 0.1), grid)));
        // An area of points has no coordinates in it.
        if self.coordinates && area == self.whole() {
            shapes.extend(self.labels());
        }
        shapes.extend(content);
        Picture {
            area,
            title: self.title.clone(),
            shapes,
        }
    }

    /// The letters and numbers at the edges.
    fn labels(&self) -> impl Iterator<Item = Shape> {
        let (size, (_, rows)) = (self.size, self.extent());
        let letters = (0..size.width()).map(|x| (Point::new(x, 0), letter(x).to_string()));
        let numbers = (0..size.height()).map(|y| (Point::new(0, y), (y + 1).to_string()));
        let is_on_its_side = self.view.transposes();
        // A point of each column and row says where its letter or number is seen.
        (letters.map(move |label| (label, !is_on_its_side)))
            .chain(numbers.map(move |label| (label, is_on_its_side)))
            .map(move |((point, text), is_below)| {
                let (x, y) = self.place(point);
                let at = match is_below {
                    true => (x, (rows - 1) as f64 + 0.85),
                    false => (-0.87, y),
                };
                Shape::word(text, at, COORDINATE, self.theme.palette().grid)
            })
    }

    /// The stones of an area, the mark of the last move and all other marks.
    fn stones_and_marks(&self, area: Area) -> Vec<Shape> {
        let palette = self.theme.palette();
        let mut shapes = Vec::new();
        // Stones beyond the area would only take time.
        let stones = self
            .stones
            .iter()
            .map(|stone| (stone, self.place(stone.point)));
        for (stone, place) in stones.filter(|(_, place)| area.has(*place)) {
            draw_stone(&mut shapes, stone, place, &palette);
        }
        if let Some(last) = self.last {
            let ring = Outline::Circle(self.place(last), STONE);
            shapes.push(Shape::drawn(ring, palette.last, 0.09).class("last"));
        }
        let marks = self.marks.iter();
        shapes.extend(marks.map(|&(mark, point)| draw_mark(mark, self.place(point), palette.mark)));
        shapes
    }
}

fn draw_stone(shapes: &mut Vec<Shape>, stone: &Stone, place: Place, palette: &Palette) {
    let index = stone.color.index();
    shapes.push(Shape {
        class: Some(["black", "white"][index]),
        outline: Outline::Circle(place, STONE),
        fill: Some(palette.stones[index]),
        stroke: Some(Stroke {
            color: palette.edge,
            width: LINE,
        }),
    });
    if let Some(number) = stone.number {
        let number = number.to_string();
        // Three digits need a smaller hand.
        let height = if number.len() > 2 {
            0.8 * NUMBER
        } else {
            NUMBER
        };
        shapes.push(Shape::word(number, place, height, palette.numbers[index]));
    }
}

fn draw_mark(mark: Mark, place: Place, color: Rgb) -> Shape {
    let path = |data: &'static str| Outline::Path(place, data.into());
    let lines = |outline| Shape::drawn(outline, color, 0.1);
    let shape = match mark {
        Mark::Ring => lines(Outline::Circle(place, STONE)),
        Mark::Cross => lines(path("M-.22 -.22L.22 .22M-.22 .22L.22 -.22")),
        // Filled, because lines of pixels have blunt corners below a right angle.
        Mark::Triangle => {
            let both = "M0 -.402L.365 .25H-.365ZM0 -.198L-.195 .15H.195Z";
            Shape::filled(path(both), color)
        }
        Mark::Square => lines(path("M-.22 -.22H.22V.22H-.22Z")),
        Mark::Dot => lines(Outline::Circle(place, 0.09)),
    };
    shape.class(mark.name())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::Theme;
    use quincunx_drawing::Pixels;
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
        assert!(svg.contains("class=\"cross\" fill"), "{svg}");
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

    fn decode(png: &[u8]) -> Pixels {
        let mut reader = png::Decoder::new(std::io::Cursor::new(png))
            .read_info()
            .unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        Pixels {
            width: info.width,
            height: info.height,
            rgba: bytes.as_chunks().0.to_vec(),
        }
    }

    /// The pixel of a PNG at an offset from a point, in units.
    fn color(png: &Pixels, diagram: &Diagram, point: &str, (dx, dy): (f64, f64)) -> [u8; 3] {
        let point = point.parse().unwrap();
        let area = diagram.whole();
        let row = diagram.size.row_from_top(point) as f64;
        let at = |units: f64| (units * PNG) as u32;
        let (x, y) = (point.x() as f64 + dx - area.left, row + dy - area.top);
        let [rgb @ .., 255] = png.rgba[(at(y) * png.width + at(x)) as usize] else {
            panic!("a board is opaque");
        };
        rgb
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
            let png = decode(&diagram.png().unwrap());
            let area = diagram.whole();
            let size = (f64::from(png.width), f64::from(png.height));
            assert_eq!(size, (area.width() * PNG, area.height() * PNG));
            let palette = theme.palette();
            let at = |point, from| color(&png, &diagram, point, from);
            assert_eq!(at("b2", (0.2, 0.1)), palette.stones[0].parts());
            assert_eq!(at("f4", (0.2, 0.1)), palette.stones[1].parts());
            assert_eq!(at("c3", (0.3, 0.3)), palette.board.parts());
            assert_eq!(at("d3", (-0.22, 0.1)), palette.mark.parts());
        }
    }

    /// Numbers and coordinates are there without any font.
    #[test]
    fn words_are_drawn() {
        let count = |diagram: &Diagram| diagram.picture(diagram.whole()).pixels(PNG).unwrap();
        let mut diagram = Diagram::new(BoardSize::square(9).unwrap());
        let differs = |a: &Pixels, b: &Pixels| {
            let pairs = a.rgba.iter().zip(&b.rgba);
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
