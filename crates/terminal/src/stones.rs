//! The board as it is drawn: stones, marks and coordinates.

use super::app::App;
use super::layout::Layout;
use quincunx_board::State;
use quincunx_engine::rules::Point;
use ratatui::buffer::Buffer;
use ratatui::style::Style;

/// Draws the board, with brackets around the cursor and parentheses around the last move.
pub(super) fn draw(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let (state, appearance) = (app.state(), app.appearance());
    buffer.set_style(layout.grid(), appearance.board());
    draw_coordinates(app, layout, buffer);
    let is_star = |point: Point| state.stars.contains(&point.to_string());
    for point in app.size().iter() {
        let (column, row) = layout.place(point);
        if let Some(cell) = buffer.cell_mut((column, row)) {
            cell.set_char(appearance.empty(is_star(point)));
        }
    }
    draw_marks(app, layout, buffer);
    for stone in &state.stones {
        let (column, row) = layout.place(stone.point);
        let is_winning = state.winning.contains(&stone.point.to_string());
        let sign = appearance.stone(stone.color, is_winning);
        let number = (stone.number).filter(|_| layout.has_numbers());
        let number = number.map_or_else(String::new, |number| number.to_string());
        let style = appearance.on_board(stone.color);
        buffer.set_string(column, row, format!("{sign}{number}"), style);
    }
    if let Some(last) = last_move(state) {
        surround(buffer, layout, last, ['(', ')'], appearance.mark());
    }
    surround(buffer, layout, app.cursor(), ['[', ']'], appearance.mark());
}

fn draw_coordinates(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let (size, board) = (app.size(), layout.board);
    for y in 0..size.height() {
        let label = format!("{:>2}", size.height() - y);
        buffer.set_string(board.x, board.y + y as u16, label, Style::new());
    }
    for x in 0..size.width() {
        let Some(point) = size.point(x, 0) else {
            continue;
        };
        let (column, row) = layout.place(point);
        let letter = (b'a' + x as u8) as char;
        buffer.set_string(column, row + 1, letter.to_string(), Style::new());
    }
}

/// Draws the marks on empty points: forbidden points, the best moves by rank, and the hint.
fn draw_marks(app: &App, layout: &Layout, buffer: &mut Buffer) {
    let (state, appearance) = (app.state(), app.appearance());
    let mut put = |point: &str, sign: String, style: Style| {
        if let Ok(point) = point.parse::<Point>()
            && app.size().has(point)
        {
            let (column, row) = layout.place(point);
            buffer.set_string(column, row, sign, style);
        }
    };
    for view in &state.forbidden {
        put(
            &view.point.to_string(),
            appearance.forbidden().to_string(),
            appearance.warning(),
        );
    }
    let analysis = app
        .analysis()
        .filter(|analysis| analysis.node == state.node);
    let lines = analysis.map_or(&[][..], |analysis| &analysis.lines);
    for (line, rank) in lines.iter().zip(1..) {
        if let Some(point) = line.points.first() {
            put(point, format!("{rank}"), appearance.strong());
        }
    }
    if let Some(hint) = app.hint() {
        put(&hint.to_string(), "*".to_owned(), appearance.strong());
    }
}

/// The last move, unless it is a pass.
fn last_move(state: &State) -> Option<Point> {
    let last = state.stones.iter().max_by_key(|stone| stone.number)?;
    last.number?;
    Some(last.point).filter(|point| *point != Point::NONE)
}

/// Puts signs left and right of a point.
fn surround(buffer: &mut Buffer, layout: &Layout, point: Point, signs: [char; 2], style: Style) {
    let (column, row) = layout.place(point);
    for (sign, at) in signs
        .into_iter()
        .zip([column - 1, column - 1 + layout.step])
    {
        if let Some(cell) = buffer.cell_mut((at, row)) {
            cell.set_char(sign).set_style(style);
        }
    }
}
