//! Bodies that rock on a plane, where the reaction peaks as they come to a flat place.
//!
//! With the centre at height z over the plane and the body turned by θ about y, the gap is z − h(θ) with the support function h, so
//! for a unit rate of turning ġ = −h'(θ) and the bias is −h''(θ). In free rocking (I + m·h'²)·θ̈ = −m·h'·(g + h''·θ̇²) and the
//! reaction is R = m(g + h''·θ̇² + h'·θ̈).

use super::*;

/// h, h' and h'' of a shape about y, and what was followed.
fn support(pieces: &Pieces, theta: f64) -> ([f64; 3], Followed) {
    let plane = Pieces::of(&floor());
    let solids = [&solid(pieces), &solid(&plane)];
    let pose = Pose::new(3.0 * DVec3::Z, DQuat::from_rotation_y(theta));
    let points = points_at(solids, [&pose, &Pose::IDENTITY], 1e-9);
    let turning = Moving { world_from_frame: pose, velocity: DVec3::ZERO, spin: DVec3::Y };
    let rest = Moving::at_rest(Pose::IDENTITY);
    let here = points[0].follow(solids, [&turning, &rest], &mut Warm::Cold).expect("followed");
    ([3.0 - here.gap, -here.rate, -here.bias], here)
}

/// θ̈ and R/(mg) of a body of mass 1.
fn rocking(pieces: &Pieces, inertia: f64, [theta, rate]: [f64; 2]) -> (f64, f64) {
    let ([_, h1, h2], _) = support(pieces, theta);
    let g = 9.8;
    let second = -h1 * (g + h2 * rate * rate) / (inertia + h1 * h1);
    (second, (g + h2 * rate * rate + h1 * second) / g)
}

/// The table of reactions: least and largest of R/mg and when θ first is zero, from 0.5 rad at rest.
///
/// proves: baraff/26
#[test]
fn reactions_of_rocking_ellipses_are_those_of_the_table() {
    let table = [
        (2.0, 0.51468, 2.79895, 0.43069),
        (4.0, 0.27385, 10.78498, 0.59850),
        (8.0, 0.20501, 29.44231, 0.89885),
    ];
    for (a, least, largest, crossing) in table {
        let pieces = Pieces::of(&ellipsoid(a, 1.0, 1.0));
        let inertia = (a * a + 1.0) / 5.0;
        let (mut state, mut time) = ([0.5, 0.0], 0.0);
        let (mut low, mut high, mut first) = (f64::INFINITY, 0.0_f64, None);
        let h = 2e-4;
        while time < 1.2 * crossing {
            let force = rocking(&pieces, inertia, state).1;
            (low, high) = (low.min(force), high.max(force));
            let slope = |s: [f64; 2]| [s[1], rocking(&pieces, inertia, s).0];
            let moved = |k: [f64; 2], t: f64| [state[0] + t * k[0], state[1] + t * k[1]];
            let k1 = slope(state);
            let k2 = slope(moved(k1, 0.5 * h));
            let k3 = slope(moved(k2, 0.5 * h));
            let k4 = slope(moved(k3, h));
            let next =
                [0, 1].map(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
            if first.is_none() && next[0] <= 0.0 {
                first = Some(time + h * state[0] / (state[0] - next[0]));
            }
            (state, time) = (next, time + h);
        }
        let first = first.expect("it comes by");
        println!("{a}: {low} {high} {first}");
        assert!((low / least - 1.0).abs() < 1e-3 && (high / largest - 1.0).abs() < 1e-3);
        assert!((first / crossing - 1.0).abs() < 1e-3);
    }
}

/// A superquadric of exponent 4 that rocks in a plane has no curvature across it, at any time: det K = 0, and harmless.
///
/// proves: baraff/28
#[test]
fn planar_rocking_of_a_superquadric_has_the_derivatives_of_its_section() {
    let pieces = Pieces::of(&superquadric(1.0, 1.0, 1.0, 4.0));
    for (theta, second) in [(1e-2, 6.1615), (1e-3, 32.329), (1e-4, 153.72)] {
        let ([h, _, h2], here) = support(&pieces, theta);
        let (s, c) = libm::sincos(theta);
        let exact = libm::pow(libm::pow(s, 4.0 / 3.0) + libm::pow(c, 4.0 / 3.0), 0.75);
        println!("{theta}: h'' = {h2}, {here:?}");
        assert!((h - exact).abs() < 1e-14, "{h} {exact}");
        assert!((h2 / second - 1.0).abs() < 1e-4, "{h2} {second}");
        // How fast the point moves: over the body by the radius of curvature of the section, h + h'', over the plane by h''.
        assert!((here.wandering / h2 - 1.0).abs() < 1e-6, "{}", here.wandering);
        assert!(here.condition < 1e-3, "{}", here.condition);
    }
}

/// Near the flat place the reaction grows as |θ|^(−2/3), and its integral over ±τ shrinks as τ^(1/3): a zeroth-order impact. It is told by
/// how fast the point wanders, and where flats are forced to roll, by a speed without bound; a body that only spins there is not.
///
/// proves: baraff/27
#[test]
fn zeroth_order_impacts_are_told() {
    let pieces = Pieces::of(&superquadric(1.0, 1.0, 1.0, 4.0));
    let say = |theta: f64| support(&pieces, theta);
    let slope = |one: f64, other: f64| libm::log(other / one) / libm::log(1e-2);
    let (coarse, fine) = (say(1e-3), say(1e-5));
    let bend = slope(coarse.0[2] + coarse.0[0], fine.0[2] + fine.0[0]);
    assert!((bend + 2.0 / 3.0).abs() < 2e-3, "{bend}");
    // ∫h''θ̇dθ over ±τ is twice h'(τ).
    let impulse = slope(coarse.0[1], fine.0[1]);
    assert!((impulse - 1.0 / 3.0).abs() < 5e-3, "{impulse}");
    assert!(fine.1.wandering > 20.0 * coarse.1.wandering);
    let flat = say(0.0).1;
    assert!(flat.wandering > 1e5 && flat.condition < 1e-5, "{flat:?}");
    let plane = Pieces::of(&floor());
    let solids = [&solid(&pieces), &solid(&plane)];
    let pose = Pose::from_translation(3.0 * DVec3::Z);
    let points = points_at(solids, [&pose, &Pose::IDENTITY], 1e-9);
    let turning = Moving { world_from_frame: pose, velocity: DVec3::X, spin: 5.0 * DVec3::Z };
    let rest = Moving::at_rest(Pose::IDENTITY);
    let here = points[0].follow(solids, [&turning, &rest], &mut Warm::Cold).expect("followed");
    assert!(here.wandering < 10.0 && here.bias.abs() < 1e-12, "{here:?}");
}
