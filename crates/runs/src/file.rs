//! The file of a run. A run appends to it what is done, and an interrupted run resumes behind
//! what the file holds. Until all of that is found to be of the same run, nothing is changed.

use super::header::Header;
use quincunx_files::{LockedFile, WriteError, checked_json, open_locked, whole_lines};
use serde::de::DeserializeOwned;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The length of the start of a file of another run that an error describes.
const START: u64 = 1 << 16;

/// The error of a file that can't be resumed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file can't be read or written, or is in use by another run.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file has another header.
    #[error("can't resume {}: {why}: choose another file", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The settings that differ.
        why: String,
    },
    /// A record is not as it was written.
    #[error("{}: line {line} is damaged: without the line, no more than its record is lost", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, from one.
        line: usize,
    },
    /// A record is of another kind.
    #[error("{}: line {line} has another kind of record", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the line, from one.
        line: usize,
        /// The reason.
        source: serde_json::Error,
    },
}

/// A file that only this run has open. It reads what is behind the header, and once it is resumed
/// it writes behind that. Its errors name the file.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    file: LockedFile,
    header: Header,
    /// Whether the file has the whole header.
    is_begun: bool,
}

impl RunFile {
    /// Opens the file at `path`, or creates it. A file whose header was cut off holds nothing.
    ///
    /// # Errors
    /// Returns an error if the file has another header, can't be read and written, is in use by
    /// another run, or is no regular file.
    pub fn open(path: &Path, header: Header) -> Result<RunFile, RunError> {
        let file = open_locked(path)?;
        let mut run = RunFile {
            path: path.to_owned(),
            file,
            header,
            is_begun: false,
        };
        let length = run.header.line.len();
        let mut start = Vec::new();
        (&mut run).take(length as u64).read_to_end(&mut start)?;
        run.is_begun = start.len() == length;
        if !run.header.line.starts_with(&start) {
            (&mut run).take(START).read_to_end(&mut start)?;
            let why = run.header.mismatch(&start);
            let path = run.path;
            return Err(RunError::Other { path, why });
        }
        Ok(run)
    }

    /// Reads all that is behind the header.
    ///
    /// # Errors
    /// Returns an error if the file can't be read.
    pub fn contents(&mut self) -> io::Result<Vec<u8>> {
        let mut contents = Vec::new();
        self.read_to_end(&mut contents)?;
        Ok(contents)
    }

    /// Reads the checked records behind the header, and resumes the run behind them if `accept`
    /// takes all of them. It gets the number of each line.
    ///
    /// # Errors
    /// Returns an error if a record is damaged or of another kind, and those of `accept`.
    pub fn resume_records<R: DeserializeOwned, E: From<RunError>>(
        &mut self,
        mut accept: impl FnMut(usize, R) -> Result<(), E>,
    ) -> Result<(), E> {
        let contents = self.contents().map_err(RunError::from)?;
        let whole = whole_lines(&contents);
        for (line, record) in records(&self.path, &self.header, whole) {
            accept(line, record?)?;
        }
        Ok(self.resume(whole.len() as u64).map_err(RunError::from)?)
    }

    /// Keeps this many bytes behind the header, and cuts off the others. Later writes come after
    /// them.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn resume(&mut self, length: u64) -> io::Result<()> {
        let end = match self.is_begun {
            true => self.header.line.len() as u64 + length,
            false => 0,
        };
        let cut = self.file.set_len(end);
        let cut = cut.and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut.map_err(|error| self.named(error))?;
        if !self.is_begun {
            let header = self.header.line.clone();
            self.write_all(&header)?;
            self.is_begun = true;
        }
        Ok(())
    }

    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), WriteError::new(&self.path, error))
    }
}

impl Read for RunFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes);
        read.map_err(|error| self.named(error))
    }
}

impl Write for RunFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        flushed.map_err(|error| self.named(error))
    }
}

/// Returns the checked records in the lines behind the header, each with the number of its line in
/// the file. Where files of shards were concatenated, the header stands between them, too.
pub fn records<'a, R: DeserializeOwned>(
    path: &'a Path,
    header: &'a Header,
    lines: &'a [u8],
) -> impl Iterator<Item = (usize, Result<R, RunError>)> + 'a {
    let first = 1 + usize::from(!header.line.is_empty());
    let lines = (first..).zip(lines.split_inclusive(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| *line != header.line);
    lines.map(move |(line, text)| {
        let path = || path.to_owned();
        let json = checked_json(text).ok_or_else(|| RunError::Damaged { path: path(), line });
        let record = json.and_then(|json| {
            serde_json::from_slice(&json).map_err(|source| RunError::Record {
                path: path(),
                line,
                source,
            })
        });
        (line, record)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_files::checked_line;
    use std::error::Error;
    use std::fs;

    fn header() -> Header {
        Header::of(r#"{"sums":1,"seed":7}"#)
    }

    /// Opens the file of a run of pairs of numbers, resumes it, and returns the pairs.
    fn resume(path: &Path) -> Result<(RunFile, Vec<[u32; 2]>), RunError> {
        let mut file = RunFile::open(path, header())?;
        let mut pairs = Vec::new();
        file.resume_records(|_, pair| {
            pairs.push(pair);
            Ok::<(), RunError>(())
        })?;
        Ok((file, pairs))
    }

    /// Wherever an interruption comes, a run that resumes ends with the same file.
    #[test]
    fn a_run_resumes_wherever_it_was_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let all = [[1, 2], [3, 4], [5, 6]];
        let run = || {
            let (mut file, pairs) = resume(&path).unwrap();
            for pair in &all[pairs.len()..] {
                let line = checked_line(&serde_json::to_string(pair).unwrap());
                file.write_all(line.as_bytes()).unwrap();
            }
            fs::read(&path).unwrap()
        };
        let whole = run();
        for end in 0..=whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert_eq!(run(), whole, "interrupted after {end} bytes");
        }
    }

    #[test]
    fn files_of_shards_are_concatenated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let shard = format!("{{\"sums\":1,\"seed\":7}}\n{}", checked_line("[1,2]"));
        fs::write(&path, shard.repeat(2)).unwrap();
        assert_eq!(resume(&path).unwrap().1, [[1, 2]; 2]);
    }

    #[test]
    fn files_of_other_runs_are_refused_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let begun = "{\"sums\":1,\"seed\":7}\n";
        for (text, expected) in [
            ("{\"sums\":1,\"seed\":8}\n", "another run: seed 8, not 7: "),
            ("my only copy", "of another run, or of another kind: "),
            ("{\"a\":1}\n", "of another run, or of another kind: "),
            (&format!("{begun}[1,2]\n"), "line 2 is damaged"),
            (&format!("{begun}{}", checked_line("[1]")), "line 2 has"),
        ] {
            fs::write(&path, text).unwrap();
            let error = resume(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn one_run_has_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let first = resume(&path).unwrap();
        let refused = resume(&path).unwrap_err().to_string();
        assert!(refused.ends_with("run is in use by another run"));
        drop(first);
        assert!(resume(&path).is_ok());
        let error = resume(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("is no regular file"), "{error}");
        let error = resume(&path.with_file_name("none").join("run")).unwrap_err();
        assert!(error.to_string().starts_with("can't write "), "{error}");
        assert!(error.source().is_some(), "the reason is lost");
    }
}
