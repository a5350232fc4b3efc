//! The help of the program: its commands in groups, and examples. Clap has one list of all
//! commands, in the order of their declarations.

use super::exit;
use clap::Command;
use std::fmt::Write;

/// The groups of commands. The README and docs/README.md have the same.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["board", "play", "guest", "gravity"]),
    (
        "Analyse",
        &["analyse", "review", "solve", "puzzles", "render", "show"],
    ),
    (
        "Matches",
        &["match", "check", "openings", "ratings", "bench"],
    ),
    ("Games and books", &["book", "explore", "database"]),
    (
        "Training",
        &["selfplay", "fit", "train", "spsa", "merge", "dump"],
    ),
    ("Other", &["completions", "man", "help"]),
];

/// Examples, for the short help.
pub(super) const EXAMPLES: &str = "\
Examples:
  quincunx board                                  # play and analyse in the browser
  quincunx review game.sgf --html review.html     # find where a game was lost
  quincunx match --engine new=./new --engine old=./old --games 200 --turn 100ms --out run1

Without a command the program is the engine: type START 15, then BEGIN. `quincunx help COMMAND`
has the options of a command, and examples.";

/// Examples and exit codes, for the long help.
pub(super) fn after() -> String {
    format!("{EXAMPLES}\n\n{}", exit::CODES)
}

/// The command that clap adds itself.
const HELP: &str = "Print this message or the help of the given subcommand(s)";

/// Returns the command with its subcommands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let styles = command.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for &(group, names) in GROUPS {
        let mut lines = String::new();
        for &name in names {
            let about = match command.find_subcommand(name) {
                Some(found) => found.get_about().map(ToString::to_string),
                None => (name == "help").then(|| HELP.to_owned()),
            };
            if let Some(about) = about {
                let _ = writeln!(lines, "  {literal}{name:<11}{literal:#}  {about}");
            }
        }
        if !lines.is_empty() {
            let _ = write!(text, "\n{header}{group}:{header:#}\n{lines}");
        }
    }
    let _ = write!(
        text,
        "\n{header}Options of every command, unless they say otherwise:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(text)
}

#[cfg(all(
    test,
    feature = "arena",
    feature = "board",
    feature = "database",
    feature = "gravity",
    feature = "train"
))]
mod tests {
    use super::GROUPS;
    use crate::cli::Cli;
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let mut command = Cli::command();
        command.build();
        let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        let mut all: Vec<&str> = visible.map(|sub| sub.get_name()).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn the_examples_are_understood() {
        let examples = super::EXAMPLES.lines().map(str::trim);
        for line in examples.filter(|line| line.starts_with("quincunx ")) {
            let words = line.split('#').next().unwrap_or_default();
            Cli::try_parse_from(words.split_whitespace())
                .unwrap_or_else(|error| panic!("{line}\n{error}"));
        }
    }

    /// The README and the list of documents name the groups, in this order.
    #[test]
    fn the_documents_name_the_groups() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for page in ["README.md", "docs/README.md"] {
            let page = std::fs::read_to_string(root.join(page)).expect("the page");
            let mut rest = page.as_str();
            for (group, _) in GROUPS.iter().filter(|(group, _)| *group != "Other") {
                let row = format!("\n| {} |", group.to_lowercase());
                let found = rest.find(&row).unwrap_or_else(|| panic!("no {row}"));
                rest = &rest[found + 1..];
            }
        }
    }
}
