//! Self-play games as structured arrays of numpy.

use crate::game::{Size, invalid};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};
use quincunx_engine::rules::BoardSize;
use quincunx_train::numpy::{BOARD, FIELDS, SampleError, SampleReader};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

/// Arrays of so many samples one after another.
#[pyclass(module = "quincunx")]
pub(crate) struct Batches {
    path: PathBuf,
    reader: SampleReader<BufReader<File>>,
    count: usize,
    /// Records that were read and not handed out.
    pending: Vec<u8>,
}

/// All samples of a file of games.
#[pyfunction]
#[pyo3(signature = (path, *, size = None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    size: Option<Size>,
) -> PyResult<Bound<'_, PyAny>> {
    let size = size.map(|size| size.board()).transpose()?;
    let games = fs::read(&path).map_err(|error| unopened(&path, &error))?;
    let with_path = |error: SampleError| unreadable(&path, &error);
    let count = SampleReader::new(&games[..], size).and_then(SampleReader::count);
    let mut reader = SampleReader::new(&games[..], size).map_err(with_path)?;
    let (board, bytes) = (reader.size(), reader.record_bytes());
    let records = PyByteArray::new_with(py, count.map_err(with_path)? * bytes, |place| {
        let (mut at, mut game) = (0, Vec::new());
        while reader.next_game(&mut game).map_err(with_path)? {
            place[at..at + game.len()].copy_from_slice(&game);
            at += game.len();
            game.clear();
        }
        Ok(())
    })?;
    array(&records, board)
}

/// The samples of a file of games, so many at a time.
#[pyfunction]
#[pyo3(signature = (path, count, *, size = None))]
pub(crate) fn batches(path: PathBuf, count: usize, size: Option<Size>) -> PyResult<Batches> {
    if count == 0 {
        return Err(invalid("a batch has at least one sample"));
    }
    let size = size.map(|size| size.board()).transpose()?;
    let file = File::open(&path).map_err(|error| unopened(&path, &error))?;
    let reader = SampleReader::new(BufReader::new(file), size);
    Ok(Batches {
        reader: reader.map_err(|error| unreadable(&path, &error))?,
        path,
        count,
        pending: Vec::new(),
    })
}

#[pymethods]
impl Batches {
    fn __iter__(batches: PyRef<'_, Self>) -> PyRef<'_, Self> {
        batches
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let bytes = self.count.saturating_mul(self.reader.record_bytes());
        while self.pending.len() < bytes {
            let read = self.reader.next_game(&mut self.pending);
            if !read.map_err(|error| unreadable(&self.path, &error))? {
                break;
            }
        }
        if self.pending.is_empty() {
            return Ok(None);
        }
        let rest = self.pending.split_off(bytes.min(self.pending.len()));
        let records = PyByteArray::new(py, &self.pending);
        self.pending = rest;
        array(&records, self.reader.size()).map(Some)
    }
}

/// Records as a structured array.
fn array<'py>(records: &Bound<'py, PyByteArray>, board: BoardSize) -> PyResult<Bound<'py, PyAny>> {
    let py = records.py();
    let numpy = py.import("numpy")?;
    let fields = PyList::new(py, FIELDS)?;
    let shape = (board.height(), board.width());
    fields.append((BOARD.0, BOARD.1, shape))?;
    let kind = numpy.call_method1("dtype", (fields,))?;
    numpy.call_method1("frombuffer", (records, kind))
}

/// The error of a file that can't be opened, by its kind, such as `FileNotFoundError`.
fn unopened(path: &Path, error: &io::Error) -> PyErr {
    let text = format!("can't read {}: {error}", path.display());
    io::Error::new(error.kind(), text).into()
}

/// The error of a file with something else in it, with all of its causes.
fn unreadable(path: &Path, error: &SampleError) -> PyErr {
    let mut text = format!("can't read {}: {error}", path.display());
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    invalid(text)
}
