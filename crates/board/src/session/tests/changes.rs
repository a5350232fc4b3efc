//! A front that keeps the tree is told what changes in it.

use super::*;
use crate::message::NodeView;
use std::collections::BTreeMap;

/// A front that keeps the tree, and the session that tells it what changes.
struct Front {
    table: Table,
    tree: BTreeMap<u32, NodeView>,
    save: Option<String>,
    told: State,
}

impl Front {
    fn new(save: Option<String>, node: Option<u32>) -> Front {
        let mut table = Table::new();
        table.session.is_ready = false;
        let told = table.state();
        let mut front = Front {
            table,
            tree: BTreeMap::new(),
            save: None,
            told,
        };
        front.say(ClientMessage::Hello {
            version: VERSION,
            save,
            node,
            changes: true,
            left_ms: None,
        });
        front
    }

    fn say(&mut self, message: ClientMessage) {
        self.table.say(message);
        for reply in std::mem::take(&mut self.table.replies) {
            self.hear(reply);
        }
    }

    fn hear(&mut self, reply: ServerMessage) {
        let ServerMessage::State(state) = reply else {
            return;
        };
        if state.whole {
            self.tree.clear();
        }
        for id in &state.removed {
            self.tree.remove(id);
        }
        let nodes = state.tree.iter().cloned();
        self.tree.extend(nodes.map(|node| (node.id, node)));
        self.save = state.save.clone().or(self.save.take());
        self.told = *state;
        let whole = self.table.state().tree;
        assert!(self.tree.values().eq(&whole), "the front knows the tree");
    }

    fn play(&mut self, point: &str) {
        let (point, node) = (point.to_owned(), self.told.node);
        self.say(ClientMessage::Play { point, node });
    }
}

#[test]
fn only_changes_are_sent() {
    let mut front = Front::new(None, None);
    assert!(front.told.whole);
    let mut setup = front.told.setup.clone();
    setup.white = Player::Person;
    front.say(ClientMessage::NewGame(setup));
    assert!(front.told.whole, "another game");
    for point in ["h8", "i9", "g7"] {
        front.play(point);
        assert_eq!((front.told.whole, front.told.tree.len()), (false, 1));
    }
    front.say(ClientMessage::GoTo { node: 1 });
    assert_eq!(front.told.tree, []);
    front.play("a1");
    assert_eq!(front.told.tree[0].rank, 1);
    front.say(ClientMessage::Promote { node: 4 });
    let ranks = (front.told.tree.iter()).map(|node| (node.id, node.rank));
    assert_eq!(ranks.collect::<Vec<_>>(), [(2, 1), (4, 0)]);
    front.say(ClientMessage::Comment {
        node: 2,
        text: "here".to_owned(),
    });
    assert_eq!(front.told.tree[0].comment, "here");
    front.say(ClientMessage::Delete { node: 4 });
    assert_eq!(front.told.removed, [4]);
    assert_eq!(front.told.tree[0].rank, 0);
    front.say(ClientMessage::BringBack);
    assert!(front.told.whole, "what was deleted is there again");
}

/// A step through 18,705 positions once sent all of them, twice.
#[test]
fn a_step_in_a_large_game_takes_a_few_bytes() {
    let variations: String = (0..220_u8)
        .map(|at| {
            let (column, row) = (
                char::from(b'a' + at % 15),
                char::from(b'a' + (at / 15) % 15),
            );
            format!("(;W[{column}{row}];B[ko];W[lo];B[mo];W[no])")
        })
        .collect();
    let mut front = Front::new(None, None);
    front.say(ClientMessage::open(format!(
        "(;GM[4]SZ[15];B[oo]{variations})"
    )));
    assert!(front.tree.len() > 600);
    front.say(ClientMessage::GoTo { node: 3 });
    let told = serde_json::to_string(&ServerMessage::State(Box::new(front.told.clone())));
    assert!(told.unwrap().len() < 2_500);
    assert_eq!(front.told.save, None);
    // What was kept before and the node that is shown are enough to go on.
    let again = Front::new(front.save.clone(), Some(3));
    assert_eq!(again.told.stones, front.told.stones);
    assert_eq!(again.told.node, 3);
    front.play("h8");
    assert!(front.told.save.is_some());
}
