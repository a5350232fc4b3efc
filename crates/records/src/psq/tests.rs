//! PSQ and REC as programs and people write them, and what is refused.

use super::*;
use crate::record::tests::moves;

#[test]
fn what_piskvork_reads_is_read() {
    for text in [
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,6,12\nA\nB\n0\n",
        "Piskvorky 15x15, 0:0, 0\n8,8\n9,7\n7,6\n-1\n",
        "\u{feff}\nPISKVORKY 15X15,0:0,0\r8,8,-1\r9,7,\r\r7,6,1.5\r-1\r",
        "Piskvorky 15x15, 0:0, 0\r\n\r\n 8 , 8 , 5 \r\n\r\n9,7,5\r\n7,6,5\r\n\u{1a}",
    ] {
        assert_eq!(moves(&read(text).unwrap()), "h8i9g10", "{text}");
    }
    let record = read("Piskvorky 15x15, 0:0, 0\n8,8\n9,9\n8,9\n").unwrap();
    assert_eq!(moves(&record), "h8i7h7");
    assert_eq!((record.black.as_str(), record.result), ("", None));
}

#[test]
fn the_footer_names_players_result_and_rule() {
    let game = |heading: &str, footer: &str| {
        let text = format!("Piskvorky 15x15, {heading}\n8,8,0\n9,7,0\n{footer}");
        let record = read(&text).unwrap();
        assert_eq!(moves(&record), "h8i9", "{footer}");
        record
    };
    let winner = |record: &GameRecord| record.result.map(|result| result.winner);
    for (footer, black, white) in [
        ("A\nB\n0", "A", "B"),
        ("A\n\n\nB\n0", "A", "B"),
        ("\n\n0", "", ""),
        ("\nB\n0", "", "B"),
        ("5\n6\n0", "5", "6"),
        ("P1\nP2\n0", "P1", "P2"),
        ("-1", "", ""),
        ("A\nB", "A", "B"),
        ("A", "A", ""),
        ("A\n-1", "A", ""),
        ("A\n5\n\n0", "A", "5"),
    ] {
        let record = game("11:11, 0", footer);
        assert_eq!(
            (record.black.as_str(), record.white.as_str()),
            (black, white),
            "{footer}"
        );
        assert_eq!(record.result, None, "{footer}");
    }
    // The second player began; the second name is missing.
    for (start, footer, black) in [
        ("0:0, 1", "A\nB\n2", "B"),
        ("0:0, 0", "A\n2\n", "A"),
        ("0:0, 0", "\n\n2", ""),
    ] {
        let record = game(start, footer);
        assert_eq!(record.black, black);
        assert_eq!(winner(&record), Some(Some(Color::White)));
    }
    for (footer, rule, won) in [
        ("A\nB\n0\n1,Standard", Rule::Standard, Some(Color::Black)),
        ("A\nB\n-1\n2,Renju", Rule::Renju, Some(Color::White)),
        ("A\nB\n0\n\n0,Freestyle15_1", Rule::Freestyle, None),
    ] {
        let record = game("11:11, 0", footer);
        assert_eq!(
            (record.rule, winner(&record)),
            (Some(rule), Some(won)),
            "{footer}"
        );
    }
    let record = game("11:11, 0", "A\nB\n0\n1,Fives");
    assert_eq!(record.unknown_rule.as_deref(), Some("Fives"));
}

#[test]
fn lines_that_may_be_stones_are_refused() {
    let stones = |lines: &str| read(&format!("Piskvorky 15x15, 11:11, 0\n{lines}"));
    for (lines, complaint) in [
        (
            "8,8,0\nA\n9,9,0\n",
            "line 3: 'A' stands before the stone of line 4",
        ),
        (
            "8,8,0\n-1\n9,9,0\n",
            "line 3: '-1' stands before the stone of line 4",
        ),
        (
            "8,8,0\n9;9\n",
            "line 3: expected a stone such as 8,8,100, not '9;9'",
        ),
        ("8,8,0\n9,9,0,0\n", "line 3: expected a stone"),
        ("8,8,0\n9 9\n", "line 3: expected a stone"),
        ("8,8,0\n9,9,x\n", "line 3: expected a stone"),
        ("8,8,0\nl0,9,5\n", "line 3: expected a stone"),
        ("8,8,0\n9,O\nA\nB\n0", "line 3: expected a stone"),
        ("8,8,0\n９,９,0\nA\nB\n0", "line 3: expected a stone"),
        ("8,8,0\n9,7,0\n7,1", "line 4: the file breaks off"),
        ("8,8,0\n10,\n", "line 3: expected a stone"),
        ("8,8,0\n9,9,0\n1", "line 4: the file breaks off"),
        ("8,8\n9,9\n12", "line 4: the file breaks off"),
        ("8,8,0\n9,9,0\n\n1", "line 5: the file breaks off"),
        ("8,8,0\n9,9,0\n1\0\0", "line 4: the file breaks off"),
        ("8,8,0\n9,7,0\n7,1\0\0", "line 4: the file breaks off"),
        ("h8\ni9\n-1\n", "line 2: expected the name of a player"),
        ("h8 i9 g10\n", "line 2: expected the name of a player"),
        ("h8i9\nA\n0\n", "line 2: expected the name of a player"),
        ("8,8,0\ni9\n-1\n", "line 3: expected the name of a player"),
        (
            "h8\ni9\n",
            "line 2: expected the name of a player, not 'h8'",
        ),
        ("8,8,0\nh8\n", "line 3: expected the name of a player"),
        ("8,8,0\n(;GM[4];B[hh])\n0", "line 3: expected the name"),
        ("8,8,0\n\n8,8,0\n", "line 4: h8 is taken"),
        (
            "8,8,0\n16,1,0\n",
            "line 3: there is no point 16,1 on the 15 board",
        ),
        ("0,8,0\n", "line 2: there is no point 0,8"),
    ] {
        let error = stones(lines).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{lines}: {error}");
    }
    for heading in [
        "Piskvorky 15x15, 0:0, 0 8,8",
        "Piskvorky 15x15, 8,8",
        "Piskvorky",
    ] {
        assert!(read(heading).is_err(), "{heading}");
    }
}

/// A name with a face was taken for the beginning of SGF.
#[test]
fn a_name_may_have_any_signs() {
    let game = |footer: &str| read(&format!("Piskvorky 15x15, 11:11, 0\n8,8,0\n{footer}"));
    assert_eq!(game("Ann (;\nB\n0\n").unwrap().black, "Ann (;");
    assert!(game("A\nB\n0\n(;GM[4];B[hh])\n").is_err());
}

/// Names that are stones once came back as stones, and later not at all.
#[test]
fn names_are_written_so_that_they_are_read_as_names() {
    let size = BoardSize::default();
    for name in ["9,9", "1;2", "3 4", "9,9\n", "x,1", "Wu,2d"] {
        let mut record = GameRecord::new(None, size);
        record.moves = vec![RecordedMove::new(Color::Black, size.centre())];
        record.black = name.to_owned();
        record.white = "B".to_owned();
        let again = read(&write(&record).unwrap()).unwrap();
        assert_eq!(moves(&again), "h8", "{name}");
        let expected = format!("Player {}", name.trim());
        assert_eq!((again.black, again.white), (expected, "B".to_owned()));
    }
}

#[test]
fn rec_files_count_from_zero() {
    let fifteen = BoardSize::default();
    let record = read_rec("A\nB\n10,10,7\n9,10,12\n-1\n", fifteen).unwrap();
    assert_eq!(
        (moves(&record).as_str(), record.size.width()),
        ("k10j10", 20)
    );
    assert_eq!((record.black.as_str(), record.white.as_str()), ("A", "B"));
    let swapped_ends = "A\n\rB\n\r10,10,7\n\r9,10,12\n\r-1\n\r";
    assert_eq!(read_rec(swapped_ends, fifteen).unwrap(), record);
    let broken_off = read_rec("A\nB\n10,10,7\n9,10,12\n1", fifteen).unwrap_err();
    assert_eq!(broken_off, PsqError::Cut(5));
    assert!(read_rec("10,10,7\n9,10,12\n-1\n", fifteen).is_err());
    assert!(read_rec("A\nB\n20,1,7\n", fifteen).is_err());
}
