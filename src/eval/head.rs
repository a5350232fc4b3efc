//! What sums alone can't say: a small network over what the codes of both
//! sides add up to.
//!
//! Every code has [`LANES`] numbers, and so has every pair of classes; they are
//! added up over the empty points for each colour while the position changes.
//! Two lanes are values and count as they are; all of them, and how full the
//! board is, also go through one layer of [`HIDDEN`] rectified sums. So the
//! evaluation can tell that three twos on one side are more than three times
//! one, or that an attack is worth less to a side that has to defend.

use super::Score;

/// How many numbers a code or a pair of classes has.
pub const LANES: usize = 8;

/// Lanes are kept this much finer than units of [`Score`]: many small numbers
/// are added up.
pub const VALUE_SCALE: i32 = 8;

/// No number of a code or pair is farther from zero, so that the difference of
/// what a point was and what it is is no longer than the numbers themselves.
pub const LANE_LIMIT: i16 = i16::MAX / 4;

/// The lane of what an empty point is worth to the colour that is to move.
pub const MOVING: usize = 0;

/// The lane of what it is worth to the colour that is not.
pub const WAITING: usize = 1;

/// How many rectified sums there are.
pub const HIDDEN: usize = 32;

/// What goes into each: the lanes of the side to move, those of its opponent,
/// the stones on the board, and one.
pub const INPUTS: usize = 2 * LANES + 2;

/// How many numbers a head has: a weight for each input of each rectified sum,
/// input by input, then one for each rectified sum.
pub const HEAD_NUMBERS: usize = (INPUTS + 1) * HIDDEN;

/// The numbers of a head are weights in such parts.
pub const HEAD_SCALE: f32 = 1024.0;

/// Lanes in logits.
pub type Logits = [f32; LANES];

/// The weights of the network, for one colour to move.
#[derive(Clone, Debug)]
pub struct Head {
    /// By input and rectified sum.
    pub inward: [[f32; HIDDEN]; INPUTS],
    /// What each rectified sum counts for, in logits.
    pub outward: [f32; HIDDEN],
}

impl Head {
    /// The head with these weights, in the order of [`HEAD_NUMBERS`].
    pub fn new(weight: impl Fn(usize) -> f32) -> Head {
        let row = |input: usize| std::array::from_fn(|unit| weight(input * HIDDEN + unit));
        Head {
            inward: std::array::from_fn(row),
            outward: row(INPUTS),
        }
    }

    /// The inputs in their order.
    #[inline]
    pub fn inputs(own: &Logits, theirs: &Logits, stones: usize) -> [f32; INPUTS] {
        let mut inputs = [1.0; INPUTS];
        inputs[..LANES].copy_from_slice(own);
        inputs[LANES..2 * LANES].copy_from_slice(theirs);
        // About as large as the others, on boards as full as games leave them.
        inputs[2 * LANES] = (stones as f32 - 40.0) / 50.0;
        inputs
    }

    /// The sums before they are rectified. Always added up in the same order,
    /// so that every machine comes to the same numbers.
    #[inline]
    pub fn sums(&self, inputs: &[f32; INPUTS]) -> [f32; HIDDEN] {
        let mut sums = [0.0; HIDDEN];
        for (input, row) in inputs.iter().zip(&self.inward) {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += input * weight;
            }
        }
        sums
    }

    /// What the rectified sums come to, in logits.
    #[inline]
    pub fn logit(&self, sums: &[f32; HIDDEN]) -> f32 {
        let counted = |(sum, weight): (&f32, &f32)| sum.max(0.0) * weight;
        sums.iter().zip(&self.outward).map(counted).sum()
    }

    /// The same for lanes as the evaluation adds them up, in units of
    /// [`Score`]. What absurd weights come to is cut off, so that it can still be
    /// added to.
    #[inline]
    pub(super) fn units(&self, own: &[i32; LANES], theirs: &[i32; LANES], stones: usize) -> i32 {
        const SCALE: f32 = Score::LOGIT * VALUE_SCALE as f32;
        const LIMIT: f32 = Score::LIMIT.units() as f32;
        let logits = |lanes: &[i32; LANES]| lanes.map(|lane| lane as f32 / SCALE);
        let inputs = Head::inputs(&logits(own), &logits(theirs), stones);
        let units = self.logit(&self.sums(&inputs)) * Score::LOGIT;
        units.clamp(-LIMIT, LIMIT) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_weights_are_cut_off() {
        let lanes = [484 * i32::from(LANE_LIMIT); LANES];
        let none = [0; LANES];
        let limit = Score::LIMIT.units();
        assert_eq!(Head::new(|_| 32.0).units(&lanes, &none, 9), limit);
        let inward = INPUTS * HIDDEN;
        let against = Head::new(|number| if number < inward { 32.0 } else { -32.0 });
        assert_eq!(against.units(&none, &lanes, 9), -limit);
        assert_eq!(Head::new(|_| 0.0).units(&lanes, &lanes, 9), 0);
    }
}
