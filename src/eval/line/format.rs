//! Line networks as bytes: the format of network files.
//!
//! All numbers are little endian. A header of 16 bytes is followed by the weights:
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `QXLINE` and two zero bytes |
//! | 2 | version, [`LINE_VERSION`] |
//! | 1 | rule: its index in [`Rule::ALL`] |
//! | 1 | colours with weights of their own: 1, or 2 |
//! | 4 | CRC-32 of the twelve bytes before and of all that follows |
//!
//! | bytes | for each colour |
//! |---|---|
//! | 1 each | embeddings of all windows along rows and columns, then along diagonals, in the order of their numbers |
//! | 4 each | the head: first layer, its bias, second layer, its bias, output, its bias, the weight of the classical evaluation |
//!
//! Version 1 had the channels with ReLU alone. It is read as a network whose other
//! channels are zero.

use super::head::{LINE_HIDDEN, LINE_INPUTS, LineHead};
use super::row::{LINE_CHANNELS, RELU_CHANNELS, ROW_LIMIT, WindowEmbeddings};
use super::window::WINDOWS;
use crate::rules::Rule;

/// The version of the format.
pub const LINE_VERSION: u16 = 2;

const MAGIC: [u8; 8] = *b"QXLINE\0\0";
const HEADER: usize = 16;

/// The channels of a version of the format that this program reads.
fn channels_of(version: u16) -> Option<usize> {
    match version {
        1 => Some(RELU_CHANNELS),
        LINE_VERSION => Some(LINE_CHANNELS),
        _ => None,
    }
}

/// The bytes of the embeddings of one colour.
const fn embedding_bytes(channels: usize) -> usize {
    2 * WINDOWS * channels
}

/// The bytes of the weights of one colour.
const fn color_bytes(channels: usize) -> usize {
    let absent = 2 * (LINE_CHANNELS - channels) * LINE_HIDDEN;
    embedding_bytes(channels) + 4 * (LineHead::NUMBERS - absent)
}

/// The weights of a line network as they are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct LineWeights {
    /// The rule.
    pub rule: Rule,
    /// The weights of each colour: of both together, or of black and of white.
    pub colors: Vec<ColorWeights>,
}

/// The weights of a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorWeights {
    /// The embeddings of all windows as the colour sees them, with its own stones
    /// as black ones.
    pub embeddings: WindowEmbeddings,
    /// The head with the colour to move.
    pub head: LineHead,
}

/// The bytes are not a line network that this program can read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// They are something else.
    #[error("not a line network (no QXLINE at the start)")]
    Foreign,
    /// They are of another version of the format.
    #[error("a line network of version {0}; this program reads versions 1 and {LINE_VERSION}")]
    Version(u16),
    /// No rule has this number.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// No network has weights for this many colours.
    #[error("weights of {0} colours")]
    Colors(u8),
    /// There are too few bytes, or too many.
    #[error("{found} bytes where there should be {expected}")]
    Length {
        /// The bytes there are.
        found: usize,
        /// The bytes there should be.
        expected: usize,
    },
    /// The checksum is wrong.
    #[error("damaged: the checksum is wrong")]
    Damaged,
    /// A number is too large, or not a number.
    #[error("a weight is out of range")]
    Range,
}

impl LineWeights {
    /// Writes the network. The same weights give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(LINE_VERSION.to_le_bytes());
        bytes.push(self.rule as u8);
        bytes.push(self.colors.len() as u8);
        bytes.extend([0; 4]);
        for color in &self.colors {
            for embedding in color.embeddings.iter().flatten() {
                bytes.extend(embedding.map(|number| number as u8));
            }
            for number in color.head.clone().numbers() {
                bytes.extend(number.to_le_bytes());
            }
        }
        let sum = checksum(&bytes);
        bytes[12..HEADER].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a network that [`LineWeights::to_bytes`] wrote.
    ///
    /// # Errors
    /// Returns an error if the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<LineWeights, LineError> {
        if bytes.len() < HEADER || bytes[..8] != MAGIC {
            return Err(LineError::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        let channels = channels_of(version).ok_or(LineError::Version(version))?;
        let rule = Rule::ALL.get(bytes[10] as usize).copied();
        let rule = rule.ok_or(LineError::Rule(bytes[10]))?;
        if !(1..=2).contains(&bytes[11]) {
            return Err(LineError::Colors(bytes[11]));
        }
        let colors = usize::from(bytes[11]);
        let (found, expected) = (bytes.len(), HEADER + colors * color_bytes(channels));
        if found != expected {
            return Err(LineError::Length { found, expected });
        }
        if bytes[12..HEADER] != checksum(bytes).to_le_bytes() {
            return Err(LineError::Damaged);
        }
        let colors = bytes[HEADER..].chunks_exact(color_bytes(channels));
        let colors = colors.map(|bytes| read_color(bytes, channels));
        Ok(LineWeights {
            rule,
            colors: colors.collect::<Result<_, _>>()?,
        })
    }
}

fn read_color(bytes: &[u8], channels: usize) -> Result<ColorWeights, LineError> {
    let (tables, head_bytes) = bytes.split_at(embedding_bytes(channels));
    let mut embeddings: WindowEmbeddings = [Vec::new(), Vec::new()];
    let tables = tables.chunks_exact(tables.len() / 2);
    for (embeddings, table) in embeddings.iter_mut().zip(tables) {
        for bytes in table.chunks_exact(channels) {
            let mut embedding = [0; LINE_CHANNELS];
            for (number, &byte) in embedding.iter_mut().zip(bytes) {
                *number = byte as i8;
                if *number < -ROW_LIMIT {
                    return Err(LineError::Range);
                }
            }
            embeddings.push(embedding);
        }
    }
    let mut head = LineHead::ZERO;
    let is_absent = |index: usize| {
        let input = index / LINE_HIDDEN;
        input < LINE_INPUTS - 2 && input % LINE_CHANNELS >= channels
    };
    let numbers = head.numbers().enumerate();
    let stored = numbers.filter(|&(index, _)| !is_absent(index));
    for ((_, number), bytes) in stored.zip(head_bytes.chunks_exact(4)) {
        *number = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        if !number.is_finite() {
            return Err(LineError::Range);
        }
    }
    Ok(ColorWeights { embeddings, head })
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..12]);
    hasher.update(&bytes[HEADER..]);
    hasher.finalize()
}

/// Weights at random, for tests.
#[cfg(test)]
pub(super) fn random_weights(rule: Rule, colors: usize, random: &mut fastrand::Rng) -> LineWeights {
    let mut color = || {
        let mut embeddings = || {
            let embedding = |_| [0; LINE_CHANNELS].map(|_: i8| random.i8(-ROW_LIMIT..=ROW_LIMIT));
            (0..WINDOWS).map(embedding).collect()
        };
        let embeddings = [embeddings(), embeddings()];
        let mut head = LineHead::ZERO;
        head.numbers()
            .for_each(|number| *number = random.f32() - 0.5);
        ColorWeights { embeddings, head }
    };
    let colors = (0..colors).map(|_| color()).collect();
    LineWeights { rule, colors }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn weights(rule: Rule, colors: usize) -> LineWeights {
        random_weights(rule, colors, &mut fastrand::Rng::with_seed(rule as u64))
    }

    #[test]
    fn networks_round_trip() {
        for (rule, colors) in [(Rule::Standard, 1), (Rule::Renju, 2)] {
            let weights = weights(rule, colors);
            let bytes = weights.to_bytes();
            assert!(
                LineWeights::from_bytes(&bytes).unwrap() == weights,
                "{rule}"
            );
        }
    }

    /// The bytes of version 1 with the ReLU channels of a network.
    fn first_version(weights: &LineWeights) -> Vec<u8> {
        let mut bytes = weights.to_bytes()[..HEADER].to_vec();
        bytes[8] = 1;
        for color in &weights.colors {
            for embedding in color.embeddings.iter().flatten() {
                bytes.extend(
                    embedding[..RELU_CHANNELS]
                        .iter()
                        .map(|&number| number as u8),
                );
            }
            let mut head = color.head.clone();
            let numbers: Vec<f32> = head.numbers().map(|number| *number).collect();
            let (first, others) = numbers.split_at(LINE_INPUTS * LINE_HIDDEN);
            let (own, theirs) = (0..16, 32..48);
            for input in own.chain(theirs).chain([64, 65]) {
                let weights = &first[input * LINE_HIDDEN..][..LINE_HIDDEN];
                bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
            }
            bytes.extend(others.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes[12..HEADER].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn the_first_version_is_read_as_the_channels_with_relu() {
        for (rule, colors) in [(Rule::Standard, 1), (Rule::Renju, 2)] {
            let wide = weights(rule, colors);
            let read = LineWeights::from_bytes(&first_version(&wide)).unwrap();
            let mut narrow = wide;
            for color in &mut narrow.colors {
                for embedding in color.embeddings.iter_mut().flatten() {
                    embedding[RELU_CHANNELS..].fill(0);
                }
                for channel in (16..32).chain(48..64) {
                    color.head.first[channel] = [0.0; LINE_HIDDEN];
                }
            }
            assert!(read == narrow, "{rule}");
        }
    }

    #[test]
    fn damaged_networks_are_refused() {
        let good = weights(Rule::Freestyle, 1).to_bytes();
        let error = |bytes: &[u8]| LineWeights::from_bytes(bytes).unwrap_err();
        assert_eq!(error(b"QXTABLE\0 and more"), LineError::Foreign);
        assert_eq!(error(&good[..15]), LineError::Foreign);
        let (found, expected) = (good.len() - 1, good.len());
        assert_eq!(error(&good[..found]), LineError::Length { found, expected });
        let changed = |at: usize, bit: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            error(&bytes)
        };
        assert_eq!(changed(8, 0), LineError::Version(3));
        assert_eq!(changed(10, 5), LineError::Rule(32));
        assert_eq!(changed(11, 2), LineError::Colors(5));
        for at in (0..good.len()).step_by(99_991).chain(0..20) {
            for bit in 0..8 {
                changed(at, bit);
            }
        }
    }

    #[test]
    fn weights_out_of_range_are_refused() {
        let mut large = weights(Rule::Freestyle, 1);
        large.colors[0].embeddings[1][7][3] = i8::MIN;
        let read = |weights: &LineWeights| LineWeights::from_bytes(&weights.to_bytes());
        assert_eq!(read(&large), Err(LineError::Range));
        let mut infinite = weights(Rule::Freestyle, 1);
        infinite.colors[0].head.bias = f32::INFINITY;
        assert_eq!(read(&infinite), Err(LineError::Range));
    }
}
