//! Random laws and windows for the tests of this crate.

use carom_geometry::Pose;
use glam::{DQuat, DVec3};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use super::{Constant, Cycler, Law, Oscillation, Oscillator, Swing, Waypoint, Waypoints};
use crate::Span;

/// Runs the same cases every time.
pub(crate) fn for_all<S: Strategy>(cases: u32, inputs: &S, check: impl Fn(S::Value)) {
    let rng_seed = RngSeed::Fixed(0xCA20);
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 32,
        rng_seed,
        ..Default::default()
    };
    let outcome = TestRunner::new(config).run(inputs, |input| {
        check(input);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

pub(crate) fn point(reach: f64) -> impl Strategy<Value = DVec3> {
    proptest::array::uniform3(-reach..reach).prop_map(DVec3::from_array)
}

pub(crate) fn direction() -> impl Strategy<Value = DVec3> {
    point(1.0).prop_filter_map("near zero", |v| (v.length() > 0.1).then(|| v.normalize_or_zero()))
}

pub(crate) fn rotation() -> impl Strategy<Value = DQuat> {
    proptest::array::uniform4(-1.0..1.0_f64).prop_filter_map("near zero", |q| {
        let q = DQuat::from_array(q);
        (q.length() > 0.1).then(|| q.normalize())
    })
}

pub(crate) fn pose() -> impl Strategy<Value = Pose> {
    (point(5.0), rotation()).prop_map(|(translation, rotation)| Pose::new(translation, rotation))
}

pub(crate) fn constant() -> impl Strategy<Value = Constant> {
    (-2.0..2.0_f64, pose(), point(3.0), point(4.0)).prop_map(|(start, pose, velocity, spin)| {
        Constant::new(start, pose, velocity, spin).unwrap()
    })
}

pub(crate) fn cycler() -> impl Strategy<Value = Cycler> {
    let sizes = (0.1..3.0_f64, 0.0..3.0_f64);
    (point(5.0), rotation(), sizes, -6.0..6.0_f64, -4.0..4.0_f64).prop_map(
        |(centre, frame, (a, b), rate, phase)| {
            let semi_axes = [frame * (a * DVec3::X), frame * (b * DVec3::Y)];
            Cycler::new(centre, semi_axes, rate, phase, frame).unwrap()
        },
    )
}

fn term(
    axis: DVec3,
    pivot: Option<DVec3>,
    [amplitude, rate, phase, mean]: [f64; 4],
) -> Oscillation {
    let swing = match pivot {
        None => Swing::Along { axis },
        Some(pivot) => Swing::About { axis, pivot },
    };
    Oscillation { swing, amplitude, rate: 6.0 * rate, phase: 3.0 * phase, mean }
}

pub(crate) fn oscillation_terms() -> impl Strategy<Value = Vec<Oscillation>> {
    let numbers = || proptest::array::uniform4(-1.0..1.0_f64);
    let along = proptest::collection::vec((direction(), numbers()), 0..3);
    let about = proptest::collection::vec(numbers(), 0..3);
    (along, about, direction(), point(3.0)).prop_map(|(along, about, axis, pivot)| {
        let shifts = along.into_iter().map(|(axis, numbers)| term(axis, None, numbers));
        let turns = about.into_iter().map(|numbers| term(axis, Some(pivot), numbers));
        shifts.chain(turns).collect()
    })
}

pub(crate) fn oscillator() -> impl Strategy<Value = Oscillator> {
    (pose(), oscillation_terms()).prop_map(|(base, terms)| Oscillator::new(base, &terms).unwrap())
}

pub(crate) fn waypoints() -> impl Strategy<Value = Waypoints> {
    let legs = proptest::collection::vec((0.5..2.0_f64, pose()), 2..5);
    (-1.0..1.0_f64, legs, any::<bool>()).prop_map(|(start, legs, closed)| {
        let mut time = start;
        let mut points = Vec::new();
        for (duration, pose) in legs {
            points.push(Waypoint { time, pose });
            time += duration;
        }
        if closed {
            Waypoints::closed(&points, time - start).unwrap()
        } else {
            Waypoints::new(&points).unwrap()
        }
    })
}

/// A law of any kind.
pub(crate) fn law() -> impl Strategy<Value = Law> {
    prop_oneof![
        constant().prop_map(Law::Constant),
        cycler().prop_map(Law::Cycler),
        oscillator().prop_map(Law::Oscillator),
        waypoints().prop_map(Law::Waypoints),
    ]
}

/// Windows from 10⁻¹³ s to 30 s, that start soon, at a waypoint's likely place, or late.
pub(crate) fn window() -> impl Strategy<Value = Span> {
    let start = prop_oneof![4 => -2.0..5.0_f64, 1 => Just(0.0), 1 => 1e3..1e6_f64];
    (start, -13.0..1.5_f64)
        .prop_map(|(start, exponent)| Span::new(start, start + libm::exp10(exponent)))
}

/// The window, moved to start where the law's piece ends if `moved` and if it does.
pub(crate) fn at_joint(law: &Law, window: Span, moved: bool) -> Span {
    let joint = law.piece(window.start).end;
    if moved && joint.is_finite() { Span::new(joint, joint + window.length()) } else { window }
}

/// Times from the start to the end of a window, both included.
pub(crate) fn samples(window: Span, count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |index| {
        let share = f64::from(index) / f64::from(count);
        (window.start + share * window.length()).min(window.end)
    })
}

/// Mean and largest of ratios bound/actual.
#[derive(Default)]
pub(crate) struct Tightness {
    sum: std::cell::Cell<f64>,
    logarithms: std::cell::Cell<f64>,
    largest: std::cell::Cell<f64>,
    count: std::cell::Cell<u32>,
}

impl Tightness {
    pub(crate) fn record(&self, ratio: f64) {
        self.sum.set(self.sum.get() + ratio);
        self.logarithms.set(self.logarithms.get() + libm::log(ratio));
        self.largest.set(self.largest.get().max(ratio));
        self.count.set(self.count.get() + 1);
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sum.get() / f64::from(self.count.get())
    }

    pub(crate) fn print(&self, what: &str) {
        let (mean, largest, count) = (self.mean(), self.largest.get(), self.count.get());
        let geometric = libm::exp(self.logarithms.get() / f64::from(count));
        println!(
            "{what}: bound/actual mean {mean:.3} (geometric {geometric:.3}), largest {largest:.3} ({count} cases)"
        );
    }
}
