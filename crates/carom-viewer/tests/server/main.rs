//! The server, asked as a page asks it.

mod common;
mod cost;
mod joints;

use std::time::Duration;

use carom_viewer::Subject;
use common::server;
use serde_json::json;
use tungstenite::Message;

#[test]
fn an_untouched_run_has_the_hash_of_the_scene() {
    let server = server(Subject::Gallery);
    let run = server.open(&json!({ "scene": "bouncing_ball" }));
    let end = server.socket(&run).run_to_the_end();
    let committed = carom_scene::built_in("bouncing_ball").and_then(carom_scene::BuiltIn::hash);
    assert_eq!(end["hash"].as_str().map(str::to_owned), committed);
    let judged = server.json(&format!("GET /api/runs/{run}/expectations"), "");
    let judged = judged["expectations"].as_array().expect("a list").clone();
    assert!(!judged.is_empty() && judged.iter().all(|it| it["pass"] == true), "{judged:?}");
    let ledger = server.json(&format!("GET /api/runs/{run}/ledger?points=10"), "");
    assert!(ledger["time_s"].as_array().expect("a column").len() > 5);
    let timeline = server.json(&format!("GET /api/runs/{run}/timeline?bins=20&a=0&b=1"), "");
    let collisions = timeline["kinds"]["collision"].as_array().expect("a column");
    assert!(collisions.iter().any(|count| count.as_u64() > Some(0)), "{timeline}");
    let next =
        server.json(&format!("GET /api/runs/{run}/events?from=0&limit=1&kind=collision"), "");
    let time = next["events"][0]["time_s"].as_f64().expect("a time");
    let back =
        format!("GET /api/runs/{run}/events?to={}&back=1&limit=1&kind=collision", time + 1e-9);
    assert_eq!(server.json(&back, "")["events"][0]["time_s"], time);
}

#[test]
fn a_session_with_actions_is_saved_and_comes_to_the_same_hash() {
    let server = server(Subject::Gallery);
    let run = server.open(&json!({ "scene": "bouncing_ball", "set": { "e": 0.5 } }));
    let bodies = server.json(&format!("GET /api/runs/{run}/bodies"), "");
    let lively = bodies.as_array().expect("a list").iter().find(|it| it["name"] == "lively");
    let lively = &lively.expect("it is there")["number"];
    let mut socket = server.socket(&run);
    socket.say(&json!({ "do": "run_to", "time_s": 0.2 }));
    socket.hear(|said| said["now_s"].as_f64() >= Some(0.2) && said["is_running"] == false);
    for (id, action) in [
        json!({ "do": "push", "body": lively, "impulse_N_s": [0.1, 0.0, 0.2], "point_m": null }),
        json!({ "do": "gravity", "gravity_m_s2": [0.0, 0.0, -1.62] }),
        json!({ "do": "add", "shape": { "kind": "ball", "radius": 0.05 }, "density": 500.0,
                "position_m": [0.0, 7.0, 3.0], "velocity_m_s": [0.0, 0.0, 0.0],
                "angular_velocity_rad_s": [0.0, 0.0, 0.0], "material": 0 }),
    ]
    .into_iter()
    .enumerate()
    {
        let mut action = action;
        action["id"] = json!(id);
        socket.say(&action);
        let said = socket.hear(|said| said["id"] == id);
        assert_eq!(said["say"], "done", "{said}");
    }
    socket.say(&json!({ "do": "run_to", "time_s": 0.5 }));
    let status = socket.hear(|it| it["now_s"].as_f64() >= Some(0.5) && it["is_running"] == false);
    // Each action is an event of its own.
    let path = format!("GET /api/runs/{run}/events?from=0&kind=impulse,gravity,added");
    let events = server.json(&path, "")["events"].as_array().expect("a list").clone();
    let kinds: Vec<&str> = events.iter().filter_map(|it| it["kind"].as_str()).collect();
    assert_eq!(kinds, ["impulse", "gravity", "added"]);
    let (status_code, head, recording) =
        server.ask(&format!("GET /api/runs/{run}/recording"), &server.head(), "");
    assert_eq!(status_code, 200, "{}", String::from_utf8_lossy(&recording));
    let hash = status["hash"].as_str().expect("a hash");
    assert!(head.contains(&format!("x-carom-hash: {hash}")), "{head}");
    assert!(recording.starts_with(b"\x89MCAP"));
}

#[test]
fn a_scene_that_is_edited_is_told_with_its_mistakes() {
    let folder = std::env::temp_dir().join(format!("carom-viewer-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("mine.toml");
    let text = carom_scene::built_in("two_balls").expect("it is built in").text;
    std::fs::write(&path, text).expect("it is written");
    let server = server(Subject::File(path.clone()));
    let run = server.open(&json!({ "scene": "file" }));
    let mut socket = server.socket(&run);
    socket.hear(|said| said["say"] == "status");
    // Some systems tell times of files to the second only.
    std::thread::sleep(Duration::from_millis(1100));
    std::fs::write(&path, text.replacen("format = 1", "format = 1\nformt = 2", 1))
        .expect("written");
    let told = socket.hear(|said| said["say"] == "reload");
    assert!(told["text"].as_str().is_some_and(|it| it.contains("formt")), "{told}");
    std::thread::sleep(Duration::from_millis(1100));
    std::fs::write(&path, text).expect("it is written");
    let told = socket.hear(|said| said["say"] == "reload");
    assert_eq!(told["problems"], json!([]));
    // Who opens it now has it as it is: nothing is told that would have the page open it again and again.
    let mut fresh = server.socket(&server.open(&json!({ "scene": "file" })));
    for id in 0..10 {
        fresh.say(&json!({ "do": "pause", "id": id }));
        fresh.hear(|said| {
            assert_ne!(said["say"], "reload", "{said}");
            said["id"] == id
        });
    }
    std::fs::remove_dir_all(&folder).expect("it is removed");
}

#[test]
fn nonsense_is_answered_and_strangers_are_not() {
    let server = server(Subject::Gallery);
    let host = format!("Host: {}\r\n", server.host);
    assert_eq!(server.ask("GET /api/scenes", &host, "").0, 401);
    assert_eq!(server.ask("GET /api/scenes", "Host: elsewhere\r\n", "").0, 403);
    let origin = format!("{}Origin: http://elsewhere\r\n", server.head());
    assert_eq!(server.ask("GET /api/scenes", &origin, "").0, 403);
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/api/scenes/..%2f..%2fx/picture", "/api/x"]
    {
        assert_eq!(server.ask(&format!("GET {path}"), &server.head(), "").0, 404, "{path}");
    }
    let post = |body: &str| server.ask("POST /api/runs", &server.head(), body).0;
    assert_eq!(
        [post("{"), post("{\"scene\":\"nope\"}"), post("{\"recording\":\"/etc/passwd\"}")],
        [400, 404, 404]
    );
    assert_eq!(post(&"x".repeat(100_000)), 413);
    assert_eq!(post("{\"scene\":\"coins\",\"set\":{\"nope\":1}}"), 422);
    let run = server.open(&json!({ "scene": "two_balls" }));
    let mut socket = server.socket(&run);
    for nonsense in
        ["{", "[]", "{\"do\":\"dance\"}", "{\"do\":\"push\",\"body\":99,\"impulse_N_s\":[0,0,1]}"]
    {
        socket.0.send(Message::Text(nonsense.into())).expect("it is sent");
        socket.hear(|said| said["say"] == "error");
    }
    socket.0.send(Message::Binary(vec![0xff; 9].into())).expect("it is sent");
    socket.hear(|said| said["say"] == "error");
    let head = server.ask("GET /", &server.head(), "").1;
    assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    server.json(&format!("DELETE /api/runs/{run}"), "");
    assert_eq!(server.ask(&format!("GET /api/runs/{run}"), &server.head(), "").0, 404);
}

/// Orders with numbers that nobody means: each is carried out or refused, and the run answers afterwards.
#[test]
fn no_number_brings_a_run_down() {
    let server = server(Subject::Gallery);
    let ball = |radius: f64, density: f64, at: f64, speed: f64, spin: f64| {
        json!({ "do": "add", "shape": { "kind": "ball", "radius": radius }, "density": density,
                "position_m": [at, 0.0, 9.0], "velocity_m_s": [speed, 0.0, 0.0],
                "angular_velocity_rad_s": [0.0, spin, 0.0], "material": 0 })
    };
    let orders = [
        json!({ "do": "speed", "speed": 1e308 }),
        json!({ "do": "speed", "speed": -1.0 }),
        json!({ "do": "run_to", "time_s": -1e308 }),
        json!({ "do": "push", "body": 1, "impulse_N_s": [1e308, 1e308, 1e308] }),
        json!({ "do": "push", "body": 1, "impulse_N_s": [0, 0, 1], "point_m": [1e308, 0, 0] }),
        json!({ "do": "gravity", "gravity_m_s2": [0, 0, 1e308] }),
        json!({ "do": "gravity", "gravity_m_s2": [0, 1e-320, 0] }),
        json!({ "do": "material", "material": 0, "friction": -1.0 }),
        json!({ "do": "material", "material": 0, "restitution": 7.0 }),
        json!({ "do": "material", "material": 0, "friction": 1e308 }),
        json!({ "do": "material", "material": 99, "friction": 0.1 }),
        ball(1e308, 1e308, 0.0, 0.0, 0.0),
        ball(0.0, 1.0, 0.0, 0.0, 0.0),
        ball(-1.0, 1.0, 0.0, 0.0, 0.0),
        ball(1e-320, 1.0, 0.0, 0.0, 0.0),
        ball(0.1, -1.0, 0.0, 0.0, 0.0),
        ball(0.1, 1.0, 1e300, 0.0, 0.0),
        ball(0.1, 1.0, 0.0, 1e308, 0.0),
        ball(0.1, 1.0, 0.0, 0.0, 1e308),
        json!({ "do": "remove", "body": u32::MAX }),
        json!({ "do": "grab", "body": 1, "point_m": [1e308, 0, 0], "to_m": [-1e308, 0, 0] }),
        json!({ "do": "move", "body": 1, "to_m": [0, 0, 0] }),
        json!({ "do": "drive", "joint": 0, "force": [1e308] }),
        json!({ "do": "target", "joint": 0, "freedom": 99, "target": 1e308 }),
        json!({ "do": "step", "kinds": ["nothing"], "bodies": ["nobody"] }),
    ];
    for order in orders {
        let run = server.open(&json!({ "scene": "two_balls" }));
        let mut socket = server.socket(&run);
        let said = socket.answer(order.clone());
        assert!(said["say"] == "done" || said["say"] == "error", "{order}: {said}");
        socket.say(&json!({ "do": "run_to", "time_s": 0.01 }));
        let is_told = |it: &serde_json::Value| {
            it["is_running"] == false
                && (it["now_s"].as_f64() >= Some(0.01) || !it["end"].is_null())
        };
        let told = socket.hear(is_told);
        println!("{order}: {}, then {} {}", said["say"], told["end"], told["message"]);
        server.json(&format!("GET /api/runs/{run}/hash"), "");
        server.json(&format!("GET /api/runs/{run}/near"), "");
        server.json(&format!("DELETE /api/runs/{run}"), "");
    }
}

/// Questions with numbers that nobody means are answered or refused, and never break anything.
#[test]
fn no_question_brings_the_server_down() {
    let server = server(Subject::Gallery);
    let run = server.open(&json!({ "scene": "two_balls" }));
    server.socket(&run).run_to(0.5);
    let kinds = [
        "samples",
        "state",
        "events",
        "contacts",
        "timeline",
        "ledger",
        "series",
        "force",
        "joint_states",
        "joint_series",
        "geometry/99999999999999999999",
        "geometry/-1",
        "near",
        "hash",
        "pairs",
    ];
    let words = [
        "",
        "from=nan&to=nan",
        "from=inf&to=-inf",
        "at=nan",
        "at=1e308&body=4294967295",
        "every=1e-320&from=0&to=1e308",
        "every=nan&from=0&to=1",
        "points=0",
        "points=18446744073709551615",
        "bins=0",
        "bins=18446744073709551615",
        "limit=18446744073709551615&back=1",
        "limit=0",
        "most=0",
        "most=18446744073709551615",
        "a=0&b=4294967295",
        "kind=,,,",
        "body=-1",
        "at=x",
    ];
    for kind in kinds {
        for word in words {
            let (status, _, _) =
                server.ask(&format!("GET /api/runs/{run}/{kind}?{word}"), &server.head(), "");
            assert!(status < 500, "{kind}?{word}: {status}");
        }
    }
}

#[test]
fn a_client_that_never_listens_holds_nobody_up() {
    let server = server(Subject::Gallery);
    let run = server.open(&json!({ "scene": "bouncing_ball" }));
    // Its socket fills up and stays so.
    let mut deaf = server.socket(&run);
    deaf.say(&json!({ "do": "speed", "speed": 100.0 }));
    let end = server.socket(&run).run_to_the_end();
    let committed = carom_scene::built_in("bouncing_ball").and_then(carom_scene::BuiltIn::hash);
    assert_eq!(end["hash"].as_str().map(str::to_owned), committed);
}
