//! The rattleback against a body that rolls without ever slipping.

use carom_geometry::Shape;
use carom_scene::{Bound, Scene, built_in};
use oracles::rolling::{Rolling, RollingEllipsoid};

use crate::common::{built, options, report, scene_with_envelope};

/// A body of the scene, as the oracle knows it.
fn rolling(scene: &Scene, name: &str) -> RollingEllipsoid {
    let body = scene.bodies.iter().find(|body| body.name == name).expect("a body");
    let Shape::Ellipsoid(ellipsoid) = &*body.shape else { panic!("{name} is no ellipsoid") };
    let mass = body.mass.expect("its mass is given");
    RollingEllipsoid {
        semi_axes: ellipsoid.semi_axes().to_array(),
        mass: mass.mass,
        center: mass.center.to_array(),
        inertia: mass.inertia.to_cols_array_2d(),
        gravity: -scene.gravity.z,
    }
}

/// Time of the first reversal `[s]`, and the least rate, of what there was.
fn reversal_and_least(scene: &Scene, name: &str) -> (Option<f64>, f64) {
    let spin =
        scene.bodies.iter().find(|body| body.name == name).expect("a body").angular_velocity.z;
    let (mut reversal, mut least) = (None, f64::INFINITY);
    let step = 1e-4;
    let steps = (scene.until / step) as usize;
    rolling(scene, name).advance(Rolling::level(spin), step, steps, |time, state| {
        let rate = state.spin() / spin;
        least = least.min(rate);
        if rate < 0.0 && reversal.is_none() {
            reversal = Some(time);
        }
    });
    (reversal, least)
}

#[test]
fn the_mirror_image_keeps_as_much_spin_as_one_that_never_slips() {
    let text = built_in("rattleback").expect("it is built in");
    let scene = built(text);
    let (reversal, least) = reversal_and_least(&scene, "mirrored");
    assert_eq!(reversal, None);
    let index = scene.expectations.iter().position(|it| it.what.starts_with("its mirror image"));
    let index = index.expect("it is promised");
    let Bound::Equals(promised) = scene.expectations[index].bound else { panic!("a value") };
    assert!((promised - least).abs() < 1e-4, "{promised} is {least}");
    // With less and less to hop, the simulated one comes to the same: 0.926, 0.933 and 0.934.
    let mut last = f64::INFINITY;
    for (envelope, within) in [(2e-4, 0.01), (1e-4, 0.004), (3e-5, 0.002)] {
        let scene = scene_with_envelope(text.name, text.text, envelope);
        let got = report(&scene, &options(1, 60.0), &|| Ok(None)).findings[index].got.unwrap();
        let off = (got - least).abs();
        assert!(off < within && off < last, "{envelope}: {got}");
        last = off;
    }
}

/// The skewed one slips where it rattles most, which takes some time.
#[test]
fn the_skewed_one_turns_back_when_one_that_never_slips_does() {
    let scene = built(built_in("rattleback").expect("it is built in"));
    let (reversal, _) = reversal_and_least(&scene, "skewed");
    let reversal = reversal.expect("it turns back");
    assert!((reversal - 3.40).abs() < 0.01, "{reversal}");
    let report = report(&scene, &options(1, 60.0), &|| Ok(None));
    let found = report.findings.iter().find(|it| it.what == "the skewed one stops");
    let got = found.and_then(|it| it.got).expect("it stops");
    assert!((got / reversal - 1.0).abs() < 0.06, "{got}");
}
