//! Features of a game that a file format cannot hold.

use super::file_format::FileFormat;
use super::psq;
use super::record::GameRecord;
use super::record_tree::{RecordNode, RecordTree};
use quincunx_engine::rules::{BoardSize, Rule};
use std::fmt;
use std::iter::successors;

/// A feature of a game that a file format cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedFeature {
    /// Moves behind the position that the file leads to.
    LaterMoves,
    /// Moves that branch off before that position.
    Variations,
    /// Comments.
    Comments,
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

impl UnsupportedFeature {
    const ALL: [UnsupportedFeature; 11] = [
        UnsupportedFeature::LaterMoves,
        UnsupportedFeature::Variations,
        UnsupportedFeature::Comments,
        UnsupportedFeature::Labels,
        UnsupportedFeature::Marks,
        UnsupportedFeature::Properties,
        UnsupportedFeature::SetUp,
        UnsupportedFeature::Names,
        UnsupportedFeature::Board,
        UnsupportedFeature::Rule,
        UnsupportedFeature::Result,
    ];

    /// Returns true if the format can hold this feature.
    const fn is_kept_in(self, format: FileFormat) -> bool {
        match format {
            FileFormat::Sgf => true,
            FileFormat::RenLib => matches!(
                self,
                UnsupportedFeature::LaterMoves
                    | UnsupportedFeature::Variations
                    | UnsupportedFeature::Comments
                    | UnsupportedFeature::Labels
            ),
            FileFormat::Psq => {
                matches!(self, UnsupportedFeature::Names | UnsupportedFeature::Board)
            }
            FileFormat::Text => {
                matches!(self, UnsupportedFeature::Board | UnsupportedFeature::Rule)
            }
            FileFormat::Rec => matches!(self, UnsupportedFeature::Names),
            FileFormat::Rif | FileFormat::Pgn => {
                matches!(
                    self,
                    UnsupportedFeature::Names
                        | UnsupportedFeature::Rule
                        | UnsupportedFeature::Result
                )
            }
            FileFormat::Drawing => {
                matches!(self, UnsupportedFeature::Board | UnsupportedFeature::SetUp)
            }
            FileFormat::Sav => matches!(self, UnsupportedFeature::Board),
            FileFormat::Pos => false,
        }
    }

    /// The feature that an SGF property belongs to.
    fn of_property(name: &str) -> UnsupportedFeature {
        match name {
            "LB" | "TR" | "SQ" | "CR" | "MA" => UnsupportedFeature::Labels,
            "TE" | "IT" | "DO" | "BM" => UnsupportedFeature::Marks,
            _ => UnsupportedFeature::Properties,
        }
    }
}

/// Writes a few words that can follow "without".
impl fmt::Display for UnsupportedFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnsupportedFeature::LaterMoves => "later moves",
            UnsupportedFeature::Variations => "variations",
            UnsupportedFeature::Comments => "remarks",
            UnsupportedFeature::Labels => "labels",
            UnsupportedFeature::Marks => "marks of moves",
            UnsupportedFeature::Properties => "other properties of SGF",
            UnsupportedFeature::SetUp => "the set-up",
            UnsupportedFeature::Names => "names",
            UnsupportedFeature::Board => "the board",
            UnsupportedFeature::Rule => "the rule",
            UnsupportedFeature::Result => "the result",
        })
    }
}

impl RecordTree {
    /// The features of the game that the format cannot hold. In a format without variations the
    /// file has the moves up to the node `end`.
    pub fn unsupported_features(&self, format: FileFormat, end: usize) -> Vec<UnsupportedFeature> {
        let record = &self.record;
        let before = successors(Some(end), |&node| self.nodes.get(node)?.parent()).skip(1);
        let (before, from) = (before.count(), self.count_from(end));
        let is_lost = |loss: &UnsupportedFeature| match loss {
            UnsupportedFeature::LaterMoves => from > 1,
            UnsupportedFeature::Variations => self.nodes.len() > before + from,
            UnsupportedFeature::Comments => {
                !record.comment.is_empty() || self.nodes.iter().any(|it| !it.comment().is_empty())
            }
            UnsupportedFeature::Labels
            | UnsupportedFeature::Marks
            | UnsupportedFeature::Properties => {
                let mut properties = self.nodes.iter().flat_map(RecordNode::properties);
                properties.any(|property| UnsupportedFeature::of_property(&property.name) == *loss)
            }
            UnsupportedFeature::SetUp => !record.setup.is_empty(),
            UnsupportedFeature::Names => !record.black.is_empty() || !record.white.is_empty(),
            UnsupportedFeature::Board => record.size != BoardSize::default(),
            UnsupportedFeature::Rule => record.rule.is_some_and(|rule| rule != Rule::default()),
            UnsupportedFeature::Result => {
                let is_named = format == FileFormat::Psq
                    && self.main_line().last() == Some(&end)
                    && psq::names_result(record);
                !is_named && !is_decided(record)
            }
        };
        let losses = UnsupportedFeature::ALL.into_iter();
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

/// Returns true if the moves alone decide the result, or there is none.
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
    use crate::{ReadDefaults, Source, open};

    fn lost(text: &str, format: FileFormat, end: usize) -> String {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
        let game = open(source, expected).unwrap().game(1).unwrap();
        let lost = game.unsupported_features(format, end).into_iter();
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
