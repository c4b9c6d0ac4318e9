//! `carom man`: manual pages, made of what `--help` is made of.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::output::{answer, talk};
use crate::suggest::nearest;
use crate::{Outcome, args, exits, reference};

/// Write manual pages
///
/// Without DIR, one page goes to standard output; with it, the pages of all commands go to that folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  carom man | man -l -
  carom man --page run | man -l -
  carom man ~/.local/share/man/man1    then `man carom-run` shows the same
  carom man --markdown > commands.md")]
pub(crate) struct ManOptions {
    /// Folder for carom.1, carom-run.1 and so on; it is made if it is not there
    #[arg(conflicts_with = "page")]
    dir: Option<PathBuf>,
    /// Command whose page is printed, such as run, or study-cube-toss [default: the program's]
    #[arg(long, value_name = "COMMAND")]
    page: Option<String>,
    /// Print the reference of all commands in Markdown instead
    #[arg(long, conflicts_with_all = ["dir", "page"])]
    markdown: bool,
}

/// An apostrophe that every kind of roff draws as one.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// A manual page.
struct Page {
    /// As in `man carom-run`.
    name: String,
    text: String,
}

pub(crate) fn run(options: &ManOptions) -> anyhow::Result<Outcome> {
    if options.markdown {
        return reference::print();
    }
    let pages = pages()?;
    match &options.dir {
        Some(folder) => write(&pages, folder)?,
        None => answer(&wanted(&pages, options.page.as_deref())?.text)?,
    }
    Ok(Outcome::Done)
}

fn write(pages: &[Page], folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for page in pages {
        let path = folder.join(format!("{}.1", page.name));
        std::fs::write(&path, &page.text)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    talk(&format!("{} pages written to {}", pages.len(), folder.display()));
    Ok(())
}

/// The page of a command, whose words may stand apart.
fn wanted<'a>(pages: &'a [Page], command: Option<&str>) -> anyhow::Result<&'a Page> {
    let words = command.unwrap_or("carom").replace(' ', "-");
    let short = |page: &'a Page| page.name.strip_prefix("carom-").unwrap_or(&page.name);
    let found = pages.iter().find(|page| page.name == words || short(page) == words);
    found.ok_or_else(|| {
        let names: Vec<&str> = pages.iter().map(short).collect();
        let hint = match nearest(&words, names.iter().copied()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", names.join(", ")),
        };
        anyhow!("there is no page of '{words}'\nhint: {hint}")
    })
}

/// The pages of all commands, the program's first.
fn pages() -> anyhow::Result<Vec<Page>> {
    let mut command = args::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, "", &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, words: &str, pages: &mut Vec<Page>) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    pages.push(Page { name, text: page(command, words)? });
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let words = format!("{words} {}", sub.get_name());
        add_pages(sub, words.trim_start(), pages)?;
    }
    Ok(())
}

fn page(command: &Command, words: &str) -> anyhow::Result<String> {
    let man = Man::new(command.clone());
    let mut out = Vec::new();
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut roff = Roff::new();
    let mut heading = "";
    for paragraph in after.split("\n\n").filter(|it| !it.starts_with("Exit status")) {
        heading = add_paragraph(&mut roff, heading, paragraph);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in exits::of(words) {
        roff.control("TP", []);
        roff.text([bold(code.to_string())]);
        roff.text([roman(*meaning)]);
    }
    add_others(&mut roff, command);
    roff.to_writer(&mut out)?;
    // Every part comes with what only has to be said once.
    let text = String::from_utf8(out)?.replace(PREAMBLE, "");
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let version = env!("CARGO_PKG_VERSION");
    let title = format!(".TH \"{}\" 1 \"\" \"carom {version}\" \"Carom\"\n", name.to_uppercase());
    Ok(format!("{PREAMBLE}{title}{text}"))
}

/// A paragraph that begins with its heading becomes a section, one without goes on with the notes; lines that are laid
/// out stay as they are. Gives the heading that it stands under.
fn add_paragraph<'a>(roff: &mut Roff, before: &str, paragraph: &'a str) -> &'a str {
    let (heading, rest) = match paragraph.split_once(':') {
        Some((heading, rest)) if is_heading(heading) => (heading, rest),
        _ => ("Notes", paragraph),
    };
    if heading == before {
        roff.control("PP", []);
    } else {
        roff.control("SH", [heading.to_uppercase().as_str()]);
    }
    let is_laid_out = rest.lines().any(|line| line.starts_with("  "));
    if !is_laid_out {
        let words: Vec<&str> = rest.split_whitespace().collect();
        roff.text([roman(words.join(" "))]);
        return heading;
    }
    roff.control("nf", []);
    for line in rest.trim_start_matches('\n').lines() {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    heading
}

fn is_heading(text: &str) -> bool {
    text.len() < 30 && text.chars().all(|c| c.is_alphanumeric() || c == ' ')
}

/// Pages to read next.
fn add_others(roff: &mut Roff, command: &Command) {
    let name = command.get_display_name().unwrap_or_default();
    let subs = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set())
        .filter_map(Command::get_display_name);
    let above = name.rsplit_once('-').map(|_| "carom");
    let others: Vec<String> = above.into_iter().chain(subs).map(|it| format!("{it}(1)")).collect();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(others.join(", "))]);
}
