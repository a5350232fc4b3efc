//! HTML pages from Jinja templates.

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

/// Renders a Jinja template. Values are escaped as HTML, except with the filter `safe`.
///
/// # Panics
/// If the template is malformed, or names a value that is missing.
pub fn page(template: &str, values: impl Serialize) -> String {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let page = environment.render_named_str("page.html", template, values);
    page.expect("a template of the program has the values that it names")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_neither_markup_nor_a_template() {
        let values = [("name", "<b>&{{other}}"), ("svg", "<svg/>")];
        let values = std::collections::BTreeMap::from(values);
        let page = page("<p>{{ name }}</p>{{ svg|safe }}", values);
        assert_eq!(page, "<p>&lt;b&gt;&amp;{{other}}</p><svg/>");
    }
}
