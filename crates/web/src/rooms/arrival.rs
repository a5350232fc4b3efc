//! Admission of visitors: the limits of connections, and the places that are reserved for people who
//! are known or who play.

use super::delivery::{QUEUE_LENGTH, QueuedMessage, READ_ONLY, deliver, refused_message};
use super::host::{ClubHost, ClubSettings, with_reserves};
use crate::network::network;
use crate::refusal::{Refusal, log_refusal};
use quincunx_club::rooms::{Admission, Refill, VisitorId};
use std::net::IpAddr;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;

/// The period of the limit of visits.
const MINUTE: Duration = Duration::from_secs(60);

/// The refusal of a visitor because all places are taken.
const TOO_MANY_VISITORS: Refusal = Refusal {
    code: "too_many_visitors",
    text: "too many visitors are here, or come from your address: try again in a minute",
    retry: MINUTE,
};

impl ClubHost {
    /// Lets a visitor in, if there is room and not too many came from there of late.
    ///
    /// # Errors
    /// When there is no room, not even what is kept for people with a game in progress, or nothing
    /// can be kept: then what a visitor says is not followed, nor would a hello be.
    pub(super) fn arrive(
        &self,
        address: IpAddr,
    ) -> Result<(VisitorId, mpsc::Receiver<QueuedMessage>), Refusal> {
        if self.is_read_only() {
            return Err(READ_ONLY);
        }
        let id = VisitorId(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = mpsc::channel(QUEUE_LENGTH);
        let network = network(address);
        let visits = self.visits.lock();
        let mut visits = visits.unwrap_or_else(PoisonError::into_inner);
        let refill = Refill::new(self.settings.visits_a_minute, MINUTE);
        let visit = visits.take(self.clock.now(), network, refill);
        drop(visits);
        let ClubSettings {
            visitors,
            visitors_of_one,
            ..
        } = self.settings;
        if self.visitors() >= with_reserves(visitors) {
            self.evict(None);
        }
        let guard = self.connection_limit.admit(address).or_else(|| {
            self.evict(Some(network));
            self.connection_limit.admit(address)
        });
        let mut connections = self
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let all = connections.len();
        let Some(guard) = guard.filter(|_| all < with_reserves(visitors)) else {
            log_refusal(format_args!("event=too_many_visitors address={address}"));
            return Err(TOO_MANY_VISITORS);
        };
        let from_there = guard.number();
        connections.insert(id, (guard, sender));
        drop(connections);
        let exceeds = |reserve: fn(usize) -> usize| {
            all >= reserve(visitors) || from_there > reserve(visitors_of_one)
        };
        let admission = match visit {
            _ if exceeds(|most| most.saturating_add(most.div_ceil(4))) => {
                Admission::Players(MINUTE)
            }
            Err(wait) => Admission::Known(wait),
            Ok(()) if exceeds(|most| most) => Admission::Known(MINUTE),
            Ok(()) => Admission::All,
        };
        if admission != Admission::All {
            log_refusal(format_args!(
                "event=places_kept address={address} for={admission:?}"
            ));
        }
        self.with(|club, _| club.arrive(id, network, admission));
        Ok((id, receiver))
    }

    /// Evicts a connection, of all or from one address, in favour of a new one.
    fn evict(&self, from: Option<IpAddr>) {
        let evicted = self.with(|club, now| {
            let evicted = club.connection_to_evict(from)?;
            club.leave(now, evicted);
            Some(evicted)
        });
        if let Some(id) = evicted {
            let message = refused_message(vec![id], TOO_MANY_VISITORS);
            deliver(&self.connections, self.now(), &message);
        }
    }

    fn visitors(&self) -> usize {
        let connections = self
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        connections.len()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::host::tests::{Silent, game, game_of, host};
    use super::*;

    /// A player who had lost the connection was once refused where others had taken all places.
    #[test]
    fn players_come_back_where_others_have_taken_all_places() {
        let host = host();
        let (_anna, bela) = game(&host);
        host.leave(bela.id);
        // Those who say nothing take all places, and give way to those who come.
        let silent: Vec<_> = (3..40u8)
            .map(|last| host.arrive([192, 0, 2, last].into()).ok().unwrap())
            .collect();
        assert_eq!(host.visitors(), with_reserves(host.settings.visitors));
        let is_welcome = |key: u8| {
            let mut visitor = Silent::new(&host, key);
            let answer = visitor.messages.blocking_recv().unwrap();
            let is_welcome = answer.text.starts_with(r#"{"type":"welcome""#);
            host.leave(visitor.id);
            is_welcome
        };
        assert_eq!([is_welcome(2), is_welcome(9)], [true, false]);
        drop(silent);
    }

    /// Two guests with a game once held all connections of an address, and its other players were
    /// shut out.
    #[test]
    fn players_come_back_where_two_others_hold_all_connections() {
        let host = host();
        let (_anna, bela) = game(&host);
        let players = game_of(&host, [3, 4]);
        host.leave(bela.id);
        let pages: Vec<_> = (0..40).map(|it| Silent::new(&host, 3 + it % 2)).collect();
        // Connections end once their last message is written.
        let most = 2 * 4 + 1;
        for _ in 0..100 {
            if host.visitors() > most {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        assert!((3..=most).contains(&host.visitors()), "{}", host.visitors());
        let mut bela = Silent::new(&host, 2);
        let answer = bela.messages.blocking_recv().unwrap();
        assert!(
            answer.text.starts_with(r#"{"type":"welcome""#),
            "{}",
            answer.text
        );
        drop((pages, players));
    }
}
