//! What differs between operating systems, all of it behind crates and all of
//! it here: groups of processes, their memory, suspension, open files, cores, and what the
//! machine is.

use process_wrap::std::CommandWrap;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use sysinfo::{CpuRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Makes the command the leader of its own process group, which is killed with it.
pub(super) fn grouped(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

/// Raises the limit of open files as far as the system lets a user without privileges: a game has six
/// pipes.
#[cfg(unix)]
pub(super) fn allow_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        ..limit
    };
    if let Err(error) = setrlimit(Resource::Nofile, most) {
        log::debug!("can't raise the limit of open files: {error}");
    }
}

/// No limit that matters here.
#[cfg(not(unix))]
pub(super) fn allow_open_files() {}

/// True on systems that can suspend processes.
pub const CAN_SUSPEND: bool = cfg!(unix);

/// Suspends or resumes the process group of this leader.
#[cfg(unix)]
pub(super) fn suspend(leader: u32, suspended: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = if suspended {
        Signal::STOP
    } else {
        Signal::CONT
    };
    let leader = i32::try_from(leader).ok().and_then(Pid::from_raw);
    // A group that is gone needs no signal.
    let _ = leader.map(|leader| kill_process_group(leader, signal));
}

/// Nothing that can be suspended here.
#[cfg(not(unix))]
pub(super) fn suspend(_leader: u32, _suspended: bool) {}

/// Returns whether a program was ended by a signal from outside, rather than by itself.
#[cfg(unix)]
pub(super) fn was_interrupted(status: ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let signals = [Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw);
    status
        .signal()
        .is_some_and(|signal| signals.contains(&signal))
}

/// Returns whether a program was ended by Ctrl-C, which all programs of a console get, or because the
/// console was closed.
#[cfg(windows)]
pub(super) fn was_interrupted(status: ExitStatus) -> bool {
    const CONTROL_C_EXIT: u32 = 0xC000_013A;
    status.code().map(i32::cast_unsigned) == Some(CONTROL_C_EXIT)
}

/// Other systems have no such status.
#[cfg(not(any(unix, windows)))]
pub(super) fn was_interrupted(_status: ExitStatus) -> bool {
    false
}

/// The machine in words: system, processor, threads and memory.
pub(super) fn machine() -> String {
    let mut system = System::new();
    system.refresh_cpu_list(CpuRefreshKind::nothing());
    system.refresh_memory();
    let name = System::long_os_version().unwrap_or_default();
    let processor = system.cpus().first().map_or("", |cpu| cpu.brand().trim());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = system.total_memory() as f64 / f64::from(1 << 30);
    let parts = [
        name,
        System::cpu_arch(),
        processor.to_owned(),
        format!("{threads} threads"),
        format!("{memory:.1} GiB"),
    ];
    let known: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    known.join(", ")
}

/// Pins this thread, and on Linux every program that it starts later, to one core. Returns true if
/// that worked.
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

    #[cfg(windows)]
    #[test]
    fn ctrl_c_is_distinguished_from_other_exits() {
        use std::os::windows::process::ExitStatusExt;
        assert!(was_interrupted(ExitStatus::from_raw(0xC000_013A)));
        assert!(!was_interrupted(ExitStatus::from_raw(1)));
    }
}
