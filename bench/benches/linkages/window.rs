//! What bounds of all links over one window cost, beside the segment that they are of.

use std::hint::black_box;

use carom_dynamics::Reach;
use carom_dynamics::linkage::Window;
use glam::DVec3;

use crate::models::{Model, free, robot, rods};
use crate::run::Run;
use crate::{ROUNDS, median, median_seconds, seconds};

pub fn measure() {
    println!(
        "bounds of all links over one window, as a share of a segment's integration (tolerance 1e-8)"
    );
    println!(
        "{:<16}{:>12}{:>12}{:>10}{:>20}{:>20}",
        "linkage", "segment µs", "window µs", "share", "state of last ns", "travel of last ns"
    );
    let tree = Model::random(20, 6, 3).tree();
    for (name, tree) in [
        ("3 rods", rods(3, 0.3, 1.0)),
        ("12 rods", rods(12, 0.1, 0.1)),
        ("robot", robot()),
        ("tree of 20", tree),
    ] {
        let (n, links, q) = (tree.n_v(), tree.n_links(), tree.neutral());
        let mut run = Run::new(&free(tree, 1e-8), &q, &vec![0.3; n]);
        let (mut course, mut window) = (run.step(f64::INFINITY), Window::default());
        let (mut segments, mut windows, mut shares) = (vec![], vec![], vec![]);
        for _ in 0..ROUNDS {
            let segment = seconds(100, || course = run.step(f64::INFINITY));
            let all = seconds(2000, || course.window(black_box(course.span()), &mut window));
            segments.push(segment);
            windows.push(all);
            shares.push(all / segment);
        }
        let motion = course.link(links - 1);
        let time = course.span().start + 0.3 * course.span().length();
        let state = median_seconds(5000, || {
            black_box(motion.state_at(black_box(time)));
        });
        let travel = median_seconds(5000, || {
            black_box(motion.travel(black_box(course.span()), DVec3::X, Reach::Body(0.1)));
        });
        println!(
            "{name:<16}{:>12.1}{:>12.2}{:>9.1} %{:>20.0}{:>20.0}",
            1e6 * median(segments),
            1e6 * median(windows),
            100.0 * median(shares),
            1e9 * state,
            1e9 * travel
        );
    }
    println!();
}
