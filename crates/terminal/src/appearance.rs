//! Characters and styles: Unicode or ASCII, with colours or without. No two characters differ by
//! their colour alone.

use quincunx_board::Color as StoneColor;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

/// Wood, dark enough for white stones and light enough for black ones.
const WOOD: Color = Color::Indexed(136);
const BLACK: Color = Color::Indexed(16);
const WHITE: Color = Color::Indexed(231);
const DARK_RED: Color = Color::Indexed(88);

/// The border of dialogs in ASCII.
const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// The appearance of the game: its characters and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// Only ASCII characters.
    pub ascii: bool,
    /// Colours.
    pub color: bool,
}

impl Appearance {
    /// The sign of a stone. Those of a line that wins have signs of their own.
    pub(super) fn stone(self, color: StoneColor, wins: bool) -> char {
        match (self.ascii, color, wins) {
            (true, StoneColor::Black, false) => 'x',
            (true, StoneColor::Black, true) => 'X',
            (true, StoneColor::White, false) => 'o',
            (true, StoneColor::White, true) => 'O',
            (false, StoneColor::Black, false) => '●',
            (false, StoneColor::Black, true) => '◆',
            (false, StoneColor::White, false) => '○',
            (false, StoneColor::White, true) => '◇',
        }
    }

    /// The sign of an empty point, and of one to count by.
    pub(super) fn empty(self, is_star: bool) -> char {
        match (is_star, self.ascii) {
            (true, _) => '+',
            (false, true) => '.',
            (false, false) => '·',
        }
    }

    /// The sign of a point that is forbidden to black.
    pub(super) fn forbidden(self) -> char {
        if self.ascii { '#' } else { '×' }
    }

    /// The border of dialogs.
    pub(super) fn border(self) -> border::Set<'static> {
        if self.ascii {
            ASCII_BORDER
        } else {
            border::PLAIN
        }
    }

    /// A style with this colour, if there are colours.
    fn colored(self, foreground: Color) -> Style {
        if self.color {
            Style::new().fg(foreground)
        } else {
            Style::new()
        }
    }

    /// The board.
    pub(super) fn board(self) -> Style {
        if self.color {
            Style::new().fg(BLACK).bg(WOOD)
        } else {
            Style::new()
        }
    }

    /// A stone on the board.
    pub(super) fn on_board(self, color: StoneColor) -> Style {
        let style = self.colored(match color {
            StoneColor::Black => BLACK,
            StoneColor::White => WHITE,
        });
        style.add_modifier(Modifier::BOLD)
    }

    /// The marks around the last move and the cursor.
    pub(super) fn mark(self) -> Style {
        self.colored(WHITE).add_modifier(Modifier::BOLD)
    }

    /// A forbidden point.
    pub(super) fn warning(self) -> Style {
        self.colored(DARK_RED).add_modifier(Modifier::BOLD)
    }

    /// The style of important text.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of the selection.
    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
