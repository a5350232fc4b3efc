//! The dialogue of swap2.

use super::*;

#[test]
fn swap2_lets_the_engine_choose() {
    let mut table = Table::with(|setup| setup.opening = "swap2".to_owned());
    assert_eq!(
        table.state().phase,
        Phase::Place {
            first: true,
            stones: 3
        }
    );
    table.play(&["h8", "i9", "g7"]);
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::ChooseOfThree));
    table.answer(stones(&["j10", "f6"]));
    assert_eq!(table.stones(), "h8 i9 g7 j10 f6");
    assert!(table.chooses_color(true));
    let (point, node) = ("a1".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "opens");
    let choice = Choice::TwoStones;
    table.refused(ClientMessage::Choose { choice, node }, "choice");
    table.choose(Choice::Black);
    assert_eq!(
        table.state().players,
        Some([Player::Person, Player::Engine])
    );
    assert_eq!(table.purpose(), Some(Purpose::Step), "white moves");
    table.say(ClientMessage::Undo);
    assert!(
        matches!(table.state().phase, Phase::Choose { .. }),
        "the choice is taken back"
    );
    table.choose(Choice::White);
    assert_eq!(
        table.state().players,
        Some([Player::Engine, Player::Person])
    );
    table.play(&["k11"]);
    assert_eq!(table.purpose(), Some(Purpose::Step));
}

#[test]
fn swap2_asks_the_person_who_did_not_begin() {
    let mut table = Table::with(|setup| {
        setup.opening = "swap2".to_owned();
        (setup.black, setup.white) = (Player::Engine, Player::Person);
    });
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::Open));
    table.answer(stones(&["h8", "i9", "g7"]));
    table.choose(Choice::TwoStones);
    assert_eq!(
        table.state().phase,
        Phase::Place {
            first: false,
            stones: 2
        }
    );
    table.play(&["j10", "f6"]);
    let request = table.session.job().unwrap().request;
    assert_eq!(request, Request::Swap2Step(Swap2Step::ChooseOfFive));
    table.answer(Answer::Swap { info: None });
    assert_eq!(
        table.state().players,
        Some([Player::Engine, Player::Person])
    );
    assert_eq!((table.state().turn, table.purpose()), (Color::White, None));
}

/// An engine that may still swap would answer a move with a swap.
#[test]
fn nobody_swaps_after_the_choice() {
    let mut table = Table::with(|setup| setup.opening = "swap1".to_owned());
    table.play(&["h8"]);
    let swaps = |table: &Table| {
        let options = table.session.job().unwrap().options;
        options.may_swap && options.opening == OpeningRule::Swap1
    };
    assert!(swaps(&table));
    table.answer_move("i9");
    let players = [Player::Person, Player::Engine];
    assert_eq!(
        (table.stones().as_str(), table.state().players),
        ("h8 i9", Some(players))
    );
    table.play(&["g7"]);
    assert!(!swaps(&table));

    let mut table = Table::with(|setup| {
        setup.opening = "swap1".to_owned();
        (setup.black, setup.white) = (setup.white, setup.black);
    });
    table.answer(stones(&["h8"]));
    table.choose(Choice::Black);
    assert_eq!(
        table.purpose(),
        Some(Purpose::Step),
        "the engine moves as white"
    );
    assert!(!swaps(&table));
}

#[test]
fn a_choice_counts_only_for_its_stones() {
    let mut table = Table::with(|setup| {
        setup.opening = "swap1".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8"]);
    table.choose(Choice::White);
    table.play(&["i9"]);
    table.say(ClientMessage::GoTo { node: 0 });
    table.play(&["a1"]);
    assert!(matches!(table.state().phase, Phase::Choose { .. }));
}

/// Redo once ended before the choice of a colour.
#[test]
fn choices_that_were_taken_back_are_made_again() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.opening = "swap2".to_owned();
    });
    table.play(&["h8", "i9", "g7"]);
    table.choose(Choice::TwoStones);
    table.play(&["j10", "f6"]);
    table.choose(Choice::Black);
    table.play(&["a1"]);
    let last = table.state();
    let mut count = 0;
    while table.state().can.undo {
        table.say(ClientMessage::Undo);
        count += 1;
    }
    assert_eq!((table.stones().as_str(), count), ("", 8));
    for _ in 0..count {
        assert!(table.state().can.redo);
        table.say(ClientMessage::Redo);
    }
    assert_eq!(table.state(), last);
    assert!(!table.state().can.redo);
    // Another choice makes another game.
    for _ in 0..2 {
        table.say(ClientMessage::Undo);
    }
    table.choose(Choice::White);
    assert_eq!(table.state().phase, Phase::Move);
    table.say(ClientMessage::Undo);
    table.say(ClientMessage::Redo);
    assert_eq!(table.state().phase, Phase::Move);
}
