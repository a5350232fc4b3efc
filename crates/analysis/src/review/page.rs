//! A review as a page: one HTML file with the board, the curve of the chances and every
//! mistake to click on.
//!
//! Everything that the page can show is drawn here. Its script only hides what does not belong
//! to the selected move.

use super::{GameReview, MoveClass, MoveReview};
use crate::diagram::{Diagram, Mark, Stone};
use crate::words::{move_name, per_cent};
use quincunx_drawing::{Area, Axes, Shape, page};
use quincunx_engine::rules::{BoardSize, Color, Point};
use serde::Serialize;

const TEMPLATE: &str = include_str!("page.html");

/// The curve's width and height, and its distance from the edges.
const CURVE: (f64, f64) = (600.0, 120.0);
const EDGE: f64 = 8.0;

/// The values of the template.
#[derive(Serialize)]
struct Page<'a> {
    title: String,
    about: String,
    summary: Vec<String>,
    board: String,
    width: f64,
    height: f64,
    even: String,
    chances: String,
    moves: Vec<PageMove<'a>>,
}

/// A move in the list and on the curve.
#[derive(Serialize)]
struct PageMove<'a> {
    number: usize,
    color: Color,
    name: String,
    before: String,
    after: String,
    class: String,
    style: &'static str,
    better: String,
    remarks: Vec<String>,
    lines: &'a [ShownLine],
    is_mistake: bool,
    x: String,
    y: String,
}

impl GameReview {
    /// The review as a self-contained page.
    pub fn page(&self) -> String {
        let names = [&self.black, &self.white];
        let title = match names.iter().all(|name| name.is_empty()) {
            true => "Review".to_owned(),
            false => names.map(String::as_str).join(" - "),
        };
        let lines: Vec<Vec<ShownLine>> = self.moves.iter().map(lines).collect();
        let (width, height) = CURVE;
        let axes = Axes {
            frame: Area {
                left: EDGE,
                top: EDGE,
                right: width - EDGE,
                bottom: height - EDGE,
            },
            x: [0.0, self.moves.len().max(1) as f64],
            y: [0.0, 1.0],
        };
        let first = self.moves.first().map(|played| played.black_chances()[0]);
        let start = (0.0, first.unwrap_or(0.5));
        let chances = [start].into_iter().chain(self.moves.iter().map(chance));
        let values = Page {
            title,
            about: self.title(),
            summary: self.summary(),
            board: self.board(&lines),
            width,
            height,
            even: axes.path(axes.x.map(|x| (x, 0.5))),
            chances: axes.path(chances),
            moves: (self.moves.iter().zip(&lines))
                .map(|(played, lines)| PageMove::of(played, lines, &axes))
                .collect(),
        };
        page(TEMPLATE, values)
    }

    /// The board with all stones, marks and lines, each in its own group.
    fn board(&self, lines: &[Vec<ShownLine>]) -> String {
        let size = self.size;
        let board = Diagram::new(size);
        let (black, white) = (self.setup.black.iter(), self.setup.white.iter());
        let black = black.map(|&point| (Color::Black, point));
        let white = white.map(|&point| (Color::White, point));
        let stones = black.chain(white).map(|(color, point)| Stone {
            color,
            point,
            number: None,
        });
        let start = Diagram {
            stones: stones.collect(),
            ..board.clone()
        };
        let mut shapes = start.shapes();
        shapes.extend(self.moves.iter().map(|played| {
            let stone = moves(size, &[played.point], played.color, played.number);
            Shape::group(("ply", played.number.to_string()), stone.shapes()).class("stone")
        }));
        for (played, lines) in self.moves.iter().zip(lines) {
            let last = Some(played.point).filter(|&point| point != Point::NONE);
            let better = played.best.filter(|&best| best != played.point);
            let now = Diagram {
                last,
                marks: better.map(|best| (Mark::Ring, best)).into_iter().collect(),
                ..board.clone()
            };
            let ply = ("ply", played.number.to_string());
            shapes.push(Shape::group(ply, now.shapes()).class("now"));
            shapes.extend(lines.iter().map(|line| {
                let stones = moves(size, &line.points, line.first, line.after + 1);
                Shape::group(("line", line.name.clone()), stones.shapes()).class("line")
            }));
        }
        board.svg_with(shapes)
    }
}

/// Black's chance after a move, as a point of the curve.
fn chance(played: &MoveReview) -> (f64, f64) {
    (played.number as f64, played.black_chances()[1])
}

impl PageMove<'_> {
    fn of<'a>(played: &MoveReview, lines: &'a [ShownLine], axes: &Axes) -> PageMove<'a> {
        let better = played.best.filter(|&best| best != played.point);
        let (x, y) = axes.place(chance(played));
        PageMove {
            number: played.number,
            color: played.color,
            name: move_name(played.point),
            before: per_cent(played.before),
            after: per_cent(played.after),
            class: played.class.to_string(),
            style: style(played.class),
            better: better.map(move_name).unwrap_or_default(),
            remarks: played.remarks(),
            lines,
            is_mistake: played.class.is_mistake(),
            x: format!("{x:.1}"),
            y: format!("{y:.1}"),
        }
    }
}

/// A line that can be shown on the board.
#[derive(Serialize)]
struct ShownLine {
    name: String,
    label: &'static str,
    /// The number of moves of the game before the line.
    after: usize,
    first: Color,
    #[serde(skip)]
    points: Vec<Point>,
}

/// The proofs of a move, and the engine's better line.
fn lines(played: &MoveReview) -> Vec<ShownLine> {
    let number = played.number;
    let mut lines = Vec::new();
    if let Some(missed) = &played.win_missed {
        lines.push(ShownLine {
            name: format!("{number}-win"),
            label: "Show the win",
            after: number - 1,
            first: played.color,
            points: missed.proof.line.clone(),
        });
    }
    if let Some(allowed) = &played.loss_allowed {
        lines.push(ShownLine {
            name: format!("{number}-loss"),
            label: "Show the loss",
            after: number,
            first: played.color.opponent(),
            points: allowed.proof.line.clone(),
        });
    }
    let worse = matches!(played.class, MoveClass::Inaccuracy | MoveClass::Mistake);
    if worse && !played.line.is_empty() {
        lines.push(ShownLine {
            name: format!("{number}-better"),
            label: "Show what was better",
            after: number - 1,
            first: played.color,
            points: played.line.clone(),
        });
    }
    lines
}

/// Moves of both colours in turn, numbered. A pass has no stone.
fn moves(size: BoardSize, points: &[Point], first: Color, number: usize) -> Diagram {
    let mut color = first;
    let mut stones = Vec::new();
    for (&point, number) in points.iter().zip(number..) {
        if point != Point::NONE {
            stones.push(Stone {
                color,
                point,
                number: Some(number),
            });
        }
        color = color.opponent();
    }
    Diagram {
        stones,
        ..Diagram::new(size)
    }
}

/// The CSS class of a class of moves.
fn style(class: MoveClass) -> &'static str {
    match class {
        MoveClass::Best => "best",
        MoveClass::Good => "good",
        MoveClass::Inaccuracy => "inaccuracy",
        MoveClass::Mistake => "mistake",
        MoveClass::WinMissed => "win-missed",
        MoveClass::LossAllowed => "loss-allowed",
    }
}
