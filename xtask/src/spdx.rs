//! Licence expressions as they stand in manifests.
//!
//! Grammar, loosest first: `a OR b`, `a AND b`, `licence WITH exception`, parentheses. Old manifests
//! write `a/b` for `a OR b`.

use anyhow::{Result, bail};

/// True when the expression can be satisfied by allowed licences alone; an error when it cannot be
/// read. A licence with an exception is looked up as the one text `licence WITH exception`.
pub(crate) fn is_satisfied(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> Result<bool> {
    let tokens = tokens(expression);
    let mut reader = Reader { tokens: &tokens, is_allowed };
    let satisfied = reader.any_of()?;
    match reader.tokens {
        [] => Ok(satisfied),
        [extra, ..] => bail!("unexpected `{extra}` in the licence expression `{expression}`"),
    }
}

fn tokens(expression: &str) -> Vec<String> {
    expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

/// Reads from the front of `tokens`. Every branch is read to its end, satisfied or not, so that a
/// malformed tail is always noticed.
struct Reader<'a> {
    tokens: &'a [String],
    is_allowed: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn any_of(&mut self) -> Result<bool> {
        let mut satisfied = self.all_of()?;
        while self.take("OR") {
            satisfied |= self.all_of()?;
        }
        Ok(satisfied)
    }

    fn all_of(&mut self) -> Result<bool> {
        let mut satisfied = self.term()?;
        while self.take("AND") {
            satisfied &= self.term()?;
        }
        Ok(satisfied)
    }

    fn term(&mut self) -> Result<bool> {
        if self.take("(") {
            let satisfied = self.any_of()?;
            if !self.take(")") {
                bail!("a parenthesis is not closed");
            }
            return Ok(satisfied);
        }
        let mut licence = self.name()?.to_owned();
        if self.take("WITH") {
            licence = format!("{licence} WITH {}", self.name()?);
        }
        Ok((self.is_allowed)(&licence))
    }

    fn name(&mut self) -> Result<&str> {
        match self.tokens {
            [first, rest @ ..] if !is_reserved(first) => {
                self.tokens = rest;
                Ok(first)
            }
            [first, ..] => bail!("`{first}` where a licence should stand"),
            [] => bail!("the expression ends where a licence should stand"),
        }
    }

    fn take(&mut self, word: &str) -> bool {
        match self.tokens {
            [first, rest @ ..] if first.eq_ignore_ascii_case(word) => {
                self.tokens = rest;
                true
            }
            _ => false,
        }
    }
}

fn is_reserved(word: &str) -> bool {
    ["(", ")", "AND", "OR", "WITH"].iter().any(|reserved| word.eq_ignore_ascii_case(reserved))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(expression: &str) -> bool {
        let list = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"];
        is_satisfied(expression, &|licence| list.contains(&licence)).unwrap()
    }

    #[test]
    fn one_allowed_choice_is_enough() {
        assert!(allowed("MIT"));
        assert!(allowed("GPL-3.0-only OR MIT"));
        assert!(allowed("MIT OR Apache-2.0 OR LGPL-2.1-or-later"));
        assert!(!allowed("GPL-3.0-only OR LGPL-2.1-or-later"));
    }

    #[test]
    fn every_part_of_a_conjunction_has_to_be_allowed() {
        assert!(allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!allowed("(MIT OR Apache-2.0) AND OpenSSL"));
    }

    #[test]
    fn and_binds_tighter_than_or() {
        assert!(allowed("MIT OR Apache-2.0 AND GPL-3.0-only"));
        assert!(!allowed("(MIT OR Apache-2.0) AND GPL-3.0-only"));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        assert!(allowed("Apache-2.0 WITH LLVM-exception"));
        assert!(!allowed("MIT WITH LLVM-exception"));
        assert!(!allowed("GPL-2.0-only WITH Classpath-exception-2.0"));
    }

    #[test]
    fn the_old_slash_means_or() {
        assert!(allowed("MIT/Apache-2.0"));
        assert!(allowed("GPL-2.0 / MIT"));
        assert!(!allowed("GPL-2.0/GPL-3.0"));
    }

    #[test]
    fn malformed_expressions_are_errors() {
        for bad in ["", "MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", "AND MIT", "MIT WITH"] {
            assert!(is_satisfied(bad, &|_| true).is_err(), "`{bad}` was read");
        }
    }
}
