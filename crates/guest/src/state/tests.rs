//! A guest without a server and without an engine.

#![allow(clippy::unwrap_used)]

use super::*;
use quincunx_board::StoneView;
use quincunx_club::rooms::{
    BoardView, ClockRule, ContactPolicy, ContactsView, Outcome, OwnRoom, PlayerView, RoomState,
    TimeView, TournamentId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::rules::{BoardSize, Point, Rule};

const CLOCK: ClockRule = ClockRule::SuddenDeath { main_ms: 60_000 };

fn setup(rule: Rule) -> RoomSetup {
    RoomSetup {
        rule,
        size: BoardSize::default(),
        opening: OpeningRule::Swap2,
        clock: CLOCK,
        rated: true,
    }
}

fn guest() -> GuestState {
    GuestState::new(setup(Rule::Freestyle), 0..=9999, Duration::ZERO)
}

/// Has the guest receive a message. Returns its answers.
fn hear(state: &mut GuestState, message: ClubMessage) -> Vec<VisitorMessage> {
    state.receive(message).unwrap();
    state.outgoing()
}

fn room_state(room: u64, stage: Stage) -> RoomState {
    RoomState {
        room: RoomId(room),
        tournament: None,
        setup: setup(Rule::Freestyle),
        stage,
        seats: [None, None],
        actor: None,
        draw_offer: None,
        undo_wish: None,
        rematch_wish: None,
        outcome: None,
    }
}

/// A room where the guest has the first seat.
fn own(room: u64, stage: Stage, actor: Option<Seat>) -> OwnRoom {
    OwnRoom {
        state: RoomState {
            actor,
            ..room_state(room, stage)
        },
        stones: 0,
        seat: Seat::First,
    }
}

fn welcome(rooms: Vec<OwnRoom>) -> ClubMessage {
    ClubMessage::Welcome(ClubWelcome {
        version: 1,
        program: "Quincunx".into(),
        name: "Engine".to_owned(),
        account: Account::Engine,
        rules: Vec::new(),
        openings: Vec::new(),
        levels: Vec::new(),
        rooms,
        address: None,
        contacts: ContactsView {
            policy: ContactPolicy::default(),
            blocked: Vec::new(),
        },
    })
}

fn your_room(room: u64, stage: Stage, actor: Option<Seat>) -> ClubMessage {
    ClubMessage::YourRoom(Box::new(own(room, stage, actor)))
}

fn seat(room: u64) -> ClubMessage {
    ClubMessage::Seat {
        room: RoomId(room),
        seat: Some(Seat::First),
    }
}

fn round(room: u64) -> ClubMessage {
    ClubMessage::Round {
        tournament: TournamentId(9),
        room: RoomId(room),
    }
}

/// A room with stones on these points, in which no clock runs.
fn view(state: RoomState, points: &[Point], phase: Phase) -> RoomView {
    let left = TimeView {
        main: 60_000,
        periods: 0,
        period: 0,
    };
    let stone = |point: &Point| StoneView {
        point: *point,
        color: Color::Black,
        number: None,
    };
    RoomView {
        state,
        board: BoardView {
            width: 15,
            height: 15,
            stars: Vec::new(),
            stones: points.iter().map(stone).collect(),
            winning: Vec::new(),
        },
        games: 1,
        watchers: 0,
        turn: Color::Black,
        phase,
        chosen: Vec::new(),
        allowed: None,
        offers: Vec::new(),
        named_opening: None,
        black: Some(Seat::First),
        forbidden: Vec::new(),
        clock: [left; 2],
        runs: false,
        awaits: false,
        answers: 0,
        gone_ms: [None; 2],
        can_abort: false,
        rating_changes: [None; 2],
    }
}

/// A game with stones on these points, in which this seat acts next and its clock runs.
fn shown(room: u64, actor: Seat, points: &[Point], phase: Phase) -> RoomView {
    let state = RoomState {
        actor: Some(actor),
        ..room_state(room, Stage::Playing)
    };
    RoomView {
        runs: true,
        ..view(state, points, phase)
    }
}

/// The message of a room whose game has ended.
fn over(room: u64) -> ClubMessage {
    let state = RoomState {
        outcome: Some(Outcome {
            winner: Some(Seat::First),
            reason: Termination::Five,
        }),
        ..room_state(room, Stage::Over)
    };
    ClubMessage::Room(Box::new(view(state, &[], Phase::Move)))
}

fn request(request: ClubRequest) -> VisitorMessage {
    VisitorMessage::Club(request)
}

fn enter(room: u64) -> VisitorMessage {
    request(ClubRequest::Enter {
        room: RoomId(room).to_string(),
        sit: false,
    })
}

fn leave() -> VisitorMessage {
    request(ClubRequest::Leave)
}

fn create() -> VisitorMessage {
    request(ClubRequest::Create(NewRoom::of(setup(Rule::Freestyle))))
}

fn points(texts: &[&str]) -> Vec<Point> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// A room that was told of again after its game, as when the other player went, once had
/// the guest leave its next room, and open one more.
#[test]
fn a_game_ends_once() {
    let mut state = guest();
    assert_eq!(hear(&mut state, welcome(Vec::new())), [create()]);
    assert!(hear(&mut state, seat(1)).is_empty());
    assert_eq!(hear(&mut state, over(1)), [leave(), create()]);
    assert!(hear(&mut state, over(1)).is_empty());
    assert!(hear(&mut state, seat(2)).is_empty());
    assert!(hear(&mut state, over(1)).is_empty());
    assert_eq!(state.games(), 1);
    assert_eq!(state.reports().len(), 3, "two rooms and a result");
}

/// A tournament that began once had the guest leave a game that was played, and lose it.
#[test]
fn other_games_wait_until_this_one_is_over() {
    let mut state = guest();
    let rooms = [1, 2].map(|room| own(room, Stage::Playing, None));
    assert_eq!(hear(&mut state, welcome(rooms.to_vec())), [enter(1)]);
    for message in [
        round(3),
        your_room(3, Stage::Playing, Some(Seat::First)),
        round(4),
        your_room(2, Stage::Over, None),
        round(5),
        ClubMessage::Closed { room: RoomId(5) },
    ] {
        assert!(hear(&mut state, message.clone()).is_empty(), "{message:?}");
    }
    assert_eq!(hear(&mut state, over(1)), [leave(), enter(3)]);
    assert!(hear(&mut state, seat(3)).is_empty());
    assert_eq!(hear(&mut state, over(3)), [leave(), enter(4)]);
    assert!(hear(&mut state, seat(4)).is_empty());
    assert_eq!(hear(&mut state, over(4)), [leave(), create()]);
}

/// A guest once waited for hours for an opponent who did not come, and lost the games of
/// other tournaments meanwhile.
#[test]
fn a_game_to_which_the_opponent_has_not_come_holds_no_other_up() {
    let mut state = guest();
    let shown = |room: u64, awaits: bool| {
        let state = RoomState {
            tournament: Some(TournamentId(9)),
            actor: Some(Seat::Second),
            ..room_state(room, Stage::Playing)
        };
        let view = view(state, &[], Phase::Move);
        ClubMessage::Room(Box::new(RoomView { awaits, ..view }))
    };
    let rooms = [1, 2].map(|room| own(room, Stage::Playing, None));
    assert_eq!(hear(&mut state, welcome(rooms.to_vec())), [enter(1)]);
    assert_eq!(hear(&mut state, shown(1, true)), [enter(2)]);
    assert!(hear(&mut state, shown(2, true)).is_empty(), "it stays");
    let decline = request(ClubRequest::Decline {
        room: RoomId(7).to_string(),
    });
    let challenge = challenge(setup(Rule::Freestyle), 1500);
    assert_eq!(hear(&mut state, challenge), [decline]);
    assert_eq!(hear(&mut state, round(3)), [enter(3)]);
    assert!(hear(&mut state, seat(3)).is_empty());
    assert!(hear(&mut state, shown(3, false)).is_empty());
    // The opponent of the first game has come.
    let begun = your_room(1, Stage::Playing, Some(Seat::First));
    assert!(hear(&mut state, begun).is_empty());
    assert_eq!(hear(&mut state, over(3)), [leave(), enter(1)]);
    assert_eq!(hear(&mut state, over(1)), [leave(), enter(2)]);
    assert_eq!(hear(&mut state, over(2)), [leave(), create()]);
}

/// The first stone of an opening once had the engine asked for the next, while it was on its way.
/// The engine thought about that while its clock ran in the game.
#[test]
fn the_engine_is_asked_once_for_all_that_it_answers() {
    let mut state = guest();
    let points = points(&["h8", "i9", "j10", "k11"]);
    hear(&mut state, seat(1));
    let see = |state: &mut GuestState, actor: Seat, stones: usize, phase: &Phase| {
        let view = shown(1, actor, &points[..stones], phase.clone());
        state.receive(ClubMessage::Room(Box::new(view))).unwrap();
        state.job()
    };
    let place = Phase::Place {
        first: true,
        stones: 3,
    };
    let choose = Phase::Choose {
        first: true,
        options: vec![Choice::Black, Choice::White],
    };
    let job = see(&mut state, Seat::First, 0, &place).unwrap();
    let did = Some((None, points[..3].to_vec()));
    state.receive_answer(Done { job, did });
    assert_eq!(state.outgoing().len(), 3);
    for stones in [1, 2] {
        assert_eq!(see(&mut state, Seat::First, stones, &place), None);
    }
    assert_eq!(see(&mut state, Seat::Second, 3, &choose), None);
    let job = see(&mut state, Seat::First, 3, &choose).unwrap();
    let did = Some((Some(Choice::White), points[..1].to_vec()));
    state.receive_answer(Done { job, did });
    assert_eq!(state.outgoing().len(), 2);
    assert_eq!(see(&mut state, Seat::First, 3, &Phase::Move), None);
    assert_eq!(see(&mut state, Seat::Second, 4, &Phase::Move), None);
    assert!(see(&mut state, Seat::First, 4, &Phase::Move).is_some());
}

/// A stone that is offered is not on the board, and the next one is asked for.
#[test]
fn the_engine_offers_one_stone_after_another() {
    let mut state = guest();
    let placed = points(&["h8", "h9", "i9", "g10"]);
    hear(&mut state, seat(1));
    let mut see = |allowed: &[&str], missing: usize| {
        let phase = Phase::Offer {
            first: true,
            stones: missing,
        };
        let mut view = shown(1, Seat::First, &placed, phase);
        view.state.setup.opening = OpeningRule::Rif;
        view.allowed = Some(points(allowed));
        state.receive(ClubMessage::Room(Box::new(view))).unwrap();
        let job = state.job()?;
        let Task::Offer(Some(points)) = &job.task else {
            panic!("{:?}", job.task);
        };
        let did = Some((None, points[..1].to_vec()));
        state.receive_answer(Done { job, did });
        Some(state.outgoing())
    };
    let play = |text: &str| {
        let point = text.parse().unwrap();
        Some(vec![VisitorMessage::Game(Action::Play { point, ply: 4 })])
    };
    assert_eq!(see(&["a1", "b1"], 2), play("a1"));
    assert_eq!(see(&["a1", "b1"], 2), None);
    assert_eq!(see(&["b1"], 1), play("b1"));
}

/// An engine that failed when its game was over already once gave up the next one.
#[test]
fn an_answer_that_comes_after_its_game_is_not_for_the_next() {
    let mut state = guest();
    let shown =
        |room: u64, actor: Seat| ClubMessage::Room(Box::new(shown(room, actor, &[], Phase::Move)));
    assert!(hear(&mut state, seat(1)).is_empty());
    assert!(hear(&mut state, shown(1, Seat::First)).is_empty());
    let job = state.job().unwrap();
    assert!(state.awaits_engine());
    let failed = |state: &mut GuestState| {
        let job = job.clone();
        state.receive_answer(Done { job, did: None });
        state.outgoing()
    };
    assert_eq!(failed(&mut state), [VisitorMessage::Game(Action::Resign)]);
    hear(&mut state, over(1));
    assert!(!state.awaits_engine());
    assert!(failed(&mut state).is_empty(), "in no room");
    hear(&mut state, seat(2));
    hear(&mut state, shown(2, Seat::Second));
    assert!(failed(&mut state).is_empty(), "in the next game");
}

/// A guest whose token was replaced once asked in vain for ever.
#[test]
fn a_token_that_is_none_any_more_ends_the_guest() {
    let error = ClubMessage::Error {
        code: "old_key".into(),
        text: "replaced".to_owned(),
        retry_s: None,
    };
    assert!(guest().receive(error).unwrap_err().is::<Unwelcome>());
}

/// A challenge by a person with this rating.
fn challenge(setup: RoomSetup, rating: i64) -> ClubMessage {
    let player = PlayerView {
        name: Some("Ada".to_owned()),
        engine: None,
        bot: false,
        rating: Some(rating),
        provisional: false,
        here: true,
        vacation: None,
        alike: Vec::new(),
    };
    ClubMessage::Challenge(Box::new(RoomSummary {
        room: RoomId(7),
        setup,
        seats: [None, Some(player)],
        stones: 0,
        moves: None,
    }))
}

#[test]
fn challenges_are_accepted_by_setup_and_rating() {
    let room = RoomId(7).to_string();
    let accepted = ClubRequest::Enter {
        room: room.clone(),
        sit: true,
    };
    let declined = ClubRequest::Decline { room };
    for (rule, rating, answer) in [
        (Rule::Renju, 1500, &accepted),
        (Rule::Renju, 1900, &declined),
        (Rule::Caro, 1500, &declined),
    ] {
        let mut state = GuestState::new(setup(Rule::Renju), 1400..=1600, Duration::ZERO);
        let answers = hear(&mut state, challenge(setup(rule), rating));
        assert_eq!(answers, [request(answer.clone())], "{rule} {rating}");
    }
}
