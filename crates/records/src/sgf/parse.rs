//! The syntax of SGF: trees of nodes, nodes of properties, whatever they mean.
//!
//! Text around the trees is skipped, and so are control characters between them: mail
//! programs leave both. What looks like moves there is an error. A tree whose last
//! parenthesis is missing is read where nothing else can be missing.

use super::outside::{looks_like_moves, opens_a_tree, point_in};
use super::tree::Tree;
use crate::lines::is_blank;
use crate::lines::{Cursor, TextPosition, behind_half, start};
use crate::memory::MemoryError;
use crate::property::{Property, swallowed};
use crate::warning::{Warning, WarningKind};
use std::ops::Range;

/// The trees of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The trees; there is at least one.
    pub trees: Vec<Tree>,
    /// Warnings about skipped or missing text.
    pub warnings: Vec<Warning>,
}

/// The text is not SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct SyntaxError {
    /// The text position of the error.
    pub place: TextPosition,
    /// The error.
    pub problem: SyntaxProblem,
}

/// An error in the syntax of SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxProblem {
    /// The text ends within a tree.
    #[error("the text ends within a game tree")]
    End,
    /// An unexpected character.
    #[error("expected {expected}, found '{}'", .found.escape_debug())]
    Unexpected {
        /// The expected syntax.
        expected: &'static str,
        /// The character that was found.
        found: char,
    },
    /// The text has no tree.
    #[error("there is no game tree")]
    Empty,
    /// A value is not closed before what looks like another property.
    #[error("this value ends like a move or another property: its ']' may be missing")]
    Swallowed,
    /// Properties are outside of the trees.
    #[error("this looks like moves, but is in no game tree")]
    Outside,
    /// The nodes take more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Property {
    /// Parses printed properties, up to the first error.
    pub fn parse(text: &str) -> Vec<Property> {
        let mut parser = Parser::new(text);
        let mut tree = Tree::default();
        while let Ok(true) = parser.property(&mut tree) {}
        // A property that makes no sense is none, and there is always memory for a few.
        match tree.end_node(None) {
            Ok(node) => tree.properties(node),
            Err(_) => Vec::new(),
        }
    }
}

impl Tree {
    /// Reads all trees of a text; there is at least one.
    ///
    /// # Errors
    /// When the text is not SGF.
    pub fn parse(text: &str) -> Result<Collection, SyntaxError> {
        let mut trees = Vec::new();
        let warnings = each_tree(text, &mut |tree| {
            trees.push(tree);
            Ok(())
        })?;
        Ok(Collection { trees, warnings })
    }
}

/// Calls a function with each tree of a text, of which there is at least one. Returns the warnings.
///
/// # Errors
/// When the text is not SGF, or there is no memory for what becomes of a tree.
pub(crate) fn each_tree(
    text: &str,
    take: &mut dyn FnMut(Tree) -> Result<(), MemoryError>,
) -> Result<Vec<Warning>, SyntaxError> {
    let mut parser = Parser::new(text);
    match parser.trees(take) {
        Ok(()) => Ok(parser.warnings),
        Err(problem) => Err(SyntaxError {
            place: TextPosition::of(text, parser.at),
            problem,
        }),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// The place of the last property.
    cursor: Cursor,
    warnings: Vec<Warning>,
    /// The offset of the first point in skipped text.
    skipped_point: Option<usize>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser {
            text,
            at: 0,
            cursor: Cursor::default(),
            warnings: Vec::new(),
            skipped_point: None,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(is_blank).len();
    }

    /// Consumes `mark` if it comes next, and returns true then.
    fn takes(&mut self, mark: char) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(mark);
        self.at += if found { mark.len_utf8() } else { 0 };
        found
    }

    fn unexpected(&self, expected: &'static str) -> SyntaxProblem {
        match self.peek() {
            Some(found) => SyntaxProblem::Unexpected { expected, found },
            None => SyntaxProblem::End,
        }
    }

    fn trees(
        &mut self,
        take: &mut dyn FnMut(Tree) -> Result<(), MemoryError>,
    ) -> Result<(), SyntaxProblem> {
        let (mut is_empty, mut have_stones) = (true, false);
        // A parenthesis too many behind a tree.
        let mut stray = None;
        while self.skip_to_tree(is_empty)? {
            if let Some(at) = stray {
                // The trees may have been one.
                self.at = at;
                return Err(self.unexpected("one game tree, or a '(' for every ')'"));
            }
            let tree = self.tree()?;
            is_empty = false;
            have_stones = have_stones || tree.has_stones();
            take(tree)?;
            self.skip_blanks();
            stray = (self.peek() == Some(')')).then_some(self.at);
        }
        // Beside a game this is a comment on it.
        if let Some(at) = self.skipped_point
            && !have_stones
        {
            self.at = at;
            return Err(SyntaxProblem::Outside);
        }
        match is_empty {
            true => Err(SyntaxProblem::Empty),
            false => Ok(()),
        }
    }

    /// Goes behind the parenthesis that opens the next tree, if there is one.
    fn skip_to_tree(&mut self, is_first: bool) -> Result<bool, SyntaxProblem> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let opens = |&at: &usize| opens_a_tree(rest, at);
        let next = rest.match_indices('(').map(|(at, _)| at).find(opens);
        let skipped = &rest[..next.unwrap_or(rest.len())];
        if is_first && next.is_none() {
            // What stands there says more than that there is no tree.
            return match rest.strip_prefix('(') {
                Some(after) => {
                    self.at += rest.len() - after.trim_start_matches(is_blank).len();
                    Err(self.unexpected("a node, which begins with ';'"))
                }
                None => Ok(false),
            };
        }
        if let Some(at) = looks_like_moves(skipped) {
            self.at += at;
            return Err(SyntaxProblem::Outside);
        }
        let point = point_in(skipped).map(|at| self.at + at);
        self.skipped_point = self.skipped_point.or(point);
        let shown = skipped.trim_matches(|c| is_blank(c) || matches!(c, ')' | ';'));
        if !shown.is_empty() {
            let place = Some(self.cursor.advance(self.text, self.at));
            let start: String = shown.chars().take(20).collect();
            let kind = WarningKind::Skipped(start.escape_debug().to_string());
            self.warnings.push(Warning { kind, place });
        }
        self.at += skipped.len() + usize::from(next.is_some());
        Ok(next.is_some())
    }

    /// The tree after its opening parenthesis.
    fn tree(&mut self) -> Result<Tree, SyntaxProblem> {
        let mut tree = Tree::default();
        // Where the variations that are open branch off.
        let mut branches = vec![None];
        let (mut last, mut opened, mut closed) = (None, true, false);
        // The most that were open at a time, and how many were opened.
        let (mut deepest, mut count) = (1, 1);
        loop {
            // In deeper trees, or those of one variation, it could be the parenthesis of
            // another variation that is missing at the end.
            let is_clear = deepest <= 2 && count != 2 && tree.views(0).next().is_some();
            if !closed && self.takes(';') {
                last = Some(self.node(&mut tree, last)?);
                opened = false;
            } else if opened {
                return Err(self.unexpected("a node, which begins with ';'"));
            } else if self.takes('(') {
                branches.push(last);
                (opened, closed) = (true, false);
                deepest = deepest.max(branches.len());
                count += 1;
            } else if self.takes(')') {
                last = branches.pop().flatten();
                closed = true;
                if branches.is_empty() {
                    return Ok(tree);
                }
            } else if self.peek().is_none() && branches.len() == 1 && is_clear {
                // Nothing but the tree itself is open.
                self.warnings.push(WarningKind::Parenthesis.into());
                return Ok(tree);
            } else if !self.skips_signs() {
                return Err(self.unexpected("';', '(' or ')'"));
            }
        }
    }

    /// Passes signs between nodes that mean nothing, such as `---`, with a warning.
    fn skips_signs(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let length = rest.find([';', '(', ')']).unwrap_or(0);
        let skipped = &rest[..length];
        let means_nothing = |c: char| is_blank(c) || matches!(c, '-' | '=' | '*' | '.' | ',');
        if length == 0 || !skipped.chars().all(means_nothing) {
            return false;
        }
        let place = Some(self.cursor.advance(self.text, self.at));
        self.at += length;
        let kind = WarningKind::Skipped(start(skipped.trim_matches(is_blank), 20));
        self.warnings.push(Warning { kind, place });
        true
    }

    fn node(&mut self, tree: &mut Tree, parent: Option<usize>) -> Result<usize, SyntaxProblem> {
        let mut is_empty = true;
        self.skip_blanks();
        let place = self.cursor.advance(self.text, self.at);
        while self.property(tree)? {
            is_empty = false;
        }
        if is_empty {
            let end = tree.text_end();
            tree.end_property(end, place)?;
        }
        Ok(tree.end_node(parent)?)
    }

    /// Adds the next property to a tree, if there is one.
    fn property(&mut self, tree: &mut Tree) -> Result<bool, SyntaxProblem> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        // The format has letters alone, Renju `5A`, and some programs `X_Y`.
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.bytes().take_while(is_part).count();
        if length == 0 || rest.starts_with('_') {
            return Ok(false);
        }
        let place = self.cursor.advance(self.text, self.at);
        let start = tree.text_end();
        // Old files write names such as `GaMe`: only capitals count, and digits.
        let mut capitals = rest[..length].split(|c: char| c.is_ascii_lowercase());
        let added = capitals.try_for_each(|part| tree.add_text(part));
        added?;
        let name = tree.text_end();
        if start == name {
            return Err(self.unexpected("a property in capitals"));
        }
        self.at += length;
        let mut is_empty = true;
        while self.takes('[') {
            self.value(tree, start..name)?;
            is_empty = false;
        }
        if is_empty {
            return Err(self.unexpected("a value, which begins with '['"));
        }
        tree.end_property(name, place)?;
        Ok(true)
    }

    /// Adds the value after its opening bracket to a tree.
    fn value(&mut self, tree: &mut Tree, name: Range<usize>) -> Result<(), SyntaxProblem> {
        let start = tree.text_end();
        // Where brackets stand in the value that are not escaped, and those that are open.
        let (mut brackets, mut open) = (Vec::new(), 0_usize);
        let mut rest = &self.text[self.at..];
        loop {
            let end = rest
                .find(['[', ']', '\\', '\r', '\n'])
                .unwrap_or(rest.len());
            tree.add_text(&rest[..end])?;
            let mut behind = rest[end..].chars();
            let special = behind.next();
            rest = behind.as_str();
            let added = match special {
                None => {
                    self.at = self.text.len();
                    return Err(SyntaxProblem::End);
                }
                // The end of a bracket that should have been escaped, as in `US[Ann[3d]]`.
                Some(']') if open > 0 && rest.starts_with(']') => {
                    open -= 1;
                    tree.add_text("]")
                }
                Some(']') => break,
                Some('\\') => match behind.next() {
                    // A line break that does not count.
                    Some(c @ ('\r' | '\n')) => {
                        rest = behind_half(c, behind.as_str());
                        Ok(())
                    }
                    Some(c) => {
                        rest = behind.as_str();
                        tree.add_text(c.encode_utf8(&mut [0; 4]))
                    }
                    None => Ok(()),
                },
                Some(c @ ('\r' | '\n')) => {
                    rest = behind_half(c, rest);
                    tree.add_text("\n")
                }
                Some(_) => {
                    open += 1;
                    brackets.push(tree.text_end() - start);
                    tree.add_text("[")
                }
            };
            added?;
        }
        if !brackets.is_empty() {
            let (name, value) = (
                &tree.text_from(name.start)[..name.len()],
                tree.text_from(start),
            );
            if brackets.into_iter().any(swallowed(name, value)) {
                return Err(SyntaxProblem::Swallowed);
            }
        }
        self.at = self.text.len() - rest.len();
        Ok(tree.end_value()?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Tree {
        let trees = Tree::parse(text).unwrap().trees;
        assert_eq!(trees.len(), 1, "{text}");
        trees.into_iter().next().unwrap()
    }

    #[test]
    fn variations_are_kept() {
        let text = "(;GM[4](;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))(;B[ff]))";
        let tree = parse(text);
        assert_eq!(tree.to_string(), text);
        let children = tree.children();
        assert!(children.main_line().eq([0, 1, 2, 3]));
        assert!(children.of(0).eq([1, 6]) && children.of(9).next().is_none());
    }

    #[test]
    fn values_are_unescaped() {
        // What looks like a move in a comment is one only where a bracket is missing.
        let tree = parse("(;B[aa]C[better: ;W[bb\\]];W[cc])");
        assert_eq!(tree.properties(0)[1].value(), "better: ;W[bb]");
        assert_eq!(parse(&tree.to_string()), tree);
        let text = "(;C[WB\\[W\\[aa]FG[257:Fig\\: 1]LB[bb:B\\:x]C[a: RU[x:]PB[RU\\[a[b])";
        assert_eq!(parse(text).to_string(), text);
        let tree = parse("(;C[a\\\n\rb\n\rc])");
        assert_eq!(tree.properties(0)[0].value(), "ab\nc");
        let tree = parse("(;C[a\\]b\\\\c\\:d\\\ne\r\nf]\n  AB[aa] [bb]GaMe[4])");
        let [comment, stones, game] = &tree.properties(0)[..] else {
            panic!("{tree:?}");
        };
        assert_eq!(comment.value(), "a]b\\c:de\nf");
        assert_eq!(stones.values, ["aa", "bb"]);
        assert_eq!(game.name, "GM");
        assert_eq!(parse(&tree.to_string()), tree);
    }

    #[test]
    fn errors_name_their_place() {
        for (text, place) in [
            ("", (1, 1)),
            ("()", (1, 2)),
            ("(;B[aa]\n;W[bb", (2, 6)),
            ("(;B[aa]\n;W)", (2, 3)),
            ("(;B[aa]) ;W[bb])", (1, 12)),
            ("W[bb](;B[aa])", (1, 2)),
            ("(;B[aa](;W[bb]", (1, 15)),
            ("(;B[aa](;W[bb])", (1, 16)),
            ("(;B[aa](;W[bb](;B[cc])(;B[dd]))", (1, 32)),
            ("(;B[aa](;W[bb]);W[cc])", (1, 16)),
            ("(;B[aa];W[bb])(;W[cc]))(;B[aa])", (1, 23)),
            ("(;B[aa](;W[bb])(\n))", (2, 1)),
            ("(;B[aa]((;W[bb])))", (1, 9)),
            ("(;b[aa])", (1, 3)),
            ("(;PB[A;B[aa])", (1, 6)),
            ("(;B[aa]C[x\\];W[bb])", (1, 10)),
            ("(;PB[AAB[aa][bb])", (1, 6)),
            ("(;B[aa]C[x;White[ii];B[bb])", (1, 10)),
            ("(;B[aa]C[x;W [ i9\n];B[bb])", (1, 10)),
            ("(;B[aa]C[x;Wh[ii];Bl[hi])", (1, 10)),
            ("(;AB[aa]C[x PL[W];B[bb])", (1, 11)),
            ("(;EV[Cup RU[renju];B[bb])", (1, 6)),
            ("(;PB[Ann RE[B+R[x];B[bb])", (1, 6)),
            ("(;\r\nB[aa]\r5\r\n)", (4, 1)),
            ("é", (1, 1)),
        ] {
            let error = Tree::parse(text).unwrap_err();
            let found = (error.place.line, error.place.column);
            assert_eq!(found, place, "{text}: {error}");
        }
    }

    #[test]
    fn text_around_the_trees_is_skipped() {
        for (text, warnings) in [
            ("Subject: a game (of renju) :)\n\n(;B[aa])", 1),
            ("(;B[aa])\n---\nMe", 1),
            ("\u{feff}(;B[aa])\0\u{1a}", 0),
            ("(\n;B[aa]\0)", 0),
            ("(;B[aa]))", 0),
            ("(;B[aa]", 1),
        ] {
            let read = Tree::parse(text).unwrap();
            assert_eq!(read.trees[0].to_string(), "(;B[aa])", "{text}");
            assert_eq!(read.warnings.len(), warnings, "{text}: {:?}", read.warnings);
        }
        let read = Tree::parse("(;B[aa]) next: (;B[bb](;W[cc])(;W[dd])").unwrap();
        assert_eq!(read.trees.len(), 2);
        assert_eq!(read.warnings.len(), 2, "{:?}", read.warnings);
        assert_eq!(parse("(;5A[jg][fi]B[aa])").properties(0)[0].name, "5A");
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let depth = 200_000;
        let text = format!("{}{}", "(;B[aa](;W[bb])".repeat(depth), ")".repeat(depth));
        let tree = parse(&text);
        assert_eq!(tree.len(), 2 * depth);
        let again = parse(&tree.to_string());
        assert_eq!(again, tree);
    }

    const VALUE: &str = "[^\r]{0,9}|[BWhERUPL1:\\[\\]\\\\ ]{0,9}";

    proptest! {
        /// Trees of any shape and content come back as they were.
        #[test]
        fn trees_round_trip(
            nodes in proptest::collection::vec(
                (any::<prop::sample::Index>(), proptest::collection::vec(
                    ("[A-Z][A-Z0-9]{0,2}|LB", proptest::collection::vec(VALUE, 1..3)),
                    0..3,
                )),
                1..20,
            ),
        ) {
            let mut tree = Tree::default();
            for (parent, properties) in nodes {
                let properties = properties.into_iter();
                let properties = properties.map(|(name, values)| Property { name, values });
                let parent = (!tree.is_empty()).then(|| parent.index(tree.len()));
                tree.add(parent, properties.collect());
            }
            let text = tree.to_string();
            let read = parse(&text);
            // Nodes may be numbered in another order.
            prop_assert_eq!(read.to_string(), text);
            prop_assert_eq!(read.len(), tree.len());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[();A-Ca\\[\\]\\\\ \n]{0,40}", other in "\\PC*") {
            let _ = (Tree::parse(&text), Tree::parse(&other));
        }
    }
}
