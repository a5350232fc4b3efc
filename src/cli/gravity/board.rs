//! The board as text.

use quincunx_gravity::{Player, Position, column_digit};
use std::io::{self, Write};

/// The style of a board.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// Letters instead of discs.
    pub(super) ascii: bool,
    /// Red and yellow discs instead of black and white ones.
    pub(super) color: bool,
}

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const BRIGHT: &str = "\x1b[7m";
const PLAIN: &str = "\x1b[0m";

impl Style {
    /// The sign of a player's stones, plain or as part of a winning line.
    fn stone(self, player: Player, wins: bool) -> &'static str {
        match (self.ascii, player, wins) {
            (true, Player::First, false) => "x",
            (true, Player::First, true) => "X",
            (true, Player::Second, false) => "o",
            (true, Player::Second, true) => "O",
            (false, Player::First, _) => "●",
            (false, Player::Second, _) if self.color => "●",
            (false, Player::Second, _) => "○",
        }
    }

    /// A player's name: the sign of the stones, and their colour if they have one.
    pub(super) fn player(self, player: Player) -> String {
        let sign = self.colored(player, self.stone(player, false), false);
        match player {
            Player::First if self.color => format!("{sign} Red"),
            Player::Second if self.color => format!("{sign} Yellow"),
            _ => sign,
        }
    }

    fn colored(self, player: Player, sign: &str, wins: bool) -> String {
        if !self.color {
            return sign.to_owned();
        }
        let color = match player {
            Player::First => RED,
            Player::Second => YELLOW,
        };
        let bright = if wins { BRIGHT } else { "" };
        format!("{color}{bright}{sign}{PLAIN}")
    }

    /// Writes the rows from the top, and below them the numbers of the columns
    /// with a mark at the last move. A winning line is in brackets, unless it is
    /// visible without them.
    pub(super) fn draw(self, position: &Position, output: &mut impl Write) -> io::Result<()> {
        let size = position.size();
        let winning_line = position.winning_line();
        let empty = if self.ascii { "." } else { "·" };
        for row in (0..size.rows()).rev() {
            let mut line = String::new();
            for column in 0..size.columns() {
                let wins = winning_line.contains(&(column, row));
                let (open, close) = match wins && !self.ascii && !self.color {
                    true => ("(", ")"),
                    false => (" ", " "),
                };
                let sign = match position.stone(column, row) {
                    None => empty.to_owned(),
                    Some(player) => self.colored(player, self.stone(player, wins), wins),
                };
                line += &format!("{open}{sign}{close}");
            }
            writeln!(output, "{}", line.trim_end())?;
        }
        let last = position.moves().last();
        let mark = |column| if last == Some(column) { '^' } else { ' ' };
        let numbers = (0..size.columns()).map(|at| format!("{}{} ", mark(at), column_digit(at)));
        writeln!(output, "{}", numbers.collect::<String>().trim_end())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_gravity::Size;

    fn drawn(style: Style) -> String {
        let size = Size::new(5, 4).unwrap();
        let position = Position::from_moves(size, "1122334").unwrap();
        let mut text = Vec::new();
        style.draw(&position, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn letters_show_a_winning_line_in_capitals() {
        let style = Style {
            ascii: true,
            color: false,
        };
        let expected = [
            " .  .  .  .  .",
            " .  .  .  .  .",
            " o  o  o  .  .",
            " X  X  X  X  .",
            " 1  2  3 ^4  5",
        ];
        assert_eq!(drawn(style).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn discs_show_a_winning_line_in_brackets() {
        let style = Style {
            ascii: false,
            color: false,
        };
        assert_eq!(drawn(style).lines().nth(3), Some("(●)(●)(●)(●) ·"));
        assert_eq!(drawn(style).lines().nth(2), Some(" ○  ○  ○  ·  ·"));
        assert!(!drawn(style).contains('\x1b'));
    }

    #[test]
    fn colours_distinguish_the_discs() {
        let style = Style {
            ascii: false,
            color: true,
        };
        let text = drawn(style);
        assert_eq!(text.matches("\x1b[31m\x1b[7m●\x1b[0m").count(), 4);
        assert_eq!(text.matches("\x1b[33m●\x1b[0m").count(), 3);
    }
}
