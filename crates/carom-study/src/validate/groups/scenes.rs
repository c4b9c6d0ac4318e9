//! Every built-in scene, run as it is: its own expectations, with the sources it names.

use std::sync::OnceLock;

use carom_scene::measure::Finding;
use carom_scene::{BUILT_IN, Bound, BuiltIn, DiskFiles, Options, Source, load};

use super::super::{Context, Row};
use crate::run::{NoSupervisor, RunOptions, run};

/// What came of each scene, or why nothing did. Scenes take seconds and no fault reaches into them, so they run once.
static FOUND: OnceLock<Vec<Result<Vec<Finding>, String>>> = OnceLock::new();

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let found = FOUND.get_or_init(|| BUILT_IN.iter().map(findings_of).collect());
    let rows = BUILT_IN.iter().zip(found).flat_map(|(scene, found)| match found {
        Ok(findings) => findings
            .iter()
            .enumerate()
            .map(|(index, finding)| row(context, scene.name, index, finding))
            .collect(),
        Err(why) => {
            let row = Row::case(format!("scene/{}", scene.name), scene.name, "the scene itself");
            vec![row.failed(why)]
        }
    });
    rows.collect()
}

fn findings_of(built_in: &BuiltIn) -> Result<Vec<Finding>, String> {
    let source = Source::text(built_in.name, built_in.text);
    let loaded = load(&source, &Options::default(), &DiskFiles);
    let Some(scene) = loaded.scene else { return Err(loaded.problems.render(false)) };
    let rate_hz = scene.record.rate_hz;
    let options = RunOptions { until: None, threads: 1, rate_hz, audit: None, given: Vec::new() };
    let report = run(&scene, &options, &|| Ok(None), &mut NoSupervisor, &|_| String::new());
    report.map(|report| report.findings).map_err(|error| error.to_string())
}

fn row(context: &Context, name: &str, index: usize, finding: &Finding) -> Row {
    let tolerance = finding.tolerance;
    let [low, high] = match finding.bound {
        Bound::Equals(expected) => [expected - tolerance, expected + tolerance],
        Bound::Between(low, high) => [low - tolerance, high + tolerance],
    };
    let got = finding.got.map_or(f64::NAN, |got| context.subject.measure(got, [low, high]));
    let what = format!("{name}: {}", finding.what);
    let id = format!("scene/{name}/{}", index + 1);
    let row = Row::case(id, what, &finding.source);
    match finding.bound {
        Bound::Equals(expected) => row.absolute(tolerance, expected, got),
        Bound::Between(low, high) => row.between(tolerance, [low, high], got),
    }
}
