//! Tables of a report, for terminals and for the browser.

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

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        let head = Some(&self.head).filter(|head| head.iter().any(|cell| !cell.is_empty()));
        head.into_iter().chain(&self.rows)
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

    /// Columns side by side.
    pub(super) fn text(&self) -> String {
        let columns = self.lines().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.lines().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let numbers: Vec<bool> = (0..columns).map(|column| self.is_number(column)).collect();
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

    /// The same as HTML.
    pub(super) fn html(&self) -> String {
        let cells = |tag: &str, row: &[String]| -> String {
            let cell = |(column, cell): (usize, &String)| {
                let class = if self.is_number(column) {
                    " class=\"number\""
                } else {
                    ""
                };
                format!("<{tag}{class}>{}</{tag}>", escape(cell))
            };
            let cells: String = row.iter().enumerate().map(cell).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let mut html = String::from("<div class=\"table\"><table>\n");
        if !self.title.is_empty() {
            let _ = writeln!(html, "<caption>{}</caption>", escape(&self.title));
        }
        if self.lines().count() > self.rows.len() {
            let _ = writeln!(html, "<thead>{}</thead>", cells("th", &self.head));
        }
        html.push_str("<tbody>\n");
        for row in &self.rows {
            html.push_str(&cells("td", row));
        }
        html.push_str("</tbody></table></div>\n");
        html
    }
}

/// Text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        // A name must not stand for a place of the page that is still to be filled.
        .replace('{', "&#123;")
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
    fn columns_stand_below_each_other() {
        let expected = "T\n  Name     Elo\n  a<b     +1.5\n  long  -12.25\n";
        assert_eq!(table().text(), expected);
    }

    /// The report is made by filling places of a page in turn: a name was once such a place.
    #[test]
    fn names_are_no_places_of_the_page() {
        assert_eq!(escape("{{data}}"), "&#123;&#123;data}}");
    }

    #[test]
    fn names_are_no_html() {
        let html = table().html();
        assert!(
            html.contains("<td>a&lt;b</td><td class=\"number\">+1.5</td>"),
            "{html}"
        );
        assert!(html.contains("<th>Name</th>"), "{html}");
    }
}
