//! Round-trip estimates of visitors, from the server's own probes.

use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// The answers that an estimate is made from.
const ANSWERS: usize = 8;

/// The round trips of a connection. A visitor answers probes of the server, each once, and
/// can't answer before they have it: nothing that they send makes the estimate larger than
/// the shortest way there and back that was seen.
#[derive(Default)]
pub(super) struct RoundTripEstimator {
    /// The number of the probe that is under way, and when it was sent.
    asked: Option<(u64, Instant)>,
    /// The number of probes sent.
    probes: u64,
    /// The last round trips.
    trips: VecDeque<Duration>,
}

impl RoundTripEstimator {
    /// Creates a probe that is sent now. The one before it is dropped if it is still unanswered.
    pub(super) fn probe(&mut self, now: Instant) -> [u8; 8] {
        self.probes += 1;
        self.asked = Some((self.probes, now));
        self.probes.to_le_bytes()
    }

    /// Takes the answer to a probe. Answers to other probes are ignored.
    pub(super) fn receive(&mut self, now: Instant, answer: &[u8]) {
        let Some((probe, sent)) = self.asked else {
            return;
        };
        if answer == probe.to_le_bytes() {
            self.asked = None;
            self.trips.push_back(now.duration_since(sent));
            if self.trips.len() > ANSWERS {
                self.trips.pop_front();
            }
        }
    }

    /// The estimate: the shortest of the last round trips, and zero while none is known.
    pub(super) fn estimate(&self) -> Duration {
        self.trips.iter().min().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// An unsolicited pong was once taken for a slow line, and bought up to 300
    /// milliseconds for every move.
    #[test]
    fn only_answers_to_probes_count() {
        let start = Instant::now();
        let mut lag = RoundTripEstimator::default();
        lag.receive(start + ms(4000), &[]);
        lag.receive(start + ms(4000), &1u64.to_le_bytes());
        assert_eq!(lag.estimate(), ms(0));
        let probe = lag.probe(start);
        lag.receive(start + ms(20), &probe);
        // The same answer again, a wrong one, and one to a probe that is gone.
        lag.receive(start + ms(5000), &probe);
        let next = lag.probe(start + ms(5000));
        lag.receive(start + ms(5300), &probe);
        lag.receive(start + ms(5300), b"whatever");
        assert_eq!(lag.estimate(), ms(20));
        lag.receive(start + ms(5300), &next);
        assert_eq!(lag.estimate(), ms(20), "the shortest counts");
    }

    #[test]
    fn a_line_that_gets_slower_is_believed_in_time() {
        let start = Instant::now();
        let mut lag = RoundTripEstimator::default();
        for _ in 0..ANSWERS {
            let probe = lag.probe(start);
            lag.receive(start + ms(20), &probe);
        }
        for _ in 0..ANSWERS {
            let probe = lag.probe(start);
            lag.receive(start + ms(80), &probe);
        }
        assert_eq!(lag.estimate(), ms(80));
    }
}
