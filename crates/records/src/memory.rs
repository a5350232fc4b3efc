//! Memory for large files. A program that asks for more than there is ends in the middle of a
//! file, so everything that grows with a file asks first.

use std::collections::TryReserveError;

/// There is not enough memory for the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the games of this file need more memory than there is: read it in parts")]
pub struct MemoryError;

impl From<TryReserveError> for MemoryError {
    fn from(_: TryReserveError) -> MemoryError {
        MemoryError
    }
}

/// Asks for so many bytes of memory.
///
/// # Errors
/// When there are not.
pub fn expect_memory(bytes: usize) -> Result<(), MemoryError> {
    let mut memory = Vec::<u8>::new();
    let tried = memory.try_reserve_exact(bytes);
    // The compiler may leave out memory that is not used.
    std::hint::black_box(memory.as_mut_ptr());
    Ok(tried?)
}

/// The bytes that have to be free after a large piece was taken: for small pieces, which can't
/// fail one by one, and for the use of the games.
///
/// The allocator of the GNU C library takes 64 MiB at a time, aligned, for the threads. Where a
/// limit of the address space is too near for that, it takes a page for each small piece instead.
const ROOM: usize = if cfg!(all(target_env = "gnu", target_pointer_width = "64")) {
    144 << 20
} else {
    24 << 20
};

/// Asks for the memory that has to be free after a piece was taken.
fn expect_rest(taken: usize) -> Result<(), MemoryError> {
    const LARGE: usize = 1 << 16;
    match taken {
        ..LARGE => Ok(()),
        _ => expect_memory(ROOM),
    }
}

/// Adds a value, if there is memory for it.
pub(crate) fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), MemoryError> {
    if values.len() == values.capacity() {
        // Where twice as much does not fit, a little more may.
        let few = values.len() / 8 + 1;
        let tried = values.try_reserve(1);
        tried.or_else(|_| values.try_reserve_exact(few))?;
        expect_rest((values.capacity() - values.len()) * size_of::<T>())?;
    }
    values.push(value);
    Ok(())
}

/// Adds a part to a text, if there is memory for it.
pub(crate) fn push_text(text: &mut String, part: &str) -> Result<(), MemoryError> {
    if text.capacity() - text.len() < part.len() {
        let few = text.len() / 8 + part.len();
        let tried = text.try_reserve(part.len());
        tried.or_else(|_| text.try_reserve_exact(few))?;
        expect_rest(text.capacity() - text.len())?;
    }
    text.push_str(part);
    Ok(())
}

/// The memory that is taken in small pieces, which can't fail one by one.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// The bytes that were taken since there was room last.
    taken: usize,
}

impl Meter {
    /// The most bytes that are taken without a question.
    const STEP: usize = 4 << 20;

    /// Counts bytes that are taken.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), MemoryError> {
        self.taken += bytes;
        if self.taken < Meter::STEP {
            return Ok(());
        }
        self.taken = 0;
        expect_memory(ROOM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        assert_eq!(expect_memory(1 << 20), Ok(()));
        assert_eq!(expect_memory(usize::MAX), Err(MemoryError));
    }

    #[test]
    fn values_and_texts_grow() {
        let (mut values, mut text) = (Vec::new(), String::new());
        for value in 0..100 {
            assert_eq!(push(&mut values, value), Ok(()));
            assert_eq!(push_text(&mut text, "ab"), Ok(()));
        }
        assert_eq!((values.len(), text.len()), (100, 200));
    }
}
