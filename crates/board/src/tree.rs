//! The positions of a game as a tree: the moves made, and the variations.

use quincunx_analysis::review::MoveClass;
use quincunx_engine::game::{Game, GameResult, SetUp};
use quincunx_engine::rules::{Color, Point};
use quincunx_records::Warning;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a node. Numbers are never used twice in one tree.
pub(super) type NodeId = u32;

/// The start of every tree.
pub(super) const ROOT: NodeId = 0;

/// The size of a saved node without its comment, in bytes. The nodes of files are no larger on
/// average.
const NODE_BYTES: usize = 50;

/// The most that a verdict takes there.
const VERDICT_BYTES: usize = 24;

/// The size of a saved remark besides its text.
const REMARK_BYTES: usize = 11;

/// A position, by the move that leads to it. It is saved as it is, by short names: libraries have
/// thousands of nodes, and the limits of a tree assume that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    /// Its number.
    #[serde(rename = "i")]
    pub(super) id: NodeId,
    /// The node before it; the root has none.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<NodeId>,
    /// The colour that moved.
    #[serde(skip)]
    pub(super) color: Color,
    /// The point of the move; [`Point::NONE`] for a pass, and for the root.
    #[serde(rename = "m")]
    pub(super) point: Point,
    /// The moves from here, the main line's first.
    #[serde(skip)]
    pub(super) children: Vec<NodeId>,
    /// The child that was shown last, which redo goes to; none without children.
    #[serde(rename = "l", skip_serializing_if = "Option::is_none")]
    pub(super) latest: Option<NodeId>,
    /// A remark.
    #[serde(rename = "c", skip_serializing_if = "String::is_empty")]
    pub(super) comment: String,
    /// The other properties of the opened SGF file, unchanged.
    #[serde(rename = "x", skip_serializing_if = "String::is_empty")]
    pub(super) properties: String,
    /// Black's chance to win in thousandths, where a search has found it.
    #[serde(rename = "v", skip_serializing_if = "Option::is_none")]
    pub(super) chance: Option<u16>,
    /// The class of the move where a review finds fault with it.
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<MoveClass>,
    /// The end of the game here without a move, such as by resignation.
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    pub(super) ending: Option<GameResult>,
    /// The milliseconds that the mover had left after the move.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub(super) left_ms: Option<u64>,
}

impl Default for Node {
    /// The root of a tree where black begins.
    fn default() -> Node {
        Node::new(ROOT, None, Color::White, Point::NONE)
    }
}

impl Node {
    /// A move without any remark.
    fn new(id: NodeId, parent: Option<NodeId>, color: Color, point: Point) -> Node {
        Node {
            id,
            parent,
            color,
            point,
            children: Vec::new(),
            latest: None,
            comment: String::new(),
            properties: String::new(),
            chance: None,
            verdict: None,
            ending: None,
            left_ms: None,
        }
    }

    /// The size of the saved node.
    fn bytes(&self) -> usize {
        let verdict = self.verdict.map_or(0, |_| VERDICT_BYTES);
        NODE_BYTES + verdict + remark_bytes(&self.comment) + remark_bytes(&self.properties)
    }
}

/// The size of a saved remark. Characters that JSON escapes are escaped twice there: the saved
/// game is a text, and the message has it as a text.
fn remark_bytes(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => 4,
        0..0x20 => 7,
        _ => 1,
    });
    REMARK_BYTES + escaped.sum::<usize>()
}

/// The moves of a game, with variations.
#[derive(Clone, Debug)]
pub(super) struct GameTree {
    nodes: BTreeMap<NodeId, Node>,
    next: NodeId,
    /// The size of the saved nodes.
    bytes: usize,
    changes: Changes,
}

/// The changes of a tree since the last update of the front.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// The nodes that are new or look different.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The nodes that were removed.
    pub(super) removed: Vec<NodeId>,
    /// True if a move, a remark or a result has changed, and not only a value.
    pub(super) is_to_be_kept: bool,
}

/// Compares nodes, and ignores the tracked changes.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        (&self.nodes, self.next, self.bytes) == (&other.nodes, other.next, other.bytes)
    }
}

/// A game that was read.
pub(super) struct ParsedGame {
    /// The position before the first move.
    pub(super) start: SetUp,
    /// The moves.
    pub(super) tree: GameTree,
    /// The names of black and white; empty where the file has none.
    pub(super) names: [String; 2],
    /// The position to show: the end of the main line.
    pub(super) node: NodeId,
    /// The remarks on the file.
    pub(super) remarks: Vec<Warning>,
    /// The number of games that the file has.
    pub(super) games: usize,
}

impl GameTree {
    /// The limit of a saved tree in bytes: 20,000 nodes without comments. No game is so long, but
    /// files may be. A saved session is sent in a message of at most 2^20 bytes, which leaves room
    /// for set-up, clocks and evaluations.
    const MOST_BYTES: usize = 1_000_000;

    /// A tree without moves. `first` is the colour of the first move.
    pub(super) fn new(first: Color) -> GameTree {
        let root = Node::new(ROOT, None, first.opponent(), Point::NONE);
        GameTree {
            bytes: root.bytes(),
            nodes: BTreeMap::from([(ROOT, root)]),
            next: ROOT + 1,
            changes: Changes::default(),
        }
    }

    /// The node with this number.
    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// The node with this number, to be changed.
    pub(super) fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Takes the changes since the last call.
    pub(super) fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }

    /// Marks a node as changed, and the saved text too.
    fn alter(&mut self, id: NodeId) {
        self.changes.nodes.insert(id);
        self.changes.is_to_be_kept = true;
    }

    /// Notes black's chance to win at a node.
    pub(super) fn value(&mut self, id: NodeId, chance: u16) {
        if let Some(node) = self.nodes.get_mut(&id) {
            node.chance = Some(chance);
            self.changes.nodes.insert(id);
        }
    }

    /// Sets or removes the end of a game at a node without a move. Returns the previous value.
    pub(super) fn set_ending(
        &mut self,
        id: NodeId,
        ending: Option<GameResult>,
    ) -> Option<GameResult> {
        self.alter(id);
        std::mem::replace(&mut self.get_mut(id)?.ending, ending)
    }

    /// Notes the time that the mover had left, in milliseconds.
    pub(super) fn set_left(&mut self, id: NodeId, left_ms: Option<u64>) {
        if let Some(node) = self.get_mut(id) {
            node.left_ms = left_ms;
        }
    }

    /// Every node in the order they were added.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values()
    }

    /// Every node, before all that follow it; the main line comes before its variations.
    pub(super) fn depth_first(&self) -> impl Iterator<Item = &Node> {
        let mut pending = vec![ROOT];
        std::iter::from_fn(move || {
            let node = self.get(pending.pop()?)?;
            pending.extend(node.children.iter().rev());
            Some(node)
        })
    }

    /// The nodes from the root to this one.
    pub(super) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let parent = |id: &NodeId| self.get(*id)?.parent;
        let mut path: Vec<NodeId> = std::iter::successors(Some(id), parent).collect();
        path.reverse();
        path
    }

    /// The number of moves that lead to this node.
    pub(super) fn depth(&self, id: NodeId) -> usize {
        self.path(id).len() - 1
    }

    /// The child of `parent` with this move, which is added if there is none.
    /// `None` if the tree has no room.
    pub(super) fn add(&mut self, parent: NodeId, color: Color, point: Point) -> Option<NodeId> {
        let same = |id: &&NodeId| {
            let node = self.get(**id);
            node.is_some_and(|node| (node.color, node.point) == (color, point))
        };
        let child = self.get(parent)?.children.iter().find(same).copied();
        let has_room = self.bytes + NODE_BYTES <= GameTree::MOST_BYTES;
        let is_full = !has_room || self.next == NodeId::MAX;
        if child.is_none() && is_full {
            return None;
        }
        let id = child.unwrap_or(self.next);
        let node = self.get_mut(parent)?;
        node.latest = Some(id);
        if child.is_none() {
            node.children.push(id);
            self.nodes
                .insert(id, Node::new(id, Some(parent), color, point));
            self.next += 1;
            self.bytes += NODE_BYTES;
            self.alter(id);
        }
        Some(id)
    }

    /// Replaces the comment of a node. `None` if there is no such node, or no room.
    pub(super) fn remark(&mut self, id: NodeId, text: String) -> Option<()> {
        let node = self.nodes.get_mut(&id)?;
        let bytes = self.bytes - remark_bytes(&node.comment) + remark_bytes(&text);
        if bytes > GameTree::MOST_BYTES {
            return None;
        }
        (node.comment, self.bytes) = (text, bytes);
        self.alter(id);
        Some(())
    }

    /// Replaces the other properties of a node, as a file has them. `None` if there is no such
    /// node, or no room.
    pub(super) fn keep(&mut self, id: NodeId, text: String) -> Option<()> {
        let node = self.nodes.get_mut(&id)?;
        let bytes = self.bytes - remark_bytes(&node.properties) + remark_bytes(&text);
        if bytes > GameTree::MOST_BYTES {
            return None;
        }
        (node.properties, self.bytes) = (text, bytes);
        Some(())
    }

    /// Replaces the other properties of a node, for a person. `None` if there is no such node, or
    /// no room.
    pub(super) fn write(&mut self, id: NodeId, text: String) -> Option<()> {
        self.keep(id, text)?;
        self.alter(id);
        Some(())
    }

    /// Returns true if there is room for another text.
    pub(super) fn has_room_for(&self, text: &str) -> bool {
        self.bytes + remark_bytes(text) <= GameTree::MOST_BYTES
    }

    /// Sets the move judgement of a review. The judgement of a file stays. `None` if there is no
    /// such node, or no room.
    pub(super) fn judge(&mut self, id: NodeId, verdict: Option<MoveClass>) -> Option<()> {
        let node = self.nodes.get_mut(&id)?;
        let before = node.bytes();
        let old = std::mem::replace(&mut node.verdict, verdict);
        let bytes = self.bytes - before + node.bytes();
        if bytes > GameTree::MOST_BYTES {
            node.verdict = old;
            return None;
        }
        self.bytes = bytes;
        self.alter(id);
        Some(())
    }

    /// The node that was added last.
    pub(super) fn last(&self) -> Option<NodeId> {
        self.nodes.keys().next_back().copied()
    }

    /// Makes redo lead to this node from every node before it.
    pub(super) fn visit(&mut self, id: NodeId) {
        for pair in self.path(id).windows(2) {
            if let Some(node) = self.get_mut(pair[0]) {
                node.latest = Some(pair[1]);
            }
        }
    }

    /// The node that redo leads to.
    pub(super) fn following(&self, id: NodeId) -> Option<NodeId> {
        self.get(id)?.latest
    }

    /// Removes a node and all that follow it. The root stays.
    pub(super) fn remove(&mut self, id: NodeId) {
        let Some(parent) = self.get(id).and_then(|node| node.parent) else {
            return;
        };
        if let Some(node) = self.get_mut(parent) {
            node.children.retain(|&child| child != id);
            let rest = node.latest.filter(|&child| child != id);
            node.latest = rest.or(node.children.first().copied());
        }
        let later = self.get(parent).map(|node| node.children.clone());
        for child in later.unwrap_or_default() {
            self.alter(child);
        }
        self.changes.is_to_be_kept = true;
        let mut removed = vec![id];
        while let Some(id) = removed.pop() {
            if let Some(node) = self.nodes.remove(&id) {
                self.bytes -= node.bytes();
                self.changes.nodes.remove(&id);
                self.changes.removed.push(id);
                removed.extend(node.children);
            }
        }
    }

    /// Makes the variation with this node the main line.
    pub(super) fn promote(&mut self, id: NodeId) {
        for pair in self.path(id).windows(2) {
            let is_first = |node: &&mut Node| node.children.first() == Some(&pair[1]);
            if let Some(node) = self.get_mut(pair[0]).filter(|node| !is_first(node)) {
                node.children.retain(|&child| child != pair[1]);
                node.children.insert(0, pair[1]);
                for child in node.children.clone() {
                    self.alter(child);
                }
            }
        }
    }

    /// The place of a node among those that follow the same one; zero is the main line's.
    pub(super) fn rank(&self, id: NodeId) -> usize {
        let parent = self.get(id).and_then(|node| self.get(node.parent?));
        let place = parent.and_then(|node| node.children.iter().position(|child| *child == id));
        place.unwrap_or_default()
    }

    /// The place of every node but the root among those that follow the same one; zero is
    /// the main line's.
    pub(super) fn ranks(&self) -> BTreeMap<NodeId, usize> {
        let nodes = self.nodes.values();
        (nodes.flat_map(|node| node.children.iter().copied().zip(0..))).collect()
    }

    /// The end of the main line: its last move, or where the game ended before that.
    pub(super) fn end(&self) -> NodeId {
        let next = |id: &NodeId| {
            let node = self.get(*id).filter(|node| node.ending.is_none())?;
            node.children.first().copied()
        };
        let line = std::iter::successors(Some(ROOT), next);
        line.last().unwrap_or(ROOT)
    }

    /// The game up to this node. It continues beyond resignations. `None` if the moves are not a
    /// game.
    pub(super) fn game(&self, start: &SetUp, id: NodeId) -> Option<Game> {
        let mut game = self.unended_game(start, id)?;
        if let Some(ending) = self.get(id)?.ending {
            game.end(ending);
        }
        // Not before: a file may have a pass in a position without a legal move.
        Some(game.drawn_when_stuck())
    }

    /// The game up to this node without an end that was declared there.
    pub(super) fn unended_game(&self, start: &SetUp, id: NodeId) -> Option<Game> {
        let mut game = Game::from_position(start.position().ok()?);
        for id in self.path(id) {
            let node = self.get(id)?;
            if node.parent.is_some() {
                follow(&mut game, node.color, node.point)?;
            }
        }
        Some(game)
    }

    /// The nodes to save, each after its parent and in the order of siblings. What other nodes
    /// imply is left out: the parent if it is the previous number, and the latest child if it is
    /// the first.
    pub(super) fn to_nodes(&self) -> Vec<Node> {
        let saved = |node: &Node| Node {
            parent: node.parent.filter(|parent| parent + 1 != node.id),
            latest: node
                .latest
                .filter(|latest| node.children.first() != Some(latest)),
            children: Vec::new(),
            ..node.clone()
        };
        self.depth_first().map(saved).collect()
    }

    /// Rebuilds a tree from its saved nodes. The colours alternate from the first move on. `None`
    /// if they are not a tree.
    pub(super) fn from_nodes(nodes: Vec<Node>, first: Color) -> Option<GameTree> {
        let next = nodes.iter().map(|node| node.id).max()?.checked_add(1)?;
        let mut tree = GameTree {
            nodes: BTreeMap::new(),
            next,
            bytes: nodes.iter().map(Node::bytes).sum(),
            changes: Changes::default(),
        };
        for mut node in nodes {
            let id = node.id;
            // No number precedes that of the root.
            node.parent = node.parent.or(id.checked_sub(1));
            node.chance = node.chance.map(|chance| chance.min(1000));
            node.color = match node.parent {
                None => first.opponent(),
                // Parents come before their children, so there are no circles.
                Some(parent) if parent < id => {
                    let before = tree.get_mut(parent)?;
                    before.children.push(id);
                    before.color.opponent()
                }
                Some(_) => return None,
            };
            if tree.nodes.insert(id, node).is_some() {
                return None;
            }
        }
        for node in tree.nodes.values_mut() {
            let shown = node.latest.filter(|latest| node.children.contains(latest));
            node.latest = shown.or(node.children.first().copied());
        }
        (tree.get(ROOT).is_some() && tree.bytes <= GameTree::MOST_BYTES).then_some(tree)
    }
}

/// Makes a move that a file or a saved game holds, forbidden or not. `None` if it
/// is impossible.
pub(super) fn follow(game: &mut Game, color: Color, point: Point) -> Option<()> {
    if game.is_over() || game.side() != color {
        return None;
    }
    if point == Point::NONE {
        return game.pass().ok();
    }
    if !game.size().has(point) || !game.position().is_empty(point) {
        return None;
    }
    // A forbidden move is made, and loses.
    let _ = game.play_or_lose(point);
    Some(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use quincunx_engine::game::Termination;

    fn tree(moves: &[&str]) -> (GameTree, Vec<NodeId>) {
        let mut tree = GameTree::new(Color::Black);
        let mut ids = vec![ROOT];
        for (text, color) in moves.iter().zip(Color::ALL.into_iter().cycle()) {
            let last = *ids.last().unwrap();
            ids.push(tree.add(last, color, text.parse().unwrap()).unwrap());
        }
        (tree, ids)
    }

    #[test]
    fn a_move_is_added_once() {
        let (mut tree, ids) = tree(&["h8", "i9", "g10"]);
        let again = tree.add(ids[1], Color::White, "i9".parse().unwrap());
        assert_eq!(again, Some(ids[2]));
        let other = tree
            .add(ids[1], Color::White, "i7".parse().unwrap())
            .unwrap();
        assert_eq!(tree.path(other), [ROOT, ids[1], other]);
        assert_eq!(tree.following(ids[1]), Some(other));
        tree.visit(ids[3]);
        assert_eq!(tree.following(ids[1]), Some(ids[2]));
        tree.promote(other);
        assert_eq!(tree.get(ids[1]).unwrap().children, [other, ids[2]]);
    }

    #[test]
    fn what_follows_a_removed_move_goes_with_it() {
        let (mut tree, ids) = tree(&["h8", "i9", "g10"]);
        tree.remove(ids[2]);
        assert_eq!(tree.iter().count(), 2);
        assert_eq!(tree.following(ids[1]), None);
        let next = tree.add(ids[1], Color::White, "i9".parse().unwrap());
        assert!(next.unwrap() > ids[3], "numbers are not used twice");
        tree.remove(ROOT);
        assert_eq!(tree.iter().count(), 3);
    }

    #[test]
    fn a_full_tree_has_room_again() {
        let (mut tree, ids) = tree(&["h8", "i9"]);
        let text = "x".repeat(GameTree::MOST_BYTES - tree.bytes - REMARK_BYTES);
        tree.remark(ids[2], text).unwrap();
        let full = tree.clone();
        let other = "i7".parse().unwrap();
        assert_eq!(tree.add(ids[1], Color::White, other), None);
        assert_eq!(tree.remark(ids[1], "x".to_owned()), None);
        assert_eq!(tree, full);
        assert_eq!(restored(full.to_nodes()), Some(full.clone()));
        // What is replaced or removed makes room.
        tree.remark(ids[2], "\"".to_owned()).unwrap();
        tree.remark(ids[1], "x".to_owned()).unwrap();
        tree.remove(ids[2]);
        tree.remark(ids[1], String::new()).unwrap();
        assert_eq!(tree.bytes, 2 * NODE_BYTES);
        assert!(tree.add(ids[1], Color::White, other).is_some());
    }

    /// A kept game may name any numbers. They once began again with the root's.
    #[test]
    fn a_tree_without_numbers_left_is_full() {
        let (tree, _) = tree(&["h8"]);
        let mut nodes = tree.to_nodes();
        let last = NodeId::MAX - 1;
        (nodes[1].id, nodes[1].parent) = (last, Some(ROOT));
        let mut tree = restored(nodes).unwrap();
        let full = tree.clone();
        for point in ["i9", "i7"] {
            let added = tree.add(last, Color::White, point.parse().unwrap());
            assert_eq!(added, None);
        }
        assert_eq!(tree, full);
    }

    #[test]
    fn the_main_line_comes_first_and_ends_with_the_game() {
        let (mut tree, ids) = tree(&["h8", "i9", "g10"]);
        let other = tree.add(ids[1], Color::White, "i7".parse().unwrap());
        let other = other.unwrap();
        let order = |tree: &GameTree| tree.depth_first().map(|node| node.id).collect::<Vec<_>>();
        assert_eq!(order(&tree), [ROOT, ids[1], ids[2], ids[3], other]);
        assert_eq!(tree.end(), ids[3]);
        tree.promote(other);
        assert_eq!(order(&tree), [ROOT, ids[1], other, ids[2], ids[3]]);
        assert_eq!(tree.end(), other);
        tree.get_mut(ids[1]).unwrap().ending = Some(GameResult::draw(Termination::Agreement));
        assert_eq!(tree.end(), ids[1]);
    }

    #[test]
    fn only_trees_are_rebuilt() {
        let (tree, ids) = tree(&["h8", "i9"]);
        let nodes = tree.to_nodes();
        assert_eq!(restored(nodes.clone()), Some(tree));
        assert_eq!(restored(nodes[1..].to_vec()), None);
        assert_eq!(restored(Vec::new()), None);
        let mut circle = nodes;
        circle[1].parent = Some(ids[2]);
        assert_eq!(restored(circle), None);
    }

    fn restored(nodes: Vec<Node>) -> Option<GameTree> {
        GameTree::from_nodes(nodes, Color::Black)
    }

    /// Pages keep these texts, and bring them back to later versions.
    #[test]
    fn nodes_stay_as_they_are_written() {
        let (mut tree, ids) = tree(&["h8", "i9"]);
        let pass = tree.add(ids[1], Color::White, Point::NONE).unwrap();
        tree.remark(pass, "so".to_owned()).unwrap();
        tree.keep(pass, "LB[aa:1]".to_owned()).unwrap();
        tree.judge(pass, Some(MoveClass::WinMissed)).unwrap();
        tree.value(pass, 500);
        tree.set_left(pass, Some(9_000));
        let resigned = GameResult::loss(Color::White, Termination::Resignation);
        tree.set_ending(pass, Some(resigned));
        let text = serde_json::to_string(&tree.to_nodes()).unwrap();
        let end = r#"{"winner":"black","reason":"resignation"}"#;
        let last = r#""c":"so","x":"LB[aa:1]","v":500,"r":"win_missed""#;
        let first = r#"{"i":0,"m":"--"},{"i":1,"m":"h8","l":3},{"i":2,"m":"i9"}"#;
        let whole = format!(r#"[{first},{{"i":3,"p":1,"m":"--",{last},"e":{end},"t":9000}}]"#);
        assert_eq!(text, whole);
        assert_eq!(restored(serde_json::from_str(&text).unwrap()), Some(tree));
    }

    /// Random moves, variations, removals and notes.
    fn random_tree(random: &mut Rng) -> GameTree {
        let mut tree = GameTree::new(Color::Black);
        for _ in 0..random.usize(..200) {
            let ids: Vec<NodeId> = tree.iter().map(|node| node.id).collect();
            let id = ids[random.usize(..ids.len())];
            let color = tree.get(id).unwrap().color.opponent();
            let text: String = (0..random.usize(..9)).map(|_| random.char(..)).collect();
            match random.u8(..20) {
                0 => tree.remove(id),
                1 => tree.promote(id),
                2 => tree.visit(id),
                3 => tree.remark(id, text).unwrap(),
                4 => tree.write(id, text).unwrap(),
                5 => tree.value(id, random.u16(..=1000)),
                6 => {
                    let class = MoveClass::ALL[random.usize(..6)];
                    tree.judge(id, random.bool().then_some(class)).unwrap();
                }
                7 => {
                    let reasons = [Termination::Time, Termination::IllegalMove];
                    let result = GameResult::win(color, reasons[random.usize(..2)]);
                    tree.set_ending(id, random.bool().then_some(result));
                }
                8 => tree.set_left(id, random.bool().then(|| random.u64(..))),
                9 => {
                    tree.add(id, color, Point::NONE);
                }
                _ => {
                    tree.add(
                        id,
                        color,
                        Point::new(random.usize(..22), random.usize(..22)),
                    );
                }
            }
        }
        tree
    }

    /// A game that a program lost by an illegal move was once restored as one that it forfeited.
    #[test]
    fn random_trees_are_restored_as_they_were() {
        for seed in 0..300 {
            let tree = random_tree(&mut Rng::with_seed(seed));
            let text = serde_json::to_string(&tree.to_nodes()).unwrap();
            let read = restored(serde_json::from_str(&text).unwrap()).unwrap();
            assert_eq!(
                (&read.nodes, read.bytes),
                (&tree.nodes, tree.bytes),
                "{seed}"
            );
        }
    }
}
