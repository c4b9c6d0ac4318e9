//! `carom study` from the outside, with data of its own.

use crate::common::{Folder, carom};

/// A cube in free fall that is tracked without noise, in the units that published scores take for true.
fn toss() -> String {
    let mut text = String::from("k,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wbx,wby,wbz\n");
    for k in 0..12 {
        let time = f64::from(k) / 148.0;
        let (z, speed) = (1.0 - 0.5 * 9.81 * time * time, -9.81 * time);
        text += &format!("{k},{},0,{z},1,0,0,0,0.5,0,{speed},0,0,0\n", 0.5 * time);
    }
    text
}

#[test]
fn tosses_are_scored_and_told_one_by_one() {
    let folder = Folder::with("toss_000.csv", &toss());
    let here = folder.here().to_str().unwrap().to_owned();
    let run = carom(&["study", "cube-toss", "--data", &here, "--json"]).ended(0);
    let report = run.json();
    assert!(report["params"]["friction"].is_f64() && report["params"]["restitution"].is_f64());
    let score = &report["scores"][0];
    assert_eq!(score["score"], "A");
    assert_eq!(score["quantity"], "position");
    assert!(score["mean"].as_f64().unwrap() < 1e-9, "{score}");
    let item = &report["items"][0];
    assert_eq!(item["id"], "toss_000");
    assert!(item["value"].as_f64().unwrap() < 1e-9, "{item}");
    let table = carom(&["study", "cube-toss", "--data", &here]).ended(0);
    assert!(table.out.contains("friction") && table.out.contains("% of edge"), "{}", table.out);
}

#[test]
fn parameters_can_be_given_and_fits_cross_validated() {
    let folder = Folder::with("toss_000.csv", &toss()).and("toss_001.csv", &toss());
    let here = folder.here().to_str().unwrap().to_owned();
    let with =
        |more: &[&str]| carom(&[&["study", "cube-toss", "--data", &here, "--json"], more].concat());
    let given = with(&["--friction", "0.5", "--restitution", "0.25"]).ended(0).json();
    assert_eq!(given["params"]["friction"], 0.5);
    assert_eq!(given["params"]["restitution"], 0.25);
    assert!((given["params"]["inertia"].as_f64().unwrap() - 1.023e-3).abs() < 1e-6);
    let folds = with(&["--folds", "2"]).ended(0).json();
    assert!(folds["params"]["fold_2_friction"].is_f64(), "{}", folds["params"]);
    assert_eq!(folds["items"][0]["id"], "toss_000");
    for wrong in [
        &["--restitution", "1.5"][..],
        &["--folds", "1"],
        &["--folds", "3"],
        &["--fit", "--friction", "1"],
    ] {
        with(wrong).ended(2);
    }
}

#[test]
fn planar_impacts_are_scored() {
    let ellipse = "id,rx,h,vx0,vz0,w0,vx1,vz1,w1,flagged\n\
                   0,0,0.025,0,-2,0,0,1.084,0,0\n1,0,0.025,0,-2,0,9,9,9,1\n";
    let square = "traj,rx,h,vx0,vz0,w0,vx1,vz1,w1,near_flat,suspect\n\
                  3,0,0.0424264,0,-2,0,0,0.826,0,0,0\n4,0,0.04,0,-2,0,9,9,9,1,0\n";
    let folder = Folder::with("ellipse.csv", ellipse).and("square_first_impacts.csv", square);
    let here = folder.here().to_str().unwrap().to_owned();
    let report = carom(&["study", "planar-impacts", "--data", &here, "--json"]).ended(0).json();
    assert_eq!(report["items"].as_array().unwrap().len(), 2);
    for score in report["scores"].as_array().unwrap() {
        // Straight down on the axis: they leave with e times their speed.
        assert!(score["mean"].as_f64().unwrap() < 1e-6, "{score}");
    }
}

/// Two hinged boxes that fall without turning, tracked without noise but for the tracker's velocities, which are half a frame old.
/// In the frame that counts as the first contact, the 24th, their lowest corner is still 2 mm above the floor.
fn elbow() -> String {
    let mut text = String::from("k,px,py,pz,qw,qx,qy,qz,th,vx,vy,vz,wbx,wby,wbz,thdot\n");
    for k in 0..40 {
        let time = f64::from(k) / 148.0;
        let (z, speed) = (0.184483 - 0.5 * 9.61 * time * time, -9.61 * (time - 0.5 / 148.0));
        text += &format!("{k},{},0,{z},1,0,0,0,0.4,0.5,0,{speed},0,0,0,0\n", 0.5 * time);
    }
    text
}

#[test]
fn tosses_of_hinged_boxes_are_scored_beside_another_simulator() {
    let folder = Folder::with("toss_000.csv", &elbow());
    let here = folder.here().to_str().unwrap().to_owned();
    let report = carom(&["study", "elbow-toss", "--data", &here, "--json"]).ended(0).json();
    assert_eq!(report["params"]["friction"], 0.2);
    let score = &report["scores"][0];
    assert_eq!((score["score"].as_str(), score["mujoco"].as_f64()), (Some("C"), Some(0.9)));
    assert!(score["median"].as_f64().unwrap() < 1e-6, "{score}");
    let table = carom(&["study", "elbow-toss", "--data", &here, "--friction", "0.1"]).ended(0);
    assert!(table.out.contains("MuJoCo") && table.out.contains("friction 0.100"), "{}", table.out);
    carom(&["study", "elbow-toss", "--data", &here, "--restitution", "2"]).ended(2);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let run = carom(&["study", "cube-toss", "--data", "nowhere"]).ended(2);
    assert!(run.talk.contains("there is no folder nowhere"), "{}", run.talk);
}

#[test]
fn exploding_text_is_undone() {
    let report = carom(&["study", "exploding-text", "--json"]).ended(0).json();
    assert_eq!(report["bodies"], 26);
    let row = &report["rows"][0];
    assert_eq!(row["collisions"], row["collisions_back"]);
    assert!(row["position_m"].as_f64().unwrap() < 1e-9, "{row}");
}
