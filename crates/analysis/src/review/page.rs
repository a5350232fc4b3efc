//! A review as a page: one HTML file with the board, the curve of the chances and every
//! mistake to click on.
//!
//! Everything that the page can show is drawn here. Its script only hides what does not belong
//! to the selected move.

use super::{GameReview, MoveClass, MoveReview};
use crate::diagram::{Diagram, Mark, Stone};
use crate::words::{move_name, per_cent};
use quincunx_drawing::escape;
use quincunx_engine::rules::{BoardSize, Color, Point};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");

/// The curve's width and height, and its distance from the edges.
const CURVE: (f64, f64) = (600.0, 120.0);
const EDGE: f64 = 8.0;

impl GameReview {
    /// The review as a self-contained page.
    pub fn page(&self) -> String {
        let summary: String = (self.summary().iter())
            .map(|line| format!("<li>{}</li>", escape(line)))
            .collect();
        let names = [&self.black, &self.white];
        let title = match names.iter().all(|name| name.is_empty()) {
            true => "Review".to_owned(),
            false => names.map(String::as_str).join(" - "),
        };
        TEMPLATE
            .replace("{{about}}", &escape(&self.title()))
            .replace("{{summary}}", &summary)
            .replace("{{board}}", &self.board())
            .replace("{{curve}}", &self.curve())
            .replace("{{rows}}", &self.rows())
            .replace("{{moves}}", &self.moves.len().to_string())
            // Last: what people wrote is not searched for places to fill.
            .replace("{{title}}", &escape(&title))
    }

    /// The board with all stones, marks and lines, each in a group of its own.
    fn board(&self) -> String {
        let size = self.size;
        let start = Diagram {
            stones: (self.setup.stones())
                .map(|(color, point)| Stone {
                    color,
                    point,
                    number: None,
                })
                .collect(),
            ..Diagram::new(size)
        };
        let mut content = start.content();
        for played in &self.moves {
            let _ = write!(
                content,
                "<g class=\"stone\" data-ply=\"{}\">{}</g>",
                played.number,
                moves(size, &[played.point], played.color, played.number).content()
            );
        }
        for played in &self.moves {
            let last = Some(played.point).filter(|&point| point != Point::NONE);
            let better = played.best.filter(|&best| best != played.point);
            let now = Diagram {
                last,
                marks: better.map(|best| (Mark::Ring, best)).into_iter().collect(),
                ..Diagram::new(size)
            };
            let _ = write!(
                content,
                "<g class=\"now\" data-ply=\"{}\">{}</g>",
                played.number,
                now.content()
            );
            for line in lines(played) {
                let _ = write!(
                    content,
                    "<g class=\"line\" data-line=\"{}\">{}</g>",
                    line.name,
                    moves(size, &line.points, line.first, line.after + 1).content()
                );
            }
        }
        Diagram::new(size).board(&content)
    }

    /// Black's chance to win after every move, with a dot for every mistake.
    fn curve(&self) -> String {
        let (width, height) = CURVE;
        let x = |number: usize| {
            EDGE + number as f64 / self.moves.len().max(1) as f64 * (width - 2.0 * EDGE)
        };
        let y = |chance: f64| height - EDGE - chance * (height - 2.0 * EDGE);
        let first = self.moves.first().map(|played| played.black_chances()[0]);
        let mut path = format!("M{:.1} {:.1}", x(0), y(first.unwrap_or(0.5)));
        let mut dots = String::new();
        for played in &self.moves {
            let (x, y) = (x(played.number), y(played.black_chances()[1]));
            let _ = write!(path, "L{x:.1} {y:.1}");
            if played.class.is_mistake() {
                let _ = write!(
                    dots,
                    "<circle class=\"dot {}\" data-go=\"{}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" \
                     tabindex=\"0\" role=\"button\" aria-label=\"move {}: {}\"/>",
                    style(played.class),
                    played.number,
                    played.number,
                    played.class
                );
            }
        }
        format!(
            "<svg id=\"curve\" viewBox=\"0 0 {width} {height}\" role=\"group\" \
             aria-label=\"black's win chance\"><path class=\"even\" d=\"M{EDGE} {:.1}H{:.1}\"/>\
             <path class=\"chance\" d=\"{path}\"/><path id=\"here\" d=\"M0 0V{height}\"/>{dots}</svg>",
            y(0.5),
            width - EDGE,
        )
    }

    /// The list of moves.
    fn rows(&self) -> String {
        let mut rows = String::new();
        for played in &self.moves {
            let better = played.best.filter(|&best| best != played.point);
            let _ = write!(
                rows,
                "<tr class=\"{}\" data-go=\"{}\" tabindex=\"0\"><td>{}</td><td>{} {}</td>\
                 <td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                style(played.class),
                played.number,
                played.number,
                played.color,
                move_name(played.point),
                per_cent(played.before),
                per_cent(played.after),
                played.class,
                better.map(move_name).unwrap_or_default()
            );
            let buttons: String = (lines(played).iter())
                .map(|line| {
                    format!(
                        " <button data-go=\"{}\" data-show=\"{}\">{}</button>",
                        line.after, line.name, line.label
                    )
                })
                .collect();
            for remark in played.remarks() {
                let remark = escape(&remark);
                let _ = write!(
                    rows,
                    "<tr class=\"remark\"><td></td><td colspan=\"5\">{remark}</td></tr>"
                );
            }
            if !buttons.is_empty() {
                let _ = write!(
                    rows,
                    "<tr class=\"remark\"><td></td><td colspan=\"5\">{buttons}</td></tr>"
                );
            }
        }
        rows
    }
}

/// A line that can be shown on the board.
struct ShownLine {
    name: String,
    label: &'static str,
    /// The number of moves of the game before the line.
    after: usize,
    first: Color,
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
