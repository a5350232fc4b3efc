//! Threads with the stack of a search. Items are handed out and results are collected on the
//! thread of the caller, so neither needs a lock.

use quincunx_engine::search::spawn_scoped;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;

/// Starts a thread for each of the workers and gives it one item after another. `work` emits any
/// number of results of an item, and `take` gets them as they come. A worker gets its next item
/// after all results of the last have been taken. After a break no item is handed out and no
/// result is taken.
///
/// # Errors
/// Returns an error if the system can't start a thread.
pub fn pool<W: Send, I: Send, T: Send>(
    workers: impl IntoIterator<Item = W>,
    mut next: impl FnMut() -> Option<I>,
    work: impl Fn(&mut W, I, &dyn Fn(T)) + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    std::thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut inboxes = Vec::new();
        for (number, mut worker) in workers.into_iter().enumerate() {
            let (inbox, items) = channel();
            let (sender, work) = (sender.clone(), &work);
            spawn_scoped(scope, move || {
                // The collector receives as long as there are workers.
                while sender.send((number, None)).is_ok()
                    && let Ok(item) = items.recv()
                {
                    work(&mut worker, item, &|result| {
                        let _ = sender.send((number, Some(result)));
                    });
                }
            })?;
            inboxes.push(Some(inbox));
        }
        drop(sender);
        let mut goes_on = true;
        for (number, result) in messages {
            match result {
                Some(result) if goes_on => goes_on = take(result).is_continue(),
                Some(_) => {}
                None => {
                    let item = if goes_on { next() } else { None };
                    // A worker without an inbox ends.
                    if let Some((inbox, item)) = inboxes[number].take().zip(item) {
                        // The item of a worker that has panicked is lost: the scope panics, too.
                        let _ = inbox.send(item);
                        inboxes[number] = Some(inbox);
                    }
                }
            }
        }
        Ok(())
    })
}

/// Works on every item, and takes the results in the order of the items until a break.
///
/// # Errors
/// Returns an error if the system can't start a thread.
pub fn in_order<W: Send, I: Send, T: Send>(
    workers: impl IntoIterator<Item = W>,
    items: impl IntoIterator<Item = I>,
    work: impl Fn(&mut W, I) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut items = (0..).zip(items);
    let mut finished: BTreeMap<usize, T> = BTreeMap::new();
    let mut due = 0;
    pool(
        workers,
        || items.next(),
        |worker, (number, item), emit| emit((number, work(worker, item))),
        |(number, result)| {
            finished.insert(number, result);
            while let Some(result) = finished.remove(&due) {
                due += 1;
                take(result)?;
            }
            ControlFlow::Continue(())
        },
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let work = |_: &mut (), item: u64| {
            std::thread::sleep(Duration::from_millis(20 - item));
            item
        };
        let mut results = Vec::new();
        let take = |result| {
            results.push(result);
            ControlFlow::Continue(())
        };
        in_order([(); 4], 0..20, work, take).unwrap();
        assert_eq!(results, (0..20).collect::<Vec<u64>>());
    }

    #[test]
    fn a_break_ends_the_run() {
        let mut results = Vec::new();
        let take = |result| {
            results.push(result);
            match result {
                5 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        in_order([(); 3], 0.., |_: &mut (), item| item, take).unwrap();
        assert_eq!(results, [0, 1, 2, 3, 4, 5]);
    }

    /// What one worker has learned decides its next item.
    #[test]
    fn one_worker_gets_its_next_item_after_its_results_are_taken() {
        let taken = Cell::new(0);
        let next = || Some(taken.get()).filter(|&taken| taken < 20);
        let work = |worker: &mut i32, item, emit: &dyn Fn(i32)| {
            assert_eq!(*worker, item);
            *worker += 2;
            (0..2).for_each(|_| emit(1));
        };
        let take = |result| {
            taken.set(taken.get() + result);
            ControlFlow::Continue(())
        };
        pool([0], next, work, take).unwrap();
        assert_eq!(taken.get(), 20);
    }
}
