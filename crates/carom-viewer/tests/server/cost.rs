//! What the server costs a run with one client: printed, because machines differ, and never judged.
//!
//!     CAROM_ROUNDS=200 cargo test --release -p carom-viewer --test server adds -- --nocapture
//!     CAROM_ROUNDS=30 CAROM_SCENE=coins …
//!
//! A round runs the scene three times: *plain*, as `carom run` does; *kept*, with what a recording holds kept in memory, which is
//! what a live run is for; and *watched*, in the server, with one client that reads everything and asks as often as the page does,
//! ten times a second, for the timeline, the pairs and the contacts. Every other round goes the
//! other way about, so that what else the machine does falls on all three alike. What is told are medians of the ratios within
//! rounds, with the standard error 1.2533σ/√n, σ from the quartiles: ten rounds that somebody else disturbed do not move them.
//! Times are those of the engine's thread on a processor where the system tells them, and those of the clock, which other
//! programs change by more than what is sought.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use carom::Observers;
use carom_record::Gatherer;
use carom_scene::measure::{Measures, Memory};
use carom_scene::{DiskFiles, Options, Scene, Source, built_in, load};
use carom_viewer::Subject;
use serde_json::json;

use crate::common::{Server, server};

/// How often the client asks.
const ASKS: Duration = Duration::from_millis(100);

/// How long a run took by the clock, and on a processor where the system tells it `[s]`.
#[derive(Clone, Copy)]
struct Cost {
    clock: f64,
    processor: Option<f64>,
}

/// A way to tell how long a run took, and its name.
type Measure = (&'static str, fn(&Cost) -> Option<f64>);

#[test]
fn what_the_server_adds_to_a_run_is_told() {
    let variable = |name: &str| std::env::var(name).ok();
    let rounds = variable("CAROM_ROUNDS").and_then(|it| it.parse().ok()).unwrap_or(1);
    let name = variable("CAROM_SCENE").unwrap_or_else(|| "dominos".to_owned());
    let server = server(Subject::Gallery);
    let run = |what: usize| match what {
        0 => alone(&name, false),
        1 => alone(&name, true),
        _ => watched(&server, &name),
    };
    let mut costs: Vec<[Cost; 3]> = Vec::new();
    for round in 0..rounds {
        costs.push(if round % 2 == 0 {
            [0, 1, 2].map(run)
        } else {
            let [watched, kept, plain] = [2, 1, 0].map(run);
            [plain, kept, watched]
        });
    }
    let clock = |it: &Cost| Some(it.clock);
    let processor = |it: &Cost| it.processor;
    let measures: [Measure; 2] = [("engine's thread", processor), ("clock", clock)];
    for (by, time) in measures {
        for (than, place) in [("kept", 1), ("plain", 0)] {
            let ratio = |it: &[Cost; 3]| Some(time(&it[2])? / time(&it[place])?);
            let mut ratios: Vec<f64> = costs.iter().filter_map(ratio).collect();
            let Some((median, error)) = median(&mut ratios) else { continue };
            println!(
                "{name}, {} rounds, by {by}: watched over {than} {median:.4} ± {error:.4}",
                ratios.len()
            );
            assert!(median.is_finite());
        }
    }
}

fn scene(name: &str) -> Scene {
    let text = built_in(name).expect("it is built in").text;
    let loaded = load(&Source::text(name, text), &Options::default(), &DiskFiles);
    loaded.scene.expect("it is right")
}

/// A run without a server; `is_kept`: what a recording would hold is kept.
fn alone(name: &str, is_kept: bool) -> Cost {
    let scene = scene(name);
    let mut world = scene.build_with_ids(1).expect("it can be built").0;
    let options = carom_study::recorded::options_of(&scene, false);
    let mut gatherer = Gatherer::new(&options, BTreeMap::new()).expect("a rate");
    let mut memory = Memory::of(&scene).expect("it makes promises");
    let (begin, worked) = (Instant::now(), worked_s("/proc/thread-self"));
    let mut observers = Observers::none().with(&mut memory);
    if is_kept {
        observers.push(&mut gatherer);
    }
    world.advance_watched(scene.until, &mut observers).expect("it runs");
    let findings = Measures::new(&scene, memory, &world).findings().0;
    let processor = worked_s("/proc/thread-self").zip(worked).map(|(end, begin)| end - begin);
    let cost = Cost { clock: begin.elapsed().as_secs_f64(), processor };
    assert!(findings.iter().all(|it| it.pass));
    cost
}

/// A run in the server, from the order to run until its end is told.
fn watched(server: &Server, name: &str) -> Cost {
    let run = server.open(&json!({ "scene": name }));
    let mut socket = server.socket(&run);
    socket.hear(|said| said["say"] == "status");
    let (begin, worked) = (Instant::now(), engines_worked_s());
    let clock = std::thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        let run = &run;
        scope.spawn(move || {
            while ended.recv_timeout(ASKS) == Err(mpsc::RecvTimeoutError::Timeout) {
                for question in ["timeline?bins=400", "pairs", "contacts?from=0"] {
                    server.json(&format!("GET /api/runs/{run}/{question}"), "");
                }
            }
        });
        socket.run_to_the_end();
        drop(end);
        begin.elapsed().as_secs_f64()
    });
    let since = |(engine, end)| end - worked.get(&engine).copied().unwrap_or(0.0);
    let processor = engines_worked_s().into_iter().map(since).reduce(|a, b| a + b);
    server.json(&format!("DELETE /api/runs/{run}"), "");
    Cost { clock, processor }
}

/// The middle of some numbers and its standard error.
fn median(numbers: &mut [f64]) -> Option<(f64, f64)> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)? as f64;
    let at = |share: f64| {
        let (low, high) = ((share * last).floor() as usize, (share * last).ceil() as usize);
        0.5 * (numbers[low] + numbers[high])
    };
    // The quartiles of a normal distribution are 1.349σ apart.
    let sigma = (at(0.75) - at(0.25)) / 1.349;
    Some((at(0.5), 1.2533 * sigma / (last + 1.0).sqrt()))
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
