//! The words after `cargo xtask`, and what they ask for.

use crate::book::Wishes;

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    List,
    /// Write the notices of third parties anew.
    Notices,
    Test(Choice),
    Book(Wishes),
}

/// Which steps to run, and how loudly.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Names of steps; all steps when empty.
    pub(crate) only: Vec<String>,
    pub(crate) verbose: bool,
}

/// What `--help` prints.
pub(crate) const USAGE: &str = "\
The commands of the project itself.

Usage:
  cargo xtask test [--only NAME]... [--verbose]   run every check, or only the named ones
  cargo xtask test --list                         list the checks
  cargo xtask NAME [--verbose]                    the same as `test --only NAME`
  cargo xtask book [OPTION]...                    write pages of the manual that the program can write
  cargo xtask notices                             write the notices of third parties anew
  cargo xtask --help                              this text

Examples:
  cargo xtask test                                all that has to pass before a change is sent
  cargo xtask test --only tests --only doctests   the Rust tests and nothing else
  cargo xtask licences --verbose                  one check, with its output

Options of `book`, which writes the pages of keys and commands in any case:
  --gallery           run all scenes and write the gallery
  --pictures          take the pictures of the gallery, by `carom render`
  --picture SCENE     take one of them
  --validation FILE   the page of reference cases, from what `carom validate --json` printed
  --benchmarks        the page of benchmarks, from the notes in `bench`
  --bench FILE        the same, with the table of what `carom bench --json` printed

The last line is `N passed, N failed, N skipped`. Exit codes: 0 all fine, 1 something failed, 2 bad use.
With CI=true in the environment a skipped check is a failure too.
";

const OPTIONS: &[&str] = &["--only", "--list", "--verbose", "--help"];

/// Reads the words; the error is a message for whoever typed them.
pub(crate) fn parse(words: &[String], steps: &[&str]) -> Result<Request, String> {
    let Some((first, rest)) = words.split_first() else {
        return Err("say what to do, such as `cargo xtask test`".to_owned());
    };
    match first.as_str() {
        "help" | "--help" | "-h" => Ok(Request::Help),
        "notices" if rest.is_empty() => Ok(Request::Notices),
        "notices" => Err("`notices` takes no options".to_owned()),
        "test" => parse_options(rest, steps, Choice::default()),
        "book" => parse_book(rest),
        name if steps.contains(&name) => {
            let choice = Choice { only: vec![name.to_owned()], verbose: false };
            parse_options(rest, steps, choice)
        }
        other => {
            let mut choices = vec!["test", "book", "notices", "--help"];
            choices.extend(steps);
            Err(unknown("command", other, &choices))
        }
    }
}

fn parse_options(words: &[String], steps: &[&str], mut choice: Choice) -> Result<Request, String> {
    let mut words = words.iter().map(String::as_str);
    let mut lists = false;
    while let Some(word) = words.next() {
        match word {
            "--help" | "-h" => return Ok(Request::Help),
            "--list" => lists = true,
            "--verbose" | "-v" => choice.verbose = true,
            "--only" => {
                let name = words.next().ok_or("`--only` needs the name of a step after it")?;
                choice.only.push(step_name(name, steps)?);
            }
            _ => match word.strip_prefix("--only=") {
                Some(name) => choice.only.push(step_name(name, steps)?),
                None => return Err(unknown("option", word, OPTIONS)),
            },
        }
    }
    Ok(if lists { Request::List } else { Request::Test(choice) })
}

/// Options of `book`.
const BOOK_OPTIONS: &[&str] =
    &["--gallery", "--pictures", "--picture", "--validation", "--benchmarks", "--bench", "--help"];

fn parse_book(words: &[String]) -> Result<Request, String> {
    let mut wishes = Wishes::default();
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or(format!("`{word}` needs a word after it"));
        match word {
            "--help" | "-h" => return Ok(Request::Help),
            "--gallery" => wishes.gallery = true,
            "--benchmarks" => wishes.benchmarks = true,
            "--pictures" => wishes.pictures = Some(Vec::new()),
            "--picture" => wishes.pictures.get_or_insert_default().push(next()?.to_owned()),
            "--validation" => wishes.validation = Some(next()?.into()),
            "--bench" => wishes.bench = Some(next()?.into()),
            other => return Err(unknown("option", other, BOOK_OPTIONS)),
        }
    }
    Ok(Request::Book(wishes))
}

fn step_name(name: &str, steps: &[&str]) -> Result<String, String> {
    if steps.contains(&name) { Ok(name.to_owned()) } else { Err(unknown("step", name, steps)) }
}

fn unknown(kind: &str, word: &str, choices: &[&str]) -> String {
    let nearest = choices.iter().min_by_key(|choice| edit_distance(word, choice));
    match nearest {
        // Half of the word may be wrong; beyond that a guess would puzzle.
        Some(near) if edit_distance(word, near) * 2 <= near.len() => {
            format!("unknown {kind} `{word}`\nhint: did you mean `{near}`?")
        }
        _ => format!("unknown {kind} `{word}`\nhint: choose from {}", choices.join(", ")),
    }
}

/// Least number of letters to insert, delete or replace to turn one word into the other.
fn edit_distance(from: &str, to: &str) -> usize {
    // Distances from the part of `from` read so far to every beginning of `to`.
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words, &["tests", "licences"])
    }

    fn chosen(only: &[&str], verbose: bool) -> Request {
        Request::Test(Choice { only: only.iter().map(|&name| name.to_owned()).collect(), verbose })
    }

    #[test]
    fn words_are_read() {
        assert_eq!(parsed("test"), Ok(chosen(&[], false)));
        assert_eq!(parsed("test --only tests -v"), Ok(chosen(&["tests"], true)));
        assert_eq!(
            parsed("test --only=tests --only licences"),
            Ok(chosen(&["tests", "licences"], false))
        );
        assert_eq!(parsed("licences --verbose"), Ok(chosen(&["licences"], true)));
        assert_eq!(parsed("test --list"), Ok(Request::List));
        assert_eq!(parsed("--help"), Ok(Request::Help));
        assert_eq!(parsed("test --help"), Ok(Request::Help));
        assert_eq!(parsed("notices"), Ok(Request::Notices));
        assert!(parsed("notices --verbose").is_err());
    }

    #[test]
    fn wishes_for_the_manual_are_read() {
        assert_eq!(parsed("book"), Ok(Request::Book(Wishes::default())));
        let wishes = Wishes {
            gallery: true,
            pictures: Some(vec!["coins".to_owned()]),
            validation: Some("rows.json".into()),
            ..Wishes::default()
        };
        let line = "book --gallery --picture coins --validation rows.json";
        assert_eq!(parsed(line), Ok(Request::Book(wishes)));
        assert!(parsed("book --validation").is_err());
        assert!(parsed("book --galery").unwrap_err().contains("`--gallery`"));
    }

    #[test]
    fn slips_are_answered_with_what_was_meant() {
        for (line, meant) in [
            ("tset", "`test`"),
            ("license", "`licences`"),
            ("test --verbos", "`--verbose`"),
            ("test --only licenses", "`licences`"),
        ] {
            let message = parsed(line).unwrap_err();
            assert!(message.contains("did you mean") && message.contains(meant), "{message}");
        }
        let message = parsed("test --only everything").unwrap_err();
        assert!(message.contains("choose from tests, licences"), "{message}");
    }

    #[test]
    fn incomplete_words_are_refused() {
        assert!(parsed("").is_err());
        assert!(parsed("test --only").is_err());
    }

    #[test]
    fn distances_count_single_letters() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", "abc"), 0);
        assert_eq!(edit_distance("licenses", "licences"), 1);
        assert_eq!(edit_distance("tset", "test"), 2);
    }
}
