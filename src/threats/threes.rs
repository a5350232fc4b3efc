//! Wins by continuous threes and fours: a depth-first proof-number search.
//!
//! The attacker makes fours, or moves after which it would win by fours if
//! the defender did nothing. The defender has the replies after which that
//! threat does not work as it stands, and its own fours; any other legal move
//! loses to the threat itself. So a win is a win against every legal reply.
//! Where the defender in turn would win by fours, the attacker has only the
//! moves that prevent it, and fours.
//!
//! Most moves that threaten something have a shape that shows it, and only
//! those are tried at first. A move without any can still uphold a threat, by
//! blocking a four that would interrupt it; so "none" is said only when all
//! moves of the board have been tried: it means that there is no win in which
//! each move is a four or threatens a win by fours.

use super::answers::answers;
use super::fours::{Answers, Found, Fours};
use super::graph::{Child, Graph, INFINITE, NodeId, Numbers, Turn};
use super::meter::{Limits, Meter};
use super::order;
use super::proof::{Proof, Reply};
use super::solver::Verdict;
use super::zone;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Point, PointSet, Rule};
use std::collections::HashMap;
use std::sync::Arc;

/// The most moves that one search for fours may try on the way, at first. Few:
/// most wins by fours are found with fewer, and the time goes where there are
/// none.
const FOURS_NODES: u64 = 8;

/// The most moves that searches for fours may try for a proof that will be
/// shown.
const PROOF_NODES: u64 = 10_000_000;

/// How much of that may go into a shorter one.
const SHORT_NODES: u64 = 1_000;

/// How much more that is each time that nothing was found and some search for
/// fours was cut short.
const MORE: u64 = 16;

/// The search for threes and fours with all it remembers of one position.
pub(super) struct Threes {
    graph: Graph,
    replies: Vec<Point>,
    line: Vec<Point>,
    /// Memory for the attacker's moves.
    moves: Vec<order::Ranked>,
    /// Whether some search for fours was cut short, so that a disproof is none.
    cut_short: bool,
    /// The most moves that one search for fours may try.
    fours_nodes: u64,
    /// Whether moves without a shape are tried everywhere.
    shapeless: bool,
}

impl Threes {
    pub(super) fn new(bytes: usize) -> Threes {
        Threes {
            graph: Graph::new(bytes),
            replies: Vec::with_capacity(512),
            line: Vec::with_capacity(512),
            moves: Vec::with_capacity(512),
            cut_short: false,
            fours_nodes: FOURS_NODES,
            shapeless: false,
        }
    }

    /// Whether the memory was too small for the last search.
    pub(super) fn is_full(&self) -> bool {
        self.graph.is_full()
    }

    /// Looks for a win of the side to move and proves it.
    pub(super) fn solve(
        &mut self,
        position: &mut Position,
        fours: &mut Fours,
        meter: &mut Meter,
    ) -> Verdict {
        self.fours_nodes = FOURS_NODES;
        self.shapeless = false;
        loop {
            match self.attempt(position, fours, meter) {
                Some(Numbers::WON) => {}
                Some(_) if self.cut_short && !meter.is_spent() => {
                    self.fours_nodes = self.fours_nodes.saturating_mul(MORE);
                    continue;
                }
                Some(Numbers::LOST) if !self.cut_short && !self.shapeless => {
                    self.shapeless = true;
                    continue;
                }
                Some(Numbers::LOST) if !self.cut_short => return Verdict::None,
                _ => return Verdict::Unknown,
            }
            let mut known = HashMap::new();
            let proof = self
                .graph
                .find(position.key())
                .and_then(|root| self.prove(position, root, fours, &mut known));
            return proof.map_or(Verdict::Unknown, |proof| {
                Verdict::Win(Arc::unwrap_or_clone(proof))
            });
        }
    }

    /// The numbers of the position, once they are certain. Nothing if the work
    /// had to end before.
    fn attempt(
        &mut self,
        position: &mut Position,
        fours: &mut Fours,
        meter: &mut Meter,
    ) -> Option<Numbers> {
        self.graph.clear();
        self.cut_short = false;
        let mut search = Search {
            threes: self,
            fours,
            meter,
        };
        let everything = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        let root = search.attacker_node(position)?;
        search.explore(position, root, everything)?;
        Some(self.graph.node(root).numbers)
    }

    /// The proof of an attacker's node that is won.
    fn prove(
        &self,
        position: &mut Position,
        id: NodeId,
        fours: &mut Fours,
        known: &mut HashMap<u64, Arc<Proof>>,
    ) -> Option<Arc<Proof>> {
        let key = position.key();
        if let Some(proof) = known.get(&key) {
            return Some(Arc::clone(proof));
        }
        let children = self.graph.children(id);
        let winner = children
            .iter()
            .find(|child| self.graph.numbers_of(child) == Numbers::WON);
        let proof = match winner {
            None => by_fours(position, fours)?,
            Some(child) => {
                position.play(child.point);
                let proof = self.prove_replies(position, child.point, child.node?, fours, known);
                position.undo();
                proof?
            }
        };
        let proof = Arc::new(proof);
        known.insert(key, Arc::clone(&proof));
        Some(proof)
    }

    fn prove_replies(
        &self,
        position: &mut Position,
        point: Point,
        id: NodeId,
        fours: &mut Fours,
        known: &mut HashMap<u64, Arc<Proof>>,
    ) -> Option<Proof> {
        let mut replies = Vec::new();
        for child in self.graph.children(id) {
            position.play(child.point);
            let refutation = self.prove(position, child.node?, fours, known);
            position.undo();
            replies.push(Reply {
                point: child.point,
                refutation: refutation?,
            });
        }
        Some(Proof::new(point, replies, self.graph.line(id).to_vec()))
    }
}

/// The proof of a win by fours that has been found before, the shortest if
/// that takes little work.
fn by_fours(position: &mut Position, fours: &mut Fours) -> Option<Proof> {
    let mut never = || false;
    let mut meter = Meter::new(Limits {
        nodes: PROOF_NODES,
        stop: &mut never,
    });
    let cap = meter.cap(SHORT_NODES);
    let mut found = fours.solve(position, &mut meter);
    meter.restore(cap);
    if found == Found::Unknown {
        found = fours.find(position, &mut meter);
    }
    match found {
        Found::Win(count) => fours.proof(position, count, &mut meter),
        _ => None,
    }
}

/// A search under way.
struct Search<'a, 'b> {
    threes: &'a mut Threes,
    fours: &'a mut Fours,
    meter: &'a mut Meter<'b>,
}

impl Search<'_, '_> {
    /// Works on a node until its numbers reach the limits. Nothing if the work
    /// had to end before.
    fn explore(&mut self, position: &mut Position, id: NodeId, limits: Numbers) -> Option<()> {
        let numbers = self.threes.graph.node(id).numbers;
        if numbers == Numbers::WON || numbers == Numbers::LOST {
            return Some(());
        }
        while let Some((number, limits)) = self.threes.graph.next(id, limits) {
            let child = self.threes.graph.children(id)[number];
            position.play(child.point);
            let done = match child.node {
                Some(node) => self.explore(position, node, limits),
                None => self.look_at(position, id, number),
            };
            position.undo();
            done?;
        }
        Some(())
    }

    /// Makes the node that a move leads to, where there is none yet.
    fn look_at(&mut self, position: &mut Position, parent: NodeId, number: usize) -> Option<()> {
        let node = match self.threes.graph.find(position.key()) {
            Some(node) => node,
            None => match self.threes.graph.node(parent).turn {
                Turn::Attacker => self.defender_node(position)?,
                Turn::Defender => self.attacker_node(position)?,
            },
        };
        self.threes.graph.link(parent, number, node);
        Some(())
    }

    /// A search for fours by the side to move; nothing if all work must end.
    fn look_for_fours(&mut self, position: &mut Position, nodes: u64) -> Option<Found> {
        let cap = self.meter.cap(nodes);
        let found = self.fours.find(position, self.meter);
        self.meter.restore(cap);
        match found {
            Found::Unknown if self.meter.is_spent() => None,
            found => Some(found),
        }
    }

    /// A node for the attacker to move.
    fn attacker_node(&mut self, position: &mut Position) -> Option<NodeId> {
        if !self.meter.tick() || self.threes.graph.is_full() {
            return None;
        }
        let key = position.key();
        match self.look_for_fours(position, self.threes.fours_nodes)? {
            Found::Win(_) => return Some(self.settled(key, Turn::Attacker, Numbers::WON)),
            Found::Unknown => self.threes.cut_short = true,
            Found::None => {}
        }
        let points = self.attacks(position)?;
        let mut moves = std::mem::take(&mut self.threes.moves);
        let children = order::attacks(position, &points, self.threes.shapeless, &mut moves);
        let node = self.open(key, Turn::Attacker, children, &[]);
        self.threes.moves = moves;
        Some(node)
    }

    /// The points where the attacker to move may have something.
    fn attacks(&mut self, position: &mut Position) -> Option<PointSet> {
        let defender = position.side().opponent();
        let theirs = position.counts(defender);
        if theirs.any(Class::Five) {
            return Some(answers_to_five(position));
        }
        if theirs.any_from(Class::Four) {
            position.pass();
            let threat = self.threat(position, self.threes.fours_nodes / 2);
            position.undo();
            if let Found::Win(_) = threat? {
                let attacks = self.replies_to_line(position)?.iter().copied().collect();
                return Some(attacks);
            }
        }
        Some(position.board().difference(position.occupied()))
    }

    /// A node for the defender to move.
    fn defender_node(&mut self, position: &mut Position) -> Option<NodeId> {
        if !self.meter.tick() || self.threes.graph.is_full() {
            return None;
        }
        let key = position.key();
        let (defender, attacker) = (position.side(), position.side().opponent());
        if position.counts(defender).any(Class::Five) {
            return Some(self.settled(key, Turn::Defender, Numbers::LOST));
        }
        if position.counts(attacker).any(Class::Five) {
            return Some(self.after_a_four(position));
        }
        if let Found::Win(_) = self.look_for_fours(position, self.threes.fours_nodes / 2)? {
            return Some(self.settled(key, Turn::Defender, Numbers::LOST));
        }
        position.pass();
        let threat = self.threat(position, self.threes.fours_nodes);
        position.undo();
        match threat? {
            Found::Win(_) => {}
            found => {
                self.threes.cut_short |= found == Found::Unknown;
                return Some(self.settled(key, Turn::Defender, Numbers::LOST));
            }
        }
        self.replies_to_line(position)?;
        let replies = std::mem::take(&mut self.threes.replies);
        let line = std::mem::take(&mut self.threes.line);
        let children = replies.iter().map(|&point| unknown(point));
        let node = self.open(key, Turn::Defender, children, &line);
        self.threes.replies = replies;
        self.threes.line = line;
        Some(node)
    }

    /// The moves of the side to move that matter against the line of fours
    /// that was kept.
    fn replies_to_line(&mut self, position: &mut Position) -> Option<&[Point]> {
        let Threes { line, replies, .. } = &mut *self.threes;
        zone::replies(position, line, self.meter, replies)?;
        Some(replies)
    }

    /// Whether the side to move, which would not have the move, wins by fours;
    /// the line is kept.
    fn threat(&mut self, position: &mut Position, nodes: u64) -> Option<Found> {
        let found = self.look_for_fours(position, nodes)?;
        if let Found::Win(count) = found {
            self.fours
                .line(position, count, self.meter, &mut self.threes.line)?;
        }
        Some(found)
    }

    /// A node for the defender to move who must prevent a five.
    fn after_a_four(&mut self, position: &mut Position) -> NodeId {
        let key = position.key();
        let attacker = position.side().opponent();
        let five = position.fours_of(attacker, Class::Five).next();
        let line = [five.unwrap_or(Point::NONE)];
        match Answers::to(position) {
            Answers::Refuted => self.settled(key, Turn::Defender, Numbers::LOST),
            Answers::Only(point) => {
                let children = [unknown(point)].into_iter();
                self.open(key, Turn::Defender, children, &line)
            }
            Answers::Several(set) => self.open(key, Turn::Defender, set.iter().map(unknown), &line),
            Answers::Hopeless => {
                // What takes one five leaves another; a proof says so.
                let takers = super::line::takers(position, line[0]);
                self.open(key, Turn::Defender, takers.into_iter().map(unknown), &line)
            }
        }
    }

    fn settled(&mut self, key: u64, turn: Turn, numbers: Numbers) -> NodeId {
        let none = std::iter::empty();
        self.threes.graph.add(key, turn, numbers, none, &[])
    }

    /// A node with these moves; without any, the side to move has failed.
    fn open(
        &mut self,
        key: u64,
        turn: Turn,
        children: impl Iterator<Item = Child>,
        line: &[Point],
    ) -> NodeId {
        let graph = &mut self.threes.graph;
        let unknown = Numbers {
            proof: 1,
            disproof: 1,
        };
        let id = graph.add(key, turn, unknown, children, line);
        let nothing = Numbers {
            proof: 0,
            disproof: 0,
        };
        if graph.children(id).is_empty() {
            graph.set_numbers(
                id,
                match turn {
                    Turn::Attacker => Numbers::LOST,
                    Turn::Defender => Numbers::WON,
                },
            );
        } else {
            // Only sums up: no limits are below nothing.
            graph.next(id, nothing);
        }
        id
    }
}

/// A reply of which nothing is known.
fn unknown(point: Point) -> Child {
    Child {
        point,
        prior: 1,
        cost: 0,
        node: None,
    }
}

/// The points where the side to move meets the five of its opponent.
fn answers_to_five(position: &Position) -> PointSet {
    let opponent = position.side().opponent();
    if matches!(position.rule(), Rule::Caro | Rule::CaroOverline) {
        return answers(position);
    }
    let mut fives = position.fours_of(opponent, Class::Five);
    match (fives.next(), fives.next()) {
        (Some(point), None) => [point].into_iter().collect(),
        _ => PointSet::EMPTY,
    }
}
