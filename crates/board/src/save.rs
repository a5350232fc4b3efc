//! Saved sessions, with which a front goes on after a reload or a restart of the
//! server: JSON in a form that only the board reads.

use super::message::{ReviewView, Setup};
use super::opening_event::{OpeningEvent, PlyEvent};
use super::tree::{GameTree, Node, NodeId};
use quincunx_engine::game::SetUp;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// A session as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedSession {
    /// The number of the game.
    #[serde(default)]
    game: u32,
    setup: Setup,
    rule: Rule,
    size: BoardSize,
    /// The stones of the start: black's, then white's.
    stones: [Vec<Point>; 2],
    first: Color,
    choices: Vec<(usize, Choice)>,
    /// The stones that were offered, each with the number of stones on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offers: Vec<(usize, Point)>,
    nodes: Vec<Node>,
    node: NodeId,
    waiting: bool,
    /// The turn of a person that was paused, left or ended: its node, and the milliseconds used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<(NodeId, u64)>,
    /// The last node that was read from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) opened: Option<NodeId>,
    /// The review of the game, if it is complete and there is room for it.
    #[serde(default, deserialize_with = "known_review")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) review: Option<ReviewView>,
}

/// A review, unless it is one of another version of the program: the game is worth more.
fn known_review<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<ReviewView>, D::Error> {
    let review = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(review).ok())
}

/// The parts of a restored session.
#[derive(Clone)]
pub(super) struct RestoredSession {
    pub(super) game: u32,
    pub(super) setup: Setup,
    pub(super) opening: OpeningRule,
    pub(super) events: Vec<PlyEvent>,
    pub(super) start: SetUp,
    pub(super) tree: GameTree,
    pub(super) node: NodeId,
    pub(super) waiting: bool,
    pub(super) turn: Option<(NodeId, Duration)>,
    pub(super) opened: Option<NodeId>,
    pub(super) review: Option<ReviewView>,
}

impl SavedSession {
    /// Reads the text of [`SavedSession::text`]. `None` if it is invalid.
    pub(super) fn read(text: &str) -> Option<SavedSession> {
        serde_json::from_str(text).ok()
    }

    /// The text to keep.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A session as it is kept.
    pub(super) fn of(
        game: u32,
        setup: &Setup,
        events: &[PlyEvent],
        start: &SetUp,
        tree: &GameTree,
        node: NodeId,
        waiting: bool,
    ) -> SavedSession {
        let stones = |color: Color| {
            let own = start.stones.iter().filter(|stone| stone.0 == color);
            own.map(|stone| stone.1).collect()
        };
        SavedSession {
            game,
            setup: setup.clone(),
            rule: start.rule,
            size: start.size,
            stones: Color::ALL.map(stones),
            first: start.first,
            choices: (events.iter())
                .filter_map(|&(at, event)| match event {
                    OpeningEvent::Choice(choice) => Some((at, choice)),
                    OpeningEvent::Offer(_) => None,
                })
                .collect(),
            offers: (events.iter())
                .filter_map(|&(at, event)| match event {
                    OpeningEvent::Offer(point) => Some((at, point)),
                    OpeningEvent::Choice(_) => None,
                })
                .collect(),
            nodes: tree.to_nodes(),
            node,
            waiting,
            turn: None,
            opened: None,
            review: None,
        }
    }

    /// The parts of the session. `None` if they make no sense.
    pub(super) fn unpack(self) -> Option<RestoredSession> {
        let own =
            |(color, points): (Color, Vec<Point>)| points.into_iter().map(move |it| (color, it));
        let start = SetUp {
            rule: self.rule,
            size: self.size,
            stones: Color::ALL
                .into_iter()
                .zip(self.stones)
                .flat_map(own)
                .collect(),
            first: self.first,
        };
        let choices = (self.choices.into_iter()).map(|(at, it)| (at, OpeningEvent::Choice(it)));
        let offers = (self.offers.into_iter()).map(|(at, it)| (at, OpeningEvent::Offer(it)));
        Some(RestoredSession {
            game: self.game,
            opening: self.setup.opening.parse().ok()?,
            setup: self.setup,
            events: choices.chain(offers).collect(),
            tree: GameTree::from_nodes(self.nodes, start.first)?,
            start,
            node: self.node,
            waiting: self.waiting,
            turn: (self.turn).map(|(node, used)| (node, Duration::from_millis(used))),
            opened: self.opened,
            review: self.review,
        })
    }
}
