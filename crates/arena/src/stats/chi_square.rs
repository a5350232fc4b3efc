//! Whether counts of pairs that were played apart, on other machines or at other times, are of
//! one distribution: Pearson's test of homogeneity.

use super::counts::Pairs;
use std::ops::AddAssign;

/// Parts with fewer pairs are left out.
const LEAST_PAIRS: u64 = 5;
/// The least mean of the counts that are expected of an outcome over all parts, and the least
/// of these counts; rarer outcomes are put together with their neighbours.
const LEAST_MEAN: f64 = 5.0;
const LEAST_EXPECTED: f64 = 1.0;

/// By how much parts differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChiSquare {
    /// The contribution of each shard to the statistic.
    pub(crate) shares: Vec<f64>,
    /// The degrees of freedom; without any there is nothing to compare.
    pub(crate) freedom: u64,
}

impl ChiSquare {
    /// Compares the pairs of one meeting, as each part has counted them.
    pub(crate) fn new(parts: &[Pairs]) -> ChiSquare {
        let mut found = ChiSquare {
            shares: vec![0.0; parts.len()],
            freedom: 0,
        };
        let compared: Vec<(usize, &Pairs)> = (parts.iter().enumerate())
            .filter(|(_, pairs)| pairs.count() >= LEAST_PAIRS)
            .collect();
        let sizes = compared.iter().map(|(_, pairs)| pairs.count() as f64);
        let total: f64 = sizes.clone().sum();
        let smallest = sizes.clone().fold(f64::INFINITY, f64::min);
        let column = |points: usize| -> Vec<f64> {
            let count = |(_, pairs): &(usize, &Pairs)| pairs.0[points] as f64;
            compared.iter().map(count).collect()
        };
        let columns = joined((0..5).map(column), |column| {
            let sum: f64 = column.iter().sum();
            sum >= LEAST_MEAN * column.len() as f64 && sum * smallest >= LEAST_EXPECTED * total
        });
        for column in &columns {
            let sum: f64 = column.iter().sum();
            for (((part, _), size), count) in compared.iter().zip(sizes.clone()).zip(column) {
                let expected = sum * size / total;
                if expected > 0.0 {
                    found.shares[*part] += (count - expected).powi(2) / expected;
                }
            }
        }
        let freedom = compared.len().saturating_sub(1) * (columns.len() - 1);
        found.freedom = freedom as u64;
        found
    }

    /// The sum over all parts.
    pub(crate) fn statistic(&self) -> f64 {
        self.shares.iter().sum()
    }

    /// Returns the p-value of the statistic.
    pub(crate) fn p_value(&self) -> f64 {
        upper_tail(self.statistic(), self.freedom)
    }
}

/// Another meeting of the same parts.
impl AddAssign for ChiSquare {
    fn add_assign(&mut self, other: ChiSquare) {
        let shares = self.shares.iter_mut().zip(other.shares);
        shares.for_each(|(share, other)| *share += other);
        self.freedom += other.freedom;
    }
}

/// Neighbours put together until each column is common; there is one at least.
fn joined(
    columns: impl Iterator<Item = Vec<f64>>,
    is_common: impl Fn(&[f64]) -> bool,
) -> Vec<Vec<f64>> {
    let add = |sum: &mut Vec<f64>, more: &[f64]| {
        sum.iter_mut()
            .zip(more)
            .for_each(|(sum, more)| *sum += more);
    };
    let mut joined: Vec<Vec<f64>> = Vec::new();
    for column in columns {
        match joined.last_mut() {
            Some(last) if !is_common(last) => add(last, &column),
            _ => joined.push(column),
        }
    }
    // What is left over at the end.
    if joined.len() > 1
        && let Some(last) = joined.pop_if(|last| !is_common(last))
        && let Some(before) = joined.last_mut()
    {
        add(before, &last);
    }
    joined
}

/// The probability that a chi-square variable of so many degrees of freedom is `statistic` or
/// more: the regularised upper incomplete gamma function of half of both, by the recurrence
/// from 1/2 or 1 upwards, whose terms are all positive.
fn upper_tail(statistic: f64, freedom: u64) -> f64 {
    let x = statistic / 2.0;
    if freedom == 0 || x <= 0.0 {
        return 1.0;
    }
    let (mut order, mut tail) = if freedom % 2 == 1 {
        (0.5, libm::erfc(x.sqrt()))
    } else {
        (1.0, (-x).exp())
    };
    while order < freedom as f64 / 2.0 {
        tail += (order * x.ln() - x - libm::lgamma(order + 1.0)).exp();
        order += 1.0;
    }
    tail.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of published tables, and of R's pchisq.
    #[test]
    fn the_tail_is_that_of_tables() {
        for (statistic, freedom, expected) in [
            (3.841_458_820_694_124, 1, 0.05),
            (5.991_464_547_107_979, 2, 0.05),
            (9.487_729_036_781_154, 4, 0.05),
            (18.466_826_952_903_17, 4, 0.001),
            (10.827_566_170_662_73, 1, 0.001),
            (124.342_113_404_004_1, 100, 0.05),
            (7.344_121_497_701_792, 8, 0.5),
            (0.0, 3, 1.0),
            (1e6, 4, 0.0),
        ] {
            let found = upper_tail(statistic, freedom);
            assert!(
                (found - expected).abs() < 1e-9,
                "{statistic} {freedom}: {found}"
            );
        }
    }

    /// The example by hand: two parts of 100 pairs in which outcomes came 30 and 50 times, 70
    /// and 50: (10 * 10) / 40 twice and (10 * 10) / 60 twice.
    #[test]
    fn parts_are_compared_outcome_by_outcome() {
        let parts = [Pairs([30, 0, 0, 0, 70]), Pairs([50, 0, 0, 0, 50])];
        let found = ChiSquare::new(&parts);
        assert_eq!(found.freedom, 1);
        assert!((found.statistic() - 25.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.p_value() - 0.003_892).abs() < 1e-6, "{found:?}");
        assert_eq!(found.shares[0], found.shares[1]);
    }

    #[test]
    fn rare_outcomes_count_with_their_neighbours() {
        for (parts, freedom) in [
            // Each outcome stands alone.
            (vec![Pairs([9, 9, 9, 9, 9]); 2], 4),
            (vec![Pairs([9, 9, 9, 9, 9]); 3], 8),
            // The two outer ones are rare.
            (vec![Pairs([1, 30, 30, 30, 1]); 2], 2),
            // All but one.
            (vec![Pairs([0, 1, 90, 1, 0]); 2], 0),
            // Of two parts one has hardly begun.
            (vec![Pairs([9, 9, 9, 9, 9]), Pairs([0, 1, 2, 1, 0])], 0),
            (vec![Pairs([9, 9, 9, 9, 9]), Pairs([2, 2, 2, 2, 2])], 4),
            (vec![Pairs([9, 9, 9, 9, 9])], 0),
            (vec![], 0),
        ] {
            let found = ChiSquare::new(&parts);
            assert_eq!(found.freedom, freedom, "{parts:?}");
            assert_eq!(found.shares.len(), parts.len());
            assert!((0.0..=1.0).contains(&found.p_value()), "{found:?}");
        }
    }

    /// Of many matches whose parts are of one distribution few are held for different: as many
    /// as the p-value says.
    #[test]
    fn parts_of_one_distribution_are_seldom_held_for_different() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut draw = |pairs: u64| {
            let mut counts = [0; 5];
            for _ in 0..pairs {
                let outcome = [0, 1, 1, 2, 2, 2, 2, 3, 3, 4][random.usize(..10)];
                counts[outcome] += 1;
            }
            Pairs(counts)
        };
        let mut below = [0; 2];
        for _ in 0..20_000 {
            let parts = [40, 25, 60, 12].map(&mut draw);
            let p = ChiSquare::new(&parts).p_value();
            below[0] += u32::from(p < 0.05);
            below[1] += u32::from(p < 0.001);
        }
        assert!((700..1300).contains(&below[0]), "{below:?}");
        assert!((2..60).contains(&below[1]), "{below:?}");
    }
}
