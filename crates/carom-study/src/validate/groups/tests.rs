//! Every row is green without a fault, and each can be turned red by one.

use std::collections::BTreeSet;

use super::super::{Context, DataFolder, Fault, Row, Subject};
use super::GROUPS;

/// As the command finds it: by the variable, or beside the clone.
fn data() -> Option<DataFolder> {
    if let Some(path) = std::env::var_os("CAROM_DATA") {
        return Some(DataFolder::named(path.as_ref()).unwrap());
    }
    DataFolder::beside(&std::env::current_dir().unwrap())
}

fn context(fault: Option<Fault>) -> Context {
    Context { data: data(), subject: fault.map(Subject::with_fault).unwrap_or_default() }
}

#[test]
fn every_case_that_can_be_run_passes() {
    for group in GROUPS {
        for row in group.rows(&context(None)) {
            assert!(row.pass != Some(false), "{row:#?}");
            assert!(row.pass.is_some() || row.skipped.is_some(), "{row:#?}");
        }
    }
}

#[test]
fn every_fault_turns_rows_red_even_without_any_data_folder() {
    for (name, fault) in Fault::ALL {
        let context = Context { data: None, subject: Subject::with_fault(fault) };
        let red = super::super::run(&context).iter().filter(|row| row.pass == Some(false)).count();
        assert!(red > 0, "{name} goes unnoticed");
    }
}

#[test]
fn data_that_cannot_be_read_fails_its_own_rows_only() {
    let folder = std::env::temp_dir().join(format!("carom-broken-data-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("mass-properties")).unwrap();
    std::fs::write(folder.join("mass-properties/meshes.json"), "[").unwrap();
    let context = Context { data: Some(DataFolder::named(&folder).unwrap()), ..Context::default() };
    let rows = super::super::run(&context);
    std::fs::remove_dir_all(&folder).unwrap();
    let red: Vec<&Row> = rows.iter().filter(|row| row.pass == Some(false)).collect();
    assert_eq!(red.len(), 1);
    assert_eq!(red[0].id, "data/mass-properties");
    assert!(red[0].what.contains("at line 1"), "{}", red[0].what);
}

#[test]
fn in_every_group_each_row_is_turned_red_by_some_fault() {
    for group in GROUPS {
        let ran = |row: &Row| row.pass.is_some();
        let rows = group.rows(&context(None));
        let mut green: BTreeSet<String> = rows.into_iter().filter(ran).map(|row| row.id).collect();
        for (_, fault) in Fault::ALL {
            if green.is_empty() {
                break;
            }
            for row in group.rows(&context(Some(fault))) {
                if row.pass == Some(false) {
                    green.remove(&row.id);
                }
            }
        }
        assert!(green.is_empty(), "no fault is noticed by {green:?}");
    }
}

#[test]
fn without_data_the_measured_rows_are_skipped_and_the_carried_ones_run() {
    let context = Context::default();
    let mut skipped = 0;
    for row in super::super::run(&context) {
        match row.pass {
            None => {
                let why = row.skipped.unwrap();
                assert!(why.starts_with("data not present: "), "{why}");
                skipped += 1;
            }
            Some(pass) => assert!(pass, "{}", row.id),
        }
    }
    assert_eq!(skipped, 15);
}

#[test]
fn ids_are_unique_and_carry_a_known_prefix() {
    let rows = super::super::run(&context(None));
    let ids: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids.len(), rows.len());
    for id in ids {
        let prefix = id.split('/').next().unwrap();
        assert!(
            ["m1", "m2", "baraff", "ref", "data", "scene", "world", "distance", "touch"]
                .contains(&prefix),
            "{id}"
        );
    }
}
