//! Six-vectors of motion and force, and inertias between them, against the same in plain vectors.

use glam::{DMat3, DVec3};
use oracles::impact::samples::Random;

use carom_dynamics::spatial::{ArticulatedInertia, ForceVector, MotionVector, RigidInertia};

use super::super::super::{Context, Row};
use super::{GUIDE, told};

/// How many of each.
const N: usize = 8;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut random = Random(21);
    let mut three =
        |size: f64| DVec3::new(random.signed(), random.signed(), random.signed()) * size;
    let (mut powers, mut forms) = ([vec![], vec![]], [vec![], vec![]]);
    for _ in 0..N {
        let (w, v, moment, force, arm) =
            (three(2.0), three(2.0), three(3.0), three(3.0), three(1.0));
        powers[0].push(force.dot(v) + moment.dot(w));
        let (motion, wrench) = (MotionVector::new(w, v), ForceVector::new(moment, force));
        powers[1].push(wrench.at(arm).dot(motion.at(arm)));
        let (center, moments) = (three(0.5), DVec3::splat(0.3) + 0.1 * three(1.0));
        let (mass, other) = (1.3, MotionVector::new(three(1.0), three(1.0)));
        // Velocities are those of the reference point; the centre of mass is at `center` from it.
        let at = |it: MotionVector| it.linear + it.angular.cross(center);
        forms[0]
            .push(mass * at(motion).dot(at(other)) + motion.angular.dot(moments * other.angular));
        let inertia = RigidInertia::new(mass, center, &DMat3::from_diagonal(moments));
        let carried = ArticulatedInertia::from(inertia).carried(arm);
        // Seen from the point from which the reference point lies at `arm`.
        forms[1].push(carried.times(motion.at(-arm)).dot(other.at(-arm)));
    }
    let row = |key: &str, what: &str, [expected, got]: [Vec<f64>; 2]| {
        let source = format!("{GUIDE}, checklist R-01; plain vectors");
        Row::case(format!("m2/R-01/{key}"), what, &source).relative(
            1e-12,
            expected,
            told(context, &got),
        )
    };
    vec![
        row("power", "power of a wrench on a motion, seen from another point", powers),
        row("inertia", "a·Î·b of two motions after Î was carried to another point", forms),
    ]
}
