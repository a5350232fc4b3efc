//! Files of what was played against a slow oracle, and damaged files.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule, Symmetry};
use quincunx_explorer::{
    BuildLimits, Builder, ExploredMove, Explorer, ExplorerError, GameOutcome, Tally,
};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// A game: its rule and board, its moves and how it ended.
#[derive(Clone)]
struct Played {
    rule: Rule,
    size: BoardSize,
    moves: Vec<Point>,
    ending: GameOutcome,
}

impl Played {
    fn end(&self) -> Position {
        let mut position = Position::new(self.rule, self.size);
        self.moves.iter().for_each(|&point| position.play(point));
        position
    }
}

/// Games that often meet: few points are played on.
fn games(seed: u64, count: usize) -> Vec<Played> {
    let mut random = fastrand::Rng::with_seed(seed);
    let boards = [
        (Rule::Freestyle, BoardSize::square(9).unwrap()),
        (Rule::Renju, BoardSize::square(9).unwrap()),
        (Rule::Freestyle, BoardSize::new(9, 7).unwrap()),
    ];
    let endings = [
        GameOutcome::Won(Color::Black),
        GameOutcome::Won(Color::White),
        GameOutcome::Drawn,
        GameOutcome::Unknown,
    ];
    let mut game = || {
        let (rule, size) = boards[random.usize(..boards.len())];
        let centre = size.centre();
        let near = |point: &Point| {
            point.x().abs_diff(centre.x()) <= 1 && point.y().abs_diff(centre.y()) <= 1
        };
        let mut moves: Vec<Point> = size.iter().filter(near).collect();
        random.shuffle(&mut moves);
        moves.truncate(random.usize(1..=8));
        Played {
            rule,
            size,
            moves,
            ending: endings[random.usize(..endings.len())],
        }
    };
    (0..count).map(|_| game()).collect()
}

fn build(folder: &Path, games: &[Played], limits: BuildLimits) -> PathBuf {
    let path = folder.join("played.qxplore");
    let mut builder = Builder::new(&path, limits).unwrap();
    for game in games {
        builder.add(&game.end(), 0, game.ending).unwrap();
    }
    let built = builder.finish().unwrap();
    assert_eq!(built.games, games.len() as u64);
    assert_eq!(Explorer::open(&path).unwrap().positions(), built.positions);
    path
}

/// The stones of a position after a symmetry, as text.
fn image(position: &Position, symmetry: Symmetry) -> String {
    let size = position.size();
    let stones = position.moves().map(|(color, point)| {
        let point = symmetry.apply(size, point);
        format!("{color} {point}")
    });
    let stones: BTreeSet<String> = stones.collect();
    format!("{} {size} {} {stones:?}", position.rule(), position.side())
}

/// What was played in every image of every position, by the position's stones as text.
fn oracle(games: &[Played], limits: BuildLimits) -> HashMap<String, HashMap<Point, Tally>> {
    let mut known: HashMap<String, HashMap<Point, Tally>> = HashMap::new();
    for game in games {
        let mut position = Position::new(game.rule, game.size);
        for &point in game.moves.iter().take(limits.plies) {
            // An image that a symmetric position has twice counts once.
            let mut images = BTreeSet::new();
            for symmetry in game.size.symmetries() {
                images.insert((image(&position, symmetry), symmetry.apply(game.size, point)));
            }
            for (text, point) in images {
                *known.entry(text).or_default().entry(point).or_default() += Tally::of(game.ending);
            }
            position.play(point);
        }
    }
    for moves in known.values_mut() {
        moves.retain(|_, tally| tally.games() >= limits.games);
    }
    known
}

/// All positions of games, and one image of each.
fn positions(games: &[Played]) -> Vec<Position> {
    let mut positions = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let symmetries: Vec<Symmetry> = game.size.symmetries().collect();
        for symmetry in [symmetries[0], symmetries[number % symmetries.len()]] {
            let mut position = Position::new(game.rule, game.size);
            positions.push(position.clone());
            for &point in &game.moves {
                position.play(symmetry.apply(game.size, point));
                positions.push(position.clone());
            }
        }
    }
    positions
}

fn assert_as_oracle(explorer: &Explorer, games: &[Played], limits: BuildLimits) {
    let known = oracle(games, limits);
    for position in positions(games) {
        let moves = explorer.moves(&position).unwrap();
        let mut told: HashMap<Point, Tally> = HashMap::new();
        for ExploredMove { points, tally } in &moves {
            assert!(!points.is_empty());
            told.extend(points.iter().map(|&point| (point, *tally)));
        }
        let expected = known.get(&image(&position, Symmetry::ALL[0]));
        assert_eq!(told, expected.cloned().unwrap_or_default(), "{position:?}");
        let counts: Vec<u64> = moves.iter().map(|it| it.tally.games()).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn a_file_answers_as_a_map_of_all_images_does() {
    let folder = tempfile::tempdir().unwrap();
    for limits in [BuildLimits::default(), BuildLimits { plies: 3, games: 2 }] {
        let games = games(7, 300);
        let explorer = Explorer::open(&build(folder.path(), &games, limits)).unwrap();
        assert_as_oracle(&explorer, &games, limits);
        assert_eq!(explorer.boards().len(), 3);
        for board in explorer.boards() {
            let of_board = |game: &&Played| (game.rule, game.size) == (board.rule, board.size);
            assert_eq!(games.iter().filter(of_board).count() as u64, board.games);
        }
    }
}

/// More moves from one position than a page holds.
#[test]
fn a_position_may_have_more_moves_than_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let size = BoardSize::square(20).unwrap();
    let start: Vec<Point> = ["a1", "b1", "a3", "t9"]
        .map(|it| it.parse().unwrap())
        .into();
    let free = size.iter().filter(|point| !start.contains(point));
    let games: Vec<Played> = free
        .map(|point| Played {
            rule: Rule::Freestyle,
            size,
            moves: start.iter().copied().chain([point]).collect(),
            ending: GameOutcome::Drawn,
        })
        .collect();
    let path = build(folder.path(), &games, BuildLimits::default());
    let explorer = Explorer::open(&path).unwrap();
    let mut position = Position::new(Rule::Freestyle, size);
    start.iter().for_each(|&point| position.play(point));
    let moves = explorer.moves(&position).unwrap();
    assert_eq!(moves.len(), 396);
    assert!(
        moves
            .iter()
            .all(|it| it.points.len() == 1 && it.tally.draws == 1)
    );
}

/// Stones that were set up are no moves, and no move follows from a pass.
#[test]
fn only_moves_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("played");
    let mut builder = Builder::new(&path, BuildLimits::default()).unwrap();
    let position =
        |moves: &str| Position::from_moves(Rule::Renju, BoardSize::default(), moves).unwrap();
    builder
        .add(&position("h8h9i9--j9"), 3, GameOutcome::Drawn)
        .unwrap();
    builder.finish().unwrap();
    let explorer = Explorer::open(&path).unwrap();
    assert_eq!(explorer.moves(&position("")).unwrap(), []);
    assert_eq!(explorer.moves(&position("h8h9")).unwrap(), []);
    assert_eq!(explorer.moves(&position("h8h9i9")).unwrap(), []);
    let moves = explorer.moves(&position("h8h9i9--")).unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].points, ["j9".parse().unwrap()]);
}

#[test]
fn a_file_without_games_and_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), &[], BuildLimits::default());
    let explorer = Explorer::open(&path).unwrap();
    let start = Position::new(Rule::Freestyle, BoardSize::default());
    assert_eq!(explorer.moves(&start).unwrap(), []);
    assert!(!explorer.has_board_of(&start));
    for other in [&b""[..], b"QXPLOR", b"QXGAMES\0and more"] {
        fs::write(&path, other).unwrap();
        let error = Explorer::open(&path).unwrap_err();
        assert!(matches!(error, ExplorerError::Foreign), "{error}");
    }
    let error = Explorer::open(folder.path()).unwrap_err();
    assert!(matches!(error, ExplorerError::Io(_)));
}

/// Files are full of these keys: others need another version of the format.
#[test]
fn keys_stay_the_same() {
    for (line, key) in [
        ("15 freestyle", 1_852_438_643_631_937_267),
        ("15 renju h8i9g10", 145_553_536_580_432_254),
        ("20x15 caro a1b2", 361_127_440_146_832_256),
    ] {
        let position = Position::from_line(line).unwrap();
        assert_eq!(position.canonical_key().key(), key, "{line}");
    }
}

#[test]
fn a_file_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = build(folder.path(), &games(1, 3), BuildLimits::default());
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 2;
    fs::write(&path, bytes).unwrap();
    let error = Explorer::open(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        "the file has version 2; this program reads version 1"
    );
}

/// What may happen to a file.
#[derive(Clone, Debug)]
enum Damage {
    Byte(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Added(Vec<u8>),
    /// Two parts of 512 bytes change places.
    Swapped(prop::sample::Index, prop::sample::Index),
    Zeroed(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        (index(), 1..=u8::MAX).prop_map(|(at, by)| Damage::Byte(at, by)),
        index().prop_map(Damage::Cut),
        prop::collection::vec(any::<u8>(), 1..5000).prop_map(Damage::Added),
        (index(), index()).prop_map(|(one, other)| Damage::Swapped(one, other)),
        (index(), 1..5000_usize).prop_map(|(at, length)| Damage::Zeroed(at, length)),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        const PART: usize = 512;
        match self {
            Damage::Byte(at, by) => {
                let at = at.index(bytes.len());
                bytes[at] ^= by;
            }
            Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Damage::Added(more) => bytes.extend(more),
            Damage::Swapped(one, other) => {
                let parts = bytes.len() / PART;
                let (one, other) = (one.index(parts), other.index(parts));
                for at in 0..PART {
                    bytes.swap(one * PART + at, other * PART + at);
                }
            }
            Damage::Zeroed(at, length) => {
                let at = at.index(bytes.len());
                let end = bytes.len().min(at + length);
                bytes[at..end].fill(0);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// A damaged file is refused, or says so when it is asked, or gives the right answer from
    /// a page that is whole.
    #[test]
    fn damage_is_noticed(damages in prop::collection::vec(damage(), 1..3)) {
        let folder = tempfile::tempdir().unwrap();
        let games = games(11, 120);
        let path = build(folder.path(), &games, BuildLimits::default());
        let whole = Explorer::open(&path).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let before = bytes.clone();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        // Another file: the one that is open stays as it is.
        let path = folder.path().join("damaged");
        fs::write(&path, &bytes).unwrap();
        match Explorer::open(&path) {
            Ok(damaged) => {
                for position in positions(&games[..5]) {
                    match damaged.moves(&position) {
                        Ok(moves) => prop_assert_eq!(moves, whole.moves(&position).unwrap()),
                        Err(error) => {
                            prop_assert!(matches!(error, ExplorerError::Damaged), "{}", error);
                        }
                    }
                }
            }
            Err(error) => {
                prop_assert!(bytes != before);
                let expected = matches!(error, ExplorerError::Damaged
                    | ExplorerError::Foreign | ExplorerError::Version(_));
                prop_assert!(expected, "{}", error);
            }
        }
    }
}
