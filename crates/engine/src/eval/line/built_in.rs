//! The line networks that are part of the program, if it has any.

use super::format::LineWeights;
use super::network::LineNetwork;
use crate::rules::Rule;

/// Trained networks by rule, in the format of [`LineWeights::to_bytes`].
#[cfg(feature = "weights")]
const TRAINED: &[&[u8]] = &[
    include_bytes!("learned/freestyle.line"),
    include_bytes!("learned/standard.line"),
    include_bytes!("learned/renju.line"),
    include_bytes!("learned/caro.line"),
    include_bytes!("learned/caro-overline.line"),
];
#[cfg(not(feature = "weights"))]
const TRAINED: &[&[u8]] = &[];

impl LineNetwork {
    /// Returns the network of the rule that is part of the program; none if there is none, or its
    /// bytes are not a whole network.
    pub fn built_in(rule: Rule) -> Option<LineNetwork> {
        let weights = LineWeights::from_bytes(TRAINED.get(rule as usize)?).ok()?;
        Some(LineNetwork::new(&weights))
    }
}

#[cfg(all(test, feature = "weights"))]
mod tests {
    use super::*;

    #[test]
    fn trained_networks_are_whole_and_of_their_rule() {
        assert_eq!(TRAINED.len(), Rule::ALL.len());
        for (rule, bytes) in Rule::ALL.into_iter().zip(TRAINED) {
            let weights = LineWeights::from_bytes(bytes).expect("a whole network");
            assert_eq!(weights.rule, rule);
            let again = LineWeights::from_bytes(&weights.to_bytes());
            assert!(again == Ok(weights), "{rule}");
        }
    }
}
