//! A run that goes on, as a recording to keep.
//!
//! It is run again from its beginning with its actions, which must come to the same hash: so what is saved is what can be run
//! again, and the live run is not held up by writing.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use carom_record::Recorder;
use carom_study::recorded::{header_of, options_of};
use serde_json::json;

use crate::checks::told_of;
use crate::guard::refusal;
use crate::history::lock;
use crate::live::{Order, Stand};
use crate::runs::Run;
use crate::server::{App, Named, blocking, broken, live_run};

/// The run as a recording: run again with its actions, which must come to the same hash.
pub(crate) async fn recording(State(app): State<Arc<App>>, path: Named) -> Response {
    let run = match live_run(&app, &path) {
        Ok(run) => run,
        Err(refused) => return *refused,
    };
    let Some(live) = &run.live else { return broken() };
    let Some(stand) = live.ask(Order::Stand).await else { return broken() };
    let (again, version, hash) = (Arc::clone(&run), app.version.clone(), stand.hash.clone());
    match blocking(move || replayed(&again, &stand, &version)).await {
        Some(Ok(bytes)) => {
            let name = format!("attachment; filename=\"{}.mcap\"", plain(&run.name));
            let headers = [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, name),
                (HeaderName::from_static("x-carom-hash"), hash),
            ];
            (headers, Body::from(bytes)).into_response()
        }
        Some(Err(why)) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &why, None),
        None => broken(),
    }
}

/// A name that can stand in a header.
fn plain(name: &str) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let plain: String = name.chars().filter(is_plain).collect();
    if plain.is_empty() { "run".to_owned() } else { plain }
}

fn replayed(run: &Run, stand: &Stand, version: &str) -> Result<Vec<u8>, String> {
    let scene = run.scene.as_ref().ok_or("the run has no scene")?;
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let (mut world, _) = scene.build_with_ids(1).map_err(|problems| problems.render(false))?;
    let header = header_of(scene, version, &run.overrides, run.contact, &stand.given);
    let options = options_of(scene, true);
    let mut recorder = Recorder::new(Vec::new(), "the download", &header, &options)
        .map_err(|error| told(&error))?;
    let times = stand.given.iter().map(|it| (it.time, Some(&it.action)));
    for (time, action) in times.chain([(stand.time, None)]) {
        let mut observers = carom::Observers::none().with(&mut recorder);
        world.advance_watched(time, &mut observers).map_err(|fault| told(&fault))?;
        if let Some(action) = action {
            action.take(&mut world).map_err(|error| told(&error))?;
        }
    }
    let hash = world.hash().to_string();
    if hash != stand.hash {
        return Err(format!("run again it came to the hash {hash} instead of {}", stand.hash));
    }
    let mut summary = json!({ "hash": hash, "simulated_s": world.now(), "session": true });
    let found = run.live.as_ref().and_then(|live| lock(&live.findings).clone());
    // What people do to a scene is not what it makes its promises for.
    if let Some(findings) = found.filter(|_| stand.given.is_empty() && stand.time == scene.until) {
        summary["expectations"] = json!(told_of(&findings));
    }
    let summary = summary.to_string();
    recorder.finish(&world, &summary).map_err(|error| told(&error))
}
