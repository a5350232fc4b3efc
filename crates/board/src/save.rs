//! Saved sessions, with which a front goes on after a reload or a restart of the
//! server: JSON in a form that only the board reads.

use super::message::{ReviewView, Setup};
use super::opening_event::{OpeningEvent, PlyEvent};
use super::tree::{GameTree, Node, NodeId};
use quincunx_analysis::review::MoveClass;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::game::{GameResult, SetUp, Termination};
use quincunx_engine::rules::{Color, Point};
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// A session as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedSession {
    /// The number of the game.
    #[serde(default)]
    game: u32,
    setup: Setup,
    rule: String,
    size: String,
    /// The stones of the start: black's, then white's.
    stones: [Vec<String>; 2],
    first: Color,
    choices: Vec<(usize, Choice)>,
    /// The stones that were offered, each with the number of stones on the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offers: Vec<(usize, String)>,
    nodes: Vec<SavedNode>,
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

/// A node without fields that other nodes imply. Libraries have thousands of nodes, so the names
/// are short, and the tree's limits assume that.
#[derive(Debug, Serialize, Deserialize)]
struct SavedNode {
    #[serde(rename = "i")]
    id: NodeId,
    /// The parent, unless it is the node before.
    #[serde(rename = "p")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    #[serde(rename = "m")]
    point: String,
    /// The continuation that was shown last, unless it is the first.
    #[serde(rename = "l")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    latest: Option<NodeId>,
    #[serde(rename = "c")]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(rename = "x")]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    properties: String,
    #[serde(rename = "v")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chance: Option<u16>,
    #[serde(rename = "r")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verdict: Option<MoveClass>,
    #[serde(rename = "e")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<Ending>,
    #[serde(rename = "t")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_ms: Option<u64>,
}

/// The end of a game without a move.
#[derive(Debug, Serialize, Deserialize)]
struct Ending {
    winner: Option<Color>,
    /// The name of the [`Termination`].
    reason: String,
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
            own.map(|(_, point)| point.to_string()).collect()
        };
        SavedSession {
            game,
            setup: setup.clone(),
            rule: start.rule.name().to_owned(),
            size: start.size.to_string(),
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
                    OpeningEvent::Offer(point) => Some((at, point.to_string())),
                    OpeningEvent::Choice(_) => None,
                })
                .collect(),
            nodes: (tree.depth_first())
                .map(|(id, node)| SavedNode::of(id, node))
                .collect(),
            node,
            waiting,
            turn: None,
            opened: None,
            review: None,
        }
    }

    /// The parts of the session. `None` if they make no sense.
    pub(super) fn unpack(self) -> Option<RestoredSession> {
        let mut stones = Vec::new();
        for (color, points) in Color::ALL.into_iter().zip(&self.stones) {
            for point in points {
                stones.push((color, point.parse().ok()?));
            }
        }
        let start = SetUp {
            rule: self.rule.parse().ok()?,
            size: self.size.parse().ok()?,
            stones,
            first: self.first,
        };
        let choices = self.choices.into_iter();
        let mut events: Vec<PlyEvent> = choices
            .map(|(at, choice)| (at, OpeningEvent::Choice(choice)))
            .collect();
        for (at, point) in self.offers {
            events.push((at, OpeningEvent::Offer(point.parse().ok()?)));
        }
        let nodes: Option<Vec<(NodeId, Node)>> = (self.nodes.into_iter())
            .map(|node| node.unpack(start.first))
            .collect();
        Some(RestoredSession {
            game: self.game,
            opening: self.setup.opening.parse().ok()?,
            setup: self.setup,
            events,
            start,
            tree: GameTree::from_nodes(nodes?)?,
            node: self.node,
            waiting: self.waiting,
            turn: (self.turn).map(|(node, used)| (node, Duration::from_millis(used))),
            opened: self.opened,
            review: self.review,
        })
    }
}

impl SavedNode {
    fn of(id: NodeId, node: &Node) -> SavedNode {
        let first = node.children.first();
        SavedNode {
            id,
            parent: node.parent.filter(|parent| parent + 1 != id),
            point: node.point.to_string(),
            latest: node.latest.filter(|latest| first != Some(latest)),
            comment: node.comment.clone(),
            properties: node.properties.clone(),
            chance: node.chance,
            verdict: node.verdict,
            ending: node.ending.map(Ending::of),
            left_ms: node.left_ms,
        }
    }

    /// The node, in a tree whose first move has this colour: as the root is, since the tree
    /// knows the colours of the others.
    fn unpack(self, first: Color) -> Option<(NodeId, Node)> {
        // The root has the number 0, and none before it.
        let parent = self.parent.or(self.id.checked_sub(1));
        let point = match self.point.as_str() {
            "--" => Point::NONE,
            text => text.parse().ok()?,
        };
        let ending = match self.ending {
            Some(ending) => Some(ending.result()?),
            None => None,
        };
        let node = Node {
            latest: self.latest,
            comment: self.comment,
            properties: self.properties,
            chance: self.chance.map(|chance| chance.min(1000)),
            verdict: self.verdict,
            ending,
            left_ms: self.left_ms,
            ..Node::new(parent, first.opponent(), point)
        };
        Some((self.id, node))
    }
}

impl Ending {
    /// The reasons for which a board ends a game without a move.
    const REASONS: [Termination; 5] = [
        Termination::BoardFull,
        Termination::Resignation,
        Termination::Agreement,
        Termination::Time,
        Termination::Forfeit,
    ];

    /// The ending of a result. A game from a file can have ended for another reason, such
    /// as an illegal move; it was lost for a fault all the same.
    fn of(result: GameResult) -> Ending {
        let reason = match result.termination {
            Termination::MoveLimit => Termination::BoardFull,
            reason if Ending::REASONS.contains(&reason) => reason,
            _ => Termination::Forfeit,
        };
        Ending {
            winner: result.winner,
            reason: reason.name().to_owned(),
        }
    }

    /// The result. `None` if no game ends so without a move.
    fn result(self) -> Option<GameResult> {
        let mut reasons = Ending::REASONS.into_iter();
        Some(GameResult {
            winner: self.winner,
            termination: reasons.find(|reason| reason.name() == self.reason)?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::position::Forbidden;

    /// Pages keep these texts, and bring them back to later versions.
    #[test]
    fn endings_stay_as_they_are_written() {
        let names = ["board_full", "resignation", "agreement", "time", "forfeit"];
        for (termination, name) in Ending::REASONS.into_iter().zip(names) {
            let result = GameResult::win(Color::White, termination);
            let text = serde_json::to_string(&Ending::of(result)).unwrap();
            assert_eq!(text, format!(r#"{{"winner":"white","reason":"{name}"}}"#));
            let read: Ending = serde_json::from_str(&text).unwrap();
            assert_eq!(read.result(), Some(result));
        }
        for (other, name) in [
            (Termination::MoveLimit, "board_full"),
            (Termination::IllegalMove, "forfeit"),
            (Termination::Forbidden(Forbidden::Overline), "forfeit"),
        ] {
            let ending = Ending::of(GameResult::win(Color::White, other));
            assert_eq!(ending.reason, name);
            assert!(ending.result().is_some());
        }
        for name in ["five", "move_limit", "weather"] {
            let ending = Ending {
                winner: None,
                reason: name.to_owned(),
            };
            assert_eq!(ending.result(), None, "{name}");
        }
    }
}
