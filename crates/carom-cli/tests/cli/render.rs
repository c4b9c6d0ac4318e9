//! `carom render`: pictures of scenes and recordings.

use std::path::Path;

use crate::common::{Folder, command, root};

/// Width and height that a PNG states.
fn png_size(path: &Path) -> [u32; 2] {
    let bytes = std::fs::read(path).expect("it was written");
    assert_eq!(&bytes[1..4], b"PNG");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    [number(16), number(20)]
}

#[test]
fn without_more_words_it_draws_the_end_and_says_so() {
    let folder = Folder::new();
    let run = folder.carom(&["render", "slide_to_roll"]).ended(0);
    for part in ["wrote slide_to_roll.png: 640×480, the end at", "--at T", "drawn in"] {
        assert!(run.out.contains(part), "{part} is missing in {}", run.out);
    }
    assert_eq!(png_size(&folder.path("slide_to_roll.png")), [640, 480]);
}

#[test]
fn scenes_and_recordings_give_stills_sheets_and_animations_alike() {
    let folder = Folder::new();
    folder.carom(&["run", "two_balls", "--out", "x.mcap", "-q"]).ended(0);
    for source in ["two_balls", "x.mcap"] {
        let still =
            ["render", source, "--at", "0.25", "--size", "160x120", "-o", "a.png", "--json"];
        let json = folder.carom(&still).ended(0).json();
        assert_eq!(json["kind"], "still");
        assert_eq!(json["times_s"][0], 0.25);
        assert_eq!(png_size(&folder.path("a.png")), [160, 120]);
        let sheet =
            ["render", source, "--sheet", "2x3", "--size", "96x64", "-o", "b.png", "--json"];
        let json = folder.carom(&sheet).ended(0).json();
        assert_eq!(json["times_s"].as_array().map(Vec::len), Some(6));
        let [width, height] = png_size(&folder.path("b.png"));
        assert!(width > 3 * 96 && width < 4 * 96 && height > 2 * 64, "{width}×{height}");
        let film = [
            "render",
            source,
            "--to",
            "0.5",
            "--speed",
            "1",
            "--fps",
            "10",
            "--trails",
            "--contacts",
            "--size",
            "96x64",
            "-o",
            "c.gif",
            "--json",
        ];
        let json = folder.carom(&film).ended(0).json();
        assert_eq!(json["times_s"].as_array().map(Vec::len), Some(6));
        let bytes = std::fs::read(folder.path("c.gif")).expect("it was written");
        assert_eq!(&bytes[..6], b"GIF89a");
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = Folder::new();
    for output in ["a.png", "a.gif"] {
        let draw = |threads: &str| {
            let words =
                ["render", "cradle", "--size", "160x120", "--threads", threads, "-o", output];
            folder.carom(&words).ended(0);
            std::fs::read(folder.path(output)).expect("it was written")
        };
        assert!(draw("1") == draw("2"), "{output}");
    }
}

#[test]
fn the_camera_of_the_scene_is_used_and_the_option_goes_before_it() {
    let scene = r#"format = 1
[world]
until = 0.1
[camera]
eye = [5, 0, 1]
target = [0, 0, 1]
fov_deg = 40
[[material]]
name = "tin"
density = 7300
color = "silver"
[[body]]
name = "ball"
material = "tin"
shape = { kind = "ball", radius = 0.1 }
position = [0, 0, 1]
"#;
    let folder = Folder::with("toss.toml", scene);
    let json = folder.carom(&["render", "toss.toml", "--json"]).ended(0).json();
    assert_eq!(json["camera"]["eye_m"], serde_json::json!([5.0, 0.0, 1.0]));
    assert_eq!(json["camera"]["up"], serde_json::json!([0.0, 0.0, 1.0]));
    let given = ["render", "toss.toml", "--json", "--camera", "eye=-1,2,3,target=0,0,1"];
    let json = folder.carom(&given).ended(0).json();
    assert_eq!(json["camera"]["eye_m"], serde_json::json!([-1.0, 2.0, 3.0]));
    let wrong = scene.replace("fov_deg = 40", "fov_deg = 400").replace("silver", "silvr");
    let folder = Folder::with("toss.toml", &wrong);
    let run = folder.carom(&["render", "toss.toml"]).ended(1);
    run.said(&["fov_deg", "28 is the default", "silver"]);
}

#[test]
fn what_does_not_go_together_is_told_before_anything_is_run() {
    let folder = Folder::new();
    let cases: [(&[&str], &str); 7] = [
        (&["render", "cradle", "-o", "x.bmp"], ".png, .gif or .mp4"),
        (&["render", "cradle", "--fps", "10"], "--fps and --speed are for animations"),
        (&["render", "cradle", "--from", "0.1"], "--at T says when"),
        (&["render", "cradle", "--sheet", "4", "-o", "x.gif"], "still pictures"),
        (&["render", "cradle", "--size", "1x1"], "1280x720"),
        (&["render", "cradle", "--camera", "eys=1,2,3"], "did you mean eye"),
        (&["render", "cradel"], "did you mean cradle"),
    ];
    for (words, said) in cases {
        folder.carom(words).ended(2).said(&[said]);
    }
    folder.carom(&["render", "cradle", "-o", "none/x.png"]).ended(2).said(&["there is no folder"]);
}

#[test]
fn without_ffmpeg_it_says_what_to_do() {
    let folder = Folder::new();
    let mut command = command(&root(), &["render", "cradle", "-o", "x.mp4"]);
    command.env("CAROM_FFMPEG", folder.path("no-ffmpeg"));
    let output = command.output().expect("the command was built for this test");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("install it") && said.contains(".gif"), "{said}");
}
