//! Searches of many positions on several threads.

use anyhow::{Context, Result, anyhow};
use quincunx_engine::search::spawn_scoped;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does some work on every item, with a thread for each of the workers, and returns the results
/// in the order of the items.
pub(super) fn work_on_each<W: Send, I: Sync, T: Send>(
    workers: &mut [W],
    items: &[I],
    work: impl Fn(&mut W, &I) -> T + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for worker in workers {
            let (next, done, work) = (&next, &done, &work);
            let thread = spawn_scoped(scope, move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else {
                        return;
                    };
                    let came = work(worker, item);
                    if let Ok(mut done) = done.lock() {
                        done.push((number, came));
                    }
                }
            });
            threads.push(thread.context("can't start a thread")?);
        }
        for thread in threads {
            let ended = thread.join();
            ended.map_err(|_| anyhow!("the search has failed"))?;
        }
        Ok::<(), anyhow::Error>(())
    })?;
    let mut done = done
        .into_inner()
        .map_err(|_| anyhow!("the search has failed"))?;
    done.sort_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, came)| came).collect())
}
