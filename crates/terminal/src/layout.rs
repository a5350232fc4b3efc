//! The layout of the screen: the board, a panel beside or below it, and a line of keys at the
//! bottom.

use quincunx_engine::rules::{BoardSize, Point};
use ratatui::layout::Rect;

/// The least width of the panel.
const PANEL_WIDTH: u16 = 30;

/// The least height of the panel below the board.
const PANEL_HEIGHT: u16 = 6;

/// The columns of the numbers of rows, left of the board.
const LABEL_WIDTH: u16 = 2;

/// The columns from one point to the next where stones have no numbers.
const STEP: u16 = 2;

/// The layout of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    size: BoardSize,
    /// The board with its coordinates.
    pub(super) board: Rect,
    /// The panel with the state of the game.
    pub(super) panel: Rect,
    /// The line of keys.
    pub(super) footer: Rect,
    /// The columns from one point to the next.
    pub(super) step: u16,
}

/// The screen has no room for the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The terminal is too small: it has {has_width} x {has_height}, the board needs \
     {} x {}, or {} x {}", narrow.0, narrow.1, wide.0, wide.1
)]
pub struct TooSmall {
    has_width: u16,
    has_height: u16,
    narrow: (u16, u16),
    wide: (u16, u16),
}

impl Layout {
    /// The layout of a board on this part of the screen. Stones have numbers of up to
    /// `digits` digits if there is room for them.
    ///
    /// # Errors
    /// When there is no room for the board.
    pub fn of(area: Rect, size: BoardSize, digits: u16) -> Result<Layout, TooSmall> {
        let numbered = (digits > 0).then_some(STEP + digits);
        let fitting = numbered.and_then(|step| Layout::with_step(area, size, step).ok());
        fitting.map_or_else(|| Layout::with_step(area, size, STEP), Ok)
    }

    fn with_step(area: Rect, size: BoardSize, step: u16) -> Result<Layout, TooSmall> {
        // A side has at most 22 points.
        let (columns, rows) = (size.width() as u16, size.height() as u16);
        let (width, height) = (LABEL_WIDTH + columns * step + 1, rows + 1);
        let wide = (width + 2 + PANEL_WIDTH, height + 1);
        let narrow = (width.max(PANEL_WIDTH), height + PANEL_HEIGHT + 1);
        let fits = |(width, height)| area.width >= width && area.height >= height;
        if !fits(wide) && !fits(narrow) {
            return Err(TooSmall {
                has_width: area.width,
                has_height: area.height,
                narrow,
                wide,
            });
        }
        let panel = if fits(wide) {
            let left = width + 2;
            Rect::new(
                area.x + left,
                area.y,
                area.width - left,
                (area.height - 1).max(height),
            )
        } else {
            Rect::new(
                area.x,
                area.y + height,
                area.width,
                area.height - height - 1,
            )
        };
        Ok(Layout {
            size,
            board: Rect::new(area.x, area.y, width, height),
            panel,
            footer: Rect::new(area.x, area.bottom() - 1, area.width, 1),
            step,
        })
    }

    /// Returns true if there is room for numbers on the stones.
    pub(super) fn has_numbers(&self) -> bool {
        self.step > STEP
    }

    /// Returns true if the panel is beside the board.
    pub(super) fn is_wide(&self) -> bool {
        self.panel.y == self.board.y
    }

    /// The part of the board where stones are.
    pub(super) fn grid(&self) -> Rect {
        Rect {
            x: self.board.x + LABEL_WIDTH,
            width: self.board.width - LABEL_WIDTH,
            height: self.board.height - 1,
            ..self.board
        }
    }

    /// The column and row of a point's stone. The columns left and right of it are free for marks.
    pub(super) fn place(&self, point: Point) -> (u16, u16) {
        let (x, row) = (point.x() as u16, self.size.row_from_top(point) as u16);
        let grid = self.grid();
        (grid.x + x * self.step + 1, grid.y + row)
    }

    /// The point at this column and row of the screen.
    pub fn point(&self, column: u16, row: u16) -> Option<Point> {
        let grid = self.grid();
        let x = column.checked_sub(grid.x)? / self.step;
        let row = row.checked_sub(grid.y)?;
        self.size.point_from_top(x.into(), row.into())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_board_fits_where_the_error_says() {
        for (width, height) in [(5, 5), (15, 15), (22, 22), (22, 5), (5, 22)] {
            let size = BoardSize::new(width, height).unwrap();
            let small = Layout::of(Rect::new(0, 0, 20, 5), size, 0).unwrap_err();
            for (least, is_wide) in [(small.wide, true), (small.narrow, false)] {
                let area = |w, h| Rect::new(0, 0, w, h);
                let layout = Layout::of(area(least.0, least.1), size, 0).unwrap();
                assert_eq!(layout.is_wide(), is_wide, "{size}");
                assert!(!layout.board.intersects(layout.panel), "{size}");
                assert!(layout.footer.y >= layout.panel.bottom(), "{size}");
            }
            assert!(Layout::of(Rect::new(0, 0, 80, 24), size, 0).is_ok() || height > 20);
        }
        let largest = BoardSize::square(22).unwrap();
        assert!(Layout::of(Rect::new(0, 0, 80, 24), largest, 0).is_ok());
    }

    #[test]
    fn points_are_found_where_they_stand() {
        let size = BoardSize::new(20, 9).unwrap();
        for digits in [0, 2, 3] {
            let layout = Layout::of(Rect::new(0, 0, 140, 40), size, digits).unwrap();
            assert_eq!(layout.has_numbers(), digits > 0);
            for point in size.iter() {
                let (column, row) = layout.place(point);
                assert_eq!(layout.point(column, row), Some(point));
            }
            assert_eq!(layout.point(0, 0), None);
            assert_eq!(layout.point(139, 0), None);
            assert_eq!(layout.point(5, 9), None, "the letters");
        }
    }
}
