//! The tags and texts of XML, one after another, as far as tables of games need it: elements,
//! attributes, comments, sections of characters and the entities that XML itself defines.

use super::lines::TextPosition;

/// The text is not XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct XmlError {
    /// The place of the fault.
    pub place: TextPosition,
    /// The fault.
    pub problem: &'static str,
}

/// A part of a text in XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    /// An element begins, which may be empty.
    Open(Element<'t>),
    /// An element ends.
    Close(&'t str),
    /// Characters, with or without entities, and the byte where they begin.
    Text(&'t str, usize),
    /// Characters that mean nothing else, and the byte where they begin.
    Raw(&'t str, usize),
}

/// An element with its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element<'t> {
    pub(crate) name: &'t str,
    attributes: &'t str,
    pub(crate) is_empty: bool,
}

/// The parts of a text.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parts<'t> {
    pub(crate) fn of(text: &'t str) -> Parts<'t> {
        Parts { text, at: 0 }
    }

    fn wrong<T>(&self, problem: &'static str) -> Result<T, XmlError> {
        let place = TextPosition::of(self.text, self.at);
        Err(XmlError { place, problem })
    }

    /// Returns the text between two marks. The first is at the current position.
    fn between(&mut self, start: &str, end: &str) -> Result<&'t str, XmlError> {
        let inside = &self.text[self.at + start.len()..];
        match inside.find(end) {
            Some(length) => {
                self.at += start.len() + length + end.len();
                Ok(&inside[..length])
            }
            None => self.wrong("this has no end"),
        }
    }

    /// The next part; nothing at the end of the text.
    pub(crate) fn next(&mut self) -> Result<Option<Part<'t>>, XmlError> {
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return Ok(None);
            }
            if !rest.starts_with('<') {
                let from = self.at;
                let length = rest.find('<').unwrap_or(rest.len());
                self.at += length;
                return Ok(Some(Part::Text(&rest[..length], from)));
            }
            if rest.starts_with("<!--") {
                self.between("<!--", "-->")?;
            } else if rest.starts_with("<![CDATA[") {
                let from = self.at + "<![CDATA[".len();
                return Ok(Some(Part::Raw(self.between("<![CDATA[", "]]>")?, from)));
            } else if rest.starts_with("<?") {
                self.between("<?", "?>")?;
            } else if rest.starts_with("<!") {
                self.declaration()?;
            } else if rest.starts_with("</") {
                return Ok(Some(Part::Close(self.between("</", ">")?.trim())));
            } else {
                return self.element().map(Some);
            }
        }
    }

    /// Passes a declaration such as `<!DOCTYPE a [<!ENTITY ...>]>`.
    fn declaration(&mut self) -> Result<(), XmlError> {
        let mut depth = 0_usize;
        for (at, c) in self.text[self.at..].char_indices() {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at += at + 1;
                return Ok(());
            }
        }
        self.wrong("this has no end")
    }

    fn element(&mut self) -> Result<Part<'t>, XmlError> {
        let inside = &self.text[self.at + 1..];
        let is_end = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '<');
        let length = inside.find(is_end).unwrap_or(inside.len());
        if length == 0 {
            return self.wrong("expected the name of an element");
        }
        let mut quote = None;
        let end = inside[length..].find(|c: char| match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                false
            }
            (Some(open), _) => {
                quote = Some(open).filter(|&open| open != c);
                false
            }
            (None, _) => matches!(c, '>' | '<'),
        });
        let Some(end) = end.map(|end| length + end) else {
            return self.wrong("this element has no end");
        };
        if inside[end..].starts_with('<') {
            return self.wrong("this element has no end");
        }
        self.at += 1 + end + 1;
        let attributes = &inside[length..end];
        let own = attributes.strip_suffix('/');
        Ok(Part::Open(Element {
            name: &inside[..length],
            attributes: own.unwrap_or(attributes),
            is_empty: own.is_some(),
        }))
    }

    /// The byte that comes next.
    pub(crate) fn at(&self) -> usize {
        self.at
    }
}

impl<'t> Element<'t> {
    /// The value of an attribute with its entities.
    pub(crate) fn raw(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            let (before, behind) = rest.split_once('=')?;
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, next) = behind[1..].split_once(quote)?;
            if before.trim() == name {
                return Some(value);
            }
            rest = next;
        }
    }

    /// The value of an attribute; nothing if it is empty or there is none.
    pub(crate) fn attribute(&self, name: &str) -> String {
        self.raw(name).map(unescaped).unwrap_or_default()
    }
}

/// Replaces the entities of a text. Unknown ones stay.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain.push_str(before);
        rest = behind;
        let entity = behind.split_once(';').filter(|(name, _)| name.len() < 10);
        let found = entity.and_then(|(name, next)| Some((character(name)?, next)));
        match found {
            Some((c, next)) => {
                plain.push(c);
                rest = next;
            }
            None => plain.push('&'),
        }
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str) -> Result<String, XmlError> {
        let mut parts = Parts::of(text);
        let mut found = String::new();
        while let Some(part) = parts.next()? {
            found += &match part {
                Part::Open(element) => format!("<{}{}>", element.name, element.attribute("a")),
                Part::Close(name) => format!("</{name}>"),
                Part::Text(text, _) => unescaped(text),
                Part::Raw(text, _) => text.to_owned(),
            };
        }
        Ok(found)
    }

    #[test]
    fn elements_texts_and_entities_are_read() {
        for (text, expected) in [
            (
                "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY y \"z\">]><x/>",
                "<x>",
            ),
            ("<x a='1>2' b=\"=\">t</x >", "<x1>2>t</x>"),
            (
                "<x b='a=1' a = \"&lt;&#228;&#xE4;&amp;amp;\"/>",
                "<x<ää&amp;>",
            ),
            (
                "<!-- <no> --><x>&unknown; & <![CDATA[<&amp;>]]></x>",
                "<x>&unknown; & <&amp;></x>",
            ),
        ] {
            assert_eq!(parts(text), Ok(expected.to_owned()), "{text}");
        }
        for (text, column) in [
            ("<x", 1),
            ("<x <y>", 1),
            ("a<!-- b", 2),
            ("<>", 1),
            ("<!x", 1),
        ] {
            let error = parts(text).unwrap_err();
            assert_eq!(error.place.column, column, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[<>/?!a='\"&; \\-\\[\\]]{0,30}", other in "\\PC*") {
            let _ = (parts(&text), parts(&other));
        }
    }
}
