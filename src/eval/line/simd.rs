//! The same code compiled for several instruction sets, and the choice between them.
//!
//! The kernels of the line network are plain loops, which the compiler turns into
//! vector instructions. Floats are added in a fixed order and products are never fused
//! with sums, so that all instruction sets give the same numbers.

/// Instructions that code can be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstructionSet(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What every machine of the target has: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl InstructionSet {
    /// Returns the instruction sets that this machine has, the best one last.
    pub(super) fn available() -> impl DoubleEndedIterator<Item = InstructionSet> {
        let sets = [
            (Kind::Baseline, true),
            #[cfg(target_arch = "x86_64")]
            (Kind::Avx2, is_x86_feature_detected!("avx2")),
            #[cfg(target_arch = "x86_64")]
            (
                Kind::Avx512,
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
            ),
        ];
        let sets = sets.into_iter().filter(|&(_, is_there)| is_there);
        sets.map(|(kind, _)| InstructionSet(kind))
    }

    /// Returns the best instruction set that this machine has.
    pub(super) fn best() -> InstructionSet {
        InstructionSet::available()
            .next_back()
            .unwrap_or(InstructionSet(Kind::Baseline))
    }

    /// Runs code that is compiled for these instructions. Only what is inlined is:
    /// `code` and what it calls must be `#[inline(always)]`.
    #[inline(always)]
    pub(super) fn run<T>(self, code: impl FnOnce() -> T) -> T {
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
