//! The panel with the state of the game, beside or below the board.

use super::app::App;
use super::appearance::Appearance;
use super::words;
use quincunx_board::{Color, Player, State};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The most threats that are listed.
const THREATS: usize = 6;

/// The lines of a panel of this size, the most important first. The moves of the game come last and
/// take the remaining room.
pub(super) fn lines(app: &App, width: u16, height: u16, is_wide: bool) -> Vec<Line<'static>> {
    let mut panel = Panel {
        width: usize::from(width).max(1),
        lines: Vec::new(),
    };
    let (state, appearance) = (app.state(), app.appearance());
    if is_wide {
        panel.write(app.welcome().program, Style::new());
        panel.write(&game(app), Style::new());
        panel.space();
        for player in players(app) {
            panel.write(&player, Style::new());
        }
        panel.space();
    }
    panel.write(&words::status(state), appearance.strong());
    if let Some(said) = app.notice() {
        panel.write(said, appearance.strong());
    }
    for (&choice, number) in app.choices().iter().zip(1..) {
        panel.write(
            &format!("{number}: {}", words::choice(choice)),
            appearance.strong(),
        );
    }
    if let Some(text) = words::opening_step(state) {
        panel.write(text, Style::new());
    }
    panel.write(&words::point(state, app.cursor()), Style::new());
    if !is_wide {
        panel.write(&players(app).join("  "), Style::new());
    }
    analysis(app, &mut panel);
    if app.display().threats {
        if state.threats.is_empty() {
            panel.write("no strong threats", Style::new());
        }
        for threat in state.threats.iter().take(THREATS) {
            panel.write(&words::threat(threat), Style::new());
        }
    }
    moves(app, &mut panel, usize::from(height));
    panel.lines
}

/// Lines of text no longer than the panel is wide.
struct Panel {
    width: usize,
    lines: Vec<Line<'static>>,
}

impl Panel {
    fn space(&mut self) {
        self.lines.push(Line::default());
    }

    fn write(&mut self, text: &str, style: Style) {
        let lines = wrapped(text, self.width).into_iter();
        (self.lines).extend(lines.map(|line| Line::styled(line, style)));
    }
}

/// Wraps a text to lines of at most `width` columns, between words if possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for mut word in text.split(' ') {
        while let Some(line) = lines.last_mut() {
            let used = columns(line);
            let space = usize::from(used > 0);
            if used + space + columns(word) <= width {
                line.extend(std::iter::repeat_n(' ', space));
                line.push_str(word);
                break;
            }
            if used == 0 {
                let (first, rest) = word.split_at(fitting(word, width));
                line.push_str(first);
                word = rest;
            }
            lines.push(String::new());
        }
    }
    lines
}

/// The columns that a text takes: a wide letter takes two.
fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// The length in bytes of the start of a text that fits into this many columns; at least one
/// character.
fn fitting(text: &str, width: usize) -> usize {
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let fits = |&(index, end): &(usize, usize)| index == 0 || columns(&text[..end]) <= width;
    let fitting = ends.enumerate().take_while(fits).last();
    fitting.map_or(0, |(_, end)| end)
}

/// Which game is played.
fn game(app: &App) -> String {
    let setup = &app.state().setup;
    let (width, height) = (app.size().width(), app.size().height());
    let mut text = format!("{}, {width}x{height}", setup.rule);
    if setup.opening != "free" {
        text += &format!(", {}", setup.opening);
    }
    text
}

/// The players, each with the stone's character and the remaining time.
fn players(app: &App) -> Vec<String> {
    let state = app.state();
    let seat_name = |player| words::player(app.welcome(), player, state.setup.level);
    let name = |index: usize, player| match &state.setup.names {
        Some(names) if !names[index].is_empty() => names[index].clone(),
        _ => seat_name(player),
    };
    let clock = |index: usize| match app.clock() {
        Some(left) => format!(" {}", words::clock(left[index])),
        None => String::new(),
    };
    let colors = [Color::Black, Color::White];
    match state.players {
        Some(players) => (colors.into_iter().zip(players).enumerate())
            .map(|(index, (color, player))| {
                let sign = app.appearance().stone(color, false);
                format!(
                    "{sign} {}: {}{}",
                    words::color(color),
                    name(index, player),
                    clock(index)
                )
            })
            .collect(),
        // In an opening the first player may get either colour.
        None => {
            let signs = colors
                .map(|color| signed(app.appearance(), color))
                .join(" ");
            let seats = [state.setup.black, state.setup.white];
            let seat =
                |(name_of, player): (&str, Player)| format!("{name_of}: {}", seat_name(player));
            let seats = ["first", "second"].into_iter().zip(seats).map(seat);
            seats.chain([signs]).collect()
        }
    }
}

fn signed(appearance: Appearance, color: Color) -> String {
    format!("{} {}", appearance.stone(color, false), words::color(color))
}

fn analysis(app: &App, panel: &mut Panel) {
    if let Some(chance) = app.chance() {
        panel.write(&words::evaluation(chance), Style::new());
    } else if app.state().analysis.is_some() || app.display().evaluation {
        panel.write("no evaluation yet", Style::new());
    }
    let Some(analysis) = app.analysis() else {
        return;
    };
    if analysis.node != app.state().node {
        panel.write("before the last move:", Style::new());
    }
    panel.write(&words::search(analysis), Style::new());
    for (line, rank) in analysis.lines.iter().zip(1..) {
        let mut text: Vec<char> = format!("{rank}: {}", words::line(line)).chars().collect();
        text.truncate(panel.width);
        panel.write(&String::from_iter(text), Style::new());
    }
}

/// The last moves of the game, as many as fit.
fn moves(app: &App, panel: &mut Panel, height: usize) {
    let room = height.saturating_sub(panel.lines.len() + 1);
    let moves = played(app.state());
    let in_line = (panel.width / 8).max(1);
    let skipped = moves.len().div_ceil(in_line).saturating_sub(room) * in_line;
    if room == 0 || moves.is_empty() {
        return;
    }
    panel.space();
    for line in moves[skipped..].chunks(in_line) {
        let line = line.join(" ");
        panel.lines.push(Line::raw(line.trim_end().to_owned()));
    }
}

/// The moves that lead to the position that is shown, passes too, with their numbers.
fn played(state: &State) -> Vec<String> {
    let mut at = state.node;
    let mut moves = Vec::new();
    // A node comes after the one before it.
    for node in state.tree.iter().rev().filter(|node| node.parent.is_some()) {
        if node.id == at {
            moves.push(format!("{:>3} {:<3}", node.number, node.point));
            at = node.parent.unwrap_or_default();
        }
    }
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("h8 is forbidden", 10), ["h8 is", "forbidden"]);
        assert_eq!(wrapped("abcdefgh ij", 5), ["abcde", "fgh", "ij"]);
        assert_eq!(wrapped("abcde", 5), ["abcde"]);
        assert_eq!(wrapped("", 5), [""]);
        assert_eq!(wrapped("× ● ·", 3), ["× ●", "·"]);
        // Wide letters were once counted as one column, and stood outside of the dialog.
        assert_eq!(wrapped("五子棋_", 5), ["五子", "棋_"]);
        assert_eq!(wrapped("五", 1)[0], "五");
    }
}
