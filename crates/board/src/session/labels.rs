//! Labels and arrows: their view, and editing them.

use super::Session;
use crate::error::BoardError;
use crate::label::{ARROW, LABEL, SIGNS, arrow, label, labels_of};
use crate::message::LabelView;
use crate::tree::NodeId;
use quincunx_engine::game::MoveError;
use quincunx_engine::rules::Point;
use quincunx_records::renlib::LONGEST_LABEL;
use quincunx_records::sgf::{self, Property};

impl Session {
    /// The labels of the position that is shown.
    pub(super) fn labels(&self) -> Vec<LabelView> {
        let labels = labels_of(self.properties(), self.cursor.game.size());
        let view = |(point, text): (Point, String)| LabelView {
            point: point.to_string(),
            text: text.chars().take(LONGEST_LABEL).collect(),
        };
        labels.into_iter().map(view).collect()
    }

    /// The arrows of the position that is shown.
    pub(super) fn arrows(&self) -> Vec<[String; 2]> {
        let size = self.cursor.game.size();
        let properties = Property::parse(self.properties());
        let arrows = properties.iter().flat_map(|Property { name, values }| {
            (values.iter()).filter_map(move |value| arrow(name, value, size))
        });
        arrows
            .map(|points| points.map(|point| point.to_string()))
            .collect()
    }

    /// The properties of the position that is shown, in SGF.
    fn properties(&self) -> &str {
        let node = self.cursor.tree.get(self.cursor.node);
        node.map_or("", |node| &node.properties)
    }

    /// Labels a point, and replaces its label.
    pub(super) fn label(
        &mut self,
        node: NodeId,
        point: Point,
        text: &str,
    ) -> Result<(), BoardError> {
        let size = self.cursor.game.size();
        if !size.has(point) {
            return Err(MoveError::OffBoard(size).into());
        }
        let text: String = (text.chars())
            .filter(|c| !c.is_control())
            .take(LONGEST_LABEL)
            .collect();
        self.edit_properties(node, |properties| {
            for Property { name, values } in &mut *properties {
                values.retain(|value| {
                    label(name, value).is_none_or(|it| sgf::point(size, it.0) != Some(point))
                });
            }
            if text.trim().is_empty() {
                return;
            }
            let place = sgf::point_text(size, point);
            match SIGNS.iter().find(|(_, sign)| *sign == text) {
                Some((name, _)) => add(properties, name, place),
                None => add(properties, LABEL, format!("{place}:{text}")),
            }
        })
    }

    /// Draws an arrow, or removes the one that is there.
    pub(super) fn arrow(&mut self, node: NodeId, from: &str, to: &str) -> Result<(), BoardError> {
        let (from, to): (Point, Point) = (from.parse()?, to.parse()?);
        let size = self.cursor.game.size();
        if from == to || !size.has(from) || !size.has(to) {
            return Err(MoveError::OffBoard(size).into());
        }
        self.edit_properties(node, |properties| {
            let mut is_there = false;
            for Property { name, values } in &mut *properties {
                let before = values.len();
                values.retain(|value| arrow(name, value, size) != Some([from, to]));
                is_there |= values.len() < before;
            }
            if !is_there {
                let [from, to] = [from, to].map(|point| sgf::point_text(size, point));
                add(properties, ARROW, format!("{from}:{to}"));
            }
        })
    }

    /// Changes the properties of a position. Those that have no value any more are removed.
    pub(super) fn edit_properties(
        &mut self,
        node: NodeId,
        edit: impl FnOnce(&mut Vec<Property>),
    ) -> Result<(), BoardError> {
        let entry = self.cursor.tree.get(node).ok_or(BoardError::NoNode)?;
        let mut properties = Property::parse(&entry.properties);
        edit(&mut properties);
        properties.retain(|property| !property.values.is_empty());
        let text = properties.iter().map(Property::to_string).collect();
        (self.cursor.tree.write(node, text)).ok_or(BoardError::Full)
    }
}

/// Adds a value to the property of this name.
fn add(properties: &mut Vec<Property>, name: &str, value: String) {
    match properties.iter_mut().find(|property| property.name == name) {
        Some(property) => property.values.push(value),
        None => properties.push(Property::new(name, value)),
    }
}
