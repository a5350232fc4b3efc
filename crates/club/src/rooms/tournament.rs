//! A tournament of a club: its players as people, its rooms, and when rounds begin.

use super::correction::Correction;
use super::name::clean;
use super::number::{RoomId, TournamentId};
use super::person::PersonId;
use super::setup::RoomSetup;
use quincunx_pairing::{
    Pairing, PairingResult, System, Tournament, TournamentError, Wishes, check,
};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;

/// The length of a tournament's name.
const NAME_LENGTH: std::ops::RangeInclusive<usize> = 2..=40;

/// The bounds of the time by which players may be late, in seconds.
const NO_SHOW: std::ops::RangeInclusive<u64> = 1..=7200;

/// The bounds of the days of a tournament of correspondence games.
const DAYS: std::ops::RangeInclusive<u64> = 7..=365;

const DAY: u64 = 86_400;

/// The longest pause between rounds in seconds.
const MOST_PAUSE: u64 = 3600;

/// A tournament to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TournamentSetup {
    /// Its name.
    pub name: String,
    /// The pairing system.
    pub system: System,
    /// The setup of its games.
    pub setup: RoomSetup,
    /// The seconds after the start of a round at which a player who has not come loses.
    pub no_show_s: u64,
    /// The seconds from the end of a round to the next.
    pub pause_s: u64,
    /// True if only people with a name take part by themselves.
    #[serde(default = "named_only")]
    pub named_only: bool,
    /// The entry rule.
    #[serde(default)]
    pub entry: EntryRule,
    /// The days from the start to the deadline of a tournament of correspondence games, whose games
    /// are all played at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u64>,
}

/// The rule by which players enter a tournament by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntryRule {
    /// From the lobby, or by the link.
    #[default]
    Open,
    /// By the link alone: the tournament is not listed in the lobby.
    Link,
    /// The organiser admits each of them.
    Approval,
}

/// Guests cost nothing to make, so an organiser has to want them.
const fn named_only() -> bool {
    true
}

/// Why a tournament can't be played as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TournamentSetupError {
    /// The name is too short or too long, or has other characters than letters.
    #[error("the name of a tournament has 2 to 40 letters and digits")]
    Name,
    /// A time is too long or too short.
    #[error("players may be late by 1 to 7200 seconds, and a pause has 3600 at most")]
    Times,
    /// Correspondence games need a deadline, and are played all at once; other games are not.
    #[error(
        "a tournament of correspondence games is a round robin with all games at once and 7 to 365 \
         days until its deadline"
    )]
    Correspondence,
    /// The system has no rounds, or too many.
    #[error(transparent)]
    System(#[from] TournamentError),
}

impl TournamentSetup {
    /// The same with a clean name, if tournaments can be played by it.
    ///
    /// # Errors
    /// When the name, the system or a time makes no sense.
    pub fn check(self) -> Result<TournamentSetup, TournamentSetupError> {
        check(self.system)?;
        let name = clean(&self.name, NAME_LENGTH).map_err(|_| TournamentSetupError::Name)?;
        if !NO_SHOW.contains(&self.no_show_s) || self.pause_s > MOST_PAUSE {
            return Err(TournamentSetupError::Times);
        }
        let is_correspondence = self.setup.is_correspondence();
        let days = self.days.filter(|days| DAYS.contains(days));
        if is_correspondence != matches!(self.system, System::AllAtOnce { .. })
            || is_correspondence != days.is_some()
            || days != self.days
        {
            return Err(TournamentSetupError::Correspondence);
        }
        Ok(TournamentSetup {
            name,
            named_only: self.named_only || is_correspondence,
            ..self
        })
    }

    /// The number of games of a player, if as many take part as can.
    pub(super) const fn most_games(&self) -> usize {
        let opponents = self.system.most_players() - 1;
        match self.system {
            System::RoundRobin { double: true } | System::AllAtOnce { double: true } => {
                2 * opponents
            }
            _ => opponents,
        }
    }

    /// The time after the start of a round at which a player who has not come loses.
    pub(super) const fn no_show(&self) -> Duration {
        Duration::from_secs(self.no_show_s)
    }

    /// The time from the end of a round to the next.
    pub(super) const fn pause(&self) -> Duration {
        Duration::from_secs(self.pause_s)
    }
}

/// The stage of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentStage {
    /// Players join.
    Open,
    /// Rounds are played.
    Running,
    /// It has ended.
    Over,
}

/// A tournament of a club.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClubTournament {
    pub(super) setup: TournamentSetup,
    pub(super) maker: PersonId,
    /// The address that it was made from, unless that was before a restart.
    #[serde(skip)]
    pub(super) from: Option<IpAddr>,
    /// The players: as they joined, and from the start on in the order of their strength.
    pub(super) players: Vec<PersonId>,
    /// Those whom the maker has taken out. They do not come in again by themselves.
    #[serde(default)]
    pub(super) removed: Vec<PersonId>,
    /// The rounds, once it has begun.
    pub(super) games: Option<Tournament>,
    /// The rooms of the pairings of each round; pairings without a game have none.
    pub(super) rooms: Vec<Vec<Option<RoomId>>>,
    /// The numbers of the games that are over.
    pub(super) numbers: Vec<u64>,
    /// The time at which the next round begins.
    pub(super) next_round: Option<Duration>,
    /// True if the next round waits for the maker.
    #[serde(default)]
    pub(super) held: bool,
    /// True if only the maker takes players in.
    #[serde(default)]
    pub(super) entry_closed: bool,
    /// Those who organise it with the maker.
    #[serde(default)]
    pub(super) organisers: Vec<PersonId>,
    /// Players who have the next round off for half a point.
    #[serde(default)]
    pub(super) half_byes: Vec<PersonId>,
    /// Players who meet in the next round.
    #[serde(default)]
    pub(super) fixed: Vec<[PersonId; 2]>,
    /// Players who do not meet.
    #[serde(default)]
    pub(super) forbidden: Vec<[PersonId; 2]>,
    /// The time at which the last round began.
    #[serde(default)]
    pub(super) round_began: Option<Duration>,
    /// The people who asked to join and wait for approval.
    #[serde(default)]
    pub(super) asking: Vec<PersonId>,
    /// The corrections of results, oldest first.
    #[serde(default)]
    pub(super) corrections: Vec<Correction>,
    /// The last activity.
    pub(super) touched: Duration,
}

impl ClubTournament {
    pub(super) fn new(setup: TournamentSetup, maker: PersonId, now: Duration) -> ClubTournament {
        ClubTournament {
            setup,
            maker,
            from: None,
            players: Vec::new(),
            removed: Vec::new(),
            games: None,
            rooms: Vec::new(),
            numbers: Vec::new(),
            next_round: None,
            held: false,
            entry_closed: false,
            organisers: Vec::new(),
            half_byes: Vec::new(),
            fixed: Vec::new(),
            forbidden: Vec::new(),
            round_began: None,
            asking: Vec::new(),
            corrections: Vec::new(),
            touched: now,
        }
    }

    pub(super) fn stage(&self) -> TournamentStage {
        match &self.games {
            None => TournamentStage::Open,
            Some(games) if games.is_over() => TournamentStage::Over,
            Some(_) => TournamentStage::Running,
        }
    }

    /// Returns true if its games are correspondence games.
    pub(super) const fn is_correspondence(&self) -> bool {
        self.setup.setup.is_correspondence()
    }

    /// The deadline of a tournament of correspondence games in progress.
    pub(super) fn deadline(&self) -> Option<Duration> {
        let began = self.round_began?;
        Some(began + Duration::from_secs(DAY * self.setup.days?))
    }

    /// Returns true if a person organises it.
    pub(super) fn is_organised_by(&self, person: PersonId) -> bool {
        self.maker == person || self.organisers.contains(&person)
    }

    /// The requests of the organisers for the next round, by the numbers of the players.
    pub(super) fn wishes(&self) -> Wishes {
        let pairs = |pairs: &[[PersonId; 2]]| {
            let numbers = pairs
                .iter()
                .map(|[one, other]| Some((self.player(*one)?, self.player(*other)?)));
            numbers.flatten().collect()
        };
        Wishes {
            half_byes: self
                .half_byes
                .iter()
                .filter_map(|who| self.player(*who))
                .collect(),
            fixed: pairs(&self.fixed),
            forbidden: pairs(&self.forbidden),
        }
    }

    /// Removes a person from the lists of organisers, requests and wishes. Returns true if the person
    /// was in one.
    pub(super) fn forget(&mut self, person: PersonId) -> bool {
        let entries = |it: &ClubTournament| {
            let people = it.organisers.len() + it.asking.len() + it.half_byes.len();
            people + it.fixed.len() + it.forbidden.len()
        };
        let before = entries(self);
        for list in [&mut self.organisers, &mut self.asking, &mut self.half_byes] {
            list.retain(|it| *it != person);
        }
        for list in [&mut self.fixed, &mut self.forbidden] {
            list.retain(|pair| !pair.contains(&person));
        }
        entries(self) < before
    }

    pub(super) fn player(&self, person: PersonId) -> Option<usize> {
        self.players.iter().position(|player| *player == person)
    }

    /// Returns true if a person takes part and has not withdrawn.
    pub(super) fn takes_part(&self, person: PersonId) -> bool {
        let has_withdrawn = |player: usize| {
            let games = self.games.as_ref();
            games.is_some_and(|games| games.has_withdrawn(player))
        };
        (self.player(person)).is_some_and(|player| !has_withdrawn(player))
    }

    /// Withdraws the players who did not come to a table of the last round. They may take
    /// part again.
    pub(super) fn withdraw_absent(&mut self, table: Option<usize>) {
        let Some(games) = &mut self.games else {
            return;
        };
        let round = games.rounds().last();
        let pairing = table.and_then(|table| round?.get(table)).copied();
        let Some(Pairing {
            first,
            second,
            result,
        }) = pairing
        else {
            return;
        };
        let absent = match result {
            Some(PairingResult::FirstAbsent) => [Some(first), None],
            Some(PairingResult::SecondAbsent) => [None, second],
            Some(PairingResult::Neither) => [Some(first), second],
            _ => [None; 2],
        };
        for player in absent.into_iter().flatten() {
            // A tournament that is over has no more rounds to be taken out of.
            _ = games.withdraw(player);
        }
    }

    /// Pairs the next round that has games, or ends the tournament. Returns the pairings to be
    /// played, and the player who has a bye in the last round that was paired. If no new pairing is
    /// possible before the last round, the tournament is held.
    ///
    /// # Errors
    /// When no new pairing is possible.
    pub(super) fn pair(
        &mut self,
        now: Duration,
    ) -> Result<(Vec<Pairing>, Option<usize>), TournamentError> {
        let mut wishes = self.wishes();
        let Some(games) = &mut self.games else {
            return Ok((Vec::new(), None));
        };
        let mut pairings: Vec<Pairing> = Vec::new();
        while games.is_round_over() {
            if games.pair_with(&wishes) == Err(TournamentError::NoPairing) {
                (self.held, self.next_round) = (true, Some(now));
                return Err(TournamentError::NoPairing);
            }
            if games.is_over() {
                break;
            }
            // These are for one round.
            (wishes.half_byes, wishes.fixed) = (Vec::new(), Vec::new());
            (self.half_byes, self.fixed) = (Vec::new(), Vec::new());
            self.round_began = Some(now);
            let round = games.rounds().last();
            pairings = round.cloned().unwrap_or_default();
            self.rooms.push(vec![None; pairings.len()]);
        }
        self.next_round = None;
        let has_bye =
            |it: &&Pairing| it.second.is_none() && it.result == Some(PairingResult::SecondAbsent);
        let bye = pairings.iter().find(has_bye).map(|it| it.first);
        if games.is_over() {
            pairings.clear();
        }
        Ok((pairings, bye))
    }

    /// Ends the games of the last round whose rooms are not there: they do not count.
    pub(super) fn end_lost_games(&mut self, has_room: impl Fn(RoomId) -> bool) {
        let is_lost = |(pairing, room): (&Pairing, Option<RoomId>)| {
            pairing.result.is_none() && !room.is_some_and(&has_room)
        };
        let lost: Vec<bool> = self.last_round().map(is_lost).collect();
        let lost: Vec<usize> = (0..lost.len()).filter(|table| lost[*table]).collect();
        if let Some(games) = self.games.as_mut().filter(|_| !lost.is_empty()) {
            for table in lost {
                _ = games.record(table, PairingResult::Neither);
            }
            self.end_round(self.touched);
        }
    }

    /// Returns true if a player has played a game.
    pub(super) fn has_played(&self, player: usize) -> bool {
        let rounds = self.games.iter().flat_map(|games| games.rounds());
        rounds.flatten().any(|pairing| {
            pairing.has(player) && pairing.result.is_some_and(PairingResult::is_played)
        })
    }

    /// Moves all times back by the same amount.
    pub(super) fn set_back(&mut self, by: Duration) {
        let times = [&mut self.next_round, &mut self.round_began];
        let times = times.into_iter().flatten().chain([&mut self.touched]);
        times.for_each(|time| *time = time.saturating_sub(by));
    }

    /// Schedules the next round for this time, if the last game of a round is over. After the last
    /// round the tournament is over.
    pub(super) fn end_round(&mut self, next: Duration) {
        let Some(games) = self.games.as_mut().filter(|it| it.is_round_over()) else {
            return;
        };
        if games.is_last_round() {
            games.end();
        } else {
            self.next_round = Some(next);
        }
    }

    /// The pairings of the last round with their rooms.
    pub(super) fn last_round(&self) -> impl Iterator<Item = (&Pairing, Option<RoomId>)> {
        let round = self.games.iter().filter_map(|games| games.rounds().last());
        let rooms = self.rooms.last().into_iter().flatten().copied();
        round.flatten().zip(rooms)
    }
}

impl ClubTournament {
    /// Corrects or enters the result of a game, and records who did so. Returns whether the result
    /// is another now.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or it can't have this result.
    pub(super) fn correct(
        &mut self,
        now: Duration,
        by: PersonId,
        (round, table): (usize, usize),
        to: PairingResult,
    ) -> Result<bool, TournamentError> {
        let games = self.games.as_mut().ok_or(TournamentError::Table)?;
        let pairing = games.rounds().get(round).and_then(|it| it.get(table));
        let from = pairing.and_then(|it| it.result);
        games.correct(round, table, to)?;
        if from == Some(to) {
            return Ok(false);
        }
        self.corrections.push(Correction {
            round,
            table,
            by,
            at: now.as_secs(),
            from,
            to,
        });
        Ok(true)
    }

    /// The corrections of a result, oldest first.
    pub(super) fn corrections_of(
        &self,
        round: usize,
        table: usize,
    ) -> impl DoubleEndedIterator<Item = &Correction> {
        let is_of_table = move |it: &&Correction| (it.round, it.table) == (round, table);
        self.corrections.iter().filter(is_of_table)
    }
}

/// The tournament pairing of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TournamentGame {
    /// The tournament.
    pub(super) tournament: TournamentId,
    /// The time at which the round began.
    pub(super) since: Duration,
    /// True if the players have been there, by seats.
    pub(super) came: [bool; 2],
}

impl TournamentGame {
    /// Returns true if both players have been there.
    pub(super) fn both_came(&self) -> bool {
        self.came == [true; 2]
    }
}
