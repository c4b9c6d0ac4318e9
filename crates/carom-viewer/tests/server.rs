//! The server, asked as a page asks it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use carom_viewer::{Options, Subject, serve};
use serde_json::{Value, json};
use tungstenite::Message;

const TOKEN: &str = "0123456789abcdef";

/// A server that ends with this.
struct Server {
    host: String,
    end: Option<tokio::sync::oneshot::Sender<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
    }
}

fn server(subject: Subject) -> Server {
    let (tell, told) = mpsc::channel();
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().expect("a runtime");
        let options = Options { subject, token: Some(TOKEN.into()), ..Options::default() };
        let ready = move |it: &carom_viewer::Served| tell.send(it.address.clone()).expect("heard");
        runtime
            .block_on(serve(options, ready, async move { drop(ended.await) }))
            .expect("it serves");
    });
    let address = told.recv_timeout(Duration::from_secs(10)).expect("it is ready");
    let host = address.trim_start_matches("http://").split('/').next().expect("a host").to_owned();
    Server { host, end: Some(end) }
}

impl Server {
    /// Status, headers and body of an answer.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let length = body.len();
        write!(
            stream,
            "{request} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .expect("it is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it is answered");
        let split = answer.windows(4).position(|it| it == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head[9..12].parse().expect("a status");
        (status, head.to_lowercase(), answer[split + 4..].to_vec())
    }

    fn head(&self) -> String {
        format!("Host: {}\r\nAuthorization: Bearer {TOKEN}\r\n", self.host)
    }

    fn json(&self, request: &str, body: &str) -> Value {
        let (status, _, body) = self.ask(request, &self.head(), body);
        let text = String::from_utf8_lossy(&body).into_owned();
        assert!((200..300).contains(&status), "{request}: {status} {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{request}: {error} in {text}"))
    }

    fn open(&self, wish: &Value) -> String {
        let opened = self.json("POST /api/runs", &wish.to_string());
        opened["run"].as_str().expect("a name").to_owned()
    }

    /// A socket to a run, and what it says until a status for which this holds.
    fn socket(&self, run: &str) -> Socket {
        let address = format!("ws://{}/api/runs/{run}/live?token={TOKEN}", self.host);
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        Socket(tungstenite::client(address, stream).expect("it is a socket").0)
    }
}

struct Socket(tungstenite::WebSocket<TcpStream>);

impl Socket {
    fn say(&mut self, order: &Value) {
        self.0.send(Message::Text(order.to_string().into())).expect("it is sent");
    }

    /// What is said, until it is this.
    fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < Duration::from_mins(1) {
            if let Message::Text(text) = self.0.read().expect("it is heard") {
                let said: Value = serde_json::from_str(&text).expect("it is JSON");
                if wanted(&said) {
                    return said;
                }
            }
        }
        panic!("it was not said");
    }

    fn run_to_the_end(&mut self) -> Value {
        self.say(&json!({ "do": "run_to", "time_s": 1e9 }));
        self.hear(|said| said["say"] == "status" && said["end"] == "complete")
    }
}

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

/// What the server adds to a run with one client: printed, because machines differ; `cargo test --release -p carom-viewer
/// adds -- --nocapture` measures it.
#[test]
fn what_the_server_adds_to_a_run_is_told() {
    use carom_scene::measure::Memory;

    let alone = || {
        let (scene, mut world) = built("dominos");
        let options = carom_study::recorded::options_of(&scene, false);
        let mut gatherer =
            carom_record::Gatherer::new(&options, std::collections::BTreeMap::new()).expect("rate");
        let mut memory = Memory::of(&scene).expect("it makes promises");
        let begin = Instant::now();
        let mut observers = carom::Observers::none().with(&mut gatherer).with(&mut memory);
        world.advance_watched(scene.until, &mut observers).expect("it runs");
        let measures = carom_scene::measure::Measures::new(&scene, memory, &world);
        assert!(measures.findings().0.iter().all(|it| it.pass));
        begin.elapsed().as_secs_f64()
    };
    let served = server(Subject::Gallery);
    let watched = || {
        let run = served.open(&json!({ "scene": "dominos" }));
        let mut socket = served.socket(&run);
        socket.hear(|said| said["say"] == "status");
        let begin = Instant::now();
        socket.run_to_the_end();
        begin.elapsed().as_secs_f64()
    };
    // One after the other, the best of each: what else the machine does comes and goes.
    let rounds = std::env::var("CAROM_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(2);
    let (mut least_alone, mut least_watched) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        least_alone = least_alone.min(alone());
        least_watched = least_watched.min(watched());
    }
    let ratio = least_watched / least_alone;
    println!("dominos alone {least_alone:.3} s, with a client {least_watched:.3} s: {ratio:.3}");
    assert!(ratio.is_finite());
}
