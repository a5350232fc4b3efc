//! Memory for a large table: zeroed, shared between threads, and where possible
//! in large pages.

#[cfg(feature = "pages")]
pub(super) use mapped::Pages;
#[cfg(feature = "pages")]
pub use mapped::has_room;
#[cfg(not(feature = "pages"))]
pub(super) use plain::Pages;
#[cfg(not(feature = "pages"))]
pub use plain::has_room;

/// Memory mapped by the system.
///
/// A search touches its table all over from the first node on, and the system
/// takes a microsecond or more to provide a page of 4 KiB. With as many pages as
/// nodes that is half of the time of the first moves. Linux provides pages of 2 MiB
/// on request. Other systems use their usual pages.
#[cfg(feature = "pages")]
mod mapped {
    use bytemuck::Zeroable;
    use memmap2::{MmapMut, MmapOptions, MmapRaw};
    use std::marker::PhantomData;
    use std::ops::Deref;
    use std::slice;

    /// The maximum memory of the rest of a search, in bytes. A table leaves this much.
    const REST: usize = 32 << 20;

    /// A table up to this size, in bytes, is made without regard to the rest.
    const SMALL: usize = 64 << 10;

    /// Returns whether the system has this much free memory now, in bytes.
    pub fn has_room(bytes: usize) -> bool {
        MmapOptions::new().len(bytes).map_anon().is_ok()
    }

    /// Values in zeroed memory that is shared between threads. They are never
    /// dropped.
    pub(in crate::search) struct Pages<T> {
        memory: MmapRaw,
        count: usize,
        values: PhantomData<T>,
    }

    impl<T: Zeroable + Sync> Pages<T> {
        /// Allocates this many values, at least one. There are fewer if the system has less
        /// memory than they and the rest of a search take.
        ///
        /// # Panics
        /// When there is no memory for a single one.
        pub(in crate::search) fn zeroed(count: usize) -> Pages<T> {
            const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 4096) };
            let mut count = count.max(1);
            loop {
                let bytes = count.saturating_mul(size_of::<T>());
                let is_enough = bytes <= SMALL || has_room(bytes.saturating_add(REST));
                let memory = is_enough.then(|| MmapOptions::new().len(bytes).map_anon());
                match memory {
                    Some(Ok(memory)) => {
                        ask_for_large_pages(&memory);
                        return Pages {
                            memory: memory.into(),
                            count,
                            values: PhantomData,
                        };
                    }
                    Some(Err(error)) if count == 1 => panic!("no memory at all: {error}"),
                    _ => {
                        log::warn!("no memory for {bytes} bytes, trying half");
                        count /= 2;
                    }
                }
            }
        }

        /// Leaves only the first values, if there are more.
        pub(in crate::search) fn truncate(&mut self, count: usize) {
            self.count = self.count.min(count);
        }
    }

    impl<T: Zeroable + Sync> Deref for Pages<T> {
        type Target = [T];

        #[inline]
        #[allow(unsafe_code)]
        fn deref(&self) -> &[T] {
            // SAFETY: the mapping is of `count` values at least, begins with a
            // page and thus is aligned, and lives and stays in place as long as
            // `self`. It was zeroed, which is a value of a `Zeroable` type, and
            // it is written to through these references only.
            unsafe { slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
        }
    }

    #[cfg(target_os = "linux")]
    fn ask_for_large_pages(memory: &MmapMut) {
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages: {error}");
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn ask_for_large_pages(_: &MmapMut) {}
}

/// Memory from the allocator.
#[cfg(any(test, not(feature = "pages")))]
mod plain {
    use bytemuck::Zeroable;
    use bytemuck::allocation::try_zeroed_slice_box;
    use std::ops::Deref;

    /// Returns whether the system has this much free memory now, in bytes.
    #[cfg(not(feature = "pages"))]
    pub fn has_room(bytes: usize) -> bool {
        Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
    }

    /// Values in zeroed memory.
    pub(in crate::search) struct Pages<T>(Box<[T]>);

    impl<T: Zeroable> Pages<T> {
        /// Allocates this many values, at least one. There are fewer if there is less memory.
        ///
        /// # Panics
        /// When there is no memory for a single one.
        pub(in crate::search) fn zeroed(count: usize) -> Pages<T> {
            let mut count = count.max(1);
            loop {
                match try_zeroed_slice_box(count) {
                    Ok(values) => return Pages(values),
                    Err(()) if count == 1 => panic!("no memory at all"),
                    Err(()) => count /= 2,
                }
            }
        }

        /// Leaves only the first values, if there are more.
        pub(in crate::search) fn truncate(&mut self, count: usize) {
            let mut values = std::mem::take(&mut self.0).into_vec();
            values.truncate(count);
            self.0 = values.into_boxed_slice();
        }
    }

    impl<T> Deref for Pages<T> {
        type Target = [T];

        #[inline]
        fn deref(&self) -> &[T] {
            &self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn is_zeroed_and_keeps_what_is_written(values: &[AtomicU64]) {
        assert!(values.iter().all(|value| value.load(Relaxed) == 0));
        for (i, value) in values.iter().enumerate() {
            value.store(i as u64, Relaxed);
        }
        let mut numbered = (0..).zip(values);
        assert!(numbered.all(|(i, value)| value.load(Relaxed) == i));
    }

    #[test]
    fn memory_is_zeroed_and_keeps_what_is_written() {
        for count in [0, 1, 3, 100_000] {
            let mut pages = super::Pages::<AtomicU64>::zeroed(count);
            let mut plain = super::plain::Pages::<AtomicU64>::zeroed(count);
            assert_eq!((pages.len(), plain.len()), (count.max(1), count.max(1)));
            is_zeroed_and_keeps_what_is_written(&pages);
            is_zeroed_and_keeps_what_is_written(&plain);
            pages.truncate(2);
            plain.truncate(2);
            assert_eq!(
                (pages.len(), plain.len()),
                (count.clamp(1, 2), count.clamp(1, 2))
            );
        }
    }

    #[test]
    fn what_is_too_large_becomes_smaller() {
        let pages = super::Pages::<AtomicU64>::zeroed(usize::MAX / 8);
        assert!(!pages.is_empty());
        assert_eq!(pages[pages.len() - 1].load(Relaxed), 0);
        assert!(super::has_room(1 << 20));
        assert!(!super::has_room(usize::MAX / 8));
    }
}
