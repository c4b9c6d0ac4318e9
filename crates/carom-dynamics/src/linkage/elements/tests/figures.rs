//! Stiff dampers and speed. Figures are printed; only what cannot depend on the machine is asserted.

use std::time::Instant;

use super::*;
use crate::tree::tests::GRAVITY;

/// A swing of two rods, with dampers of c/D = `rate` from rod to rod and to the world, off the joints.
fn braced(rate: f64, kind: usize) -> Run {
    let rod = |parent: Option<usize>, at: DVec3, mass: f64| LinkSpec {
        parent,
        parent_from_joint: Pose::from_translation(at),
        joint: Joint::Revolute { axis: DVec3::Y },
        body: diagonal(mass, DVec3::new(0.05, 0.0, 0.0), [1e-9, mass * 8.4e-4, mass * 8.4e-4]),
    };
    let along = DVec3::new(0.1, 0.0, 0.0);
    let links = [
        rod(None, DVec3::ZERO, 0.1),
        rod(Some(0), along, 0.1),
        rod(Some(1), along, 0.001),
        rod(None, -along, 0.01),
    ];
    // D of a light rod's end is its moment by its length squared, and two dampers share it.
    let damping = 0.5 * rate * 0.001 / 3.0;
    let law = match kind {
        0 => ElementLaw::Spring(Spring { damping, ..Spring::default() }),
        1 => ElementLaw::Bushing(Bushing { damping: DVec3::splat(damping), ..Bushing::default() }),
        2 => ElementLaw::Bushing(Bushing::torsion(0.0, damping * 0.01)),
        _ => ElementLaw::Drag(Drag { linear: damping, angular: damping * 0.01, ..Drag::default() }),
    };
    let tip = End::of_link(2, along);
    let element = match kind {
        0..3 => vec![
            Element::between(tip, End::of_link(0, 0.5 * along), law.clone()),
            Element::between(tip, End::of_link(3, DVec3::ZERO), law.clone()),
            Element::between(End::of_link(3, along), End::of_world(DVec3::new(0.3, 0.0, 0.2)), law),
        ],
        _ => vec![Element::on(tip, law)],
    };
    let linkage = joined(tree_of(&links), if rate > 0.0 { element } else { Vec::new() }, 1e-7);
    Run::new(&linkage, &[0.0; 4], &[0.0; 4])
}

#[test]
fn stiff_dampers_between_links_cost_little() {
    for (kind, name) in ["springs' dampers", "bushings", "torsion", "drag"].into_iter().enumerate()
    {
        let mut calls = Vec::new();
        for rate in [0.0, 1.0, 10.0, 100.0, 1000.0, 4000.0] {
            let mut run = braced(rate, kind);
            run.advance(1.0);
            calls.push(run.calls);
            println!("{name}, c/D {rate}/s: {} segments, {} calls", run.segments, run.calls);
        }
        assert!(calls.iter().all(|count| *count <= 4 * calls[0]), "{calls:?}");
    }
}

/// A row of balls, each joined to the one before it and the first to the world.
fn row(count: usize, damping: f64) -> (Arc<Linkage>, Vec<f64>) {
    let law =
        ElementLaw::Spring(Spring { stiffness: 100.0, rest: 1.0, damping, pulls_only: false });
    let mut elements = vec![Element::on(center(0), law.clone())];
    for i in 1..count {
        elements.push(Element::between(center(i), center(i - 1), law.clone()));
    }
    let places: Vec<DVec3> =
        (0..count).map(|i| DVec3::new(1.0 + i as f64, 0.1 * (i % 3) as f64, 0.0)).collect();
    (joined(tree_of(&vec![ball(0.1); count]), elements, 1e-7), at_places(&places))
}

#[test]
fn rows_of_springs_cost_in_proportion() {
    for count in [1, 4, 16, 64, 250, 260] {
        for damping in [0.0, 0.5, 400.0] {
            let (linkage, q) = row(count, damping);
            let mut run = Run::new(&linkage, &q, &vec![0.0; 6 * count]);
            run.drive.gravity = GRAVITY;
            let clock = Instant::now();
            while run.time < 1.0 && run.calls < 3000 {
                run.step(1.0);
            }
            let each = clock.elapsed().as_secs_f64() / run.calls as f64;
            println!(
                "{count} balls, c {damping} (c/D {:.0}/s): {:.2} µs a call, {:.0} ns a ball; {:.3} s in {} segments and {} calls",
                damping / 0.05,
                1e6 * each,
                1e9 * each / count as f64,
                run.time,
                run.segments,
                run.calls
            );
        }
    }
}
