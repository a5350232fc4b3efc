//! A sequence of diagrams as an animated GIF, for chats and forums that show no other
//! animations.

use super::theme::Palette;
use super::{Diagram, Mark, Stone};
use gif::{Encoder, Frame, Repeat};
use quincunx_drawing::{Area, PictureError, Rgb};
use quincunx_engine::game::Game;
use quincunx_engine::rules::Point;
use std::collections::{HashMap, HashSet};

/// The distance between two lines of the board, in pixels. The edges of the points' areas
/// have to be whole pixels.
const STEP: usize = 32;

/// How long a picture is shown, and the last one, in hundredths of a second.
const PACE: u16 = 70;
const REST: u16 = 400;

/// The colours between two others.
const BLENDS: u16 = 6;

impl Diagram {
    /// The diagrams of a game: its start, and one after every stone.
    pub fn each_of(game: &Game) -> Vec<Diagram> {
        let end = Diagram::of(game);
        let start = end.stones.iter().filter(|stone| stone.number.is_none());
        let before = start.count();
        let count = end.stones.len();
        let shown = |stones: usize| Diagram {
            stones: end.stones[..stones].to_vec(),
            last: end.stones[before..stones].last().map(|stone| stone.point),
            marks: match stones == count {
                true => end.marks.clone(),
                false => Vec::new(),
            },
            ..Diagram::new(end.size)
        };
        (before..=count).map(shown).collect()
    }

    /// The area in which this differs from another picture of the same board.
    fn difference(&self, other: &Diagram) -> Option<Area> {
        let (here, there) = (self.parts(), other.parts());
        let changed = here.symmetric_difference(&there);
        let areas = changed.map(|part| Area::around(self.place(part.0)));
        areas.reduce(|area, other| area.with(other))
    }

    /// Everything on the points: stones, marks, and the mark of the last move.
    fn parts(&self) -> HashSet<(Point, Option<Stone>, Option<Mark>)> {
        let stones = self.stones.iter();
        let stones = stones.map(|&stone| (stone.point, Some(stone), None));
        let marks = self.marks.iter();
        let marks = marks.map(|&(mark, point)| (point, None, Some(mark)));
        let last = self.last.map(|point| (point, None, None));
        stones.chain(marks).chain(last).collect()
    }
}

/// The reasons why an animation can't be made.
#[derive(Debug, thiserror::Error)]
pub enum AnimationError {
    /// A picture can't be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The animation can't be written as GIF.
    #[error("the picture can't be written: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// Makes a GIF of pictures of one board, which repeats forever. All have the colours and the
/// coordinates of the first one.
///
/// # Errors
/// When there is no picture, or one can't be drawn.
pub fn gif(pictures: &[Diagram]) -> Result<Vec<u8>, AnimationError> {
    let first = pictures.first().ok_or(PictureError::Size)?;
    let mut colors = Colors::of(&first.theme.palette());
    let whole = first.whole();
    let (width, height) = (whole.width() * STEP as f64, whole.height() * STEP as f64);
    let mut bytes = Vec::new();
    let table = colors.table.concat();
    let mut encoder = Encoder::new(&mut bytes, width as u16, height as u16, &table)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Option<&Diagram> = None;
    for (number, picture) in (1..).zip(pictures) {
        let area = match before {
            None => Some(whole),
            Some(before) => picture.difference(before),
        };
        before = Some(picture);
        let Some(area) = area else { continue };
        let pixels = picture.picture(area).pixels(STEP as f64)?;
        let indices: Vec<u8> = (pixels.rgba.iter())
            .map(|&[red, green, blue, _]| colors.nearest([red, green, blue]))
            .collect();
        let at = |units: f64| (units * STEP as f64) as u16;
        encoder.write_frame(&Frame {
            delay: if number == pictures.len() { REST } else { PACE },
            left: at(area.left - whole.left),
            top: at(area.top - whole.top),
            width: pixels.width as u16,
            height: pixels.height as u16,
            buffer: indices.into(),
            ..Frame::default()
        })?;
    }
    drop(encoder);
    Ok(bytes)
}

/// The colours of a GIF: those of a theme, and some between each two of them.
struct Colors {
    table: Vec<[u8; 3]>,
    /// The colours whose nearest colour is known.
    known: HashMap<[u8; 3], u8>,
}

impl Colors {
    fn of(palette: &Palette) -> Colors {
        let mut pure: Vec<[u8; 3]> = palette.colors().into_iter().map(Rgb::parts).collect();
        pure.sort_unstable();
        pure.dedup();
        let mut table = pure.clone();
        for (number, &from) in pure.iter().enumerate() {
            for &to in &pure[..number] {
                table.extend((1..=BLENDS).map(|step| blend(from, to, step)));
            }
        }
        Colors {
            table,
            known: HashMap::new(),
        }
    }

    /// The number of the colour that is most like this one.
    fn nearest(&mut self, color: [u8; 3]) -> u8 {
        let distance = |other: &[u8; 3]| -> u32 {
            let parts = color.iter().zip(other);
            parts.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
        };
        *self.known.entry(color).or_insert_with(|| {
            let colors = (0..).zip(&self.table);
            let nearest = colors.min_by_key(|(_, other)| distance(other));
            nearest.map_or(0, |(number, _)| number)
        })
    }
}

/// A colour between two others.
fn blend(from: [u8; 3], to: [u8; 3], step: u16) -> [u8; 3] {
    let part = |i: usize| {
        let (from, to) = (u16::from(from[i]), u16::from(to[i]));
        ((from * (BLENDS + 1 - step) + to * step) / (BLENDS + 1)) as u8
    };
    [part(0), part(1), part(2)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diagram::Theme;
    use gif::{ColorOutput, DecodeOptions};
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::{BoardSize, Color, Rule, Symmetry};

    /// The frames of an animation, put together as viewers do: each as the colour beside
    /// the middle of every point.
    fn frames(pictures: &[Diagram]) -> Vec<Vec<[u8; 3]>> {
        let bytes = gif(pictures).unwrap();
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
            let (picture, whole) = (&pictures[0], pictures[0].whole());
            let at = |units: f64| (units * STEP as f64) as usize;
            let middle = |point: Point| {
                let (x, y) = picture.place(point);
                canvas[(at(y - whole.top) + 8) * width + at(x - whole.left) + 4]
            };
            frames.push(picture.size.iter().map(middle).collect());
        }
        frames
    }

    #[test]
    fn every_frame_shows_its_stones() {
        let size = BoardSize::new(7, 9).unwrap();
        let start = Position::from_moves(Rule::Freestyle, size, "a1g9").unwrap();
        let mut game = Game::from_position(start);
        for text in ["d4", "e5"] {
            game.play(text.parse().unwrap()).unwrap();
        }
        game.pass().unwrap();
        for text in ["c3", "g1"] {
            game.play(text.parse().unwrap()).unwrap();
        }
        let stones = game.opening().chain(game.moves());
        let stones: Vec<(Color, Point)> = stones.filter(|it| it.1 != Point::NONE).collect();
        let views = Symmetry::ALL.into_iter().skip(1).step_by(2).cycle();
        let looks = [false, true, false, true, true].into_iter().zip(views);
        for (theme, (coordinates, view)) in Theme::ALL.into_iter().zip(looks) {
            let pictures = Diagram::each_of(&game).into_iter();
            let pictures: Vec<Diagram> = pictures
                .map(|picture| Diagram {
                    theme,
                    coordinates,
                    view,
                    ..picture.without_numbers()
                })
                .collect();
            let frames = frames(&pictures);
            assert_eq!(frames.len(), 5);
            let palette = theme.palette();
            for (number, frame) in frames.iter().enumerate() {
                for (point, &color) in size.iter().zip(frame) {
                    let stone = stones[..number + 2].iter().find(|stone| stone.1 == point);
                    let expected = match stone {
                        Some((color, _)) => palette.stones[color.index()],
                        None => palette.board,
                    };
                    assert_eq!(color, expected.parts(), "{point} in frame {number}");
                }
            }
        }
    }

    #[test]
    fn a_theme_has_room_in_a_table_of_colours() {
        for theme in Theme::ALL {
            let mut colors = Colors::of(&theme.palette());
            assert!(colors.table.len() <= 256, "{}", colors.table.len());
            for color in theme.palette().colors().map(Rgb::parts) {
                let nearest = colors.nearest(color);
                assert_eq!(colors.table[usize::from(nearest)], color);
            }
        }
    }

    #[test]
    fn pictures_that_are_alike_take_no_frame() {
        let picture = Diagram::new(BoardSize::square(9).unwrap());
        let same = vec![picture; 3];
        assert_eq!(frames(&same).len(), 1);
        assert!(gif(&[]).is_err());
    }
}
