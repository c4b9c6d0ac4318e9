//! What no Rust source of the project may contain, whichever lints its crate has.

use crate::rust_text::code_only;

/// Modules of the standard library that do not exist everywhere.
const UNIX_ONLY: &[&str] = &["os::unix", "os::linux", "os::fd"];

/// Problems in the source of one file, each with its line.
pub(crate) fn problems(path: &str, source: &str) -> Vec<String> {
    let code = code_only(source);
    let lines: Vec<&str> = code.lines().collect();
    let mut problems = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let is_in_name = |c: char| c.is_alphanumeric() || c == '_';
        if line.split(|c| !is_in_name(c)).any(|word| word == "unsafe") {
            problems.push(format!(
                "{path}:{}: unsafe code\nhint: the project forbids it; find a safe way or a crate",
                i + 1
            ));
        }
        if UNIX_ONLY.iter().any(|module| line.contains(module)) && !is_guarded(&lines, i) {
            problems.push(format!(
                "{path}:{}: does not compile on every platform\n\
                 hint: put `#[cfg(unix)]` above the item and say what other platforms do",
                i + 1
            ));
        }
    }
    problems
}

/// True when line `i` belongs to an item, or a file, that is compiled on some platforms only.
fn is_guarded(lines: &[&str], i: usize) -> bool {
    lines[..i].iter().enumerate().any(|(guard, line)| {
        let text = line.trim_start();
        let names_platform =
            ["unix", "windows", "target_"].iter().any(|platform| text.contains(platform));
        names_platform
            && (text.starts_with("#![cfg(")
                || (text.starts_with("#[cfg(") && item_end(lines, guard) >= i))
    })
}

/// The last line of the item below an attribute. Formatted code is taken for granted: an item ends on
/// a line no deeper than its attribute.
fn item_end(lines: &[&str], attribute: usize) -> usize {
    let depth = indentation(lines[attribute]);
    let ends_item = |line: &&str| {
        let text = line.trim();
        !text.starts_with("#[")
            && indentation(line) <= depth
            && [';', '}', ','].iter().any(|&end| text.ends_with(end))
    };
    let below = &lines[attribute + 1..];
    below.iter().position(ends_item).map_or(lines.len(), |offset| attribute + 1 + offset)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forbidden_word_is_found_in_code_only() {
        let source = "//! No unsafe here.\n#![forbid(unsafe_code)]\nlet s = \"unsafe\";\n";
        assert_eq!(problems("a.rs", source), Vec::<String>::new());
        let found = problems("a.rs", "fn f() {\n    unsafe { g() }\n}\n");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.rs:2: unsafe code"), "{found:?}");
    }

    #[test]
    fn a_unix_module_needs_a_guard() {
        let found = problems("a.rs", "use std::os::unix::fs::PermissionsExt;\n");
        assert!(found[0].starts_with("a.rs:1: does not compile"), "{found:?}");
        let guarded = "#[cfg(unix)]\nuse std::os::unix::fs::PermissionsExt;\n";
        assert_eq!(problems("a.rs", guarded), Vec::<String>::new());
    }

    #[test]
    fn a_guard_covers_its_item_and_no_more() {
        let source = "\
#[cfg(unix)]
#[must_use]
fn f(
    a: u8,
) -> u8 {
    use std::os::unix::a;
}

fn g() {
    use std::os::unix::b;
}
";
        let found = problems("a.rs", source);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("a.rs:10:"), "{found:?}");
    }

    #[test]
    fn a_guard_can_cover_the_whole_file() {
        let source = "#![cfg(unix)]\n\nuse a;\n\nfn g() {\n    std::os::unix::b();\n}\n";
        assert_eq!(problems("a.rs", source), Vec::<String>::new());
    }
}
