//! `carom run --out` from the outside: what is written, and what cannot be.

use carom_record::{Ending, Reader};
use serde_json::Value;

use crate::common::{Folder, carom, good_drop};

#[test]
fn a_recording_holds_bodies_samples_events_and_the_summary() {
    let folder = Folder::with("drop.toml", &good_drop());
    let answer = folder.carom(&["run", "drop.toml", "--out", "x.mcap", "--json"]).ended(0).json();
    let mut reader = Reader::open(folder.path("x.mcap")).unwrap();
    assert_eq!(reader.header().scene.as_deref(), Some("drop.toml"));
    assert_eq!(reader.header().files[0].bytes, good_drop().as_bytes());
    let Ending::Finished { end, summary } = reader.ending().clone() else {
        panic!("{:?}", reader.ending())
    };
    assert_eq!(end, Some(1.0));
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["hash"], answer["hash"]);
    let bodies: Vec<String> = reader.bodies().map(|body| body.unwrap().name).collect();
    assert_eq!(bodies, ["ball"]);
    assert_eq!(reader.events().count(), 1);
    let samples: Vec<_> = reader.samples().map(Result::unwrap).collect();
    assert_eq!(samples.len(), 61, "60 a second, and the end");
    assert_eq!(samples[60].states[0].1.position.z, 10.0 - 9.80665 / 2.0);
}

#[test]
fn a_table_in_text_has_a_row_for_each_sample_and_its_events_beside_it() {
    let folder = Folder::with("drop.toml", &good_drop());
    let run = folder.carom(&["run", "drop.toml", "--out", "x.csv"]).ended(0);
    assert!(run.out.contains("written to x.csv, x.events.csv and x.contacts.csv\n"), "{}", run.out);
    let text = folder.text("x.csv");
    let header = "time_s,body,x_m,y_m,z_m,qx,qy,qz,qw,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,\
                  wz_rad_s,kinetic_J,potential_J";
    assert_eq!(text.lines().next(), Some(header));
    assert_eq!(text.lines().count(), 1 + 61);
    assert!(text.lines().last().unwrap().starts_with("1.0,ball,0.0,0.0,5.096675,"), "{text}");
    let events = folder.text("x.events.csv");
    assert!(events.starts_with("time_s,kind,phase,body,details,before_x_m,"), "{events}");
    assert!(events.lines().nth(1).unwrap().starts_with("0.0,added,command,ball,"), "{events}");
    let contacts = folder.text("x.contacts.csv");
    assert!(contacts.starts_with("time_s,a,b,kind,share,") && contacts.lines().count() == 1);
}

#[test]
fn tables_in_parquet_are_whole_files() {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["run", "drop.toml", "--out", "x.parquet", "-q"]).ended(0);
    for name in ["x.parquet", "x.events.parquet"] {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
}

#[test]
fn a_name_that_does_not_say_what_to_write_is_refused_before_anything_is() {
    for out in ["x.txt", "x", "x.csv.gz"] {
        let folder = Folder::new();
        let run = folder.carom(&["run", "tumbling", "--out", out]).ended(2);
        let run = run.said(&[out, ".mcap", ".csv", ".parquet"]);
        assert_eq!(run.out, "");
        assert!(!folder.path(out).exists());
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    for out in ["gone/x.csv", "gone/x.mcap", "gone/x.parquet"] {
        let run = folder.carom(&["run", "tumbling", "--out", out]).ended(2);
        let run = run.said(&[&format!("cannot create {out}"), "there is no folder gone"]);
        assert_eq!(run.out, "");
    }
    std::fs::create_dir(folder.path("x.csv")).unwrap();
    folder.carom(&["run", "tumbling", "--out", "x.csv"]).ended(2).said(&["cannot create x.csv"]);
}

/// Other platforms have no file that is always full.
#[cfg(unix)]
#[test]
fn a_full_disk_is_status_two_and_names_the_file() {
    // A file that takes nothing; where the system has none, there is nothing to try.
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let folder = Folder::new();
    for name in ["x.csv", "x.mcap", "x.parquet", "y.events.csv", "y.events.parquet"] {
        std::os::unix::fs::symlink("/dev/full", folder.path(name)).unwrap();
    }
    for out in ["x.csv", "x.mcap", "x.parquet", "y.csv", "y.parquet"] {
        let run = folder.carom(&["run", "tumbling", "--out", out]).ended(2);
        let run = run.said(&["error: ", "cannot write to", "No space left", "is the disk full?"]);
        let stem = out.split('.').next().unwrap();
        assert!(run.talk.contains(&format!("cannot write to {stem}.")), "{}", run.talk);
        assert!(!run.talk.contains("is valid up to there"), "{}", run.talk);
        assert!(!run.out.contains("written to"), "{}", run.out);
    }
}

#[test]
fn a_run_does_not_replace_what_it_reads() {
    let folder = Folder::with("drop.toml", &good_drop());
    folder.carom(&["run", "drop.toml", "--out", "x.mcap", "-q"]).ended(0);
    let before = std::fs::read(folder.path("x.mcap")).unwrap();
    let run = folder.carom(&["run", "x.mcap", "--out", "./x.mcap"]).ended(2);
    run.said(&["x.mcap is what is to be run", "write to another file"]);
    assert_eq!(std::fs::read(folder.path("x.mcap")).unwrap(), before);
    folder.carom(&["run", "x.mcap", "--out", "y.mcap", "-q"]).ended(0);
    assert!(folder.path("y.mcap").exists());
}

#[test]
fn a_scene_with_mistakes_replaces_no_file() {
    let folder = Folder::with("bad.toml", "format = 1\nbodies = 3\n").and("x.csv", "precious");
    folder.carom(&["run", "bad.toml", "--out", "x.csv"]).ended(1);
    assert_eq!(folder.text("x.csv"), "precious");
}

#[test]
fn what_is_recorded_is_what_the_scene_asks_for() {
    let record = "[record]\nrate_hz = 10\nbodies = [\"ball\"]\nevents = false\n[world]";
    let folder = Folder::with("drop.toml", &good_drop().replace("[world]", record));
    let run = folder.carom(&["run", "drop.toml", "--out", "x.csv"]).ended(0);
    assert!(run.out.contains("written to x.csv\n"), "{}", run.out);
    assert_eq!(folder.text("x.csv").lines().count(), 1 + 11);
    assert!(!folder.path("x.events.csv").exists());
    assert_eq!(carom(&["run", "tumbling", "-q"]).ended(0).out, "");
}
