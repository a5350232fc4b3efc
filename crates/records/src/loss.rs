//! What a game loses in a file of a format that has no room for all of it.

use super::file_format::FileFormat;
use super::psq;
use super::record::GameRecord;
use super::record_tree::{RecordNode, RecordTree};
use quincunx_engine::rules::{BoardSize, Rule};
use std::fmt;
use std::iter::successors;

/// A part of a game that a file has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Moves behind the position that the file leads to.
    LaterMoves,
    /// Moves that branch off before that position.
    Variations,
    /// Remarks.
    Remarks,
    /// Labels and signs on points.
    Labels,
    /// Marks of good and bad moves.
    Marks,
    /// Other properties of SGF.
    Properties,
    /// The difference between stones that were set up and moves.
    SetUp,
    /// The names of the players.
    Names,
    /// A board that is not the usual one.
    Board,
    /// A rule that is not the usual one.
    Rule,
    /// A result that the moves alone do not decide.
    Result,
}

impl Loss {
    const ALL: [Loss; 11] = [
        Loss::LaterMoves,
        Loss::Variations,
        Loss::Remarks,
        Loss::Labels,
        Loss::Marks,
        Loss::Properties,
        Loss::SetUp,
        Loss::Names,
        Loss::Board,
        Loss::Rule,
        Loss::Result,
    ];

    /// Whether files of this format have room for it.
    const fn is_kept_in(self, format: FileFormat) -> bool {
        match format {
            FileFormat::Sgf => true,
            FileFormat::RenLib => matches!(
                self,
                Loss::LaterMoves | Loss::Variations | Loss::Remarks | Loss::Labels
            ),
            FileFormat::Psq => matches!(self, Loss::Names | Loss::Board),
            FileFormat::Text => matches!(self, Loss::Board | Loss::Rule),
            FileFormat::Rec => matches!(self, Loss::Names),
            FileFormat::Rif | FileFormat::Pgn => {
                matches!(self, Loss::Names | Loss::Rule | Loss::Result)
            }
            FileFormat::Drawing => matches!(self, Loss::Board | Loss::SetUp),
            FileFormat::Sav => matches!(self, Loss::Board),
            FileFormat::Pos => false,
        }
    }

    /// What is lost with a property of SGF.
    fn of_property(name: &str) -> Loss {
        match name {
            "LB" | "TR" | "SQ" | "CR" | "MA" => Loss::Labels,
            "TE" | "IT" | "DO" | "BM" => Loss::Marks,
            _ => Loss::Properties,
        }
    }
}

/// In a few words, as they stand behind `without`.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loss::LaterMoves => "later moves",
            Loss::Variations => "variations",
            Loss::Remarks => "remarks",
            Loss::Labels => "labels",
            Loss::Marks => "marks of moves",
            Loss::Properties => "other properties of SGF",
            Loss::SetUp => "the set-up",
            Loss::Names => "names",
            Loss::Board => "the board",
            Loss::Rule => "the rule",
            Loss::Result => "the result",
        })
    }
}

impl RecordTree {
    /// What a file of this format does not say of the game. In a format without variations the
    /// file has the moves up to the node `end`.
    pub fn lost_in(&self, format: FileFormat, end: usize) -> Vec<Loss> {
        let record = &self.record;
        let before = successors(Some(end), |&node| self.nodes.get(node)?.parent()).skip(1);
        let (before, from) = (before.count(), self.count_from(end));
        let is_lost = |loss: &Loss| match loss {
            Loss::LaterMoves => from > 1,
            Loss::Variations => self.nodes.len() > before + from,
            Loss::Remarks => {
                !record.comment.is_empty() || self.nodes.iter().any(|it| !it.comment().is_empty())
            }
            Loss::Labels | Loss::Marks | Loss::Properties => {
                let mut properties = self.nodes.iter().flat_map(RecordNode::properties);
                properties.any(|property| Loss::of_property(&property.name) == *loss)
            }
            Loss::SetUp => !record.setup.is_empty(),
            Loss::Names => !record.black.is_empty() || !record.white.is_empty(),
            Loss::Board => record.size != BoardSize::default(),
            Loss::Rule => record.rule.is_some_and(|rule| rule != Rule::default()),
            Loss::Result => {
                let is_named = format == FileFormat::Psq
                    && self.main_line().last() == Some(&end)
                    && psq::names_result(record);
                !is_named && !is_decided(record)
            }
        };
        let losses = Loss::ALL.into_iter();
        losses
            .filter(|loss| !loss.is_kept_in(format))
            .filter(is_lost)
            .collect()
    }

    /// The number of nodes from this one on.
    fn count_from(&self, node: usize) -> usize {
        let mut are_behind: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for (number, it) in self.nodes.iter().enumerate() {
            let is_behind = it.parent().is_some_and(|parent| are_behind[parent]);
            are_behind.push(number == node || is_behind);
        }
        are_behind.into_iter().filter(|&it| it).count()
    }
}

/// Whether there is no result but the one that the moves decide.
fn is_decided(record: &GameRecord) -> bool {
    let moves = GameRecord {
        result: None,
        ..record.clone()
    };
    let replayed = moves.replay(Rule::default());
    record.result.is_none() || replayed.is_ok_and(|game| game.result() == record.result)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Expected, Source, open};

    fn lost(text: &str, format: FileFormat, end: usize) -> String {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        let expected = Expected::new(Rule::Freestyle, BoardSize::default());
        let game = open(source, expected).unwrap().game(1).unwrap();
        let lost = game.lost_in(format, end).into_iter();
        lost.map(|loss| loss.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn a_format_loses_what_it_has_no_room_for() {
        // Black resigns; the nodes are g7, h7, h6, i5 and i7.
        let full = "(;GM[4]SZ[13]RU[renju]PB[Ann]RE[W+R]EV[cup]AB[aa]AW[bb]PL[B]LB[cc:x]\
                    ;B[gg]C[!]BM[1];W[hg](;B[hh];W[ii])(;B[ig]TR[aa]))";
        for (format, end, expected) in [
            (FileFormat::Sgf, 3, ""),
            (
                FileFormat::RenLib,
                4,
                "marks of moves, other properties of SGF, the set-up, names, the board, the rule, \
                 the result",
            ),
            (
                FileFormat::Psq,
                3,
                "later moves, variations, remarks, labels, marks of moves, other properties of \
                 SGF, the set-up, the rule, the result",
            ),
            (
                FileFormat::Psq,
                4,
                "variations, remarks, labels, marks of moves, other properties of SGF, the set-up, \
                 the rule",
            ),
            (
                FileFormat::Text,
                5,
                "variations, remarks, labels, marks of moves, other properties of SGF, the set-up, \
                 names, the result",
            ),
        ] {
            assert_eq!(lost(full, format, end), expected, "{format} {end}");
        }
    }

    #[test]
    fn moves_alone_survive_every_format() {
        let line = "(;GM[4]SZ[15]RU[freestyle];B[hh];W[ig])";
        let won = "(;GM[4]SZ[15]RU[freestyle];B[ha];W[aa];B[hb];W[ab];B[hc];W[ac];B[hd];W[ad];\
                   B[he])";
        for (text, end) in [(line, 2), (won, 9)] {
            for format in FileFormat::ALL {
                assert_eq!(lost(text, format, end), "", "{format}");
            }
        }
        let labelled = "(;GM[4]SZ[15]RU[freestyle];B[hh]LB[aa:x])";
        assert_eq!(lost(labelled, FileFormat::Psq, 1), "labels");
        assert_eq!(lost(labelled, FileFormat::RenLib, 1), "");
        // In PSQ only the side to move can have resigned.
        let resigned = "(;GM[4]SZ[15]RU[freestyle]RE[W+R];B[hh])";
        assert_eq!(lost(resigned, FileFormat::Psq, 1), "the result");
    }
}
