//! Watches the memory of the programs that have a limit, on a thread of its
//! own, and raises an alarm for those that pass it.

use super::platform::MemoryMeter;
use crossbeam_channel::{Receiver, Sender, bounded, tick};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often the memory is looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// A program under watch.
struct Ward {
    limit: u64,
    alarm: Sender<u64>,
}

/// The programs under watch.
#[derive(Default)]
pub(super) struct Warden {
    wards: Mutex<HashMap<u32, Ward>>,
}

impl Warden {
    /// Watches the process with this number; what comes out is how much it
    /// used when it passed the limit.
    pub(super) fn watch(&self, process: u32, limit: u64) -> Receiver<u64> {
        let (alarm, heard) = bounded(1);
        let mut wards = self.wards.lock().unwrap_or_else(PoisonError::into_inner);
        wards.insert(process, Ward { limit, alarm });
        heard
    }

    /// Stops watching it.
    pub(super) fn forget(&self, process: u32) {
        let mut wards = self.wards.lock().unwrap_or_else(PoisonError::into_inner);
        wards.remove(&process);
    }

    /// Watches until `end` is closed.
    pub(super) fn patrol(&self, end: &Receiver<()>) {
        let meter = MemoryMeter::default();
        let ticks = tick(INTERVAL);
        loop {
            crossbeam_channel::select! {
                recv(ticks) -> _ => self.look(&meter),
                recv(end) -> _ => return,
            }
        }
    }

    fn look(&self, meter: &MemoryMeter) {
        let roots: Vec<u32> = {
            let wards = self.wards.lock().unwrap_or_else(PoisonError::into_inner);
            wards.keys().copied().collect()
        };
        if roots.is_empty() {
            return;
        }
        let used = meter.measure(&roots);
        let wards = self.wards.lock().unwrap_or_else(PoisonError::into_inner);
        for (root, used) in roots.iter().zip(used) {
            if let Some(ward) = wards.get(root).filter(|ward| used > ward.limit) {
                ward.alarm.try_send(used).ok();
            }
        }
    }
}
