//! The priority of threads that may wait.

/// Lets everything else on the machine go before this thread and those that it starts,
/// where the system has priorities of threads.
pub fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 10) {
        log::warn!("event=priority error={error}");
    }
}
