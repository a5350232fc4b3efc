//! An engine that plays elsewhere than in a match, as at a table of a club: the same processes,
//! asked for one move after another.

use super::config::{EngineConfig, GameConfig, Variant};
use super::fault::{Interruption, fault_words};
use super::player::{EnginePlayer, Swap2Answer};
use super::swap::read_swap2;
use super::watchdog::MemoryWatchdog;
use quincunx_engine::game::swap::{Choice, OpeningRule};
use quincunx_engine::game::{Opening, TimeControl};
use quincunx_engine::rules::{Color, Point};
use quincunx_runs::StopSignal;

/// An engine program that was misbehaving twice when it should have played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine failed: {0}")]
pub struct EngineSlotError(String);

/// A slot for one engine.
pub struct EngineSlot {
    engine: EngineConfig,
    stop: StopSignal,
    watchdog: MemoryWatchdog,
}

impl EngineSlot {
    /// Creates a slot for this engine, whose search ends when the signal is given.
    pub fn new(engine: EngineConfig, stop: StopSignal) -> EngineSlot {
        EngineSlot {
            engine,
            stop,
            watchdog: MemoryWatchdog::default(),
        }
    }

    /// Returns the engine, which is started with its first game.
    pub fn engine(&self) -> SlotEngine<'_> {
        SlotEngine {
            player: EnginePlayer::new(&self.engine, self.stop.receiver(), &self.watchdog)
                .without_grace(),
            config: None,
        }
    }
}

/// An engine in a slot.
pub struct SlotEngine<'s> {
    player: EnginePlayer<'s>,
    /// The game that it plays.
    config: Option<GameConfig>,
}

impl SlotEngine<'_> {
    /// Begins a game.
    pub fn begin(&mut self, variant: Variant, opening_rule: OpeningRule) {
        self.config = Some(GameConfig {
            variant,
            opening_rule,
            move_limit: None,
            adjudication: Default::default(),
            suspend: false,
            // Moves may have been taken back.
            whole_boards: true,
        });
    }

    /// Asks for a move after these stones, with as much time.
    ///
    /// # Errors
    /// Returns an error when the engine has none, or one that is off the board.
    pub fn play(
        &mut self,
        stones: &[(Color, Point)],
        own: Color,
        time: TimeControl,
    ) -> Result<Point, EngineSlotError> {
        self.twice(
            |player, config| {
                let answer = player.ask(config, own, &mut stones.iter().copied())?;
                let point = answer.what.point(config.variant.size);
                Ok(point.ok_or_else(|| format!("{} is off the board", answer.what)))
            },
            time,
        )
    }

    /// Asks for the next step of a swap2 opening after these stones: what it chooses from
    /// `options`, and the stones that it puts.
    ///
    /// # Errors
    /// Returns an error when the engine answers something else.
    pub fn open(
        &mut self,
        stones: &[Point],
        options: &[Choice],
        time: TimeControl,
    ) -> Result<(Option<Choice>, Vec<Point>), EngineSlotError> {
        self.twice(
            |player, config| {
                let answer: Swap2Answer = player.ask_swap2(config, stones)?.what;
                let Variant { rule, size } = config.variant;
                let read = Opening::new(rule, size, stones.to_vec())
                    .map_err(|error| error.to_string())
                    .and_then(|opening| read_swap2(config, &opening, options, &answer));
                Ok(read)
            },
            time,
        )
    }

    /// Asks something, and once more of a new process where the first has failed.
    fn twice<T>(
        &mut self,
        mut ask: impl FnMut(
            &mut EnginePlayer<'_>,
            &GameConfig,
        ) -> Result<Result<T, String>, Interruption>,
        time: TimeControl,
    ) -> Result<T, EngineSlotError> {
        let config = self
            .config
            .ok_or_else(|| EngineSlotError("no game has begun".to_owned()))?;
        let mut failure = String::new();
        for _ in 0..2 {
            let asked = self.player.new_game(config.variant).and_then(|()| {
                self.player.set_time(time);
                ask(&mut self.player, &config)
            });
            failure = match asked {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(wrong)) => wrong,
                Err(Interruption::Fault(fault)) => {
                    let (reason, detail) = fault_words(fault);
                    reason.with_detail(&detail)
                }
                Err(Interruption::NoStart(error)) => error.to_string(),
                Err(Interruption::Stopped) => {
                    return Err(EngineSlotError("it was stopped".to_owned()));
                }
            };
            log::warn!("the engine failed: {failure}");
            self.player.kill();
        }
        Err(EngineSlotError(failure))
    }

    /// Tells the program to leave.
    pub fn leave(&mut self) {
        self.player.dismiss();
    }

    /// Ends the program at once, as in the middle of a search.
    pub fn kill(&mut self) {
        self.player.kill();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::config::EngineLimits;
    use crate::process::Program;
    use quincunx_engine::rules::{BoardSize, Rule};

    /// Faults are described in words.
    #[test]
    fn a_program_that_ends_is_reported_with_its_exit_code() {
        let engine = EngineConfig {
            name: "A".into(),
            program: Program {
                command: ["sh", "-c", "exit 3"].map(Into::into).to_vec(),
                folder: None,
            },
            limits: EngineLimits::default(),
            options: Vec::new(),
            threads: None,
            memory: None,
        };
        let slot = EngineSlot::new(engine, StopSignal::default());
        let mut engine = slot.engine();
        let variant = Variant {
            rule: Rule::default(),
            size: BoardSize::default(),
        };
        engine.begin(variant, OpeningRule::Free);
        let played = engine.play(&[], Color::Black, TimeControl::default());
        let error = played.map_err(|error| error.to_string());
        let expected = "the engine failed: crash: exit status: 3";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
