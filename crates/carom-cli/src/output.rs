//! Writing: answers to standard output, talk to standard error.

use std::io::{self, Write};

use serde::Serialize;

/// Writes an answer.
pub(crate) fn answer(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Writes an answer for machines.
pub(crate) fn answer_json(value: &impl Serialize) -> anyhow::Result<()> {
    answer(&serde_json::to_string_pretty(value)?)
}

/// Says something to the person. If nobody listens, nothing is lost.
pub(crate) fn talk(text: &str) {
    drop(writeln!(io::stderr().lock(), "{text}"));
}

/// Whether the reader of our output has gone away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}
