//! Proofs as SGF: the position as set-up stones, replies as variations.

use crate::position::Position;
use crate::rules::{Color, Point};
use crate::threats::Proof;
use std::fmt::Write;

/// Larger trees are cut: no viewer opens them.
const MOST_MOVES: u64 = 200_000;

/// The position and, if there is one, its proof as a tree on one line.
pub(super) fn show(position: &Position, proof: Option<&Proof>) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write_tree(&mut text, position, proof);
    text
}

fn write_tree(text: &mut String, position: &Position, proof: Option<&Proof>) -> std::fmt::Result {
    let size = position.size();
    write!(text, "(;FF[4]GM[4]CA[UTF-8]AP[Quincunx]")?;
    if size.width() == size.height() {
        write!(text, "SZ[{}]", size.width())?;
    } else {
        write!(text, "SZ[{}:{}]", size.width(), size.height())?;
    }
    write!(text, "RU[{}]", position.rule())?;
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let stones = |point: &Point| position.stone(*point) == Some(color);
        let mut points = size.iter().filter(stones).peekable();
        if points.peek().is_some() {
            text.push_str(name);
        }
        for point in points {
            write!(text, "[{}]", coordinates(point))?;
        }
    }
    let winner = position.side();
    write!(text, "PL[{}]", letter(winner))?;
    match proof {
        Some(proof) => {
            write!(text, "C[{winner} wins in {} plies", proof.plies())?;
            if proof.moves() <= MOST_MOVES {
                text.push(']');
                write_proof(text, proof, winner)?;
            } else {
                text.push_str("; only the longest line, the tree is too large]");
                write_moves(text, &proof.line(), winner)?;
            }
        }
        None => write!(text, "C[no win proved]")?,
    }
    write!(text, ")")
}

fn write_proof(text: &mut String, proof: &Proof, winner: Color) -> std::fmt::Result {
    write_moves(text, &[proof.point()], winner)?;
    let only = proof.replies().len() + usize::from(!proof.otherwise().is_empty()) < 2;
    for reply in proof.replies() {
        text.push_str(if only { "" } else { "(" });
        write_moves(text, &[reply.point], winner.opponent())?;
        write_proof(text, &reply.refutation, winner)?;
        text.push_str(if only { "" } else { ")" });
    }
    if !proof.otherwise().is_empty() {
        text.push_str(if only { "" } else { "(" });
        write!(text, ";{}[]C[any other move]", letter(winner.opponent()))?;
        write_moves(text, proof.otherwise(), winner)?;
        text.push_str(if only { "" } else { ")" });
    }
    Ok(())
}

fn write_moves(text: &mut String, moves: &[Point], first: Color) -> std::fmt::Result {
    let mut color = first;
    for &point in moves {
        write!(text, ";{}[{}]", letter(color), coordinates(point))?;
        color = color.opponent();
    }
    Ok(())
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Column and row as letters; nothing for a pass.
fn coordinates(point: Point) -> String {
    if point == Point::NONE {
        return String::new();
    }
    let letter = |number: usize| char::from(b'a' + number as u8);
    [letter(point.x()), letter(point.y())].iter().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::{BoardSize, Rule};
    use crate::threats::{Kind, Limits, Solver, Verdict};

    #[test]
    fn a_proof_becomes_variations() {
        let size = BoardSize::square(9).unwrap();
        // Black has an open three in the middle row.
        let position = Position::from_moves(Rule::Freestyle, size, "d5a1e5a3f5a9").unwrap();
        let limits = Limits {
            nodes: 1000,
            stop: &mut || false,
        };
        let solution = Solver::new(1 << 16).solve(&position, Kind::Vcf, limits);
        let Verdict::Win(proof) = solution.verdict else {
            panic!("{solution:?}");
        };
        assert_eq!(
            show(&position, Some(&proof)),
            "(;FF[4]GM[4]CA[UTF-8]AP[Quincunx]SZ[9]RU[freestyle]AB[de][ee][fe]AW[aa][ac][ai]PL[B]\
             C[black wins in 3 plies];B[ce](;W[be];B[ge])(;W[]C[any other move];B[be]))"
        );
    }
}
