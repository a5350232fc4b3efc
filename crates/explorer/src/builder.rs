//! Making the file.

use crate::entry::{Entry, GameOutcome, Tally};
use crate::format::{self, BoardGames, MOST_BOARDS, PER_PAGE, Tail};
use crate::sorter::Sorter;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The entries that are sorted in memory: 32 MiB.
const IN_MEMORY: usize = 1 << 20;

/// The limits of an explorer file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    /// The number of moves of a game that count, from the first on.
    pub plies: usize,
    /// The fewest games in which a move must have been played.
    pub games: u64,
}

/// All moves.
impl Default for BuildLimits {
    fn default() -> BuildLimits {
        BuildLimits {
            plies: usize::MAX,
            games: 1,
        }
    }
}

/// The contents of a finished file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The number of games.
    pub games: u64,
    /// The number of positions from which a move was played.
    pub positions: u64,
    /// The number of moves from positions.
    pub moves: u64,
}

/// An error that prevents a file from being made.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file can't be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The header has no room for another board.
    #[error("games of more than {MOST_BOARDS} rules and boards")]
    TooManyBoards,
}

/// Makes a file of games. What does not fit in memory is kept on the disk, in the folder of
/// the file, until the process ends. The file appears when it is complete.
pub struct Builder {
    path: PathBuf,
    limits: BuildLimits,
    boards: Vec<BoardGames>,
    sorter: Sorter,
}

impl Builder {
    /// Begins the file at `path`, which is not touched yet.
    ///
    /// # Errors
    /// Returns an error if nothing can be written in its folder.
    pub fn new(path: &Path, limits: BuildLimits) -> Result<Builder, BuildError> {
        Builder::with_capacity(path, limits, IN_MEMORY)
    }

    /// Creates a builder that sorts this many entries in memory.
    fn with_capacity(
        path: &Path,
        limits: BuildLimits,
        capacity: usize,
    ) -> Result<Builder, BuildError> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let sorter = Sorter::new(folder.unwrap_or(Path::new(".")), capacity)?;
        Ok(Builder {
            path: path.to_owned(),
            limits,
            boards: Vec::new(),
            sorter,
        })
    }

    /// The number of games so far.
    pub fn games(&self) -> u64 {
        self.boards.iter().map(|board| board.games).sum()
    }

    /// Adds a game: the position at its end, the number of set-up stones in it, and how it
    /// ended. Passes do not count as moves.
    ///
    /// # Errors
    /// Returns an error if there are too many boards, or the disk is full.
    pub fn add(
        &mut self,
        end: &Position,
        set_up: usize,
        ending: GameOutcome,
    ) -> Result<(), BuildError> {
        let (rule, size) = (end.rule(), end.size());
        let mut known = self.boards.iter();
        match known.position(|it| (it.rule, it.size) == (rule, size)) {
            Some(place) => self.boards[place].games += 1,
            None if self.boards.len() == MOST_BOARDS => return Err(BuildError::TooManyBoards),
            None => self.boards.push(BoardGames {
                rule,
                size,
                games: 1,
            }),
        }
        let mut position = Position::new(rule, size);
        let counted = set_up..set_up.saturating_add(self.limits.plies);
        for (ply, (color, point)) in end.moves().enumerate().take(counted.end) {
            if point == Point::NONE {
                position.pass();
                continue;
            }
            position.set_side(color);
            if counted.contains(&ply) {
                let canonical = position.canonical_key();
                self.sorter.add(Entry {
                    key: canonical.key(),
                    point: canonical.image(point),
                    tally: Tally::of(ending),
                })?;
            }
            position.play(point);
        }
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if the file can't be written. An older file is then kept.
    pub fn finish(mut self) -> Result<Built, BuildError> {
        let games = self.games();
        self.boards.sort_by_key(|board| {
            let size = board.size;
            (board.rule as u8, size.width(), size.height())
        });
        let Builder {
            path,
            limits,
            boards,
            sorter,
        } = self;
        quincunx_files::replace_with(&path, |file| {
            file.write_all(&format::header(&boards))?;
            let mut pages = Pages::new(file);
            sorter.finish(&mut |entry| match entry.tally.games() < limits.games {
                true => Ok(()),
                false => pages.add(entry),
            })?;
            let tail = pages.finish()?;
            Ok(Built {
                games,
                positions: tail.positions,
                moves: tail.entries,
            })
        })
    }
}

/// Writes entries as pages.
struct Pages<'a> {
    file: &'a mut dyn Write,
    entries: Vec<Entry>,
    last: Option<u64>,
    tail: Tail,
}

impl<'a> Pages<'a> {
    fn new(file: &'a mut dyn Write) -> Pages<'a> {
        Pages {
            file,
            entries: Vec::with_capacity(PER_PAGE),
            last: None,
            tail: Tail::default(),
        }
    }

    fn add(&mut self, entry: Entry) -> io::Result<()> {
        self.tail.entries += 1;
        self.tail.positions += u64::from(self.last.replace(entry.key) != Some(entry.key));
        self.entries.push(entry);
        if self.entries.len() == PER_PAGE {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        if let Some(first) = self.entries.first() {
            let number = self.tail.index.len() as u64;
            self.file.write_all(&format::page(number, &self.entries))?;
            self.tail.index.push(first.key);
            self.entries.clear();
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<Tail> {
        self.write()?;
        self.file.write_all(&self.tail.to_bytes())?;
        Ok(self.tail)
    }
}
