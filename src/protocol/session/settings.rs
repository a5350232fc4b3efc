//! Settings of the engine, and questions about its state.

use super::super::rule_codes::{RuleCodes, opening_of, rule_of};
use super::times::NO_LIMIT;
use super::{CommandError, Phase, Session, Wait, refused};
use quincunx_engine::engine::{Engine, Options, TableFileError};
use quincunx_engine::eval::{ClassicalWeights, EvalTables};
use quincunx_engine::gomocup::{Coordinates, Info, InfoKey, Reply};
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_files as files;
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// From this depth on there is no limit: GUIs send 100, or the number of points.
const DEEPEST: u64 = 100;

/// A number above zero. Zero and below mean that nothing is set.
fn positive(value: i64) -> Option<u64> {
    u64::try_from(value).ok().filter(|&value| value > 0)
}

/// Sets an option that is a number and nothing else.
fn set_number(options: &mut Options, key: InfoKey, value: i64) {
    match key {
        InfoKey::TimeIncrement => {
            let increment = positive(value.min(NO_LIMIT)).unwrap_or(0);
            options.time_increment = Duration::from_millis(increment);
        }
        InfoKey::HashSize => {
            options.hash_size = positive(value).map(|kib| kib.saturating_mul(1024));
        }
        InfoKey::MaxDepth => {
            let depth = positive(value).filter(|depth| *depth < DEEPEST);
            options.max_depth = depth.and_then(|depth| u32::try_from(depth).ok());
        }
        InfoKey::MaxNode => options.max_node = positive(value),
        InfoKey::MaxMoves => {
            options.max_moves = positive(value).and_then(|moves| usize::try_from(moves).ok());
        }
        InfoKey::Swapable => options.may_swap = value > 0,
        InfoKey::Seed => options.seed = Some(value.cast_unsigned()),
        _ => (),
    }
}

impl From<TableFileError> for CommandError {
    fn from(error: TableFileError) -> Self {
        CommandError::Refused(error.to_string())
    }
}

impl<W: Write> Session<W> {
    /// The most threads of a search: more than run at once only hinder each other.
    pub(super) fn most_threads() -> usize {
        let parallel = std::thread::available_parallelism().map_or(1, NonZero::get);
        parallel.min(Options::MOST_THREADS)
    }

    /// The manager is a GUI: its rule codes are Yixin's, and a search without limits goes on
    /// until the user stops it.
    pub(super) fn meet_gui(&mut self) -> io::Result<()> {
        self.engine.options_mut().infinite = true;
        self.times.set(self.engine.options_mut());
        self.read_rule_as(RuleCodes::Yixin)
    }

    /// Returns whether the manager is known to be a GUI.
    pub(super) fn met_gui(&self) -> bool {
        self.rule_codes == RuleCodes::Yixin
    }

    /// Reads the code of the rule as one of these, and says so where it means another rule now.
    fn read_rule_as(&mut self, codes: RuleCodes) -> io::Result<()> {
        let before = self.engine.position().rule();
        self.rule_codes = codes;
        self.set_rule(self.rule_code);
        if self.engine.position().rule() == before {
            return Ok(());
        }
        self.prepare();
        self.send_rule()
    }

    fn set_rule(&mut self, code: i64) {
        match rule_of(code, self.rule_codes) {
            Some(rule) => {
                self.rule_code = code;
                self.engine.options_mut().opening = opening_of(code, self.rule_codes);
                self.engine.set_rule(rule);
            }
            None => log::warn!("no rule has the number {code}"),
        }
    }

    /// Says which rule is played, as the numbers of managers differ.
    pub(super) fn send_rule(&mut self) -> io::Result<()> {
        let position = self.engine.position();
        let (rule, size) = (position.rule(), position.size());
        let (width, height) = (size.width(), size.height());
        self.message(&match self.phase != Phase::NoGame {
            true => format!("rule {rule}, board {width} by {height}"),
            false => format!("rule {rule}"),
        })
    }

    pub(super) fn inform(&mut self, info: &Info) -> Result<(), CommandError> {
        let (key, value) = match info {
            &Info::Number(key, value) => (key, value),
            Info::Tune(name, value) => {
                if !self.engine.tune(name, *value) {
                    log::warn!("no number of the search is called {name}");
                }
                return Ok(());
            }
            Info::Tables(file) => return self.load_tables(Path::new(file)),
            Info::Book(file) => return self.open_book(Path::new(file)),
            Info::Other(..) => {
                log::info!("INFO {info} means nothing here");
                return Ok(());
            }
        };
        let options = self.engine.options_mut();
        match key {
            InfoKey::TimeoutTurn => {
                self.times.turn = Some(value);
                self.times.set(options);
                // "Stop thinking" in piskvork's menu.
                if value == 0 {
                    self.answer_at_once();
                }
            }
            InfoKey::TimeoutMatch => {
                self.times.game = value;
                self.times.set(options);
            }
            InfoKey::TimeLeft => {
                // The time itself follows. What is used counts from now on.
                self.engine.set_time_left(Duration::ZERO);
                self.times.left = value;
                self.times.set(self.engine.options_mut());
            }
            InfoKey::MaxMemory => {
                options.max_memory = positive(value);
                let least = Options::LEAST_MEMORY;
                if options.max_memory.is_some_and(|bytes| bytes < least) {
                    self.message(&format!(
                        "the program needs {} MiB: {value} bytes count as that",
                        least >> 20
                    ))?;
                }
            }
            InfoKey::DrawResult => {
                options.draw_result = match value {
                    1 => Some(Color::Black),
                    2 => Some(Color::White),
                    _ => None,
                };
                if !(0..=2).contains(&value) {
                    self.message(&format!(
                        "draw_result is 0 (drawn), 1 (black wins) or 2 (white wins): {value} counts as 0"
                    ))?;
                }
            }
            InfoKey::ThreadNum => {
                let most = Self::most_threads();
                let wanted = positive(value).unwrap_or(1);
                options.threads = usize::try_from(wanted).unwrap_or(most).min(most);
                if wanted > most as u64 {
                    self.message(&format!(
                        "this machine runs {most} threads at once: {value} count as {most}"
                    ))?;
                }
            }
            InfoKey::Rule => {
                if rule_of(value, self.rule_codes).is_none() {
                    self.message(&format!(
                        "no rule has the number {value}, the old one stays"
                    ))?;
                }
                self.set_rule(value);
                self.send_rule()?;
            }
            // Among Yixin's codes 2 is renju in any case.
            InfoKey::RuleTwoIsRenju if self.rule_codes == RuleCodes::Yixin => (),
            InfoKey::RuleTwoIsRenju => self.read_rule_as(match value {
                ..=0 => RuleCodes::Gomocup,
                _ => RuleCodes::PiskvorkForRenju,
            })?,
            InfoKey::UseDatabase => {
                self.database.is_used = value > 0;
                self.choose_books();
            }
            InfoKey::DatabaseReadonly => self.database.is_read_only = value > 0,
            InfoKey::Pondering => {
                options.pondering = value > 0;
                if !options.pondering {
                    self.engine.stop_pondering();
                }
            }
            InfoKey::Strength => self.set_strength(value)?,
            InfoKey::ShowDetail => {
                self.detail = value.into();
                options.shows_moves = self.detail.marks;
                self.meet_gui()?;
            }
            _ => set_number(options, key, value),
        }
        self.prepare_after(key);
        Ok(())
    }

    /// Sets the strength, and says where a number counts as another.
    fn set_strength(&mut self, value: i64) -> io::Result<()> {
        let used = value.clamp(0, 100);
        self.engine.options_mut().strength = u8::try_from(used).ok();
        if used == value {
            return Ok(());
        }
        self.message(&format!(
            "strength is a number from 0 to 100: {value} counts as {used}"
        ))
    }

    /// Prepares the next search if it depends on this setting.
    fn prepare_after(&mut self, changed: InfoKey) {
        if matches!(
            changed,
            InfoKey::TimeoutTurn
                | InfoKey::TimeoutMatch
                | InfoKey::MaxMemory
                | InfoKey::HashSize
                | InfoKey::ThreadNum
                | InfoKey::Rule
        ) {
            self.prepare();
        }
    }

    /// Has weights loaded and memory found for the next search while no clock runs.
    pub(super) fn prepare(&mut self) {
        let options = self.engine.options();
        // Before the manager has said how long moves take, it is too early.
        let is_timed = options.timeout_turn.is_some() || options.timeout_match.is_some();
        if !is_timed || self.phase != Phase::Idle {
            return;
        }
        if let (Some(thread), Some(work)) = (&self.thread, self.engine.prepare()) {
            thread.prepare(work);
        }
    }

    /// Evaluates with the tables in `file` from the next search on.
    fn load_tables(&mut self, file: &Path) -> Result<(), CommandError> {
        self.expect_no_clock()?;
        let name = file.display();
        let bytes = match files::read(file) {
            Ok(bytes) => bytes,
            Err(error) => return refused(format!("can't use the tables {name}: {error}")),
        };
        match EvalTables::from_bytes(&bytes) {
            Ok(tables) => {
                let rule = tables.rule;
                let weights = Arc::new(ClassicalWeights::new(tables));
                self.engine.set_weights(rule, weights);
                self.prepare();
                Ok(self.message(&format!("{rule} is played with the tables {name}"))?)
            }
            Err(error) => refused(format!("can't use the tables {name}: {error}")),
        }
    }

    pub(super) fn forbidden_points(&self) -> Reply {
        let mut position = self.engine.position().clone();
        let points = match self.phase != Phase::NoGame && position.side() == Color::Black {
            true => position.forbidden_points(),
            false => Vec::new(),
        };
        let size = position.size();
        let at = points
            .iter()
            .map(|&(point, _)| Coordinates::of(point, size));
        Reply::Forbid(at.collect())
    }

    /// Adds points to those the engine does not play, or takes them away.
    pub(super) fn block(
        &mut self,
        points: &[Coordinates],
        change: impl Fn(&mut PointSet, Point),
    ) -> Result<(), CommandError> {
        self.expect_game()?;
        let points = points.iter().map(|&at| self.on_board(at));
        for point in points.collect::<Result<Vec<Point>, CommandError>>()? {
            change(self.engine.excluded_mut(), point);
        }
        Ok(())
    }

    #[cfg(not(feature = "shell"))]
    pub(super) fn save_hash(&mut self, _: &str) -> Result<(), CommandError> {
        refused("this program is built without saving of the hash table")
    }

    #[cfg(feature = "shell")]
    pub(super) fn save_hash(&mut self, path: &str) -> Result<(), CommandError> {
        let save = |engine: &mut Engine| {
            files::expect_plain(Path::new(path))?;
            files::expect_kind(Path::new(path), quincunx_engine::engine::is_table_file)?;
            if engine.table_usage().is_none() {
                return Err(TableFileError::Empty);
            }
            files::replace_with(Path::new(path), |draft| engine.save_table(draft))
        };
        self.move_hash(save, "saved")
    }

    pub(super) fn load_hash(&mut self, path: &str) -> Result<(), CommandError> {
        let load = |engine: &mut Engine| {
            files::expect_plain(Path::new(path))?;
            engine.load_table(File::open(path)?)
        };
        self.move_hash(load, "loaded")
    }

    /// Moves the hash table to or from a file, and says how many positions that were.
    fn move_hash(
        &mut self,
        transfer: impl FnOnce(&mut Engine) -> Result<u64, TableFileError>,
        done: &str,
    ) -> Result<(), CommandError> {
        self.expect_no_clock()?;
        let count = match transfer(&mut self.engine) {
            Err(TableFileError::Busy) => return Err(CommandError::Waiting(Wait::Table)),
            result => result,
        };
        // The transfer has stopped the preparation.
        self.prepare();
        Ok(self.message(&format!("{} positions were {done}", count?))?)
    }

    pub(super) fn send_hash_usage(&mut self) -> io::Result<()> {
        let text = match self.engine.table_usage() {
            None => "the hash table is empty".to_owned(),
            Some((fullness, bytes)) => format!(
                "the hash table of {} KiB is full to {}.{} %",
                bytes / 1024,
                fullness / 10,
                fullness % 10
            ),
        };
        self.message(&text)
    }
}
