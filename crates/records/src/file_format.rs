//! The formats of files, and how they are recognised.

use super::drawing;
use super::lines::is_blank;
use super::pgn;
use super::psq;
use super::rif;
use super::sgf;
use super::yixin;
use std::fmt;

/// The bytes of a file that show whether it begins like a record.
const START: usize = 200;

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// The game records that most programs read.
    Sgf,
    /// The files of piskvork.
    Psq,
    /// The files of piskvork's predecessor.
    Rec,
    /// The positions of Yixin.
    Sav,
    /// The positions of older Renju programs.
    Pos,
    /// The libraries of RenLib.
    RenLib,
    /// The XML of RenjuNet's database.
    Rif,
    /// Games with tags in front, such as those of PlayOK.
    Pgn,
    /// Lines `SIZE RULE MOVES`, or moves.
    Text,
    /// Boards that are drawn with characters, as this program prints them.
    Drawing,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 10] = [
        FileFormat::Sgf,
        FileFormat::Psq,
        FileFormat::Rec,
        FileFormat::Sav,
        FileFormat::Pos,
        FileFormat::RenLib,
        FileFormat::Rif,
        FileFormat::Pgn,
        FileFormat::Text,
        FileFormat::Drawing,
    ];

    /// The end of the names of such files.
    pub const fn extension(self) -> &'static str {
        match self {
            FileFormat::Sgf => "sgf",
            FileFormat::Psq => "psq",
            FileFormat::Rec => "rec",
            FileFormat::Sav => "sav",
            FileFormat::Pos => "pos",
            FileFormat::RenLib => "lib",
            FileFormat::Rif => "rif",
            FileFormat::Pgn => "pgn",
            FileFormat::Text | FileFormat::Drawing => "txt",
        }
    }

    /// The format of a file by its extension, in any case.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        let (_, extension) = name.rsplit_once('.')?;
        let is = |format: &FileFormat| extension.eq_ignore_ascii_case(format.extension());
        FileFormat::ALL.into_iter().find(is)
    }
}

/// The name by which people know the format.
impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileFormat::Sgf => "SGF",
            FileFormat::Psq => "PSQ",
            FileFormat::Rec => "REC",
            FileFormat::Sav => "SAV",
            FileFormat::Pos => "POS",
            FileFormat::RenLib => "RenLib",
            FileFormat::Rif => "RenjuNet's XML",
            FileFormat::Pgn => "PGN",
            FileFormat::Text => "text",
            FileFormat::Drawing => "a drawing",
        })
    }
}

/// Returns whether a tree of SGF begins somewhere in a text.
pub(crate) fn has_tree(text: &str) -> bool {
    let mut opened = text.match_indices('(');
    opened.any(|(at, _)| sgf::opens_a_tree(text, at))
}

/// Returns whether a file begins like SGF or PSQ, whatever its name is.
pub(crate) fn begins_like_a_record(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(START)]);
    let start = start.trim_start_matches(is_blank);
    psq::is_psq(start) || begins_with_a_tree(start)
}

fn begins_with_a_tree(text: &str) -> bool {
    text.starts_with('(') && sgf::opens_a_tree(text, 0)
}

/// The format of a text, by its content first.
pub(crate) fn format_of(text: &str, named: Option<FileFormat>) -> Option<FileFormat> {
    let inside = text.trim_matches(is_blank);
    Some(if psq::is_psq(inside) {
        FileFormat::Psq
    } else if begins_with_a_tree(inside) {
        FileFormat::Sgf
    } else if named == Some(FileFormat::Rif) || rif::is_rif(inside) {
        FileFormat::Rif
    } else if pgn::is_pgn(inside) {
        FileFormat::Pgn
    } else if named == Some(FileFormat::Rec) {
        FileFormat::Rec
    } else if named == Some(FileFormat::Sav) || yixin::is_sav(inside) {
        FileFormat::Sav
    } else if named == Some(FileFormat::Sgf) || has_tree(inside) {
        FileFormat::Sgf
    } else if named == Some(FileFormat::Psq) {
        FileFormat::Psq
    } else if inside.is_empty() {
        return None;
    } else if drawing::is_drawing(text) {
        FileFormat::Drawing
    } else {
        FileFormat::Text
    })
}
