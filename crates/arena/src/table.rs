//! Tables of a report.

use std::fmt::Write as _;

/// A table with a title; its cells are plain text.
#[derive(Clone, Debug)]
pub(super) struct Table {
    title: String,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. Titles and headings may be empty.
    pub(super) fn new(title: String, head: &[&str]) -> Table {
        Table {
            title,
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Returns whether the table has no rows.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Its title.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The headings, empty if there are none, and the rows.
    pub(super) fn cells(&self) -> (&[String], &[Vec<String>]) {
        let has_head = self.head.iter().any(|cell| !cell.is_empty());
        let head = if has_head { &self.head[..] } else { &[] };
        (head, &self.rows)
    }

    fn lines(&self) -> impl Iterator<Item = &[String]> {
        let (head, rows) = self.cells();
        let head = Some(head).filter(|head| !head.is_empty());
        head.into_iter().chain(rows.iter().map(Vec::as_slice))
    }

    /// Returns whether a column holds numbers, which are right-aligned.
    fn is_number(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let mut cells = cells.filter(|cell| !cell.is_empty()).peekable();
        cells.peek().is_some()
            && cells.all(|cell| {
                let digits = cell.trim_start_matches(['+', '-']);
                digits.starts_with(|c: char| c.is_ascii_digit())
                    && cell
                        .chars()
                        .all(|c| c.is_ascii_digit() || " +-.%".contains(c))
            })
    }

    /// Returns for every column whether it holds numbers.
    pub(super) fn numbers(&self) -> Vec<bool> {
        let columns = self.lines().map(<[String]>::len).max().unwrap_or(0);
        (0..columns).map(|column| self.is_number(column)).collect()
    }

    /// Columns side by side.
    pub(super) fn text(&self) -> String {
        let width = |column: usize| {
            let cells = self.lines().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let numbers = self.numbers();
        let widths: Vec<usize> = (0..numbers.len()).map(width).collect();
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "{}", self.title);
        }
        for row in self.lines() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                let _ = if numbers[column] {
                    write!(line, "  {cell:>width$}")
                } else {
                    write!(line, "  {cell:width$}")
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("T".into(), &["Name", "Elo"]);
        table.add(vec!["a<b".into(), "+1.5".into()]);
        table.add(vec!["long".into(), "-12.25".into()]);
        table
    }

    #[test]
    fn columns_are_aligned() {
        let expected = "T\n  Name     Elo\n  a<b     +1.5\n  long  -12.25\n";
        assert_eq!(table().text(), expected);
    }
}
