//! A guest without a server and without an engine.

#![allow(clippy::unwrap_used)]

use super::*;
use quincunx_engine::game::swap::Choice;

/// A room that was told of again after its game, as when the other player went, once had
/// the guest leave its next room, and open one more.
#[test]
fn a_game_ends_once() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let hear = |state: &mut GuestState, message: Value| {
        state.receive(&message).unwrap();
        let kinds = state.outgoing().into_iter().map(|it| it["type"].clone());
        kinds.collect::<Vec<Value>>()
    };
    let welcome = json!({ "type": "welcome", "account": "engine", "rooms": [] });
    assert_eq!(hear(&mut state, welcome), ["create"]);
    let seat = |room: &str| json!({ "type": "seat", "room": room, "seat": "first" });
    assert!(hear(&mut state, seat("1")).is_empty());
    let over = json!({
        "type": "room", "room": "1", "stage": "over",
        "outcome": { "winner": "first", "reason": "five" },
    });
    assert_eq!(hear(&mut state, over.clone()), ["leave", "create"]);
    assert!(hear(&mut state, over.clone()).is_empty());
    assert!(hear(&mut state, seat("2")).is_empty());
    assert!(hear(&mut state, over).is_empty());
    assert_eq!(state.games(), 1);
    assert_eq!(state.reports().len(), 3, "two rooms and a result");
}

/// A tournament that began once had the guest leave a game that was played, and lose it.
#[test]
fn other_games_wait_until_this_one_is_over() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let hear = |state: &mut GuestState, message: Value| {
        state.receive(&message).unwrap();
        state.outgoing()
    };
    let playing = |room: &str| json!({ "room": room, "seat": "first", "stage": "playing" });
    let welcome =
        json!({ "type": "welcome", "account": "engine", "rooms": [playing("1"), playing("2")] });
    let enter = |room: &str| json!({ "type": "enter", "room": room });
    assert_eq!(hear(&mut state, welcome), [enter("1")]);
    let round = |room: &str| json!({ "type": "round", "room": room });
    let own = |room: &str, stage: &str, actor: Option<&str>| {
        json!({
            "type": "your_room", "room": room, "seat": "first", "stage": stage,
            "actor": actor,
        })
    };
    for message in [
        round("3"),
        own("3", "playing", Some("first")),
        round("4"),
        own("2", "over", None),
        round("5"),
        json!({ "type": "closed", "room": "5" }),
    ] {
        assert!(hear(&mut state, message.clone()).is_empty(), "{message}");
    }
    let over = |room: &str| {
        json!({
            "type": "room", "room": room, "stage": "over",
            "outcome": { "winner": "first", "reason": "five" },
        })
    };
    let seat = |room: &str| json!({ "type": "seat", "room": room, "seat": "first" });
    let leave = json!({ "type": "leave" });
    assert_eq!(hear(&mut state, over("1")), [leave.clone(), enter("3")]);
    assert!(hear(&mut state, seat("3")).is_empty());
    assert_eq!(hear(&mut state, over("3")), [leave.clone(), enter("4")]);
    assert!(hear(&mut state, seat("4")).is_empty());
    let create = json!({ "type": "create", "setup": {} });
    assert_eq!(hear(&mut state, over("4")), [leave, create]);
}

/// A guest once waited for hours for an opponent who did not come, and lost the games of
/// other tournaments meanwhile.
#[test]
fn a_game_to_which_the_opponent_has_not_come_holds_no_other_up() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let hear = |state: &mut GuestState, message: Value| {
        state.receive(&message).unwrap();
        state.outgoing()
    };
    let playing = |room: &str| json!({ "room": room, "seat": "first", "stage": "playing" });
    let enter = |room: &str| json!({ "type": "enter", "room": room });
    let shown = |room: &str, awaits: bool| {
        json!({
            "type": "room", "room": room, "tournament": "9", "stage": "playing",
            "runs": false, "awaits": awaits, "stones": [], "actor": "second",
        })
    };
    let over = |room: &str| {
        json!({
            "type": "room", "room": room, "stage": "over",
            "outcome": { "winner": "first", "reason": "five" },
        })
    };
    let leave = json!({ "type": "leave" });
    let welcome =
        json!({ "type": "welcome", "account": "engine", "rooms": [playing("1"), playing("2")] });
    assert_eq!(hear(&mut state, welcome), [enter("1")]);
    assert_eq!(hear(&mut state, shown("1", true)), [enter("2")]);
    assert!(hear(&mut state, shown("2", true)).is_empty(), "it stays");
    let challenge = json!({ "type": "challenge", "room": "7", "setup": {}, "seats": [] });
    let decline = json!({ "type": "decline", "room": "7" });
    assert_eq!(hear(&mut state, challenge), [decline]);
    let round = json!({ "type": "round", "room": "3" });
    assert_eq!(hear(&mut state, round), [enter("3")]);
    let seat = json!({ "type": "seat", "room": "3", "seat": "first" });
    assert!(hear(&mut state, seat).is_empty());
    assert!(hear(&mut state, shown("3", false)).is_empty());
    // The opponent of the first game has come.
    let begun = json!({
        "type": "your_room", "room": "1", "seat": "first", "stage": "playing",
        "actor": "first",
    });
    assert!(hear(&mut state, begun).is_empty());
    assert_eq!(hear(&mut state, over("3")), [leave.clone(), enter("1")]);
    assert_eq!(hear(&mut state, over("1")), [leave.clone(), enter("2")]);
    let create = json!({ "type": "create", "setup": {} });
    assert_eq!(hear(&mut state, over("2")), [leave, create]);
}

/// A game that is played, with stones on these points, in which this seat acts next.
fn shown(room: &str, actor: &str, points: &[&str], phase: Value) -> Value {
    let left = json!({ "main": 60_000, "periods": 0, "period": 0 });
    let stone = |point: &&str| json!({ "color": "black", "point": point });
    json!({
        "type": "room", "room": room, "stage": "playing", "games": 1, "runs": true,
        "actor": actor, "black": "first", "phase": phase,
        "stones": points.iter().map(stone).collect::<Vec<Value>>(),
        "setup": {
            "rule": "freestyle", "size": "15", "opening": "swap2",
            "clock": { "kind": "sudden_death", "main_ms": 60_000 },
        },
        "clock": [left, left],
    })
}

/// The first stone of an opening once had the engine asked for the next, while it was on its way.
/// The engine thought about that while its clock ran in the game.
#[test]
fn the_engine_is_asked_once_for_all_that_it_answers() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let points = ["h8", "i9", "j10", "k11"];
    let seat = json!({ "type": "seat", "room": "1", "seat": "first" });
    state.receive(&seat).unwrap();
    let see = |state: &mut GuestState, actor: &str, stones: usize, phase: Value| {
        let view = shown("1", actor, &points[..stones], phase);
        state.receive(&view).unwrap();
        state.job()
    };
    let place = json!({ "kind": "place", "first": true, "stones": 3 });
    let choose = json!({ "kind": "choose", "first": true, "options": ["black", "white"] });
    let put = |count: usize| {
        points[..count]
            .iter()
            .map(|it| it.parse::<Point>().unwrap())
    };
    let job = see(&mut state, "first", 0, place.clone()).unwrap();
    let did = Some((None, put(3).collect()));
    state.receive_answer(Done { job, did });
    assert_eq!(state.outgoing().len(), 3);
    for stones in [1, 2] {
        assert_eq!(see(&mut state, "first", stones, place.clone()), None);
    }
    assert_eq!(see(&mut state, "second", 3, choose.clone()), None);
    let job = see(&mut state, "first", 3, choose).unwrap();
    let did = Some((Some(Choice::White), put(1).collect()));
    state.receive_answer(Done { job, did });
    assert_eq!(state.outgoing().len(), 2);
    let played = json!({ "kind": "move" });
    assert_eq!(see(&mut state, "first", 3, played.clone()), None);
    assert_eq!(see(&mut state, "second", 4, played.clone()), None);
    assert!(see(&mut state, "first", 4, played).is_some());
}

/// A stone that is offered is not on the board, and the next one is asked for.
#[test]
fn the_engine_offers_one_stone_after_another() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let seat = json!({ "type": "seat", "room": "1", "seat": "first" });
    state.receive(&seat).unwrap();
    let mut see = |allowed: &[&str], missing: usize| {
        let phase = json!({ "kind": "offer", "first": true, "stones": missing });
        let mut view = shown("1", "first", &["h8", "h9", "i9", "g10"], phase);
        view["setup"]["opening"] = json!("rif");
        view["allowed"] = json!(allowed);
        state.receive(&view).unwrap();
        let job = state.job()?;
        let Task::Offer(Some(points)) = &job.task else {
            panic!("{:?}", job.task);
        };
        let did = Some((None, points[..1].to_vec()));
        state.receive_answer(Done { job, did });
        Some(state.outgoing())
    };
    let play = |point: &str| Some(vec![json!({ "type": "play", "point": point, "ply": 4 })]);
    assert_eq!(see(&["a1", "b1"], 2), play("a1"));
    assert_eq!(see(&["a1", "b1"], 2), None);
    assert_eq!(see(&["b1"], 1), play("b1"));
}

/// An engine that failed when its game was over already once gave up the next one.
#[test]
fn an_answer_that_comes_after_its_game_is_not_for_the_next() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let hear = |state: &mut GuestState, message: Value| {
        state.receive(&message).unwrap();
        state.outgoing()
    };
    let shown = |room: &str, actor: &str| shown(room, actor, &[], json!({ "kind": "move" }));
    let seat = |room: &str| json!({ "type": "seat", "room": room, "seat": "first" });
    assert!(hear(&mut state, seat("1")).is_empty());
    assert!(hear(&mut state, shown("1", "first")).is_empty());
    let job = state.job().unwrap();
    assert!(state.awaits_engine());
    let failed = |state: &mut GuestState| {
        let job = job.clone();
        state.receive_answer(Done { job, did: None });
        state.outgoing()
    };
    assert_eq!(failed(&mut state), [json!({ "type": "resign" })]);
    let over = json!({
        "type": "room", "room": "1", "stage": "over",
        "outcome": { "winner": "second", "reason": "time" },
    });
    hear(&mut state, over);
    assert!(!state.awaits_engine());
    assert!(failed(&mut state).is_empty(), "in no room");
    hear(&mut state, seat("2"));
    hear(&mut state, shown("2", "second"));
    assert!(failed(&mut state).is_empty(), "in the next game");
}

/// A guest whose token was replaced once asked in vain for ever.
#[test]
fn a_token_that_is_none_any_more_ends_the_guest() {
    let mut state = GuestState::new(json!({}), 0..=9999, Duration::ZERO);
    let error = json!({ "type": "error", "code": "old_key", "text": "replaced" });
    assert!(state.receive(&error).unwrap_err().is::<Unwelcome>());
}

#[test]
fn challenges_are_accepted_by_setup_and_rating() {
    let setup = json!({ "rule": "renju" });
    let challenge = |rule: &str, rating: i64| {
        json!({
            "type": "challenge", "room": "7", "setup": { "rule": rule },
            "seats": [null, { "rating": rating }],
        })
    };
    for (message, answer) in [
        (challenge("renju", 1500), "enter"),
        (challenge("renju", 1900), "decline"),
        (challenge("caro", 1500), "decline"),
    ] {
        let mut state = GuestState::new(setup.clone(), 1400..=1600, Duration::ZERO);
        state.receive(&message).unwrap();
        assert_eq!(state.outgoing()[0]["type"], answer, "{message}");
    }
}
