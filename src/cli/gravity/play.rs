//! `quincunx gravity`: the board in the terminal.
//!
//! It reads one command per line, so it works in a pipe as at a terminal.

use super::board::Style;
use super::{SizeArgs, megabytes};
use crate::cli::numbers::milliseconds;
use crate::cli::options::Memory;
use crate::cli::terminal::can_redraw;
use anyhow::Result;
use clap::{Args, ValueEnum};
use quincunx_gravity::{
    Level, Limits, Machine, Outcome, Player, Position, Value, column_digit, column_of_digit,
};
use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The arguments of a game.
#[derive(Args)]
pub(super) struct Play {
    #[command(flatten)]
    size: SizeArgs,
    /// The side that the machine plays
    #[arg(long, value_enum, default_value = "second")]
    machine: Side,
    /// The level of the machine: 0 is a beginner, 10 is perfect if the time
    /// suffices
    #[arg(long, value_name = "N", default_value_t)]
    level: Level,
    /// The maximum time for a move of the machine or a hint
    #[arg(long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "2s")]
    time: u64,
    /// Start after these moves, such as 4453
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "-",
        hide_default_value = true
    )]
    moves: String,
    /// Draw letters instead of discs
    #[arg(long)]
    ascii: bool,
    /// Seed of a weak level's mistakes; by default they differ each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    memory: Memory<64>,
}

/// The side that the machine plays.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// The machine begins
    First,
    /// The machine plays second
    Second,
    /// The machine plays against itself
    Both,
    /// Two people play
    None,
}

impl Side {
    fn includes(self, player: Player) -> bool {
        match self {
            Side::First => player == Player::First,
            Side::Second => player == Player::Second,
            Side::Both => true,
            Side::None => false,
        }
    }

    /// The machine on the other side.
    fn swapped(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
            side => side,
        }
    }
}

const HELP: &str = "\
a column's number  drop a stone
u  take back your last move     h  hint: the best column
n  new game                     s  swap sides with the machine
l N  level 0 to 10              q  quit";

/// The commands of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    Drop(usize),
    Undo,
    Hint,
    New,
    Swap,
    Level(Level),
    Help,
    Quit,
}

/// Parses the command of a line. The error says what is wrong with it.
fn parse(line: &str) -> Result<Command, String> {
    let (word, rest) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    };
    let unknown = || format!("'{line}' is no column and no command; ? lists them");
    let command = match word {
        "l" | "level" => return rest.parse().map(Command::Level).map_err(|e| format!("{e}")),
        "u" | "undo" => Command::Undo,
        "h" | "hint" => Command::Hint,
        "n" | "new" => Command::New,
        "s" | "swap" => Command::Swap,
        "?" | "help" => Command::Help,
        "q" | "quit" => Command::Quit,
        _ => {
            let mut digits = word.chars();
            let column = digits.next().and_then(column_of_digit);
            let column = column.filter(|_| digits.next().is_none());
            Command::Drop(column.ok_or_else(unknown)?)
        }
    };
    if rest.is_empty() {
        Ok(command)
    } else {
        Err(unknown())
    }
}

impl Play {
    /// Plays until the input ends or the user quits.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        let on_terminal = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let mut table = Table {
            position: Position::from_moves(self.size.size()?, &self.moves)?,
            machine: Machine::new(self.level, megabytes(self.memory.memory.0)?, seed),
            side: self.machine,
            time: Duration::from_millis(self.time),
            style: Style {
                ascii: self.ascii,
                color: can_redraw(&io::stdout()) && !no_color && !self.ascii,
            },
            prompt: on_terminal && io::stdin().is_terminal(),
            output,
        };
        table.greet()?;
        table.play(io::stdin().lock())?;
        Ok(())
    }
}

/// A game in progress, and the output that shows it.
struct Table<'a, W> {
    position: Position,
    machine: Machine,
    side: Side,
    time: Duration,
    style: Style,
    /// Whether a person plays and can be asked for a move.
    prompt: bool,
    output: &'a mut W,
}

impl<W: Write> Table<'_, W> {
    fn greet(&mut self) -> io::Result<()> {
        if self.prompt {
            writeln!(self.output, "Four in a row wins. ? lists the commands.")?;
        }
        Ok(())
    }

    /// Shows the board, lets the machine move, and follows commands until the end.
    fn play(&mut self, mut input: impl BufRead) -> io::Result<()> {
        self.show()?;
        self.answer()?;
        let mut line = Vec::new();
        loop {
            self.ask()?;
            line.clear();
            // What is no text is no command, and no end of the game.
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            match parse(line.trim()) {
                Ok(Command::Quit) => return Ok(()),
                Ok(command) => self.perform(command)?,
                Err(_) if line.trim().is_empty() => {}
                Err(problem) => writeln!(self.output, "{problem}")?,
            }
        }
    }

    fn ask(&mut self) -> io::Result<()> {
        if self.prompt && !self.position.is_over() {
            let player = self.style.player(self.position.to_move());
            write!(self.output, "{player} to move: ")?;
        } else if self.prompt {
            write!(self.output, "n plays again, u takes back, q quits: ")?;
        }
        self.output.flush()
    }

    fn perform(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Drop(column) => return self.drop(column),
            Command::Undo => return self.undo(),
            Command::Hint => return self.hint(),
            Command::New => self.position = Position::new(self.position.size()),
            Command::Swap if self.side.swapped() == self.side => {
                return writeln!(self.output, "there are no sides to swap");
            }
            Command::Swap => self.side = self.side.swapped(),
            Command::Level(level) => {
                self.machine.level = level;
                return writeln!(self.output, "level {level}");
            }
            Command::Help => return writeln!(self.output, "{HELP}"),
            Command::Quit => return Ok(()),
        }
        self.show()?;
        self.answer()
    }

    fn drop(&mut self, column: usize) -> io::Result<()> {
        match self.position.play(column) {
            Ok(_) => {
                self.show()?;
                self.answer()
            }
            Err(problem) => writeln!(self.output, "{problem}"),
        }
    }

    /// Takes moves back until a person is to move.
    fn undo(&mut self) -> io::Result<()> {
        if self.own_moves() == 0 {
            return writeln!(self.output, "there is nothing to take back");
        }
        self.position.undo();
        while self.side.includes(self.position.to_move()) && self.side != Side::Both {
            self.position.undo();
        }
        self.show()
    }

    /// The number of moves that people have played, or of all moves if the machine plays itself.
    fn own_moves(&self) -> usize {
        let players = [Player::First, Player::Second].into_iter().cycle();
        let by_person = |player: &Player| self.side == Side::Both || !self.side.includes(*player);
        players
            .take(self.position.moves().len())
            .filter(by_person)
            .count()
    }

    fn hint(&mut self) -> io::Result<()> {
        let level = std::mem::replace(&mut self.machine.level, Level::PERFECT);
        let outcome = self.think();
        self.machine.level = level;
        match outcome.column {
            Some(column) => writeln!(
                self.output,
                "hint: {}, {}",
                column_digit(column),
                verdict(&outcome)
            ),
            None => writeln!(self.output, "the game is over"),
        }
    }

    /// Lets the machine move while it is its turn.
    fn answer(&mut self) -> io::Result<()> {
        while !self.position.is_over() && self.side.includes(self.position.to_move()) {
            let player = self.style.player(self.position.to_move());
            let outcome = self.think();
            let Some(column) = outcome.column else { break };
            // The machine only names columns that can be played.
            let _ = self.position.play(column);
            let digit = column_digit(column);
            writeln!(self.output, "{player} plays {digit}: {}", verdict(&outcome))?;
            self.show()?;
        }
        Ok(())
    }

    fn think(&mut self) -> Outcome {
        let (start, time) = (Instant::now(), self.time);
        let watch = &mut |_| match start.elapsed() < time {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        self.machine
            .choose(&self.position, &Limits::default(), watch)
    }

    /// The board, and the result if the game is over.
    fn show(&mut self) -> io::Result<()> {
        writeln!(self.output)?;
        self.style.draw(&self.position, self.output)?;
        match self.position.winner() {
            Some(player) => writeln!(self.output, "{} wins", self.style.player(player)),
            None if self.position.is_over() => writeln!(self.output, "draw"),
            None => Ok(()),
        }
    }
}

/// The machine's evaluation of its move.
fn verdict(outcome: &Outcome) -> String {
    match outcome.value {
        Some(Value::Draw) => "a draw".to_owned(),
        Some(value) => value.to_string(),
        None if outcome.depth == 0 => "without a look".to_owned(),
        None => format!(
            "score {:+.2} at depth {}",
            f64::from(outcome.score) / 100.0,
            outcome.depth
        ),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_gravity::Size;

    /// A byte that is no UTF-8 once ended the game.
    #[test]
    fn what_is_no_text_is_no_command() {
        let mut output = Vec::new();
        let mut table = Table {
            position: Position::new(Size::new(7, 6).unwrap()),
            machine: Machine::new(Level::BEGINNER, 1 << 16, 1),
            side: Side::None,
            time: Duration::ZERO,
            style: Style {
                ascii: true,
                color: false,
            },
            prompt: false,
            output: &mut output,
        };
        table.play(&b"4\n\xE9\n4\n"[..]).unwrap();
        assert_eq!(table.position.moves_text(), "44");
    }

    #[test]
    fn commands_are_words_or_letters() {
        assert_eq!(parse("4"), Ok(Command::Drop(3)));
        assert_eq!(parse("a"), Ok(Command::Drop(9)));
        assert_eq!(parse("undo"), Ok(Command::Undo));
        assert_eq!(parse("l 0"), Ok(Command::Level(Level::BEGINNER)));
        for wrong in ["0", "44", "4 4", "x", "l", "l 11", "l x", "u u", "-1", "é"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
