//! The searches that a session asks for, and the handling of their reports.

use super::Session;
use crate::error::BoardError;
use crate::job::Report;
use crate::job_id::JobId;
use crate::message::{Analysis, AnalysisMode, LineView, MOST_LINES, Player, ServerMessage};
use crate::proof;
use crate::search_job::{Purpose, SearchJob};
use quincunx_engine::engine::{Answer, Line, Options, Request};
use quincunx_engine::game::swap::OpeningStep;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_engine::score::Score;
use std::time::Duration;

/// The time for a hint in milliseconds.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The time for a step of an opening in milliseconds, at most.
const OPENING_TIME: Duration = Duration::from_secs(3);

impl Session {
    /// The search that should be running now; no other should.
    pub(super) fn job(&self) -> Option<&SearchJob> {
        self.searches.job.as_ref()
    }

    /// Handles a report of a search.
    pub(super) fn report_search(
        &mut self,
        now: Duration,
        id: JobId,
        report: Report,
    ) -> Vec<ServerMessage> {
        let mut replies = self.arrive(now);
        let Some(job) = self.searches.job.take_if(|job| job.id == id) else {
            return replies;
        };
        let Report::Search(report) = report else {
            self.fail(&job, &mut replies);
            return replies;
        };
        let side = job.position.side();
        self.note_proof(&job, &report.lines);
        if let Some(analysis) = self.analysis(&job, side, &report.lines) {
            self.cursor.tree.value(job.node, analysis.chance);
            replies.push(ServerMessage::Analysis(analysis));
        }
        let is_over = report.is_over();
        let is_early = is_over && self.is_early(&job);
        if is_early || !is_over {
            self.searches.early = is_early.then_some((id, report));
            self.searches.job = Some(job);
            return replies;
        }
        // What is said of the position comes after it: a front that shows another
        // state forgets what it showed on the old one.
        let mut answers = Vec::new();
        if let Some(proven) = report.solution {
            self.searches.asked = None;
            let found = self
                .searches
                .proven
                .as_ref()
                .filter(|(node, _)| *node == job.node);
            let line = found.map(|(_, line)| line);
            answers.push(ServerMessage::Proof(proof::view(&job, proven, line)));
        }
        if let Some(answer) = report.answer {
            self.take_answer(&job, &answer, &report.lines, &mut answers);
        }
        self.update_job();
        replies.push(self.update());
        replies.extend(answers);
        replies
    }

    /// Remembers the line of a search that has proved a win of the side to move.
    fn note_proof(&mut self, job: &SearchJob, lines: &[Line]) {
        let is_of_side = matches!(job.purpose, Purpose::Analysis | Purpose::Hint);
        let wins = |line: &&Line| line.score.is_win();
        if let Some(line) = lines.iter().find(wins).filter(|_| is_of_side) {
            self.searches.proven = Some((job.node, line.clone()));
        }
    }

    /// Returns true if the answer to a job comes before those who watch two engines can follow.
    fn is_early(&self, job: &SearchJob) -> bool {
        let is_watched = self.players == [Player::Engine; 2] && self.setup.time.game_ms.is_none();
        is_watched && job.purpose == Purpose::Step && self.clock.used() < self.searches.pace
    }

    fn fail(&mut self, job: &SearchJob, replies: &mut Vec<ServerMessage>) {
        match job.purpose {
            Purpose::Step => self.waiting = true,
            Purpose::Analysis => self.searches.analysis = None,
            Purpose::Hint | Purpose::Proof | Purpose::Threat => self.searches.asked = None,
        }
        self.update_job();
        replies.extend([self.update(), BoardError::Engine.into()]);
    }

    fn take_answer(
        &mut self,
        job: &SearchJob,
        answer: &Answer,
        lines: &[Line],
        replies: &mut Vec<ServerMessage>,
    ) {
        match job.purpose {
            Purpose::Step => {
                self.settled_chance(job, answer);
                if let Err(error) = self.follow_engine(answer, lines) {
                    // The engine is not asked the same question for ever.
                    self.waiting = true;
                    replies.push(error.into());
                }
            }
            Purpose::Hint => {
                self.searches.asked = None;
                let point = answer.stones().first();
                replies.extend(point.map(|point| ServerMessage::Hint {
                    node: job.node,
                    point: point.to_string(),
                }));
            }
            // The position is decided, or as deep as the engine goes: it is not
            // searched again before something changes.
            Purpose::Analysis => self.searches.finished = Some(job.node),
            Purpose::Proof | Purpose::Threat => (),
        }
    }

    /// Stores the evaluation with which the engine chose its move.
    fn settled_chance(&mut self, job: &SearchJob, answer: &Answer) {
        let chance = answer
            .info()
            .map(|info| chance(info.score, job.position.side()));
        if let Some(chance) = chance {
            self.cursor.tree.value(job.node, chance);
        }
    }

    /// The analysis in messages; `None` without a line.
    fn analysis(&self, job: &SearchJob, side: Color, lines: &[Line]) -> Option<Analysis> {
        let best = lines.first()?;
        let is_analysis = job.purpose == Purpose::Analysis;
        let mode = if is_analysis {
            self.searches.mode
        } else {
            AnalysisMode::Best
        };
        let (mut shown, losing) = shown(mode, lines);
        let unsearched = unsearched(mode, &job.position, lines);
        shown.truncate(
            self.searches
                .analysis
                .filter(|_| is_analysis)
                .unwrap_or(MOST_LINES),
        );
        let most = |value: fn(&Line) -> u64| lines.iter().map(value).max().unwrap_or(0);
        Some(Analysis {
            node: job.node,
            lines: shown.into_iter().map(|info| line(info, side)).collect(),
            losing,
            searched: unsearched.as_ref().map_or(0, |_| lines.len()),
            unsearched: unsearched.unwrap_or_default(),
            chance: chance(best.score, side),
            depth: best.depth,
            // A search goes no deeper where its table knows the rest.
            seldepth: best.seldepth.max(best.depth),
            nodes: most(|info| info.nodes),
            elapsed_ms: most(|info| info.elapsed.as_millis().try_into().unwrap_or(u64::MAX)),
        })
    }

    /// Applies the engine's answer to the game.
    fn follow_engine(&mut self, answer: &Answer, lines: &[Line]) -> Result<(), BoardError> {
        let position = self.cursor.game.position();
        let part = self.dialogue().part(position, answer, lines);
        let (choice, stones) = part.ok_or(BoardError::Engine)?;
        self.take_seats();
        if let Some(choice) = choice {
            self.choose(choice)?;
        }
        stones.into_iter().try_for_each(|point| self.play(point))
    }

    /// Asks for a hint or a proof in the position that is shown.
    pub(super) fn ask(&mut self, purpose: Purpose) -> Result<(), BoardError> {
        let searches = self.actor() == Some(Player::Engine) && !self.waiting;
        if !self.is_open() || searches || self.asks() {
            return Err(BoardError::NotNow);
        }
        self.searches.asked = Some(purpose);
        Ok(())
    }

    /// The purpose and the request of the search that should be running now.
    fn wanted(&self) -> Option<(Purpose, Request)> {
        if !self.is_open() {
            return None;
        }
        if let Some(purpose) = self.searches.asked {
            return Some((purpose, Request::Move));
        }
        if self.actor() == Some(Player::Engine) && !self.waiting {
            let request = self.dialogue().request(self.cursor.game.position());
            return Some((Purpose::Step, request));
        }
        let lines = self
            .searches
            .analysis
            .filter(|_| self.searches.finished != Some(self.cursor.node))?;
        let request = match self.searches.mode {
            AnalysisMode::Best => Request::Lines(lines),
            AnalysisMode::Defences | AnalysisMode::Balance => Request::Defences,
        };
        Some((Purpose::Analysis, request))
    }

    /// Replaces the job if another search is wanted.
    pub(super) fn update_job(&mut self) {
        if self.searches.finished != Some(self.cursor.node) {
            self.searches.finished = None;
        }
        let Some((purpose, request)) = self.wanted() else {
            self.searches.job = None;
            return;
        };
        let excluded = match purpose {
            Purpose::Step | Purpose::Hint => self.dialogue().excluded(self.cursor.game.position()),
            _ => PointSet::EMPTY,
        };
        let wanted = (purpose, self.cursor.node, request, excluded);
        let is_same =
            |job: &SearchJob| (job.purpose, job.node, job.request, job.excluded) == wanted;
        if self.searches.job.as_ref().is_some_and(is_same) {
            return;
        }
        let mut position = self.cursor.game.position().clone();
        if purpose == Purpose::Threat {
            position.pass();
        }
        self.searches.count += 1;
        self.searches.job = Some(SearchJob {
            id: JobId(self.searches.count),
            purpose,
            node: self.cursor.node,
            position,
            request,
            excluded,
            options: self.job_options(purpose),
        });
    }

    /// The options for the engine's next step in the game.
    fn step_options(&self, options: &mut Options) {
        let time = self.setup.time;
        options.timeout_turn = time.turn_ms.map(|ms| Duration::from_millis(ms.into()));
        options.strength = Some(self.acting_level());
        match self.step() {
            Some(OpeningStep::Play { .. }) | None => {
                if let Some(left) = self.left_now(self.cursor.game.side()) {
                    options.time_left = Some(Duration::from_millis(left));
                    options.time_increment = Duration::from_millis(time.increment_ms.into());
                }
            }
            Some(step) => {
                let most = options.timeout_turn.unwrap_or(OPENING_TIME);
                options.timeout_turn =
                    Some(match self.dialogue().is_obvious(self.cursor.stones()) {
                        true => Duration::ZERO,
                        false => most.min(OPENING_TIME),
                    });
                // Once the colours are settled there is no swap.
                options.may_swap = matches!(step, OpeningStep::Choose { .. });
                options.opening = self.opening;
            }
        }
    }

    fn job_options(&self, purpose: Purpose) -> Options {
        let mut options = self.options;
        self.bounds.apply(&self.limits, &mut options);
        match purpose {
            Purpose::Hint => options.timeout_turn = Some(HINT_TIME),
            Purpose::Analysis => {
                let milliseconds = self.limits.analysis_ms;
                options.timeout_turn = milliseconds.map(|ms| Duration::from_millis(ms.into()));
                options.max_node = self.limits.analysis_nodes.map(u64::from);
                options.infinite = true;
            }
            // The solver's limits stand in `worker`: it has neither clock nor options.
            Purpose::Proof | Purpose::Threat => (),
            Purpose::Step => self.step_options(&mut options),
        }
        options
    }
}

/// The lines that an analysis shows, and the moves that it knows to lose.
fn shown(mode: AnalysisMode, lines: &[Line]) -> (Vec<&Line>, Vec<String>) {
    let is_loss = |line: &&Line| line.score.is_loss();
    let mut shown: Vec<&Line> = lines.iter().collect();
    match mode {
        AnalysisMode::Best => (shown, Vec::new()),
        AnalysisMode::Balance => {
            shown.sort_by_key(|line| line.score.units().abs());
            (shown, Vec::new())
        }
        AnalysisMode::Defences => {
            let losing = lines.iter().filter(is_loss);
            let losing = losing.filter_map(Line::best);
            let losing = losing.map(|point| point.to_string()).collect();
            // If every move loses, the one that holds out longest comes first.
            let holds = shown.iter().any(|line| !line.score.is_loss());
            shown.retain(|line| !holds || !line.score.is_loss());
            (shown, losing)
        }
    }
}

/// The legal moves that an analysis of defences has no line for.
fn unsearched(mode: AnalysisMode, position: &Position, lines: &[Line]) -> Option<Vec<String>> {
    if mode != AnalysisMode::Defences {
        return None;
    }
    let mut position = position.clone();
    let searched: PointSet = lines.iter().filter_map(Line::best).collect();
    let free = position.size().iter().filter(|point| !searched.has(*point));
    let free: Vec<Point> = free.filter(|&point| position.is_empty(point)).collect();
    let legal = free.into_iter().filter(|&point| position.is_legal(point));
    Some(legal.map(|point| point.to_string()).collect())
}

fn line(info: &Line, side: Color) -> LineView {
    LineView {
        points: info.pv.iter().map(Point::to_string).collect(),
        score: info.score.units(),
        chance: chance(info.score, side),
        mate: info.score.mate(),
    }
}

/// Black's chance to win in thousandths by a score for `side`.
fn chance(score: Score, side: Color) -> u16 {
    let score = match side {
        Color::Black => score,
        Color::White => -score,
    };
    (score.win_chance() * 1000.0).round() as u16
}
