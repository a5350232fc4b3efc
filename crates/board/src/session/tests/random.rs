//! Random messages: the board stays a board whatever is said and searched.

use super::*;
use crate::message::{AnalysisMode, PictureOptions, PictureTheme, SearchLimits};

/// A message of any kind, about half of them possible.
fn random_message(random: &mut Rng, state: &State) -> ClientMessage {
    let node = match random.u8(..4) {
        0 => random.u32(..20),
        _ => state.node,
    };
    let point = format!("{}{}", random.char('a'..='h'), random.u8(1..9));
    let some_node = state.tree[random.usize(..state.tree.len())].id;
    let text = [
        "h8i9",
        "(;SZ[7];B[aa](;W[bb])(;W[cc]))",
        "x",
        "7 renju a1b2",
    ][random.usize(..4)]
    .to_owned();
    match random.u8(..40) {
        0 => {
            let mut setup = state.setup.clone();
            setup.rule = ["freestyle", "renju", "caro", "no"][random.usize(..4)].to_owned();
            setup.size = ["7", "5", "6x8", "4"][random.usize(..4)].to_owned();
            let openings = OpeningRule::ALL.map(OpeningRule::name);
            setup.opening = openings[random.usize(..openings.len())].to_owned();
            setup.handicap = random.u8(..12) / 10;
            let players = [Player::Person, Player::Engine];
            setup.black = players[random.usize(..2)];
            setup.white = players[random.usize(..2)];
            ClientMessage::NewGame(setup)
        }
        1..=3 => ClientMessage::Undo,
        4 => ClientMessage::Redo,
        5 => ClientMessage::GoTo { node: some_node },
        6 => ClientMessage::Resume,
        7 => ClientMessage::Pause,
        8 => ClientMessage::Resign,
        9 => ClientMessage::OfferDraw,
        10 => ClientMessage::Rematch,
        11 => ClientMessage::Hint,
        12 => ClientMessage::Analyse {
            lines: random.usize(..10),
            mode: [
                AnalysisMode::Best,
                AnalysisMode::Defences,
                AnalysisMode::Balance,
            ][random.usize(..3)],
        },
        13 => ClientMessage::StopAnalysis,
        14 if node % 2 == 0 => ClientMessage::ProveThreat,
        14 => ClientMessage::Prove,
        15 => ClientMessage::Comment { node, text },
        16 => ClientMessage::Delete { node: some_node },
        17 => ClientMessage::Promote { node: some_node },
        18 => ClientMessage::open(text),
        19 => ClientMessage::Export {
            format: [
                Format::Sgf,
                Format::Psq,
                Format::Text,
                Format::Renlib,
                Format::Gif,
            ][random.usize(..5)],
            look: PictureOptions {
                view: random.u8(..),
                theme: PictureTheme::Contrast,
            },
        },
        20..=24 => {
            let offers = Choice::Offers(random.u8(..4));
            let choices = [Choice::Black, Choice::White, Choice::TwoStones, offers];
            let choice = choices[random.usize(..4)];
            ClientMessage::Choose { choice, node }
        }
        25 => ClientMessage::Hello {
            version: VERSION,
            save: state.save.clone(),
            node: random.bool().then_some(some_node),
            changes: random.bool(),
            left_ms: random.bool().then(|| random.u64(..)),
        },
        26 => ClientMessage::Line {
            node,
            points: vec![point, "a1".to_owned(), "b2".to_owned()],
        },
        27 => ClientMessage::Pass { node },
        28 => ClientMessage::Limit(SearchLimits {
            threads: random.bool().then(|| random.u16(..)),
            analysis_ms: random.bool().then(|| random.u32(..)),
            ..SearchLimits::default()
        }),
        _ => ClientMessage::Play { point, node },
    }
}

/// Whatever is said and searched, the board stays a board.
#[test]
fn any_messages_in_any_order() {
    for seed in 0..40 {
        let mut random = Rng::with_seed(seed);
        let mut table = Table::new();
        for _ in 0..300 {
            table.now += Duration::from_millis(random.u64(..500));
            let message = random_message(&mut random, &table.state());
            table.say(message);
            if random.bool() && table.session.job().is_some() {
                let job = table.session.job().unwrap();
                let empty: Vec<Point> = (job.position.size().iter())
                    .filter(|&point| job.position.is_empty(point))
                    .collect();
                let count = random.usize(1..4).min(empty.len());
                let points = random.choose_multiple(empty, count);
                table.answer(match random.u8(..4) {
                    0 => Answer::Stones(points),
                    1 => Answer::Swap { info: None },
                    _ => best(
                        &points.first().map_or("a1".to_owned(), Point::to_string),
                        None,
                    ),
                });
            }
            check(&table.state());
        }
    }
}

fn check(state: &State) {
    let here = state
        .tree
        .iter()
        .find(|node| node.id == state.node)
        .unwrap();
    let numbered = state
        .stones
        .iter()
        .filter(|stone| stone.number.is_some())
        .count();
    assert!(numbered <= here.number);
    let mut points: Vec<Point> = state.stones.iter().map(|stone| stone.point).collect();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), state.stones.len(), "one stone a point");
    assert!(!state.thinking || state.actor == Some(Player::Engine));
    assert_eq!(
        matches!(state.phase, Phase::Over { .. }),
        state.actor.is_none()
    );
}
