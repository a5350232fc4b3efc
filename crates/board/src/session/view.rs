//! All that a front shows of a session.

use super::Session;
use super::updates::{SMALL, SentState, TreeUpdate};
use crate::message::{
    Actions, ChosenView, ExploredView, ForbiddenView, NodeView, Phase, Player, ReviewView,
    ServerMessage, State, StoneView, ThreatView,
};
use crate::save::SavedSession;
use crate::tree::{Node, NodeId};
use quincunx_analysis::review::MoveClass;
use quincunx_analysis::{NamedOpening, threats};
use quincunx_engine::game::swap::{Choice, Seat};
use quincunx_engine::pattern::Class;
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_records::sgf::Property;
use std::collections::BTreeSet;
use std::time::Duration;

/// The strong threats, the strongest first.
const THREATS: [(Class, &str); 6] = [
    (Class::Five, "five"),
    (Class::OpenFour, "open_four"),
    (Class::FourThree, "four_three"),
    (Class::FourPlus, "four"),
    (Class::Four, "four"),
    (Class::DoubleThree, "double_three"),
];

impl Session {
    /// Returns the new state of the front.
    pub(super) fn update(&mut self) -> ServerMessage {
        let sent = SentState {
            setup: self.setup.clone(),
            events: self.events.clone(),
            is_reviewed: self.searches.reviewed.is_some(),
        };
        let changes = self.cursor.tree.take_changes();
        let whole = !self.sends_changes || self.sent.is_none();
        let is_small = self.cursor.tree.len() <= SMALL;
        let is_same = self.sent.as_ref() == Some(&sent);
        let telling = TreeUpdate {
            whole,
            save: whole || is_small || changes.is_to_be_kept || !is_same,
            nodes: changes.nodes,
            removed: if whole { Vec::new() } else { changes.removed },
        };
        self.sent = Some(sent);
        ServerMessage::State(Box::new(self.state_with(telling)))
    }

    /// All that a front shows, with the whole tree and the text to keep.
    #[cfg(test)]
    pub(super) fn state(&self) -> State {
        let whole = TreeUpdate {
            whole: true,
            save: true,
            ..TreeUpdate::default()
        };
        self.state_with(whole)
    }

    /// The state for the front, with this part of the tree.
    pub(super) fn state_with(&self, telling: TreeUpdate) -> State {
        let game = &self.cursor.game;
        let opening = game.opening().map(|stone| (stone, None));
        let moves = (game.moves().zip(1..)).map(|(stone, number)| (stone, Some(number)));
        let placed = opening
            .chain(moves)
            .filter(|((_, point), _)| *point != Point::NONE);
        State {
            game: self.number,
            setup: self.setup.clone(),
            info: self.info(),
            named_opening: NamedOpening::of(game),
            width: game.size().width(),
            height: game.size().height(),
            stars: game.size().stars().map(|point| point.to_string()).collect(),
            node: self.cursor.node,
            stones: placed
                .map(|((color, point), number)| StoneView {
                    point,
                    color,
                    number,
                })
                .collect(),
            turn: game.side(),
            phase: self.phase(),
            actor: self.actor(),
            players: self.colors(),
            acting: self.acting(),
            chosen: self.chosen(),
            levels: self.levels(),
            opened: self.is_opened(self.cursor.node),
            winning: texts(&game.winning_stones()),
            forbidden: self.forbidden(),
            allowed: self.allowed().map(|points| texts(&points)),
            offers: self
                .dialogue()
                .offers
                .iter()
                .map(Point::to_string)
                .collect(),
            threats: self.threats(),
            labels: self.labels(),
            arrows: self.arrows(),
            thinking: self.searches.is_thinking(),
            waiting: self.waiting && self.actor() == Some(Player::Engine),
            analysis: self.searches.analysis,
            mode: self.searches.mode,
            explored: self.explored(),
            can: self.actions(),
            clock: self.clock(),
            whole: telling.whole,
            tree: match telling.whole {
                true => self.nodes(),
                false => self.some_nodes(&telling.nodes),
            },
            removed: telling.removed,
            save: telling.save.then(|| self.save()),
            summary: self.summary().filter(|_| telling.save),
        }
    }

    /// The saved text of the session.
    fn save(&self) -> String {
        let fits = |review: &&ReviewView| {
            let text = serde_json::to_string(review).unwrap_or_default();
            self.cursor.tree.has_room_for(&text)
        };
        let mut save = SavedSession::of(
            self.number,
            &self.setup,
            &self.events,
            &self.cursor.start,
            &self.cursor.tree,
            self.cursor.node,
            self.waiting,
        );
        let used = |used: Duration| u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
        save.turn = self.turn().map(|(node, time)| (node, used(time)));
        save.opened = self.opened;
        save.review = self.searches.reviewed.as_ref().filter(fits).cloned();
        save.text()
    }

    fn chosen(&self) -> Vec<ChosenView> {
        let view = |(seat, choice): (Seat, Choice)| ChosenView {
            first: seat == Seat::First,
            player: self.players[super::index(seat)],
            choice,
        };
        self.dialogue().chosen().into_iter().map(view).collect()
    }

    fn phase(&self) -> Phase {
        if let Some(result) = self.cursor.game.result() {
            return Phase::Over(result);
        }
        Phase::of(&self.dialogue(), self.cursor.stones())
    }

    fn actions(&self) -> Actions {
        let searches = self.actor() == Some(Player::Engine) && !self.waiting;
        let resigns = self.resigning().is_some();
        Actions {
            undo: self.may_take_back_end() || self.undo_target().is_some(),
            redo: self.can_redo(),
            bring_back: self.last.is_some(),
            hint: self.is_open() && !searches && !self.asks(),
            go_on: self.may_go_on(),
            pass: self.may_pass().is_ok(),
            review: self.may_review(),
            resign: resigns,
            draw: resigns,
        }
    }

    fn forbidden(&self) -> Vec<ForbiddenView> {
        let points = self.cursor.game.clone().forbidden_points();
        let view = |(point, kind)| ForbiddenView { point, kind };
        points.into_iter().map(view).collect()
    }

    /// The points where either side would make a strong threat. None once the game
    /// is over.
    fn threats(&self) -> Vec<ThreatView> {
        if self.cursor.game.is_over() {
            return Vec::new();
        }
        let mut position = self.cursor.game.position().clone();
        let mut found = Vec::new();
        for (class, kind) in THREATS {
            for color in [position.side(), position.side().opponent()] {
                let points: Vec<Point> = (position.size().iter())
                    .filter(|&point| position.is_empty(point))
                    .filter(|&point| position.class(color, point) == class)
                    .collect();
                let allowed = |point: &Point| {
                    color == Color::White || position.forbidden_to_black(*point).is_none()
                };
                let points: Vec<Point> = points.into_iter().filter(allowed).collect();
                found.extend(points.into_iter().map(|point| ThreatView {
                    color,
                    point: point.to_string(),
                    kind,
                    stones: texts(&threats::stones(&mut position, color, point)),
                }));
            }
        }
        found
    }

    fn explored(&self) -> Option<ExploredView> {
        let is_on = self.searches.analysis.is_some();
        let explorer = self.explorer.as_ref().filter(|_| is_on)?;
        Some(ExploredView::of(explorer, self.cursor.game.position()))
    }

    fn nodes(&self) -> Vec<NodeView> {
        let mut numbers = std::collections::BTreeMap::new();
        let ranks = self.cursor.tree.ranks();
        let view = |node: &Node| {
            let before = node.parent.and_then(|id| numbers.get(&id));
            let number = before.map_or(0, |n| n + 1);
            numbers.insert(node.id, number);
            let rank = ranks.get(&node.id).copied().unwrap_or_default();
            node_view(node, number, rank)
        };
        self.cursor.tree.iter().map(view).collect()
    }

    /// These nodes of the tree.
    fn some_nodes(&self, ids: &BTreeSet<NodeId>) -> Vec<NodeView> {
        let view = |&id: &NodeId| {
            let tree = &self.cursor.tree;
            Some(node_view(tree.get(id)?, tree.depth(id), tree.rank(id)))
        };
        ids.iter().filter_map(view).collect()
    }
}

fn node_view(node: &Node, number: usize, rank: usize) -> NodeView {
    NodeView {
        id: node.id,
        parent: node.parent,
        point: node.point.to_string(),
        color: node.color,
        number,
        rank,
        comment: node.comment.clone(),
        mark: mark(node),
        chance: node.chance,
    }
}

/// The mark of a move: the review's, or else the one of the file.
fn mark(node: &Node) -> Option<&'static str> {
    // Most nodes have none.
    if node.verdict.is_none() && node.properties.is_empty() {
        return None;
    }
    let verdict = node.verdict.and_then(MoveClass::annotation);
    let properties = Property::parse(&node.properties);
    (verdict.iter().chain(&properties)).find_map(|property| {
        match (&*property.name, property.value().trim()) {
            ("DO", _) => Some("doubtful"),
            ("BM", "2") => Some("very_bad"),
            ("BM", _) => Some("bad"),
            _ => None,
        }
    })
}

/// Points as text.
fn texts(points: &PointSet) -> Vec<String> {
    points.iter().map(|point| point.to_string()).collect()
}
