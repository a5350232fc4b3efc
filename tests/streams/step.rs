//! What a manager may do next.

use proptest::prelude::*;

/// What a manager does next; numbers choose among what the position allows.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Start(u8, u8),
    Restart,
    Begin,
    Turn(u16),
    Board(Vec<(u16, u8)>),
    SetBoard(Vec<(u16, u8)>),
    Play(u16),
    TakeBack(u16),
    Swap2(u8, u16),
    GuidedSwap2(u8),
    Lines(u8),
    Defences,
    Balance(bool, i16),
    Block(Vec<u16>),
    Unblock(Vec<u16>),
    UnblockAll,
    Rule(u8),
    Hint(u8, u16),
    ThinkLong,
    ThinkShort,
    Question(u8),
    Database(u8, u8, Vec<u16>),
    Nonsense(u8),
    Stop,
    Wait,
}

/// Up to so many steps.
pub(crate) fn steps(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    let stones = || proptest::collection::vec((any::<u16>(), 0..8u8), 0..12);
    let points = || proptest::collection::vec(any::<u16>(), 0..6);
    let step = prop_oneof![
        2 => (0..18u8, 0..18u8).prop_map(|(w, h)| Step::Start(w, h)),
        1 => Just(Step::Restart),
        1 => Just(Step::Begin),
        6 => any::<u16>().prop_map(Step::Turn),
        3 => stones().prop_map(Step::Board),
        2 => stones().prop_map(Step::SetBoard),
        1 => any::<u16>().prop_map(Step::Play),
        1 => any::<u16>().prop_map(Step::TakeBack),
        2 => (0..3u8, any::<u16>()).prop_map(|(n, at)| Step::Swap2(n, at)),
        1 => (1..=3u8).prop_map(Step::GuidedSwap2),
        2 => any::<u8>().prop_map(Step::Lines),
        1 => Just(Step::Defences),
        2 => (any::<bool>(), any::<i16>()).prop_map(|(pair, bias)| Step::Balance(pair, bias)),
        1 => points().prop_map(Step::Block),
        1 => points().prop_map(Step::Unblock),
        1 => Just(Step::UnblockAll),
        1 => (0..5u8).prop_map(Step::Rule),
        3 => (any::<u8>(), any::<u16>()).prop_map(|(key, value)| Step::Hint(key, value)),
        2 => Just(Step::ThinkLong),
        2 => Just(Step::ThinkShort),
        3 => any::<u8>().prop_map(Step::Question),
        3 => (any::<u8>(), any::<u8>(), points())
            .prop_map(|(which, value, points)| Step::Database(which, value, points)),
        3 => any::<u8>().prop_map(Step::Nonsense),
        3 => Just(Step::Stop),
        4 => Just(Step::Wait),
    ];
    proptest::collection::vec(step, 1..=longest)
}
