//! Long calls: on a thread with the stack that a search needs, while the thread that asks
//! lets Python's other threads run, hears what is found, and notices Ctrl-C.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use quincunx_engine::search::spawn_scoped;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// The longest wait of Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(20);

/// Runs `work`, whose reports `hear` hears on the calling thread. `stop` is set once `hear` fails
/// or Python has a signal for the program; `work` should end then.
///
/// # Errors
/// The error of `hear` or of the signal, or that `work` failed.
pub(crate) fn watched<R: Send, T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    hear: &mut dyn FnMut(R) -> PyResult<()>,
    work: impl FnOnce(&Sender<R>) -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (tell, mut told) = mpsc::channel();
        let worker = spawn_scoped(scope, move || work(&tell))?;
        let mut heard = Ok(());
        loop {
            let report;
            (told, report) = py.detach(move || {
                let report = told.recv_timeout(PATIENCE);
                (told, report)
            });
            let now = match report {
                // It is to end, and what it says until then is of no use.
                _ if heard.is_err() && report.is_ok() => continue,
                Ok(report) => hear(report),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if heard.is_ok() {
                heard = now.and_then(|()| py.check_signals());
            }
            if heard.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let done = py.detach(|| worker.join());
        heard?;
        done.map_err(|_| PyRuntimeError::new_err("the search failed"))
    })
}
