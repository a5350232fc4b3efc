//! Panics of the engine's own threads and errors that it logs: both are caught
//! there, so that a game can go on, and neither may happen.

use std::sync::{Mutex, Once};

static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Faults;

impl log::Log for Faults {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Error
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            FAULTS.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

pub(crate) fn faults() -> Vec<String> {
    std::mem::take(&mut FAULTS.lock().unwrap())
}

pub(crate) fn record_faults() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Faults).unwrap();
        log::set_max_level(log::LevelFilter::Error);
    });
}
