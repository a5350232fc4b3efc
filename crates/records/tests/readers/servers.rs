//! SGF of game servers and of programs that write it carelessly.

use super::{moves, read, said};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Rule};
use quincunx_records::{ReadDefaults, Source, open};

/// The first stones of such a game were lost once, without a word.
#[test]
fn openings_of_gomoku_quest_are_moves() {
    for (text, expected) in [
        (
            "(;GM[4]SZ[15];QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii])",
            "h8h9j10i9g9i7",
        ),
        ("(;GM[4]SZ[15];QPR[hh,hg,jf];W[ig];B[gg])", "h8h9j10i9g9"),
        ("(;GM[4]SZ[15]QPR[hh,hg,jf]QSLW[ig])", "h8h9j10i9"),
        ("(;GM[4]SZ[15];QPR[hh][hg][jf];QSLW[])", "h8h9j10"),
        ("(;GM[4]SZ[15];QPR[ hh , hg ])", "h8h9"),
        // Without the number of the game these stones show that it is one.
        ("(;SZ[15]GM[7];QPR[hh,hg,jf])", "h8h9j10"),
    ] {
        let tree = read(text).unwrap();
        assert_eq!(moves(&tree), expected, "{text}");
        let warnings = said(&tree);
        let is_expected = |it: &String| it.starts_with("GM[7]");
        assert!(warnings.iter().all(is_expected), "{text}: {warnings:?}");
        let colors = tree.record.moves.iter().map(|it| it.color);
        assert!(colors.eq(Color::ALL.into_iter().cycle().take(tree.record.moves.len())));
    }
    for (text, complaint) in [
        (
            "(;GM[4]SZ[15];QPR[hh,hg,hh];QSLW[ig])",
            "QPR[hh,hg,hh]: h8 is taken",
        ),
        ("(;GM[4]SZ[15];QPR[hh,hg,zz])", "QPR[hh,hg,zz]: there is no"),
        (
            "(;GM[4]SZ[15];QPR[hh,hg,jf];QSLW[ig];B[hg])",
            "B[hg]: h9 is taken",
        ),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

#[test]
fn points_under_unknown_names_have_a_warning() {
    for (text, expected, warning) in [
        (
            "(;GM[4]SZ[15];QXX[hh,hg,jf];B[gg];W[ii])",
            "g9i7",
            "line 1, column 15: QXX[hh,hg,jf] is not known: no stone is played for it",
        ),
        (
            "(;GM[4]SZ[15];B[gg]MV[h8];W[ii]MV[h9])",
            "g9i7",
            "line 1, column 20: MV[h8] is not known: no stone is played for it",
        ),
        (
            "(;GM[4]SZ[15]PRE[aa:cc])",
            "",
            "line 1, column 14: PRE[aa:cc] is not known: no stone is played for it",
        ),
        (
            "(;GM[4]SZ[15];B[gg]X_Y[h8 i9])",
            "g9",
            "line 1, column 20: X_Y[h8 i9] is not known: no stone is played for it",
        ),
    ] {
        let tree = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&tree), expected, "{text}");
        assert_eq!(said(&tree), [warning], "{text}");
        // It is kept as it stands.
        let mut properties = tree.nodes.iter().flat_map(|node| node.properties());
        let name = warning
            .split(' ')
            .nth(4)
            .unwrap()
            .split('[')
            .next()
            .unwrap();
        assert!(properties.any(|property| property.name == name), "{text}");
    }
    // A list is all stones that there are.
    let error = read("(;GM[4]SZ[15];QXX[hh,hg,jf])")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("QXX[hh,hg,jf]: this may be a stone"),
        "{error}"
    );
    // Texts are none.
    let tree = read("(;GM[4]SZ[15]XX[a game];B[hh]YY[12,3]ZZ[hh is better])").unwrap();
    assert_eq!(said(&tree), [""; 0]);
}

/// The record of a man-machine match has three moves in a node.
#[test]
fn moves_of_a_node_are_played_in_turn() {
    for (text, expected) in [
        ("(;GM[4]SZ[15];B[hh]W[ig]B[gj])", "h8i9g6"),
        (
            "(;GM[4]SZ[15]B[hh]W[ig]B[gj]W[aa];B[bb]W[cc])",
            "h8i9g6a15b14c13",
        ),
        ("(;GM[4]SZ[15]PL[W];W[hh]B[ig]W[gj])", "h8i9g6"),
        (
            "(;GM[4]SZ[15];B[hh](;W[ig]B[gj]W[aa])(;W[bb]B[cc]W[dd]))",
            "h8i9g6a15b14c13d12",
        ),
        ("(;GM[4]SZ[15];B[hh]C[a]W[]B[gj]C[b])", "h8--g6"),
    ] {
        let tree = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&tree), expected, "{text}");
        assert_eq!(said(&tree), [""; 0], "{text}");
    }
    for text in [
        "(;GM[4]SZ[15];B[hh]W[ig]W[gj])",
        "(;GM[4]SZ[15];W[hh]B[ig]W[gj])",
        "(;GM[4]SZ[15];B[hh]B[ig]W[gj])",
        "(;GM[4]SZ[15];B[hh]W[ig][gj])",
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(
            error.contains("this is another move of the same node"),
            "{text}: {error}"
        );
    }
}

#[test]
fn empty_values_close_no_file() {
    for text in [
        "(;GM[4]SZ[15]AB[];B[hh])",
        "(;GM[4]SZ[15]AW[]AE[]PL[];B[hh])",
        "(;GM[4]SZ[15];B[hh]AB[])",
        "(;GM[]SZ[15]RU[];B[hh])",
        "(;GM[4]SZ[]SZ[15];B[hh])",
        "(;GM[4]SZ[15]X_Y[x]_A[y];B[hh])",
        "(;GM[4]SZ[15]X_Y[x];B[hh])",
    ] {
        if text.contains("_A") {
            // A name begins with a letter or a digit.
            assert!(read(text).is_err(), "{text}");
            continue;
        }
        let tree = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&tree), "h8", "{text}");
        assert_eq!(said(&tree), [""; 0], "{text}");
    }
    let tree = read("(;GM[4]SZ[]AB[hh][]AW[];W[ii])").unwrap();
    assert_eq!(tree.record.setup.len(), 1);
    assert_eq!(said(&tree), ["the file names no board: 15 is taken"]);
}

#[test]
fn words_in_place_of_moves_are_results_or_warnings() {
    let black = |termination| Some(GameResult::win(Color::Black, termination));
    let resigned = black(Termination::Resignation);
    let skipped = "is no stone: no move is made for it";
    for (text, expected, result, warning) in [
        ("(;GM[4]SZ[15];B[hh];W[resign])", "h8", resigned, None),
        (
            "(;GM[4]SZ[15]RE[B+R];B[hh];W[Resign])",
            "h8",
            resigned,
            None,
        ),
        ("(;GM[4]SZ[15];B[hh]W[ii]W[resign])", "h8i7", resigned, None),
        (
            "(;GM[4]SZ[15];B[hh];W[timeout])",
            "h8",
            black(Termination::Time),
            None,
        ),
        (
            "(;GM[4]SZ[15];B[hh];W[draw])",
            "h8",
            Some(GameResult::draw(Termination::Agreement)),
            None,
        ),
        ("(;GM[4]SZ[15];B[hh];W[pass];B[ii])", "h8--i7", None, None),
        ("(;GM[4]SZ[15];B[hh];W[swap])", "h8", None, Some("W[swap]")),
        (
            "(;GM[4]SZ[15];B[hh];W[ii];B[gg];W[swap-sides];W[jj])",
            "h8i7g9j6",
            None,
            Some("W[swap-sides]"),
        ),
        // Moves follow, in a variation or in the game.
        (
            "(;GM[4]SZ[15];B[hh];W[resign];W[ii])",
            "h8i7",
            None,
            Some("W[resign]"),
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ii])(;W[aa];B[resign]))",
            "h8i7a15",
            None,
            Some("B[resign]"),
        ),
        (
            "(;GM[4]SZ[15]RE[W+R];B[hh];W[resign])",
            "h8",
            Some(GameResult::win(Color::White, Termination::Resignation)),
            Some("W[resign]"),
        ),
    ] {
        let tree = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&tree), expected, "{text}");
        assert_eq!(tree.record.result, result, "{text}");
        let warnings = said(&tree);
        match warning {
            None => assert_eq!(warnings, [""; 0], "{text}"),
            Some(word) => {
                assert!(
                    warnings[0].ends_with(&format!("{word} {skipped}")),
                    "{warnings:?}"
                );
            }
        }
    }
    // Other words may be points of another game.
    assert!(read("(;GM[4]SZ[15];B[hh];W[edge])").is_err());
}

/// `GM[1]` is Go, unless a person says what it is.
#[test]
fn a_named_rule_says_which_game_it_is() {
    let read = |text: &str, is_rule_named| {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        let expected = ReadDefaults {
            is_rule_named,
            ..ReadDefaults::new(Rule::Renju, BoardSize::default())
        };
        open(source, expected).and_then(|file| file.game(1))
    };
    for (text, is_read) in [
        ("(;GM[1]SZ[15];B[hh];W[ii])", true),
        ("(;GM[1]SZ[19];B[hh];W[ii])", true),
        // Without a board that of Go is meant, and moves of chess are no stones.
        ("(;GM[1];B[hh];W[ii])", false),
        ("(;GM[3]SZ[15];P0[e4])", false),
    ] {
        assert!(read(text, false).is_err(), "{text}");
        let named = read(text, true);
        assert_eq!(named.is_ok(), is_read, "{text}: {named:?}");
        if let Ok(tree) = named {
            let warnings = said(&tree);
            assert_eq!(
                warnings[0],
                "GM[1] is another game: read as Gomoku or Renju"
            );
        }
    }
}

/// Files that other programs were reported to refuse or to lose.
#[test]
fn files_that_other_programs_did_not_read() {
    for (text, expected, comment, warning) in [
        // SabakiHQ/sgf 5.
        (
            "(;GM[4]SZ[15];B[hh]\n---\n;W[ii])",
            "h8i7",
            "",
            Some("line 2, column 1: skipped '---'"),
        ),
        // SabakiHQ/Sabaki 687.
        (
            "(;GM[4]SZ[15]US[Matsuyama[3d]];B[hh]C[see [1]])",
            "h8",
            "see [1]",
            None,
        ),
        // online-go/goban 123.
        ("(;GM[4]SZ[15];C[before]B[hh])", "h8", "before", None),
        // SabakiHQ/Sabaki 69.
        ("(;GM[4]SZ[15];B[hh]C[\\\\];W[ii])", "h8i7", "\\", None),
        // sanderland/katrain 288.
        ("(;GM[4]SZ[15](;B[hh](;W[ii](;B[gg]))))", "h8i7g9", "", None),
    ] {
        let tree = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&tree), expected, "{text}");
        assert_eq!(tree.nodes[1].comment(), comment, "{text}");
        let warnings = said(&tree);
        let expected: Vec<&str> = warning.into_iter().collect();
        assert_eq!(warnings, expected, "{text}");
    }
    let error = read("(;GM[4]SZ[15];B[hh]\nW b8\n;W[ii])")
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 2, column 3"), "{error}");
    for (text, stones) in [
        // waltheri/wgo.js 39: line breaks between the values.
        (
            "(;GM[4]SZ[15]AW[ba][bb]\n[be]\n [cf]C[black first]PL[B])",
            4,
        ),
        // artasparks/glift 123: rectangles.
        ("(;GM[4]SZ[15]AB[aa:cb][hh]PL[W])", 7),
    ] {
        assert_eq!(read(text).unwrap().record.setup.len(), stones, "{text}");
    }
}
