//! A picture of error against cost: one chart for each scene, both axes in logarithms, every engine by the same marker.

use carom_record::plot::{Axis, Chart, Grid};

use super::ours;
use super::report::{OwnRun, PeerRun, SceneReport};

/// Width and height of a chart `[px]`.
const SIZE: [f64; 2] = [330.0, 290.0];
/// Charts beside each other.
const ACROSS: usize = 4;
/// Letters of a scene's quantity that fit on two lines.
const FITS: usize = 84;
/// Errors below this are drawn here: rounding of numbers near one.
const FLOOR: f64 = 1e-16;
/// Axes have at least so many decades, for marks at every tenth part are crowded in a small chart.
const DECADES: f64 = 3.0;

/// The picture as SVG.
pub fn svg(scenes: &[SceneReport]) -> String {
    let charts: Vec<Chart> = scenes.iter().filter_map(chart).collect();
    let grid = Grid::new("Error against cost, Carom beside its peers").note(NOTE).across(ACROSS);
    charts.into_iter().fold(grid, Grid::chart).to_svg()
}

const NOTE: &str = "A chart for each scene that has a quantity; under its name what the errors are of. Lower is more exact, \
    farther left is cheaper. Peers from left to right with steps of 1/60, 1/240, 1/1000 and 1/4000 s; Carom has no steps: its \
    points have ten times the envelope of the scene, that of the scene, and a tenth. Time is that of stepping, on one thread. Errors below \
    1e-16 are drawn there; a run that broke down is not.";

fn chart(scene: &SceneReport) -> Option<Chart> {
    let (figures, quantity) = (scene.carom.as_ref()?, scene.quantity.as_ref()?);
    let own = [figures.cpu_s, scene.error?.max(FLOOR)];
    let of_own = |run: &OwnRun| Some([run.cpu_s, run.error?.max(FLOOR)]);
    let mut owns: Vec<[f64; 2]> = scene.carom_runs.iter().filter_map(of_own).collect();
    if owns.is_empty() {
        owns.push(own);
    }
    let on_curve = |run: &PeerRun| Some([run.cpu_s, run.error?.max(FLOOR)]);
    let peers: Vec<(&str, Vec<[f64; 2]>)> = scene
        .peers
        .iter()
        .map(|peer| (peer.engine.as_str(), peer.runs.iter().filter_map(on_curve).collect()))
        .collect();
    let all = || peers.iter().flat_map(|(_, points)| points).chain(&owns);
    let costs = decades(all().map(|point| point[0]));
    let errors = decades(all().map(|point| point[1]));
    let chart = Chart::new(&scene.scene)
        .note(shortened(&quantity.what))
        .size(SIZE[0], SIZE[1])
        .x_axis(Axis::logarithmic("time in s").range(costs[0], costs[1]))
        .y_axis(Axis::logarithmic("error").range(errors[0], errors[1]))
        .line(ours::NAME, owns.iter().copied())
        .points(ours::NAME, owns);
    // A peer without points is named all the same, so that all charts have the same legend.
    Some(peers.into_iter().fold(chart, |chart, (name, points)| {
        chart.line(name, points.iter().copied()).points(name, points)
    }))
}

/// Ends of an axis at powers of ten around numbers.
fn decades(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let (low, high) = numbers
        .map(|number| libm::log10(number.max(FLOOR)))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log), high.max(log)));
    let (low, high) = (libm::floor(low), libm::ceil(high));
    let missing = (DECADES - (high - low)).max(0.0);
    let below = libm::floor(0.5 * missing);
    [low - below, high + missing - below].map(libm::exp10)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= FITS {
        return text.to_owned();
    }
    text.chars().take(FITS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ours::Figures;
    use crate::compare::report::{PeerReport, Quantity};

    fn scene(name: &str, error: f64, peers: &[(&str, &[(f64, f64)])]) -> SceneReport {
        let run = |&(cpu_s, error): &(f64, f64)| PeerRun {
            dt_s: 1e-3,
            steps: 1,
            cpu_s,
            error: Some(error),
            failed: None,
            met: 0,
            promises: Vec::new(),
        };
        let what = "x < y ".repeat(40);
        let (expected, tolerance) = (None, None);
        SceneReport {
            carom: Some(Figures { cpu_s: 0.01, ..Figures::default() }),
            quantity: Some(Quantity { what, kind: "expectation", expected, tolerance }),
            error: Some(error),
            peers: peers
                .iter()
                .map(|(name, runs)| PeerReport {
                    runs: runs.iter().map(run).collect(),
                    ..PeerReport::of(name)
                })
                .collect(),
            ..SceneReport::of(name, 1)
        }
    }

    #[test]
    fn a_picture_has_every_point_of_every_engine_and_survives_errors_of_zero() {
        let rapier: &[(f64, f64)] = &[(0.1, 1e-2), (1.0, 0.0)];
        let text = svg(&[
            scene("one", 0.0, &[("Rapier", rapier), ("MuJoCo", &[])]),
            scene("two", 1e-3, &[("Rapier", &[]), ("MuJoCo", &[(0.2, 1e-1)])]),
        ]);
        // Circles: one of ours in each chart, and one in the legend.
        assert_eq!(text.matches("<circle").count(), 3);
        for name in ["Carom", "Rapier", "MuJoCo", "one", "two"] {
            assert_eq!(text.matches(&format!(">{name}</text>")).count(), 1, "{name}");
        }
        assert!(text.contains("x &lt; y") && !text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn axes_end_at_powers_of_ten_and_are_not_short() {
        let ends = decades([0.02, 0.03].into_iter());
        assert!((ends[0] - 1e-3).abs() < 1e-15 && (ends[1] - 1.0).abs() < 1e-12, "{ends:?}");
        let ends = decades([1e-9, 5.0].into_iter());
        assert!((ends[0] - 1e-9).abs() < 1e-20 && (ends[1] - 10.0).abs() < 1e-12, "{ends:?}");
    }
}
