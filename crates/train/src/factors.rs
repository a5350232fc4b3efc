//! Factorised parameters: each is the sum of a weight of its own and of weights
//! that it shares with similar parameters.
//!
//! The weight of a code is the sum of a weight for each of its shapes, one for
//! its class, and one of its own. Own weights are regularised hard, so a code that
//! was hardly ever seen is worth what its shapes and its class are worth. Sets of
//! threats are made of single threats in the same way.

use quincunx_engine::eval::{THREAT_NAMES, THREAT_SETS};
use quincunx_engine::pattern::{Class, Code, CodeTable, Shape};

/// The shared weights of every parameter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    /// The shared weights of all parameters, one parameter after another.
    indices: Vec<u16>,
    /// Where the indices of each parameter end.
    ends: Vec<u32>,
    /// The number of shared weights.
    shared: usize,
}

impl Factors {
    /// Returns the number of parameters.
    pub(crate) fn parameters(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of shared weights.
    pub(crate) fn shared(&self) -> usize {
        self.shared
    }

    /// Returns the indices of the shared weights of a parameter.
    #[inline]
    pub(crate) fn of(&self, parameter: usize) -> &[u16] {
        let start = parameter.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.indices[start as usize..self.ends[parameter] as usize]
    }

    /// Adds `dimensions` parameters for every code. `forbids` says whether the
    /// colour has forbidden points.
    pub(super) fn add_codes(&mut self, forbids: bool, dimensions: usize) {
        let codes = CodeTable::shared();
        let first = self.shared;
        self.shared += dimensions * (Shape::ALL.len() + Class::ALL.len());
        for code in Code::all() {
            let class = codes.classes(forbids)[code.index()];
            let class = Class::ALL.iter().position(|&c| c == class);
            for dimension in 0..dimensions {
                let mut share = |factor: usize| {
                    let index = first + factor * dimensions + dimension;
                    self.indices.push(index as u16);
                };
                // A dead shape and no class are worth nothing.
                for shape in codes.shapes(code) {
                    if shape != Shape::Dead {
                        share(shape as usize);
                    }
                }
                if let Some(class) = class
                    && Class::ALL[class] != Class::None
                {
                    share(Shape::ALL.len() + class);
                }
                self.ends.push(self.indices.len() as u32);
            }
        }
    }

    /// Adds parameters that have nothing in common with others. Each gets a
    /// "shared" weight of its own, which is regularised as gently as those.
    pub(super) fn add_independent(&mut self, parameters: usize) {
        for _ in 0..parameters {
            self.indices.push(self.shared as u16);
            self.shared += 1;
            self.ends.push(self.indices.len() as u32);
        }
    }

    /// Adds a parameter for every set of threats.
    pub(super) fn add_threats(&mut self) {
        let first = self.shared;
        let threats = THREAT_NAMES.len();
        self.shared += threats + 1;
        for set in 0..THREAT_SETS {
            let present = (0..threats).filter(|threat| set >> threat & 1 != 0);
            let indices = present.map(|threat| (first + threat) as u16);
            self.indices.extend(indices);
            // The value of having the move.
            self.indices.push((first + threats) as u16);
            self.ends.push(self.indices.len() as u32);
        }
    }
}
