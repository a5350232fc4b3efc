//! Points, lines and chances in words.

use quincunx_engine::rules::Point;

/// A move: the point, or `--` for a pass.
pub(crate) fn move_name(point: Point) -> String {
    match point {
        Point::NONE => "--".to_owned(),
        point => point.to_string(),
    }
}

/// The reply in a proof that prevents nothing.
const ANY: &str = "any";

fn proof_point(point: Point) -> String {
    match point {
        Point::NONE => ANY.to_owned(),
        point => point.to_string(),
    }
}

/// The line of a proof. A reply that prevents nothing is `any`.
pub(crate) fn proof_line(line: &[Point]) -> String {
    let names: Vec<String> = line.iter().copied().map(proof_point).collect();
    names.join(" ")
}

/// The line of a proof as data.
pub(crate) mod proof_points {
    use super::{ANY, proof_point};
    use quincunx_engine::rules::Point;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        line: &[Point],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(line.iter().copied().map(proof_point))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Point>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let point = |name: &String| match name.as_str() {
            ANY => Ok(Point::NONE),
            name => name.parse().map_err(D::Error::custom),
        };
        names.iter().map(point).collect()
    }
}

/// Prints a probability of winning in per cent. Only certain results are 0 or 100.
pub(crate) fn per_cent(chance: f64) -> String {
    let rounded = (100.0 * chance).round();
    let shown = match chance {
        0.0 | 1.0 => rounded,
        _ => rounded.clamp(1.0, 99.0),
    };
    format!("{shown:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_all_or_nothing() {
        let shown = [0.0, 0.001, 0.504, 0.999, 1.0].map(per_cent);
        assert_eq!(shown, ["0 %", "1 %", "50 %", "99 %", "100 %"]);
    }

    #[test]
    fn passes_and_any_replies_have_names() {
        let line = [Point::new(0, 0), Point::NONE];
        assert_eq!(move_name(Point::NONE), "--");
        assert_eq!(proof_line(&line), "a1 any");
    }
}
