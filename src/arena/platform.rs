//! What differs between operating systems, all of it behind crates and all of
//! it here: groups of processes, their memory, cores.

use process_wrap::std::CommandWrap;
use std::process::Command;
use std::sync::Mutex;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// The command as the leader of a group of its own, which is killed with it.
pub(super) fn grouped(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

/// Keeps this thread, and on Linux every program it starts from now on, on one
/// core. Says whether that worked.
pub(super) fn pin(worker: usize) -> bool {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    match cores.len() {
        0 => false,
        count => core_affinity::set_for_current(cores[worker % count]),
    }
}

/// Looks at the memory of processes and all their descendants, as judges of
/// tournaments do.
#[derive(Default)]
pub(super) struct MemoryMeter {
    system: Mutex<System>,
}

impl MemoryMeter {
    /// Bytes of memory in use by the trees of processes with these roots.
    pub(super) fn measure(&self, roots: &[u32]) -> Vec<u64> {
        let Ok(mut system) = self.system.lock() else {
            return vec![0; roots.len()];
        };
        let kind = ProcessRefreshKind::nothing().with_memory().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, kind);
        let mut sums = vec![0; roots.len()];
        for process in system.processes().values() {
            let mut ancestor = Some(process.pid());
            // No tree is deeper; a loop of reused numbers would have no end.
            for _ in 0..64 {
                let Some(pid) = ancestor else { break };
                if let Some(i) = roots.iter().position(|&root| Pid::from_u32(root) == pid) {
                    sums[i] += process.memory();
                    break;
                }
                ancestor = system.process(pid).and_then(sysinfo::Process::parent);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_this_process_is_seen() {
        let hoard = vec![1u8; 64 << 20];
        let sums = MemoryMeter::default().measure(&[std::process::id()]);
        assert!(sums[0] > 64 << 20, "{sums:?}");
        assert_eq!(hoard[1 << 20], 1);
    }
}
