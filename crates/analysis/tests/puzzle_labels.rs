//! The puzzles that come with the crate, checked by a solver of its own: it shares nothing
//! with the engine's, knows freestyle alone, and tries every four.

#![allow(clippy::unwrap_used)]

use quincunx_analysis::puzzle::{Puzzle, PuzzleFinder, PuzzleKind, PuzzleLimits};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::collections::HashSet;

const PUZZLES: &str = include_str!("../puzzles/freestyle.txt");

fn puzzles() -> Vec<Puzzle> {
    let lines = PUZZLES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.parse().unwrap()).collect()
}

/// A board as the number of stones of each colour in every five points in a row.
struct Fives {
    width: usize,
    stones: Vec<Option<usize>>,
    rows: Vec<[usize; 5]>,
    /// The rows that a point belongs to.
    of_point: Vec<Vec<usize>>,
    counts: Vec<[u8; 2]>,
    /// Positions in which the attacker has been shown to have nothing.
    lost: HashSet<Vec<Option<usize>>>,
}

impl Fives {
    fn new(position: &Position) -> Fives {
        let (width, height) = (position.size().width(), position.size().height());
        let mut rows = Vec::new();
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let at = |step: i32| (x + step * dx, y + step * dy);
                    let (ex, ey) = at(4);
                    if (0..width as i32).contains(&ex) && (0..height as i32).contains(&ey) {
                        rows.push([0, 1, 2, 3, 4].map(|step| {
                            let (x, y) = at(step);
                            y as usize * width + x as usize
                        }));
                    }
                }
            }
        }
        let mut of_point = vec![Vec::new(); width * height];
        for (number, row) in rows.iter().enumerate() {
            for &point in row {
                of_point[point].push(number);
            }
        }
        let mut fives = Fives {
            width,
            stones: vec![None; width * height],
            counts: vec![[0; 2]; rows.len()],
            rows,
            of_point,
            lost: HashSet::new(),
        };
        for (color, point) in position.moves() {
            let at = fives.index(point);
            fives.put(color.index(), at);
        }
        fives
    }

    fn index(&self, point: Point) -> usize {
        point.y() * self.width + point.x()
    }

    fn put(&mut self, color: usize, point: usize) {
        assert_eq!(self.stones[point], None);
        self.stones[point] = Some(color);
        for &row in &self.of_point[point] {
            self.counts[row][color] += 1;
        }
    }

    fn take(&mut self, point: usize) {
        let color = self.stones[point].take().unwrap();
        for &row in &self.of_point[point] {
            self.counts[row][color] -= 1;
        }
    }

    /// The empty points of the rows that have so many stones of a colour and no other.
    fn open(&self, color: usize, stones: u8) -> Vec<usize> {
        let mut points = Vec::new();
        for (row, counts) in self.rows.iter().zip(&self.counts) {
            if counts[color] == stones && counts[1 - color] == 0 {
                let empty = row.iter().filter(|&&point| self.stones[point].is_none());
                points.extend(empty);
            }
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Whether a colour, to move, wins by continuous fours.
    fn wins(&mut self, color: usize) -> bool {
        if !self.open(color, 4).is_empty() {
            return true;
        }
        if self.lost.contains(&self.stones) {
            return false;
        }
        let fours = self.open(color, 3);
        let won = fours.into_iter().any(|four| self.wins_by(color, four));
        if !won {
            self.lost.insert(self.stones.clone());
        }
        won
    }

    /// Whether a stone on this point wins by continuous fours for a colour that has no five.
    fn wins_by(&mut self, color: usize, four: usize) -> bool {
        self.put(color, four);
        // The opponent makes a five if it can, and has to stop one otherwise.
        let stops = match self.open(1 - color, 4).is_empty() {
            true => self.open(color, 4),
            false => Vec::new(),
        };
        let won = match stops[..] {
            [] => false,
            [stop] => {
                self.put(1 - color, stop);
                let won = self.wins(color);
                self.take(stop);
                won
            }
            _ => true,
        };
        self.take(four);
        won
    }

    /// The first moves that win by continuous fours.
    fn winning(&mut self, color: usize) -> Vec<usize> {
        let fives = self.open(color, 4);
        if !fives.is_empty() {
            return fives;
        }
        let fours = self.open(color, 3).into_iter();
        fours.filter(|&four| self.wins_by(color, four)).collect()
    }
}

/// Every label of the file: the right move wins by fours, and no other move does.
#[test]
fn the_right_move_is_the_only_one_that_wins_by_fours() {
    for puzzle in puzzles() {
        assert_eq!(puzzle.kind, PuzzleKind::Vcf);
        assert_eq!(puzzle.position.rule(), Rule::Freestyle);
        let mut board = Fives::new(&puzzle.position);
        let answer = board.index(puzzle.answer());
        let winning = board.winning(puzzle.position.side().index());
        assert_eq!(winning, [answer], "{puzzle}");
    }
}

/// The line wins: it is legal, every second stone of it is a four or the five, and the moves
/// in between stop the four where they can.
#[test]
fn the_lines_of_solutions_end_with_a_five() {
    for puzzle in puzzles() {
        let mut position = puzzle.position.clone();
        let winner = position.side();
        for &point in &puzzle.line {
            match point {
                Point::NONE => position.pass(),
                point => {
                    assert!(position.is_legal(point), "{puzzle}: {point}");
                    position.play(point);
                }
            }
        }
        assert!(position.won(), "{puzzle}");
        assert_eq!(position.side(), winner.opponent(), "{puzzle}");
    }
}

#[test]
fn no_two_puzzles_are_alike() {
    let puzzles = puzzles();
    let keys: HashSet<String> = puzzles.iter().map(Puzzle::key).collect();
    assert!(puzzles.len() >= 300, "{}", puzzles.len());
    assert_eq!(keys.len(), puzzles.len());
    assert!(PUZZLES.len() <= 500_000, "{} bytes", PUZZLES.len());
    for (line, puzzle) in PUZZLES
        .lines()
        .filter(|it| !it.starts_with('#'))
        .zip(&puzzles)
    {
        assert_eq!(puzzle.to_string(), line);
    }
}

/// Positions of games between players that know only fours and blocks: whatever the finder
/// calls a puzzle is one, and it misses none that the slow solver sees.
#[test]
fn the_finder_and_the_slow_solver_agree() {
    let mut random = fastrand::Rng::with_seed(53);
    let limits = PuzzleLimits {
        kinds: vec![PuzzleKind::Vcf],
        least_plies: 1,
        nodes: 1_000_000,
    };
    let mut finder = PuzzleFinder::new(limits);
    let (mut unique, mut several) = (0, 0);
    for _ in 0..800 {
        let size = BoardSize::square(9).unwrap();
        let mut position = Position::new(Rule::Freestyle, size);
        let mut points: Vec<Point> = size.iter().collect();
        random.shuffle(&mut points);
        for &point in points.iter().take(random.usize(20..50)) {
            position.play(point);
            if position.won() {
                break;
            }
        }
        let side = position.side();
        // A five that can be put off still wins: it is no riddle either way.
        if position.won()
            || Color::ALL
                .iter()
                .any(|&it| position.fives(it).next().is_some())
        {
            continue;
        }
        let mut board = Fives::new(&position);
        let winning = board.winning(side.index());
        let found = finder.of_position(&position);
        match winning[..] {
            [only] => {
                let puzzle = found.unwrap_or_else(|| panic!("{}", position.move_text()));
                assert_eq!(board.index(puzzle.answer()), only);
                unique += 1;
            }
            _ => {
                assert!(found.is_none(), "{}", position.move_text());
                several += usize::from(winning.len() > 1);
            }
        }
    }
    assert!(unique > 20 && several > 20, "{unique} and {several}");
}

/// A symmetric position is a puzzle of the same grade with the same key.
#[test]
fn symmetric_puzzles_are_the_same_puzzle() {
    for puzzle in puzzles().iter().step_by(97) {
        let size = puzzle.position.size();
        for symmetry in size.symmetries() {
            let mut turned = Position::new(puzzle.position.rule(), size);
            for (_, point) in puzzle.position.moves() {
                turned.play(symmetry.apply(size, point));
            }
            let line = puzzle.line.iter().map(|&point| match point {
                Point::NONE => Point::NONE,
                point => symmetry.apply(size, point),
            });
            let image = Puzzle {
                position: turned,
                line: line.collect(),
                ..puzzle.clone()
            };
            assert_eq!(image.key(), puzzle.key());
            assert_eq!(
                (image.guess(), image.grade()),
                (puzzle.guess(), puzzle.grade())
            );
        }
    }
}
