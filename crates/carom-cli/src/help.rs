//! Help that is made of the tables which the program itself goes by.

use carom_record::figures::COLUMN_NAMES;
use carom_scene::measure::{CONTACT_PARTS, JOINT_PARTS, LEDGER_PARTS, LINKAGE_PARTS, STATE_PARTS};
use carom_study::validate::GROUPS;

/// What follows the options of `carom run`: examples, events, measures, and keys of the JSON.
pub(crate) fn of_run() -> String {
    let state = STATE_PARTS.map(|(part, _)| part).join(" ");
    let contact = CONTACT_PARTS.map(|(part, _)| part).join(" ");
    let ledger = LEDGER_PARTS.join(" ");
    let joint = JOINT_PARTS.map(|(part, _)| part).join(" ");
    let text = include_str!("help/run.txt")
        .replace("JOINT_PARTS", &joint)
        .replace("LINKAGE_PARTS", &LINKAGE_PARTS.join(" "))
        .replace("STATE_PARTS", &state)
        .replace("LEDGER_PARTS", &ledger)
        .replace("CONTACT_PARTS", &contact);
    laid_out(&text)
}

/// What follows the options of `carom sweep`: examples, columns, plots, and keys of the JSON.
pub(crate) fn of_sweep() -> String {
    laid_out(include_str!("help/sweep.txt"))
}

/// What follows the options of `carom compare`: examples, what is compared, and keys of the JSON.
pub(crate) fn of_compare() -> String {
    laid_out(include_str!("help/compare.txt"))
}

/// What follows the options of `carom plot`: examples, figures and columns.
pub(crate) fn of_plot() -> String {
    let [state, ledger, contact] = COLUMN_NAMES.map(|names| names.join(" "));
    let text = include_str!("help/plot.txt")
        .replace("STATE_NAMES", &state)
        .replace("LEDGER_NAMES", &ledger)
        .replace("CONTACT_NAMES", &contact);
    laid_out(&text)
}

/// What follows the options of `carom render`: examples, colours and cameras, and keys of the JSON.
pub(crate) fn of_render() -> String {
    laid_out(include_str!("help/render.txt"))
}

/// What follows the options of `carom validate`: examples, and the groups.
pub(crate) fn of_validate() -> String {
    let widest = GROUPS.iter().map(|group| group.name.len()).max().unwrap_or_default();
    let line = |name: &str, about: &str| format!("  {name:widest$}  {about}\n");
    let groups: String = GROUPS.iter().map(|group| line(group.name, group.about)).collect();
    format!("{}\nGroups:\n{}", include_str!("help/validate.txt"), groups.trim_end())
}

/// What is indented, such as examples, as it is; every other paragraph as one line, which is broken where the terminal
/// ends.
pub(crate) fn laid_out(text: &str) -> String {
    let paragraph = |paragraph: &str| {
        if paragraph.lines().any(|line| line.starts_with("  ")) {
            return paragraph.trim_end().to_owned();
        }
        paragraph.split_whitespace().collect::<Vec<&str>>().join(" ")
    };
    text.split("\n\n").map(paragraph).collect::<Vec<String>>().join("\n\n")
}

/// A text in lines of at most so many columns, broken at spaces.
pub(crate) fn wrapped_to(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::measure::FUNCTIONS;

    #[test]
    fn help_names_every_word_of_measures_and_every_group() {
        let run = of_run();
        let words: Vec<&str> = run.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let parts = STATE_PARTS.iter().chain(&CONTACT_PARTS).chain(&JOINT_PARTS);
        let parts = parts.map(|(part, _)| *part).chain(LINKAGE_PARTS);
        let functions = FUNCTIONS.iter().map(|(name, _)| *name);
        for word in parts.chain(LEDGER_PARTS).chain(functions).chain(["end", "envelope"]) {
            assert!(words.contains(&word), "{word} is missing in:\n{run}");
        }
        let plot = of_plot();
        assert!(!plot.contains("_NAMES"), "{plot}");
        let validate = of_validate();
        assert!(GROUPS.iter().all(|group| validate.contains(group.name)), "{validate}");
    }

    #[test]
    fn prose_is_one_line_and_what_is_indented_stays() {
        let text = "Examples:\n  a\n  b\n\nProse that\ngoes on.";
        assert_eq!(laid_out(text), "Examples:\n  a\n  b\n\nProse that goes on.");
    }
}
