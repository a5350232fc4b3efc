//! Actions of the player, with their keys and clicks.

use super::layout::Layout;
use quincunx_engine::rules::Point;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves the cursor by columns and rows, up being positive.
    MoveCursor(i32, i32),
    /// Plays the point below the cursor.
    Play,
    /// Plays a point.
    PlayAt(Point),
    /// Passes.
    Pass,
    /// Makes one of the choices of an opening, counted from zero.
    Choose(usize),
    /// Takes back the last move, and the engine's answer to it.
    Undo,
    /// Redoes the last undone move.
    Redo,
    /// Lets the engine move where it waits, or makes it wait.
    PauseOrResume,
    /// Asks for a good move.
    Hint,
    /// Looks for a forced win.
    Prove,
    /// Begins or ends the analysis.
    Analyse,
    /// Begins an analysis with this many lines.
    AnalyseLines(usize),
    /// Asks whether to resign.
    Resign,
    /// Offers a draw.
    OfferDraw,
    /// Begins another game with the colours swapped.
    Rematch,
    /// Asks for a new game.
    NewGame,
    /// Asks for a file to open.
    Open,
    /// Asks for a file to save the game in.
    Save,
    /// Shows the keys.
    Help,
    /// Shows or hides the numbers of the moves.
    ToggleNumbers,
    /// Shows or hides the evaluation of the engine.
    ToggleEvaluation,
    /// Shows or hides the threats.
    ToggleThreats,
    /// Turns the bell on or off.
    ToggleBell,
    /// Confirms a dialog.
    Accept,
    /// Closes a dialog.
    Cancel,
    /// Moves the selection down by fields or lines.
    Down(i32),
    /// Takes the next or the previous value of a field.
    Change(i32),
    /// Writes a character.
    Type(char),
    /// Erases the last character.
    Erase,
    /// Erases all that is written.
    EraseAll,
    /// Draws everything again.
    Redraw,
    /// Leaves, after a question if a game is under way.
    Quit,
    /// Leaves at once.
    Interrupt,
}

/// The input mode, which decides the meaning of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The board.
    Board,
    /// The board, where a person has a choice of the opening.
    Choice,
    /// The list of keys.
    Help,
    /// The fields of a new game.
    Form,
    /// The name of a file.
    Path,
    /// A question.
    Question,
}

impl Mode {
    /// Returns true if no dialog covers the board.
    fn is_board(self) -> bool {
        matches!(self, Mode::Board | Mode::Choice)
    }
}

/// The keys of the board, for the help.
pub(super) const KEYS: [(&str, &str); 21] = [
    ("arrows", "move the cursor"),
    ("Enter Space", "play; or click"),
    ("-", "pass"),
    ("u  Ctrl-Z", "undo"),
    ("r  Ctrl-Y", "redo"),
    ("p", "pause or resume the engine"),
    ("h", "hint"),
    ("a  1-8", "analyse, so many lines"),
    ("f", "find a forced win"),
    ("e", "what the engine thinks"),
    ("t", "threats"),
    ("m", "move numbers"),
    ("d", "offer a draw"),
    ("x", "resign"),
    ("n", "new game"),
    ("c", "rematch, colours swapped"),
    ("o", "open a file"),
    ("s", "save a file"),
    ("b", "bell on or off"),
    ("Ctrl-L", "draw the screen again"),
    ("q  Ctrl-C", "leave"),
];

/// The action of an event, if it has one. `layout` locates the board for clicks.
pub fn action(event: &Event, mode: Mode, layout: Option<&Layout>) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => pressed(key, mode),
        Event::Mouse(mouse) if mode.is_board() => {
            let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
            let point = layout?.point(mouse.column, mouse.row)?;
            is_click.then_some(Action::PlayAt(point))
        }
        _ => None,
    }
}

fn pressed(key: &KeyEvent, mode: Mode) -> Option<Action> {
    // Windows tells AltGr, which writes characters such as a backslash, as Ctrl and Alt.
    let is_alt_gr = key.modifiers.contains(KeyModifiers::ALT);
    if key.modifiers.contains(KeyModifiers::CONTROL) && !is_alt_gr {
        // Windows tells capitals where Caps Lock is on.
        let KeyCode::Char(letter) = key.code else {
            return None;
        };
        if key.modifiers.contains(KeyModifiers::SHIFT) {
            // Ctrl, Shift and C copy in many terminals.
            return None;
        }
        return match letter.to_ascii_lowercase() {
            'c' => Some(Action::Interrupt),
            'l' => Some(Action::Redraw),
            'u' if matches!(mode, Mode::Form | Mode::Path) => Some(Action::EraseAll),
            'z' if mode.is_board() => Some(Action::Undo),
            'y' if mode.is_board() => Some(Action::Redo),
            _ => None,
        };
    }
    match mode {
        Mode::Board => on_board(key.code),
        Mode::Choice => match key.code {
            KeyCode::Char(digit @ '1'..='9') => Some(Action::Choose(digit as usize - '1' as usize)),
            code => on_board(code),
        },
        Mode::Help => match key.code {
            KeyCode::Up => Some(Action::Down(-1)),
            KeyCode::Down => Some(Action::Down(1)),
            KeyCode::PageUp => Some(Action::Down(-10)),
            KeyCode::PageDown => Some(Action::Down(10)),
            _ => Some(Action::Cancel),
        },
        Mode::Form => in_form(key.code),
        Mode::Path => match key.code {
            KeyCode::Enter => Some(Action::Accept),
            KeyCode::Esc => Some(Action::Cancel),
            KeyCode::Backspace => Some(Action::Erase),
            KeyCode::Char(letter) => Some(Action::Type(letter)),
            _ => None,
        },
        Mode::Question => match key.code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => Some(Action::Accept),
            KeyCode::Char('n' | 'N') | KeyCode::Esc => Some(Action::Cancel),
            _ => None,
        },
    }
}

fn on_board(code: KeyCode) -> Option<Action> {
    const FAR: i32 = i32::MAX;
    Some(match code {
        KeyCode::Left => Action::MoveCursor(-1, 0),
        KeyCode::Right => Action::MoveCursor(1, 0),
        KeyCode::Up => Action::MoveCursor(0, 1),
        KeyCode::Down => Action::MoveCursor(0, -1),
        KeyCode::Home => Action::MoveCursor(-FAR, 0),
        KeyCode::End => Action::MoveCursor(FAR, 0),
        KeyCode::PageUp => Action::MoveCursor(0, FAR),
        KeyCode::PageDown => Action::MoveCursor(0, -FAR),
        KeyCode::Enter | KeyCode::Char(' ') => Action::Play,
        KeyCode::Char('-') => Action::Pass,
        KeyCode::Backspace | KeyCode::Char('u') => Action::Undo,
        KeyCode::Char('r') => Action::Redo,
        KeyCode::Char('p') => Action::PauseOrResume,
        KeyCode::Char('h') => Action::Hint,
        KeyCode::Char('f') => Action::Prove,
        KeyCode::Char('a') => Action::Analyse,
        KeyCode::Char(digit @ '1'..='8') => Action::AnalyseLines(digit as usize - '0' as usize),
        KeyCode::Char('e') => Action::ToggleEvaluation,
        KeyCode::Char('t') => Action::ToggleThreats,
        KeyCode::Char('m') => Action::ToggleNumbers,
        KeyCode::Char('b') => Action::ToggleBell,
        KeyCode::Char('d') => Action::OfferDraw,
        KeyCode::Char('x') => Action::Resign,
        KeyCode::Char('n') => Action::NewGame,
        KeyCode::Char('c') => Action::Rematch,
        KeyCode::Char('o') => Action::Open,
        KeyCode::Char('s') => Action::Save,
        KeyCode::Char('?') | KeyCode::F(1) => Action::Help,
        KeyCode::Char('q') => Action::Quit,
        _ => return None,
    })
}

fn in_form(code: KeyCode) -> Option<Action> {
    Some(match code {
        KeyCode::Up | KeyCode::BackTab => Action::Down(-1),
        KeyCode::Down | KeyCode::Tab => Action::Down(1),
        KeyCode::Left => Action::Change(-1),
        KeyCode::Right | KeyCode::Char(' ') => Action::Change(1),
        KeyCode::Enter => Action::Accept,
        KeyCode::Esc => Action::Cancel,
        KeyCode::Backspace => Action::Erase,
        KeyCode::Char(letter) => Action::Type(letter),
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::BoardSize;
    use ratatui::crossterm::event::MouseEvent;
    use ratatui::layout::Rect;

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn keys_mean_what_the_mode_says() {
        let letter = |letter| key(KeyCode::Char(letter));
        let cases = [
            (letter('u'), Mode::Board, Some(Action::Undo)),
            (letter('u'), Mode::Path, Some(Action::Type('u'))),
            (letter('2'), Mode::Board, Some(Action::AnalyseLines(2))),
            (letter('2'), Mode::Choice, Some(Action::Choose(1))),
            (letter('2'), Mode::Form, Some(Action::Type('2'))),
            (letter('9'), Mode::Board, None),
            (letter('z'), Mode::Board, None),
            (letter('y'), Mode::Question, Some(Action::Accept)),
            (letter('u'), Mode::Question, None),
            (letter('u'), Mode::Help, Some(Action::Cancel)),
            (
                key(KeyCode::Up),
                Mode::Board,
                Some(Action::MoveCursor(0, 1)),
            ),
            (key(KeyCode::Up), Mode::Form, Some(Action::Down(-1))),
            (key(KeyCode::Enter), Mode::Board, Some(Action::Play)),
        ];
        for (event, mode, expected) in cases {
            assert_eq!(action(&event, mode, None), expected, "{event:?} {mode:?}");
        }
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        let interrupt = control('c');
        let modes = [
            Mode::Board,
            Mode::Help,
            Mode::Form,
            Mode::Path,
            Mode::Question,
        ];
        for mode in modes {
            let asked = action(&Event::Key(interrupt), mode, None);
            assert_eq!(asked, Some(Action::Interrupt));
        }
        for (letter, mode, expected) in [
            ('u', Mode::Path, Some(Action::EraseAll)),
            ('u', Mode::Form, Some(Action::EraseAll)),
            ('u', Mode::Board, None),
            ('z', Mode::Board, Some(Action::Undo)),
            ('z', Mode::Choice, Some(Action::Undo)),
            ('y', Mode::Choice, Some(Action::Redo)),
            ('z', Mode::Form, None),
            ('C', Mode::Board, Some(Action::Interrupt)),
        ] {
            let asked = action(&Event::Key(control(letter)), mode, None);
            assert_eq!(asked, expected, "{letter} {mode:?}");
        }
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        let backslash = Event::Key(KeyEvent::new(KeyCode::Char('\\'), alt_gr));
        let written = action(&backslash, Mode::Path, None);
        assert_eq!(written, Some(Action::Type('\\')));
        let mut released = interrupt;
        released.kind = KeyEventKind::Release;
        assert_eq!(action(&Event::Key(released), Mode::Board, None), None);
    }

    #[test]
    fn a_click_plays_a_point_of_the_board() {
        let layout = Layout::of(Rect::new(0, 0, 80, 24), BoardSize::default(), 0).unwrap();
        let point: Point = "b3".parse().unwrap();
        let (column, row) = layout.place(point);
        let mouse = |kind, column| {
            let modifiers = KeyModifiers::NONE;
            Event::Mouse(MouseEvent {
                kind,
                column,
                row,
                modifiers,
            })
        };
        let down = MouseEventKind::Down(MouseButton::Left);
        let asked = |event, mode| action(&event, mode, Some(&layout));
        let play = Some(Action::PlayAt(point));
        assert_eq!(asked(mouse(down, column), Mode::Board), play);
        assert_eq!(asked(mouse(down, column), Mode::Form), None);
        assert_eq!(asked(mouse(down, 79), Mode::Board), None);
        assert_eq!(
            asked(mouse(MouseEventKind::Moved, column), Mode::Board),
            None
        );
    }
}
