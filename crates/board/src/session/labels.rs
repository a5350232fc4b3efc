//! What stands on the points of a position besides stones: labels and signs, from files and by
//! hand. They are kept as SGF has them.

use super::Session;
use crate::error::BoardError;
use crate::message::LabelView;
use crate::tree::NodeId;
use quincunx_engine::game::MoveError;
use quincunx_engine::rules::{BoardSize, Color, Point};
use quincunx_records::sgf::{self, Property};

/// The property of labels.
const LABEL: &str = "LB";

/// The signs of SGF that stand on points.
const SIGNS: [(&str, &str); 4] = [("TR", "△"), ("SQ", "□"), ("CR", "○"), ("MA", "×")];

/// What fits on a point, in characters.
const LONGEST_LABEL: usize = 3;

impl Session {
    /// What stands on the points of the position that is shown.
    pub(super) fn labels(&self) -> Vec<LabelView> {
        let size = self.cursor.game.size();
        let node = self.cursor.tree.get(self.cursor.node);
        let properties = node.map_or_else(Vec::new, |node| Property::parse(&node.properties));
        let mut labels = Vec::new();
        for property in &properties {
            for value in &property.values {
                let Some((point, text)) = label(&property.name, value) else {
                    break;
                };
                labels.extend(sgf::point(size, point).map(|point| LabelView {
                    point: point.to_string(),
                    text: text.chars().take(LONGEST_LABEL).collect(),
                }));
            }
        }
        labels
    }

    /// Writes a label on a point, in place of what stands there.
    pub(super) fn label(
        &mut self,
        node: NodeId,
        point: Point,
        text: &str,
    ) -> Result<(), BoardError> {
        self.cursor.known(node)?;
        let size = self.cursor.game.size();
        if !size.has(point) {
            return Err(MoveError::OffBoard(size).into());
        }
        let kept = self.cursor.tree.get(node).ok_or(BoardError::NoNode)?;
        let mut properties = Property::parse(&kept.properties);
        for Property { name, values } in &mut properties {
            values.retain(|value| {
                label(name, value).is_none_or(|it| sgf::point(size, it.0) != Some(point))
            });
        }
        properties.retain(|property| !property.values.is_empty());
        let text: String = (text.chars())
            .filter(|c| !c.is_control())
            .take(LONGEST_LABEL)
            .collect();
        if !text.trim().is_empty() {
            let sign = SIGNS.iter().find(|(_, sign)| *sign == text);
            let place = place(size, point);
            let (name, value) = match sign {
                Some((name, _)) => (*name, place),
                None => (LABEL, format!("{place}:{text}")),
            };
            match properties.iter_mut().find(|property| property.name == name) {
                Some(property) => property.values.push(value),
                None => properties.push(Property::new(name, value)),
            }
        }
        let text = properties.iter().map(Property::to_string).collect();
        (self.cursor.tree.write(node, text)).ok_or(BoardError::Full)
    }
}

/// The point as SGF has it and the characters of a property's value, if it is a label.
fn label<'a>(name: &str, value: &'a str) -> Option<(&'a str, &'a str)> {
    if name == LABEL {
        return Some(value.split_once(':').unwrap_or((value, "")));
    }
    let (_, sign) = SIGNS.iter().find(|(sign, _)| *sign == name)?;
    Some((value, sign))
}

/// A point as SGF has it.
fn place(size: BoardSize, point: Point) -> String {
    let property = sgf::move_property(size, Color::Black, point);
    property.value().to_owned()
}
