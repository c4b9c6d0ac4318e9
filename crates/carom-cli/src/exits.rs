//! How commands end: every exit status of every command, for help and manual pages.

/// What an exit status means.
type Meaning = (u8, &'static str);

/// What is the same everywhere, for the page of the program itself.
const ALL: &[Meaning] = &[
    (0, "done"),
    (1, "a check failed"),
    (2, "it could not be done, or was typed wrongly"),
    (130, "interrupted"),
];

/// Of commands that only print.
const PRINTS: &[Meaning] =
    &[(0, "done"), (2, "standard output cannot be written, or a word is not known")];

/// Of each command, by the words that call it.
const COMMANDS: &[(&str, &[Meaning])] = &[
    (
        "run",
        &[
            (0, "done, and all expectations are met"),
            (
                1,
                "the scene has mistakes, an expectation fails, an audit finds fault, or a recording's hash does not come \
                 out again",
            ),
            (2, "something cannot be read or written, or the run breaks down"),
            (130, "interrupted; what was being written is closed and can be used"),
        ],
    ),
    (
        "view",
        &[
            (0, "ended by Ctrl-C"),
            (2, "there is nothing of that name, the page is not built in, or the port is taken"),
        ],
    ),
    (
        "render",
        &[
            (0, "done"),
            (1, "the scene has mistakes"),
            (2, "something cannot be read or written, ffmpeg is missing, or the run breaks down"),
            (130, "interrupted; an animation ends there, other pictures are not written"),
        ],
    ),
    (
        "sweep",
        &[
            (0, "done, and all expectations of all runs are met"),
            (1, "a run failed, an expectation is not met, or the scene has mistakes"),
            (2, "the sweep could not be made"),
            (130, "interrupted; with --output the same command goes on from there"),
        ],
    ),
    (
        "compare",
        &[
            (
                0,
                "done, and under every regime that runs the scene all expectations that it is asked are met",
            ),
            (
                1,
                "the scene has mistakes, an expectation that was asked fails under some regime, an audit finds fault, or a \
                 regime breaks down",
            ),
            (2, "something cannot be read or written, or every regime refuses the scene"),
            (130, "interrupted; nothing is written"),
        ],
    ),
    (
        "plot",
        &[
            (0, "done"),
            (2, "a recording cannot be read, the file not be written, or there is nothing to show"),
            (130, "interrupted; nothing is written"),
        ],
    ),
    (
        "export",
        &[
            (0, "done"),
            (2, "the recording cannot be read or the file not be written"),
            (130, "interrupted; what was begun is removed"),
        ],
    ),
    (
        "import",
        &[
            (0, "done"),
            (1, "the robot has mistakes, or the scene made of it has"),
            (2, "the file cannot be read, the scene not be written, or a joint is not there"),
            (130, "interrupted; what was begun is removed"),
        ],
    ),
    (
        "check",
        &[
            (0, "the scene has no errors, but perhaps warnings"),
            (1, "it has errors"),
            (2, "it cannot be read"),
        ],
    ),
    ("new", &[(0, "done"), (2, "the file is there already, or cannot be written")]),
    (
        "distance",
        &[
            (0, "done"),
            (1, "the scene has mistakes"),
            (2, "the scene cannot be read, a body is not there, or the run breaks down"),
            (130, "interrupted"),
        ],
    ),
    ("scenes", PRINTS),
    ("schema", PRINTS),
    (
        "mass",
        &[
            (0, "done"),
            (1, "the mesh does not bound a solid"),
            (2, "the file cannot be read"),
            (130, "interrupted"),
        ],
    ),
    ("study", STUDY),
    ("study cube-toss", STUDY),
    ("study elbow-toss", STUDY),
    ("study planar-impacts", STUDY),
    ("study exploding-text", STUDY),
    (
        "bench",
        &[
            (0, "done"),
            (2, "the program that measures is not built, or failed"),
            (130, "interrupted"),
        ],
    ),
    (
        "validate",
        &[
            (0, "all rows pass, or lack their data"),
            (1, "a row fails"),
            (2, "there is no such row, or no such folder"),
            (130, "interrupted"),
        ],
    ),
    ("completions", PRINTS),
    ("man", &[(0, "done"), (2, "there is no such page, or a file cannot be written")]),
    ("licenses", PRINTS),
];

const STUDY: &[Meaning] =
    &[(0, "done"), (2, "the data is not there, or a run broke down"), (130, "interrupted")];

/// What the exit statuses of a command mean, called by the words after the name of the program.
pub(crate) fn of(words: &str) -> &'static [Meaning] {
    COMMANDS.iter().find(|(known, _)| *known == words).map_or(ALL, |(_, meanings)| meanings)
}

/// In one paragraph.
fn paragraph(meanings: &[Meaning]) -> String {
    let parts: Vec<String> =
        meanings.iter().map(|(code, meaning)| format!("{code} {meaning}")).collect();
    format!("Exit status: {}.", parts.join("; "))
}

/// A command whose help, and that of all commands below it, ends with what exit statuses mean.
pub(crate) fn documented(command: clap::Command) -> clap::Command {
    with_paragraphs(command, "")
}

fn with_paragraphs(command: clap::Command, words: &str) -> clap::Command {
    let told = command.get_after_help().map_or_else(String::new, |text| format!("{text}\n\n"));
    let command = command.after_help(format!("{told}{}", paragraph(of(words))));
    command.mut_subcommands(|sub| {
        let words = format!("{words} {}", sub.get_name());
        with_paragraphs(sub, words.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that call every command.
    fn all(command: &clap::Command, words: &str, found: &mut Vec<String>) {
        let shown = |sub: &&clap::Command| sub.get_name() != "help" && !sub.is_hide_set();
        for sub in command.get_subcommands().filter(shown) {
            let words = format!("{words} {}", sub.get_name()).trim_start().to_owned();
            all(sub, &words, found);
            found.push(words);
        }
    }

    #[test]
    fn every_command_has_its_statuses_and_no_others_are_listed() {
        let mut found = Vec::new();
        all(&crate::args::command(), "", &mut found);
        for words in &found {
            assert!(COMMANDS.iter().any(|(known, _)| known == words), "{words} is missing");
        }
        for (known, meanings) in COMMANDS {
            assert!(found.iter().any(|words| words == known), "there is no command {known}");
            assert!(meanings.is_sorted_by_key(|(code, _)| code), "{known}");
        }
    }
}
