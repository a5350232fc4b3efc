//! Labels as the front sees them, and as people write them.

use super::Session;
use crate::error::BoardError;
use crate::label::{LABEL, SIGNS, label, labels_of};
use crate::message::LabelView;
use crate::tree::NodeId;
use quincunx_engine::game::MoveError;
use quincunx_engine::rules::Point;
use quincunx_records::renlib::LONGEST_LABEL;
use quincunx_records::sgf::{self, Property};

impl Session {
    /// The labels of the position that is shown.
    pub(super) fn labels(&self) -> Vec<LabelView> {
        let node = self.cursor.tree.get(self.cursor.node);
        let labels = node.map_or_else(Vec::new, |node| {
            labels_of(&node.properties, self.cursor.game.size())
        });
        let view = |(point, text): (Point, String)| LabelView {
            point: point.to_string(),
            text: text.chars().take(LONGEST_LABEL).collect(),
        };
        labels.into_iter().map(view).collect()
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
            let place = sgf::point_text(size, point);
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
