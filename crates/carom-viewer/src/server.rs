//! The server: every question that the page can ask.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use carom::Surface;
use carom_record::{BodyDescription, ReadError, RecordedCollision, Sample};
use carom_scene::{BUILT_IN, DiskFiles, Source, load};
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::guard::{self, Guard, refusal};
use crate::history::lock;
use crate::live::{Order, Stand};
use crate::runs::{self, Changes, Given, Refused, Run, Runs, Subject, Wish};
use crate::views::{self, EventWish};
use crate::{changes, checks, describe, joints, page, save, socket};

/// Bytes that a question may have.
const MOST_BYTES: usize = 64 * 1024;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is shown first.
    pub subject: Subject,
    /// Who can reach it; this machine alone unless somebody says otherwise.
    pub bind: IpAddr,
    /// 0 for any that is free.
    pub port: u16,
    /// What the address carries; none for a new one.
    pub token: Option<String>,
    /// Of the program, for people and recordings.
    pub version: String,
}

impl Default for Options {
    fn default() -> Self {
        let (subject, bind) = (Subject::Gallery, IpAddr::V4(Ipv4Addr::LOCALHOST));
        Self { subject, bind, port: 0, token: None, version: String::new() }
    }
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The system has no randomness for a token.
    #[error("the system gives no random numbers for a token")]
    Token,
    /// The port is taken, or the address is not this machine's.
    #[error("cannot listen on {address}: {source}\nhint: --port 0 takes any that is free")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The server broke down.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Where a server can be found.
#[derive(Clone, Debug)]
pub struct Served {
    /// The address with its token.
    pub address: String,
}

/// What all answers are made from.
pub(crate) struct App {
    pub(crate) runs: Mutex<Runs>,
    pub(crate) subject: Subject,
    pub(crate) version: String,
    /// What is told when the scene's file changes.
    changes: Changes,
    /// In the names of runs, so that a page does not take another server's for this one's.
    salt: String,
}

/// Serves until `ended` comes; `ready` is told the address once somebody can ask.
///
/// # Errors
/// If it cannot listen.
pub async fn serve(
    options: Options,
    ready: impl FnOnce(&Served),
    ended: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let token = match options.token {
        Some(token) => token,
        None => guard::new_token().map_err(|_| ServeError::Token)?,
    };
    let address = SocketAddr::new(options.bind, options.port);
    let listener = TcpListener::bind(address)
        .await
        .map_err(|source| ServeError::Listen { address, source })?;
    let bound = listener.local_addr()?;
    let guard = Guard::new(token.clone(), bound);
    let (tell, changes) = watch::channel(Arc::new(Value::Null));
    if let Subject::File(path) = &options.subject {
        tokio::spawn(changes::follow(path.clone(), tell));
    }
    let app = Arc::new(App {
        runs: Mutex::default(),
        changes,
        subject: options.subject,
        version: options.version,
        salt: guard::new_token().map_err(|_| ServeError::Token)?,
    });
    // Nobody can ask for "any address"; this machine has one that always works.
    let shown = match bound {
        SocketAddr::V4(it) if it.ip().is_unspecified() => format!("127.0.0.1:{}", it.port()),
        SocketAddr::V6(it) if it.ip().is_unspecified() => format!("[::1]:{}", it.port()),
        _ => bound.to_string(),
    };
    ready(&Served { address: format!("http://{shown}/?token={token}") });
    let served = axum::serve(listener, router(app, guard));
    Ok(served.with_graceful_shutdown(ended).await?)
}

fn router(app: Arc<App>, guard: Guard) -> Router {
    let of_run = Router::new()
        .route("/bodies", get(bodies))
        .route("/geometry/{number}", get(geometry))
        .route("/samples", get(samples))
        .route("/state", get(state))
        .route("/events", get(events))
        .route("/contacts", get(contacts))
        .route("/timeline", get(timeline))
        .route("/ledger", get(ledger))
        .route("/series", get(series))
        .route("/force", get(force))
        .route("/pairs", get(pairs))
        .route("/expectations", get(expectations))
        .route("/joints", get(joints))
        .route("/joint_states", get(joint_states))
        .route("/joint_series", get(joint_series))
        .route("/near", get(near))
        .route("/hash", get(hash))
        .route("/recording", get(save::recording))
        .route("/live", get(socket::upgrade));
    Router::new()
        .route("/api/hello", get(hello))
        .route("/api/scenes", get(scenes))
        .route("/api/scenes/{name}/picture", get(picture))
        .route("/api/runs", post(open))
        .route("/api/runs/{run}", get(about).delete(close))
        .nest("/api/runs/{run}", of_run)
        .fallback(page::file)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(from_fn_with_state(guard, guard::watch))
        .with_state(app)
}

async fn hello(State(app): State<Arc<App>>) -> Json<Value> {
    let open = match &app.subject {
        Subject::Gallery => Value::Null,
        Subject::BuiltIn(name) => json!({ "scene": name }),
        Subject::File(_) => json!({ "scene": "file" }),
        Subject::Recording(_) => json!({ "recording": "file" }),
    };
    Json(json!({ "version": app.version, "open": open, "page": 1 }))
}

async fn scenes() -> Json<Value> {
    let told = |scene: &carom_scene::BuiltIn| {
        let source = Source::text(scene.name, scene.text);
        let loaded = load(&source, &carom_scene::Options::default(), &DiskFiles).scene;
        let (title, description) =
            loaded.map(|scene| (scene.title, scene.description)).unwrap_or_default();
        let thumbnail = format!("/api/scenes/{}/picture", scene.name);
        json!({ "name": scene.name, "title": title, "description": description, "thumbnail": thumbnail })
    };
    Json(BUILT_IN.iter().map(told).collect())
}

async fn picture(Path(name): Path<String>) -> Response {
    match crate::pictures::of(&name) {
        Some(bytes) => {
            let kind =
                [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "max-age=3600")];
            (kind, bytes).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "there is no picture of that scene", None),
    }
}

async fn open(State(app): State<Arc<App>>, body: Bytes) -> Response {
    let wish: Wish = match serde_json::from_slice(&body) {
        Ok(wish) => wish,
        Err(error) => return refusal(StatusCode::BAD_REQUEST, &error.to_string(), None),
    };
    let mut changes = app.changes.clone();
    changes.mark_unchanged();
    let opened = blocking(move || {
        let given = Given { salt: &app.salt, changes };
        runs::open(&app.runs, &app.subject, &wish, given)
    })
    .await;
    match opened {
        Some(Ok(run)) => (StatusCode::CREATED, Json(json!({ "run": run.id }))).into_response(),
        Some(Err(Refused::NotThere(why))) => refusal(StatusCode::NOT_FOUND, &why, None),
        Some(Err(Refused::Mistakes(problems))) => {
            let told = json!({ "error": "the scene has mistakes", "problems": describe::problems(&problems),
                               "text": problems.render(false) });
            (StatusCode::UNPROCESSABLE_ENTITY, Json(told)).into_response()
        }
        Some(Err(Refused::Read(error))) => unreadable(&error),
        None => broken(),
    }
}

async fn close(State(app): State<Arc<App>>, Path(run): Path<String>) -> Response {
    if lock(&app.runs).close(&run) { Json(json!({})).into_response() } else { no_run() }
}

fn no_run() -> Response {
    refusal(StatusCode::NOT_FOUND, "there is no such run (any more)", Some("open it anew"))
}

pub(crate) fn broken() -> Response {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, "the question could not be answered", None)
}

fn unreadable(error: &ReadError) -> Response {
    refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string(), None)
}

/// Questions that are worked on at once; more of them wait.
static WORKERS: Semaphore = Semaphore::const_new(16);

/// Runs something that may take a while where it holds nobody up.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let _place = WORKERS.acquire().await.ok()?;
    tokio::task::spawn_blocking(work).await.ok()
}

/// Answers a question about a run.
async fn of_run<T: IntoResponse + Send + 'static>(
    app: Arc<App>,
    run: String,
    answer: impl FnOnce(&Run) -> Result<T, ReadError> + Send + 'static,
) -> Response {
    let Some(run) = lock(&app.runs).get(&run) else { return no_run() };
    match blocking(move || answer(&run)).await {
        Some(Ok(answer)) => answer.into_response(),
        Some(Err(error)) => unreadable(&error),
        None => broken(),
    }
}

pub(crate) type Named = Path<BTreeMap<String, String>>;

fn run_of(path: &Named) -> String {
    path.get("run").cloned().unwrap_or_default()
}

async fn about(State(app): State<Arc<App>>, path: Named) -> Response {
    of_run(app, run_of(&path), |run| Ok(Json(run.describe()))).await
}

async fn bodies(State(app): State<Arc<App>>, path: Named) -> Response {
    of_run(app, run_of(&path), |run| {
        let index = lock(&run.index);
        Ok(Json(describe::bodies(&index, &mut lock(&run.geometries), &lock(&run.materials))))
    })
    .await
}

async fn geometry(State(app): State<Arc<App>>, path: Named) -> Response {
    let number = path.get("number").and_then(|it| it.parse::<usize>().ok());
    of_run(app, run_of(&path), move |run| {
        let found = number.and_then(|it| lock(&run.geometries).bytes(it).map(<[u8]>::to_vec));
        Ok(match found {
            Some(bytes) => ([(header::CACHE_CONTROL, "max-age=3600")], bytes).into_response(),
            None => refusal(StatusCode::NOT_FOUND, "there is no such surface", None),
        })
    })
    .await
}

/// All words that questions about times have.
#[derive(Debug, Default, Deserialize)]
struct Asked {
    from: Option<f64>,
    to: Option<f64>,
    at: Option<f64>,
    every: Option<f64>,
    most: Option<usize>,
    limit: Option<usize>,
    points: Option<usize>,
    bins: Option<usize>,
    body: Option<u32>,
    joint: Option<u32>,
    a: Option<u32>,
    b: Option<u32>,
    kind: Option<String>,
    back: Option<u8>,
}

impl Asked {
    fn span(&self) -> [f64; 2] {
        [self.from.unwrap_or(f64::NEG_INFINITY), self.to.unwrap_or(f64::INFINITY)]
    }
}

async fn samples(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    let most = asked.most.unwrap_or(128);
    of_run(app, run_of(&path), move |run| match (asked.at, asked.every) {
        (Some(at), _) if at.is_finite() => views::fine_samples(run, [at, at], 1.0),
        (_, Some(every)) if every > 0.0 && asked.span().iter().all(|it| it.is_finite()) => {
            views::fine_samples(run, asked.span(), every)
        }
        _ => views::samples(&run.history, asked.span(), most),
    })
    .await
}

async fn state(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    of_run(app, run_of(&path), move |run| {
        let body = asked.body.and_then(|body| lock(&run.index).bodies.get(&body).cloned());
        let sample = run.samples_at(&[asked.at.unwrap_or(f64::MAX)])?.pop();
        let told = |(it, body): (Sample, BodyDescription)| {
            let gravity = run.gravity_at(it.time);
            views::state(&it, &body, gravity)
        };
        let found = sample.zip(body).and_then(told);
        Ok(match found {
            Some(state) => Json(state).into_response(),
            None => refusal(StatusCode::NOT_FOUND, "that body is not there at that time", None),
        })
    })
    .await
}

async fn events(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    of_run(app, run_of(&path), move |run| {
        let kinds = asked.kind.as_ref().map(|it| it.split(',').map(str::to_owned).collect());
        let wish = EventWish {
            span: asked.span(),
            limit: asked.limit.unwrap_or(200),
            kinds,
            bodies: [asked.a, asked.b].into_iter().flatten().collect(),
            is_back: asked.back == Some(1),
        };
        let (events, more) = views::events(&run.history, &wish)?;
        Ok(Json(json!({ "events": events, "more": more })))
    })
    .await
}

async fn contacts(
    State(app): State<Arc<App>>,
    path: Named,
    Query(asked): Query<Asked>,
) -> Response {
    of_run(app, run_of(&path), move |run| {
        let most = asked.most.unwrap_or(200).min(views::MOST_EVENTS);
        let friction = |it: &RecordedCollision| friction_of(run, it);
        Ok(Json(views::contacts(&run.history, asked.span(), (asked.body, most), friction)?))
    })
    .await
}

/// The coefficient of friction of a collision, by the scene and by what was changed since.
fn friction_of(run: &Run, collision: &RecordedCollision) -> Option<f64> {
    let scene = run.scene.as_ref()?;
    let [a, b] = collision.bodies;
    let (a, b) = (a?, b?);
    let index = lock(&run.index);
    let materials = lock(&run.materials);
    let material = |number: u32| materials.get(&index.bodies.get(&number)?.name).copied();
    let (a, b) = (material(a)?, material(b)?);
    let stated = scene.pairs.iter().find(|it| it.materials == [a, b] || it.materials == [b, a]);
    let surface = |number: usize| {
        let material = &scene.materials[number];
        let changed = index.friction_at(&material.name, collision.time);
        Surface { friction: changed.unwrap_or(material.surface.friction), ..material.surface }
    };
    let combined = || surface(a).combined(&surface(b));
    Some(stated.map_or_else(combined, |it| it.surface).friction)
}

async fn timeline(
    State(app): State<Arc<App>>,
    path: Named,
    Query(asked): Query<Asked>,
) -> Response {
    of_run(app, run_of(&path), move |run| {
        let [from, to] = lock(&run.index).reach();
        let bins = asked.bins.unwrap_or(400).clamp(1, 2000);
        let bodies: Vec<u32> = [asked.a, asked.b].into_iter().flatten().collect();
        let [collision, micro, other] = if bodies.is_empty() {
            lock(&run.index).timeline.counts(to, bins)
        } else {
            views::timeline(&run.history, &bodies, to, bins)?
        };
        let kinds = json!({ "collision": collision, "micro": micro, "other": other });
        Ok(Json(json!({ "from_s": from.min(0.0), "to_s": to, "kinds": kinds })))
    })
    .await
}

async fn ledger(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    of_run(app, run_of(&path), move |run| {
        let lines = lock(&run.index).ledger.some(asked.points.unwrap_or(1000).clamp(2, 4096));
        let column =
            |of: fn(&carom_record::LedgerLine) -> f64| lines.iter().map(of).collect::<Vec<f64>>();
        Ok(Json(json!({
            "time_s": column(|it| it.time),
            "initial_J": column(|it| it.account.initial),
            "kinetic_J": column(|it| it.account.kinetic),
            "potential_J": column(|it| it.account.potential),
            "work_J": column(|it| it.account.work),
            "restitution_loss_J": column(|it| it.account.restitution_loss),
            "friction_loss_J": column(|it| it.account.friction_loss),
            "boost_J": column(|it| it.account.boost),
            "projection_J": column(|it| it.account.projection),
            "integration_J": column(|it| it.account.integration),
            "residual_J": column(|it| it.account.residual),
        })))
    })
    .await
}

async fn series(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    of_run(app, run_of(&path), move |run| {
        let body = asked.body.and_then(|body| lock(&run.index).bodies.get(&body).cloned());
        let points = asked.points.unwrap_or(1000).clamp(2, views::MOST_SAMPLES);
        Ok(match body {
            Some(body) => {
                let gravity = |time: f64| run.gravity_at(time);
                Json(views::series(&run.history, &body, gravity, points)?).into_response()
            }
            None => refusal(StatusCode::NOT_FOUND, "there is no such body", None),
        })
    })
    .await
}

/// The joints of a run with what drives them, which only a run that goes on can tell.
async fn joints(State(app): State<Arc<App>>, path: Named) -> Response {
    let Some(run) = lock(&app.runs).get(&run_of(&path)) else { return no_run() };
    let numbers: Vec<u32> = lock(&run.index).joints.keys().copied().collect();
    let controls = match &run.live {
        Some(live) => live.ask(|answer| Order::Controls(numbers, answer)).await,
        None => None,
    };
    Json(joints::describe(&run, &controls.unwrap_or_default())).into_response()
}

async fn joint_states(
    State(app): State<Arc<App>>,
    path: Named,
    Query(asked): Query<Asked>,
) -> Response {
    of_run(app, run_of(&path), move |run| {
        let newest = run.live.as_ref().map(|live| live.state.borrow().clone());
        let newest = newest.as_ref().map(|it| &it.joints);
        Ok(Json(joints::states_at(&run.history, newest, asked.at.unwrap_or(f64::MAX))?))
    })
    .await
}

async fn joint_series(
    State(app): State<Arc<App>>,
    path: Named,
    Query(asked): Query<Asked>,
) -> Response {
    of_run(app, run_of(&path), move |run| {
        let joint = asked.joint.unwrap_or(u32::MAX);
        Ok(Json(joints::series(&run.history, joint, asked.points.unwrap_or(600))?))
    })
    .await
}

async fn force(State(app): State<Arc<App>>, path: Named, Query(asked): Query<Asked>) -> Response {
    of_run(app, run_of(&path), move |run| {
        let pair = [asked.a.unwrap_or(u32::MAX), asked.b.unwrap_or(u32::MAX)];
        let span = lock(&run.index).reach();
        Ok(Json(views::force(&run.history, pair, span, asked.points.unwrap_or(200))?))
    })
    .await
}

async fn pairs(State(app): State<Arc<App>>, path: Named) -> Response {
    of_run(app, run_of(&path), |run| Ok(Json(lock(&run.index).pairs()))).await
}

async fn expectations(State(app): State<Arc<App>>, path: Named) -> Response {
    of_run(app, run_of(&path), |run| Ok(Json(checks::of(run)))).await
}

/// A run that goes on, for what only such a one can answer.
pub(crate) fn live_run(app: &App, path: &Named) -> Result<Arc<Run>, Box<Response>> {
    let run = lock(&app.runs).get(&run_of(path)).ok_or_else(|| Box::new(no_run()))?;
    let is_live = run.live.is_some();
    let refused = || refusal(StatusCode::CONFLICT, "this is a recording: nothing runs", None);
    is_live.then_some(run).ok_or_else(|| Box::new(refused()))
}

async fn near(State(app): State<Arc<App>>, path: Named) -> Response {
    let run = match live_run(&app, &path) {
        Ok(run) => run,
        Err(refused) => return *refused,
    };
    let Some(live) = &run.live else { return broken() };
    live.ask(Order::Near).await.map_or_else(broken, |it| Json(it).into_response())
}

async fn hash(State(app): State<Arc<App>>, path: Named) -> Response {
    let run = match live_run(&app, &path) {
        Ok(run) => run,
        Err(refused) => return *refused,
    };
    let Some(live) = &run.live else { return broken() };
    let told = |it: Stand| Json(json!({ "time_s": it.time, "hash": it.hash })).into_response();
    live.ask(Order::Stand).await.map_or_else(broken, told)
}
