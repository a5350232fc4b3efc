//! Points, boards and rules as data is their text, as people write it.

use super::{BoardSize, Point};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "--" => Ok(Point::NONE),
            text => text.parse().map_err(D::Error::custom),
        }
    }
}

impl Serialize for BoardSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BoardSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BoardSize, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{BoardSize, Point};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use std::borrow::Cow;

    impl JsonSchema for Point {
        fn schema_name() -> Cow<'static, str> {
            "Point".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A letter and a number, `a1` being the bottom left point; `--` is a pass.",
                "type": "string",
                "pattern": "^([a-v][0-9]+|--)$",
            })
        }
    }

    impl JsonSchema for BoardSize {
        fn schema_name() -> Cow<'static, str> {
            "BoardSize".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "The side of a square board, or columns and rows: `15`, `20x15`.",
                "type": "string",
                "pattern": "^[0-9]+(x[0-9]+)?$",
            })
        }
    }
}
