//! Logistic regression: the points that a game is expected to bring depend on the sum of a few
//! parameters, such as the strength of one player less that of the other. Newton's method finds
//! the likeliest.

/// Games of which the same is expected.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The parameters that are summed, each with its factor.
    pub(super) terms: Vec<(usize, f64)>,
    /// The number of games.
    pub(super) games: f64,
    /// The points that they brought.
    pub(super) points: f64,
}

/// A symmetric matrix.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The likeliest parameters.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    /// Each parameter.
    pub(super) parameters: Vec<f64>,
    /// The inverse of the information matrix.
    pub(super) inverse: Matrix,
}

impl Fit {
    /// Finds the maximum-likelihood parameters with a Gaussian prior of zero mean. `prior` is its
    /// precision matrix.
    pub(super) fn new(prior: &Matrix, observations: &[Observation]) -> Fit {
        let mut fit = Fit {
            parameters: vec![0.0; prior.len()],
            inverse: Vec::new(),
        };
        // The likelihood is concave, steps are cut for safety.
        for _ in 0..100 {
            let mut gradient = vec![0.0; prior.len()];
            let mut information = prior.clone();
            for observation in observations {
                let expected = fit.expected(&observation.terms);
                let games = observation.games;
                for &(i, factor) in &observation.terms {
                    gradient[i] += factor * (observation.points - games * expected);
                }
                let weight = games * expected * (1.0 - expected);
                add_square(&mut information, &observation.terms, weight);
            }
            fit.inverse = inverse(information);
            let mut moved: f64 = 0.0;
            for (parameter, row) in fit.parameters.iter_mut().zip(&fit.inverse) {
                let step: f64 = row.iter().zip(&gradient).map(|(c, g)| c * g).sum();
                *parameter += step.clamp(-1.0, 1.0);
                moved = moved.max(step.abs());
            }
            if moved < 1e-9 {
                break;
            }
        }
        fit
    }

    /// Returns the expected score of a game.
    pub(super) fn expected(&self, terms: &[(usize, f64)]) -> f64 {
        let term = |&(i, factor): &(usize, f64)| factor * self.parameters[i];
        let sum: f64 = terms.iter().map(term).sum();
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Adds the information about a sum of parameters.
pub(super) fn add_square(matrix: &mut Matrix, terms: &[(usize, f64)], weight: f64) {
    for &(i, one) in terms {
        for &(j, other) in terms {
            matrix[i][j] += weight * one * other;
        }
    }
}

/// The product of two symmetric matrices.
pub(super) fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let cell = |row: &[f64], column: usize| -> f64 {
        row.iter()
            .zip(right)
            .map(|(value, other)| value * other[column])
            .sum()
    };
    let row = |row: &Vec<f64>| (0..right.len()).map(|column| cell(row, column)).collect();
    left.iter().map(row).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn inverse(mut matrix: Matrix) -> Matrix {
    let n = matrix.len();
    let mut result: Matrix = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for column in 0..n {
        // Players whom no games connect leave a zero. The tiny floor keeps the
        // numbers finite, and they mean nothing then: groups are rated apart.
        let pivot = matrix[column][column].max(1e-12);
        for j in 0..n {
            matrix[column][j] /= pivot;
            result[column][j] /= pivot;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..n {
                matrix[row][j] -= factor * matrix[column][j];
                result[row][j] -= factor * result[column][j];
            }
        }
    }
    result
}
