//! The dialogue of an opening in SGF: `OPENINGRULE` has the rule and the choices in their order, and
//! `5A` the fifth stones that black offered, as in games of RenjuNet.

use super::opening_event::{OpeningEvent, PlyEvent};
use quincunx_engine::game::swap::{Choice, Dialogue, OpeningRule, OpeningStep};
use quincunx_engine::rules::BoardSize;
use quincunx_records::sgf::{Property, point, point_text};

/// The property of the root with the rule and the choices.
const RULE: &str = "OPENINGRULE";

/// The property of the root with the offers.
const OFFERS: &str = "5A";

/// The number of stones on the board when black offers the fifth.
const OFFERED_AT: usize = 4;

/// The properties of an opening with these events; none if the first player plays black.
pub(super) fn properties(rule: OpeningRule, events: &[PlyEvent], size: BoardSize) -> Vec<Property> {
    let mut choices = Property::new(RULE, rule.name());
    let mut offers = Vec::new();
    for (_, event) in events {
        match *event {
            OpeningEvent::Choice(choice) => choices.values.push(choice_name(choice)),
            OpeningEvent::Offer(point) => offers.push(point_text(size, point)),
        }
    }
    let offers = (!offers.is_empty()).then(|| Property {
        name: OFFERS.to_owned(),
        values: offers,
    });
    let choices = (rule != OpeningRule::Free).then_some(choices);
    choices.into_iter().chain(offers).collect()
}

/// The rule and the events of a game with this number of stones, which are taken out of the
/// properties of its root. `None` if they name no rule, or say what the rule does not allow.
pub(super) fn take(
    properties: &mut Vec<Property>,
    size: BoardSize,
    stones: usize,
) -> Option<(OpeningRule, Vec<PlyEvent>)> {
    let values = |name: &str| {
        let found = properties.iter().find(|property| property.name == name);
        found.map_or(&[][..], |property| &property.values)
    };
    let (rule, names) = values(RULE).split_first()?;
    let mut dialogue = Dialogue {
        rule: rule.parse().ok()?,
        ..Dialogue::default()
    };
    let mut choices = names.iter().map(|name| choice(name));
    let mut events = Vec::new();
    for stones in 0..=stones {
        while let Some(OpeningStep::Choose { .. }) = dialogue.step(stones) {
            let Some(choice) = choices.next() else {
                break;
            };
            dialogue.choose(stones, choice?).ok()?;
            events.push((stones, OpeningEvent::Choice(choice?)));
        }
    }
    let offers = values(OFFERS).iter().map(|text| point(size, text));
    let offers: Option<Vec<_>> = offers.collect();
    let offers = offers?.into_iter().map(OpeningEvent::Offer);
    events.extend(offers.map(|offer| (OFFERED_AT, offer)));
    if choices.next().is_some() {
        return None;
    }
    properties.retain(|property| property.name != RULE && property.name != OFFERS);
    Some((dialogue.rule, events))
}

fn choice_name(choice: Choice) -> String {
    match choice {
        Choice::Black => "black".to_owned(),
        Choice::White => "white".to_owned(),
        Choice::TwoStones => "two stones".to_owned(),
        Choice::Offers(count) => count.to_string(),
    }
}

fn choice(name: &str) -> Option<Choice> {
    match name {
        "black" => Some(Choice::Black),
        "white" => Some(Choice::White),
        "two stones" => Some(Choice::TwoStones),
        count => count.parse().ok().map(Choice::Offers),
    }
}
