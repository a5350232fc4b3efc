//! Features for the shell: the configuration, completions, the manual page, and suggestions for
//! mistyped subcommands.

mod config;

use super::{Cli, may_be_a_managers};
use anyhow::Result;
use clap::{CommandFactory, Subcommand};
use config::Config;
use quincunx_engine::gomocup::Info;
use std::ffi::OsString;
use std::io::{self, Write};

/// The name of the program.
const NAME: &str = "quincunx";

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Print completions for a shell
    ///
    /// The manual of the shell says where it reads them.
    #[command(
        after_long_help = "Example: quincunx completions bash > ~/.local/share/bash-completion/completions/quincunx"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_long_help = "Example: quincunx man > ~/.local/share/man/man1/quincunx.1")]
    Man,
}

impl Command {
    /// Prints the completions or the manual page.
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<()> {
        let mut text = Vec::new();
        match self {
            Command::Completions { shell } => {
                clap_complete::generate(*shell, &mut Cli::command(), NAME, &mut text);
            }
            Command::Man => manual(&mut text)?,
        }
        output.write_all(&text)?;
        Ok(())
    }
}

/// The manual page, with the program and each subcommand under its own name.
fn manual(output: &mut impl Write) -> io::Result<()> {
    let mut command = Cli::command();
    command.build();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(output)?;
    page.render_name_section(output)?;
    page.render_synopsis_section(output)?;
    page.render_description_section(output)?;
    page.render_options_section(output)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        writeln!(
            output,
            ".SH \"{} {}\"",
            NAME.to_uppercase(),
            sub.get_name().to_uppercase()
        )?;
        let page = clap_mangen::Man::new(sub.clone());
        page.render_synopsis_section(output)?;
        page.render_description_section(output)?;
        page.render_options_section(output)?;
    }
    page.render_extra_section(output)?;
    page.render_version_section(output)?;
    Ok(())
}

/// Enables escape sequences in a console. Terminals of other systems have them enabled.
#[cfg(not(unix))]
pub(super) fn obey_escape_sequences() {
    // One that can't is an old one, which shows them as they are.
    let _ = anstyle_query::windows::enable_ansi_colors();
}

/// The arguments with the defaults of the configuration, and its settings of the protocol.
pub(super) fn configured(arguments: Vec<OsString>) -> Result<(Vec<OsString>, Vec<Info>)> {
    let configured = Config::find(&arguments).and_then(|config| {
        let arguments = config.apply(&arguments, &Cli::command())?;
        Ok((arguments, config.settings()?))
    });
    match configured {
        // A manager must not be kept waiting by a file that no argument names.
        Err(_) if may_be_a_managers(&arguments) && !config::is_named(&arguments) => {
            Ok((arguments, Vec::new()))
        }
        configured => configured,
    }
}

/// Whether a word looks like a mistyped subcommand. The arguments that managers add do not.
pub(super) fn is_almost_a_subcommand(word: &str) -> bool {
    let command = Cli::command();
    let mut names = command.get_subcommands().map(|sub| sub.get_name());
    names.any(|name| {
        let slips = strsim::damerau_levenshtein(word, name);
        slips <= name.len() / 4
    })
}
