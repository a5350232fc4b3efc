//! The events of an opening besides the stones that are put: choices, and stones that are offered.

use quincunx_engine::game::swap::Choice;
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

/// The choices that count with this number of stones on the board.
pub(super) fn choices(events: &[PlyEvent], stones: usize) -> Vec<Choice> {
    let choice = |&(at, event): &PlyEvent| match event {
        OpeningEvent::Choice(choice) if at <= stones => Some(choice),
        _ => None,
    };
    events.iter().filter_map(choice).collect()
}

/// The stones that are offered with this number of stones on the board.
pub(super) fn offers(events: &[PlyEvent], stones: usize) -> Vec<Point> {
    let offer = |&(at, event): &PlyEvent| match event {
        OpeningEvent::Offer(point) if at == stones => Some(point),
        _ => None,
    };
    events.iter().filter_map(offer).collect()
}
