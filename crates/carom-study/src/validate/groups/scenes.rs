//! Every built-in scene, run as it is: its own expectations, with the sources it names.

use carom_scene::{BUILT_IN, Bound, BuiltIn, DiskFiles, Options, Source, load};

use super::super::{Context, Row};
use crate::run::{NoSupervisor, RunOptions, run};

pub(super) fn rows(context: &Context) -> Vec<Row> {
    BUILT_IN.iter().flat_map(|scene| rows_of(context, scene)).collect()
}

fn rows_of(context: &Context, built_in: &BuiltIn) -> Vec<Row> {
    let name = built_in.name;
    let loaded = load(&Source::text(name, built_in.text), &Options::default(), &DiskFiles);
    let Some(scene) = loaded.scene else {
        let row = Row::case(format!("scene/{name}"), name, "the scene itself");
        return vec![row.failed(&loaded.problems.render(false))];
    };
    let rate_hz = scene.record.rate_hz;
    let options = RunOptions { until: None, threads: 1, rate_hz, audit: None };
    let report = match run(&scene, &options, &|| Ok(None), &mut NoSupervisor, &|_| String::new()) {
        Ok(report) => report,
        Err(error) => {
            return vec![
                Row::case(format!("scene/{name}"), name, "the scene itself").failed(&error),
            ];
        }
    };
    let row = |(number, finding): (usize, &carom_scene::measure::Finding)| {
        let id = format!("scene/{name}/{}", number + 1);
        let got = finding.got.map_or(f64::NAN, |got| context.subject.measure(got));
        let expected = match finding.bound {
            Bound::Equals(expected) => expected,
            Bound::Between(low, high) => got.clamp(low, high),
        };
        let what = format!("{name}: {}", finding.what);
        Row::case(id, what, &finding.source).absolute(finding.tolerance, expected, got)
    };
    report.findings.iter().enumerate().map(row).collect()
}
