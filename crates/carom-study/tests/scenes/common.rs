//! Loading and running scenes.

use carom_record::{Output, RecordError};
use carom_scene::{BuiltIn, ContactOverrides, DiskFiles, Options, Scene, Source, load};
use carom_study::audit::AuditOptions;
use carom_study::run::{End, NoSupervisor, RunOptions, RunReport, run};

/// A scene with some of its parameters set.
pub(crate) fn scene_of(name: &str, text: &str, overrides: &[(&str, &str)]) -> Scene {
    let overrides = overrides.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    loaded(name, text, &Options { overrides, ..Options::default() })
}

/// A scene with an envelope from outside `[m]`.
pub(crate) fn scene_with_envelope(name: &str, text: &str, envelope: f64) -> Scene {
    let contact = ContactOverrides { envelope: Some(envelope), ..ContactOverrides::default() };
    loaded(name, text, &Options { contact, ..Options::default() })
}

fn loaded(name: &str, text: &str, options: &Options) -> Scene {
    let loaded = load(&Source::text(name, text), options, &DiskFiles);
    loaded.scene.unwrap_or_else(|| panic!("{}", loaded.problems.render(false)))
}

/// A built-in scene as it is.
pub(crate) fn built(built_in: &BuiltIn) -> Scene {
    scene_of(built_in.name, built_in.text, &[])
}

/// How long to run a scene that is run again and again `[s]`: to its end, unless that takes seconds.
pub(crate) fn short_time(built_in: &BuiltIn) -> Option<f64> {
    match built_in.name {
        "balls_in_dish" => Some(0.4),
        "coins" | "exploding_text" => Some(0.5),
        "bowling" | "dominos" | "dominos_slippery" => Some(0.25),
        "elastic666" | "triple_pendulum" => Some(1.5),
        "feeder_chute" | "robot_drop" => Some(0.3),
        "part_sorter" => Some(1.0),
        _ => None,
    }
}

/// Scenes whose bodies of many pieces an audit takes minutes for; parts of them are audited.
pub(crate) const AUDITED_IN_PART: [&str; 2] = ["bowling", "feeder_chute"];

/// How to run.
pub(crate) fn options(threads: usize, rate_hz: f64) -> RunOptions {
    RunOptions { until: None, threads, rate_hz, audit: None, given: Vec::new() }
}

/// The same with an audit.
pub(crate) fn audited(options: &RunOptions) -> RunOptions {
    RunOptions { audit: Some(AuditOptions::default()), ..options.clone() }
}

/// Runs a scene to its end; an audit must find nothing.
pub(crate) fn report(
    scene: &Scene,
    options: &RunOptions,
    output: &dyn Fn() -> Result<Option<Output>, RecordError>,
) -> RunReport {
    let report = run(scene, options, output, &mut NoSupervisor, &|_| "{}".to_owned());
    let report = report.unwrap_or_else(|error| panic!("{}: {error}", scene.title));
    assert!(matches!(report.end, End::Complete), "{}: {:?}", scene.title, report.end);
    if let Some(audit) = &report.audit {
        assert!(audit.is_clean(), "{}: {:?}", scene.title, audit.complaints());
    }
    report
}

/// Every expectation is met.
pub(crate) fn assert_met(report: &RunReport, what: &str) {
    for finding in &report.findings {
        assert!(finding.pass, "{what}: {finding:?}");
    }
    assert!(report.problems.is_empty(), "{what}: {}", report.problems.render(false));
}
