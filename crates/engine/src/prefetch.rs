//! A hint to the processor that memory is read soon.

/// Asks the processor to have the first cache line of `value` ready soon. On other machines
/// than x86-64 and AArch64 this does nothing.
///
/// A plain load does so too, but the processor can't retire it before the memory has arrived,
/// and then nothing after it either: for the transposition table that took more than a tenth of
/// the time of the bench.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: every x86-64 processor has the instruction, and it reads and
    // writes nothing a program could see, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(target_arch = "aarch64")]
    #[allow(unsafe_code)]
    // SAFETY: the instruction is a hint that reads and writes nothing a program could see,
    // whatever the address.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(value),
            options(nostack, preserves_flags, readonly),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = value;
}
