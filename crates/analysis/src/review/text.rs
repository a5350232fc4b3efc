//! A review as text, and the review of a move in words.

use super::game_review::FORMULA;
use super::{GameReview, LossAllowed, MoveClass, MoveReview, WinMissed};
use crate::words::{move_name, per_cent, proof_line};
use quincunx_engine::rules::Color;
use quincunx_engine::score::Plies;
use std::fmt::Write;

/// A last escape after which not all is proved.
const OPEN: &str = "some later moves are neither proved to lose nor shown to hold";

impl GameReview {
    /// The review as lines of text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title());
        let _ = writeln!(text, "move              before   after  class         best");
        for played in &self.moves {
            let mut line = format!(
                "{:>3} {} {:<4}     {:>6}  {:>6}  {:<12}",
                played.number,
                played.color,
                move_name(played.point),
                per_cent(played.before),
                per_cent(played.after),
                played.class
            );
            if let Some(best) = played.best.filter(|&best| best != played.point) {
                let _ = write!(line, "  {best}");
            }
            let _ = writeln!(text, "{}", line.trim_end());
            for remark in played.remarks() {
                let _ = writeln!(text, "      {remark}");
            }
        }
        let _ = writeln!(text, "\n{}", self.summary().join("\n"));
        text
    }

    /// The rule, the board, the opening and the result.
    pub(super) fn title(&self) -> String {
        let (rule, size) = (self.rule, self.size);
        let opening = self
            .opening
            .as_ref()
            .map_or_else(String::new, |name| format!(", {name}"));
        match &self.result {
            Some(result) => format!("{rule}, board {size}{opening}: {result}"),
            None => format!("{rule}, board {size}{opening}: not finished"),
        }
    }

    /// Accuracies, counts of classes and the last escape.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for color in Color::ALL {
            let Some(accuracy) = self.summary.accuracy.get(color) else {
                continue;
            };
            let count = |class: MoveClass| {
                let own = self.moves.iter().filter(|played| played.color == color);
                own.filter(|played| played.class == class).count()
            };
            let counts: Vec<String> = (MoveClass::ALL.into_iter())
                .map(|class| (class, count(class)))
                .filter(|&(_, count)| count > 0)
                .map(|(class, count)| format!("{class} {count}"))
                .collect();
            lines.push(format!(
                "{color}: accuracy {accuracy:.1}; {}",
                counts.join(", ")
            ));
        }
        lines.extend(self.last_escape_in_words());
        lines.push(format!("accuracy: {FORMULA}"));
        lines
    }

    /// The last escape in a sentence.
    pub(super) fn last_escape_in_words(&self) -> Option<String> {
        let escape = self.summary.last_escape?;
        let played = self.moves.get(escape.number - 1)?;
        let estimated = escape
            .estimated
            .and_then(|number| self.moves.get(number - 1));
        let rest = match (escape.certain, estimated) {
            (true, _) => "every later move loses, by proof".to_owned(),
            (false, None) => OPEN.to_owned(),
            (false, Some(later)) => format!(
                "{OPEN}; by the engine's estimate the game was lost with move {}, {} {} ({} to {})",
                later.number,
                later.color,
                move_name(later.point),
                per_cent(later.before),
                per_cent(later.after)
            ),
        };
        Some(format!(
            "last escape: move {}, {} {}: after {} there is no forced win; {rest}",
            played.number,
            played.color,
            move_name(played.point),
            escape.instead
        ))
    }
}

impl MoveReview {
    /// The proofs about the move, as one sentence each.
    pub(super) fn remarks(&self) -> Vec<String> {
        let opponent = self.color.opponent();
        let mut remarks = Vec::new();
        if let Some(kind) = self.forbidden {
            remarks.push(format!("{} is forbidden: {kind}", self.point));
        }
        if let Some(WinMissed { proof, reply }) = &self.win_missed {
            let refutation = match reply {
                Some(reply) => format!("; gone after {reply}"),
                None if self.forbidden.is_some() => String::new(),
                None => "; neither search nor solver finds it again".to_owned(),
            };
            remarks.push(format!(
                "{} had a win in {}: {}{refutation}",
                self.color,
                Plies(proof.plies),
                proof_line(&proof.line)
            ));
        }
        if let Some(LossAllowed { proof, instead }) = &self.loss_allowed {
            remarks.push(format!(
                "{opponent} wins in {}: {}; not after {instead}",
                Plies(proof.plies),
                proof_line(&proof.line)
            ));
        }
        remarks
    }
}
