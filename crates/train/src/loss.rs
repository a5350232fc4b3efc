//! The loss of values: chances to win against targets.

/// Returns the chance to win at a value in logits.
#[inline]
pub(super) fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the binary cross-entropy of a logit against a target between 0 and 1.
#[inline]
pub(super) fn cross_entropy(logit: f32, target: f32) -> f64 {
    let logit = f64::from(logit);
    let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
    softplus - f64::from(target) * logit
}
