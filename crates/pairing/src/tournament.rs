//! A tournament from its first pairing to its last result.

use super::pairing::{MOST_ROUNDS, PLAYERS, Pairing, PairingResult, System};
use super::round_robin;
use super::standings::{self, StandingsRow};
use super::swiss::{self, Float, Repeats, SwissPlayer};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Why a tournament does not do what it is asked for. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TournamentError {
    /// There are too few players or too many.
    #[error("a tournament has 2 to 64 players")]
    Players,
    /// There are no rounds or too many.
    #[error("a Swiss tournament has 1 to 20 rounds")]
    Rounds,
    /// Games of the last round are not over.
    #[error("the round is not over")]
    RoundNotOver,
    /// The result is half a point, which only a player without an opponent gets.
    #[error("a game of two players can't have this result")]
    Result,
    /// The last round has no game at this table that is not over.
    #[error("no game is played at this table")]
    Table,
    /// The tournament is over.
    #[error("the tournament is over")]
    Over,
    /// A round robin takes no player after its start: others have met already.
    #[error("only a Swiss tournament takes new players after its start")]
    Late,
    /// No pairing without a rematch is possible.
    #[error("no new pairing is possible: add a player, or end the tournament")]
    NoPairing,
    /// No round follows that a new player could play.
    #[error("the last round has begun: a new player would have no game")]
    LastRound,
}

/// A tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    system: System,
    /// True if each player has withdrawn.
    withdrawn: Vec<bool>,
    rounds: Vec<Vec<Pairing>>,
    is_over: bool,
}

/// The requests of an organiser for the next round of a Swiss tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Players who have a round off for half a point, where the others can be paired.
    pub half_byes: Vec<usize>,
    /// Players who meet each other, also again.
    pub fixed: Vec<(usize, usize)>,
    /// Players who do not meet as long as any pairing is possible.
    pub forbidden: Vec<(usize, usize)>,
}

impl Tournament {
    /// A tournament of so many players before its first round.
    ///
    /// # Errors
    /// When there are too few players or rounds, or too many.
    pub fn new(system: System, players: usize) -> Result<Tournament, TournamentError> {
        check(system)?;
        if !PLAYERS.contains(&players) || players > system.most_players() {
            return Err(TournamentError::Players);
        }
        Ok(Tournament {
            system,
            withdrawn: vec![false; players],
            rounds: Vec::new(),
            is_over: false,
        })
    }

    /// The pairing system.
    pub fn system(&self) -> System {
        self.system
    }

    /// The number of players, with those who have withdrawn.
    pub fn players(&self) -> usize {
        self.withdrawn.len()
    }

    /// The rounds that were paired.
    pub fn rounds(&self) -> &[Vec<Pairing>] {
        &self.rounds
    }

    /// The number of rounds that were planned.
    pub fn planned_rounds(&self) -> usize {
        self.system.rounds(self.players())
    }

    /// Returns true if no round follows.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns true if no game is played now.
    pub fn is_round_over(&self) -> bool {
        let last = self.rounds.last().into_iter().flatten();
        last.into_iter().all(|pairing| pairing.result.is_some())
    }

    /// Returns true if no other round can follow, also where more players enter late.
    pub fn is_last_round(&self) -> bool {
        let most = match self.system {
            System::RoundRobin { .. } | System::AllAtOnce { .. } => self.planned_rounds(),
            System::Swiss { rounds } => rounds as usize,
        };
        self.rounds.len() >= most
    }

    /// Returns true if a player has withdrawn.
    pub fn has_withdrawn(&self, player: usize) -> bool {
        self.withdrawn.get(player).copied().unwrap_or(true)
    }

    /// Pairs the next round, or ends the tournament after the last one. Says whether
    /// there is another round. Games of players who have withdrawn are over at once.
    ///
    /// # Errors
    /// When the tournament is over, a game of the last round is not, or every pairing has a rematch.
    pub fn pair(&mut self) -> Result<bool, TournamentError> {
        self.pair_with(&Wishes::default())
    }

    /// The same with an organiser's wishes, which a round robin has no use for.
    ///
    /// # Errors
    /// When the tournament is over, a game of the last round is not, or every pairing has a rematch.
    pub fn pair_with(&mut self, wishes: &Wishes) -> Result<bool, TournamentError> {
        if self.is_over {
            return Err(TournamentError::Over);
        }
        if !self.is_round_over() {
            return Err(TournamentError::RoundNotOver);
        }
        let here = self.withdrawn.iter().filter(|gone| !**gone).count();
        let is_last = self.rounds.len() >= self.planned_rounds();
        let round = match self.system {
            _ if is_last || here < 2 => None,
            System::RoundRobin { double } => Some(self.with_absences(round_robin::pair(
                self.players(),
                self.rounds.len(),
                double,
            ))),
            System::AllAtOnce { double } => {
                let rounds = System::RoundRobin { double }.rounds(self.players());
                let pair = |round| round_robin::pair(self.players(), round, double);
                let games = (0..rounds).flat_map(pair);
                let games = games.filter(|pairing| pairing.second.is_some());
                Some(self.with_absences(games.collect()))
            }
            System::Swiss { .. } => {
                let round = self.swiss_round(wishes);
                Some(round.ok_or(TournamentError::NoPairing)?)
            }
        };
        self.is_over = round.is_none();
        self.rounds.extend(round);
        Ok(!self.is_over)
    }

    /// The pairings of the next round of a Swiss tournament, if there are any. Where no pairing
    /// satisfies the organiser's wishes, they are dropped in this order: forbidden pairings, pairings
    /// by hand, half-point byes.
    fn swiss_round(&self, wishes: &Wishes) -> Option<Vec<Pairing>> {
        let allowed = Wishes {
            forbidden: Vec::new(),
            ..wishes.clone()
        };
        let free = Wishes {
            fixed: Vec::new(),
            ..allowed.clone()
        };
        let none = Wishes::default();
        let mut all = [wishes, &allowed, &free, &none].into_iter();
        all.find_map(|wishes| self.swiss_round_with(wishes))
    }

    fn swiss_round_with(&self, wishes: &Wishes) -> Option<Vec<Pairing>> {
        let mut players = self.swiss_players();
        for &(one, other) in &wishes.forbidden {
            for (player, other) in [(one, other), (other, one)] {
                if let Some(player) = players.get_mut(player) {
                    player.met.push(other);
                }
            }
        }
        let is_here = |player: &usize| !self.has_withdrawn(*player);
        let has_bye = |player: &usize| is_here(player) && wishes.half_byes.contains(player);
        let mut present: Vec<usize> = (0..self.players()).filter(is_here).collect();
        present.retain(|player| !has_bye(player));
        let mut games = Vec::new();
        for &(one, other) in &wishes.fixed {
            if one != other && present.contains(&one) && present.contains(&other) {
                present.retain(|player| ![one, other].contains(player));
                games.push((one, other));
            }
        }
        let round = swiss::pair(&players, &present, Repeats::Never)?;
        games.extend(round.games);
        let seated = games.into_iter().enumerate().map(|(table, (one, other))| {
            if players[one].begins_against(&players[other], table) {
                Pairing::game(one, other)
            } else {
                Pairing::game(other, one)
            }
        });
        let with_point = |player| Pairing::bye(player, PairingResult::SecondAbsent);
        let off = (0..self.players()).filter(has_bye);
        let off = off.map(|player| Pairing::bye(player, PairingResult::HalfPoint));
        Some(seated.chain(round.bye.map(with_point)).chain(off).collect())
    }

    /// The players with the facts of the rounds so far that the pairings of the next depend on.
    /// Players who were to meet and did not play may still meet, and neither of them has had a seat.
    fn swiss_players(&self) -> Vec<SwissPlayer> {
        let mut players = vec![SwissPlayer::default(); self.players()];
        for round in &self.rounds {
            let before: Vec<u32> = players.iter().map(|it| it.half_points).collect();
            for player in &mut players {
                player.floats = [Some(Float::Down), player.floats[0]];
            }
            for pairing in round {
                let [first, second] = pairing.result.map_or([0; 2], PairingResult::half_points);
                players[pairing.first].half_points += first;
                let Some(other) = pairing.second else {
                    players[pairing.first].had_bye |= first > 1;
                    continue;
                };
                players[other].half_points += second;
                if pairing.result.is_some_and(PairingResult::is_played) {
                    for (player, opponent, began) in
                        [(pairing.first, other, true), (other, pairing.first, false)]
                    {
                        players[player].met.push(opponent);
                        players[player].began.push(began);
                        players[player].floats[0] = match before[player].cmp(&before[opponent]) {
                            Ordering::Less => Some(Float::Up),
                            Ordering::Equal => None,
                            Ordering::Greater => Some(Float::Down),
                        };
                    }
                }
            }
        }
        players
    }

    /// Gives the points to the player who is there where the other has withdrawn.
    fn with_absences(&self, mut round: Vec<Pairing>) -> Vec<Pairing> {
        for pairing in &mut round {
            let Some(second) = pairing.second else {
                continue;
            };
            pairing.result = match [pairing.first, second].map(|it| self.has_withdrawn(it)) {
                [false, false] => None,
                [false, true] => Some(PairingResult::SecondAbsent),
                [true, false] => Some(PairingResult::FirstAbsent),
                [true, true] => Some(PairingResult::Neither),
            };
        }
        round
    }

    /// Ends the game at a table of the last round.
    ///
    /// # Errors
    /// When no game is played there, or it can't have this result.
    pub fn record(&mut self, table: usize, result: PairingResult) -> Result<(), TournamentError> {
        let round = self.rounds.last_mut();
        let pairing = round.and_then(|round| round.get_mut(table));
        match pairing.filter(|pairing| pairing.result.is_none()) {
            Some(pairing) => pairing.set(result),
            None => Err(TournamentError::Table),
        }
    }

    /// Takes a player out of all rounds that follow. A game of the last round goes on.
    ///
    /// # Errors
    /// When the tournament is over.
    pub fn withdraw(&mut self, player: usize) -> Result<(), TournamentError> {
        if self.is_over {
            return Err(TournamentError::Over);
        }
        if let Some(gone) = self.withdrawn.get_mut(player) {
            *gone = true;
        }
        Ok(())
    }

    /// Takes one more player in after the start of a Swiss tournament, as the last in
    /// strength, and returns their number. They play from the next round on.
    ///
    /// # Errors
    /// When the tournament is over, full, in its last round, or another.
    pub fn enter_late(&mut self) -> Result<usize, TournamentError> {
        let player = self.players();
        match self.system {
            _ if self.is_over => Err(TournamentError::Over),
            System::RoundRobin { .. } | System::AllAtOnce { .. } => Err(TournamentError::Late),
            System::Swiss { .. } if player >= *PLAYERS.end() => Err(TournamentError::Players),
            System::Swiss { .. } if self.rounds.len() >= self.system.rounds(player + 1) => {
                Err(TournamentError::LastRound)
            }
            System::Swiss { .. } => {
                self.withdrawn.push(false);
                Ok(player)
            }
        }
    }

    /// Takes a player in again who has withdrawn, from the next round on.
    ///
    /// # Errors
    /// When the tournament is over.
    pub fn readmit(&mut self, player: usize) -> Result<(), TournamentError> {
        if self.is_over {
            return Err(TournamentError::Over);
        }
        if let Some(gone) = self.withdrawn.get_mut(player) {
            *gone = false;
        }
        Ok(())
    }

    /// Sets the result of a game of any round, counted from zero, also where it has one. Pairings
    /// stay as they are.
    ///
    /// # Errors
    /// When there is no such game, or it can't have this result.
    pub fn correct(
        &mut self,
        round: usize,
        table: usize,
        result: PairingResult,
    ) -> Result<(), TournamentError> {
        let pairing = self.rounds.get_mut(round).and_then(|it| it.get_mut(table));
        let pairing = pairing.filter(|pairing| pairing.second.is_some());
        let pairing = pairing.ok_or(TournamentError::Table)?;
        pairing.set(result)
    }

    /// Takes the point of the last round's bye from a player who was not there. They may
    /// have another bye.
    pub fn void_bye(&mut self) {
        let last = self.rounds.last_mut().into_iter().flatten();
        let is_whole = |pairing: &&mut Pairing| {
            pairing.second.is_none() && pairing.result == Some(PairingResult::SecondAbsent)
        };
        for bye in last.filter(is_whole) {
            bye.result = Some(PairingResult::Neither);
        }
    }

    /// Ends the tournament. Games of the last round that are not over do not count.
    pub fn end(&mut self) {
        for pairing in self.rounds.last_mut().into_iter().flatten() {
            pairing.result.get_or_insert(PairingResult::Neither);
        }
        self.is_over = true;
    }

    /// The standings, the best first.
    pub fn standings(&self) -> Vec<StandingsRow> {
        standings::standings(self.system, &self.withdrawn, &self.rounds)
    }
}

impl Pairing {
    /// Sets the result. Half a point is for a player who has no opponent.
    fn set(&mut self, result: PairingResult) -> Result<(), TournamentError> {
        if self.second.is_some() && result == PairingResult::HalfPoint {
            return Err(TournamentError::Result);
        }
        self.result = Some(result);
        Ok(())
    }
}

/// Returns true if tournaments can be played by a system.
///
/// # Errors
/// When there are no rounds or too many.
pub fn check(system: System) -> Result<(), TournamentError> {
    match system {
        System::Swiss { rounds } if !(1..=MOST_ROUNDS).contains(&rounds) => {
            Err(TournamentError::Rounds)
        }
        _ => Ok(()),
    }
}
