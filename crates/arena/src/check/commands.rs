//! Commands and replies that every manager relies on, whatever the rule.

use super::case::{Basic, Case, CaseResult, EngineUnderTest};
use super::conversation::Conversation;
use super::status::CheckStatus;
use super::status::{failed, late, unsupported};
use quincunx_engine::gomocup::{Coordinates, Reply};
use std::time::Duration;

pub(super) const SECOND: Duration = Duration::from_secs(1);
const SHORT: Duration = Duration::from_millis(150);

/// Requests that follow one another without a pause; too few for a five.
const REQUESTS: usize = 4;

/// Games of such requests: on a busy machine there is a pause before most of them.
const GAMES: usize = 4;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = basics();
    cases.extend(openers());
    cases.extend(positions());
    cases.extend(endings());
    cases.extend(extensions());
    cases
}

/// A game is on, with short turns.
pub(super) fn ready(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
    talk.send(&format!("START {}", subject.size.width()));
    talk.expect_ok(subject.patience)?;
    talk.send("INFO timeout_turn 200\nINFO timeout_match 0\nINFO game_type 1\nINFO rule 0");
    Ok(())
}

/// The cases that all others need.
fn basics() -> Vec<Case> {
    vec![
        Case::new("the program runs", |_, talk| talk.expect_life(SHORT * 2)).shows(Basic::Runs),
        Case::new("no greeting before the first command", |subject, talk| {
            talk.expect_silence(SHORT * 2)?;
            // One that takes longer comes before the first answer.
            talk.send(&format!("START {}", subject.size.width()));
            match talk.answer(subject.patience) {
                Ok(Some((reply @ (Reply::Other(_) | Reply::Move(_)), _))) => {
                    Err(failed(format!("expected OK, came '{reply}'")))
                }
                // Another case looks at the answer.
                _ => Ok(()),
            }
        })
        .shows(Basic::Silent),
        Case::new("START is answered with OK", ready).shows(Basic::Starts),
        Case::new("BEGIN is answered with a move", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            free(subject, talk, &[])
        })
        .shows(Basic::Moves),
        Case::new("START clears the board", |subject, talk| {
            ready(subject, talk)?;
            talk.send("TURN 7,7");
            talk.expect_move(subject.patience)?;
            ready(subject, talk)?;
            talk.send("TURN 7,7");
            free(subject, talk, &[(7, 7)])
        })
        .shows(Basic::Clears),
    ]
}

fn openers() -> Vec<Case> {
    vec![
        Case::new("ABOUT before START", |subject, talk| {
            talk.send("ABOUT");
            match talk.answer(subject.patience)? {
                Some((Reply::About(_), _)) => Ok(()),
                Some((other, _)) => Err(failed(format!("no key=\"value\" in '{other}'"))),
                None => Err(late("no answer")),
            }
        })
        .needs(Basic::Silent),
        Case::new("moves without SUGGEST", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            if talk.has_suggested() {
                return Err(failed("only piskvork answers it with PLAY"));
            }
            Ok(())
        }),
        Case::new("START, lines that end in CR LF", |subject, talk| {
            talk.send_raw(&format!("START {}\r\n", subject.size.width()));
            talk.expect_ok(subject.patience)?;
            talk.send_raw("INFO timeout_turn 200\r\nBEGIN\r\n");
            talk.expect_move(subject.patience).map(drop)
        }),
        Case::new("commands in several writes", |subject, talk| {
            let size = subject.size.width();
            for piece in ["STA", &format!("RT {size}"), "\r", "\n"] {
                talk.send_raw(piece);
                std::thread::sleep(Duration::from_millis(30));
            }
            talk.expect_ok(subject.patience)?;
            for piece in ["INFO timeout_turn 200", "\r\nTURN 7,", "7\n"] {
                talk.send_raw(piece);
                std::thread::sleep(Duration::from_millis(30));
            }
            talk.expect_move(subject.patience).map(drop)
        }),
        Case::new("several commands in one write", |subject, talk| {
            let size = subject.size.width();
            talk.send_raw(&format!(
                "START {size}\nINFO timeout_turn 200\nINFO rule 0\nBEGIN\n"
            ));
            talk.expect_ok(subject.patience)?;
            talk.expect_move(subject.patience).map(drop)
        }),
        Case::new(
            "INFO before START, in any case, unknown keys",
            |subject, talk| {
                talk.send("INFO timeout_turn 200\nINFO max_memory 83886080\ninfo RULE 0");
                talk.send("INFO no_such_key 1\nINFO folder /tmp");
                talk.expect_silence(SHORT)?;
                ready(subject, talk)?;
                talk.send("INFO time_left 100000\nINFO evaluate 7,7\nBEGIN");
                talk.expect_move(subject.patience).map(drop)
            },
        ),
        Case::new("unknown commands", |subject, talk| {
            ready(subject, talk)?;
            talk.send("NOSUCHCOMMAND 1,2");
            let reply = talk.answer(SECOND)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            match reply {
                Some((Reply::Unknown(_), _)) => Ok(()),
                Some((other, _)) => Err(failed(format!("expected UNKNOWN, came '{other}'"))),
                None => Err(unsupported("no UNKNOWN, but the game goes on")),
            }
        }),
        Case::new("START again with another size", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            let other = if subject.size.width() == 15 { 20 } else { 15 };
            talk.send(&format!("START {other}"));
            match talk.answer(subject.patience)? {
                Some((Reply::Ok, _)) => {}
                Some((Reply::Error(why), _)) => return Err(unsupported(why)),
                _ => return Err(failed("neither OK nor ERROR")),
            }
            talk.send("BEGIN");
            talk.expect_move(subject.patience).map(drop)
        })
        .needs(Basic::Clears),
        Case::new("START with an impossible size", |subject, talk| {
            talk.send("START 1000");
            let reply = talk.answer(subject.patience)?;
            ready(subject, talk)?;
            match reply {
                Some((Reply::Error(_), _)) => Ok(()),
                Some((other, _)) => Err(failed(format!("expected ERROR, came '{other}'"))),
                None => Err(late("expected ERROR, nothing came")),
            }
        })
        .needs(Basic::Starts),
    ]
}

fn positions() -> Vec<Case> {
    vec![
        Case::new("one move a request, nothing after it", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            talk.expect_silence(SHORT * 3)
        }),
        Case::new("commands right after a move", without_pause).needs(Basic::Clears),
        Case::new("nothing on standard error", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            // It comes another way than the move.
            talk.expect_silence(SHORT)?;
            match talk.stderr() {
                text if text.is_empty() => Ok(()),
                _ => Err(failed("piskvork reads it as moves")),
            }
        }),
        Case::new("TURN right after START", |subject, talk| {
            ready(subject, talk)?;
            talk.send("TURN 7,7");
            free(subject, talk, &[(7, 7)])
        }),
        Case::new("BOARD with stones in any order", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BOARD\n7,7,2\n8,8,1\n6,6,2\n9,8,1\n7,9,2\nDONE");
            free(subject, talk, &[(7, 7), (8, 8), (6, 6), (9, 8), (7, 9)])?;
            talk.send("BOARD\n8,8,1\n9,8,1\n7,7,2\n6,6,2\nDONE");
            free(subject, talk, &[(7, 7), (8, 8), (6, 6), (9, 8)])
        }),
        Case::new("BOARD without stones", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BOARD\nDONE");
            free(subject, talk, &[])
        }),
        Case::new(
            "BOARD in the middle of a game, then TURN",
            |subject, talk| {
                ready(subject, talk)?;
                talk.send("BEGIN");
                talk.expect_move(subject.patience)?;
                talk.send("BOARD\n3,3,2\n4,4,1\n10,10,2\nDONE");
                let (at, _) = talk.expect_move(subject.patience)?;
                let spot = (0..)
                    .map(|x| Coordinates { x, y: 0 })
                    .find(|&spot| spot != at);
                let spot = spot.unwrap_or(at);
                talk.send(&format!("TURN {spot}"));
                free(
                    subject,
                    talk,
                    &[(3, 3), (4, 4), (10, 10), (at.x, at.y), (spot.x, spot.y)],
                )
            },
        ),
        Case::new("TURN to a taken point", |subject, talk| {
            ready(subject, talk)?;
            talk.send("TURN 7,7");
            let (at, _) = talk.expect_move(subject.patience)?;
            talk.send(&format!("TURN {at}"));
            match talk.answer(SECOND * 2)? {
                Some((Reply::Error(_) | Reply::Unknown(_), _)) | None => {}
                Some((other, _)) => return Err(failed(format!("expected ERROR, came '{other}'"))),
            }
            ready(subject, talk)
        }),
        Case::new("RESTART", |subject, talk| {
            ready(subject, talk)?;
            talk.send("BEGIN");
            talk.expect_move(subject.patience)?;
            talk.send("RESTART");
            optional_ok(subject, talk)?;
            talk.send("BEGIN");
            free(subject, talk, &[])
        }),
        Case::new("TAKEBACK", |subject, talk| {
            ready(subject, talk)?;
            talk.send("TURN 7,7");
            let (at, _) = talk.expect_move(subject.patience)?;
            talk.send(&format!("TAKEBACK {at}"));
            optional_ok(subject, talk)?;
            talk.send("TAKEBACK 7,7");
            talk.expect_ok(SECOND)?;
            talk.send("TURN 6,6");
            free(subject, talk, &[(6, 6)])
        }),
    ]
}

fn endings() -> Vec<Case> {
    vec![
        Case::new("END while idle", |subject, talk| {
            ready(subject, talk)?;
            talk.send("END");
            talk.expect_exit(SECOND)
        })
        .needs(Basic::Starts),
        Case::new("END before START", |subject, talk| {
            talk.send("END");
            // It may have to get ready before it listens.
            talk.expect_exit(subject.patience + SECOND)
        })
        .needs(Basic::Silent),
        Case::new("END while thinking", |subject, talk| {
            think(subject, talk)?;
            talk.send("END");
            talk.expect_exit(SECOND)
        })
        .needs(Basic::Clears),
        Case::new("end of file while idle", |subject, talk| {
            ready(subject, talk)?;
            talk.close_input();
            talk.expect_exit(SECOND)
        })
        .needs(Basic::Starts),
        Case::new("end of file while thinking", |subject, talk| {
            think(subject, talk)?;
            talk.close_input();
            talk.expect_exit(SECOND)
        })
        .needs(Basic::Clears),
    ]
}

fn extensions() -> Vec<Case> {
    vec![
        Case::new("INFO while thinking", |subject, talk| {
            think(subject, talk)?;
            talk.send("INFO time_left 100000\nINFO timeout_turn 0");
            match talk.answer(SECOND)? {
                Some((Reply::Move(_), _)) => Ok(()),
                Some((other, _)) => Err(failed(format!("expected a move, came '{other}'"))),
                None => Err(unsupported("timeout_turn 0 does not end the search")),
            }
        })
        .needs(Basic::Clears),
        Case::new("YXSTOP while thinking", |subject, talk| {
            think(subject, talk)?;
            talk.send("YXSTOP");
            match talk.answer(SECOND)? {
                Some((Reply::Move(_), _)) => Ok(()),
                Some((other, _)) => Err(unsupported(other.to_string())),
                None => Err(unsupported("no move")),
            }
        })
        .needs(Basic::Clears),
        Case::new("RECTSTART 20,15", |subject, talk| {
            talk.send("RECTSTART 20,15");
            optional_ok(subject, talk)?;
            talk.send("INFO timeout_turn 200\nTURN 19,14");
            let (at, _) = talk.expect_move(subject.patience)?;
            let inside = (0..20).contains(&at.x) && (0..15).contains(&at.y);
            let fits = inside && (at.x, at.y) != (19, 14);
            fits.then_some(())
                .ok_or_else(|| failed(format!("'{at}' is no free point")))
        }),
        Case::new("SWAP2BOARD without stones", |subject, talk| {
            swap2(subject, talk, &[], &[3])
        })
        .needs(Basic::Starts),
        Case::new("SWAP2BOARD with three stones", |subject, talk| {
            swap2(subject, talk, &["7,7", "8,8", "6,9"], &[0, 1, 2])
        })
        .needs(Basic::Starts),
        Case::new("SWAP2BOARD with five stones", |subject, talk| {
            swap2(subject, talk, &["7,7", "8,8", "6,9", "5,5", "9,3"], &[0, 1])
        })
        .needs(Basic::Starts),
    ]
}

/// Requests each right after the answer to the one before.
fn without_pause(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
    for _ in 0..GAMES {
        ready(subject, talk)?;
        let mut taken = Vec::new();
        for _ in 0..REQUESTS {
            let mut free = (0..subject.size.width() as i32).map(|x| Coordinates { x, y: 0 });
            let Some(next) = free.find(|at| !taken.contains(at)) else {
                break;
            };
            talk.send_at_once(&format!("TURN {next}\n"));
            let (at, _) = talk.expect_move(subject.patience)?;
            taken.extend([next, at]);
        }
    }
    Ok(())
}

/// Waits for a first move, during which engines may load files.
pub(super) fn warm(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
    ready(subject, talk)?;
    talk.send("TURN 7,7");
    talk.expect_move(subject.patience)?;
    ready(subject, talk)
}

/// A search is running that would take long.
fn think(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
    // An engine that loads what it needs is not thinking.
    warm(subject, talk)?;
    talk.send("INFO timeout_turn 30000\nINFO time_left 1000000");
    talk.send("BOARD\n7,7,2\n8,8,1\n6,9,2\nDONE");
    match talk.answer(SECOND)? {
        None => Ok(()),
        Some((other, _)) => Err(unsupported(format!("'{other}' came at once"))),
    }
}

/// A move to a free point of the board.
fn free(subject: &EngineUnderTest, talk: &mut Conversation, taken: &[(i32, i32)]) -> CaseResult {
    let (at, _) = talk.expect_move(subject.patience)?;
    if at.point(subject.size).is_none() {
        return Err(failed(format!("'{at}' is off the board")));
    }
    if taken.contains(&(at.x, at.y)) {
        return Err(failed(format!("'{at}' is taken")));
    }
    Ok(())
}

/// OK from an engine that knows the command.
fn optional_ok(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
    match talk.answer(subject.patience)? {
        Some((Reply::Ok, _)) => Ok(()),
        Some((Reply::Unknown(why) | Reply::Error(why), _)) => Err(unsupported(why)),
        Some((other, _)) => Err(failed(format!("expected OK, came '{other}'"))),
        None => Err(late("no answer")),
    }
}

/// The swap2 opening: SWAP (counted as no stone) or as many stones as allowed.
fn swap2(
    subject: &EngineUnderTest,
    talk: &mut Conversation,
    stones: &[&str],
    allowed: &[usize],
) -> CaseResult {
    ready(subject, talk)?;
    talk.send(&format!("SWAP2BOARD\n{}\nDONE", stones.join("\n")).replace("\n\n", "\n"));
    let text = match talk.answer(subject.patience)? {
        Some((Reply::Unknown(why) | Reply::Error(why), _)) => return Err(unsupported(why)),
        None => return Err(unsupported("no answer")),
        Some((reply, _)) => reply.to_string(),
    };
    let points = points(subject, stones, &text)?;
    if allowed.contains(&points) {
        Ok(())
    } else {
        Err(failed(format!("'{text}' is none of the choices")))
    }
}

fn points(subject: &EngineUnderTest, stones: &[&str], text: &str) -> Result<usize, CheckStatus> {
    if text.eq_ignore_ascii_case("SWAP") {
        return Ok(0);
    }
    let mut seen: Vec<Coordinates> = stones.iter().filter_map(|s| s.parse().ok()).collect();
    for word in text.split_whitespace() {
        let at: Option<Coordinates> = word.parse().ok();
        match at.filter(|at| at.point(subject.size).is_some() && !seen.contains(at)) {
            Some(at) => seen.push(at),
            None => return Err(failed(format!("'{word}' is no free point"))),
        }
    }
    Ok(seen.len() - stones.len())
}
