//! What a page asks to be run: its fenced blocks as scenes to write and commands to type, or a reason why they cannot be.
//!
//! | fence | meaning |
//! |---|---|
//! | `sh` | every line that begins with `carom ` or `cargo run --release -- ` is run, in order, in a folder of the page's own, with `parts/` beside if it is named |
//! | `sh,peers`, `sh,data`, `sh,long` | shown only: needs other engines, measured data, or too much time |
//! | `sh,fails` | run, and every command must end with an error |
//! | `toml` | a whole scene: written to the file that its first line names as `# my.toml`, else to `scene.toml`, and checked |
//! | `toml,part` | a part of a scene, shown only |
//! | `rust` | a program; run as a test of the documentation of the crate that includes the page |
//! | `text` right after `sh` | what it prints: every line has to be in it, `…` standing for anything; times differ, so they are `…` |
//! | `text` elsewhere, `json`, `csv` | shown only |
//! | others | shown only, and marked `peers` |

use super::page::{Block, Page};

/// Marks of commands that are not run.
const NOT_RUN: [&str; 3] = ["peers", "data", "long"];

/// Languages that are only shown.
const SHOWN: [&str; 3] = ["text", "json", "csv"];

/// How commands begin, and what they begin with when they are run.
const PROGRAMS: [&str; 2] = ["carom ", "cargo run --release -- "];

/// The file of a scene that has no name.
const SCENE: &str = "scene.toml";

/// One thing to do, and the line of the page that it stands on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) line: usize,
    pub(crate) what: What,
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Write a scene and check it.
    Scene { file: String, text: String },
    /// Run a command that begins with `carom `.
    Command { line: String, fails: bool },
    /// See that the commands before it, from the last block of them, printed these lines.
    Printed { lines: Vec<String> },
}

/// What a page asks for, and what is wrong with its blocks.
pub(crate) fn of(page: &Page) -> (Vec<Action>, Vec<String>) {
    let mut actions = Vec::new();
    let mut problems = Vec::new();
    // The line after which commands end; what follows at once is what they print.
    let mut commands_end = None;
    for block in page.blocks() {
        let follows = commands_end.is_some_and(|end| block.line <= end + 2);
        if block.language == "text" && follows {
            let lines = block.lines.iter().map(|line| (*line).to_owned()).collect();
            actions.push(Action { line: block.line, what: What::Printed { lines } });
        }
        let found = of_block(&block);
        let has_commands = block.language == "sh" && found.as_ref().is_ok_and(|it| !it.is_empty());
        commands_end = has_commands.then_some(block.line + block.lines.len() + 1);
        match found {
            Ok(found) => actions.extend(found),
            Err(problem) => problems.push(format!("{}:{}: {problem}", page.path, block.line)),
        }
    }
    (actions, problems)
}

fn of_block(block: &Block<'_>) -> Result<Vec<Action>, String> {
    match block.language {
        "sh" => {
            let known = |mark: &&str| NOT_RUN.contains(mark) || *mark == "fails";
            if let Some(odd) = block.marks.iter().find(|mark| !known(mark)) {
                return Err(format!("`sh,{odd}` means nothing\nhint: peers, data, long or fails"));
            }
            let shown = block.marks.iter().any(|mark| NOT_RUN.contains(mark));
            Ok(if shown { Vec::new() } else { commands(block) })
        }
        "toml" if block.marks.contains(&"part") => Ok(Vec::new()),
        "toml" => scene(block).map(|action| vec![action]),
        "rust" => Ok(Vec::new()),
        language if SHOWN.contains(&language) || block.marks.contains(&"peers") => Ok(Vec::new()),
        "" => Err("a block without a language\nhint: ```text for what is only shown".to_owned()),
        other => Err(format!("`{other}` is not run here\nhint: mark it ```{other},peers")),
    }
}

/// The commands of a block; a backslash at its end joins a line with the next.
fn commands(block: &Block<'_>) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut lines = block.lines.iter().enumerate();
    while let Some((i, line)) = lines.next() {
        let mut joined = (*line).to_owned();
        while let Some(begun) = joined.strip_suffix('\\') {
            let next = lines.next().map_or("", |(_, next)| next.trim_start());
            joined = format!("{begun}{next}");
        }
        let typed = PROGRAMS.iter().find_map(|program| joined.strip_prefix(program));
        if let Some(words) = typed {
            let line = format!("carom {words}");
            let fails = block.marks.contains(&"fails");
            actions.push(Action { line: block.line + 1 + i, what: What::Command { line, fails } });
        }
    }
    actions
}

fn scene(block: &Block<'_>) -> Result<Action, String> {
    let first = block.lines.first().copied().unwrap_or_default();
    let named = first.strip_prefix("# ").filter(|name| is_file_name(name));
    let is_whole = named.is_some() || first.replace(' ', "") == "format=1";
    if !is_whole {
        let hint = "hint: begin it with `format = 1` or `# name.toml`, or mark it ```toml,part";
        return Err(format!("a scene that is not whole\n{hint}"));
    }
    let file = named.unwrap_or(SCENE).to_owned();
    let text = block.lines.join("\n") + "\n";
    Ok(Action { line: block.line, what: What::Scene { file, text } })
}

/// True for a name such as `my.toml`, in this folder or one below it.
fn is_file_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    let has_stem = name.strip_suffix(".toml").is_some_and(|stem| !stem.is_empty());
    has_stem && name.chars().all(plain) && !name.contains("..") && !name.starts_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: usize, text: &str) -> Action {
        Action { line, what: What::Command { line: text.to_owned(), fails: false } }
    }

    #[test]
    fn commands_are_found_and_joined() {
        let text = "```sh\n# a remark\ncarom run a \\\n    --quiet\nls\ncargo run --release -- scenes\n```\n\
                    ```sh,long\ncarom run b\n```\n";
        let (actions, problems) = of(&Page::of("a.md", text));
        assert_eq!(actions, [command(3, "carom run a --quiet"), command(6, "carom scenes")]);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn scenes_are_written_where_they_say() {
        let text = "```toml\n# toss.toml\nformat = 1\n```\n```toml\nformat = 1\n```\n\
                    ```toml,part\n[world]\n```\n";
        let (actions, problems) = of(&Page::of("a.md", text));
        let files: Vec<&str> = actions
            .iter()
            .filter_map(|action| match &action.what {
                What::Scene { file, .. } => Some(file.as_str()),
                What::Command { .. } | What::Printed { .. } => None,
            })
            .collect();
        assert_eq!(files, ["toss.toml", "scene.toml"]);
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn blocks_that_cannot_be_run_are_told_with_their_place() {
        for (block, told) in [
            ("```\nx\n```", "a.md:1: a block without a language"),
            ("```toml\n[world]\n```", "a.md:1: a scene that is not whole"),
            ("```sh,slow\n```", "a.md:1: `sh,slow` means nothing"),
            ("```python\n```", "a.md:1: `python` is not run here"),
        ] {
            let (_, problems) = of(&Page::of("a.md", block));
            assert_eq!(problems.len(), 1, "{block}");
            assert!(problems[0].starts_with(told), "{problems:?}");
        }
        let (_, problems) = of(&Page::of("a.md", "```python,peers\n```\n```json\n```"));
        assert!(problems.is_empty(), "{problems:?}");
    }

    #[test]
    fn files_stay_in_the_folder_of_the_page() {
        assert!(is_file_name("parts/a_1.toml"));
        for name in ["../a.toml", "/a.toml", "a b.toml", ".toml", "a.csv"] {
            assert!(!is_file_name(name), "{name}");
        }
    }

    #[test]
    fn what_stands_right_below_commands_is_what_they_print() {
        let text =
            "```sh\ncarom run a\n```\n\n```text\nfine\n```\n\nProse.\n\n```text\nshown\n```\n";
        let (actions, problems) = of(&Page::of("p.md", text));
        assert!(problems.is_empty() && actions.len() == 2, "{actions:?}");
        assert_eq!(actions[1].what, What::Printed { lines: vec!["fine".to_owned()] });
    }
}
