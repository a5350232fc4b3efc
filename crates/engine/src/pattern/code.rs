//! Codes: the four shapes of a point whatever their directions, and their classes.

use super::{Class, Shape};
use std::sync::OnceLock;

/// The number of codes: the multisets of four out of 14 shapes.
pub const CODES: usize = 2380;

/// The size of tables that are indexed by [`Code::index`]: a power of two, so that
/// lookups need no check.
pub(crate) const PADDED_CODES: usize = 4096;

/// The four shapes of a point for a colour, whatever their directions. Evaluation
/// tables are indexed by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Code(u16);

impl Code {
    /// The first code, which has four dead shapes.
    pub(crate) const ZERO: Code = Code(0);

    /// Returns every code in the order of the index.
    pub fn all() -> impl Iterator<Item = Code> {
        (0..CODES as u16).map(Code)
    }

    /// Returns the index in tables of `PADDED_CODES` entries, of which the first
    /// `CODES` are used.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % PADDED_CODES
    }
}

/// The table from packed shapes to codes, and the shapes and classes of codes.
pub struct CodeTable {
    codes: Box<[Code; 1 << 16]>,
    shapes: Box<[[Shape; 4]]>,
    classes: [Box<[Class; PADDED_CODES]>; 2],
}

impl CodeTable {
    /// Returns the only table of the process, which the first call fills.
    pub fn shared() -> &'static CodeTable {
        static SHARED: OnceLock<CodeTable> = OnceLock::new();
        SHARED.get_or_init(CodeTable::build)
    }

    fn build() -> CodeTable {
        let mut shapes = Vec::with_capacity(CODES);
        let mut codes = Box::new([Code::ZERO; 1 << 16]);
        for &a in &Shape::ALL {
            for &b in Shape::ALL.iter().filter(|&&s| s >= a) {
                for &c in Shape::ALL.iter().filter(|&&s| s >= b) {
                    for &d in Shape::ALL.iter().filter(|&&s| s >= c) {
                        for packed in orders([a, b, c, d]) {
                            codes[packed as usize] = Code(shapes.len() as u16);
                        }
                        shapes.push([a, b, c, d]);
                    }
                }
            }
        }
        debug_assert_eq!(shapes.len(), CODES);
        let classes_for = |forbids| {
            let mut classes = Box::new([Class::None; PADDED_CODES]);
            for (class, four) in classes.iter_mut().zip(&shapes) {
                *class = class_of(four, forbids);
            }
            classes
        };
        let classes = [classes_for(false), classes_for(true)];
        CodeTable {
            codes,
            shapes: shapes.into(),
            classes,
        }
    }

    /// Returns the code of four packed shapes: four bits each, the directions in any
    /// order.
    #[inline]
    pub(crate) fn code(&self, packed: u16) -> Code {
        self.codes[packed as usize]
    }

    /// Returns the four shapes of a code, the weakest first.
    pub fn shapes(&self, code: Code) -> [Shape; 4] {
        self.shapes[code.index()]
    }

    /// Returns the classes of all codes. `forbids` says whether the colour has
    /// forbidden points.
    #[inline]
    pub fn classes(&self, forbids: bool) -> &[Class; PADDED_CODES] {
        &self.classes[usize::from(forbids)]
    }
}

/// Packs four shapes in every order.
fn orders(shapes: [Shape; 4]) -> impl Iterator<Item = u16> {
    (0..256usize).filter_map(move |order| {
        let places = [order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6];
        let all_different = (0..4).all(|place| places.contains(&place));
        let packed = places
            .iter()
            .fold(0, |packed, &place| packed << 4 | shapes[place] as u16);
        all_different.then_some(packed)
    })
}

/// Returns the class of four shapes by its definition.
fn class_of(shapes: &[Shape; 4], forbids: bool) -> Class {
    let count = |test: &dyn Fn(Shape) -> bool| shapes.iter().filter(|&&s| test(s)).count();
    let fives = count(&|s| s == Shape::Five);
    let overlines = count(&|s| s == Shape::Overline);
    let open_fours = count(&|s| s == Shape::OpenFour);
    let fours = count(&|s| s == Shape::Four);
    let open_threes = count(&Shape::is_open_three);
    let threes = count(&|s| s == Shape::Three);
    let open_twos = count(&Shape::is_open_two);
    let more = threes + open_twos;

    if fives > 0 {
        Class::Five
    } else if forbids && (overlines > 0 || open_fours + fours >= 2 || open_threes >= 2) {
        Class::Forbidden
    } else if open_fours > 0 || fours >= 2 {
        Class::OpenFour
    } else if fours > 0 {
        match (open_threes, more) {
            (1.., _) => Class::FourThree,
            (0, 1..) => Class::FourPlus,
            (0, 0) => Class::Four,
        }
    } else if open_threes > 0 {
        match (open_threes, more) {
            (2.., _) => Class::DoubleThree,
            (_, 1..) => Class::OpenThreePlus,
            (_, 0) => Class::OpenThree,
        }
    } else {
        match (threes, open_twos) {
            (2.., _) | (1, 1..) => Class::ThreeTwo,
            (0, 2..) => Class::DoubleTwo,
            (1, 0) => Class::Three,
            (0, 1) => Class::OpenTwo,
            (0, 0) => Class::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the ordered quadruples of shapes and the codes of each class, in the
    /// order of [`Class::ALL`].
    fn census(forbids: bool) -> ([usize; 14], [usize; 14]) {
        let table = CodeTable::shared();
        let position = |class| Class::ALL.iter().position(|&c| c == class).expect("listed");
        let mut ordered = [0; 14];
        for number in 0..14usize.pow(4) {
            let digits = [1, 14, 196, 2744].map(|power| number / power % 14);
            let packed = digits.iter().fold(0, |packed, &d| packed << 4 | d as u16);
            let class = table.classes(forbids)[table.code(packed).index()];
            ordered[position(class)] += 1;
        }
        let mut codes = [0; 14];
        for &class in &table.classes(forbids)[..CODES] {
            codes[position(class)] += 1;
        }
        (ordered, codes)
    }

    /// Reference counts, from None and Forbidden up to Five.
    #[test]
    fn classes_have_the_known_counts() {
        let (ordered, codes) = census(false);
        let expected = [
            625, 0, 1500, 500, 1971, 1965, 1000, 4832, 2248, 500, 2416, 2408, 8596, 9855,
        ];
        assert_eq!(ordered, expected);
        let expected = [
            70, 0, 105, 35, 155, 130, 70, 260, 176, 35, 130, 121, 533, 560,
        ];
        assert_eq!(codes, expected);

        let (ordered, codes) = census(true);
        let expected = [
            256, 13201, 768, 256, 1377, 1439, 512, 3584, 0, 256, 1792, 1536, 3584, 9855,
        ];
        assert_eq!(ordered, expected);
        let expected = [35, 866, 60, 20, 115, 100, 40, 200, 0, 20, 100, 72, 192, 560];
        assert_eq!(codes, expected);
    }

    #[test]
    fn codes_lead_back_to_their_shapes() {
        let table = CodeTable::shared();
        for code in Code::all() {
            let packed = table
                .shapes(code)
                .iter()
                .fold(0, |packed, &s| packed << 4 | s as u16);
            assert_eq!(table.code(packed), code);
        }
    }
}
