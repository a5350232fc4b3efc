//! The game at the terminal: a session, and what is shown of it. It draws nothing and
//! searches nothing, reads no keys and no files.

mod dialogs;
mod shown;

use super::action::{Action, Mode};
use super::appearance::Appearance;
use super::form::{FileTask, Form};
use super::words;
pub(super) use dialogs::{Dialog, Question};
use quincunx_board::{
    Analysis, AnalysisMode, ClientMessage, HostedSession, Job, JobId, Phase, Player, Report,
    ServerMessage, Session, Setup, State, VERSION, Welcome,
};
use quincunx_engine::engine::Options;
use quincunx_engine::rules::{BoardSize, Point};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The lines of an analysis by default.
const LINES: usize = 3;

/// A side effect that the caller of an [`App`] performs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The bell rings.
    Bell,
    /// The screen is drawn again from nothing.
    Redraw,
    /// Reads this file, and passes it to [`App::opened`].
    Open(PathBuf),
    /// Writes this to a file, and passes the result to [`App::saved`].
    Save {
        /// The file.
        path: PathBuf,
        /// Its content.
        text: String,
        /// True to replace an existing file.
        replace: bool,
    },
    /// The program ends.
    Leave(Exit),
}

/// Why the game at the terminal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The user left.
    Left,
    /// The user interrupted the program.
    Interrupted,
}

/// Why a game was not saved.
#[derive(Debug)]
pub enum SaveError {
    /// There is a file already, and replacing it was not confirmed.
    Exists,
    /// The file can't be written.
    Failed(String),
}

/// The optional parts of the display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DisplayOptions {
    /// The numbers of the moves on the stones.
    pub(super) numbers: bool,
    /// The engine's evaluation.
    pub(super) evaluation: bool,
    /// The threats of both sides.
    pub(super) threats: bool,
}

/// The game at the terminal: a session, and what is shown of it.
///
/// ```
/// use quincunx_board::Setup;
/// use quincunx_engine::engine::Options;
/// use quincunx_terminal::{Action, App, Appearance};
/// use std::time::Duration;
///
/// let appearance = Appearance { ascii: true, color: false };
/// let mut app = App::new(Setup::default(), Options::default(), appearance)?;
/// let effects = app.act(Duration::ZERO, Action::Play);
/// assert!(effects.is_empty() && !app.jobs().is_empty(), "the engine is to answer");
/// # Ok::<(), String>(())
/// ```
pub struct App {
    session: Session,
    appearance: Appearance,
    welcome: Welcome,
    state: State,
    size: BoardSize,
    now: Duration,
    /// The time of the last state.
    state_at: Duration,
    cursor: Point,
    analysis: Option<Analysis>,
    /// A good move in the position that is shown.
    hint: Option<Point>,
    /// The reply to the last action.
    notice: Option<String>,
    display: DisplayOptions,
    has_bell: bool,
    dialog: Option<Dialog>,
    /// The file that the game was last opened from or saved in.
    path: Option<PathBuf>,
    /// True if the file was written by this program, so that it may be overwritten.
    may_replace: bool,
    /// True if the game has changed since it was saved.
    is_changed: bool,
    /// The file that the session's next export is for, and whether it may be replaced.
    exporting: Option<(PathBuf, bool)>,
    /// Features of the game that the last exported format cannot hold.
    unsupported: Vec<String>,
    effects: Vec<Effect>,
}

impl App {
    /// Creates a game with this setup. `options` are those of its searches.
    ///
    /// # Errors
    /// When there is no such game, in words.
    pub fn new(setup: Setup, options: Options, appearance: Appearance) -> Result<App, String> {
        let mut session = Session::new(options);
        let mut first = |message| session.handle(Duration::ZERO, message);
        let version = VERSION;
        let mut replies = first(ClientMessage::Hello {
            version,
            save: None,
            node: None,
            changes: false,
            left_ms: None,
        });
        replies.extend(first(ClientMessage::NewGame(setup)));
        let (mut welcome, mut state) = (None, None);
        for reply in replies {
            match reply {
                ServerMessage::Welcome(told) => welcome = Some(told),
                ServerMessage::State(told) => state = Some(*told),
                ServerMessage::Error { text, .. } => return Err(text),
                _ => (),
            }
        }
        let (Some(welcome), Some(state)) = (welcome, state) else {
            return Err("the session says nothing".to_owned());
        };
        let size = size_of(&state);
        Ok(App {
            session,
            appearance,
            welcome,
            state,
            size,
            now: Duration::ZERO,
            state_at: Duration::ZERO,
            cursor: size.centre(),
            analysis: None,
            hint: None,
            notice: None,
            display: DisplayOptions::default(),
            has_bell: true,
            dialog: None,
            path: None,
            may_replace: false,
            is_changed: false,
            exporting: None,
            unsupported: Vec::new(),
            effects: Vec::new(),
        })
    }

    /// Turns the bell on or off.
    pub fn set_bell(&mut self, has_bell: bool) {
        self.has_bell = has_bell;
    }

    /// The jobs to run now.
    pub fn jobs(&self) -> Vec<Job> {
        self.session.jobs()
    }

    /// The time of the next call of [`App::tick`], if nothing else happens before.
    pub fn deadline(&self) -> Option<Duration> {
        self.session.deadline()
    }

    /// The state of the session.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The input mode.
    pub fn mode(&self) -> Mode {
        match &self.dialog {
            Some(Dialog::Help(_)) => Mode::Help,
            Some(Dialog::NewGame(_)) => Mode::Form,
            Some(Dialog::FileName(_)) => Mode::Path,
            Some(Dialog::Question(_)) => Mode::Question,
            None if self.choices().is_empty() => Mode::Board,
            None => Mode::Choice,
        }
    }

    /// Advances the time to `now`.
    pub fn tick(&mut self, now: Duration) -> Vec<Effect> {
        self.now = self.now.max(now);
        let replies = self.session.tick(self.now);
        self.receive(replies, true);
        std::mem::take(&mut self.effects)
    }

    /// Takes a report of a job that arrived at `now`.
    pub fn report(&mut self, now: Duration, id: JobId, report: Report) -> Vec<Effect> {
        self.now = self.now.max(now);
        let before = self.state.node;
        let replies = self.session.report(self.now, id, report);
        self.receive(replies, true);
        if self.state.node != before {
            self.is_changed = true;
            let has_person = [self.state.setup.black, self.state.setup.white];
            if has_person.contains(&Player::Person) {
                self.ring();
            }
        }
        std::mem::take(&mut self.effects)
    }

    /// Opens the game that a file holds.
    ///
    /// # Errors
    /// When there is no game in it, in words. Nothing has changed then.
    pub fn open(&mut self, path: &Path, open: ClientMessage) -> Result<(), String> {
        self.take_over(&path.display().to_string(), open)?;
        self.path = Some(path.to_owned());
        Ok(())
    }

    /// Opens the position of a line `SIZE RULE MOVES`, which is in no file.
    ///
    /// # Errors
    /// When it is no such line, in words. Nothing has changed then.
    pub fn open_line(&mut self, line: &str) -> Result<(), String> {
        self.take_over(line, ClientMessage::open_file("", line.as_bytes()))?;
        self.path = None;
        Ok(())
    }

    /// Opens the content of a file or a pasted text with this name.
    fn take_over(&mut self, name: &str, open: ClientMessage) -> Result<(), String> {
        // An opened game has none, whatever was asked for.
        let clocks = match self.state.setup.time.game_ms {
            Some(_) => ", without clocks",
            None => "",
        };
        self.notice = None;
        if !self.ask(open) {
            return Err(self.notice.take().unwrap_or_default());
        }
        let noticed = self.notice.take();
        let noticed = noticed.map_or(String::new(), |remarks| format!(": {remarks}"));
        self.may_replace = false;
        self.is_changed = false;
        self.notice = Some(format!("Opened {name}{clocks}{noticed}"));
        Ok(())
    }

    /// Receives the content of a requested file, or the error.
    pub fn opened(&mut self, path: &Path, content: Result<Vec<u8>, String>) {
        let name = path.to_string_lossy();
        let opened =
            content.and_then(|bytes| self.open(path, ClientMessage::open_file(&name, &bytes)));
        match (opened, &mut self.dialog) {
            (Err(error), Some(Dialog::FileName(name))) => name.error = Some(error),
            (Err(error), _) => self.notice = Some(error),
            (Ok(()), dialog) => *dialog = None,
        }
    }

    /// Receives the result of saving the game.
    pub fn saved(&mut self, path: &Path, result: Result<(), SaveError>) {
        let error = match result {
            Ok(()) => {
                self.dialog = None;
                self.path = Some(path.to_owned());
                self.may_replace = true;
                self.is_changed &= !self.unsupported.is_empty();
                let without = match self.unsupported.is_empty() {
                    true => String::new(),
                    false => format!(" without {}", words::list(&self.unsupported)),
                };
                self.notice = Some(format!("Saved in {}{without}", path.display()));
                return;
            }
            Err(SaveError::Exists) => "There is such a file. Enter replaces it.".to_owned(),
            Err(SaveError::Failed(error)) => error,
        };
        if let Some(Dialog::FileName(name)) = &mut self.dialog {
            name.replaced = Some(path.to_owned());
            name.error = Some(error);
        }
    }

    /// Performs an action of a person at `now`. Returns the effects.
    pub fn act(&mut self, now: Duration, action: Action) -> Vec<Effect> {
        self.now = self.now.max(now);
        match action {
            Action::Redraw => self.effects.push(Effect::Redraw),
            Action::Interrupt => self.effects.push(Effect::Leave(Exit::Interrupted)),
            _ if self.dialog.is_some() => self.act_in_dialog(action),
            _ => self.act_on_board(action),
        }
        std::mem::take(&mut self.effects)
    }

    /// Inserts pasted text into the current field. On the board it is ignored: its letters are not
    /// keys.
    pub fn paste(&mut self, now: Duration, text: &str) {
        if matches!(self.mode(), Mode::Form | Mode::Path) {
            for letter in text.chars().filter(|letter| !letter.is_control()) {
                self.act(now, Action::Type(letter));
            }
        }
    }

    fn act_on_board(&mut self, action: Action) {
        if let Action::MoveCursor(columns, rows) = action {
            self.move_cursor(columns, rows);
            return;
        }
        self.notice = None;
        match action {
            Action::Play => self.play(self.cursor),
            Action::PlayAt(point) => {
                self.cursor = point;
                self.play(point);
            }
            Action::Pass => {
                let node = self.state.node;
                self.ask(ClientMessage::Pass { node });
            }
            Action::Choose(index) => {
                if let Some(&choice) = self.choices().get(index) {
                    let node = self.state.node;
                    self.ask(ClientMessage::Choose { choice, node });
                }
            }
            Action::Undo => self.ask_or_notice(ClientMessage::Undo, "There is nothing to undo"),
            Action::Redo => self.ask_or_notice(ClientMessage::Redo, "There is nothing to redo"),
            Action::PauseOrResume if self.state.actor != Some(Player::Engine) => {
                self.notice = Some("It is not the engine's turn".to_owned());
            }
            Action::PauseOrResume => {
                let waits = self.state.waiting;
                self.ask(if waits {
                    ClientMessage::Resume
                } else {
                    ClientMessage::Pause
                });
            }
            Action::Hint => {
                self.ask_or_notice(ClientMessage::Hint, "There is no hint now");
            }
            Action::Prove => self.prove(),
            Action::Analyse => {
                let message = match self.state.analysis {
                    Some(_) => ClientMessage::StopAnalysis,
                    None => analyse(LINES),
                };
                self.ask(message);
            }
            Action::AnalyseLines(lines) => {
                self.ask(analyse(lines));
            }
            Action::Resign if self.state.can.resign => {
                self.dialog = Some(Dialog::Question(Question::Resign));
            }
            Action::OfferDraw if self.state.can.draw && !self.has_engine() => {
                self.dialog = Some(Dialog::Question(Question::Draw));
            }
            Action::Resign => self.notice = Some("There is no game to resign".to_owned()),
            Action::OfferDraw => {
                self.ask_or_notice(ClientMessage::OfferDraw, "No draw can be offered now")
            }
            Action::Rematch | Action::NewGame | Action::Open | Action::Quit => {
                match self.is_changed && !self.is_over() {
                    true => self.dialog = Some(Dialog::Question(Question::Leave(action))),
                    false => self.leave_game(action),
                }
            }
            Action::Save => self.ask_for_file(FileTask::Save),
            Action::Help => self.dialog = Some(Dialog::Help(0)),
            Action::ToggleNumbers => self.display.numbers = !self.display.numbers,
            Action::ToggleEvaluation => self.display.evaluation = !self.display.evaluation,
            Action::ToggleThreats => self.display.threats = !self.display.threats,
            Action::ToggleBell => {
                self.has_bell = !self.has_bell;
                let now = if self.has_bell { "on" } else { "off" };
                self.notice = Some(format!("The bell is {now}"));
            }
            // The others are for dialogs.
            _ => (),
        }
    }

    /// Performs an action that leaves the game, for another one or for good.
    fn leave_game(&mut self, action: Action) {
        match action {
            Action::Rematch => {
                self.ask(ClientMessage::Rematch);
            }
            Action::NewGame => {
                let form = Form::new(&self.welcome, &self.state.setup);
                self.dialog = Some(Dialog::NewGame(form));
            }
            Action::Open => self.ask_for_file(FileTask::Open),
            _ => self.effects.push(Effect::Leave(Exit::Left)),
        }
    }

    fn move_cursor(&mut self, columns: i32, rows: i32) {
        let along = |at: usize, by: i32, side: usize| {
            let last = i32::try_from(side).unwrap_or(i32::MAX) - 1;
            let at = i32::try_from(at).unwrap_or(0).saturating_add(by);
            usize::try_from(at.clamp(0, last)).unwrap_or(0)
        };
        let x = along(self.cursor.x(), columns, self.size.width());
        let y = along(self.cursor.y(), rows, self.size.height());
        self.cursor = self.size.point(x, y).unwrap_or(self.cursor);
    }

    fn play(&mut self, point: Point) {
        let (point, node) = (point.to_string(), self.state.node);
        self.ask(ClientMessage::Play { point, node });
    }

    fn prove(&mut self) {
        if self.ask(ClientMessage::Prove) {
            self.notice = Some("Looking for a forced win".to_owned());
        }
    }

    /// Sends the session a message. If it is refused, this text is shown.
    fn ask_or_notice(&mut self, message: ClientMessage, refusal: &str) {
        if !self.ask(message) {
            self.notice = Some(refusal.to_owned());
        }
    }

    /// Sends the session a message. Returns false if it was refused, and then shows the reason.
    fn ask(&mut self, message: ClientMessage) -> bool {
        use ClientMessage::{Choose, NewGame, OfferDraw, Pass, Play, Rematch, Resign};
        let begins = matches!(message, NewGame(_) | Rematch);
        let plays = matches!(
            message,
            Play { .. } | Pass { .. } | Choose { .. } | Resign | OfferDraw
        );
        let (node, phase) = (self.state.node, self.state.phase.clone());
        let replies = self.session.handle(self.now, message);
        let done = self.receive(replies, plays);
        if done && begins {
            // Another game goes to another file.
            (self.path, self.is_changed) = (None, false);
        }
        // A draw that is declined changes nothing.
        self.is_changed |= done && plays && (self.state.node, &self.state.phase) != (node, &phase);
        done
    }

    /// Takes the replies of the session. A game that ends by a move rings the bell.
    /// Returns true if there was no error.
    fn receive(&mut self, replies: Vec<ServerMessage>, is_played: bool) -> bool {
        let mut done = true;
        let mut noticed = None;
        for reply in replies {
            match reply {
                ServerMessage::State(state) => {
                    let was_over = self.is_over();
                    self.show(*state);
                    if is_played && self.is_over() && !was_over {
                        self.ring();
                    }
                }
                ServerMessage::Analysis(analysis) => self.analysis = Some(analysis),
                ServerMessage::Hint { node, point } if node == self.state.node => {
                    self.notice = Some(format!("Hint: {point}"));
                    self.hint = point.parse().ok();
                }
                ServerMessage::Proof(proof) if proof.node == self.state.node => {
                    self.hint = (proof.win.as_ref()).and_then(|win| win.point.parse().ok());
                    self.notice = Some(words::proof(&proof));
                }
                ServerMessage::Opened { remarks, .. } => {
                    let texts: Vec<String> = remarks.into_iter().map(|it| it.text).collect();
                    noticed = Some(texts.join("; "));
                }
                ServerMessage::DrawDeclined { .. } => {
                    self.notice = Some("The engine plays on".to_owned())
                }
                ServerMessage::Exported { text, format } => {
                    let features = self.session.lost_in(format).into_iter();
                    self.unsupported = features.map(|feature| feature.to_string()).collect();
                    if let Some((path, replace)) = self.exporting.take() {
                        self.effects.push(Effect::Save {
                            path,
                            text,
                            replace,
                        });
                    }
                }
                ServerMessage::Error { text, .. } => {
                    self.notice = Some(text);
                    done = false;
                }
                ServerMessage::Hint { .. }
                | ServerMessage::Proof(_)
                | ServerMessage::Review(_)
                | ServerMessage::Welcome(_)
                | ServerMessage::Goodbye => (),
            }
        }
        // It comes before the game of the file, which clears what was said.
        self.notice = noticed.or(self.notice.take());
        done
    }

    fn show(&mut self, state: State) {
        // Another game has nodes of the same numbers.
        let is_another = state.game != self.state.game;
        if is_another {
            self.analysis = None;
        }
        if is_another || state.node != self.state.node {
            self.hint = None;
            self.notice = None;
        }
        let size = size_of(&state);
        if size != self.size {
            self.size = size;
            self.cursor = size.centre();
        }
        self.state = state;
        self.state_at = self.now;
    }

    fn ring(&mut self) {
        if self.has_bell && !self.effects.contains(&Effect::Bell) {
            self.effects.push(Effect::Bell);
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.state.phase, Phase::Over { .. })
    }

    fn has_engine(&self) -> bool {
        let setup = &self.state.setup;
        [setup.black, setup.white].contains(&Player::Engine)
    }
}

fn size_of(state: &State) -> BoardSize {
    BoardSize::new(state.width, state.height).unwrap_or_default()
}

/// The message that asks for the best moves.
fn analyse(lines: usize) -> ClientMessage {
    let mode = AnalysisMode::Best;
    ClientMessage::Analyse { lines, mode }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
