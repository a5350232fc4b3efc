//! Memory for large files, asked for before they are read: without it the program would end
//! in the middle of one.

/// Files up to this size are read without a question.
const SMALL: usize = 1 << 22;

/// There is not enough memory for what a file becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} MiB need about {} MiB of memory, which there are not: read it in parts",
    .length >> 20,
    .needed >> 20
)]
pub struct MemoryError {
    /// The bytes of the file.
    pub length: usize,
    /// The bytes that its games take.
    pub needed: usize,
}

/// Whether there is as much memory as the games of a large file take.
///
/// # Errors
/// When there is not.
pub fn expect_memory(length: usize, needed: usize) -> Result<(), MemoryError> {
    if length <= SMALL {
        return Ok(());
    }
    let mut memory = Vec::<u8>::new();
    let tried = memory.try_reserve_exact(needed);
    // The compiler may leave out memory that is not used.
    std::hint::black_box(memory.as_mut_ptr());
    tried.map_err(|_| MemoryError { length, needed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert!(expect_memory(usize::MAX, 1 << 20).is_ok());
        assert!(expect_memory(1000, usize::MAX).is_ok());
        let error = expect_memory(5 << 20, usize::MAX).map_err(|error| error.to_string());
        let error = error.err().unwrap_or_default();
        assert!(error.starts_with("5 MiB need about "), "{error}");
    }
}
