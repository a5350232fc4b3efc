//! The memory watchdog: looks at the memory of engines that have a limit, on a
//! thread of its own, and raises an alarm when one passes it.

use super::platform::MemoryMeter;
use crossbeam_channel::{Receiver, Sender, bounded, tick};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The interval between two measurements of the memory.
const INTERVAL: Duration = Duration::from_millis(100);

/// A process with a limit.
struct LimitedProcess {
    limit: u64,
    alarm: Sender<u64>,
}

/// The processes under watch, by their numbers.
#[derive(Default)]
pub(super) struct MemoryWatchdog {
    processes: Mutex<HashMap<u32, LimitedProcess>>,
}

impl MemoryWatchdog {
    fn processes(&self) -> MutexGuard<'_, HashMap<u32, LimitedProcess>> {
        self.processes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches the process with this number. The receiver gets the memory it
    /// used when it passed the limit, in bytes.
    pub(super) fn watch(&self, process: u32, limit: u64) -> Receiver<u64> {
        let (alarm, raised) = bounded(1);
        self.processes()
            .insert(process, LimitedProcess { limit, alarm });
        raised
    }

    /// Stops watching a process.
    pub(super) fn forget(&self, process: u32) {
        self.processes().remove(&process);
    }

    /// Watches until `end` is closed.
    pub(super) fn run(&self, end: &Receiver<()>) {
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
        let roots: Vec<u32> = self.processes().keys().copied().collect();
        if roots.is_empty() {
            return;
        }
        let used = meter.measure(&roots);
        let processes = self.processes();
        for (root, used) in roots.iter().zip(used) {
            if let Some(watched) = processes.get(root).filter(|watched| used > watched.limit) {
                watched.alarm.try_send(used).ok();
            }
        }
    }
}
