//! The same code compiled for several instruction sets, and the choice between them.
//!
//! The kernels of the evaluations are plain loops, which the compiler turns into vector
//! instructions. Floats are added in a fixed order and products are never fused
//! with sums, so that all instruction sets give the same numbers.

use std::fmt;
use std::str::FromStr;

/// Instructions that code is compiled for and that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Kind);

/// This machine has no such instructions, or the program is not compiled for them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no instruction set of this machine is called {0}; there are {known}", known = names())]
pub struct UnknownInstructions(String);

/// Returns the names of all instruction sets that this machine has.
fn names() -> String {
    let names = InstructionSet::available().map(|set| set.to_string());
    names.collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The instructions of every machine of the target: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// Returns the instruction sets that this machine has, the best one last.
    pub fn available() -> impl DoubleEndedIterator<Item = InstructionSet> {
        let sets = [
            (Kind::Baseline, true),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx2, is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "x86_64")]
            (
                Kind::Avx512,
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl"),
            ),
        ];
        let sets = sets.into_iter().filter(|&(_, is_there)| is_there);
        sets.map(|(kind, _)| InstructionSet(kind))
    }

    /// Returns the best instruction set that this machine has.
    pub fn best() -> InstructionSet {
        InstructionSet::available()
            .next_back()
            .unwrap_or(InstructionSet(Kind::Baseline))
    }

    /// Runs code that is compiled for these instructions. Only what is inlined is:
    /// `code` and what it calls must be `#[inline(always)]`.
    #[inline(always)]
    pub fn run<T>(self, code: impl FnOnce() -> T) -> T {
        match self.0 {
            Kind::Baseline => code(),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: an instruction set with AVX2 is only made where the machine has it.
            Kind::Avx2 => unsafe { run_avx2(code) },
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            // SAFETY: an instruction set with AVX-512 is only made where the machine has it.
            Kind::Avx512 => unsafe { run_avx512(code) },
        }
    }
}

/// The name, such as `avx2`.
impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        })
    }
}

/// Finds the instruction set with a name.
impl FromStr for InstructionSet {
    type Err = UnknownInstructions;

    fn from_str(name: &str) -> Result<InstructionSet, UnknownInstructions> {
        InstructionSet::available()
            .find(|set| set.to_string() == name)
            .ok_or_else(|| UnknownInstructions(name.to_owned()))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<T>(code: impl FnOnce() -> T) -> T {
    code()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn run_avx512<T>(code: impl FnOnce() -> T) -> T {
    code()
}
