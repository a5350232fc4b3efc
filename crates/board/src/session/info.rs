//! Editing the names, event, date and result of a game.

use super::Session;
use super::files::LONGEST_NAME;
use crate::error::BoardError;
use crate::message::GameInfo;
use crate::tree::ROOT;
use quincunx_engine::game::MoveError;
use quincunx_records::Date;
use quincunx_records::sgf::{self, Property};

impl Session {
    /// The facts about the game that its files name.
    pub(super) fn info(&self) -> GameInfo {
        let [black, white] = self.setup.names.as_deref().cloned().unwrap_or_default();
        let tree = &self.cursor.tree;
        let properties = tree.get(ROOT).map_or("", |root| &root.properties);
        let properties = Property::parse(properties);
        let text = |name: &str| {
            let property = properties.iter().find(|property| property.name == name);
            property.map_or_else(String::new, |property| property.value().to_owned())
        };
        let game = tree.game(&self.cursor.start, tree.end());
        let result = game.and_then(|game| game.result());
        GameInfo {
            black,
            white,
            event: text("EV"),
            date: text("DT"),
            result: result.map_or_else(String::new, sgf::result_text),
        }
    }

    /// Changes the information about the game. A new result ends the main line, unless the stones
    /// have decided it. Without a result the game is in progress.
    pub(super) fn set_info(&mut self, info: GameInfo) -> Result<(), BoardError> {
        let before = self.info();
        let line = |text: String| -> String {
            let line = text.replace(char::is_control, " ");
            line.trim().chars().take(LONGEST_NAME).collect()
        };
        let names = [line(info.black), line(info.white)];
        let [event, date] = [line(info.event), line(info.date)];
        if !date.is_empty() && date != before.date {
            date.parse::<Date>()?;
        }
        let result = match info.result.as_str() {
            "" => None,
            text => Some(sgf::parse_result(text).ok_or(BoardError::NotNow)?),
        };
        let end = self.cursor.tree.end();
        let is_other = info.result != before.result;
        let unended = self.cursor.tree.unended_game(&self.cursor.start, end);
        let decided = unended.and_then(|game| game.drawn_when_stuck().result());
        if let Some(decided) = decided.filter(|_| is_other) {
            return Err(MoveError::Over(decided).into());
        }
        self.edit_properties(ROOT, |properties| {
            for (name, text) in [("EV", event), ("DT", date)] {
                properties.retain(|property| property.name != name);
                properties.extend((!text.is_empty()).then(|| Property::new(name, text)));
            }
        })?;
        if [&before.black, &before.white] != names.each_ref() {
            let is_named = names.iter().any(|name| !name.is_empty());
            self.setup.names = is_named.then(|| Box::new(names));
        }
        if !is_other {
            return Ok(());
        }
        if end != self.cursor.node {
            self.cursor.tree.set_ending(end, result);
            return Ok(());
        }
        if self.cursor.has_ending() {
            self.cursor.tree.set_ending(end, None);
            self.go_to(end)?;
        }
        if let Some(result) = result {
            self.end(result);
        }
        Ok(())
    }
}
