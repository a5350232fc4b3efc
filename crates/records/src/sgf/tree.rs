//! The syntax of SGF: trees of nodes, nodes of properties, whatever they mean.
//!
//! Text around the trees is skipped, and so are control characters between them: mail
//! programs leave both. What looks like moves there is an error. A tree whose last
//! parenthesis is missing is read where nothing else can be missing.

use super::outside::{looks_like_moves, opens_a_tree, point_in};
use crate::place::{Cursor, Place, behind_half};
use crate::property::{Property, swallowed};
use crate::remark::{Remark, RemarkKind};
use crate::scanner::is_blank;
use crate::stone_name::STONES;
use std::fmt;

/// A game tree. Its nodes are numbered from zero, the root first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node and the number of the one before it.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    properties: Vec<Property>,
    /// Where the properties stand in the text that was read, or the node if it has none.
    places: Vec<Place>,
}

/// Where a tree was read makes no difference.
impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.parent == other.parent && self.properties == other.properties
    }
}

impl Eq for Node {}

/// The trees of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The trees; there is at least one.
    pub trees: Vec<Tree>,
    /// What was skipped or is missing.
    pub remarks: Vec<Remark>,
}

/// The text is not SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct SyntaxError {
    /// Where.
    pub place: Place,
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
    /// A value goes on until the end of what looks like another property.
    #[error("this value ends like a move or another property: its ']' may be missing")]
    Swallowed,
    /// Something like properties stands outside of the trees.
    #[error("this looks like moves, but is in no game tree")]
    Outside,
}

impl Property {
    /// Reads properties as they are printed one after another. What makes no sense ends them.
    pub fn parse(text: &str) -> Vec<Property> {
        let mut parser = Parser::new(text);
        let mut read = Vec::new();
        while let Ok(Some(property)) = parser.property() {
            read.push(property);
        }
        read
    }
}

impl Tree {
    /// Reads all trees of a text; there is at least one.
    ///
    /// # Errors
    /// When the text is not SGF.
    pub fn parse(text: &str) -> Result<Collection, SyntaxError> {
        let mut parser = Parser::new(text);
        match parser.trees() {
            Ok(trees) => Ok(Collection {
                trees,
                remarks: parser.remarks,
            }),
            Err(problem) => Err(SyntaxError {
                place: Place::of(text, parser.at),
                problem,
            }),
        }
    }

    /// Adds a node behind another, or the root, and returns its number.
    pub fn add(&mut self, parent: Option<usize>, properties: Vec<Property>) -> usize {
        debug_assert!(parent.is_none_or(|parent| parent < self.nodes.len()));
        debug_assert_eq!(parent.is_none(), self.nodes.is_empty());
        self.nodes.push(Node {
            parent,
            properties,
            places: Vec::new(),
        });
        self.nodes.len() - 1
    }

    /// Where a property stands in the text that the tree was read from, by the numbers of
    /// the node and of the property in it. A node without properties stands where its first
    /// would.
    pub fn place(&self, node: usize, property: usize) -> Place {
        let places = self.nodes.get(node).map(|node| &node.places);
        let place = places.and_then(|places| places.get(property));
        place.copied().unwrap_or_default()
    }

    /// Whether a stone is played or set up.
    pub(super) fn has_stones(&self) -> bool {
        let mut properties = self.nodes.iter().flat_map(|node| &node.properties);
        properties.any(|property| STONES.contains(&property.name.as_str()))
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
    properties
        .iter()
        .try_for_each(|property| write!(f, "{property}"))
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    /// The place of the last property.
    cursor: Cursor,
    remarks: Vec<Remark>,
    /// Where the first point stands in what is skipped.
    skipped_point: Option<usize>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser {
            text,
            at: 0,
            cursor: Cursor::default(),
            remarks: Vec::new(),
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

    fn trees(&mut self) -> Result<Vec<Tree>, SyntaxProblem> {
        let mut trees = Vec::new();
        // A parenthesis too many behind a tree.
        let mut stray = None;
        while self.skip_to_tree(trees.is_empty())? {
            if let Some(at) = stray {
                // The trees may have been one.
                self.at = at;
                return Err(self.unexpected("one game tree, or a '(' for every ')'"));
            }
            trees.push(self.tree()?);
            self.skip_blanks();
            stray = (self.peek() == Some(')')).then_some(self.at);
        }
        // Beside a game this is a remark on it.
        if let Some(at) = self.skipped_point
            && !trees.iter().any(Tree::has_stones)
        {
            self.at = at;
            return Err(SyntaxProblem::Outside);
        }
        match trees.is_empty() {
            true => Err(SyntaxProblem::Empty),
            false => Ok(trees),
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
            let kind = RemarkKind::Skipped(start.escape_debug().to_string());
            self.remarks.push(Remark { kind, place });
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
            let is_clear = deepest <= 2 && count != 2 && !tree.properties(0).is_empty();
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
                self.remarks.push(RemarkKind::Parenthesis.into());
                return Ok(tree);
            } else {
                return Err(self.unexpected("';', '(' or ')'"));
            }
        }
    }

    fn node(&mut self, tree: &mut Tree, parent: Option<usize>) -> Result<usize, SyntaxProblem> {
        let (mut properties, mut places) = self.properties()?;
        // Trees have many nodes, and most of these one property.
        properties.shrink_to_fit();
        places.shrink_to_fit();
        let node = tree.add(parent, properties);
        if let Some(added) = tree.nodes.last_mut() {
            added.places = places;
        }
        Ok(node)
    }

    fn properties(&mut self) -> Result<(Vec<Property>, Vec<Place>), SyntaxProblem> {
        let (mut properties, mut places) = (Vec::new(), Vec::new());
        loop {
            self.skip_blanks();
            let place = self.cursor.advance(self.text, self.at);
            let property = self.property()?;
            if property.is_some() || places.is_empty() {
                places.push(place);
            }
            match property {
                Some(property) => properties.push(property),
                None => return Ok((properties, places)),
            }
        }
    }

    fn property(&mut self) -> Result<Option<Property>, SyntaxProblem> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if length == 0 {
            return Ok(None);
        }
        // Old files write names such as `GaMe`: only capitals count, and digits.
        let counts = |c: &char| !c.is_ascii_lowercase();
        let name: String = rest[..length].chars().filter(counts).collect();
        if name.is_empty() {
            return Err(self.unexpected("a property in capitals"));
        }
        self.at += length;
        let mut values = Vec::new();
        while self.takes('[') {
            values.push(self.value(&name)?);
        }
        values.shrink_to_fit();
        match values.is_empty() {
            true => Err(self.unexpected("a value, which begins with '['")),
            false => Ok(Some(Property { name, values })),
        }
    }

    /// The value after its opening bracket.
    fn value(&mut self, name: &str) -> Result<String, SyntaxProblem> {
        let mut value = String::new();
        // How long the value was before each bracket that is not escaped.
        let mut brackets = Vec::new();
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
                    Some(c @ ('\r' | '\n')) => rest = behind_half(c, rest.as_str()).chars(),
                    Some(c) => value.push(c),
                    None => {}
                },
                Some(c @ ('\r' | '\n')) => {
                    rest = behind_half(c, rest.as_str()).chars();
                    value.push('\n');
                }
                Some(c) => {
                    brackets.extend((c == '[').then_some(value.len()));
                    value.push(c);
                }
            }
        }
        if brackets.into_iter().any(swallowed(name, &value)) {
            return Err(SyntaxProblem::Swallowed);
        }
        self.at = self.text.len() - rest.as_str().len();
        Ok(value)
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
        assert_eq!(tree.main_line(), [0, 1, 2, 3]);
        assert_eq!(tree.children()[0], [1, 6]);
    }

    #[test]
    fn values_are_unescaped() {
        // What looks like a move in a remark is one only where a bracket is missing.
        let tree = parse("(;B[aa]C[better: ;W[bb\\]];W[cc])");
        assert_eq!(tree.properties(0)[1].value(), "better: ;W[bb]");
        assert_eq!(parse(&tree.to_string()), tree);
        let text = "(;C[WB\\[W\\[aa]FG[257:Fig\\: 1]LB[bb:B\\:x]C[a: RU[x:]PB[RU\\[a[b])";
        assert_eq!(parse(text).to_string(), text);
        let tree = parse("(;C[a\\\n\rb\n\rc])");
        assert_eq!(tree.properties(0)[0].value(), "ab\nc");
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
    fn what_stands_around_the_trees_is_skipped() {
        for (text, remarks) in [
            ("Subject: a game (of renju) :)\n\n(;B[aa])", 1),
            ("(;B[aa])\n---\nMe", 1),
            ("\u{feff}(;B[aa])\0\u{1a}", 0),
            ("(\n;B[aa]\0)", 0),
            ("(;B[aa]))", 0),
            ("(;B[aa]", 1),
        ] {
            let read = Tree::parse(text).unwrap();
            assert_eq!(read.trees[0].to_string(), "(;B[aa])", "{text}");
            assert_eq!(read.remarks.len(), remarks, "{text}: {:?}", read.remarks);
        }
        let read = Tree::parse("(;B[aa]) next: (;B[bb](;W[cc])(;W[dd])").unwrap();
        assert_eq!(read.trees.len(), 2);
        assert_eq!(read.remarks.len(), 2, "{:?}", read.remarks);
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
