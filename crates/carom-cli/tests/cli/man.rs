//! `carom man`: manual pages.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, carom, commands};

/// What is wrong with a page, by its structure.
fn fault(page: &str) -> Option<String> {
    let sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\""];
    let has = |section: &&&str| {
        let singular = section.trim_end_matches('S');
        page.lines()
            .any(|line| line == format!(".SH {section}") || line == format!(".SH {singular}"))
    };
    if let Some(missing) = sections.iter().find(|section| !has(section)) {
        return Some(format!("{missing} is missing"));
    }
    let is_known = |line: &str| {
        let request = line.split(' ').next().unwrap_or_default();
        [".TH", ".SH", ".TP", ".IP", ".PP", ".RS", ".RE", ".nf", ".fi", ".br", ".ie", ".el", ".ds"]
            .contains(&request)
    };
    let odd = |line: &&str| line.starts_with(['.', '\'']) && !is_known(line);
    page.lines().find(odd).map(|line| format!("an unknown request: {line}"))
}

#[test]
fn every_command_has_a_page_with_examples_and_exit_statuses() {
    let folder = Folder::new();
    let run = folder.carom(&["man", "pages/man1"]).ended(0);
    let commands = commands();
    run.said(&[&format!("{} pages written to pages/man1", commands.len())]);
    for words in commands {
        let name = format!("carom {words}").trim_end().replace(' ', "-");
        let page = folder.text(&format!("pages/man1/{name}.1"));
        assert_eq!(fault(&page), None, "{page}");
        assert!(
            page.contains(".TH ") && page.contains(&format!("\n{} \\- ", name.replace('-', "\\-"))),
            "{page}"
        );
        let printed = carom(&["man", "--page", if words.is_empty() { "carom" } else { &words }]);
        assert_eq!(printed.ended(0).out, page);
    }
}

#[test]
fn man_itself_finds_nothing_wrong_with_the_pages() {
    let folder = Folder::new();
    folder.carom(&["man", "."]).ended(0);
    // Whatever checks pages is not installed everywhere; the structure is looked at above.
    let checks = [
        ("/usr/bin/mandoc", &["-Tlint", "-Werror"][..]),
        ("/usr/bin/groff", &["-man", "-Kutf8", "-Tutf8", "-ww"]),
    ];
    for (program, words) in checks.into_iter().filter(|(program, _)| Path::new(program).exists()) {
        for page in ["carom.1", "carom-run.1", "carom-mass.1", "carom-study-cube-toss.1"] {
            let mut command = Command::new(program);
            command.args(words).arg(page).current_dir(folder.here()).stdin(Stdio::null());
            let output = command.output().expect("it is there");
            let talk = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && talk.is_empty(), "{program} {page}: {talk}");
        }
    }
}
