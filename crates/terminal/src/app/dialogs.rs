//! The dialogs above the board: help, a new game, the name of a file, a question.

use super::{App, Effect};
use crate::action::Action;
use crate::form::{FileName, FileTask, Form};
use quincunx_board::{ClientMessage, Format};
use std::path::{Path, PathBuf};

/// The name of a file by default.
const FILE: &str = "game.sgf";

/// The format of a file by its extension, or SGF without one. `None` for a format that is not
/// written here.
fn format_of(path: &Path) -> Option<Format> {
    let Some(extension) = path.extension() else {
        return Some(Format::Sgf);
    };
    match extension.to_str()?.to_ascii_lowercase().as_str() {
        "sgf" => Some(Format::Sgf),
        "psq" => Some(Format::Psq),
        "txt" => Some(Format::Text),
        _ => None,
    }
}

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

/// A question to the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    Resign,
    Draw,
    /// Asks before an unsaved game is abandoned for this action.
    Leave(Action),
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
                    Question::Leave(action) => self.leave_game(action),
                }
            }
            Some(Dialog::Question(_)) | None => (),
        }
    }

    pub(super) fn ask_for_file(&mut self, task: FileTask) {
        let text = match (task, &self.path) {
            (FileTask::Open, _) => String::new(),
            (FileTask::Save, None) => FILE.to_owned(),
            (FileTask::Save, Some(path)) if format_of(path).is_some() => path.display().to_string(),
            (FileTask::Save, Some(path)) => path.with_extension("sgf").display().to_string(),
        };
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
                let Some(format) = format_of(&path) else {
                    name.error = Some("The name has to end in .sgf, .psq or .txt".to_owned());
                    return;
                };
                self.exporting = Some((path, replace));
                if !self.ask(ClientMessage::export(format))
                    && let Some(Dialog::FileName(name)) = &mut self.dialog
                {
                    name.error = self.notice.take();
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
            form.error = self.notice.take();
        }
    }
}
