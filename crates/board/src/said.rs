//! What is said in the dialogue of an opening, beside the stones that are put.

use quincunx_engine::game::swap::Choice;
use quincunx_engine::rules::Point;

/// Something said in the dialogue of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A choice.
    Choice(Choice),
    /// A stone that is offered for the next move.
    Offer(Point),
}

/// Something said, with the number of stones on the board at that time.
pub(super) type Saying = (usize, Said);

/// The choices that count where so many stones are on the board.
pub(super) fn choices(said: &[Saying], stones: usize) -> Vec<Choice> {
    let choice = |&(at, said): &Saying| match said {
        Said::Choice(choice) if at <= stones => Some(choice),
        _ => None,
    };
    said.iter().filter_map(choice).collect()
}

/// The stones that are offered where so many stones are on the board.
pub(super) fn offers(said: &[Saying], stones: usize) -> Vec<Point> {
    let offer = |&(at, said): &Saying| match said {
        Said::Offer(point) if at == stones => Some(point),
        _ => None,
    };
    said.iter().filter_map(offer).collect()
}
