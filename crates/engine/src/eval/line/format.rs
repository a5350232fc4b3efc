//! Line networks as bytes: the format of network files.
//!
//! All numbers are little endian. A header of 16 bytes is followed by the weights, which
//! are compressed (DEFLATE, RFC 1951):
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
//! | 1 each | for rows and columns, then for diagonals: the medians, the codes of the differences from them, the other differences |
//! | 4 each | the head: first layer, its bias, second layer, its bias, output, its bias, the weight of the classical evaluation |
//!
//! The embeddings of windows with the same seven points in the middle are much alike. So a
//! file has the median of these, channel by channel, for each middle, and for each window
//! how its embedding differs from it, modulo 256. Most differences are zero, one or minus
//! one. A code of two bits says which, four codes in a byte, the first in its lowest bits. The
//! other differences follow as bytes, in their order. That makes the file less than half of
//! the weights.

use super::head::LineHead;
use super::row::{LINE_CHANNELS, ROW_LIMIT, WindowEmbeddings};
use super::window::{Middles, WINDOWS};
use crate::rules::Rule;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{self, Read, Write};

/// The version of the format.
pub const LINE_VERSION: u16 = 5;

const MAGIC: [u8; 8] = *b"QXLINE\0\0";
const HEADER: usize = 16;

/// The radius of the middles of windows.
const MIDDLE_RADIUS: usize = 3;

/// The differences from the median that have codes, by code: zero, one and minus one.
const CODED: [u8; 3] = [0, 1, u8::MAX];

/// The code of all other differences.
const OTHER: u8 = CODED.len() as u8;

/// The four differences of each byte of codes. An other one counts as zero.
const DIFFERENCES: [[u8; 4]; 256] = {
    let mut differences = [[0; 4]; 256];
    let mut at = 0;
    while at < 4 * 256 {
        let code = ((at / 4) >> (2 * (at % 4))) & 3;
        if code < CODED.len() {
            differences[at / 4][at % 4] = CODED[code];
        }
        at += 1;
    }
    differences
};

/// The number of the four differences of each byte of codes that are others.
const OTHERS: [u8; 256] = {
    let mut others = [0; 256];
    let mut at = 0;
    while at < 4 * 256 {
        others[at / 4] += (((at / 4) >> (2 * (at % 4))) & 3 == OTHER as usize) as u8;
        at += 1;
    }
    others
};

/// An embedding.
type Embedding = [i8; LINE_CHANNELS];

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
    #[error("a line network of version {0}; this program reads version {LINE_VERSION}")]
    Version(u16),
    /// No rule has this number.
    #[error("no rule has number {0}")]
    Rule(u8),
    /// No network has weights for this many colours.
    #[error("weights of {0} colours")]
    Colors(u8),
    /// Bytes are missing or wrong, or there are too many.
    #[error("a damaged line network")]
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
        bytes.extend(self.kind());
        bytes.extend([0; 4]);
        let middles = Middles::new(MIDDLE_RADIUS);
        let mut encoder = DeflateEncoder::new(bytes, Compression::best());
        let written = self.colors.iter().try_for_each(|color| {
            for embeddings in &color.embeddings {
                write_embeddings(&mut encoder, embeddings, &middles)?;
            }
            let mut head = color.head.clone();
            let mut numbers = head.numbers();
            numbers.try_for_each(|number| encoder.write_all(&number.to_le_bytes()))
        });
        let finished = written.and_then(|()| encoder.finish());
        let mut bytes = finished.unwrap_or_else(|_| unreachable!("a vector takes all bytes"));
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
        if version != LINE_VERSION {
            return Err(LineError::Version(version));
        }
        let rule = Rule::ALL.get(bytes[10] as usize).copied();
        let rule = rule.ok_or(LineError::Rule(bytes[10]))?;
        if !(1..=2).contains(&bytes[11]) {
            return Err(LineError::Colors(bytes[11]));
        }
        if bytes[12..HEADER] != checksum(bytes).to_le_bytes() {
            return Err(LineError::Damaged);
        }
        let middles = Middles::new(MIDDLE_RADIUS);
        let mut decoder = DeflateDecoder::new(&bytes[HEADER..]);
        let colors = (0..bytes[11]).map(|_| read_color(&mut decoder, &middles));
        let colors = colors.collect::<io::Result<_>>();
        let weights = LineWeights {
            rule,
            colors: colors.map_err(|_| LineError::Damaged)?,
        };
        let is_at_end = matches!(decoder.read(&mut [0]), Ok(0));
        if !is_at_end || decoder.total_in() != (bytes.len() - HEADER) as u64 {
            return Err(LineError::Damaged);
        }
        weights
            .is_in_range()
            .then_some(weights)
            .ok_or(LineError::Range)
    }

    /// Returns a checksum of the weights, which tells the network from others.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.kind());
        for color in &self.colors {
            for embedding in color.embeddings.iter().flatten() {
                hasher.update(&embedding.map(|number| number as u8));
            }
            for number in color.head.clone().numbers() {
                hasher.update(&number.to_le_bytes());
            }
        }
        hasher.finalize()
    }

    /// Returns rule and colours as the header has them.
    fn kind(&self) -> [u8; 2] {
        [self.rule as u8, self.colors.len() as u8]
    }

    /// Returns whether no number is too large, or not a number.
    fn is_in_range(&self) -> bool {
        self.colors.iter().all(|color| {
            let mut embeddings = color.embeddings.iter().flatten().flatten();
            embeddings.all(|&number| number >= -ROW_LIMIT)
                && color
                    .head
                    .clone()
                    .numbers()
                    .all(|number| number.is_finite())
        })
    }
}

/// Returns the checksum of a file.
fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..12]);
    hasher.update(&bytes[HEADER..]);
    hasher.finalize()
}

/// Writes the embeddings along one kind of line: medians, then differences.
fn write_embeddings(
    output: &mut impl Write,
    embeddings: &[Embedding],
    middles: &Middles,
) -> io::Result<()> {
    let mut alike: Vec<Vec<&Embedding>> = vec![Vec::new(); middles.count];
    for (embedding, &middle) in embeddings.iter().zip(&middles.numbers) {
        alike[middle].push(embedding);
    }
    let medians: Vec<Embedding> = alike.iter().map(|alike| median(alike)).collect();
    for median in &medians {
        output.write_all(&median.map(|number| number as u8))?;
    }
    let mut codes = vec![0; WINDOWS * LINE_CHANNELS / 4];
    let mut others = Vec::new();
    let windows = embeddings.iter().zip(&middles.numbers);
    let differences = windows.flat_map(|(embedding, &middle)| {
        let channels = embedding.iter().zip(&medians[middle]);
        channels.map(|(number, median)| number.wrapping_sub(*median) as u8)
    });
    for (index, difference) in differences.enumerate() {
        let code = CODED.iter().position(|&coded| coded == difference);
        codes[index / 4] |= code.map_or(OTHER, |code| code as u8) << (2 * (index % 4));
        if code.is_none() {
            others.push(difference);
        }
    }
    output.write_all(&codes)?;
    output.write_all(&others)
}

/// Returns the median of embeddings, channel by channel.
fn median(embeddings: &[&Embedding]) -> Embedding {
    std::array::from_fn(|channel| {
        let mut numbers: Vec<i8> = embeddings.iter().map(|numbers| numbers[channel]).collect();
        numbers.sort_unstable();
        numbers.get(numbers.len() / 2).copied().unwrap_or(0)
    })
}

/// Reads the embeddings along one kind of line.
fn read_embeddings(input: &mut impl Read, middles: &Middles) -> io::Result<Vec<Embedding>> {
    let mut read = |length: usize| {
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes)?;
        io::Result::Ok(bytes)
    };
    let medians = read(middles.count * LINE_CHANNELS)?;
    let packed = read(WINDOWS * LINE_CHANNELS / 4)?;
    let others = packed.iter().map(|&codes| OTHERS[usize::from(codes)]);
    let others = read(others.map(usize::from).sum())?;
    let mut others = others.into_iter();
    let mut embeddings = vec![[0; LINE_CHANNELS]; WINDOWS];
    let packed = packed.chunks_exact(LINE_CHANNELS / 4);
    for ((embedding, packed), middle) in embeddings.iter_mut().zip(packed).zip(&middles.numbers) {
        let median = &medians[middle * LINE_CHANNELS..][..LINE_CHANNELS];
        let fours = embedding.chunks_exact_mut(4).zip(median.chunks_exact(4));
        for ((numbers, medians), &codes) in fours.zip(packed) {
            let differences = &DIFFERENCES[usize::from(codes)];
            for ((number, median), difference) in numbers.iter_mut().zip(medians).zip(differences) {
                *number = median.wrapping_add(*difference) as i8;
            }
            if OTHERS[usize::from(codes)] == 0 {
                continue;
            }
            for (at, number) in numbers.iter_mut().enumerate() {
                if codes >> (2 * at) & 3 == OTHER {
                    *number = number.wrapping_add(others.next().unwrap_or(0) as i8);
                }
            }
        }
    }
    Ok(embeddings)
}

fn read_color(input: &mut impl Read, middles: &Middles) -> io::Result<ColorWeights> {
    let embeddings = [
        read_embeddings(input, middles)?,
        read_embeddings(input, middles)?,
    ];
    let mut head = LineHead::ZERO;
    for number in head.numbers() {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        *number = f32::from_le_bytes(bytes);
    }
    Ok(ColorWeights { embeddings, head })
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

    #[test]
    fn damaged_networks_are_refused() {
        let good = weights(Rule::Freestyle, 1).to_bytes();
        let error = |bytes: &[u8]| LineWeights::from_bytes(bytes).unwrap_err();
        assert_eq!(error(b"QXTABLE\0 and more"), LineError::Foreign);
        assert_eq!(error(&good[..15]), LineError::Foreign);
        for length in [HEADER, HEADER + 1, good.len() / 2, good.len() - 1] {
            assert_eq!(error(&good[..length]), LineError::Damaged);
        }
        assert_eq!(error(&[&good[..], &[0]].concat()), LineError::Damaged);
        let changed = |at: usize, bit: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            error(&bytes)
        };
        assert_eq!(changed(8, 0), LineError::Version(4));
        assert_eq!(changed(10, 5), LineError::Rule(32));
        assert_eq!(changed(11, 2), LineError::Colors(5));
        for at in (0..good.len()).step_by(99_991).chain(0..20) {
            for bit in 0..8 {
                changed(at, bit);
            }
        }
        // Nor does a checksum that is right make a network of other bytes.
        let sealed = |mut bytes: Vec<u8>| {
            let sum = checksum(&bytes);
            bytes[12..HEADER].copy_from_slice(&sum.to_le_bytes());
            error(&bytes)
        };
        assert_eq!(sealed(good[..good.len() / 2].to_vec()), LineError::Damaged);
        assert_eq!(sealed([&good[..], &[0]].concat()), LineError::Damaged);
        let mut two = good.clone();
        two[11] = 2;
        assert_eq!(sealed(two), LineError::Damaged);
        let mut one = weights(Rule::Renju, 2).to_bytes();
        one[11] = 1;
        assert_eq!(sealed(one), LineError::Damaged);
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
