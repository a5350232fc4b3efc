//! Games from files, and as files.

use super::Session;
use super::cursor::Cursor;
use crate::error::BoardError;
use crate::message::{Format, PictureOptions, Player, RemarkView, ServerMessage};
use crate::opening_event::PlyEvent;
use crate::transfer::{self, File};
use crate::tree::{GameTree, ROOT};
use crate::{input, library, opening_event, opening_record};
use quincunx_engine::game::SetUp;
use quincunx_engine::game::swap::{OpeningRule, Seat};
use quincunx_engine::rules::{Color, Point};
use quincunx_records::sgf::Property;
use quincunx_records::{FileFormat, OpenError, UnsupportedFeature};

/// The longest name that a file gives a player, in characters.
pub(super) const LONGEST_NAME: usize = 100;

/// The beginning of the engine's name in files. Persons at the board have none.
const ENGINE: &str = "Quincunx, level";

impl Session {
    /// Opens a file. Returns the warnings.
    pub(super) fn open(&mut self, file: &File<'_>) -> Result<Option<ServerMessage>, BoardError> {
        let text = &input::game(file.text);
        let opened = transfer::open(&File { text, ..*file }, &self.cursor.start)?;
        let (start, mut tree) = (opened.start, opened.tree);
        let opening = take_opening(&start, &mut tree);
        let cursor = Cursor::at(start, tree, opened.node).ok_or(OpenError::Unknown)?;
        self.set_aside();
        (self.opening, self.events) = opening.unwrap_or_default();
        self.undone_events.clear();
        self.setup.rule = cursor.start.rule.name().to_owned();
        self.setup.size = cursor.start.size.to_string();
        self.setup.opening = self.opening.name().to_owned();
        self.setup.moves.clear();
        (self.setup.handicap, self.setup.stones) = (0, None);
        let stones = cursor.tree.depth(cursor.tree.end());
        let dialogue = opening_event::dialogue(self.opening, &self.events, stones);
        let mut own_levels = engine_levels(&opened.names);
        if let (Some(levels), Some(Seat::Second)) = (&mut own_levels, dialogue.black(stones)) {
            // Files name the players by colours.
            levels.swap(0, 1);
        }
        self.setup.names = names(opened.names);
        if let Some(levels) = own_levels {
            self.sit_as_exported(levels);
        } else if self.is_of_others() || cursor.game.is_over() {
            // The engine has no part in a game of others, nor in one that ended elsewhere.
            self.players = [Player::Person; 2];
        }
        [self.setup.black, self.setup.white] = self.players;
        self.opened = cursor.tree.last();
        self.cursor = cursor;
        // A game to look at: the engine waits to be told, and no clock runs.
        self.waiting = true;
        self.drop_clocks();
        self.begin_turn();
        let remarks: Vec<_> = opened.remarks.iter().map(RemarkView::from).collect();
        let games = opened.games;
        Ok((!remarks.is_empty()).then_some(ServerMessage::Opened { remarks, games }))
    }

    /// Takes the seats and levels of a game that this program has exported. A person has no level.
    fn sit_as_exported(&mut self, levels: [Option<u8>; 2]) {
        self.players = levels.map(|level| match level {
            Some(_) => Player::Engine,
            None => Player::Person,
        });
        self.setup.levels = match levels {
            [Some(black), Some(white)] => Some([black, white]),
            _ => None,
        };
        let level = levels.into_iter().flatten().next();
        self.setup.level = level.unwrap_or(self.setup.level);
    }

    /// Returns true if the game was opened, and its file names players.
    fn is_of_others(&self) -> bool {
        let names = self.setup.names.as_deref();
        names.is_some_and(|names| names.iter().any(|name| !name.is_empty()))
    }

    /// The engine moves: the seats are those of this board where no player has a name.
    pub(super) fn take_seats(&mut self) {
        if !self.is_of_others() {
            self.setup.names = None;
        }
    }

    /// The game as a file of this format.
    pub(super) fn export(
        &self,
        format: Format,
        look: PictureOptions,
    ) -> Result<ServerMessage, BoardError> {
        let levels = self.levels();
        let seats = self.settled_colors().map(|players| {
            Color::ALL.map(|color| match players[color.index()] {
                Player::Person => String::new(),
                Player::Engine => format!("{ENGINE} {}", levels[color.index()]),
            })
        });
        let given = self.setup.names.as_deref().cloned();
        let names = match (given, seats) {
            // A player without a name has the one of the seat where the other was given one here.
            (Some(given), Some(seats)) if self.is_of_others() => {
                let mut seats = seats.into_iter();
                Some(given.map(|name| {
                    let seat = seats.next().unwrap_or_default();
                    if name.is_empty() { seat } else { name }
                }))
            }
            (given, seats) => given.or(seats),
        };
        let Cursor { start, tree, .. } = &self.cursor;
        let text = match format {
            Format::Sgf => {
                let mut record = transfer::recorded(start, tree, names);
                let opening = opening_record::properties(self.opening, &self.events, start.size);
                if let Some(root) = record.nodes.first_mut() {
                    let properties = root.properties().iter().cloned().chain(opening);
                    *root = root
                        .clone()
                        .with(root.comment().to_owned(), properties.collect());
                }
                transfer::sgf(&record)
            }
            Format::Psq => transfer::psq(&self.cursor.game, names).map_err(BoardError::NoPsq)?,
            Format::Text => self.cursor.game.position().to_line(),
            Format::Gif => transfer::gif(&self.cursor.game, look)?,
            Format::Renlib => library::write(start, tree)?,
        };
        Ok(ServerMessage::Exported { format, text })
    }

    /// The parts of the game that a file of this format has no room for.
    pub fn lost_in(&self, format: Format) -> Vec<UnsupportedFeature> {
        let format = match format {
            Format::Sgf => FileFormat::Sgf,
            Format::Psq => FileFormat::Psq,
            Format::Text => FileFormat::Text,
            Format::Renlib => FileFormat::RenLib,
            // A picture is not opened again.
            Format::Gif => return Vec::new(),
        };
        let cursor = &self.cursor;
        let mut nodes = cursor.tree.depth_first();
        let shown = nodes.position(|node| node.id == cursor.node);
        // The names of the seats are no part of the game.
        let names = self.setup.names.as_deref().cloned();
        let game = transfer::recorded(&cursor.start, &cursor.tree, names);
        game.unsupported_features(format, shown.unwrap_or_default())
    }
}

/// Takes the dialogue of an opening out of the properties of the start, if the file has one.
fn take_opening(start: &SetUp, tree: &mut GameTree) -> Option<(OpeningRule, Vec<PlyEvent>)> {
    if !start.stones.is_empty() || start.first != Color::Black {
        return None;
    }
    let mut properties = Property::parse(&tree.get(ROOT)?.properties);
    let line = tree.path(tree.end()).into_iter().skip(1);
    let moves: Vec<Point> = line
        .map(|id| tree.get(id).map(|node| node.point))
        .collect::<Option<_>>()?;
    let position = start.position().ok()?;
    let opening = opening_record::take(&mut properties, &position, &moves)?;
    tree.keep(ROOT, properties.iter().map(Property::to_string).collect())?;
    Some(opening)
}

/// The levels of the engine in a file that this program has exported; `None` in any other.
fn engine_levels(given: &[String; 2]) -> Option<[Option<u8>; 2]> {
    let level = |name: &String| {
        let level = name.strip_prefix(ENGINE)?.trim().parse::<u8>().ok()?;
        (level <= 100).then_some(level)
    };
    let levels = given.each_ref().map(level);
    let is_own = (given.iter().zip(levels)).all(|(name, level)| level.is_some() || name.is_empty());
    (is_own && levels.iter().any(Option::is_some)).then_some(levels)
}

/// The names of the players in a file; none where it was exported from a game of this board,
/// so that the seats are as they were.
fn names(given: [String; 2]) -> Option<Box<[String; 2]>> {
    let is_own = |name: &str| name.starts_with(ENGINE);
    let is_other = |name: &String| !name.is_empty() && !is_own(name);
    let is_exported = given.iter().any(|name| is_own(name)) && !given.iter().any(is_other);
    (!is_exported).then(|| Box::new(given.map(|name| name.chars().take(LONGEST_NAME).collect())))
}
