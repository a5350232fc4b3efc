//! The dialogs above the board: help, a new game, the name of a file, a question.

use super::{App, Effect, Exit};
use crate::action::Action;
use crate::form::{FileName, FileTask, Form};
use quincunx_board::{ClientMessage, Format};
use std::path::PathBuf;

/// The name of a file by default.
const FILE: &str = "game.sgf";

/// A dialog above the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// The keys, from this line on.
    Help(u16),
    /// A new game.
    NewGame(Form),
    /// The name of a file.
    FileName(FileName),
    /// A question.
    Question(Question),
}

/// What a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Resign,
    Draw,
    Rematch,
    Leave,
}

impl App {
    pub(super) fn act_in_dialog(&mut self, action: Action) {
        if action == Action::Cancel {
            self.dialog = None;
            return;
        }
        match self.dialog.as_mut() {
            Some(Dialog::Help(top)) => {
                if let Action::Down(lines) = action {
                    *top = top.saturating_add_signed(lines as i16);
                }
            }
            Some(Dialog::NewGame(form)) => match action {
                Action::Down(fields) => form.down(fields),
                Action::Change(by) => form.change(by),
                Action::Type(letter) => form.write(letter),
                Action::Erase => form.erase(),
                Action::EraseAll => form.erase_all(),
                Action::Accept => self.begin_game(),
                _ => (),
            },
            Some(Dialog::FileName(name)) => match action {
                Action::Type(letter) => {
                    name.text.push(letter);
                    name.error = None;
                }
                Action::Erase => {
                    name.text.pop();
                    name.error = None;
                }
                Action::EraseAll => {
                    name.text.clear();
                    name.error = None;
                }
                Action::Accept => self.take_file_name(),
                _ => (),
            },
            Some(Dialog::Question(question)) if action == Action::Accept => {
                let question = *question;
                self.dialog = None;
                match question {
                    Question::Resign => {
                        self.ask(ClientMessage::Resign);
                    }
                    Question::Draw => {
                        self.ask(ClientMessage::OfferDraw);
                    }
                    Question::Rematch => {
                        self.ask(ClientMessage::Rematch);
                    }
                    Question::Leave => self.effects.push(Effect::Leave(Exit::Left)),
                }
            }
            Some(Dialog::Question(_)) | None => (),
        }
    }

    pub(super) fn ask_for_file(&mut self, task: FileTask) {
        let path = self.path.as_deref().filter(|_| task == FileTask::Save);
        let default = match task {
            FileTask::Open => "",
            FileTask::Save => FILE,
        };
        let text = path.map_or_else(|| default.to_owned(), |path| path.display().to_string());
        self.dialog = Some(Dialog::FileName(FileName {
            task,
            text,
            replaced: self.path.clone().filter(|_| self.may_replace),
            error: None,
        }));
    }

    fn take_file_name(&mut self) {
        let Some(Dialog::FileName(name)) = &mut self.dialog else {
            return;
        };
        if name.text.trim().is_empty() {
            name.error = Some("Write the name of a file".to_owned());
            return;
        }
        let path = PathBuf::from(name.text.trim());
        let replace = name.replaced.as_ref() == Some(&path);
        match name.task {
            FileTask::Open => self.effects.push(Effect::Open(path)),
            FileTask::Save => {
                let ending = path.extension().and_then(|ending| ending.to_str());
                let format = match ending.map(str::to_ascii_lowercase).as_deref() {
                    Some("psq") => Format::Psq,
                    Some("txt") => Format::Text,
                    _ => Format::Sgf,
                };
                self.exporting = Some((path, replace));
                if !self.ask(ClientMessage::export(format))
                    && let Some(Dialog::FileName(name)) = &mut self.dialog
                {
                    name.error = self.said.take();
                }
            }
        }
    }

    fn begin_game(&mut self) {
        let Some(Dialog::NewGame(form)) = &mut self.dialog else {
            return;
        };
        let setup = match form.setup() {
            Ok(setup) => setup,
            Err(error) => {
                form.error = Some(error);
                return;
            }
        };
        if self.ask(ClientMessage::NewGame(setup)) {
            self.dialog = None;
        } else if let Some(Dialog::NewGame(form)) = &mut self.dialog {
            form.error = self.said.take();
        }
    }
}
