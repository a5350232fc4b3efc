//! The feed of a person's correspondence games: an Atom document.

/// An entry of a feed. Times are texts as in `2026-12-01T09:30:00Z`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FeedEntry {
    /// The part of the id that no other entry has.
    pub(super) id: String,
    pub(super) title: String,
    /// The part of the link after the address of the page.
    pub(super) link: String,
    pub(super) updated: String,
    pub(super) summary: String,
}

/// The feed of a person with this name as XML, where others know the page by `address`. `secret` is
/// in the address of the feed itself.
pub(super) fn atom(name: &str, secret: &str, address: &str, entries: &[FeedEntry]) -> String {
    let updated = entries.iter().map(|entry| &*entry.updated).max();
    let updated = updated.unwrap_or("1970-01-01T00:00:00Z");
    let (name, address) = (escaped(name), escaped(address));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>urn:quincunx:feed:{secret}</id>\n\
         <title>Quincunx: games of {name}</title>\n\
         <author><name>Quincunx</name></author>\n\
         <updated>{updated}</updated>\n\
         <link rel=\"self\" href=\"{address}feed/{secret}.atom\"/>\n\
         <link rel=\"alternate\" href=\"{address}#my-games\"/>\n"
    );
    for entry in entries {
        let [id, title, link, summary] =
            [&entry.id, &entry.title, &entry.link, &entry.summary].map(|part| escaped(part));
        text.push_str(&format!(
            "<entry>\n<id>urn:quincunx:{id}</id>\n<title>{title}</title>\n\
             <updated>{}</updated>\n<link href=\"{address}{link}\"/>\n\
             <summary>{summary}</summary>\n</entry>\n",
            entry.updated
        ));
    }
    text.push_str("</feed>\n");
    text
}

/// A text as the content of an XML element or attribute. Characters that XML does not have are left
/// out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => {}
            character if character.is_control() => {}
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text() {
        let name = "<b>\"A\u{1}nna\" & 'co'\u{ffff}</b>";
        let expected = "&lt;b&gt;&quot;Anna&quot; &amp; &#39;co&#39;&lt;/b&gt;";
        assert_eq!(escaped(name), expected);
        let entry = FeedEntry {
            id: "1".to_owned(),
            title: name.to_owned(),
            link: "#1".to_owned(),
            updated: "2026-12-01T09:30:00Z".to_owned(),
            summary: String::new(),
        };
        let text = atom(name, "00", "http://localhost/", &[entry]);
        assert_eq!(text.matches(expected).count(), 2);
        assert_eq!(
            text.matches("<updated>2026-12-01T09:30:00Z</updated>")
                .count(),
            2
        );
    }
}
