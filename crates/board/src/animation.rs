//! The game as an animated GIF, for chats and forums that show nothing else: one stone
//! after another, the last one marked.

use super::data_url::data_url;
use gif::{Encoder, EncodingError, Frame, Repeat};
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point};

/// Pixels from one point to the next, and from the edge to the first.
const STEP: usize = 24;
const MARGIN: usize = 18;

/// The radius of a stone, of what is inside its edge, and of the mark on the last one.
const STONE: f32 = 11.2;
const INSIDE: f32 = 10.2;
const MARK: f32 = 3.4;

/// Half the width of a line.
const LINE: f32 = 0.6;

/// Samples of a pixel in each direction.
const SAMPLES: usize = 4;

/// How long a move is shown, and the last position, in hundredths of a second.
const PACE: u16 = 70;
const REST: u16 = 400;

/// What there is to see.
const WOOD: [u8; 3] = [0xE6, 0xBD, 0x79];
const LINES: [u8; 3] = [0x7D, 0x58, 0x26];
const BLACK: [u8; 3] = [0x12, 0x12, 0x12];
const WHITE: [u8; 3] = [0xF8, 0xF6, 0xF0];
const EDGE: [u8; 3] = [0x8D, 0x87, 0x7B];
const LAST: [u8; 3] = [0xD6, 0x34, 0x2A];

/// Colours that meet in a pixel, and the steps between them.
const BLENDS: [([u8; 3], [u8; 3]); 7] = [
    (WOOD, LINES),
    (WOOD, BLACK),
    (WOOD, EDGE),
    (LINES, EDGE),
    (EDGE, WHITE),
    (BLACK, LAST),
    (WHITE, LAST),
];
const BLEND_STEPS: usize = 4;

/// The moves of the game as the data URL of a GIF.
pub(super) fn gif(game: &Game) -> Result<String, EncodingError> {
    let mut picture = Picture::new(game.size());
    let mut position = Position::new(game.rule(), game.size());
    for (color, point) in game.opening().filter(|stone| stone.1 != Point::NONE) {
        position.place(color, point);
    }
    for point in game.size().iter() {
        picture.draw(&position, point, false);
    }
    let mut bytes = Vec::new();
    let colors: Vec<u8> = picture.palette.concat();
    let (width, height) = (length(game.size().width()), length(game.size().height()));
    let mut encoder = Encoder::new(&mut bytes, width as u16, height as u16, &colors)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let moves: Vec<(Color, Point)> = game
        .moves()
        .filter(|stone| stone.1 != Point::NONE)
        .collect();
    let delay = |shown: usize| if shown == moves.len() { REST } else { PACE };
    encoder.write_frame(&picture.frame(&game.size().iter().collect::<Vec<_>>(), delay(0)))?;
    let mut last = None;
    for (number, &(color, point)) in (1..).zip(&moves) {
        position.place(color, point);
        let changed: Vec<Point> = last.into_iter().chain([point]).collect();
        for &point in &changed {
            picture.draw(&position, point, Some(&point) == changed.last());
        }
        encoder.write_frame(&picture.frame(&changed, delay(number)))?;
        last = Some(point);
    }
    drop(encoder);
    Ok(data_url("image/gif", &bytes))
}

/// The pixels of so many points in a row.
fn length(points: usize) -> usize {
    2 * MARGIN + (points - 1) * STEP
}

/// The picture of a board, as numbers of colours.
struct Picture {
    size: BoardSize,
    palette: Vec<[u8; 3]>,
    pixels: Vec<u8>,
}

/// A rectangle of pixels.
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Picture {
    /// A picture of wood.
    fn new(size: BoardSize) -> Picture {
        let mut palette = vec![WOOD, LINES, BLACK, WHITE, EDGE, LAST];
        for (from, to) in BLENDS {
            palette.extend((1..BLEND_STEPS).map(|step| blend(from, to, step)));
        }
        Picture {
            size,
            palette,
            pixels: vec![0; length(size.width()) * length(size.height())],
        }
    }

    /// The pixels around a point.
    fn area(&self, point: Point) -> Area {
        let (x, row) = (point.x(), self.size.row_from_top(point));
        Area {
            left: MARGIN + x * STEP - STEP / 2,
            top: MARGIN + row * STEP - STEP / 2,
            right: MARGIN + x * STEP + STEP / 2,
            bottom: MARGIN + row * STEP + STEP / 2,
        }
    }

    /// Draws a point, and on it the stone that stands there.
    fn draw(&mut self, position: &Position, point: Point, is_last: bool) {
        let Area {
            left,
            top,
            right,
            bottom,
        } = self.area(point);
        let stone = position.stone(point);
        for y in top..bottom {
            for x in left..right {
                let mut sum = [0usize; 3];
                for sample in 0..SAMPLES * SAMPLES {
                    let along = |from: usize, step: usize| {
                        let part = (step as f32 + 0.5) / SAMPLES as f32;
                        from as f32 + part - (STEP / 2) as f32
                    };
                    let dx = along(x - left, sample % SAMPLES);
                    let dy = along(y - top, sample / SAMPLES);
                    let color = self.color(point, stone, is_last, dx, dy);
                    for (sum, part) in sum.iter_mut().zip(color) {
                        *sum += usize::from(part);
                    }
                }
                let color = sum.map(|sum| (sum / (SAMPLES * SAMPLES)) as u8);
                self.pixels[y * length(self.size.width()) + x] = self.nearest(color);
            }
        }
    }

    /// The colour at a distance from a point.
    fn color(
        &self,
        point: Point,
        stone: Option<Color>,
        is_last: bool,
        dx: f32,
        dy: f32,
    ) -> [u8; 3] {
        let distance = dx.hypot(dy);
        let fill = match stone {
            Some(Color::Black) => Some(BLACK),
            Some(Color::White) => Some(WHITE),
            None => None,
        };
        if let Some(fill) = fill.filter(|_| distance < STONE) {
            return match distance {
                _ if is_last && distance < MARK => LAST,
                _ if distance < INSIDE || fill == BLACK => fill,
                _ => EDGE,
            };
        }
        // Lines end at the edge of the board.
        let (x, row) = (point.x(), self.size.row_from_top(point));
        let ends = |at: usize, side: usize, along: f32| {
            (at == 0 && along < -LINE) || (at + 1 == side && along > LINE)
        };
        let across = dy.abs() < LINE && !ends(x, self.size.width(), dx);
        let down = dx.abs() < LINE && !ends(row, self.size.height(), dy);
        if across || down { LINES } else { WOOD }
    }

    /// The number of the colour that is most like this one.
    fn nearest(&self, color: [u8; 3]) -> u8 {
        let distance = |other: &[u8; 3]| -> u32 {
            let parts = color.iter().zip(other);
            parts.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
        };
        let nearest = (0..)
            .zip(&self.palette)
            .min_by_key(|(_, other)| distance(other));
        nearest.map_or(0, |(number, _)| number)
    }

    /// The part of the picture in which these points are, to be shown for some time; the
    /// margin belongs to it where all points do.
    fn frame(&self, points: &[Point], delay: u16) -> Frame<'static> {
        let (width, height) = (length(self.size.width()), length(self.size.height()));
        let all = points.len() == self.size.points();
        let areas: Vec<Area> = points.iter().map(|&point| self.area(point)).collect();
        let least = |of: fn(&Area) -> usize| areas.iter().map(of).min().unwrap_or(0);
        let most = |of: fn(&Area) -> usize| areas.iter().map(of).max().unwrap_or(0);
        let (left, top, right, bottom) = match all {
            true => (0, 0, width, height),
            false => (
                least(|area| area.left),
                least(|area| area.top),
                most(|area| area.right),
                most(|area| area.bottom),
            ),
        };
        let rows = (top..bottom).map(|y| &self.pixels[y * width + left..y * width + right]);
        Frame {
            delay,
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            buffer: rows.collect::<Vec<_>>().concat().into(),
            ..Frame::default()
        }
    }
}

/// A colour between two others.
fn blend(from: [u8; 3], to: [u8; 3], step: usize) -> [u8; 3] {
    let part = |i: usize| {
        let (from, to) = (usize::from(from[i]), usize::from(to[i]));
        ((from * (BLEND_STEPS - step) + to * step) / BLEND_STEPS) as u8
    };
    [part(0), part(1), part(2)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use gif::{ColorOutput, DecodeOptions};
    use quincunx_engine::rules::Rule;

    /// The frames of a game's animation, put together as viewers do: each as the colour
    /// in the middle of every point.
    fn frames(game: &Game) -> Vec<Vec<[u8; 3]>> {
        let url = gif(game).unwrap();
        let data = url.strip_prefix("data:image/gif;base64,").unwrap();
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(data)
            .unwrap();
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let width = usize::from(decoder.width());
        let mut canvas = vec![[0; 3]; width * usize::from(decoder.height())];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let row = usize::from(frame.top) + i / usize::from(frame.width);
                let x = usize::from(frame.left) + i % usize::from(frame.width);
                canvas[row * width + x] = [pixel[0], pixel[1], pixel[2]];
            }
            let size = game.size();
            let middle = |point: Point| {
                let y = MARGIN + size.row_from_top(point) * STEP + 6;
                canvas[y * width + MARGIN + point.x() * STEP + 3]
            };
            frames.push(size.iter().map(middle).collect());
        }
        frames
    }

    #[test]
    fn every_frame_shows_its_stones() {
        let size = BoardSize::new(7, 9).unwrap();
        let mut game =
            Game::from_position(Position::from_moves(Rule::Freestyle, size, "a1g9").unwrap());
        for text in ["d4", "e5", "c3", "g1"] {
            game.play(text.parse().unwrap()).unwrap();
        }
        let frames = frames(&game);
        assert_eq!(frames.len(), 5);
        let stones: Vec<(Color, Point)> = game.opening().chain(game.moves()).collect();
        for (number, frame) in frames.iter().enumerate() {
            for (point, &color) in size.iter().zip(frame) {
                let stone = stones[..number + 2].iter().find(|stone| stone.1 == point);
                let expected = match stone {
                    Some((Color::Black, _)) => BLACK,
                    Some((Color::White, _)) => WHITE,
                    None => WOOD,
                };
                assert_eq!(color, expected, "{point} in frame {number}");
            }
        }
    }
}
