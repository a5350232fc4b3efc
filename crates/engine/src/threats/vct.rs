//! Wins by continuous threes and fours: a depth-first proof-number search.
//!
//! The attacker makes fours, or moves after which it would win by fours if the
//! defender passed. The defender has its own fours and the replies after which
//! that line of fours does not win; any other legal move loses to the line. So a
//! win is a win against every legal reply. If the defender in turn threatens to
//! win by fours, the attacker has only fours and the moves that prevent it.
//!
//! Most moves that threaten something make a shape, and only those are tried at
//! first. A move without a shape can still uphold a threat, by blocking a four
//! that would interrupt it. So "none" takes a search with all moves of the board:
//! it means that there is no win in which each move is a four or threatens a win
//! by fours.

use super::answers::answers_to_five;
use super::attacks;
use super::forced_win::ForcedWin;
use super::limits::NodeCounter;
use super::proof::{Proof, RefutedReply};
use super::proof_graph::{Child, INFINITE, NodeId, ProofGraph, ProofNumbers, Turn};
use super::vcf::{FourAnswers, Vcf, VcfResult};
use super::zone;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Point, PointSet};
use std::collections::HashMap;
use std::sync::Arc;

/// The node limit of each search for fours, in the first attempt. Most wins by
/// fours take fewer nodes; the time goes where there are none.
const VCF_NODES: u64 = 8;

/// The node limit of searches for fours that find the proof of a known win.
const PROOF_NODES: u64 = 10_000_000;

/// The part of [`PROOF_NODES`] that goes into the shortest proof.
const SHORT_NODES: u64 = 1_000;

/// The factor by which the node limit of each search for fours grows after an
/// attempt in which some of them reached it.
const MORE: u64 = 16;

/// The search for threes and fours and its memory.
pub(super) struct Vct {
    graph: ProofGraph,
    replies: Vec<Point>,
    line: Vec<Point>,
    /// Scratch memory for the attacker's moves.
    moves: Vec<attacks::Ranked>,
    /// True if some search for fours reached its limit, so that a disproof does
    /// not count.
    cut_short: bool,
    /// The node limit of each search for fours.
    vcf_nodes: u64,
    /// True if the attacker's moves without a shape are tried.
    shapeless: bool,
}

impl Vct {
    pub(super) fn new(bytes: usize) -> Vct {
        Vct {
            graph: ProofGraph::new(bytes),
            replies: Vec::with_capacity(512),
            line: Vec::with_capacity(512),
            moves: Vec::with_capacity(512),
            cut_short: false,
            vcf_nodes: VCF_NODES,
            shapeless: false,
        }
    }

    /// Returns whether the last search ran out of memory.
    pub(super) fn is_full(&mut self) -> bool {
        self.graph.is_full()
    }

    /// Looks for a win of the side to move and proves it.
    pub(super) fn solve(
        &mut self,
        position: &mut Position,
        vcf: &mut Vcf,
        counter: &mut NodeCounter,
    ) -> ForcedWin {
        self.vcf_nodes = VCF_NODES;
        self.shapeless = false;
        loop {
            match self.attempt(position, vcf, counter) {
                Some(ProofNumbers::WON) => {}
                Some(_) if self.cut_short && !counter.is_spent() => {
                    self.vcf_nodes = self.vcf_nodes.saturating_mul(MORE);
                    continue;
                }
                Some(ProofNumbers::LOST) if !self.cut_short && !self.shapeless => {
                    self.shapeless = true;
                    continue;
                }
                Some(ProofNumbers::LOST) if !self.cut_short => return ForcedWin::None,
                _ => return ForcedWin::Unknown,
            }
            let mut known = HashMap::new();
            let proof = self
                .graph
                .find(position.key())
                .and_then(|root| self.prove(position, root, vcf, counter, &mut known));
            return proof.map_or(ForcedWin::Unknown, |proof| {
                ForcedWin::Proven(Arc::unwrap_or_clone(proof))
            });
        }
    }

    /// The proof numbers of the position when the search is done. `None` if the
    /// nodes ran out.
    fn attempt(
        &mut self,
        position: &mut Position,
        vcf: &mut Vcf,
        counter: &mut NodeCounter,
    ) -> Option<ProofNumbers> {
        self.graph.clear();
        self.cut_short = false;
        let mut search = VctSearch {
            vct: self,
            vcf,
            counter,
        };
        let everything = ProofNumbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        let root = search.attacker_node(position)?;
        search.explore(position, root, everything)?;
        Some(self.graph.node(root).numbers)
    }

    /// The proof of a node that is won, with the attacker to move.
    fn prove(
        &self,
        position: &mut Position,
        id: NodeId,
        vcf: &mut Vcf,
        counter: &mut NodeCounter,
        known: &mut HashMap<u64, Arc<Proof>>,
    ) -> Option<Arc<Proof>> {
        let key = position.key();
        if let Some(proof) = known.get(&key) {
            return Some(Arc::clone(proof));
        }
        let children = self.graph.children(id);
        let winner = children
            .iter()
            .find(|child| self.graph.numbers_of(child) == ProofNumbers::WON);
        let proof = match winner {
            None => by_fours(position, vcf, &mut counter.beyond(PROOF_NODES))?,
            Some(child) => {
                position.play(child.point);
                let proof =
                    self.prove_replies(position, child.point, child.node?, vcf, counter, known);
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
        vcf: &mut Vcf,
        counter: &mut NodeCounter,
        known: &mut HashMap<u64, Arc<Proof>>,
    ) -> Option<Proof> {
        let mut replies = Vec::new();
        for child in self.graph.children(id) {
            position.play(child.point);
            let refutation = self.prove(position, child.node?, vcf, counter, known);
            position.undo();
            replies.push(RefutedReply {
                point: child.point,
                refutation: refutation?,
            });
        }
        Some(Proof::new(point, replies, self.graph.line(id).to_vec()))
    }
}

/// The proof of a win by fours that was found before: the shortest one, if that
/// takes few nodes.
fn by_fours(position: &mut Position, vcf: &mut Vcf, counter: &mut NodeCounter) -> Option<Proof> {
    let cap = counter.cap(SHORT_NODES);
    let mut found = vcf.solve(position, counter);
    counter.restore(cap);
    if found == VcfResult::Unknown {
        found = vcf.find(position, counter);
    }
    match found {
        VcfResult::Win(count) => vcf.proof(position, count, counter),
        _ => None,
    }
}

/// One attempt of the search.
struct VctSearch<'a, 'b> {
    vct: &'a mut Vct,
    vcf: &'a mut Vcf,
    counter: &'a mut NodeCounter<'b>,
}

impl VctSearch<'_, '_> {
    /// Searches below a node until its numbers reach the limits. `None` if the
    /// nodes ran out.
    fn explore(&mut self, position: &mut Position, id: NodeId, limits: ProofNumbers) -> Option<()> {
        let numbers = self.vct.graph.node(id).numbers;
        if numbers == ProofNumbers::WON || numbers == ProofNumbers::LOST {
            return Some(());
        }
        while let Some((number, limits)) = self.vct.graph.next(id, limits) {
            let child = self.vct.graph.children(id)[number];
            position.play(child.point);
            let done = match child.node {
                Some(node) => self.explore(position, node, limits),
                None => self.expand(position, id, number),
            };
            position.undo();
            done?;
        }
        Some(())
    }

    /// Adds the node that a move leads to, unless there is one.
    fn expand(&mut self, position: &mut Position, parent: NodeId, number: usize) -> Option<()> {
        let node = match self.vct.graph.find(position.key()) {
            Some(node) => node,
            None => match self.vct.graph.node(parent).turn {
                Turn::Attacker => self.defender_node(position)?,
                Turn::Defender => self.attacker_node(position)?,
            },
        };
        self.vct.graph.link(parent, number, node);
        Some(())
    }

    /// A search for fours by the side to move. `None` if the nodes of the whole
    /// search ran out.
    fn search_vcf(&mut self, position: &mut Position, nodes: u64) -> Option<VcfResult> {
        let cap = self.counter.cap(nodes);
        let found = self.vcf.find(position, self.counter);
        self.counter.restore(cap);
        match found {
            VcfResult::Unknown if self.counter.is_spent() => None,
            found => Some(found),
        }
    }

    /// Adds a node with the attacker to move.
    fn attacker_node(&mut self, position: &mut Position) -> Option<NodeId> {
        if !self.counter.tick() || self.vct.graph.is_full() {
            return None;
        }
        let key = position.key();
        match self.search_vcf(position, self.vct.vcf_nodes)? {
            VcfResult::Win(_) => return Some(self.settled(key, Turn::Attacker, ProofNumbers::WON)),
            VcfResult::Unknown => self.vct.cut_short = true,
            VcfResult::None => {}
        }
        let points = self.attacks(position)?;
        let mut moves = std::mem::take(&mut self.vct.moves);
        let children = attacks::attacks(position, &points, self.vct.shapeless, &mut moves);
        let node = self.open(key, Turn::Attacker, children, &[]);
        self.vct.moves = moves;
        Some(node)
    }

    /// The points where an attacker to move may play.
    fn attacks(&mut self, position: &mut Position) -> Option<PointSet> {
        let defender = position.side().opponent();
        let theirs = position.counts(defender);
        if theirs.any(Class::Five) {
            return Some(answers_to_five(position));
        }
        if theirs.any_from(Class::Four) {
            position.pass();
            let threat = self.threat(position, self.vct.vcf_nodes / 2);
            position.undo();
            if let VcfResult::Win(_) = threat? {
                let attacks = self.replies_to_line(position)?.iter().copied().collect();
                return Some(attacks);
            }
        }
        Some(position.board().difference(position.occupied()))
    }

    /// Adds a node with the defender to move.
    fn defender_node(&mut self, position: &mut Position) -> Option<NodeId> {
        if !self.counter.tick() || self.vct.graph.is_full() {
            return None;
        }
        let key = position.key();
        let (defender, attacker) = (position.side(), position.side().opponent());
        if position.counts(defender).any(Class::Five) {
            return Some(self.settled(key, Turn::Defender, ProofNumbers::LOST));
        }
        if position.counts(attacker).any(Class::Five) {
            return Some(self.after_a_four(position));
        }
        if let VcfResult::Win(_) = self.search_vcf(position, self.vct.vcf_nodes / 2)? {
            return Some(self.settled(key, Turn::Defender, ProofNumbers::LOST));
        }
        position.pass();
        let threat = self.threat(position, self.vct.vcf_nodes);
        position.undo();
        match threat? {
            VcfResult::Win(_) => {}
            found => {
                self.vct.cut_short |= found == VcfResult::Unknown;
                return Some(self.settled(key, Turn::Defender, ProofNumbers::LOST));
            }
        }
        self.replies_to_line(position)?;
        let replies = std::mem::take(&mut self.vct.replies);
        let line = std::mem::take(&mut self.vct.line);
        let children = replies.iter().map(|&point| unknown(point));
        let node = self.open(key, Turn::Defender, children, &line);
        self.vct.replies = replies;
        self.vct.line = line;
        Some(node)
    }

    /// The moves of the side to move that matter against the line of fours found
    /// last.
    fn replies_to_line(&mut self, position: &mut Position) -> Option<&[Point]> {
        let Vct { line, replies, .. } = &mut *self.vct;
        zone::replies(position, line, self.counter, replies)?;
        Some(replies)
    }

    /// Returns whether the side to move wins by fours, after its opponent passed. Keeps
    /// the line.
    fn threat(&mut self, position: &mut Position, nodes: u64) -> Option<VcfResult> {
        let found = self.search_vcf(position, nodes)?;
        if let VcfResult::Win(count) = found {
            self.vcf
                .line(position, count, self.counter, &mut self.vct.line)?;
        }
        Some(found)
    }

    /// Adds a node with the defender to move, who must prevent a five.
    fn after_a_four(&mut self, position: &mut Position) -> NodeId {
        let key = position.key();
        let attacker = position.side().opponent();
        let five = position.fives(attacker).next();
        let line = [five.unwrap_or(Point::NONE)];
        match FourAnswers::to(position) {
            FourAnswers::Refuted => self.settled(key, Turn::Defender, ProofNumbers::LOST),
            FourAnswers::Only(point) => {
                let children = [unknown(point)].into_iter();
                self.open(key, Turn::Defender, children, &line)
            }
            FourAnswers::Several(set) => {
                self.open(key, Turn::Defender, set.iter().map(unknown), &line)
            }
            FourAnswers::Hopeless => {
                // What takes one five leaves another; a proof says so.
                let takers = super::vcf_proof::takers(position, line[0]);
                self.open(key, Turn::Defender, takers.into_iter().map(unknown), &line)
            }
        }
    }

    fn settled(&mut self, key: u64, turn: Turn, numbers: ProofNumbers) -> NodeId {
        let none = std::iter::empty();
        self.vct.graph.add(key, turn, numbers, none, &[])
    }

    /// Adds a node with these moves; without any, the side to move has failed.
    fn open(
        &mut self,
        key: u64,
        turn: Turn,
        children: impl Iterator<Item = Child>,
        line: &[Point],
    ) -> NodeId {
        let graph = &mut self.vct.graph;
        let unknown = ProofNumbers {
            proof: 1,
            disproof: 1,
        };
        let id = graph.add(key, turn, unknown, children, line);
        let nothing = ProofNumbers {
            proof: 0,
            disproof: 0,
        };
        if graph.children(id).is_empty() {
            graph.set_numbers(
                id,
                match turn {
                    Turn::Attacker => ProofNumbers::LOST,
                    Turn::Defender => ProofNumbers::WON,
                },
            );
        } else {
            // Only sums up: no limits are below nothing.
            graph.next(id, nothing);
        }
        id
    }
}

/// A reply that has not been searched.
fn unknown(point: Point) -> Child {
    Child {
        point,
        prior: 1,
        cost: 0,
        node: None,
    }
}
