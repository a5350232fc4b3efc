//! The dialogue of an opening in SGF: `OPENINGRULE` has the rule and the choices in their order, and
//! `5A` the fifth stones that black offered, as in games of RenjuNet.

use super::opening_event::{OpeningEvent, PlyEvent};
use quincunx_engine::game::swap::{Choice, Dialogue, OpeningRule, OpeningStep};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point};
use quincunx_records::sgf::{Property, point, point_text};

/// The property of the root with the rule and the choices.
const RULE: &str = "OPENINGRULE";

/// The property of the root with the offers.
const OFFERS: &str = "5A";

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

/// The rule and the events of a game with these moves from the empty board, which are taken out
/// of the properties of its root. `None` if they name no rule, or the dialogue is not one of the
/// rule with these moves.
pub(super) fn take(
    properties: &mut Vec<Property>,
    position: &Position,
    moves: &[Point],
) -> Option<(OpeningRule, Vec<PlyEvent>)> {
    let values = |name: &str| {
        let found = properties.iter().find(|property| property.name == name);
        found.map_or(&[][..], |property| &property.values)
    };
    let (rule, names) = values(RULE).split_first()?;
    let dialogue = Dialogue {
        rule: rule.parse().ok()?,
        ..Dialogue::default()
    };
    let mut choices = names.iter().map(|name| choice(name));
    let mut offers = values(OFFERS).iter();
    let mut offers = std::iter::from_fn(|| Some(point(position.size(), offers.next()?)));
    let found = replay(dialogue, position.clone(), moves, &mut choices, &mut offers)?;
    if choices.next().is_some() || offers.next().is_some() {
        return None;
    }
    properties.retain(|property| property.name != RULE && property.name != OFFERS);
    Some(found)
}

/// Replays the opening. `None` if a choice, an offer or a stone is not possible, or missing
/// before a later move.
fn replay(
    mut dialogue: Dialogue,
    mut position: Position,
    moves: &[Point],
    choices: &mut impl Iterator<Item = Option<Choice>>,
    offers: &mut impl Iterator<Item = Option<Point>>,
) -> Option<(OpeningRule, Vec<PlyEvent>)> {
    let mut events = Vec::new();
    let mut moves = moves.iter();
    loop {
        let stones = position.ply();
        let event = match dialogue.step(stones)? {
            OpeningStep::Play { .. } => break,
            OpeningStep::Choose { .. } => choices.next().map(|it| it.map(OpeningEvent::Choice)),
            _ if dialogue.missing_offers(stones) > 0 => {
                offers.next().map(|it| it.map(OpeningEvent::Offer))
            }
            _ => {
                let Some(&point) = moves.next() else {
                    break;
                };
                let is_allowed = position.is_empty(point) && dialogue.allows(&position, point);
                is_allowed.then(|| position.play(point))?;
                continue;
            }
        };
        let Some(event) = event else {
            // The dialogue has come so far.
            return moves.next().is_none().then_some((dialogue.rule, events));
        };
        match event? {
            OpeningEvent::Choice(choice) => dialogue.choose(stones, choice).ok()?,
            OpeningEvent::Offer(point) => {
                let is_allowed = position.is_empty(point) && dialogue.allows(&position, point);
                is_allowed.then(|| dialogue.offers.push(point))?;
            }
        }
        events.push((stones, event?));
    }
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
