//! The dialogs of a new game and of a file's name, with their fields.

use quincunx_board::{Player, Setup, Time, Welcome};
use std::path::PathBuf;

/// Sizes to choose from; any other can be written.
const SIZES: [&str; 8] = ["9", "11", "13", "15", "17", "19", "20", "22"];

/// Times to choose from; any other can be written.
const TIMES: [&str; 10] = [
    "0.2s", "0.5s", "1s", "2s", "5s", "15s", "3m+2s", "5m", "10m+5s", "30m",
];

/// Players to choose from.
const PLAYERS: [&str; 2] = ["person", "engine"];

/// The change of the level by one key press.
const LEVEL_STEP: i32 = 5;

/// A field of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Rule,
    Size,
    Opening,
    Black,
    White,
    Level,
    Time,
}

impl Field {
    pub(super) const ALL: [Field; 7] = [
        Field::Rule,
        Field::Size,
        Field::Opening,
        Field::Black,
        Field::White,
        Field::Level,
        Field::Time,
    ];

    /// The field's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Field::Rule => "Rule",
            Field::Size => "Size",
            Field::Opening => "Opening",
            Field::Black => "Black",
            Field::White => "White",
            Field::Level => "Level",
            Field::Time => "Time",
        }
    }

    /// Returns true if text can be typed into the field.
    pub(super) fn is_written(self) -> bool {
        matches!(self, Field::Size | Field::Level | Field::Time)
    }
}

/// A new game as far as it is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    rules: Vec<&'static str>,
    openings: Vec<&'static str>,
    values: [String; Field::ALL.len()],
    /// The field that keys change, as an index of [`Field::ALL`].
    focus: usize,
    /// True if the next character replaces the content of the field.
    is_fresh: bool,
    /// The error because of which the game did not start.
    pub(super) error: Option<String>,
}

impl Form {
    /// A dialog that begins with this setup.
    pub(super) fn new(welcome: &Welcome, setup: &Setup) -> Form {
        let player = |player| PLAYERS[usize::from(player == Player::Engine)].to_owned();
        Form {
            rules: welcome.rules.clone(),
            openings: welcome.openings.clone(),
            values: [
                setup.rule.clone(),
                setup.size.clone(),
                setup.opening.clone(),
                player(setup.black),
                player(setup.white),
                setup.level.to_string(),
                setup.time.to_string(),
            ],
            focus: 0,
            is_fresh: true,
            error: None,
        }
    }

    /// The field that keys change.
    pub(super) fn focus(&self) -> Field {
        Field::ALL[self.focus]
    }

    /// The content of a field.
    pub(super) fn value(&self, field: Field) -> &str {
        &self.values[field as usize]
    }

    /// Moves the selection down by this many fields.
    pub(super) fn down(&mut self, fields: i32) {
        self.focus = (self.focus as i32 + fields).rem_euclid(Field::ALL.len() as i32) as usize;
        self.error = None;
        self.is_fresh = true;
    }

    /// Takes the next or the previous value of the field.
    pub(super) fn change(&mut self, by: i32) {
        self.error = None;
        let values: Vec<&str> = match self.focus() {
            Field::Rule => self.rules.clone(),
            Field::Opening => self.openings.clone(),
            Field::Black | Field::White => PLAYERS.to_vec(),
            Field::Size => SIZES.to_vec(),
            Field::Time => TIMES.to_vec(),
            Field::Level => {
                let level: i32 = self.value(Field::Level).trim().parse().unwrap_or(0);
                let level = level.saturating_add(by * LEVEL_STEP).clamp(0, 100);
                self.values[self.focus] = level.to_string();
                return;
            }
        };
        let count = values.len() as i32;
        let at = values
            .iter()
            .position(|value| *value == self.values[self.focus]);
        let next = match at {
            Some(at) => (at as i32 + by).rem_euclid(count),
            None if by > 0 => 0,
            None => count - 1,
        };
        self.values[self.focus] = values[next as usize].to_owned();
        self.is_fresh = true;
    }

    /// Inserts a character into a text field.
    pub(super) fn write(&mut self, letter: char) {
        if !self.focus().is_written() {
            return;
        }
        self.error = None;
        if std::mem::take(&mut self.is_fresh) {
            self.values[self.focus].clear();
        }
        if self.values[self.focus].len() < 12 {
            self.values[self.focus].push(letter);
        }
    }

    /// Erases the last character.
    pub(super) fn erase(&mut self) {
        self.is_fresh = false;
        self.error = None;
        if self.focus().is_written() {
            self.values[self.focus].pop();
        }
    }

    /// Clears the field.
    pub(super) fn erase_all(&mut self) {
        self.is_fresh = false;
        self.error = None;
        if self.focus().is_written() {
            self.values[self.focus].clear();
        }
    }

    /// The setup of the form, or the error of a field.
    pub(super) fn setup(&self) -> Result<Setup, String> {
        let player = |field| match self.value(field) == PLAYERS[1] {
            true => Player::Engine,
            false => Player::Person,
        };
        let level = self.value(Field::Level).trim();
        let level = level.parse().ok().filter(|level| *level <= 100);
        let time: Time = (self.value(Field::Time).parse())
            .map_err(|error: quincunx_board::ParseTimeError| error.to_string())?;
        Ok(Setup {
            rule: self.value(Field::Rule).to_owned(),
            size: self.value(Field::Size).trim().to_owned(),
            opening: self.value(Field::Opening).to_owned(),
            black: player(Field::Black),
            white: player(Field::White),
            level: level.ok_or("a level is from 0 to 100")?,
            time,
            ..Setup::default()
        })
    }
}

/// The operation of a file dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileTask {
    /// The game in it is opened.
    Open,
    /// The game is saved in it.
    Save,
}

/// The name of a file as far as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileName {
    /// The operation.
    pub(super) task: FileTask,
    /// The name.
    pub(super) text: String,
    /// The file that may be replaced, since the user was asked.
    pub(super) replaced: Option<PathBuf>,
    /// The error of the last attempt.
    pub(super) error: Option<String>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_board::SearchBounds;
    use quincunx_engine::engine::Options;

    fn form() -> Form {
        let welcome = Welcome {
            version: 1,
            program: "",
            rules: vec!["freestyle", "renju"],
            openings: vec!["free", "swap1"],
            levels: Vec::new(),
            sides: (5, 22),
            lines: 8,
            handicap: 5,
            may_stop: false,
            searches: SearchBounds::of(&Options::default()),
        };
        Form::new(&welcome, &Setup::default())
    }

    #[test]
    fn an_untouched_form_is_the_setup() {
        assert_eq!(form().setup(), Ok(Setup::default()));
    }

    #[test]
    fn fields_are_chosen_and_written() {
        let mut form = form();
        form.change(-1);
        form.write('x');
        form.down(1);
        for letter in "20x9".chars() {
            form.write(letter);
        }
        form.down(3);
        form.change(1);
        assert_eq!(form.focus(), Field::White);
        form.down(1);
        form.change(-1);
        form.down(1);
        form.change(1);
        let setup = form.setup().unwrap();
        assert_eq!(
            (setup.rule.as_str(), setup.size.as_str()),
            ("renju", "20x9")
        );
        assert_eq!((setup.white, setup.level), (Player::Person, 30));
        assert_eq!(setup.time.turn_ms, Some(2_000));
        form.erase();
        assert!(form.setup().unwrap_err().contains("'2'"));
        form.down(-1);
        "101".chars().for_each(|digit| form.write(digit));
        form.down(1);
        form.change(1);
        assert!(form.setup().unwrap_err().contains("0 to 100"));
    }
}
