//! One scene, run by every engine.

use carom::BodyState;
use carom_geometry::distance::pieces::Pieces;
use carom_scene::measure::Measures;
use carom_scene::{MotionSpec, Scene};
use glam::DVec3;

use super::curve::{Point, read};
use super::description::Description;
use super::memory;
use super::ours::{self, Ours};
use super::quantity::{Promise, comparable, promises, proving};
use super::rapier::Stepping;
use super::report::{OwnRun, PeerReport, PeerRun, Quantity, SceneReport};
use super::track::Stepped;
use super::{mujoco, rapier};

/// Steps of the peers, coarsest first `[s]`.
pub const STEPS: [f64; 4] = [1.0 / 60.0, 1.0 / 240.0, 1.0 / 1000.0, 1.0 / 4000.0];

/// The step at which costs are compared whatever the error `[s]`.
pub const ONE_KILOHERTZ: f64 = 1.0 / 1000.0;

/// A step size that would take longer is left out, judged by the one before `[s]`.
const MOST_TIME: f64 = 60.0;

/// Runs of a peer that are shorter are repeated; the fastest counts.
const SHORT: f64 = 0.1;
const RUNS: usize = 3;

/// The share of the envelope in the run that others are judged by where a scene has no expectation for them.
const TIGHTER: f64 = 0.1;

/// Our own curve: multiples of the scene's envelope, coarsest first.
const ENVELOPES: [f64; 3] = [10.0, 1.0, 0.1];

/// A peer: how it steps through a scene.
pub struct Peer<'a> {
    name: &'static str,
    step: &'a dyn Fn(&Scene, &Description, f64) -> Result<Stepped, String>,
    has_memory: bool,
}

/// Where the free bodies are in the end, and whose answer it is.
struct Reference {
    places: Vec<DVec3>,
}

/// Runs a scene by Carom and all peers; its name is told to the process that measures memory.
pub fn compare(name: &str, scene: &Scene, python: &mujoco::Python) -> SceneReport {
    let asked = comparable(scene);
    let mut report = SceneReport::of(name, scene.bodies.len());
    let ours = match ours::measure(scene, &asked) {
        Ok(ours) => ours,
        Err(message) => {
            report.failed = Some(message);
            return report;
        }
    };
    let mut runs = run_peers(name, &asked, python);
    judge(&mut report, &asked, &ours, &mut runs);
    report.peers = runs.into_iter().map(|(peer, _)| peer).collect();
    let mut figures = ours.figures;
    figures.peak_memory = memory::of_run(name, None);
    for peer in &mut report.peers {
        let is_whole = |run: &&PeerRun| run.dt_s == ONE_KILOHERTZ && run.failed.is_none();
        let kilohertz = peer.runs.iter().find(is_whole);
        peer.cost_at_1khz = kilohertz.map(|run| run.cpu_s / figures.cpu_s);
    }
    report.carom = Some(figures);
    report.promises = ours.promises;
    report
}

/// All peers at all steps.
fn run_peers(
    name: &str,
    scene: &Scene,
    python: &mujoco::Python,
) -> Vec<(PeerReport, Vec<Stepped>)> {
    let by_rapier = |scene: &Scene, about: &Description, dt: f64| {
        by_rapier_with(scene, about, Stepping::by_default(dt))
    };
    let by_scaled = |scene: &Scene, about: &Description, dt: f64| {
        let length_unit = about.length;
        if length_unit == rapier::DEFAULT_UNIT {
            return Err("its default unit of length is that of the scene".to_owned());
        }
        by_rapier_with(scene, about, Stepping { dt, length_unit })
    };
    let by_mujoco = |_: &Scene, about: &Description, dt: f64| python.run(about, dt);
    let peers = [
        Peer { name: rapier::NAME, step: &by_rapier, has_memory: true },
        Peer { name: rapier::SCALED, step: &by_scaled, has_memory: false },
        Peer { name: mujoco::NAME, step: &by_mujoco, has_memory: false },
    ];
    peers.iter().map(|peer| run_peer(name, scene, peer)).collect()
}

/// States of one run, and the time of the fastest of some.
fn by_rapier_with(scene: &Scene, about: &Description, how: Stepping) -> Result<Stepped, String> {
    let mut stepped = rapier::run(scene, about, how)?;
    for _ in 0..RUNS {
        if stepped.cpu.is_infinite() || stepped.cpu < SHORT {
            stepped.cpu = stepped.cpu.min(rapier::timed(scene, about, how)?);
        }
    }
    Ok(stepped)
}

fn run_peer(name: &str, scene: &Scene, peer: &Peer<'_>) -> (PeerReport, Vec<Stepped>) {
    let mut report = PeerReport::of(peer.name);
    let mut stepped = Vec::new();
    if let Err(reason) = run_steps(scene, peer, &mut report, &mut stepped) {
        report.not_run = Some(reason);
    }
    if peer.has_memory && report.not_run.is_none() {
        report.peak_memory = memory::of_run(name, Some(ONE_KILOHERTZ));
    }
    (report, stepped)
}

fn run_steps(
    scene: &Scene,
    peer: &Peer<'_>,
    report: &mut PeerReport,
    all: &mut Vec<Stepped>,
) -> Result<(), String> {
    let about = Description::of(scene)?;
    let mut last: Option<(f64, f64)> = None;
    for dt in STEPS {
        if last.is_some_and(|(step, cpu)| cpu * step / dt > MOST_TIME) {
            break;
        }
        let mut stepped = (peer.step)(scene, &about, dt)?;
        last = Some((dt, stepped.cpu));
        let promises = asked_of(scene, &mut stepped);
        let met = promises.iter().filter(|it| it.met).count();
        report.runs.push(PeerRun {
            dt_s: dt,
            steps: stepped.steps,
            cpu_s: stepped.cpu,
            error: None,
            failed: stepped.failed.clone(),
            met,
            promises,
        });
        all.push(stepped);
    }
    Ok(())
}

/// What came of the expectations in a peer's run; one that broke down has none.
fn asked_of(scene: &Scene, stepped: &mut Stepped) -> Vec<Promise> {
    let Ok((world, ids)) = ours::build(scene) else { return Vec::new() };
    if stepped.failed.is_some() {
        return Vec::new();
    }
    match stepped.track.history(scene, &world, &ids) {
        Ok(Some(history)) => promises(&Measures::of_motions(scene, history)),
        Ok(None) => Vec::new(),
        Err(reason) => {
            stepped.failed = Some(reason);
            Vec::new()
        }
    }
}

/// Chooses the quantity and reads everybody's error in it.
fn judge(
    report: &mut SceneReport,
    scene: &Scene,
    ours: &Ours,
    peers: &mut [(PeerReport, Vec<Stepped>)],
) {
    if let Some(index) = proving(&ours.promises) {
        by_promise(report, &ours.promises[index], index, peers);
        report.carom_runs = own_curve(scene, ours, index);
    } else if let Some(reference) = reference(scene) {
        by_places(report, scene, ours, &reference, peers);
    }
    let Some(error) = report.error else { return };
    let ours = Point { cost: ours.figures.cpu_s, error };
    for (peer, _) in peers {
        let point = |run: &PeerRun| Some(Point { cost: run.cpu_s, error: run.error? });
        let points: Vec<Point> = peer.runs.iter().filter_map(point).collect();
        peer.reading = read(ours, &points);
        peer.wins = peer.reading.is_some_and(|reading| reading.peer_wins());
    }
}

/// Errors are those of an expectation.
fn by_promise(
    report: &mut SceneReport,
    ours: &Promise,
    index: usize,
    peers: &mut [(PeerReport, Vec<Stepped>)],
) {
    report.quantity = Some(Quantity {
        what: ours.what.clone(),
        kind: "expectation",
        expected: Some(ours.expected),
        tolerance: Some(ours.tolerance),
    });
    report.error = ours.error;
    for run in peers.iter_mut().flat_map(|(peer, _)| &mut peer.runs) {
        run.error = run.promises.get(index).and_then(|it| it.error);
    }
}

/// Errors are distances from where the free bodies should be in the end.
fn by_places(
    report: &mut SceneReport,
    scene: &Scene,
    ours: &Ours,
    reference: &Reference,
    peers: &mut [(PeerReport, Vec<Stepped>)],
) {
    report.quantity = Some(Quantity {
        what: "where the free bodies are at the end, against a tenth of the envelope [m]"
            .to_owned(),
        kind: "final positions",
        expected: None,
        tolerance: None,
    });
    let places = ours.last.iter().map(|state: &BodyState| state.position);
    report.error = reference.error(&places.collect::<Vec<_>>());
    for (peer, stepped) in peers.iter_mut() {
        for (run, stepped) in peer.runs.iter_mut().zip(stepped) {
            if run.failed.is_none() {
                run.error = reference.error(&stepped.track.last_positions(scene));
            }
        }
    }
}

impl Reference {
    /// Root mean square of the distances `[m]`.
    fn error(&self, places: &[DVec3]) -> Option<f64> {
        if places.len() != self.places.len() || places.is_empty() {
            return None;
        }
        let squares = places.iter().zip(&self.places).map(|(a, b)| a.distance_squared(*b));
        let mean = squares.sum::<f64>() / places.len() as f64;
        mean.is_finite().then(|| mean.sqrt())
    }
}

/// Our errors with other envelopes. A scene in which nothing collides has none, and one point.
fn own_curve(scene: &Scene, ours: &Ours, index: usize) -> Vec<OwnRun> {
    let mut runs = Vec::new();
    for share in ENVELOPES {
        let envelope_m = share * envelope(scene);
        let run = if share == 1.0 {
            Ok((ours.figures.cpu_s, ours.promises[index].error))
        } else if ours.figures.collisions == 0 {
            continue;
        } else {
            let other = Scene { envelope: Some(envelope_m), ..scene.clone() };
            let asked = ours::asked(&other);
            asked.map(|(cpu_s, promises)| (cpu_s, promises.get(index).and_then(|it| it.error)))
        };
        let (cpu_s, error, failed) = match run {
            Ok((cpu_s, error)) => (cpu_s, error, None),
            Err(reason) => (0.0, None, Some(reason)),
        };
        runs.push(OwnRun { envelope_m, cpu_s, error, failed });
    }
    runs
}

/// The scene's envelope, or that which the engine takes.
fn envelope(scene: &Scene) -> f64 {
    scene.envelope.unwrap_or_else(|| {
        let free = scene.bodies.iter().filter(|body| body.motion == MotionSpec::Free);
        let sizes = free.map(|body| 2.0 * Pieces::of(&body.shape).tree()[0].radius);
        carom::ContactSettings::ENVELOPE_SHARE * sizes.fold(f64::INFINITY, f64::min)
    })
}

/// Our own run with a tighter envelope.
fn reference(scene: &Scene) -> Option<Reference> {
    let mut tight = scene.clone();
    tight.envelope = Some(TIGHTER * envelope(scene)).filter(|it| it.is_finite());
    let (mut world, ids) = ours::build(&tight).ok()?;
    ours::advance_alone(&mut world, &tight).ok()?;
    let free = tight.bodies.iter().zip(&ids).filter(|(body, _)| body.motion == MotionSpec::Free);
    let places = free.filter_map(|(_, id)| world.state(*id)).map(|state| state.position);
    Some(Reference { places: places.collect() })
}
