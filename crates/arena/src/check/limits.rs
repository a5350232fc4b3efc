//! Time and memory: what engines lose games by.

use super::case::{Basic, Case, CaseResult, EngineUnderTest};
use super::commands::{ready, warm};
use super::conversation::Conversation;
use super::status::{failed, late};
use std::time::Duration;

/// The time beyond its limit that a turn may take in a tournament.
const TOLERANCE: Duration = Duration::from_millis(100);
/// A move may be late this often but once.
const ATTEMPTS: usize = 3;
/// A middle game with much to think about: no side wins soon.
const BUSY: &str = "BOARD\n7,7,2\n8,8,1\n6,9,2\n9,5,1\n0,2,2\nDONE";

pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [50, 300, 1000]
        .into_iter()
        .map(|ms| {
            Case::new(
                format!("a turn of {ms} ms is kept"),
                move |subject, talk| {
                    warm(subject, talk)?;
                    talk.send(&format!("INFO timeout_turn {ms}\nINFO time_left 100000"));
                    within(talk, Duration::from_millis(ms))
                },
            )
            .needs(Basic::Clears)
        })
        .collect();
    cases.push(
        Case::new("timeout_turn 0: as fast as possible", |subject, talk| {
            warm(subject, talk)?;
            talk.send("INFO timeout_turn 0");
            within(talk, Duration::from_millis(100))
        })
        .needs(Basic::Clears),
    );
    cases.push(
        Case::new("the rest of the match is kept", |subject, talk| {
            warm(subject, talk)?;
            talk.send("INFO timeout_turn 5000\nINFO timeout_match 100000\nINFO time_left 400");
            within(talk, Duration::from_millis(400))
        })
        .needs(Basic::Clears),
    );
    for mib in [350, 64] {
        cases.push(Case::new(
            format!("{mib} MiB of memory are kept"),
            move |subject, talk| memory(subject, talk, mib),
        ));
    }
    cases
}

/// Expects a move within this time. Only a move that is late twice is a fault, since the machine
/// may be busy.
fn within(talk: &mut Conversation, limit: Duration) -> CaseResult {
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        talk.send(BUSY);
        let (_, used) = talk.expect_move(limit * 2 + Duration::from_secs(2))?;
        least = least.min(used);
        if least <= limit + TOLERANCE {
            return Ok(());
        }
    }
    let (least, limit) = (least.as_millis(), limit.as_millis());
    Err(late(format!("{least} ms instead of {limit}")))
}

fn memory(subject: &EngineUnderTest, talk: &mut Conversation, mib: u64) -> CaseResult {
    talk.send(&format!("INFO max_memory {}", mib << 20));
    ready(subject, talk)?;
    talk.send(&format!("INFO max_memory {}", mib << 20));
    talk.send("INFO timeout_turn 800\nINFO time_left 100000");
    talk.send(BUSY);
    talk.expect_move(subject.patience)?;
    let used = talk.memory() >> 20;
    if used > mib {
        return Err(failed(format!("{used} MiB in use")));
    }
    Ok(())
}
