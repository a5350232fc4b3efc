//! Opening a file for redb, which trusts what it reads: a damaged page makes it panic or ask
//! for all the memory there is.
//!
//! The header is checked here. Then redb is told that the file was not closed properly, so it
//! verifies the checksums of all pages from the root down. What it writes meanwhile is
//! kept in memory, and reaches the file only when all of that has passed.

use super::error::{DatabaseError, redb_error};
use redb::StorageBackend;
use redb::backends::FileBackend;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The first bytes of every file.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";
/// The length of the header: 64 bytes, and two slots of commits.
const HEADER: usize = 320;
const SLOTS: [usize; 2] = [64, 192];
const SLOT: usize = 128;

/// The offset of the byte of flags, and the meaning of its bits.
const FLAGS: usize = MAGIC.len();
const SECOND_IS_PRIMARY: u8 = 1;
const RECOVERY_REQUIRED: u8 = 2;
const TWO_PHASE_COMMIT: u8 = 4;

/// The offsets of the layout's numbers, four bytes each.
const PAGE_SIZE: usize = 12;
const REGION_HEADER_PAGES: usize = 16;
const REGION_PAGES: usize = 20;
const FULL_REGIONS: usize = 24;
const LAST_REGION_PAGES: usize = 28;

/// The offset of the page number of a region table, which redb rebuilds during verification.
const REGION_TABLE: usize = 32;

/// The offset of the transaction number in a slot.
const TRANSACTION: usize = 104;

/// The bytes of a page.
const PAGE: u64 = 4096;
/// The pages of a region of 4 GiB.
const FULL: u64 = 1 << 20;

/// Opens the file at `path`, or creates it.
pub(super) fn create(path: &Path) -> Result<redb::Database, DatabaseError> {
    quincunx_files::expect_plain(path)?;
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(false);
    open_file(file.open(path)?, true)
}

/// Opens the file at `path`, which must be there.
pub(super) fn open(path: &Path) -> Result<redb::Database, DatabaseError> {
    quincunx_files::expect_plain(path)?;
    open_filled(File::options().read(true).write(true).open(path)?, true)
}

/// Opens the file at `path`, which stays as it is: what redb writes is kept in memory.
pub(super) fn open_to_read(path: &Path) -> Result<redb::Database, DatabaseError> {
    quincunx_files::expect_plain(path)?;
    open_filled(File::open(path)?, false)
}

/// Opens a file that is not empty.
fn open_filled(file: File, is_written: bool) -> Result<redb::Database, DatabaseError> {
    if file.metadata()?.len() == 0 {
        return Err(DatabaseError::Foreign);
    }
    open_file(file, is_written)
}

fn open_file(file: File, is_written: bool) -> Result<redb::Database, DatabaseError> {
    let backend = Backend(Arc::new(Storage {
        file: FileBackend::new(file).map_err(redb_error)?,
        draft: Mutex::default(),
    }));
    let storage = Arc::clone(&backend.0);
    // In an empty file there is nothing to be checked.
    if storage.file.len()? > 0 {
        *storage.draft() = Some(Draft::recovering(&storage.file)?);
    }
    let builder = redb::Builder::new();
    let opened = guarded(|| builder.create_with_backend(backend).map_err(redb_error));
    match opened {
        Ok(store) => {
            if is_written {
                storage.settle()?;
            }
            Ok(store)
        }
        Err(DatabaseError::Store(error)) if is_of_the_system(&error) => {
            Err(DatabaseError::Store(error))
        }
        Err(_) => Err(DatabaseError::Damaged),
    }
}

/// Returns true if an error comes from the system and not from the content of the file. A page
/// beyond the end of the file is an error of its content.
fn is_of_the_system(error: &redb::Error) -> bool {
    matches!(error, redb::Error::Io(error)
        if !matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData))
}

/// Does work with redb, whose panics become errors.
pub(super) fn guarded<T>(
    work: impl FnOnce() -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    // After a panic the store is used no more.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(DatabaseError::Damaged))
}

/// A file, and what is not written to it yet.
#[derive(Debug)]
struct Storage {
    file: FileBackend,
    /// Whatever is written while the file is being checked, or is only read.
    draft: Mutex<Option<Draft>>,
}

impl Storage {
    fn draft(&self) -> MutexGuard<'_, Option<Draft>> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the draft to the file. The header comes last: until then the old one stands,
    /// whose pages are all untouched.
    fn settle(&self) -> io::Result<()> {
        let mut slot = self.draft();
        let Some(draft) = slot.take() else {
            return Ok(());
        };
        if self.file.len()? != draft.length {
            self.file.set_len(draft.length)?;
        }
        for (&page, bytes) in draft.pages.range(1..) {
            self.file.write(page * PAGE, bytes)?;
        }
        self.file.sync_data(false)?;
        if let Some(header) = draft.pages.get(&0) {
            self.file.write(0, header)?;
        }
        self.file.sync_data(false)
    }
}

/// Pages by their numbers as they will be, and the length of the file then.
#[derive(Debug)]
struct Draft {
    pages: BTreeMap<u64, Vec<u8>>,
    length: u64,
    /// The length that remains. Later bytes are truncated.
    kept: u64,
}

impl Draft {
    /// The file with a header that makes redb verify every page.
    fn recovering(file: &FileBackend) -> Result<Draft, DatabaseError> {
        let length = file.len()?;
        if length < PAGE {
            let start = file.read(0, usize::try_from(length).unwrap_or(0).min(MAGIC.len()))?;
            return Err(if start == MAGIC {
                DatabaseError::Damaged
            } else {
                DatabaseError::Foreign
            });
        }
        let mut page = file.read(0, PAGE as usize)?;
        if !page.starts_with(MAGIC) {
            return Err(DatabaseError::Foreign);
        }
        recover(&mut page[..HEADER], length).ok_or(DatabaseError::Damaged)?;
        Ok(Draft {
            pages: BTreeMap::from([(0, page)]),
            length,
            kept: length,
        })
    }

    fn page(&mut self, file: &FileBackend, number: u64) -> io::Result<&mut Vec<u8>> {
        use std::collections::btree_map::Entry;
        match self.pages.entry(number) {
            Entry::Occupied(page) => Ok(page.into_mut()),
            Entry::Vacant(place) => {
                let start = number * PAGE;
                let there = self.kept.saturating_sub(start).min(PAGE) as usize;
                let mut bytes = file.read(start, there)?;
                bytes.resize(PAGE as usize, 0);
                Ok(place.insert(bytes))
            }
        }
    }

    fn write(&mut self, file: &FileBackend, mut offset: u64, mut data: &[u8]) -> io::Result<()> {
        while !data.is_empty() {
            let at = (offset % PAGE) as usize;
            let (now, later) = data.split_at(data.len().min(PAGE as usize - at));
            self.page(file, offset / PAGE)?[at..at + now.len()].copy_from_slice(now);
            offset += now.len() as u64;
            data = later;
        }
        Ok(())
    }

    fn read(&self, file: &FileBackend, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let there = self.kept.saturating_sub(offset).min(length as u64) as usize;
        let mut bytes = file.read(offset, there)?;
        bytes.resize(length, 0);
        let end = offset + length as u64;
        for (&number, page) in self.pages.range(offset / PAGE..end.div_ceil(PAGE)) {
            let start = number * PAGE;
            let (from, to) = (start.max(offset), (start + PAGE).min(end));
            bytes[(from - offset) as usize..(to - offset) as usize]
                .copy_from_slice(&page[(from - start) as usize..(to - start) as usize]);
        }
        Ok(bytes)
    }

    fn set_len(&mut self, length: u64) {
        self.kept = self.kept.min(length);
        self.length = length;
        self.pages.split_off(&length.div_ceil(PAGE));
    }
}

/// Checks the parts of a header that no checksum covers, and changes it so that redb verifies
/// all that they do. `None` if it can't be of a file of this length.
fn recover(header: &mut [u8], length: u64) -> Option<()> {
    let flags = header[FLAGS];
    if flags & !(SECOND_IS_PRIMARY | RECOVERY_REQUIRED | TWO_PHASE_COMMIT) != 0 {
        return None;
    }
    check_layout(header, length)?;
    let primary = usize::from(flags & SECOND_IS_PRIMARY);
    let transaction = |slot: usize| number(&header[SLOTS[slot] + TRANSACTION..][..8]);
    let is_closed = flags & RECOVERY_REQUIRED == 0;
    let other_is_newer = transaction(1 - primary) > transaction(primary);
    if is_closed && other_is_newer {
        return None;
    }
    // A process that was killed during a commit leaves two slots of which redb takes the
    // newer one that is sound. Otherwise to go back would be to lose what was acknowledged.
    if is_closed || (flags & TWO_PHASE_COMMIT != 0 && !other_is_newer) {
        // The other slot is no way out.
        let other = SLOTS[1 - primary];
        header.copy_within(SLOTS[primary]..SLOTS[primary] + SLOT, other);
        for byte in &mut header[other + SLOT - 16..other + SLOT] {
            *byte = !*byte;
        }
    }
    // The first page: where that is taken, redb chooses another.
    header[REGION_TABLE..REGION_TABLE + 8].fill(0);
    header[FLAGS] = (flags | RECOVERY_REQUIRED) & !TWO_PHASE_COMMIT;
    Some(())
}

/// Checks the numbers of pages against the length of the file, which a process that was killed
/// may have lengthened.
fn check_layout(header: &[u8], length: u64) -> Option<()> {
    let field = |at: usize| number(&header[at..at + 4]);
    let (in_header, full) = (field(REGION_HEADER_PAGES), field(FULL_REGIONS));
    let last = field(LAST_REGION_PAGES);
    // A bit for each page, and as many again for larger and larger runs of pages.
    let plausible = (1..=FULL / PAGE).contains(&in_header);
    if field(PAGE_SIZE) != PAGE || field(REGION_PAGES) != FULL || !plausible || last >= FULL {
        return None;
    }
    let partial = if last > 0 { in_header + last } else { 0 };
    let pages = 1 + full * (in_header + FULL) + partial;
    let behind = (length / PAGE - 1) % (in_header + FULL);
    let whole = length.is_multiple_of(PAGE) && (behind == 0 || behind > in_header);
    (whole && pages * PAGE <= length).then_some(())
}

/// A number of at most eight bytes, the least first.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The storage as redb owns it.
#[derive(Debug)]
struct Backend(Arc<Storage>);

impl StorageBackend for Backend {
    fn len(&self) -> io::Result<u64> {
        match &*self.0.draft() {
            Some(draft) => Ok(draft.length),
            None => self.0.file.len(),
        }
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        match &*self.0.draft() {
            Some(draft) => draft.read(&self.0.file, offset, len),
            None => self.0.file.read(offset, len),
        }
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        match &mut *self.0.draft() {
            Some(draft) => {
                draft.set_len(len);
                Ok(())
            }
            None => self.0.file.set_len(len),
        }
    }

    fn sync_data(&self, eventual: bool) -> io::Result<()> {
        match &*self.0.draft() {
            Some(_) => Ok(()),
            None => self.0.file.sync_data(eventual),
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        match &mut *self.0.draft() {
            Some(draft) => draft.write(&self.0.file, offset, data),
            None => self.0.file.write(offset, data),
        }
    }
}
