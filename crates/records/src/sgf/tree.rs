//! The syntax of SGF: trees of nodes, nodes of properties, whatever they mean.

use std::fmt;

/// A game tree. Its nodes are numbered from zero, the root first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node and the number of the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    parent: Option<usize>,
    properties: Vec<Property>,
}

/// A property with its values, as they mean and not as they are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name, in capitals.
    pub name: String,
    /// The values; `B[]` has one that is empty.
    pub values: Vec<String>,
}

/// The text is not SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct SyntaxError {
    /// The line, from one.
    pub line: usize,
    /// The character of the line, from one.
    pub column: usize,
    /// What is wrong there.
    pub problem: SyntaxProblem,
}

/// What is wrong with a text that is not SGF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxProblem {
    /// The text ends within a tree.
    #[error("the text ends within a game tree")]
    End,
    /// A character that can't stand there.
    #[error("expected {expected}, found '{}'", .found.escape_debug())]
    Unexpected {
        /// What can stand there.
        expected: &'static str,
        /// What stands there.
        found: char,
    },
    /// There is no tree at all.
    #[error("there is no game tree")]
    Empty,
}

impl Property {
    /// A property of one value.
    pub fn new(name: &str, value: impl Into<String>) -> Property {
        Property {
            name: name.to_owned(),
            values: vec![value.into()],
        }
    }

    /// The first value.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

impl Tree {
    /// Reads all trees of a text; there is at least one.
    ///
    /// # Errors
    /// When the text is not SGF.
    pub fn parse(text: &str) -> Result<Vec<Tree>, SyntaxError> {
        let mut parser = Parser { text, at: 0 };
        let trees = parser.collection();
        trees.map_err(|problem| parser.place(problem))
    }

    /// Adds a node behind another, or the root, and returns its number.
    pub fn add(&mut self, parent: Option<usize>, properties: Vec<Property>) -> usize {
        debug_assert!(parent.is_none_or(|parent| parent < self.nodes.len()));
        debug_assert_eq!(parent.is_none(), self.nodes.is_empty());
        self.nodes.push(Node { parent, properties });
        self.nodes.len() - 1
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The properties of a node; none if there is no such node.
    pub fn properties(&self, node: usize) -> &[Property] {
        self.nodes.get(node).map_or(&[], |node| &node.properties)
    }

    /// For every node the nodes that follow it; the first is the main line's.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(number);
            }
        }
        children
    }

    /// The numbers of the nodes of the main line, from the root on.
    pub fn main_line(&self) -> Vec<usize> {
        let children = self.children();
        let mut line: Vec<usize> = (0..self.nodes.len().min(1)).collect();
        while let Some(&next) = line.last().and_then(|&node| children[node].first()) {
            line.push(next);
        }
        line
    }
}

/// The tree on one line, unless a value has line breaks.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Part {
            Variation(usize),
            End,
        }
        let children = self.children();
        // Not by recursion: proofs are deeper than the stack.
        let mut parts = vec![Part::Variation(0)];
        while let Some(part) = parts.pop() {
            let Part::Variation(first) = part else {
                f.write_str(")")?;
                continue;
            };
            f.write_str("(")?;
            parts.push(Part::End);
            let mut next = Some(first).filter(|_| !self.is_empty());
            while let Some(node) = next {
                write_node(f, &self.nodes[node].properties)?;
                next = match children[node][..] {
                    [only] => Some(only),
                    _ => {
                        let variations = children[node].iter().rev();
                        parts.extend(variations.map(|&node| Part::Variation(node)));
                        None
                    }
                };
            }
        }
        Ok(())
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, properties: &[Property]) -> fmt::Result {
    f.write_str(";")?;
    for property in properties {
        f.write_str(&property.name)?;
        for value in &property.values {
            let escaped = value.replace('\\', "\\\\").replace(']', "\\]");
            write!(f, "[{escaped}]")?;
        }
    }
    Ok(())
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    /// What is wrong, and where the parser stands.
    fn place(&self, problem: SyntaxProblem) -> SyntaxError {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        SyntaxError {
            line,
            column: before[start..].chars().count() + 1,
            problem,
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        self.at += rest.len() - rest.trim_start_matches(blank).len();
    }

    /// Whether `mark` comes next, which is then passed.
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

    fn collection(&mut self) -> Result<Vec<Tree>, SyntaxProblem> {
        let mut trees = Vec::new();
        while self.takes('(') {
            trees.push(self.tree()?);
        }
        match self.peek() {
            Some(_) => Err(self.unexpected("a game tree, which begins with '('")),
            None if trees.is_empty() => Err(SyntaxProblem::Empty),
            None => Ok(trees),
        }
    }

    /// The tree after its opening parenthesis.
    fn tree(&mut self) -> Result<Tree, SyntaxProblem> {
        let mut tree = Tree::default();
        // Where the variations that are open branch off.
        let mut branches = vec![None];
        let mut last = None;
        let mut opened = true;
        loop {
            if self.takes(';') {
                last = Some(tree.add(last, self.properties()?));
                opened = false;
            } else if opened {
                return Err(self.unexpected("a node, which begins with ';'"));
            } else if self.takes('(') {
                branches.push(last);
                opened = true;
            } else if self.takes(')') {
                last = branches.pop().flatten();
                if branches.is_empty() {
                    return Ok(tree);
                }
            } else {
                return Err(self.unexpected("';', '(' or ')'"));
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, SyntaxProblem> {
        let mut properties = Vec::new();
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
            if length == 0 {
                return Ok(properties);
            }
            // Old files write names such as `GaMe`: only capitals count.
            let capitals = rest[..length].chars().filter(char::is_ascii_uppercase);
            let name = capitals.collect();
            self.at += length;
            let mut values = Vec::new();
            while self.takes('[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.unexpected("a value, which begins with '['"));
            }
            properties.push(Property { name, values });
        }
    }

    /// The value after its opening bracket.
    fn value(&mut self) -> Result<String, SyntaxProblem> {
        let mut value = String::new();
        let mut rest = self.text[self.at..].chars();
        loop {
            match rest.next() {
                None => {
                    self.at = self.text.len();
                    return Err(SyntaxProblem::End);
                }
                Some(']') => break,
                Some('\\') => match rest.next() {
                    // A line break that does not count.
                    Some('\r') => rest = skip_newline(rest),
                    Some('\n') | None => {}
                    Some(c) => value.push(c),
                },
                Some('\r') => {
                    rest = skip_newline(rest);
                    value.push('\n');
                }
                Some(c) => value.push(c),
            }
        }
        self.at = self.text.len() - rest.as_str().len();
        Ok(value)
    }
}

fn skip_newline(rest: std::str::Chars<'_>) -> std::str::Chars<'_> {
    let text = rest.as_str();
    text.strip_prefix('\n').unwrap_or(text).chars()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Tree {
        let trees = Tree::parse(text).unwrap();
        assert_eq!(trees.len(), 1, "{text}");
        trees.into_iter().next().unwrap()
    }

    #[test]
    fn variations_are_kept() {
        let text = "(;GM[4](;B[aa];W[bb](;B[cc])(;B[dd];W[ee]))(;B[ff]))";
        let tree = parse(text);
        assert_eq!(tree.to_string(), text);
        assert_eq!(tree.main_line(), [0, 1, 2, 3]);
        assert_eq!(tree.children()[0], [1, 6]);
    }

    #[test]
    fn values_are_unescaped() {
        let tree = parse("(;C[a\\]b\\\\c\\:d\\\ne\r\nf]\n  AB[aa] [bb]GaMe[4])");
        let [comment, stones, game] = tree.properties(0) else {
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
            ("(;B[aa]) x", (1, 10)),
            ("(;B[aa](;W[bb])(\n))", (2, 1)),
            ("(;B[aa]((;W[bb])))", (1, 9)),
            ("(;B[aa]", (1, 8)),
            ("é", (1, 1)),
        ] {
            let error = Tree::parse(text).unwrap_err();
            assert_eq!((error.line, error.column), place, "{text}: {error}");
        }
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

    proptest! {
        /// Trees of any shape and content come back as they were.
        #[test]
        fn trees_round_trip(
            nodes in proptest::collection::vec(
                (any::<prop::sample::Index>(), proptest::collection::vec(
                    ("[A-Z]{1,3}", proptest::collection::vec("[^\r]{0,9}", 1..3)),
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
