//! The reference of all commands as Markdown, from the same definitions that read the command line.
//!
//! `carom man --markdown` prints it, and `cargo xtask book` writes it into the manual; so what the manual says can be
//! typed, and what can be typed is in the manual.

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, CommandFactory};

use crate::args::Arguments;
use crate::help::wrapped_to;
use crate::{Outcome, output};

/// Options that every command has and that explain themselves.
const EVERYWHERE: [&str; 2] = ["help", "version"];

/// Prints the page, without a title.
pub(crate) fn print() -> anyhow::Result<Outcome> {
    output::answer(&page(Arguments::command()))?;
    Ok(Outcome::Done)
}

fn page(mut program: Command) -> String {
    // Names of commands within commands and their usages are known only after this.
    program.build();
    let mut text = introduction(&program);
    for command in shown(&program) {
        text += &section(command, "carom", 2);
    }
    text
}

/// What the program is, its exit status, and a list of its commands.
fn introduction(program: &Command) -> String {
    let mut text = String::new();
    text += &paragraphs(program.get_long_about().or(program.get_about()));
    text += "| command | what it does |\n|---|---|\n";
    for command in shown(program) {
        let (name, anchor) = (command.get_name(), format!("carom-{}", command.get_name()));
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text += &format!("| [`carom {name}`](#{anchor}) | {} |\n", cell(&about));
    }
    text += "\nAll have `--help`; `carom --version` prints version and commit.\n\n";
    text += &after(program);
    text
}

/// Commands that people are told of.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help")
}

fn section(command: &Command, parent: &str, level: usize) -> String {
    let path = format!("{parent} {}", command.get_name());
    let mut text = format!("{} {path}\n\n", "#".repeat(level));
    text += &paragraphs(command.get_long_about().or(command.get_about()));
    let usage = command.clone().render_usage().to_string();
    text += &format!("```text\n{}\n```\n\n", usage.trim().trim_start_matches("Usage: "));
    let arguments: Vec<&Arg> = command
        .get_arguments()
        .filter(|one| !one.is_hide_set() && !EVERYWHERE.contains(&one.get_id().as_str()))
        .collect();
    if !arguments.is_empty() {
        text += "| word | meaning |\n|---|---|\n";
        for argument in arguments {
            text += &format!("| `{}` | {} |\n", spelling(argument), meaning(argument));
        }
        text += "\n";
    }
    text += &after(command);
    for inner in shown(command) {
        text += &section(inner, &path, level + 1);
    }
    text
}

/// Columns of what stands below the options.
const WIDTH: usize = 100;

/// Examples and remarks below the options, as they are laid out.
fn after(command: &Command) -> String {
    let Some(help) = command.get_after_long_help().or(command.get_after_help()) else {
        return String::new();
    };
    let is_laid_out = |paragraph: &str| paragraph.lines().any(|line| line.starts_with("  "));
    let broken = |paragraph: &str| {
        if is_laid_out(paragraph) { paragraph.to_owned() } else { wrapped_to(paragraph, WIDTH) }
    };
    let paragraphs: Vec<String> = help.to_string().trim_end().split("\n\n").map(broken).collect();
    format!("```text\n{}\n```\n\n", paragraphs.join("\n\n"))
}

/// An option as it is typed.
fn spelling(argument: &Arg) -> String {
    let values = values(argument);
    let names: Vec<String> = argument
        .get_short()
        .map(|letter| format!("-{letter}"))
        .into_iter()
        .chain(argument.get_long().map(|word| format!("--{word}")))
        .collect();
    let typed = match (names.is_empty(), values.is_empty()) {
        (true, _) => values,
        (false, true) => names.join(", "),
        (false, false) => format!("{} {values}", names.join(", ")),
    };
    typed.replace('|', r"\|")
}

fn values(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let named = argument.get_value_names().unwrap_or_default().join(" ");
    let named = if named.is_empty() { argument.get_id().to_string().to_uppercase() } else { named };
    let least = argument.get_num_args().map_or(1, |range| range.min_values());
    let more = if matches!(argument.get_action(), ArgAction::Append) && argument.is_positional() {
        "…"
    } else {
        ""
    };
    if least == 0 || (argument.is_positional() && !argument.is_required_set()) {
        format!("[{named}{more}]")
    } else {
        format!("{named}{more}")
    }
}

/// What it does, its default and what it can be.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = cell(&help.map(ToString::to_string).unwrap_or_default());
    let takes = argument.get_action().takes_values();
    let choices: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|_| takes)
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !choices.is_empty() {
        text += &format!(". One of {}", choices.join(", "));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .filter(|_| takes)
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if !defaults.is_empty() {
        text += &format!(". By default {}", defaults.join(", "));
    }
    text
}

/// A help text as paragraphs, each line one.
fn paragraphs(text: Option<&StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    let lines: Vec<String> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| format!("{}\n\n", escaped(line)))
        .collect();
    lines.concat()
}

/// A text in one cell of a table.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    escaped(&line).replace('|', r"\|")
}

/// Text whose signs mean themselves; what stands between backticks stays as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (i, piece) in text.split('`').enumerate() {
        if i > 0 {
            escaped.push('`');
        }
        let is_code = i % 2 == 1;
        for letter in piece.chars() {
            if !is_code && matches!(letter, '*' | '_' | '<' | '[' | ']' | '\\') {
                escaped.push('\\');
            }
            escaped.push(letter);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_every_option_is_in_the_reference() {
        let text = page(Arguments::command());
        let mut program = Arguments::command();
        program.build();
        for command in shown(&program) {
            assert!(text.contains(&format!("\n## carom {}\n", command.get_name())), "{text}");
            for word in command.get_arguments().filter_map(Arg::get_long) {
                let known = EVERYWHERE.contains(&word) || text.contains(&format!("--{word}"));
                assert!(known, "{} --{word} is missing", command.get_name());
            }
        }
        assert!(text.contains("### carom study cube-toss"), "{text}");
    }

    #[test]
    fn signs_of_markdown_mean_themselves_outside_code() {
        assert_eq!(escaped("a_b `c_d` <E> [f]"), r"a\_b `c_d` \<E> \[f\]");
        assert_eq!(cell("a | b\nc"), r"a \| b c");
    }
}
