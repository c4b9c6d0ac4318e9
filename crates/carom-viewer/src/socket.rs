//! The socket of a run that goes on: orders come in, the newest state and status go out.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use carom_study::given::{Action, AddedShape};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::guard::{Rate, refusal};
use crate::history::lock;
use crate::live::{Live, Order, Stops};
use crate::runs::{Changes, Run, material_of};
use crate::server::App;

/// Bytes of a message at most.
const MOST_BYTES: usize = 64 * 1024;

/// Messages in a second at most.
const MOST_MESSAGES: u32 = 200;

/// Moves of a hand in a second at most: each is an action that a recording carries, and a course of the linkage.
const MOST_MOVES: u32 = 60;

/// An order as the page gives it.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Asked {
    Play {},
    Pause {},
    Speed {
        speed: f64,
    },
    Step {
        /// Kinds to stop at; none for all but microcollisions.
        kinds: Option<Vec<String>>,
        /// Names of bodies that must have a part in it.
        #[serde(default)]
        bodies: Vec<String>,
    },
    RunTo {
        time_s: f64,
    },
    Push {
        body: u32,
        #[serde(rename = "impulse_N_s")]
        impulse: [f64; 3],
        #[serde(rename = "point_m")]
        point: Option<[f64; 3]>,
    },
    Gravity {
        #[serde(rename = "gravity_m_s2")]
        gravity: [f64; 3],
    },
    Material {
        material: usize,
        friction: Option<f64>,
        restitution: Option<f64>,
    },
    Add {
        shape: AddedShape,
        density: f64,
        #[serde(rename = "position_m")]
        position: [f64; 3],
        #[serde(rename = "velocity_m_s")]
        velocity: [f64; 3],
        #[serde(rename = "angular_velocity_rad_s")]
        spin: [f64; 3],
        material: Option<usize>,
    },
    Remove {
        body: u32,
    },
    Grab {
        body: u32,
        /// In the body frame.
        #[serde(rename = "point_m")]
        point: [f64; 3],
        #[serde(rename = "to_m")]
        to: [f64; 3],
    },
    Move {
        body: u32,
        #[serde(rename = "to_m")]
        to: [f64; 3],
    },
    LetGo {
        body: u32,
    },
    Drive {
        joint: u32,
        force: Vec<f64>,
    },
    Target {
        joint: u32,
        freedom: usize,
        target: f64,
    },
    Enable {
        joint: u32,
        is_on: bool,
    },
}

pub(crate) async fn upgrade(
    State(app): State<Arc<App>>,
    Path(path): Path<std::collections::BTreeMap<String, String>>,
    socket: WebSocketUpgrade,
) -> Response {
    let run = path.get("run").and_then(|run| lock(&app.runs).get(run));
    let Some(run) = run else {
        let status = axum::http::StatusCode::NOT_FOUND;
        return refusal(status, "there is no such run (any more)", Some("open it anew"));
    };
    let socket = socket.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    // A built-in scene does not change.
    let changes = (run.name == "file").then(|| run.changes());
    socket.on_upgrade(move |socket| talk(socket, run, changes)).into_response()
}

/// Until one of the two goes away. Whoever goes away lets go of what they hold.
async fn talk(socket: WebSocket, run: Arc<Run>, changes: Option<Changes>) {
    let Some(live) = &run.live else { return listen_only(socket, run.ended()).await };
    let mut talker = Talker::default();
    converse(socket, live, &run, changes, &mut talker).await;
    for body in talker.held {
        let action = Action::LetGo { body };
        live.ask(|answer| Order::Act(action, answer)).await;
    }
}

/// Who is at the other end of a socket.
#[derive(Debug, Default)]
struct Talker {
    /// Names of bodies that they hold.
    held: BTreeSet<String>,
    moves: Rate,
}

async fn converse(
    mut socket: WebSocket,
    live: &Live,
    run: &Run,
    mut changes: Option<Changes>,
    talker: &mut Talker,
) {
    let (mut state, mut status) = (live.state.clone(), live.status.clone());
    let mut rate = Rate::default();
    let mut ended = run.ended();
    let mut bodies = 0;
    let first = Message::Binary(state.borrow_and_update().block.clone().into());
    let said = Message::Text(status.borrow_and_update().to_string().into());
    if socket.send(first).await.is_err() || socket.send(said).await.is_err() {
        return;
    }
    loop {
        let reply = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) if !rate.allows(MOST_MESSAGES) => {
                    return drop(socket.send(too_many()).await);
                }
                Some(Ok(Message::Text(text))) => {
                    Some(Message::Text(obey(live, run, talker, &text).await.to_string().into()))
                }
                Some(Ok(Message::Binary(_))) => Some(no_text()),
                Some(Ok(_)) => None,
            },
            () = gone(&mut ended) => return,
            changed = state.changed() => {
                if changed.is_err() { return; }
                Some(Message::Binary(state.borrow_and_update().block.clone().into()))
            }
            changed = status.changed() => {
                if changed.is_err() { return; }
                Some(Message::Text(status.borrow_and_update().to_string().into()))
            }
            told = next_change(&mut changes) => Some(Message::Text(told.to_string().into())),
        };
        let known = {
            let index = lock(&run.index);
            index.bodies.len() + index.joints.len() + index.parted.len()
        };
        let more = (known != bodies && bodies != 0).then(|| json!({ "say": "bodies" }));
        bodies = known;
        let more = more.map(|it| Message::Text(it.to_string().into()));
        for message in more.into_iter().chain(reply) {
            if socket.send(message).await.is_err() {
                return;
            }
        }
    }
}

/// What is told of the scene's file when it changes; never, where nobody looks at it.
async fn next_change(changes: &mut Option<Changes>) -> Arc<Value> {
    if let Some(changes) = changes
        && changes.changed().await.is_ok()
    {
        return Arc::clone(&changes.borrow_and_update());
    }
    std::future::pending().await
}

/// Returns when a run is ended.
async fn gone(ended: &mut watch::Receiver<bool>) {
    drop(ended.wait_for(|it| *it).await);
}

fn no_text() -> Message {
    let told = refused(None, "orders are text, in JSON", None);
    Message::Text(told.to_string().into())
}

fn too_many() -> Message {
    let told = refused(None, "too many messages in a second", Some("the socket is closed"));
    Message::Text(told.to_string().into())
}

/// A recording takes no orders; the socket says that the server is there.
async fn listen_only(mut socket: WebSocket, mut ended: watch::Receiver<bool>) {
    let mut rate = Rate::default();
    loop {
        let message = tokio::select! {
            message = socket.recv() => message,
            () = gone(&mut ended) => return,
        };
        let Some(Ok(message)) = message else { return };
        if !rate.allows(MOST_MESSAGES) {
            return drop(socket.send(too_many()).await);
        }
        let (Message::Text(_) | Message::Binary(_)) = message else { continue };
        let told = refused(None, "this is a recording: it takes no orders", None);
        if socket.send(Message::Text(told.to_string().into())).await.is_err() {
            return;
        }
    }
}

fn refused(id: Option<&Value>, error: &str, hint: Option<&str>) -> Value {
    json!({ "say": "error", "id": id, "error": error, "hint": hint })
}

/// Does what is asked; the answer in any case.
async fn obey(live: &Live, run: &Run, talker: &mut Talker, text: &str) -> Value {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return refused(None, "that is not JSON", None);
    };
    let id = value.get("id").cloned();
    let asked: Asked = match serde_json::from_value(value) {
        Ok(asked) => asked,
        Err(error) => return refused(id.as_ref(), &error.to_string(), None),
    };
    let done = match asked {
        Asked::Play {} => ordered(live, Order::Play),
        Asked::Pause {} => ordered(live, Order::Pause),
        Asked::Speed { speed } if speed.is_finite() && speed > 0.0 => {
            ordered(live, Order::Speed(speed))
        }
        Asked::Speed { .. } => Err("a speed is a positive finite number".to_owned()),
        Asked::Step { kinds, bodies } => ordered(live, Order::Step(Stops { kinds, bodies })),
        Asked::RunTo { time_s } => ordered(live, Order::RunTo(time_s)),
        Asked::Move { .. } if !talker.moves.allows(MOST_MOVES) => {
            Err(format!("a hand moves at most {MOST_MOVES} times a second"))
        }
        action => act(live, run, talker, action).await,
    };
    match done {
        Ok(()) => json!({ "say": "done", "id": id }),
        Err(why) => {
            let (error, hint) = why.split_once("\nhint: ").unwrap_or((&why, ""));
            refused(id.as_ref(), error, Some(hint).filter(|hint| !hint.is_empty()))
        }
    }
}

fn ordered(live: &Live, order: Order) -> Result<(), String> {
    if live.order(order) { Ok(()) } else { Err("the run has ended".to_owned()) }
}

async fn act(live: &Live, run: &Run, talker: &mut Talker, asked: Asked) -> Result<(), String> {
    let action = action_of(live, run, asked).await?;
    let added = run.scene.as_deref().and_then(|scene| material_of(&action, scene));
    let done = action.clone();
    match live.ask(|answer| Order::Act(action, answer)).await {
        Some(taken) => {
            taken.map_err(|error| error.to_string())?;
            lock(&run.materials).extend(added);
            match done {
                Action::Grab { body, .. } => drop(talker.held.insert(body)),
                Action::LetGo { body } => drop(talker.held.remove(&body)),
                _ => {}
            }
            Ok(())
        }
        None => Err("the run has ended".to_owned()),
    }
}

/// An action by names, as recordings have it.
async fn action_of(live: &Live, run: &Run, asked: Asked) -> Result<Action, String> {
    let material = |number: usize| {
        let materials = run.scene.as_ref().map(|scene| &scene.materials);
        let found = materials.and_then(|all| all.get(number)).map(|it| it.name.clone());
        found.ok_or_else(|| format!("there is no material {number}"))
    };
    Ok(match asked {
        Asked::Push { body, impulse, point } => {
            Action::Push { body: name_of(live, body).await?, impulse, point }
        }
        Asked::Remove { body } => Action::Remove { body: name_of(live, body).await? },
        Asked::Grab { body, point, to } => {
            Action::Grab { body: name_of(live, body).await?, point, to }
        }
        Asked::Move { body, to } => Action::Move { body: name_of(live, body).await?, to },
        Asked::LetGo { body } => Action::LetGo { body: name_of(live, body).await? },
        Asked::Drive { joint, force } => Action::Drive { joint: joint_name(run, joint)?, force },
        Asked::Target { joint, freedom, target } => {
            Action::Target { joint: joint_name(run, joint)?, freedom, target }
        }
        Asked::Enable { joint, is_on } => {
            Action::Enable { joint: joint_name(run, joint)?, enabled: is_on }
        }
        Asked::Gravity { gravity } => Action::Gravity { gravity },
        Asked::Material { material: number, friction, restitution } => {
            Action::Material { material: material(number)?, friction, restitution }
        }
        Asked::Add { shape, density, position, velocity, spin, material: number } => {
            let count = lock(&run.index).bodies.len();
            Action::Add {
                name: format!("added {count}"),
                shape,
                density,
                position,
                velocity,
                angular_velocity: spin,
                material: number.map(material).transpose()?,
            }
        }
        _ => return Err("that is no action".to_owned()),
    })
}

async fn name_of(live: &Live, number: u32) -> Result<String, String> {
    let name = live.ask(|answer| Order::Named(number, answer)).await.flatten();
    name.ok_or_else(|| format!("there is no body {number} (any more)"))
}

fn joint_name(run: &Run, number: u32) -> Result<String, String> {
    let found = lock(&run.index).joints.get(&number).map(|joint| joint.name.clone());
    found.ok_or_else(|| format!("there is no joint {number}"))
}
