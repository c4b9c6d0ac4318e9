//! The manual's table of solvers and problems is what the solvers do.
//!
//! The problems lie in a folder beside the project, `shared/data`, or the one that `CAROM_DATA` names; without it there is
//! nothing to compare, and the test says so.

use std::path::{Path, PathBuf};

use carom_study::solvers::table;
use oracles::complementarity::lcp_cases;

fn clone_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a crate of the workspace")
}

fn data_folder() -> PathBuf {
    let beside = || clone_folder().with_file_name("shared").join("data");
    std::env::var_os("CAROM_DATA").map_or_else(beside, PathBuf::from)
}

#[test]
fn the_published_table_is_what_the_solvers_do() {
    let Some(cases) = lcp_cases(&data_folder()).expect("readable") else {
        println!("no data set lcp: nothing to compare");
        return;
    };
    let page = clone_folder().join("book/src/theory/complementarity.md");
    let text = std::fs::read_to_string(&page).expect("the page is there");
    let table = table(&cases).expect("well formed");
    assert!(
        text.contains(&table),
        "{} has another table of solvers and problems; put this in its place:\n\n{table}",
        page.display()
    );
}
