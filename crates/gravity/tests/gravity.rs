//! Four in a row with gravity: what is published about it, plain minimax beside
//! the search, and the levels.

#![allow(clippy::unwrap_used)]

use quincunx_gravity::{
    BENCH, Difficulty, Level, Limits, Machine, Player, Position, Progress, Search, Size, Suite,
    Value,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Bytes of the table of every search here.
const TABLE: usize = 8 << 20;

fn size(columns: usize, rows: usize) -> Size {
    Size::new(columns, rows).unwrap()
}

fn position(size: Size, moves: &str) -> Position {
    Position::from_moves(size, moves).unwrap()
}

fn never_stop(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The exact value and the nodes it took.
fn solve(search: &mut Search, position: &Position) -> (Value, u64) {
    let solution = search.solve(position, &Limits::default(), &mut never_stop);
    (solution.value.unwrap(), solution.nodes)
}

/// A source of numbers for the tests' own choices.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        let factor = 6_364_136_223_846_793_005;
        self.0 = self.0.wrapping_mul(factor).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

// --- What is published ---

/// OEIS A212693: the positions of 7x6 after so many plies.
const POSITIONS: [u64; 14] = [
    1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111,
];

/// Counts positions ply by ply, a mirror image together with its original.
fn count_positions(plies: usize) {
    let mut level = HashMap::from([(0, String::new())]);
    for (ply, expected) in POSITIONS.into_iter().enumerate().take(plies + 1) {
        let mut count = 0;
        let mut next = HashMap::new();
        for moves in level.values() {
            let mut position = position(size(7, 6), moves);
            let is_its_own_image = position.to_string() == position.mirrored().to_string();
            count += if is_its_own_image { 1 } else { 2 };
            if ply == plies {
                continue;
            }
            for column in position.playable_columns().collect::<Vec<_>>() {
                position.play(column).unwrap();
                next.entry(position.key())
                    .or_insert_with(|| position.moves_text());
                position.undo();
            }
        }
        assert_eq!(count, expected, "ply {ply}");
        level = next;
    }
}

#[test]
fn positions_after_each_ply_are_as_many_as_published() {
    count_positions(8);
}

/// `cargo test --release --test gravity -- --ignored as_many_as_published_deep`
#[test]
#[ignore = "a minute"]
fn positions_after_each_ply_are_as_many_as_published_deep() {
    count_positions(12);
}

/// Columns, rows, and the stone with which a perfect game ends: John Tromp
/// published who wins, Christophe Steininger when.
type Known = (usize, usize, Ending);

#[derive(Clone, Copy)]
enum Ending {
    Draw,
    First(u32),
    Second(u32),
}

fn check_boards(boards: &[Known]) {
    for &(columns, rows, ending) in boards {
        let expected = match ending {
            Ending::Draw => Value::Draw,
            Ending::First(stone) => Value::Win(stone),
            Ending::Second(stone) => Value::Loss(stone),
        };
        let empty = Position::new(size(columns, rows));
        let (value, _) = solve(&mut Search::new(16 * TABLE), &empty);
        assert_eq!(value, expected, "{columns}x{rows}");
    }
}

#[test]
fn small_boards_are_worth_what_is_published() {
    check_boards(&[
        (4, 4, Ending::Draw),
        (5, 4, Ending::Draw),
        (6, 4, Ending::Second(24)),
        (4, 5, Ending::Draw),
        (5, 5, Ending::Draw),
        (4, 6, Ending::Draw),
    ]);
}

/// `cargo test --release --test gravity -- --ignored larger_boards`
#[test]
#[ignore = "minutes"]
fn larger_boards_are_worth_what_is_published() {
    check_boards(&[
        (7, 4, Ending::Draw),
        (8, 4, Ending::Second(32)),
        (6, 5, Ending::Draw),
        (7, 5, Ending::Draw),
        (5, 6, Ending::Draw),
        (6, 6, Ending::Second(36)),
        (4, 7, Ending::Draw),
        (5, 7, Ending::Draw),
        (6, 7, Ending::First(41)),
        (4, 8, Ending::Draw),
        (7, 6, Ending::First(41)),
    ]);
}

/// The board people play with in the shops: after the first stone in the middle
/// the first player wins with the last but one; beside it, it is a draw; further
/// out it loses. `cargo test --release --test gravity -- --ignored first_move`
#[test]
#[ignore = "minutes"]
fn only_the_middle_wins_as_a_first_move_on_7x6() {
    let search = &mut Search::new(512 << 20);
    let empty = Position::new(size(7, 6));
    let (values, _) = search.solve_columns(&empty, &Limits::default(), &mut never_stop);
    let values: Vec<Value> = values.into_iter().flatten().collect();
    assert_eq!(values[3], Value::Win(41));
    assert_eq!([values[2], values[4]], [Value::Draw; 2]);
    for column in [0, 1, 5, 6] {
        assert!(matches!(values[column], Value::Loss(_)), "{column}");
    }
}

// --- Plain minimax ---

/// The value by the rules and nothing else: every move is played to the end.
fn minimax(position: &mut Position) -> Value {
    if position.winner().is_some() {
        return Value::Loss(0);
    }
    let columns: Vec<usize> = position.playable_columns().collect();
    let values = columns.into_iter().map(|column| {
        position.play(column).unwrap();
        let value = minimax(position).before_move();
        position.undo();
        value
    });
    values
        .max_by_key(|value| worth(*value))
        .unwrap_or(Value::Draw)
}

/// Early wins are worth most and early losses least.
fn worth(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 100 - plies as i32,
        Value::Draw => 0,
        Value::Loss(plies) => plies as i32 - 100,
    }
}

/// A random position with so many free points and no line of four.
fn endgame(size: Size, free: usize, random: &mut Random) -> Position {
    loop {
        let mut position = Position::new(size);
        loop {
            if position.moves().len() + free == size.points() {
                return position;
            }
            let mut columns: Vec<usize> = position.playable_columns().collect();
            columns.retain(|&column| {
                let mut next = position.clone();
                next.play(column).unwrap();
                next.winner().is_none()
            });
            if columns.is_empty() {
                break;
            }
            position.play(columns[random.below(columns.len())]).unwrap();
        }
    }
}

/// Solves random endgames on boards of all shapes.
fn check_endgames(count: usize) {
    let shapes = [
        (7, 6),
        (7, 7),
        (4, 4),
        (5, 5),
        (9, 7),
        (8, 8),
        (16, 4),
        (4, 16),
        (6, 5),
    ];
    let mut random = Random(7);
    let mut search = Search::new(1 << 20);
    for index in 0..count {
        let (columns, rows) = shapes[index % shapes.len()];
        let mut position = endgame(size(columns, rows), 1 + random.below(8), &mut random);
        search.clear();
        let expected = minimax(&mut position);
        let (value, _) = solve(&mut search, &position);
        assert_eq!(
            value,
            expected,
            "{columns}x{rows} {}",
            position.moves_text()
        );
        let outcome = search.search(&position, &Limits::default(), &mut never_stop);
        assert_eq!(outcome.value, Some(expected), "{}", position.moves_text());
        let (values, _) = search.solve_columns(&position, &Limits::default(), &mut never_stop);
        assert_eq!(values[outcome.column.unwrap()], Some(expected));
        let best = values
            .into_iter()
            .flatten()
            .max_by_key(|value| worth(*value));
        assert_eq!(best, Some(expected), "{}", position.moves_text());
    }
}

#[test]
fn endgames_have_the_value_of_plain_minimax() {
    check_endgames(2_000);
}

/// `cargo test --release --test gravity -- --ignored plain_minimax_10`
#[test]
#[ignore = "a minute"]
fn endgames_have_the_value_of_plain_minimax_10_000() {
    check_endgames(10_000);
}

// --- The search ---

/// Positions whose full columns the table once did not tell apart. Their values are
/// those of a minimax that keeps whole boards.
#[test]
fn full_columns_of_a_large_board_are_distinguished() {
    for (moves, expected) in [
        (
            "624374711434714234274423237133723725255555551111",
            Value::Draw,
        ),
        (
            "125675744451511554172471577513712332224422334333",
            Value::Win(9),
        ),
    ] {
        let position = position(size(8, 8), moves);
        for seen in [&position, &position.mirrored()] {
            assert_eq!(solve(&mut Search::new(TABLE), seen).0, expected, "{moves}");
        }
    }
}

#[test]
fn a_mirror_image_has_the_same_value_and_key() {
    let mut suite = Suite::new(size(7, 6), 3);
    for stones in 18..36 {
        let position = suite.position(stones);
        let image = position.mirrored();
        assert_eq!(position.key(), image.key());
        let search = &mut Search::new(TABLE);
        let (values, _) = search.solve_columns(&position, &Limits::default(), &mut never_stop);
        let (mut image_values, _) =
            search.solve_columns(&image, &Limits::default(), &mut never_stop);
        image_values.reverse();
        assert_eq!(values, image_values, "{}", position.moves_text());
    }
}

/// The sum of nodes of the bench without its hard positions. A change of the
/// search that is meant to keep its tree keeps this number.
#[test]
fn the_bench_takes_the_same_nodes_each_time() {
    let nodes = |moves: &&str| {
        let position = position(size(7, 6), moves);
        let (value, nodes) = solve(&mut Search::new(TABLE), &position);
        (Difficulty::of(&position, value), nodes)
    };
    let efforts: Vec<(Difficulty, u64)> = BENCH[..20].iter().map(nodes).collect();
    let classes: Vec<Difficulty> = efforts.iter().map(|effort| effort.0).collect();
    assert!(classes.is_sorted());
    assert_eq!(efforts.iter().map(|effort| effort.1).sum::<u64>(), 542_324);
}

#[test]
fn classes_of_difficulty_need_room() {
    use Difficulty::{BeginEasy, BeginMedium, EndEasy, MiddleEasy, MiddleMedium};
    let fitting = |columns, rows| -> Vec<Difficulty> {
        let size = size(columns, rows);
        let all = Difficulty::ALL.into_iter();
        all.filter(|class| class.fits(size)).collect()
    };
    assert_eq!(fitting(4, 4), [MiddleEasy, BeginEasy]);
    assert_eq!(fitting(4, 7), [MiddleEasy, BeginEasy, BeginMedium]);
    let but_hard = [EndEasy, MiddleEasy, MiddleMedium, BeginEasy, BeginMedium];
    assert_eq!(fitting(7, 5), but_hard);
    assert_eq!(fitting(6, 6), Difficulty::ALL);
}

#[test]
fn limits_end_a_search_and_a_move_comes_back() {
    let empty = Position::new(Size::default());
    let mut search = Search::new(TABLE);
    for nodes in [1, 10, 1_000, 50_000] {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let outcome = search.search(&empty, &limits, &mut never_stop);
        assert!(outcome.column.is_some());
        assert_eq!(outcome.nodes, nodes);
        assert_eq!(search.solve(&empty, &limits, &mut never_stop).value, None);
    }
    let shallow = Limits {
        depth: 5,
        ..Limits::default()
    };
    let outcome = search.search(&empty, &shallow, &mut never_stop);
    assert_eq!((outcome.depth, outcome.value), (5, None));
    let mut asked = 0;
    let outcome = search.search(&empty, &Limits::default(), &mut |_| {
        asked += 1;
        match asked {
            1..10 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    assert!(outcome.column.is_some());
    assert_eq!(asked, 10, "the observer is not asked again");
}

#[test]
fn a_game_that_is_over_has_its_value_and_no_move() {
    let mut search = Search::new(TABLE);
    let won = position(Size::default(), "1212121");
    let outcome = search.search(&won, &Limits::default(), &mut never_stop);
    assert_eq!(
        (outcome.column, outcome.value),
        (None, Some(Value::Loss(0)))
    );
    let mut full = Position::new(size(4, 4));
    while let Some(column) = search
        .search(&full, &Limits::default(), &mut never_stop)
        .column
    {
        full.play(column).unwrap();
    }
    assert!(full.is_over() && full.winner().is_none());
    assert_eq!(solve(&mut search, &full).0, Value::Draw);
}

// --- Levels ---

/// A beginner's rule: win if you can, else block if you must, else play as near
/// to the middle as possible.
fn rule_of_thumb(position: &Position) -> usize {
    let columns = position.size().columns();
    let mut playable: Vec<usize> = position.playable_columns().collect();
    playable.sort_by_key(|&column| (2 * column + 1).abs_diff(columns));
    let wins = |moves: &[usize]| {
        let mut next = position.clone();
        moves.iter().all(|&column| next.play(column).is_ok()) && next.winner().is_some()
    };
    let own = playable.iter().find(|&&column| wins(&[column]));
    let threat = playable.iter().find(|&&column| {
        // The opponent's stone, after one of ours elsewhere.
        let elsewhere = playable.iter().find(|&&other| other != column);
        elsewhere.is_some_and(|&other| wins(&[other, column]))
    });
    *own.or(threat).unwrap_or(&playable[0])
}

/// Plays from a position with one chooser for each player; who won.
fn play(
    mut position: Position,
    mut first: impl FnMut(&Position) -> usize,
    mut second: impl FnMut(&Position) -> usize,
) -> Option<Player> {
    while !position.is_over() {
        let column = match position.to_move() {
            Player::First => first(&position),
            Player::Second => second(&position),
        };
        position.play(column).unwrap();
    }
    position.winner()
}

fn choose(machine: &mut Machine, position: &Position) -> usize {
    let outcome = machine.choose(position, &Limits::default(), &mut never_stop);
    outcome.column.unwrap()
}

#[test]
fn a_beginner_loses_to_a_rule_of_thumb() {
    let mut beginner = Machine::new(Level::BEGINNER, TABLE, 1);
    let (games, mut lost) = (100, 0);
    for game in 0..games {
        let empty = Position::new(Size::default());
        let machine = |position: &Position| choose(&mut beginner, position);
        lost += if game % 2 == 0 {
            u32::from(play(empty, machine, rule_of_thumb) == Some(Player::Second))
        } else {
            u32::from(play(empty, rule_of_thumb, machine) == Some(Player::First))
        };
    }
    assert!(lost >= games * 8 / 10, "{lost} of {games}");
}

/// Plays games from solved positions that are not lost for the machine, which
/// plays perfectly; counts those that it loses.
fn lost_by_perfect_play(games: usize, mut opponent: impl FnMut(&Position) -> usize) -> u32 {
    let mut machine = Machine::new(Level::PERFECT, TABLE, 0);
    let mut suite = Suite::new(size(7, 6), 5);
    let mut lost = 0;
    for game in 0..games {
        let start = loop {
            let start = suite.position(14 + game % 10);
            if !matches!(solve(machine.search(), &start).0, Value::Loss(_)) {
                break start;
            }
        };
        let me = start.to_move();
        let perfect = |position: &Position| choose(&mut machine, position);
        let winner = match me {
            Player::First => play(start, perfect, &mut opponent),
            Player::Second => play(start, &mut opponent, perfect),
        };
        lost += u32::from(winner == Some(me.opponent()));
    }
    lost
}

/// A player who drops stones anywhere.
fn anywhere() -> impl FnMut(&Position) -> usize {
    let mut random = Random(1);
    move |position: &Position| {
        let columns: Vec<usize> = position.playable_columns().collect();
        columns[random.below(columns.len())]
    }
}

/// A player of a level.
fn level(number: u8) -> impl FnMut(&Position) -> usize {
    let mut machine = Machine::new(Level::new(number).unwrap(), TABLE, 1);
    move |position: &Position| choose(&mut machine, position)
}

#[test]
fn perfect_play_does_not_lose_what_is_not_lost() {
    assert_eq!(lost_by_perfect_play(20, anywhere()), 0);
    assert_eq!(lost_by_perfect_play(20, level(8)), 0);
}

/// `cargo test --release --test gravity -- --ignored 1_000_games`
#[test]
#[ignore = "minutes"]
fn perfect_play_does_not_lose_in_1_000_games() {
    assert_eq!(lost_by_perfect_play(1_000, anywhere()), 0);
    assert_eq!(lost_by_perfect_play(1_000, level(9)), 0);
}
