//! A club in a file: what was kept survives the end of the program, however it comes.

use super::address::AddressRange;
use super::admin::AuditEntry;
use super::archive::{FinishedGame, GameFilter};
use super::club::{StoreWrite, StoredClub, StoredRoom};
use super::forgetting::{forget_games, forget_notes};
use super::message::GamePage;
use super::number::{RoomId, TournamentId};
use super::people::Person;
use super::person::PersonId;
use super::store_error::{StoreError, store};
use super::tournament::ClubTournament;
use redb::backends::InMemoryBackend;
use redb::{Database, ReadTransaction, ReadableTable, TableDefinition};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rooms by their numbers, as JSON.
const ROOMS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("rooms");

/// People by the hashes of their keys, as JSON.
const PEOPLE: TableDefinition<'_, [u8; 32], &[u8]> = TableDefinition::new("people");

/// Games that are over by their numbers, as JSON.
const GAMES: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("games");

/// Tournaments by their numbers, as JSON.
const TOURNAMENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("tournaments");

/// The ranges of addresses that are kept out.
const BANS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("bans");

/// The actions of administrators, as JSON, by the time in microseconds.
const AUDIT: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("audit");

/// The number of games on a page of a list.
const PAGE_OF_GAMES: usize = 30;

/// The most games that are looked at for a page: one visitor's search for what is rare does
/// not keep others waiting.
const LOOKED_AT: u64 = 2000;

/// A club in a file.
pub struct ClubStore {
    /// Nothing while it could not be opened again.
    database: Option<Database>,
    path: Option<PathBuf>,
    heartbeat: Option<Heartbeat>,
}

/// A snapshot of the store. The club goes on meanwhile.
pub struct Snapshot(ReadTransaction);

impl ClubStore {
    /// Opens the file, or creates it; without a path the club is kept in memory. The
    /// time when clocks ran last is in a file beside it, `PATH.pulse`.
    ///
    /// # Errors
    /// When a file is something else, in use, or can't be written.
    pub fn open(path: Option<&Path>) -> Result<ClubStore, StoreError> {
        let files = path.map(|path| [path.to_owned(), Heartbeat::path(path)]);
        let files = files.into_iter().flatten();
        let new: Vec<PathBuf> = files.filter(|file| !file.exists()).collect();
        let opened = guarded(|| ClubStore::open_unguarded(path));
        // Half a club is none, and would be refused as damaged. A file that another program
        // has made meanwhile is its own.
        let kind = match &opened {
            Ok(_) => return opened,
            Err(StoreError::File(error)) => error.kind(),
            Err(_) => io::ErrorKind::Other,
        };
        for file in new.iter().filter(|_| kind != io::ErrorKind::AlreadyExists) {
            // It may not have come to be.
            let _ = std::fs::remove_file(file);
        }
        opened
    }

    fn open_unguarded(path: Option<&Path>) -> Result<ClubStore, StoreError> {
        let heartbeat = path.map(Heartbeat::open).transpose()?;
        let path = path.map(Path::to_owned);
        let mut club = ClubStore {
            database: None,
            path,
            heartbeat,
        };
        club.reopen()?;
        let transaction = club.database()?.begin_write().map_err(store)?;
        // Reading begins with tables that are there.
        transaction.open_table(ROOMS).map_err(store)?;
        transaction.open_table(PEOPLE).map_err(store)?;
        transaction.open_table(GAMES).map_err(store)?;
        transaction.open_table(TOURNAMENTS).map_err(store)?;
        transaction.open_table(BANS).map_err(store)?;
        transaction.open_table(AUDIT).map_err(store)?;
        transaction.commit().map_err(store)?;
        Ok(club)
    }

    /// Opens the file anew, as it must be after it could not be written. What is kept in
    /// memory only stays.
    ///
    /// # Errors
    /// When the file can't be opened.
    pub fn reopen(&mut self) -> Result<(), StoreError> {
        let Some(path) = &self.path else {
            if self.database.is_none() {
                let memory = InMemoryBackend::new();
                let builder = Database::builder();
                self.database = Some(builder.create_with_backend(memory).map_err(store)?);
            }
            return Ok(());
        };
        let path = path.clone();
        self.close();
        self.database = Some(guarded(|| open_database(&path))?);
        Ok(())
    }

    /// Closes the file. Where the disk has failed redb may panic, and the file is closed all
    /// the same.
    fn close(&mut self) {
        let database = self.database.take();
        _ = quietly(|| catch_unwind(AssertUnwindSafe(|| drop(database))));
    }

    fn database(&self) -> Result<&Database, StoreError> {
        let closed = || StoreError::Database(Box::new(redb::Error::PreviousIo));
        self.database.as_ref().ok_or_else(closed)
    }

    /// Takes a snapshot, to be read while the club goes on.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let transaction = self.database()?.begin_read();
        Ok(Snapshot(transaction.map_err(store)?))
    }

    /// All that was kept.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn load(&mut self) -> Result<StoredClub, StoreError> {
        guarded(|| self.load_unguarded())
    }

    fn load_unguarded(&mut self) -> Result<StoredClub, StoreError> {
        let mut kept = StoredClub {
            heartbeat: match &mut self.heartbeat {
                Some(heartbeat) => heartbeat.read()?,
                None => None,
            },
            ..StoredClub::default()
        };
        let Snapshot(transaction) = self.snapshot()?;
        let rooms = transaction.open_table(ROOMS).map_err(store)?;
        for row in rooms.iter().map_err(store)? {
            let (id, room) = row.map_err(store)?;
            let room: StoredRoom = read(room.value())?;
            kept.rooms.push((RoomId(id.value()), room));
        }
        let people = transaction.open_table(PEOPLE).map_err(store)?;
        for row in people.iter().map_err(store)? {
            let (id, person) = row.map_err(store)?;
            let person: Person = read(person.value())?;
            kept.people.push((PersonId(id.value()), person));
        }
        let banned = kept.people.iter().filter(|(_, person)| person.banned);
        let banned: HashSet<PersonId> = banned.map(|(id, _)| *id).collect();
        let games = transaction.open_table(GAMES).map_err(store)?;
        for row in games.iter().map_err(store)? {
            let (_, game) = row.map_err(store)?;
            let game: FinishedGame = read(game.value())?;
            kept.ratings.add(&game, |id| banned.contains(&id));
            kept.archive.add(game);
        }
        let bans = transaction.open_table(BANS).map_err(store)?;
        for row in bans.iter().map_err(store)? {
            let (range, _) = row.map_err(store)?;
            kept.bans.extend(range.value().parse::<AddressRange>());
        }
        let tournaments = transaction.open_table(TOURNAMENTS).map_err(store)?;
        for row in tournaments.iter().map_err(store)? {
            let (id, tournament) = row.map_err(store)?;
            let tournament: ClubTournament = read(tournament.value())?;
            kept.tournaments
                .push((TournamentId(id.value()), tournament));
        }
        Ok(kept)
    }

    /// Keeps changes, all of them or none. They are on the disk when this returns.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn commit(&self, changes: &[StoreWrite]) -> Result<(), StoreError> {
        // redb panics where the disk fails in the middle of some steps. The file is as before,
        // and has to be opened anew, as after other failures of the disk.
        let done = quietly(|| catch_unwind(AssertUnwindSafe(|| self.commit_unguarded(changes))));
        done.unwrap_or_else(|_| Err(store(redb::Error::PreviousIo)))
    }

    fn commit_unguarded(&self, changes: &[StoreWrite]) -> Result<(), StoreError> {
        let transaction = self.database()?.begin_write().map_err(store)?;
        {
            let mut rooms = transaction.open_table(ROOMS).map_err(store)?;
            let mut people = transaction.open_table(PEOPLE).map_err(store)?;
            let mut games = transaction.open_table(GAMES).map_err(store)?;
            let mut tournaments = transaction.open_table(TOURNAMENTS).map_err(store)?;
            let mut bans = transaction.open_table(BANS).map_err(store)?;
            let mut audit = transaction.open_table(AUDIT).map_err(store)?;
            for change in changes {
                match change {
                    StoreWrite::Room(id, room) => {
                        rooms.insert(id.0, &*write(room)?).map_err(store)?;
                    }
                    StoreWrite::RoomGone(id) => {
                        rooms.remove(id.0).map_err(store)?;
                    }
                    StoreWrite::Person(id, person) => {
                        people.insert(id.0, &*write(person)?).map_err(store)?;
                    }
                    StoreWrite::Game(game) => {
                        games.insert(game.number, &*write(game)?).map_err(store)?;
                    }
                    StoreWrite::Forgotten(id, name) => {
                        forget_games(&mut games, *id)?;
                        forget_notes(&mut audit, name)?;
                    }
                    StoreWrite::Tournament(id, it) => {
                        tournaments.insert(id.0, &*write(it)?).map_err(store)?;
                    }
                    StoreWrite::TournamentGone(id) => {
                        tournaments.remove(id.0).map_err(store)?;
                    }
                    StoreWrite::Ban(range, true) => {
                        bans.insert(&*range.to_string(), &[][..]).map_err(store)?;
                    }
                    StoreWrite::Ban(range, false) => {
                        bans.remove(&*range.to_string()).map_err(store)?;
                    }
                    StoreWrite::Audit(at, what) => {
                        let at = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
                        audit.insert(at, what.as_bytes()).map_err(store)?;
                    }
                }
            }
        }
        transaction.commit().map_err(store)
    }

    /// Notes that clocks run at this time. What happens to the program is no reason to
    /// lose the note, what happens to the machine is.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn heartbeat(&mut self, now: Duration) -> Result<(), StoreError> {
        match &mut self.heartbeat {
            Some(heartbeat) => Ok(heartbeat.write(now)?),
            None => Ok(()),
        }
    }
}

impl Snapshot {
    /// Every game that is over from this number on, in the order of their ends.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn for_each_game(
        &self,
        from: u64,
        mut visit: impl FnMut(FinishedGame),
    ) -> Result<(), StoreError> {
        let games = self.0.open_table(GAMES).map_err(store)?;
        for row in games.range(from..).map_err(store)? {
            let (_, game) = row.map_err(store)?;
            visit(read(game.value())?);
        }
        Ok(())
    }

    /// A page of the games that a filter admits, the last first, from before a number.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn find_games(
        &self,
        filter: &GameFilter,
        before: Option<u64>,
    ) -> Result<GamePage, StoreError> {
        let games = self.0.open_table(GAMES).map_err(store)?;
        let range = games.range(..before.unwrap_or(u64::MAX)).map_err(store)?;
        let mut page = GamePage {
            games: Vec::new(),
            before: None,
        };
        for (row, looked_at) in range.rev().zip(1..) {
            let (number, game) = row.map_err(store)?;
            let game: FinishedGame = read(game.value())?;
            if filter.admits(&game) {
                page.games.push(game.summary());
            }
            if page.games.len() == PAGE_OF_GAMES || looked_at == LOOKED_AT {
                page.before = Some(number.value());
                break;
            }
        }
        Ok(page)
    }

    /// The actions of administrators, oldest first.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn audit(&self) -> Result<Vec<AuditEntry>, StoreError> {
        let rows = self.0.open_table(AUDIT).map_err(store)?;
        let mut entries = Vec::new();
        for row in rows.iter().map_err(store)? {
            let (at, what) = row.map_err(store)?;
            let what = String::from_utf8_lossy(what.value());
            entries.push(AuditEntry::new(Duration::from_micros(at.value()), &what)?);
        }
        Ok(entries)
    }

    /// The games with these numbers, as far as they are there.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn games(&self, numbers: &[u64]) -> Result<Vec<FinishedGame>, StoreError> {
        let games = self.0.open_table(GAMES).map_err(store)?;
        let mut found = Vec::new();
        for number in numbers {
            if let Some(game) = games.get(number).map_err(store)? {
                found.push(read(game.value())?);
            }
        }
        Ok(found)
    }

    /// Copies everything to another file, which must not be there. It is there when all of
    /// it is, or not at all, and only its owner may read it.
    ///
    /// # Errors
    /// When a file can't be read or written.
    pub fn back_up(&self, path: &Path) -> Result<(), StoreError> {
        if path.exists() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let draft = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        let copy = Database::builder().create_file(draft.reopen()?);
        let to = copy.map_err(store)?;
        let transaction = to.begin_write().map_err(store)?;
        copy_table(&self.0, &transaction, ROOMS)?;
        copy_table(&self.0, &transaction, PEOPLE)?;
        copy_table(&self.0, &transaction, GAMES)?;
        copy_table(&self.0, &transaction, TOURNAMENTS)?;
        copy_table(&self.0, &transaction, BANS)?;
        copy_table(&self.0, &transaction, AUDIT)?;
        transaction.commit().map_err(store)?;
        drop(to);
        draft.persist_noclobber(path).map_err(io::Error::from)?;
        Ok(())
    }
}

impl Drop for ClubStore {
    fn drop(&mut self) {
        self.close();
    }
}

/// Opens the file of a club, or creates one that only its owner may read.
fn open_database(path: &Path) -> Result<Database, StoreError> {
    let is_new = !path.exists();
    let file = private().create_new(is_new).open(path)?;
    if !is_new {
        check(&file)?;
        keep_private(&file)?;
    }
    Database::builder().create_file(file).map_err(store)
}

/// The options of files that only their owner may read.
fn private() -> OpenOptions {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes the right to read a file from all but its owner.
fn keep_private(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    let _ = file;
    Ok(())
}

/// The signature of a database of redb.
const MAGIC: [u8; 9] = *b"redb\x1A\x0A\xA9\x0D\x0A";

/// The smallest page of a database. A shorter file was cut off.
const PAGE: u64 = 4096;

/// Refuses a file that is empty, or no database.
fn check(mut file: &File) -> Result<(), StoreError> {
    let length = file.metadata()?.len();
    if length == 0 {
        return Err(StoreError::Empty);
    }
    let mut magic = [0; MAGIC.len()];
    let is_read = file.read_exact(&mut magic).is_ok();
    if !is_read || magic != MAGIC || length < PAGE {
        return Err(StoreError::Damaged("it is no database".to_owned()));
    }
    Ok(())
}

/// Does something with a file that may be damaged: redb takes what it reads for right, and
/// panics where that contradicts itself.
pub(super) fn guarded<T>(act: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let done = quietly(|| catch_unwind(AssertUnwindSafe(act)));
    done.unwrap_or_else(|_| Err(StoreError::Damaged("it contradicts itself".to_owned())))
}

/// Does something whose panics are caught, and not reported.
fn quietly<T>(act: impl FnOnce() -> T) -> T {
    use std::cell::Cell;
    use std::sync::Once;
    thread_local!(static IS_QUIET: Cell<bool> = const { Cell::new(false) });
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                report(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let done = act();
    IS_QUIET.set(false);
    done
}

fn copy_table<K: redb::Key + 'static>(
    from: &redb::ReadTransaction,
    to: &redb::WriteTransaction,
    table: TableDefinition<'_, K, &'static [u8]>,
) -> Result<(), StoreError> {
    let rows = from.open_table(table).map_err(store)?;
    let mut copies = to.open_table(table).map_err(store)?;
    for row in rows.iter().map_err(store)? {
        let (key, value) = row.map_err(store)?;
        copies.insert(key.value(), value.value()).map_err(store)?;
    }
    Ok(())
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    Ok(serde_json::from_slice(bytes)?)
}

fn write(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(value)?)
}

/// A file with the time when clocks ran last. It is written in place, 200 times a
/// second: what the program wrote is there after a crash of the program.
struct Heartbeat {
    file: File,
}

impl Heartbeat {
    /// The path of the heartbeat of a club.
    fn path(database: &Path) -> PathBuf {
        let mut path = PathBuf::from(database).into_os_string();
        path.push(".pulse");
        path.into()
    }

    fn open(database: &Path) -> io::Result<Heartbeat> {
        let path = Heartbeat::path(database);
        let file = private().create(true).truncate(false).open(path)?;
        keep_private(&file)?;
        Ok(Heartbeat { file })
    }

    fn read(&mut self) -> io::Result<Option<Duration>> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_string(&mut text)?;
        Ok(text.trim().parse().ok().map(Duration::from_millis))
    }

    fn write(&mut self, now: Duration) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        // Always as long, so that nothing of an older time is left.
        self.file
            .write_all(format!("{:020}\n", now.as_millis()).as_bytes())
    }
}
