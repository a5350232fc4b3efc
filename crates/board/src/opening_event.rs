//! The events of an opening besides the stones that are put: choices, and stones that are offered.

use quincunx_engine::game::swap::{Choice, Dialogue, OpeningRule};
use quincunx_engine::rules::Point;

/// An event of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpeningEvent {
    /// A choice.
    Choice(Choice),
    /// A stone that is offered for the next move.
    Offer(Point),
}

/// An event, with the number of stones on the board at that time.
pub(super) type PlyEvent = (usize, OpeningEvent);

/// The dialogue of an opening after these events, with this number of stones on the board.
pub(super) fn dialogue(rule: OpeningRule, events: &[PlyEvent], stones: usize) -> Dialogue {
    let mut dialogue = Dialogue {
        rule,
        ..Dialogue::default()
    };
    for &(at, event) in events {
        match event {
            OpeningEvent::Choice(choice) if at <= stones => dialogue.choices.push(choice),
            OpeningEvent::Offer(point) if at == stones => dialogue.offers.push(point),
            _ => {}
        }
    }
    dialogue
}
