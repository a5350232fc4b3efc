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

/// Runs `work`, whose reports `on_report` hears on the calling thread. `stop` is set once `on_report` fails
/// or Python has a signal for the program; `work` should end then.
///
/// # Errors
/// The error of `on_report` or of the signal, or that `work` failed.
pub(crate) fn watched<R: Send, T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    on_report: &mut dyn FnMut(R) -> PyResult<()>,
    work: impl FnOnce(&Sender<R>) -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, mut receiver) = mpsc::channel();
        let worker = spawn_scoped(scope, move || work(&sender))?;
        let mut outcome = Ok(());
        loop {
            let report;
            (receiver, report) = py.detach(move || {
                let report = receiver.recv_timeout(PATIENCE);
                (receiver, report)
            });
            let now = match report {
                // It is to end, and what it says until then is of no use.
                _ if outcome.is_err() && report.is_ok() => continue,
                Ok(report) => on_report(report),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if outcome.is_ok() {
                outcome = now.and_then(|()| py.check_signals());
            }
            if outcome.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        let done = py.detach(|| worker.join());
        outcome?;
        done.map_err(|_| PyRuntimeError::new_err("the search failed"))
    })
}
