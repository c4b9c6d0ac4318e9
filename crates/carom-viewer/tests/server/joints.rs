//! Joints and hands, asked and given as a page does it.

use carom_viewer::Subject;

use serde_json::{Value, json};

use crate::common::{Folder, Server, Socket, server};

/// An arm of two links with stops, a ball that is free, and a floor.
const ARM: &str = r#"
format = 1
[world]
until = 4
[[body]]
name = "upper"
shape = { kind = "box", size = [0.5, 0.05, 0.05] }
mass = 1
position = [0.25, 0, 1]
[[body]]
name = "lower"
shape = { kind = "box", size = [0.4, 0.04, 0.04] }
mass = 0.5
position = [0.7, 0, 1]
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 0.3
position = [0, 2, 1]
[[body]]
name = "floor"
shape = { kind = "half_space", normal = [0, 0, 1], offset = -1 }
motion = { kind = "fixed" }
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["world", "upper"]
at = [0, 0, 1]
axis = [0, 1, 0]
limits = [-2, 2]
effort = 20
damping = 0.1
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = [0.5, 0, 1]
axis = [0, 1, 0]
[[gauge]]
name = "eye"
kind = "range"
body = "lower"
position = [0.2, 0, 0]
reach = 2
"#;

/// Holds both joints of the arm where they are.
const HOLD: &str = r#"
[[controller]]
name = "hold"
kind = "pd"
joints = ["shoulder", "elbow"]
kp = 40
kv = 2
rate_hz = 500
"#;

/// A server with a run of the arm, at its beginning; `more` is added to the scene.
fn arm(folder: &Folder, more: &str) -> (Server, String, Socket) {
    let path = folder.file("arm.toml", format!("{ARM}{more}").as_bytes());
    let server = server(Subject::File(path));
    let run = server.open(&json!({ "scene": "file" }));
    let socket = server.socket(&run);
    (server, run, socket)
}

/// The number of a body or a joint by its name.
fn number(all: &Value, name: &str) -> Value {
    let found = all.as_array().expect("a list").iter().find(|it| it["name"] == name);
    found.unwrap_or_else(|| panic!("there is no {name} in {all}"))["number"].clone()
}

fn row<'a>(states: &'a Value, joint: &Value) -> &'a Value {
    let rows = states["rows"].as_array().expect("rows");
    rows.iter().find(|it| it["joint"] == *joint).expect("it is there")
}

#[test]
fn joints_are_told_driven_and_pulled_and_the_session_runs_again_to_the_same_hash() {
    let folder = Folder::new("joints");
    let (server, run, mut socket) = arm(&folder, "");
    let joints = server.json(&format!("GET /api/runs/{run}/joints"), "");
    let bodies = server.json(&format!("GET /api/runs/{run}/bodies"), "");
    let shoulder = number(&joints, "shoulder");
    let told = &joints[0];
    assert_eq!(
        (&told["kind"], &told["parent"], &told["child"]),
        (&json!("revolute"), &Value::Null, &number(&bodies, "upper"))
    );
    let freedom = &told["freedoms"][0];
    assert_eq!([&freedom["lower"], &freedom["upper"], &freedom["effort"]], [-2.0, 2.0, 20.0]);
    assert_eq!((&freedom["unit"], &freedom["control"]), (&json!("rad"), &Value::Null));

    let gauges = server.json(&format!("GET /api/runs/{run}"), "")["gauges"].clone();
    assert_eq!((&gauges[0]["body"], &gauges[0]["reach_m"]), (&json!("lower"), &json!(2.0)));

    // A motor that is stronger than the weight lifts the arm.
    socket.done(&json!({ "do": "drive", "joint": shoulder, "force": [-12.0] }));
    let at = |time: f64| server.json(&format!("GET /api/runs/{run}/joint_states?at={time}"), "");
    socket.run_to(0.4);
    let lifted = at(1e9);
    assert!(row(&lifted, &shoulder)["position"].as_f64() < Some(-0.05), "{lifted}");
    assert_eq!(row(&lifted, &shoulder)["force"], -12.0);
    // Between samples it is the cubic through both.
    let between = at(0.1011);
    let (early, late) = (at(0.1), at(0.1 + 1.0 / 60.0));
    let [a, b, c] = [&early, &between, &late].map(|it| row(it, &shoulder)["position"].as_f64());
    assert!(a > b && b > c, "{a:?} {b:?} {c:?}");

    // A link and a free body are pulled, and come to where the hand is.
    for (body, to) in [("lower", [0.3, 0.0, 1.6]), ("ball", [0.5, 2.0, 1.5])] {
        let id = number(&bodies, body);
        socket.done(&json!({ "do": "grab", "body": id, "point_m": [0.0, 0.0, 0.0], "to_m": to }));
        let hands = socket.hear(|it| it["hands"].as_array().is_some_and(|it| !it.is_empty()));
        assert!(hands["hands"][0]["stiffness_N_m"].as_f64() > Some(10.0), "{hands}");
        let now = hands["now_s"].as_f64().expect("a time");
        socket.run_to(now + 0.2);
        let to = [to[0], to[1], to[2] + 0.05];
        socket.done(&json!({ "do": "move", "body": id, "to_m": to }));
        socket.run_to(now + 1.2);
        let state = server.json(&format!("GET /api/runs/{run}/state?body={id}"), "");
        let place: Vec<f64> = serde_json::from_value(state["position_m"].clone()).expect("numbers");
        let way = to.iter().zip(&place).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        // It hangs below the hand by its weight over the stiffness.
        assert!(way < 0.12, "{body}: {place:?} instead of {to:?}");
        socket.done(&json!({ "do": "let_go", "body": id }));
    }
    let status = socket.run_to(3.0);
    assert_eq!(status["hands"], json!([]));
    let ledger = server.json(&format!("GET /api/runs/{run}/ledger?points=100"), "");
    let residuals: Vec<f64> =
        serde_json::from_value(ledger["residual_J"].clone()).expect("numbers");
    assert!(residuals.iter().all(|it| it.abs() < 1e-7), "{residuals:?}");
    let work: Vec<f64> = serde_json::from_value(ledger["work_J"].clone()).expect("numbers");
    assert!(work.last() > Some(&1.0), "hands and motors work: {work:?}");
    let tied = server.json(&format!("GET /api/runs/{run}/events?from=-1&kind=tied,untied"), "");
    assert_eq!(tied["events"].as_array().map(Vec::len), Some(4), "{tied}");

    // Saving runs it again, which must come to the same hash; the recording tells its joints as well.
    let (code, head, recording) =
        server.ask(&format!("GET /api/runs/{run}/recording"), &server.head(), "");
    assert_eq!(code, 200, "{}", String::from_utf8_lossy(&recording));
    let hash = status["hash"].as_str().expect("a hash");
    assert!(head.contains(&format!("x-carom-hash: {hash}")), "{head}");
    let path = folder.file("session.mcap", &recording);
    let shown = crate::common::server(Subject::Recording(path));
    let again = shown.open(&json!({ "recording": "file" }));
    let joints = shown.json(&format!("GET /api/runs/{again}/joints"), "");
    assert_eq!(joints[0]["freedoms"][0]["effort"], 20.0);
    let series =
        shown.json(&format!("GET /api/runs/{again}/joint_series?joint={shoulder}&points=200"), "");
    let positions: Vec<f64> = serde_json::from_value(series["position0"].clone()).expect("numbers");
    assert!(positions.len() > 100 && positions.iter().all(|it| (-2.001..2.001).contains(it)));
    let then = shown.json(&format!("GET /api/runs/{again}/joint_states?at=0.1"), "");
    assert_eq!(row(&then, &shoulder)["position"], row(&early, &shoulder)["position"]);
}

#[test]
fn nonsense_about_joints_and_hands_is_refused_in_words() {
    let folder = Folder::new("nonsense");
    let (server, run, mut socket) = arm(&folder, "");
    let bodies = server.json(&format!("GET /api/runs/{run}/bodies"), "");
    let [floor, ball] = ["floor", "ball"].map(|name| number(&bodies, name));
    let origin = [0.0; 3];
    for (order, word) in [
        (json!({ "do": "drive", "joint": 99, "force": [1.0] }), "no joint 99"),
        (json!({ "do": "drive", "joint": 0, "force": [1.0, 2.0] }), "torque"),
        (json!({ "do": "drive", "joint": 0, "force": "much" }), "invalid type"),
        (json!({ "do": "target", "joint": 0, "freedom": 0, "target": 1.0 }), "no controller"),
        (json!({ "do": "enable", "joint": 0, "is_on": true }), "no controller"),
        (json!({ "do": "grab", "body": floor, "point_m": origin, "to_m": origin }), "is fixed"),
        (json!({ "do": "grab", "body": 99, "point_m": origin, "to_m": origin }), "no body 99"),
        (
            json!({ "do": "grab", "body": ball, "point_m": [0, 0], "to_m": origin }),
            "invalid length",
        ),
        (json!({ "do": "move", "body": ball, "to_m": origin }), "nobody holds"),
        (json!({ "do": "let_go", "body": ball }), "nobody holds"),
    ] {
        let said = socket.answer(order.clone());
        let error = said["error"].as_str().unwrap_or_default();
        assert!(said["say"] == "error" && error.contains(word), "{order}: {said}");
    }
    // Nothing of it was done.
    let hash = server.json(&format!("GET /api/runs/{run}/hash"), "");
    let again = server.open(&json!({ "scene": "file" }));
    assert_eq!(hash["hash"], server.json(&format!("GET /api/runs/{again}/hash"), "")["hash"]);
}

#[test]
fn hands_move_at_a_bounded_rate_and_let_go_with_whoever_goes() {
    let folder = Folder::new("going");
    let (server, run, mut socket) = arm(&folder, "");
    let bodies = server.json(&format!("GET /api/runs/{run}/bodies"), "");
    let ball = number(&bodies, "ball");
    let held =
        json!({ "do": "grab", "body": ball, "point_m": [0.0, 0.0, 0.1], "to_m": [0.0, 2.0, 1.1] });
    socket.done(&held);
    let said = socket.answer(held);
    assert!(said["error"].as_str().is_some_and(|it| it.contains("held already")), "{said}");
    let moved = |n: u32| json!({ "do": "move", "body": ball, "to_m": [0.0, 2.0, 1.1 + 0.001 * f64::from(n)] });
    // All at once: whoever waits for answers is slower than that.
    for n in 0..80 {
        let mut order = moved(n);
        order["id"] = json!(1000 + n);
        socket.say(&order);
    }
    let answers = (0..80).map(|n| socket.hear(|said| said["id"] == 1000 + n));
    let refused = answers.filter(|it| it["say"] == "error").count();
    assert!((10..=20).contains(&refused), "{refused}");
    drop(socket);
    let mut other = server.socket(&run);
    let status = other.hear(|it| it["say"] == "status" && it["hands"] == json!([]));
    assert!(status["actions"].as_u64() >= Some(60), "{status}");
}

#[test]
fn targets_of_controllers_are_told_set_and_saved() {
    let folder = Folder::new("targets");
    let (server, run, mut socket) = arm(&folder, HOLD);
    let joints = || server.json(&format!("GET /api/runs/{run}/joints"), "");
    let told = joints();
    let elbow = number(&told, "elbow");
    let control = json!({ "controller": 0, "is_rate": false, "is_enabled": true });
    assert_eq!(told[0]["freedoms"][0]["control"], control);
    let at = |time: f64| server.json(&format!("GET /api/runs/{run}/joint_states?at={time}"), "");
    assert_eq!(row(&at(1e9), &elbow)["target"], 0.0);
    socket.run_to(0.1);
    socket.done(&json!({ "do": "target", "joint": elbow, "freedom": 0, "target": -0.7 }));
    socket.run_to(1.5);
    let turned = at(1e9);
    assert_eq!(row(&turned, &elbow)["target"], -0.7);
    // A law without an integral stays off by what holds the weight, at most 0.98 N·m over 40 N·m/rad, and the shoulder
    // swings a little still.
    let position = row(&turned, &elbow)["position"].as_f64().expect("a number");
    assert!((position + 0.7).abs() < 0.05, "{turned}");
    // Ticks of controllers are events, but nobody steps from one to the next unless it is asked for.
    let steps = server.json(&format!("GET /api/runs/{run}/events?from=0.2&limit=5"), "");
    assert!(
        steps["events"].as_array().is_some_and(|all| all.iter().all(|it| it["kind"] != "tick"))
    );
    socket.done(&json!({ "do": "enable", "joint": elbow, "is_on": false }));
    assert_eq!(joints()[0]["freedoms"][0]["control"]["is_enabled"], false);
    assert_eq!(row(&at(1e9), &elbow)["target"], Value::Null);
    let status = socket.run_to(2.0);
    let (code, head, body) =
        server.ask(&format!("GET /api/runs/{run}/recording"), &server.head(), "");
    assert_eq!(code, 200, "{}", String::from_utf8_lossy(&body));
    assert!(head.contains(status["hash"].as_str().expect("a hash")), "{head}");
}
