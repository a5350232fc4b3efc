//! Dense layers of the value heads, in floats. The order of additions is fixed, so that
//! every machine gets the same numbers.

/// The units that are computed at a time; their sums stay in registers.
const BLOCK: usize = 32;

/// Returns the weighted sums of the inputs, starting from `bias`. The number of inputs is
/// even, the number of units a multiple of 32.
#[inline(always)]
pub(super) fn dense<const INPUTS: usize, const UNITS: usize>(
    bias: &[f32; UNITS],
    weights: &[[f32; UNITS]; INPUTS],
    inputs: &[f32; INPUTS],
) -> [f32; UNITS] {
    const { assert!(INPUTS.is_multiple_of(2) && UNITS.is_multiple_of(BLOCK)) };
    let mut units = [0.0; UNITS];
    for first in (0..UNITS).step_by(BLOCK) {
        // Two sums for each unit, so that an addition need not wait for the one before.
        let mut even = [0.0; BLOCK];
        let mut odd = [0.0; BLOCK];
        even.copy_from_slice(&bias[first..first + BLOCK]);
        for input in (0..INPUTS).step_by(2) {
            for unit in 0..BLOCK {
                even[unit] += inputs[input] * weights[input][first + unit];
                odd[unit] += inputs[input + 1] * weights[input + 1][first + unit];
            }
        }
        for unit in 0..BLOCK {
            units[first + unit] = even[unit] + odd[unit];
        }
    }
    units
}

/// Returns the units after their activation function, which is ReLU.
#[inline(always)]
pub(super) fn relu<const UNITS: usize>(mut units: [f32; UNITS]) -> [f32; UNITS] {
    for unit in &mut units {
        // WebAssembly has an instruction for this, and none for `max`.
        if *unit < 0.0 {
            *unit = 0.0;
        }
    }
    units
}

/// Returns the sum of the products of units and weights, a power of two of them.
#[inline(always)]
pub fn dot<const UNITS: usize>(units: &[f32; UNITS], weights: &[f32; UNITS]) -> f32 {
    const { assert!(UNITS.is_power_of_two()) };
    let mut products = [0.0; UNITS];
    for unit in 0..UNITS {
        products[unit] = units[unit] * weights[unit];
    }
    let mut half = UNITS / 2;
    while half > 0 {
        for unit in 0..half {
            products[unit] += products[unit + half];
        }
        half /= 2;
    }
    products[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With whole numbers every order of additions gives the same sum.
    #[test]
    fn layers_are_sums_of_products() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut number = || random.i32(-20..20) as f32;
        let weights: [[f32; 32]; 18] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let bias: [f32; 32] = std::array::from_fn(|_| number());
        let inputs: [f32; 18] = std::array::from_fn(|_| number());
        let layer = dense(&bias, &weights, &inputs);
        for unit in 0..32 {
            let terms = (0..18).map(|input| inputs[input] * weights[input][unit]);
            assert_eq!(layer[unit], bias[unit] + terms.sum::<f32>());
        }
        let rectified = relu(layer);
        let terms = (0..32).map(|unit| layer[unit].max(0.0) * bias[unit]);
        assert_eq!(dot(&rectified, &bias), terms.sum::<f32>());
    }
}
