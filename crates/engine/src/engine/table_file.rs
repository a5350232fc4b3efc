//! The transposition table as bytes, so that an analysis can be continued another day.
//! Callers open the files.
//!
//! All numbers little endian:
//!
//! | bytes | |
//! |---|---|
//! | 8 | `QXHASH` and two zero bytes |
//! | 4 | version, [`VERSION`] |
//! | 4 | the checksum of the weights of the evaluation |
//! | 16 each | records: the key of a position, and what is known of it |
//! | 4 | CRC-32 of everything before |
//!
//! The file does not say how large the table was. Its records can be added to a table of any
//! size.

use super::handle::Engine;
use super::options::TableSize;
use crate::search::{TranspositionTable, TtRecord};
use std::io::{self, BufReader, Read, Seek, Write};
use std::sync::Arc;

/// The version of the format. It increases whenever the keys of positions or the meaning of
/// a record's bits change.
const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"QXHASH\0\0";
const HEADER: usize = 16;
const RECORD: usize = 16;
const CHECKSUM: usize = 4;

/// The number of records that are read at once.
const BATCH: usize = 4096;

/// Why a transposition table can't be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The file can't be read or written.
    #[error(transparent)]
    System(#[from] io::Error),
    /// A search or a preparation that was stopped has not ended yet.
    #[error("the hash table is in use")]
    Busy,
    /// There is no table to save.
    #[error("the hash table is empty")]
    Empty,
    /// The file is not a transposition table.
    #[error("no hash table is in this file")]
    Foreign,
    /// The file was made by another version of this program.
    #[error("a hash table of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The values in the file come from another evaluation.
    #[error("a hash table from searches with other weights")]
    Evaluation,
    /// The file has changed since it was written.
    #[error("the file is cut off or damaged")]
    Damaged,
}

/// Returns whether a file with this start holds a transposition table, of any version.
pub fn is_table_file(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

impl Engine {
    /// Writes the transposition table to `file`. Returns the number of positions. A running
    /// search is stopped, and the table can be saved a moment later.
    ///
    /// # Errors
    /// When a search has not ended yet, there is no table, or the file can't be written.
    pub fn save_table(&mut self, file: impl Write) -> Result<u64, TableFileError> {
        self.stop();
        self.stop_preparing();
        let shared = Arc::clone(&self.memory);
        let _memory = shared.try_lock().ok_or(TableFileError::Busy)?;
        let table = self.memory.table().ok_or(TableFileError::Empty)?;
        save(&table, self.weights.checksum(), file)
    }

    /// Adds the positions that [`Engine::save_table`] has written to the transposition
    /// table, which may have another size. Returns the number of positions read. If
    /// there is no room for all of them, those that were searched deepest stay. A
    /// running search is stopped, and the table can be loaded a moment later.
    ///
    /// # Errors
    /// When a search has not ended yet, or the file can't be read, is something else, or comes
    /// from searches with other weights. The table is then unchanged.
    pub fn load_table(&mut self, file: impl Read + Seek) -> Result<u64, TableFileError> {
        self.stop();
        self.stop_preparing();
        let shared = Arc::clone(&self.memory);
        // A thread that waited here could not receive what the search reports.
        let mut memory = shared.try_lock().ok_or(TableFileError::Busy)?;
        let file = TableFile::open(file, self.weights.checksum())?;
        // A new table has room for all that the file may hold. An old one stays
        // only if the next search keeps it too, and if it is whole.
        let size = TableSize {
            new: self.options().table_bytes(),
            time: u64::MAX,
            ..self.table_size()
        };
        let table = self.memory.reusable_table(&size, &self.weights);
        let table = table.unwrap_or_else(|| {
            memory.forget();
            (self.memory).new_table(&size, &self.weights, &|| false, &|| false)
        });
        self.memory.mark_used();
        file.read_into(&table)
    }
}

/// Writes all that `table` knows to `file`. Returns the number of records. They are of use
/// with the evaluation that has this checksum as its `mark`.
fn save(table: &TranspositionTable, mark: u32, file: impl Write) -> Result<u64, TableFileError> {
    let mut out = Summing {
        inner: file,
        hasher: crc32fast::Hasher::new(),
    };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&mark.to_le_bytes())?;
    let mut count = 0;
    for TtRecord { key, data } in table.records() {
        out.write_all(&key.to_le_bytes())?;
        out.write_all(&data.to_le_bytes())?;
        count += 1;
    }
    let sum = out.hasher.finalize();
    out.inner.write_all(&sum.to_le_bytes())?;
    Ok(count)
}

/// Computes the checksum of what is written through to `inner`.
struct Summing<W> {
    inner: W,
    hasher: crc32fast::Hasher,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A table file whose checksum is right.
#[derive(Debug)]
struct TableFile<R> {
    reader: BufReader<R>,
    records: u64,
}

impl<R: Read + Seek> TableFile<R> {
    /// Opens a file that [`save`] has written with the same `mark`. A file may be
    /// larger than the memory, so it is read twice: first for its checksum.
    fn open(mut file: R, mark: u32) -> Result<TableFile<R>, TableFileError> {
        let length = file.seek(io::SeekFrom::End(0))?;
        file.rewind()?;
        let mut reader = BufReader::new(file);
        let mut header = [0; HEADER];
        read_whole(&mut reader, &mut header, TableFileError::Foreign)?;
        let (magic, numbers) = header.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(TableFileError::Foreign);
        }
        let (numbers, _) = numbers.as_chunks::<4>();
        if numbers[0] != VERSION.to_le_bytes() {
            return Err(TableFileError::Version(u32::from_le_bytes(numbers[0])));
        }
        let body = length.checked_sub((HEADER + CHECKSUM) as u64);
        let records = body.filter(|body| body % RECORD as u64 == 0);
        let records = records.ok_or(TableFileError::Damaged)? / RECORD as u64;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&header);
        let mut file = TableFile { reader, records };
        file.read_records(|bytes| hasher.update(bytes))?;
        let mut sum = [0; CHECKSUM];
        read_whole(&mut file.reader, &mut sum, TableFileError::Damaged)?;
        if hasher.finalize() != u32::from_le_bytes(sum) {
            return Err(TableFileError::Damaged);
        }
        if numbers[1] != mark.to_le_bytes() {
            return Err(TableFileError::Evaluation);
        }
        file.reader.seek(io::SeekFrom::Start(HEADER as u64))?;
        Ok(file)
    }

    /// Adds every record to `table`. Returns their number.
    fn read_into(mut self, table: &TranspositionTable) -> Result<u64, TableFileError> {
        let records = self.records;
        self.read_records(|bytes| {
            let (words, _) = bytes.as_chunks::<8>();
            for pair in words.chunks_exact(2) {
                let [key, data] = [pair[0], pair[1]].map(u64::from_le_bytes);
                table.add(TtRecord { key, data });
            }
        })?;
        Ok(records)
    }

    /// Reads the records from where the file stands, in batches.
    fn read_records(&mut self, mut hear: impl FnMut(&[u8])) -> Result<(), TableFileError> {
        let mut bytes = vec![0; BATCH * RECORD];
        let mut left = self.records;
        while left > 0 {
            let batch = left.min(BATCH as u64);
            let bytes = &mut bytes[..batch as usize * RECORD];
            read_whole(&mut self.reader, bytes, TableFileError::Damaged)?;
            hear(bytes);
            left -= batch;
        }
        Ok(())
    }
}

/// Fills `bytes`; `short` is the error if the input ends too early.
fn read_whole(
    reader: &mut impl Read,
    bytes: &mut [u8],
    short: TableFileError,
) -> Result<(), TableFileError> {
    reader
        .read_exact(bytes)
        .map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => short,
            _ => TableFileError::System(error),
        })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::{BoardSize, Rule};
    use crate::search::{Limits, Searcher};
    use std::collections::HashSet;
    use std::io::Cursor;

    const MARK: u32 = 0x1234_5678;

    fn searched() -> Arc<TranspositionTable> {
        let moves = "h8i9g9h9h10";
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).unwrap();
        let table = Arc::new(TranspositionTable::new(1 << 20));
        let limits = Limits {
            nodes: 20_000,
            ..Limits::default()
        };
        Searcher::new(Arc::clone(&table), Arc::default()).search(&position, &limits, &mut ());
        table
    }

    fn keys(table: &TranspositionTable) -> HashSet<u64> {
        table.records().map(|record| record.key).collect()
    }

    #[test]
    fn tables_come_back_as_they_went() {
        let table = searched();
        let mut bytes = Vec::new();
        let count = save(&table, MARK, &mut bytes).unwrap();
        let file = || Cursor::new(&bytes);
        assert!(count > 5_000, "{count}");
        let larger = TranspositionTable::new(1 << 24);
        let read = TableFile::open(file(), MARK).unwrap().read_into(&larger);
        assert_eq!(read.unwrap(), count);
        assert_eq!(keys(&larger), keys(&table));
        let smaller = TranspositionTable::new(1 << 16);
        let read = TableFile::open(file(), MARK).unwrap().read_into(&smaller);
        assert_eq!(read.unwrap(), count);
        assert!(keys(&smaller).is_subset(&keys(&table)));
        let other = TableFile::open(file(), MARK + 1).unwrap_err();
        assert!(matches!(other, TableFileError::Evaluation));
    }

    #[test]
    fn damage_is_found() {
        let table = TranspositionTable::new(1 << 12);
        for key in 1..=40u64 {
            table.add(TtRecord {
                key: key << 57,
                data: key << 42,
            });
        }
        let mut good = Vec::new();
        save(&table, MARK, &mut good).unwrap();
        let refused = |bytes: &[u8]| TableFile::open(Cursor::new(bytes), MARK).unwrap_err();
        for length in 0..good.len() {
            assert!(!matches!(
                refused(&good[..length]),
                TableFileError::System(_)
            ));
        }
        for at in 0..good.len() {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            refused(&bytes);
        }
        assert!(matches!(
            refused(&[&good[..], b"!"].concat()),
            TableFileError::Damaged
        ));
        assert!(matches!(
            refused(b"GIF89a, no table"),
            TableFileError::Foreign
        ));
        let mut newer = good.clone();
        newer[MAGIC.len()] += 1;
        assert!(matches!(refused(&newer), TableFileError::Version(3)));
    }

    /// Files live longer than programs: a change to the keys of positions,
    /// or the bits of a record, needs a new version.
    #[test]
    fn keys_are_those_of_this_version() {
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), "h8i9g9").unwrap();
        assert_eq!((VERSION, position.key()), (2, 0xC4C2_26CC_C90A_C152));
    }
}
