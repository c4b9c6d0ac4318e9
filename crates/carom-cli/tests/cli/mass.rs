//! `carom mass` from the outside.

use crate::common::{carom, file, json};
use serde_json::Value;

/// A cube of edge 2 with its corner at the origin, one quad for each side, outward; `bottom` may be left out or
/// turned.
fn cube(bottom: &str) -> String {
    let mut text = String::new();
    for i in 0..8 {
        text += &format!("v {} {} {}\n", 2 * (i & 1), i & 2, 2 * (i >> 2 & 1));
    }
    text += "f 5 6 8 7\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n";
    text + bottom
}

const BOTTOM: &str = "f 1 3 4 2\n";

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .expect("an array")
        .iter()
        .flat_map(|entry| match entry {
            Value::Array(_) => numbers(entry),
            _ => vec![entry.as_f64().expect("a number")],
        })
        .collect()
}

#[test]
fn a_cube_weighs_its_volume_times_its_density() {
    let path = file("a_cube", "cube.obj", cube(BOTTOM).as_bytes());
    let mass = json(&["mass", &path, "--density", "3", "--json"]);
    let close = |key: &str, expected: &[f64]| {
        let got = if mass[key].is_array() {
            numbers(&mass[key])
        } else {
            vec![mass[key].as_f64().unwrap()]
        };
        assert_eq!(got.len(), expected.len(), "{key}");
        for (got, expected) in got.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-13 * 16.0, "{key}: {got} instead of {expected}");
        }
    };
    close("volume", &[8.0]);
    close("mass", &[24.0]);
    close("center", &[1.0, 1.0, 1.0]);
    close("inertia", &[16.0, 0.0, 0.0, 0.0, 16.0, 0.0, 0.0, 0.0, 16.0]);
    close("principal_moments", &[16.0, 16.0, 16.0]);
    close("principal_axes", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    close("r_max", &[3.0_f64.sqrt()]);
    assert_eq!(mass["verdict"]["solid"], true);
}

#[test]
fn the_unit_scales_lengths_to_metres() {
    let path = file("the_unit", "cube.obj", cube(BOTTOM).as_bytes());
    let mass = json(&["mass", &path, "--unit", "cm", "--scale", "10", "--json"]);
    assert!((mass["volume"].as_f64().unwrap() / 8e-3 - 1.0).abs() < 1e-14);
}

#[test]
fn every_shipped_part_is_a_solid() {
    for part in ["hex_nut.stl", "button.obj", "insulator_cap.ply", "die.gltf"] {
        let run = carom(&["mass", &format!("parts/{part}"), "--unit", "mm"]);
        assert_eq!(run.status, 0, "{part}: {}{}", run.out, run.talk);
        assert!(run.out.contains("verdict: a solid"), "{}", run.out);
    }
}

#[test]
fn an_open_mesh_is_refused_with_the_places_and_status_one() {
    let path = file("open", "open.obj", cube("").as_bytes());
    let run = carom(&["mass", &path]);
    assert_eq!(run.status, 1);
    assert!(run.out.contains("4 × open edge"), "{}", run.out);
    assert!(run.talk.contains("does not bound a solid"), "{}", run.talk);
    let mass = json(&["mass", &path, "--json"]);
    assert!(mass["volume"].is_null() && mass["inertia"].is_null());
    assert_eq!(mass["verdict"]["solid"], false);
    assert_eq!(mass["verdict"]["problems"][0]["count"], 4);
}

#[test]
fn a_turned_face_is_repaired_on_request_only() {
    let path = file("turned", "turned.obj", cube("f 1 2 4 3\n").as_bytes());
    assert_eq!(carom(&["mass", &path]).status, 1);
    let run = carom(&["mass", &path, "--repair"]);
    assert_eq!(run.status, 0, "{}", run.talk);
    assert!(run.out.contains("repaired"), "{}", run.out);
    assert!(
        (json(&["mass", &path, "--repair", "--json"])["volume"].as_f64().unwrap() - 8.0).abs()
            < 1e-14
    );
}

#[test]
fn an_implausible_size_gets_a_warning_and_no_refusal() {
    for part in ["hex_nut.stl", "button.obj", "insulator_cap.ply"] {
        let run = carom(&["mass", &format!("parts/{part}")]);
        assert_eq!(run.status, 0);
        assert!(run.talk.contains("hint: --unit mm"), "{part}: {}", run.talk);
        assert_eq!(carom(&["mass", &format!("parts/{part}"), "--unit", "m"]).talk, "");
    }
    assert_eq!(carom(&["mass", "parts/die.gltf"]).talk, "");
}

#[test]
fn a_missing_file_gets_a_suggestion_and_status_two() {
    let run = carom(&["mass", "parts/hexnut.stl"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("there is no file parts/hexnut.stl"), "{}", run.talk);
    assert!(run.talk.contains("did you mean parts/hex_nut.stl?"), "{}", run.talk);
}

#[test]
fn a_broken_file_is_reported_with_its_line_and_status_two() {
    let path = file("broken", "broken.obj", b"v 0 0 0\nv 1 x 0\n");
    let run = carom(&["mass", &path]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("line 2"), "{}", run.talk);
}

#[test]
fn a_density_beyond_arithmetic_is_named_as_the_likely_cause() {
    let run = carom(&["mass", "parts/hex_nut.stl", "--density", "1e308"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("hint: check the density"), "{}", run.talk);
}

#[test]
fn limits_are_settable_and_named_in_the_error() {
    for (limit, hint) in [("triangles=10", "--limit triangles=N"), ("bytes=100", "--limit bytes=N")]
    {
        let run = carom(&["mass", "parts/hex_nut.stl", "--limit", limit]);
        assert_eq!(run.status, 2);
        assert!(run.talk.contains(hint), "{}", run.talk);
    }
    let run = carom(&["mass", "parts/hex_nut.stl", "--limit", "triangle=10"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("did you mean triangles?"), "{}", run.talk);
}

#[test]
fn a_folder_is_not_a_file_and_is_named_once() {
    let run = carom(&["mass", "parts"]);
    assert_eq!(run.status, 2);
    assert_eq!(run.talk.matches("parts").count(), 1, "{}", run.talk);
}

#[test]
fn a_repair_that_leaves_nothing_is_a_failed_check_with_a_verdict() {
    // One triangle seen from both sides.
    let sheet = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n";
    let path = file("sheet", "sheet.obj", sheet);
    let run = carom(&["mass", &path, "--repair", "--json"]);
    assert_eq!(run.status, 1, "{}", run.talk);
    let mass: Value = serde_json::from_str(&run.out).unwrap();
    assert!(mass["volume"].is_null());
    assert_eq!(mass["verdict"]["solid"], false);
    assert!(!mass["verdict"]["refusals"].as_array().unwrap().is_empty(), "{mass}");
}

#[test]
fn the_hint_to_repair_comes_only_where_a_problem_can_be_mended() {
    let hint = "--repair mends";
    let turned = file("hint", "turned.obj", cube("f 1 2 4 3\n").as_bytes());
    assert!(carom(&["mass", &turned]).talk.contains(hint));
    let open = file("hint", "open.obj", cube("").as_bytes());
    assert!(!carom(&["mass", &open]).talk.contains(hint));
}

#[test]
fn a_thin_rod_off_the_axes_gets_a_warning_about_its_smallest_moment() {
    // 1 × 1e-6 × 1e-6 along the diagonal of the xy plane.
    let (s, w) = (0.5_f64.sqrt(), 1e-6);
    let mut text = String::new();
    for i in 0..8 {
        let along = f64::from(i & 1);
        let (across, up) = (w * f64::from(i >> 1 & 1), w * f64::from(i >> 2 & 1));
        text += &format!("v {} {} {up}\n", s * (along - across), s * (along + across));
    }
    text += "f 5 6 8 7\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\nf 1 3 4 2\n";
    let run = carom(&["mass", &file("thin", "rod.obj", text.as_bytes())]);
    assert_eq!(run.status, 0, "{}", run.talk);
    assert!(run.talk.contains("the inertia tensor holds its smallest moment"), "{}", run.talk);
    // m·(w² + w²)/12 with m = w².
    assert!(run.out.contains("  1.66666667e-25  "), "{}", run.out);
}
