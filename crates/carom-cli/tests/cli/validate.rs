//! `carom validate` from the outside.

use crate::common::{carom, file, json};

const KEYS: [&str; 10] =
    ["id", "group", "what", "expected", "got", "error", "tolerance", "unit", "source", "pass"];

#[test]
fn every_row_has_all_keys_and_none_fails() {
    let rows = json(&["validate", "--json"]);
    let rows = rows.as_array().unwrap();
    assert!(rows.len() > 100, "{}", rows.len());
    for row in rows {
        for key in KEYS {
            assert!(row.get(key).is_some(), "{key} is missing in {row}");
        }
        assert_ne!(row["pass"], false, "{row}");
        if row["pass"].is_null() {
            assert!(row["skipped"].as_str().unwrap().starts_with("data not present: "), "{row}");
        }
    }
}

#[test]
fn a_deliberate_fault_gives_red_rows_and_status_one() {
    let run = carom(&["validate", "--fault", "inertia-entry"]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("FAIL"), "{}", run.out);
}

#[test]
fn a_data_folder_with_other_cases_is_scored() {
    // A cube of edge 2 whose stated volume is right and whose inertia is not.
    let case = r#"{"mine": {"vertices": [[-1,-1,-1],[1,-1,-1],[1,1,-1],[-1,1,-1],[-1,-1,1],[1,-1,1],[1,1,1],[-1,1,1]],
      "triangles": [[0,2,1],[0,3,2],[4,5,6],[4,6,7],[0,1,5],[0,5,4],[1,2,6],[1,6,5],[2,3,7],[2,7,6],[3,0,4],[3,4,7]],
      "volume": 8.0, "com": [0,0,0], "inertia_com": [5,0,0,0,5,0,0,0,5]}}"#;
    let path = file("data/mass-properties", "meshes.json", case.as_bytes());
    let folder = std::path::Path::new(&path).ancestors().nth(2).unwrap().to_str().unwrap();
    let run = carom(&["validate", "--data", folder, "--only", "data/mass-properties", "--json"]);
    assert_eq!(run.status, 1);
    let rows: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let pass = |id: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        row["pass"].as_bool().unwrap()
    };
    assert!(pass("data/mass-properties/mine/volume"));
    assert!(!pass("data/mass-properties/mine/inertia"));
}

#[test]
fn a_folder_that_is_not_there_and_an_unknown_id_are_bad_use() {
    let run = carom(&["validate", "--data", "no/such/folder"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("no/such/folder"), "{}", run.talk);
    let run = carom(&["validate", "--only", "m1/MPR1"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("did you mean 'm1/MP-R1"), "{}", run.talk);
}

#[test]
fn the_table_names_sources_and_ends_with_the_counts() {
    let run = carom(&["validate", "--only", "m1/"]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(run.out.contains("[1] Mirtich 1996"), "{}", run.out);
    assert!(run.out.trim_end().ends_with("passed, 0 failed, 0 skipped"), "{}", run.out);
}
