//! One person's board: a game with variations, its players, its opening, its
//! clocks, and what is searched for it.

mod clock;
mod cursor;
mod ending;
mod files;
mod info;
mod labels;
mod navigation;
mod opening;
mod pass;
mod restoring;
mod review;
mod search;
mod searches;
mod turn;
mod updates;
mod view;

use super::error::BoardError;
use super::hosted::HostedSession;
use super::input;
use super::job::{Job, Report};
use super::job_id::JobId;
use super::message::{
    ClientMessage, MOST_LINES, Player, SearchBounds, SearchLimits, ServerMessage, Setup, VERSION,
    Welcome,
};
use super::opening_event::PlyEvent;
use super::save::{RestoredSession, SavedSession};
use super::search_job::Purpose;
use super::transfer::File;
use super::tree::{GameTree, NodeId, ROOT};
use cursor::Cursor;
use quincunx_engine::engine::Options;
use quincunx_engine::game::SetUp;
use quincunx_engine::game::swap::{OpeningRule, OpeningStep, Seat};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, MAX_SIDE, MIN_SIDE, Point, Rule};
use quincunx_explorer::Explorer;
use searches::Searches;
use std::sync::Arc;
use std::time::Duration;
use turn::TurnClock;
use updates::SentState;

/// The longest remark in bytes.
const LONGEST_COMMENT: usize = 10_000;

/// The names of the levels, each with the strength that it begins at.
pub const LEVELS: [(u8, &str); 8] = [
    (0, "beginner"),
    (10, "novice"),
    (20, "casual"),
    (35, "club"),
    (50, "strong"),
    (65, "expert"),
    (80, "master"),
    (100, "full"),
];

/// One person's board.
///
/// ```
/// use quincunx_board::{ClientMessage, HostedSession, Session};
/// use quincunx_engine::engine::Options;
/// use std::time::Duration;
///
/// let mut session = Session::new(Options::default());
/// let hello = ClientMessage::Hello {
///     version: quincunx_board::VERSION,
///     save: None,
///     node: None,
///     changes: false,
///     left_ms: None,
/// };
/// session.handle(Duration::ZERO, hello);
/// let replies = session.handle(
///     Duration::from_secs(1),
///     ClientMessage::Play { point: "h8".to_owned(), node: 0 },
/// );
/// assert_eq!(session.jobs().len(), 1, "the engine is to answer");
/// # assert_eq!(replies.len(), 1);
/// ```
pub struct Session {
    /// The options of every search.
    options: Options,
    /// The threads and the memory that searches may have.
    bounds: SearchBounds,
    /// The limits that the person chose.
    limits: SearchLimits,
    /// True if the front may stop the program.
    may_stop: bool,
    /// True after the hello of the front.
    is_ready: bool,
    /// The number of the game, and the highest number of any.
    number: u32,
    numbers: u32,
    setup: Setup,
    opening: OpeningRule,
    /// The players by [`Seat`].
    players: [Player; 2],
    /// The events of the opening.
    events: Vec<PlyEvent>,
    /// The events that were taken back, the next one of redo last.
    undone_events: Vec<PlyEvent>,
    /// The game, and the position of it that is shown.
    cursor: Cursor,
    /// The game that was replaced, or the one before moves were deleted.
    last: Option<RestoredSession>,
    /// The last node that was read from a file; later ones were added here.
    opened: Option<NodeId>,
    /// True if the game has just ended here without a move, so that undo takes the end back.
    has_just_ended: bool,
    /// The position where moves that follow replace those that were taken back.
    taken_back: Option<NodeId>,
    /// True if the engine waits for [`ClientMessage::Resume`].
    waiting: bool,
    /// The searches.
    searches: Searches,
    /// True if the front wants only the changes of the tree.
    sends_changes: bool,
    /// The state that was sent last, without the tree; `None` if the next state is whole.
    sent: Option<SentState>,
    /// The time of the turn.
    clock: TurnClock,
    /// The file of played games, for the analysis.
    explorer: Option<Arc<Explorer>>,
}

impl Session {
    /// Creates a session with a new game of a person, who begins, against the engine. `options` are
    /// those of its searches.
    pub fn new(options: Options) -> Session {
        let setup = Setup::default();
        let start = SetUp::empty(Rule::Freestyle, BoardSize::default());
        Session {
            bounds: SearchBounds::of(&options),
            limits: SearchLimits::default(),
            options,
            may_stop: false,
            is_ready: false,
            number: 0,
            numbers: 0,
            players: [setup.black, setup.white],
            setup,
            opening: OpeningRule::Free,
            events: Vec::new(),
            undone_events: Vec::new(),
            cursor: Cursor::empty(start),
            last: None,
            opened: None,
            has_just_ended: false,
            taken_back: None,
            waiting: false,
            searches: Searches::default(),
            sends_changes: false,
            sent: None,
            clock: TurnClock::default(),
            explorer: None,
        }
    }

    /// Sets the explorer whose moves states include during an analysis.
    pub fn set_explorer(&mut self, explorer: Option<Arc<Explorer>>) {
        self.explorer = explorer;
    }

    /// Lets a person choose how much searches use, within this.
    pub fn set_bounds(&mut self, bounds: SearchBounds) {
        self.bounds = bounds;
    }

    /// Lets at least this time go by between the moves of two engines, for those who watch.
    /// A game with clocks goes as fast as it does.
    pub fn set_pace(&mut self, pace: Duration) {
        self.searches.pace = pace;
    }

    /// Sets the welcome's note that the front may stop the program, which the session itself can't
    /// do.
    pub fn set_may_stop(&mut self, may_stop: bool) {
        self.may_stop = may_stop;
    }

    fn follow(
        &mut self,
        message: ClientMessage,
        replies: &mut Vec<ServerMessage>,
    ) -> Result<(), BoardError> {
        if !self.is_ready && !matches!(message, ClientMessage::Hello { .. }) {
            return Err(BoardError::NoHello);
        }
        match message {
            ClientMessage::Hello {
                version,
                save,
                node,
                changes,
                left_ms,
            } => {
                if version != VERSION {
                    return Err(BoardError::Version(version));
                }
                self.is_ready = true;
                (self.sends_changes, self.sent) = (changes, None);
                replies.push(ServerMessage::Welcome(self.welcome()));
                // What can't be read was kept by another version of the program.
                if let Some(kept) = save
                    .as_deref()
                    .and_then(SavedSession::read)
                    .and_then(SavedSession::unpack)
                {
                    self.numbers = kept.game;
                    let _ = self.take_up(kept, node, left_ms);
                }
            }
            ClientMessage::NewGame(setup) => self.new_game(setup)?,
            ClientMessage::Pass { node } => self.pass(node)?,
            ClientMessage::Play { point, node } => self.play_for_person(point.parse()?, node)?,
            ClientMessage::Choose { choice, node } => {
                self.check_node(node)?;
                self.choose_for_person(choice)?;
            }
            ClientMessage::Undo => self.undo()?,
            ClientMessage::Redo => self.redo()?,
            // Nothing changes in the position that is shown.
            ClientMessage::GoTo { node } if node == self.cursor.node => {}
            ClientMessage::GoTo { node } => self.go_to(node)?,
            ClientMessage::Line { node, points } => self.play_line(node, &points)?,
            ClientMessage::Resume => self.resume(),
            ClientMessage::Pause => self.pause(),
            ClientMessage::Resign => self.resign()?,
            ClientMessage::OfferDraw => self.offer_draw(replies)?,
            ClientMessage::Rematch => self.rematch()?,
            ClientMessage::Hint => self.ask(Purpose::Hint)?,
            ClientMessage::Prove => self.ask(Purpose::Proof)?,
            ClientMessage::ProveThreat => self.ask(Purpose::Threat)?,
            ClientMessage::Analyse { lines, mode } => {
                if !(1..=MOST_LINES).contains(&lines) {
                    return Err(BoardError::Lines(MOST_LINES));
                }
                (self.searches.analysis, self.searches.mode) = (Some(lines), mode);
                self.searches.finished = None;
                // Two persons who begin by analysing play no game: their clock was that of
                // the last one.
                if self.players == [Player::Person; 2] && !self.cursor.has_moves() {
                    self.drop_clocks();
                }
            }
            ClientMessage::StopAnalysis => self.searches.analysis = None,
            ClientMessage::Limit(limits) => {
                self.limits = limits;
                // What is searched has other options from now on.
                (self.searches.job, self.searches.finished) = (None, None);
            }
            ClientMessage::Review => self.begin_review()?,
            ClientMessage::StopReview => self.stop_review(),
            ClientMessage::TryAgain { node } => self.try_again(node)?,
            ClientMessage::Comment { node, text } => self.comment(node, text)?,
            ClientMessage::Label { node, point, text } => {
                self.label(node, point.parse()?, &text)?;
            }
            ClientMessage::Arrow { node, from, to } => self.arrow(node, &from, &to)?,
            ClientMessage::Info(info) => self.set_info(info)?,
            ClientMessage::Delete { node } => self.delete(node)?,
            ClientMessage::BringBack => self.bring_back()?,
            ClientMessage::Promote { node } => {
                self.cursor.known(node)?;
                self.cursor.tree.promote(node);
            }
            ClientMessage::Open {
                text,
                name,
                encoding,
                game,
            } => {
                replies.extend(self.open(&File {
                    text: &text,
                    name: name.as_deref(),
                    encoding: encoding.as_deref(),
                    game,
                })?);
            }
            ClientMessage::Restore {
                save,
                node,
                left_ms,
            } => self.restore(&save, node, left_ms)?,
            ClientMessage::Export { format, look } => replies.push(self.export(format, look)?),
            // The session's host decides whether it may be stopped.
            ClientMessage::StopServer => return Err(BoardError::NotNow),
        }
        Ok(())
    }

    /// Pauses the engine and the clock. The engine's turn restarts afterwards.
    fn pause(&mut self) {
        self.stop_clock();
        self.waiting = true;
    }

    /// Resumes the game: the engine may move, and the stopped clock runs again.
    fn resume(&mut self) {
        if self.waiting && self.setup.time.game_ms.is_some() {
            self.clock.resume();
        }
        self.waiting = false;
    }

    /// Begins a turn at the position that is shown.
    fn begin_turn(&mut self) {
        self.searches.asked = None;
        (self.has_just_ended, self.taken_back) = (false, None);
        self.clock.begin();
    }

    fn new_game(&mut self, setup: Setup) -> Result<(), BoardError> {
        let rule: Rule = setup.rule.parse()?;
        let size: BoardSize = input::size(&setup.size).parse()?;
        let opening: OpeningRule = setup.opening.parse()?;
        let levels = [setup.level]
            .into_iter()
            .chain(setup.levels.into_iter().flatten());
        if let Some(level) = levels.max().filter(|level| *level > 100) {
            return Err(BoardError::Level(level, 100));
        }
        let start = start(&setup, rule, size)?;
        let position = start.playable()?;
        let is_empty = position.ply() == 0 && start.first == Color::Black;
        let has_moves = !setup.moves.trim().is_empty();
        if opening != OpeningRule::Free && (has_moves || !is_empty) || has_moves && !is_empty {
            return Err(BoardError::OpeningMoves);
        }
        let moves = Position::from_moves(rule, size, &setup.moves)?;
        let mut tree = GameTree::new(start.first);
        let mut node = ROOT;
        for (color, point) in moves.moves() {
            node = tree.add(node, color, point).ok_or(BoardError::Full)?;
        }
        let cursor = Cursor::at(start, tree, node).ok_or(BoardError::NotNow)?;
        self.set_aside();
        self.opening = opening;
        self.players = [setup.black, setup.white];
        self.setup = setup;
        self.take_seats();
        self.setup.size = size.to_string();
        self.events.clear();
        self.cursor = cursor;
        self.searches.analysis = None;
        self.opened = None;
        self.waiting = false;
        self.begin_turn();
        Ok(())
    }

    fn welcome(&self) -> Welcome {
        Welcome {
            version: VERSION,
            program: concat!("Quincunx ", env!("CARGO_PKG_VERSION")),
            rules: Rule::ALL.map(Rule::name).to_vec(),
            openings: OpeningRule::ALL.map(OpeningRule::name).to_vec(),
            levels: LEVELS.to_vec(),
            sides: (MIN_SIDE, MAX_SIDE),
            lines: MOST_LINES,
            handicap: SetUp::MOST_HANDICAP,
            may_stop: self.may_stop,
            searches: self.bounds,
        }
    }

    fn rematch(&mut self) -> Result<(), BoardError> {
        let mut setup = self.setup.clone();
        (setup.black, setup.white) = (setup.white, setup.black);
        setup.levels = setup.levels.map(|[first, second]| [second, first]);
        if let Some(names) = &mut setup.names {
            names.reverse();
        }
        self.new_game(setup)
    }

    fn comment(&mut self, node: NodeId, text: String) -> Result<(), BoardError> {
        if text.len() > LONGEST_COMMENT {
            return Err(BoardError::LongComment(LONGEST_COMMENT));
        }
        self.cursor.known(node)?;
        self.cursor.tree.remark(node, text).ok_or(BoardError::Full)
    }

    fn delete(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.cursor.known(node)?;
        let parent = self.cursor.tree.get(node).and_then(|node| node.parent);
        let parent = parent.ok_or(BoardError::NotNow)?;
        let is_shown = self.cursor.tree.path(self.cursor.node).contains(&node);
        self.last = Some(self.snapshot());
        self.cursor.tree.remove(node);
        if is_shown {
            self.go_to(parent)?;
        }
        Ok(())
    }

    fn play_for_person(&mut self, point: Point, node: NodeId) -> Result<(), BoardError> {
        self.check_node(node)?;
        let goes_on = self.may_go_on();
        if goes_on {
            self.cursor.game_to_go_on()?.check(point)?;
            self.go_on();
        }
        if self.cursor.game.is_over() {
            self.cursor.game.check(point)?;
        }
        match self.actor() {
            Some(Player::Engine) if !self.waiting => return Err(BoardError::NotYourTurn),
            // The user tries out the engine's moves, or goes on after the end.
            Some(Player::Engine) => self.play(point)?,
            _ => {
                self.play(point)?;
                self.waiting = goes_on;
            }
        }
        Ok(())
    }

    /// Plays a point for the side to move.
    fn play(&mut self, point: Point) -> Result<(), BoardError> {
        let step = self.step();
        match step {
            Some(OpeningStep::Choose { .. }) => return Err(BoardError::Opens),
            _ if self.missing_offers() > 0 => return self.offer(point),
            _ => {}
        }
        let color = self.cursor.game.side();
        self.cursor.game.check(point)?;
        self.check_allowed(point)?;
        let left = self.left_after_move(color);
        let node =
            (self.cursor.tree.add(self.cursor.node, color, point)).ok_or(BoardError::Full)?;
        self.cursor.game.play(point)?;
        let replaces = self.takes_back();
        if replaces {
            self.cursor.tree.promote(node);
        }
        self.cursor.node = node;
        if !matches!(step, Some(OpeningStep::Play { .. }) | None) {
            self.discard_opening_events();
        }
        self.cursor.tree.set_left(node, left);
        self.begin_turn();
        // The move may be the one that was taken back, and the next one another.
        self.taken_back = Some(node).filter(|_| replaces);
        Ok(())
    }

    /// That the front shows the position that the session is in.
    fn check_node(&self, node: NodeId) -> Result<(), BoardError> {
        (node == self.cursor.node)
            .then_some(())
            .ok_or(BoardError::Stale)
    }
}

impl HostedSession for Session {
    type Message = ClientMessage;
    type Reply = ServerMessage;

    fn handle(&mut self, now: Duration, message: ClientMessage) -> Vec<ServerMessage> {
        let mut replies = self.arrive(now);
        let takes_up = matches!(
            message,
            ClientMessage::Hello { .. } | ClientMessage::BringBack | ClientMessage::Restore { .. }
        );
        match self.follow(message, &mut replies) {
            Ok(()) => {
                self.update_job();
                if self.is_ready {
                    replies.push(self.update());
                }
                // A game that was kept brings its review.
                let review = self.searches.reviewed.clone().filter(|_| takes_up);
                replies.extend(review.map(ServerMessage::Review));
            }
            Err(error) => replies.push(error.into()),
        }
        replies
    }

    fn jobs(&self) -> Vec<Job> {
        let search = self.job().map(|job| Job::Search(Box::new(job.clone())));
        let review = self
            .review_job()
            .map(|job| Job::Review(Box::new(job.clone())));
        search.into_iter().chain(review).collect()
    }

    fn report(&mut self, now: Duration, id: JobId, report: Report) -> Vec<ServerMessage> {
        match self.review_job().is_some_and(|job| job.id == id) {
            true => self.report_review(now, report),
            false => self.report_search(now, id, report),
        }
    }

    fn deadline(&self) -> Option<Duration> {
        let is_early = self
            .searches
            .early
            .as_ref()
            .is_some_and(|(id, _)| self.searches.does(*id));
        if is_early {
            return Some(self.clock.after(self.searches.pace));
        }
        let color = self.running_clock()?;
        let left = Duration::from_millis(self.time_left(color)?);
        Some(self.clock.after(left))
    }

    fn tick(&mut self, now: Duration) -> Vec<ServerMessage> {
        let mut replies = self.arrive(now);
        // Clocks end nothing any more: what is due is an early answer.
        let is_due = self.deadline().is_some_and(|due| due <= self.clock.now);
        if let Some((id, report)) = self.searches.early.take_if(|_| is_due) {
            replies.extend(self.report_search(now, id, Report::Search(report)));
        }
        replies
    }

    fn error(code: &'static str, text: String) -> ServerMessage {
        let place = None;
        ServerMessage::Error { code, place, text }
    }
}

/// The position before the first move of a game.
fn start(setup: &Setup, rule: Rule, size: BoardSize) -> Result<SetUp, BoardError> {
    let handicap = usize::from(setup.handicap);
    let Some(stones) = &setup.stones else {
        return match handicap {
            0..=SetUp::MOST_HANDICAP => Ok(SetUp::handicap(rule, size, handicap)),
            _ => Err(BoardError::Handicap(SetUp::MOST_HANDICAP)),
        };
    };
    if handicap > 0 {
        return Err(BoardError::OpeningMoves);
    }
    let mut start = SetUp::empty(rule, size);
    start.first = stones.first;
    for (color, points) in Color::ALL.into_iter().zip([&stones.black, &stones.white]) {
        for point in points {
            start.stones.push((color, point.parse()?));
        }
    }
    Ok(start)
}

/// The index of a seat in an array of two.
fn index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

#[cfg(test)]
mod tests;
