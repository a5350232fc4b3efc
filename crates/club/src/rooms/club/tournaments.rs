//! The tournaments of a club, by themselves: no rooms, connections or messages.

use super::error::VisitError;
use super::limits::share;
use crate::rooms::admin::AdminError;
use crate::rooms::correction::Correction;
use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::person::PersonId;
use crate::rooms::tournament::{ClubTournament, TournamentStage};
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::time::Duration;

/// The most tournaments of one maker that are not over.
const OF_ONE_MAKER: usize = 3;

/// The time after which a tournament that has not begun is deleted.
const UNBEGUN: Duration = Duration::from_secs(7 * 24 * 3600);

/// The tournaments of a club.
#[derive(Default)]
pub(super) struct Tournaments {
    all: BTreeMap<TournamentId, ClubTournament>,
}

/// The next step of a tournament whose time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// It has not begun in time, and is deleted.
    Expiry,
    /// The next round begins.
    Round,
    /// The games that are not over are decided.
    Deadline,
}

impl Tournaments {
    pub(super) fn new(stored: Vec<(TournamentId, ClubTournament)>) -> Tournaments {
        Tournaments {
            all: stored.into_iter().collect(),
        }
    }

    /// Adds a tournament.
    pub(super) fn insert(&mut self, id: TournamentId, tournament: ClubTournament) {
        self.all.insert(id, tournament);
    }

    /// Removes a tournament.
    pub(super) fn remove(&mut self, id: TournamentId) {
        self.all.remove(&id);
    }

    /// All tournaments, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (TournamentId, &ClubTournament)> {
        self.all.iter().map(|(id, it)| (*id, it))
    }

    pub(super) fn get(&self, id: TournamentId) -> Result<&ClubTournament, VisitError> {
        self.all.get(&id).ok_or(VisitError::NoTournament)
    }

    pub(super) fn get_mut(&mut self, id: TournamentId) -> Result<&mut ClubTournament, VisitError> {
        self.all.get_mut(&id).ok_or(VisitError::NoTournament)
    }

    /// The tournament of this number, unless it is over.
    pub(super) fn unfinished(
        &mut self,
        id: TournamentId,
    ) -> Result<&mut ClubTournament, AdminError> {
        let it = self.all.get_mut(&id);
        it.filter(|it| it.stage() != TournamentStage::Over)
            .ok_or(AdminError::Tournament)
    }

    /// The tournaments that something happens to by itself at this time, if no deadline is before
    /// `grace`.
    pub(super) fn due(&self, now: Duration, grace: Duration) -> Vec<(TournamentId, Due)> {
        let due = |it: &ClubTournament| {
            if it.games.is_none() && now.saturating_sub(it.touched) >= UNBEGUN {
                return Some(Due::Expiry);
            }
            let is_late = |deadline: Duration| now >= deadline.max(grace);
            if it.stage() == TournamentStage::Running && it.deadline().is_some_and(is_late) {
                return Some(Due::Deadline);
            }
            let begins = !it.held && it.next_round.is_some_and(|at| now >= at);
            begins.then_some(Due::Round)
        };
        self.iter()
            .filter_map(|(id, it)| Some((id, due(it)?)))
            .collect()
    }

    /// The tournaments that are not over, of correspondence games or of live ones. Each kind has limits
    /// of its own: those of correspondence games last for months.
    fn unfinished_of(
        &self,
        is_correspondence: bool,
    ) -> impl Iterator<Item = (TournamentId, &ClubTournament)> + Clone {
        let all = self.all.iter().map(|(id, it)| (*id, it));
        all.filter(move |(_, it)| {
            it.stage() != TournamentStage::Over && it.is_correspondence() == is_correspondence
        })
    }

    /// The most correspondence games that a person gets by tournaments that have not begun.
    pub(super) fn games_to_come(&self, person: PersonId) -> usize {
        let theirs = self.unfinished_of(true);
        let theirs = theirs.filter(|(_, it)| it.games.is_none() && it.player(person).is_some());
        theirs.map(|(_, it)| it.setup.most_games()).sum()
    }

    /// Refuses a person who has made too many tournaments of this kind.
    pub(super) fn check_maker(
        &self,
        maker: PersonId,
        is_correspondence: bool,
    ) -> Result<(), VisitError> {
        let theirs = self.unfinished_of(is_correspondence);
        let theirs = theirs.filter(|(_, it)| it.maker == maker);
        let stages: Vec<TournamentStage> = theirs.map(|(_, it)| it.stage()).collect();
        if stages.contains(&TournamentStage::Open) {
            Err(VisitError::OpenTournament)
        } else if stages.len() >= OF_ONE_MAKER {
            Err(VisitError::TooManyTournaments)
        } else {
            Ok(())
        }
    }

    /// The number of tournaments in progress.
    pub(super) fn count_running(&self) -> usize {
        let stages = self.all.values().map(ClubTournament::stage);
        stages.filter(|it| *it == TournamentStage::Running).count()
    }

    /// Returns true if a tournament that is not over has been made by a person, or has them as a
    /// player.
    pub(super) fn needs(&self, person: PersonId) -> bool {
        self.all.values().any(|it| {
            let is_on = it.stage() != TournamentStage::Over;
            is_on && (it.maker == person || it.takes_part(person))
        })
    }

    /// The tournaments that show the name of a person.
    pub(super) fn that_name(&self, person: PersonId) -> Vec<TournamentId> {
        let names = |it: &ClubTournament| it.maker == person || it.player(person).is_some();
        let shown = self.iter().filter(|(_, it)| names(it));
        shown.map(|(id, _)| id).collect()
    }

    /// Removes a person from all lists but those of players. Returns the tournaments that have
    /// changed.
    pub(super) fn forget(&mut self, person: PersonId) -> Vec<TournamentId> {
        let changed = |(id, it): (&TournamentId, &mut ClubTournament)| {
            let was_listed = it.forget(person);
            was_listed.then_some(*id)
        };
        self.all.iter_mut().filter_map(changed).collect()
    }

    /// Moves all times on by the length of a sleep.
    pub(super) fn move_on(&mut self, slept: Duration) {
        for it in self.all.values_mut() {
            it.touched += slept;
            it.next_round.iter_mut().for_each(|at| *at += slept);
        }
    }

    /// Ends the games of last rounds whose rooms are not there: they do not count.
    pub(super) fn end_lost_games(&mut self, has_room: impl Fn(RoomId) -> bool) {
        for it in self.all.values_mut() {
            it.end_lost_games(&has_room);
        }
    }

    /// The corrections of the result of the game that was played in a room, oldest first.
    pub(super) fn corrections_of_room(&self, room: RoomId) -> impl Iterator<Item = &Correction> {
        self.all.values().flat_map(move |it| {
            let is_there = move |correction: &&Correction| {
                let rooms = it.rooms.get(correction.round);
                rooms.and_then(|rooms| rooms.get(correction.table)) == Some(&Some(room))
            };
            it.corrections.iter().filter(is_there)
        })
    }

    /// The tournament to evict for another one of its kind from an address, if `most` of them are not
    /// over, or the share of one address of these: one that has not begun, and of whose people none
    /// is online, or that comes from the address with the most of them, or with its whole share.
    ///
    /// # Errors
    /// When there are too many, and none gives way.
    pub(super) fn to_evict(
        &self,
        from: Option<IpAddr>,
        most: usize,
        is_correspondence: bool,
        is_online: impl Fn(PersonId) -> bool,
    ) -> Result<Option<TournamentId>, VisitError> {
        let on = self.unfinished_of(is_correspondence);
        let is_from_there = |it: &ClubTournament| from.is_some() && it.from == from;
        let from_there = on.clone().filter(|(_, it)| is_from_there(it));
        let is_full = on.clone().count() >= most;
        let has_all = from_there.count() >= share(most);
        if !is_full && !has_all {
            return Ok(None);
        }
        let is_left = |it: &ClubTournament| {
            let mut people = it.players.iter().chain([&it.maker]);
            it.stage() == TournamentStage::Open && !people.any(|who| is_online(*who))
        };
        let left = on.filter(|(_, it)| is_left(it) && (is_full || it.from == from));
        let oldest = left.min_by_key(|(_, it)| it.touched).map(|(id, _)| id);
        let evicted = oldest.or_else(|| self.to_displace(from, has_all, is_correspondence));
        evicted.map(Some).ok_or(VisitError::TooManyTournaments)
    }

    /// The open tournament with the fewest players of other people, from the address with the most
    /// tournaments. The new one is from an address with fewer, or from the same address if that has
    /// used up its share, as a class does.
    fn to_displace(
        &self,
        from: Option<IpAddr>,
        has_all: bool,
        is_correspondence: bool,
    ) -> Option<TournamentId> {
        let mut open: HashMap<IpAddr, Vec<(usize, Duration, TournamentId)>> = HashMap::new();
        for (id, it) in self.unfinished_of(is_correspondence) {
            if let Some(from) = it.from.filter(|_| it.stage() == TournamentStage::Open) {
                let open = open.entry(from).or_default();
                let others = it.players.iter().filter(|player| **player != it.maker);
                open.push((others.count(), it.touched, id));
            }
        }
        let own = from.and_then(|from| open.remove(&from)).unwrap_or_default();
        let evicted = if has_all {
            own
        } else {
            let most = open.into_values().max_by_key(Vec::len)?;
            (most.len() > own.len() + 1).then_some(most)?
        };
        evicted.into_iter().min().map(|(.., id)| id)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rooms::clock::ClockRule;
    use crate::rooms::setup::RoomSetup;
    use crate::rooms::tournament::{EntryRule, TournamentSetup};
    use quincunx_engine::game::swap::OpeningRule;
    use quincunx_engine::rules::{BoardSize, Rule};
    use quincunx_pairing::{System, Tournament};
    use std::net::Ipv4Addr;

    const MAKER: PersonId = PersonId([1; 32]);
    const PLAYER: PersonId = PersonId([2; 32]);

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn open(maker: PersonId) -> ClubTournament {
        let setup = TournamentSetup {
            name: "Evening".into(),
            system: System::RoundRobin { double: false },
            setup: RoomSetup {
                rule: Rule::Freestyle,
                size: BoardSize::square(15).unwrap(),
                opening: OpeningRule::Free,
                clock: ClockRule::SuddenDeath { main_ms: 60_000 },
                rated: false,
            },
            no_show_s: 60,
            pause_s: 10,
            named_only: false,
            entry: EntryRule::Open,
            days: None,
        };
        ClubTournament::new(setup, maker, seconds(0))
    }

    fn running(maker: PersonId) -> ClubTournament {
        let mut it = open(maker);
        it.players = vec![maker, PLAYER];
        let system = it.setup.system;
        it.games = Some(Tournament::new(system, 2).unwrap());
        it
    }

    fn from(address: u8, tournament: ClubTournament) -> ClubTournament {
        ClubTournament {
            from: Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, address))),
            ..tournament
        }
    }

    /// Tournaments with the numbers from 0 on.
    fn all(tournaments: Vec<ClubTournament>) -> Tournaments {
        let numbered = tournaments.into_iter().enumerate();
        Tournaments::new(
            numbered
                .map(|(n, it)| (TournamentId(n as u64), it))
                .collect(),
        )
    }

    #[test]
    fn rounds_are_due_unless_they_are_held_and_what_does_not_begin_expires() {
        let mut it = all(vec![open(MAKER), running(MAKER), running(MAKER)]);
        for id in [1, 2] {
            it.get_mut(TournamentId(id)).unwrap().next_round = Some(seconds(10));
        }
        it.get_mut(TournamentId(2)).unwrap().held = true;
        assert_eq!(it.due(seconds(9), Duration::ZERO), []);
        assert_eq!(
            it.due(seconds(10), Duration::ZERO),
            [(TournamentId(1), Due::Round)]
        );
        it.move_on(seconds(5));
        assert_eq!(it.due(seconds(14), Duration::ZERO), []);
        let week = UNBEGUN + seconds(5);
        let due = [
            (TournamentId(0), Due::Expiry),
            (TournamentId(1), Due::Round),
        ];
        assert_eq!(it.due(week, Duration::ZERO), due);
    }

    #[test]
    fn a_maker_has_one_open_tournament_and_three_in_all() {
        let may_make =
            |it: &Tournaments, maker| it.check_maker(maker, false).map_err(|it| it.code());
        let mut it = all(vec![running(MAKER), running(MAKER)]);
        assert_eq!(may_make(&it, MAKER), Ok(()));
        it.insert(TournamentId(2), open(MAKER));
        assert_eq!(may_make(&it, MAKER), Err("open_tournament"));
        assert_eq!(may_make(&it, PLAYER), Ok(()));
        it.insert(TournamentId(2), running(MAKER));
        assert_eq!(may_make(&it, MAKER), Err("too_many_tournaments"));
        let over = it.unfinished(TournamentId(0)).unwrap();
        over.games.iter_mut().for_each(Tournament::end);
        assert_eq!(may_make(&it, MAKER), Ok(()));
        assert!(it.unfinished(TournamentId(0)).is_err());
        assert_eq!(it.count_running(), 2);
    }

    /// Tournaments of months would keep others from playing for an evening.
    #[test]
    fn tournaments_of_correspondence_games_have_limits_of_their_own() {
        let mut long = running(MAKER);
        long.setup.setup.clock = ClockRule::Correspondence { days: 3 };
        let it = all(vec![long; 4]);
        let may_make = |kind| it.check_maker(MAKER, kind).map_err(|it| it.code());
        assert_eq!(
            (may_make(true), may_make(false)),
            (Err("too_many_tournaments"), Ok(()))
        );
        let evicted = |kind| {
            it.to_evict(None, 4, kind, |_| false)
                .map_err(|it| it.code())
        };
        assert_eq!(
            (evicted(true), evicted(false)),
            (Err("too_many_tournaments"), Ok(None))
        );
    }

    #[test]
    fn a_person_is_needed_until_their_tournaments_are_over() {
        let mut it = all(vec![running(MAKER)]);
        assert!(it.needs(MAKER) && it.needs(PLAYER) && !it.needs(PersonId([3; 32])));
        let tournament = it.get_mut(TournamentId(0)).unwrap();
        tournament.organisers.push(PersonId([3; 32]));
        assert_eq!(it.forget(PersonId([3; 32])), [TournamentId(0)]);
        assert_eq!(it.forget(PersonId([3; 32])), []);
        let tournament = it.get_mut(TournamentId(0)).unwrap();
        tournament.games.iter_mut().for_each(Tournament::end);
        assert!(!it.needs(MAKER) && !it.needs(PLAYER));
        assert_eq!(it.that_name(PLAYER), [TournamentId(0)]);
    }

    #[test]
    fn the_address_with_the_most_tournaments_gives_way() {
        let evicted = |it: &Tournaments, address, is_online| {
            let from = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, address)));
            it.to_evict(from, 4, false, |_| is_online)
                .map_err(|it| it.code())
        };
        let mut it = all(vec![from(1, open(MAKER)), from(1, open(PLAYER))]);
        assert_eq!(evicted(&it, 2, true), Ok(None));
        it.insert(TournamentId(2), from(1, open(MAKER)));
        // One address has three of four: the older one of those without players gives way.
        it.get_mut(TournamentId(0)).unwrap().players = vec![PLAYER];
        assert_eq!(evicted(&it, 1, true), Ok(Some(TournamentId(1))));
        assert_eq!(evicted(&it, 2, true), Ok(None));
        it.insert(TournamentId(3), from(2, running(MAKER)));
        assert_eq!(evicted(&it, 3, true), Ok(Some(TournamentId(1))));
        // Those that all have left come first, the oldest of them.
        it.get_mut(TournamentId(0)).unwrap().touched = seconds(1);
        it.get_mut(TournamentId(1)).unwrap().touched = seconds(2);
        assert_eq!(evicted(&it, 3, false), Ok(Some(TournamentId(2))));
        for id in 0..3 {
            it.insert(TournamentId(id), from(1, running(MAKER)));
        }
        assert_eq!(evicted(&it, 3, false), Err("too_many_tournaments"));
    }
}
