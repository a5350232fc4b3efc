//! The line networks that are part of the program.

use super::format::LineWeights;
use super::network::LineNetwork;
use crate::rules::Rule;

/// Trained networks by rule, in the format of [`LineWeights::to_bytes`].
const TRAINED: [Option<&[u8]>; Rule::ALL.len()] = [
    Some(include_bytes!("learned/freestyle.line")),
    Some(include_bytes!("learned/standard.line")),
    Some(include_bytes!("learned/renju.line")),
    Some(include_bytes!("learned/caro.line")),
    None,
];

impl LineNetwork {
    /// Returns the network that is part of the program, if the rule has one.
    pub fn built_in(rule: Rule) -> Option<LineNetwork> {
        let weights = LineWeights::from_bytes(TRAINED[rule as usize]?).ok()?;
        Some(LineNetwork::new(&weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trained_networks_are_whole_and_of_their_rule() {
        for (rule, bytes) in Rule::ALL.into_iter().zip(TRAINED) {
            if let Some(bytes) = bytes {
                let weights = LineWeights::from_bytes(bytes).expect("a whole network");
                assert_eq!(weights.rule, rule);
                assert!(weights.to_bytes() == bytes, "{rule}");
            }
        }
    }
}
