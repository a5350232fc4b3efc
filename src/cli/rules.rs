//! Rules on the command line: a name that help, completions and errors list.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use quincunx_engine::rules::Rule;

/// Parses the name of a rule.
pub(crate) fn rule() -> impl TypedValueParser<Value = Rule> {
    let names = Rule::ALL.map(Rule::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Rule>())
}
