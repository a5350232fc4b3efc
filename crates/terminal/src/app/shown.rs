//! Accessors for drawing the game.

use super::dialogs::Dialog;
use super::{App, DisplayOptions};
use crate::appearance::Appearance;
use quincunx_board::{Analysis, NodeView, Phase, Player, Welcome};
use quincunx_engine::rules::{BoardSize, Point};

impl App {
    pub(crate) fn appearance(&self) -> Appearance {
        self.appearance
    }

    pub(crate) fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    pub(crate) fn size(&self) -> BoardSize {
        self.size
    }

    pub(crate) fn cursor(&self) -> Point {
        self.cursor
    }

    pub(crate) fn hint(&self) -> Option<Point> {
        self.hint
    }

    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub(crate) fn display(&self) -> DisplayOptions {
        self.display
    }

    pub(crate) fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// The digits of the numbers on the stones; none if they are not shown.
    pub(crate) fn digits(&self) -> u16 {
        let numbers = self.state.stones.iter().filter_map(|stone| stone.number);
        match (self.display.numbers, numbers.max()) {
            (false, _) => 0,
            (true, Some(100..)) => 3,
            (true, _) => 2,
        }
    }

    /// The choices of the player in the opening.
    pub(crate) fn choices(&self) -> &[quincunx_board::Choice] {
        let is_asked = self.state.actor == Some(Player::Person) || self.state.waiting;
        match &self.state.phase {
            Phase::Choose { options, .. } if is_asked => options,
            _ => &[],
        }
    }

    /// The analysis of the shown position, or the evaluation of the engine's last move; `None` if
    /// it is hidden.
    pub(crate) fn analysis(&self) -> Option<&Analysis> {
        let analysis = self.analysis.as_ref()?;
        let node = self.node(self.state.node);
        let is_near = analysis.node == self.state.node
            || node.is_some_and(|node| node.parent == Some(analysis.node));
        let wanted = self.state.analysis.is_some() || self.display.evaluation;
        (is_near && wanted).then_some(analysis)
    }

    /// Black's chance to win by the last search, if it is shown.
    pub(crate) fn chance(&self) -> Option<u16> {
        let wanted = self.state.analysis.is_some() || self.display.evaluation;
        let first = Some(self.state.node).filter(|_| wanted)?;
        // The state comes with changes of the game, an analysis at any time.
        let analysis = self.analysis.as_ref().filter(|found| found.node == first);
        if let Some(line) = analysis.and_then(|analysis| analysis.lines.first()) {
            return Some(line.chance);
        }
        let nodes = std::iter::successors(self.node(first), |node| self.node(node.parent?));
        nodes.filter_map(|node| node.chance).next()
    }

    fn node(&self, id: u32) -> Option<&NodeView> {
        // Nodes come in the order of their numbers.
        let at = self.state.tree.binary_search_by_key(&id, |node| node.id);
        at.ok().map(|at| &self.state.tree[at])
    }

    /// The milliseconds left to black and white, if the game has clocks.
    pub(crate) fn clock(&self) -> Option<[u64; 2]> {
        let clock = self.state.clock?;
        let used = self.now.saturating_sub(self.state_at).as_millis();
        let used = u64::try_from(used).unwrap_or(u64::MAX);
        let left = |color, left: u64| match clock.running == Some(color) {
            true => left.saturating_sub(used),
            false => left,
        };
        use quincunx_board::Color::{Black, White};
        Some([left(Black, clock.black), left(White, clock.white)])
    }

    /// Returns true if a running clock is displayed.
    pub(crate) fn has_running_clock(&self) -> bool {
        (self.state.clock).is_some_and(|clock| clock.running.is_some())
    }
}
