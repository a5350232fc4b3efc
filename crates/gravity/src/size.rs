//! Sizes of boards.

use std::fmt;
use std::str::FromStr;

/// The number of columns and rows of a board.
///
/// ```
/// use quincunx_gravity::Size;
///
/// assert_eq!(Size::default(), Size::new(7, 7)?);
/// assert_eq!("7x6".parse(), Size::new(7, 6));
/// assert!(Size::new(9, 9).is_err());
/// # Ok::<(), quincunx_gravity::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
}

impl Size {
    /// The fewest columns and the fewest rows.
    pub const MIN_SIDE: usize = 4;
    /// The most points: a set of points is one 64-bit word.
    pub const MAX_POINTS: usize = 64;
    /// The most columns, on a board of four rows.
    pub(crate) const MAX_COLUMNS: usize = Size::MAX_POINTS / Size::MIN_SIDE;

    /// A board with these numbers of columns and rows.
    ///
    /// # Errors
    /// A side is shorter than four, or there are more than 64 points.
    pub fn new(columns: usize, rows: usize) -> Result<Size, SizeError> {
        let fits = columns.saturating_mul(rows) <= Size::MAX_POINTS;
        if columns < Size::MIN_SIDE || rows < Size::MIN_SIDE || !fits {
            return Err(SizeError);
        }
        Ok(Size {
            columns: columns as u8,
            rows: rows as u8,
        })
    }

    /// The number of columns.
    pub fn columns(self) -> usize {
        self.columns.into()
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        self.rows.into()
    }

    /// The number of points.
    pub fn points(self) -> usize {
        self.columns() * self.rows()
    }
}

/// Seven columns and seven rows.
impl Default for Size {
    fn default() -> Self {
        Size {
            columns: 7,
            rows: 7,
        }
    }
}

/// Columns, then rows: `7x6`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let (columns, rows) = text.split_once('x').ok_or(SizeError)?;
        let side = |text: &str| text.parse().map_err(|_| SizeError);
        Size::new(side(columns)?, side(rows)?)
    }
}

/// A board that is too small or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError;

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, points) = (Size::MIN_SIDE, Size::MAX_POINTS);
        write!(
            f,
            "a board has at least {side} columns and {side} rows, and at most {points} points"
        )
    }
}

impl std::error::Error for SizeError {}
