//! The books that the engine plays moves of: the database, where it is used as one, and a file.

use super::{CommandError, Session, refused};
use quincunx_book::OpeningBook;
use quincunx_engine::engine::Book;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

impl<W: Write> Session<W> {
    /// Opens another book. If that fails, the one that is open stays.
    pub(super) fn open_book(&mut self, file: &Path) -> Result<(), CommandError> {
        self.expect_no_clock()?;
        let name = file.display();
        match OpeningBook::open(file) {
            Ok(book) => {
                let moves = book.len();
                self.use_book(book);
                Ok(self.message(&format!("the book {name} has {moves} moves"))?)
            }
            Err(error) => refused(format!("can't use the book {name}: {error}")),
        }
    }

    /// Plays moves of this book.
    pub(in crate::protocol) fn use_book(&mut self, book: OpeningBook) {
        self.book = Some(Arc::new(book));
        self.choose_books();
    }

    /// Tells the engine its books. What a person has noted in the database goes first.
    pub(super) fn choose_books(&mut self) {
        let mut books: Vec<Arc<dyn Book>> = Vec::new();
        books.extend(self.database.book());
        if let Some(book) = &self.book {
            books.push(Arc::<OpeningBook>::clone(book));
        }
        self.engine.set_books(books);
    }
}
