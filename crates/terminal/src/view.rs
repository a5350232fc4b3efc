//! The whole screen, from the state of the game alone.

use super::action::{KEYS, Mode};
use super::app::{App, Dialog, Question};
use super::form::{Field, FileName, FileTask, Form};
use super::layout::{Layout, TooSmall};
use super::{panel, stones, words};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

/// The width of dialogs where the screen has room for it.
const DIALOG_WIDTH: u16 = 44;

/// The layout of the game on this screen.
///
/// # Errors
/// When there is no room for the board.
pub fn layout(app: &App, area: Rect) -> Result<Layout, TooSmall> {
    Layout::of(area, app.size(), app.digits())
}

/// Draws everything.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let area = frame.area();
    match layout(app, area) {
        Ok(layout) => draw_game(app, &layout, frame),
        Err(small) => {
            let text = panel::wrapped(&small.to_string(), usize::from(area.width).max(1));
            let lines: Vec<Line<'_>> = text.into_iter().map(Line::from).collect();
            frame.render_widget(Paragraph::new(lines), area);
        }
    }
    if let Some(dialog) = app.dialog() {
        draw_dialog(app, dialog, frame);
    }
}

fn draw_game(app: &App, layout: &Layout, frame: &mut Frame<'_>) {
    stones::draw(app, layout, frame.buffer_mut());
    if app.dialog().is_none() {
        // Screen readers and braille displays follow the terminal's own cursor.
        frame.set_cursor_position(layout.place(app.cursor()));
    }
    let (width, height) = (layout.panel.width, layout.panel.height);
    let mut lines = panel::lines(app, width, height, layout.is_wide());
    if app.display().numbers && !layout.has_numbers() {
        let note = "Numbers on stones need a wider terminal.";
        let at = lines.len().min(usize::from(height).saturating_sub(1));
        lines.insert(at, Line::from(note));
    }
    frame.render_widget(Paragraph::new(lines), layout.panel);
    let keys = keys(app.mode(), usize::from(layout.footer.width));
    frame.render_widget(Line::raw(keys), layout.footer);
}

/// The keys of the current mode, as many as fit.
fn keys(mode: Mode, width: usize) -> String {
    let keys: &[&str] = match mode {
        Mode::Board => &[
            "? keys",
            "q quit",
            "u undo",
            "n new",
            "h hint",
            "a analyse",
            "r redo",
            "s save",
            "o open",
        ],
        Mode::Choice => &["1 2 3 choose", "? keys", "q quit", "u undo", "n new"],
        Mode::Help => &["any key closes", "Up and Down scroll"],
        Mode::Form => &["Enter start", "Esc cancel", "arrows choose"],
        Mode::Path => &["Enter done", "Esc cancel"],
        Mode::Question => &["y yes", "n no"],
    };
    let mut line = String::new();
    for key in keys {
        if line.len() + 2 + key.len() > width {
            break;
        }
        if !line.is_empty() {
            line += "  ";
        }
        line += key;
    }
    line
}

fn draw_dialog(app: &App, dialog: &Dialog, frame: &mut Frame<'_>) {
    let (title, lines, skipped) = match dialog {
        Dialog::Help(top) => ("Keys", help(), *top),
        Dialog::NewGame(form) => ("New game", form_lines(app, form), 0),
        Dialog::FileName(name) => (
            match name.task {
                FileTask::Open => "Open SGF, PSQ or text",
                FileTask::Save => "Save as .sgf, .psq or .txt",
            },
            file_lines(name),
            0,
        ),
        Dialog::Question(question) => {
            let text = match question {
                Question::Resign => "Resign this game?",
                Question::Draw => "Do both players agree to a draw?",
                Question::Leave(_) => "Leave a game that is not saved?",
            };
            let lines = vec![Line::from(text), Line::default(), Line::from("y yes, n no")];
            ("Question", lines, 0)
        }
    };
    let area = frame.area();
    let width = area.width.min(DIALOG_WIDTH);
    let lines = fitted(lines, usize::from(width.saturating_sub(4)));
    let height = area.height.min(lines.len() as u16 + 2);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let skipped = skipped.min((lines.len() as u16 + 2).saturating_sub(height));
    let block = Block::bordered().title(format!(" {title} "));
    let block = block.border_set(app.appearance().border());
    let inside = block.inner(place);
    let inside = Rect {
        x: inside.x + 1,
        width: inside.width.saturating_sub(2),
        ..inside
    };
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    frame.render_widget(Paragraph::new(lines).scroll((skipped, 0)), inside);
}

/// The lines, the longer ones broken.
fn fitted(lines: Vec<Line<'static>>, width: usize) -> Vec<Line<'static>> {
    let mut fitted = Vec::new();
    for line in lines {
        if line.width() <= width || line.spans.len() > 1 {
            fitted.push(line);
            continue;
        }
        let parts = panel::wrapped(&line.to_string(), width.max(1)).into_iter();
        fitted.extend(parts.map(|part| Line::styled(part, line.style)));
    }
    fitted
}

fn help() -> Vec<Line<'static>> {
    let line = |(keys, meaning): &(&str, &str)| Line::raw(format!("{keys:<12}{meaning}"));
    let mut lines: Vec<Line<'_>> = KEYS.iter().map(line).collect();
    lines.push(Line::default());
    lines.push(Line::raw("[ ] cursor, ( ) last move"));
    lines.push(Line::raw("* hint, 1 2 3 best moves"));
    lines
}

fn form_lines(app: &App, form: &Form) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for field in Field::ALL {
        let is_focus = field == form.focus();
        let mut value = form.value(field).to_owned();
        if field == Field::Level
            && let Ok(level) = value.trim().parse()
        {
            value = words::level(app.welcome(), level);
        }
        let cursor = if is_focus && field.is_written() {
            "_"
        } else {
            ""
        };
        let mark = if is_focus { '>' } else { ' ' };
        let text = format!("{mark} {:<8} {value}{cursor}", field.name());
        let style = if is_focus {
            app.appearance().chosen()
        } else {
            Style::new()
        };
        lines.push(Line::styled(text, style));
    }
    lines.push(Line::default());
    lines.push(match &form.error {
        Some(error) => Line::styled(error.clone(), app.appearance().strong()),
        None => Line::raw(note(form.focus())),
    });
    lines
}

/// The values that a field accepts.
fn note(field: Field) -> &'static str {
    match field {
        Field::Rule => "who wins, and what is forbidden",
        Field::Size => "15, or 20x15; sides from 5 to 22",
        Field::Opening => "swap: the other player may choose",
        Field::Black | Field::White => "person or engine",
        Field::Level => "of the engine, from 0 to 100",
        Field::Time => "2s a move, 5m or 5m+3s a game",
    }
}

fn file_lines(name: &FileName) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw(format!("{}_", name.text))];
    if let Some(error) = &name.error {
        lines.push(Line::default());
        lines.push(Line::raw(error.clone()));
    }
    lines
}
