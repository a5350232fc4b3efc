//! What a person lets searches use, within what the program allows.

use super::*;
use crate::message::{AnalysisMode, SearchBounds, SearchLimits};

const BOUNDS: SearchBounds = SearchBounds {
    threads: 2,
    most_threads: 4,
    memory_mib: 64,
    most_memory_mib: 256,
};

fn table() -> Table {
    let mut table = Table::persons();
    table.session.set_bounds(BOUNDS);
    table
}

fn limit(table: &mut Table, limits: SearchLimits) {
    table.say(ClientMessage::Limit(limits));
    assert_eq!(table.error(), None);
}

fn analyse(table: &mut Table) {
    let (lines, mode) = (2, AnalysisMode::Best);
    table.say(ClientMessage::Analyse { lines, mode });
}

fn options(table: &Table) -> Options {
    table.session.job().unwrap().options
}

#[test]
fn a_person_chooses_within_what_is_allowed() {
    let mut table = table();
    analyse(&mut table);
    let mib = |mib: u64| Some(mib << 20);
    assert_eq!(
        (options(&table).threads, options(&table).max_memory),
        (2, mib(64))
    );
    for (threads, memory, expected) in [
        (Some(3), Some(128), (3, mib(128))),
        (Some(1), None, (1, mib(64))),
        (None, Some(16), (2, mib(16))),
        (Some(u16::MAX), Some(u32::MAX), (4, mib(256))),
        (Some(0), None, (1, mib(64))),
    ] {
        let before = table.session.job().unwrap().id;
        let (threads, memory_mib) = (threads, memory);
        limit(
            &mut table,
            SearchLimits {
                threads,
                memory_mib,
                ..SearchLimits::default()
            },
        );
        let options = options(&table);
        assert_eq!((options.threads, options.max_memory), expected);
        assert_ne!(table.session.job().unwrap().id, before, "it begins anew");
    }
    // The engine's moves have them too.
    table.say(ClientMessage::NewGame(Setup {
        black: Player::Engine,
        ..table.state().setup
    }));
    assert_eq!(table.purpose(), Some(Purpose::Step));
    assert_eq!(options(&table).threads, 1);
}

#[test]
fn an_analysis_stops_at_its_limits() {
    let mut table = table();
    let limits = SearchLimits {
        analysis_ms: Some(5_000),
        analysis_nodes: Some(100_000),
        ..SearchLimits::default()
    };
    limit(&mut table, limits);
    analyse(&mut table);
    let options = options(&table);
    assert_eq!(
        (options.timeout_turn, options.max_node),
        (Some(Duration::from_secs(5)), Some(100_000))
    );
    table.answer_move("h8");
    assert_eq!(table.purpose(), None, "it has stopped");
    // Every position has as much, and another limit goes on with this one.
    table.play(&["h8"]);
    assert_eq!(table.purpose(), Some(Purpose::Analysis));
    table.answer_move("i9");
    limit(&mut table, SearchLimits::default());
    let options = table.session.job().unwrap().options;
    assert_eq!((options.timeout_turn, options.max_node), (None, None));
    // A forced win is looked for as long as ever.
    limit(&mut table, limits);
    table.say(ClientMessage::Prove);
    assert_eq!(table.purpose(), Some(Purpose::Proof));
}

/// The welcome says what there is to choose from. A program that allows one thing only
/// offers nothing else.
#[test]
fn a_front_is_sent_the_allowed_choices() {
    let options = Options {
        threads: 3,
        max_memory: Some(96 << 20),
        ..Options::default()
    };
    let mut session = Session::new(options);
    let told = |session: &mut Session| match &session.handle(Duration::ZERO, hello(None))[0] {
        ServerMessage::Welcome(welcome) => welcome.searches,
        other => panic!("{other:?}"),
    };
    let fixed = SearchBounds {
        threads: 3,
        most_threads: 3,
        memory_mib: 96,
        most_memory_mib: 96,
    };
    assert_eq!(told(&mut session), fixed);
    session.set_bounds(BOUNDS);
    assert_eq!(told(&mut session), BOUNDS);
}
