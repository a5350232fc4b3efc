//! The help of the program: its commands in groups, and examples. Clap has one list of all
//! commands, in the order of their declarations.

use super::exit;
use clap::Command;
use std::fmt::Write;

/// The groups of commands. The README and docs/README.md have the same.
pub(super) const GROUPS: &[(&str, &[&str])] = &[
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
