//! Writing: answers to standard output, talk to standard error.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;
use serde::Serialize;

/// Writes an answer.
pub(crate) fn answer(text: &str) -> anyhow::Result<()> {
    match write_line(text) {
        // A reader that has seen enough, such as `head`, is no failure of ours, and changes no verdict.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

fn write_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes an answer for machines.
pub(crate) fn answer_json(value: &impl Serialize) -> anyhow::Result<()> {
    answer(&serde_json::to_string_pretty(value)?)
}

/// Says something to the person. If nobody listens, nothing is lost.
pub(crate) fn talk(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// Whether standard error may be coloured: on a terminal, unless NO_COLOR says otherwise.
pub(crate) fn colors() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Columns that an answer may take: those of the terminal it goes to, or of the variable COLUMNS there; none elsewhere.
pub(crate) fn width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let named = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    named.or_else(seen).filter(|width| *width > 0)
}

/// An error with its causes, none said twice, and what to do about it last.
pub(crate) fn explained(error: &anyhow::Error) -> String {
    let mut message = String::new();
    let mut hints = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string();
        let (what, hint) = text.split_once("\nhint: ").unwrap_or((&text, ""));
        if !message.contains(what) {
            if !message.is_empty() {
                message += ": ";
            }
            message += what;
        }
        if !hint.is_empty() {
            hints.push(hint.to_owned());
        }
    }
    for hint in hints {
        message += &format!("\nhint: {hint}");
    }
    message
}

/// A number of things, such as 1 pair and 2 pairs.
pub(crate) fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::explained;

    #[test]
    fn causes_are_said_once_and_hints_come_last() {
        let inner = anyhow!("no such file");
        let middle =
            inner.context("cannot read x.bin: no such file\nhint: keep it beside the model");
        let outer = middle.context("x.gltf");
        let text = "x.gltf: cannot read x.bin: no such file\nhint: keep it beside the model";
        assert_eq!(explained(&outer), text);
    }
}
