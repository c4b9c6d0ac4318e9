//! The server, asked as a page asks it.

mod common;
mod joints;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    let head = server.ask("GET /", &server.head(), "").1;
    assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    server.json(&format!("DELETE /api/runs/{run}"), "");
    assert_eq!(server.ask(&format!("GET /api/runs/{run}"), &server.head(), "").0, 404);
}

/// The scene as `carom run` would build it.
fn built(name: &str) -> (carom_scene::Scene, carom::World) {
    let text = carom_scene::built_in(name).expect("it is built in").text;
    let source = carom_scene::Source::text(name, text);
    let loaded =
        carom_scene::load(&source, &carom_scene::Options::default(), &carom_scene::DiskFiles);
    let scene = loaded.scene.expect("it is right");
    let world = scene.build_with_ids(1).expect("it can be built").0;
    (scene, world)
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

/// What the server adds to a run with one client: printed, because machines differ; `CAROM_ROUNDS=100 cargo test --release -p
/// carom-viewer adds -- --nocapture` measures it.
///
/// Rounds are pairs of runs in alternating order, so that what else the machine does falls on both; the median of their ratios has
/// the standard error 1.2533σ/√n, with σ from the quartiles. Where the system tells it, time is also that of the engine's thread on a
/// processor, which other programs hardly change.
#[test]
fn what_the_server_adds_to_a_run_is_told() {
    use carom_scene::measure::Memory;

    let alone = || {
        let (scene, mut world) = built("dominos");
        let options = carom_study::recorded::options_of(&scene, false);
        let mut gatherer = carom_record::Gatherer::new(&options, BTreeMap::new()).expect("rate");
        let mut memory = Memory::of(&scene).expect("it makes promises");
        let (begin, worked) = (Instant::now(), worked_s("/proc/thread-self"));
        let mut observers = carom::Observers::none().with(&mut gatherer).with(&mut memory);
        world.advance_watched(scene.until, &mut observers).expect("it runs");
        let measures = carom_scene::measure::Measures::new(&scene, memory, &world);
        assert!(measures.findings().0.iter().all(|it| it.pass));
        let worked = worked_s("/proc/thread-self").zip(worked).map(|(end, begin)| end - begin);
        (begin.elapsed().as_secs_f64(), worked)
    };
    let served = server(Subject::Gallery);
    let watched = || {
        let run = served.open(&json!({ "scene": "dominos" }));
        let mut socket = served.socket(&run);
        socket.hear(|said| said["say"] == "status");
        let (begin, worked) = (Instant::now(), engines_worked_s());
        socket.run_to_the_end();
        let elapsed = begin.elapsed().as_secs_f64();
        let since = |(engine, end)| end - worked.get(&engine).copied().unwrap_or(0.0);
        (elapsed, engines_worked_s().into_iter().map(since).reduce(|a, b| a + b))
    };
    let rounds = std::env::var("CAROM_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    let (mut of_clock, mut of_processor) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let (alone, watched) = if round % 2 == 0 {
            let alone = alone();
            (alone, watched())
        } else {
            let watched = watched();
            (alone(), watched)
        };
        of_clock.push(watched.0 / alone.0);
        of_processor.extend(watched.1.zip(alone.1).map(|(watched, alone)| watched / alone));
    }
    for (what, mut ratios) in [("clock", of_clock), ("engine's thread", of_processor)] {
        if let Some((median, error)) = median(&mut ratios) {
            println!("dominos with a client over alone, by {what}: {median:.4} ± {error:.4}");
            assert!(median.is_finite());
        }
    }
}

/// The middle of some numbers and its standard error.
fn median(numbers: &mut [f64]) -> Option<(f64, f64)> {
    numbers.sort_by(f64::total_cmp);
    let at = |share: f64| numbers.get((share * numbers.len() as f64) as usize).copied();
    // The quartiles of a normal distribution are 1.349σ apart.
    let sigma = (at(0.75)? - at(0.25)?) / 1.349;
    Some((at(0.5)?, 1.2533 * sigma / (numbers.len() as f64).sqrt()))
}

/// How long a thread has been on a processor `[s]`, where the system tells it: the first number is in nanoseconds.
fn worked_s(thread: &str) -> Option<f64> {
    let told = std::fs::read_to_string(format!("{thread}/schedstat")).ok()?;
    told.split_whitespace().next()?.parse().ok().map(|nanoseconds: f64| 1e-9 * nanoseconds)
}

/// The same of every thread in which a world runs.
fn engines_worked_s() -> BTreeMap<PathBuf, f64> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let is_engine = |path: &PathBuf| {
        std::fs::read_to_string(path.join("comm")).is_ok_and(|name| name.trim() == "carom live")
    };
    let engines = threads.map(|it| it.path()).filter(is_engine);
    engines.filter_map(|path| worked_s(path.to_str()?).map(|it| (path, it))).collect()
}
