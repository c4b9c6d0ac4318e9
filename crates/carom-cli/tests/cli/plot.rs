//! `carom plot` from the outside: pictures, and what cannot be drawn.

use crate::common::Folder;
use crate::export::recorded;

/// A recording of a ball that bounces.
fn bouncing() -> Folder {
    let folder = Folder::new();
    folder.carom(&["run", "bouncing_ball", "--out", "ball.mcap", "-q"]).ended(0);
    folder
}

#[test]
fn the_ledger_is_drawn_beside_the_recording_unless_said_otherwise() {
    let folder = bouncing();
    let run = folder.carom(&["plot", "ball.mcap"]).ended(0);
    assert_eq!((run.out.as_str(), run.talk.as_str()), ("ball.svg\n", ""));
    let svg = folder.text("ball.svg");
    for text in ["kinetic", "potential, from its lowest", "lost to restitution", "energy in J"] {
        assert!(svg.contains(text), "{text}");
    }
    folder.carom(&["plot", "ball.mcap", "-o", "again.svg", "-q"]).ended(0);
    assert_eq!(svg, folder.text("again.svg"), "the same bytes");
}

#[test]
fn a_png_has_twice_the_pixels_of_the_chart() {
    let folder = recorded();
    let arguments = ["plot", "x.mcap", "--what", "heights", "-o", "x.png", "--size", "400x300"];
    folder.carom(&arguments).ended(0);
    let bytes = std::fs::read(folder.path("x.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    // Width and height stand first in the first chunk.
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!([side(16), side(20)], [800, 600]);
}

#[test]
fn every_kind_of_figure_can_be_drawn_in_every_theme() {
    let folder = bouncing();
    let kinds: [&[&str]; 8] = [
        &["--what", "energy"],
        &["--what", "forces"],
        &["--what", "heights"],
        &["--what", "phase"],
        &["--y", "kinetic_J"],
        &["--x", "z_m", "--y", "vz_m_s", "--body", "lively"],
        &["--histogram", "impulse_z_N_s", "--bins", "12"],
        &["--x", "time_s", "--y", "impulse_z_N_s", "--pair", "floor,lively"],
    ];
    for (kind, theme) in kinds.iter().zip(["light", "dark", "grey"].iter().cycle()) {
        let arguments = [&["plot", "ball.mcap", "-o", "y.svg", "--theme", theme], *kind].concat();
        folder.carom(&arguments).ended(0);
        let svg = folder.text("y.svg");
        assert!(svg.contains("<path") || svg.contains("<circle"), "{kind:?}");
    }
}

#[test]
fn two_recordings_share_a_picture() {
    let folder = bouncing();
    folder.carom(&["run", "bouncing_ball", "--set", "height=2", "--out", "high.mcap", "-q"]);
    folder.carom(&["plot", "ball.mcap", "high.mcap", "--what", "heights"]).ended(0);
    let svg = folder.text("ball.svg");
    assert!(svg.contains("ball: lively") && svg.contains("high: lively"), "{svg}");
}

#[test]
fn slips_are_told_with_what_may_be_meant() {
    let folder = recorded();
    let plot = |more: &[&str]| folder.carom(&[&["plot", "x.mcap"], more].concat()).ended(2);
    plot(&["--y", "z"]).said(&["there is no column z", "did you mean z_m?"]);
    plot(&["--y", "kintic_J"]).said(&["did you mean kinetic_J?"]);
    plot(&["--what", "heights", "--body", "bal"]).said(&["did you mean ball?"]);
    plot(&["--what", "height"]).said(&["'heights'"]);
    plot(&["--what", "forces"]).said(&["no collisions are recorded"]);
    plot(&["--pair", "ball"]).said(&["two names with a comma between"]);
    plot(&["-o", "x.jpg"]).said(&["end it in .svg or .png"]);
    plot(&["--x", "work_J", "--y", "z_m"]).said(&["not in one table"]);
    folder.carom(&["plot", "y.mcap"]).ended(2).said(&["did you mean x.mcap?"]);
}
