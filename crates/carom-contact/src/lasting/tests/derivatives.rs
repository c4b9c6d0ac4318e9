//! Gaps, rates and second derivatives beside differences of the measured distance.

use super::*;
use crate::lasting::Kind;

/// Two bodies of any kinds whose nearest features stay what they are for a while, with their only contact point.
struct Case {
    names: [&'static str; 2],
    flights: [Flight; 2],
    point: ContactPoint,
    gaps: [f64; 7],
}

const STEP: f64 = 2.5e-3;

/// Calls `look` with pairs of all kinds; those whose nearest features change meanwhile are left out.
fn for_each_case(count: usize, mut look: impl FnMut(&Case, [&Solid<'_>; 2])) -> usize {
    let kinds: Vec<(&str, Pieces)> =
        all_kinds().iter().map(|(name, shape)| (*name, Pieces::of(shape))).collect();
    let mut numbers = Numbers(7);
    let mut looked = 0;
    for index in 0..count {
        let (i, j) = (index % 10, index / 10 % 10);
        let place = numbers.vector(2.5);
        let flights = [DVec3::ZERO, place].map(|place| Flight::random(&mut numbers, place));
        if i == 9 && j == 9 {
            continue;
        }
        let both = [&kinds[i].1, &kinds[j].1];
        let found =
            [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0].map(|k| measured(both, &flights, k * STEP));
        let same = |it: &ClosestPieces| {
            it.pieces == found[3].pieces && it.closest.features == found[3].closest.features
        };
        let gap = found[3].closest.distance;
        if !found.iter().all(same) || !(0.01..1.5).contains(&gap) {
            continue;
        }
        let [a, b] = [solid(both[0]), solid(both[1])];
        let poses = [flights[0].at(0.0).world_from_frame, flights[1].at(0.0).world_from_frame];
        let points = points_at([&a, &b], [&poses[0], &poses[1]], 1e-12);
        let names = [kinds[i].0, kinds[j].0];
        assert_eq!(points.len(), 1, "{names:?}: {points:?}");
        let is_rough = (0..2)
            .any(|i| names[i] == "superquadric" && is_rough(&points[0], [&a, &b], &flights, i));
        if is_rough {
            continue;
        }
        looked += 1;
        let gaps = found.map(|it| it.closest.distance);
        look(&Case { names, flights, point: points[0], gaps }, [&a, &b]);
    }
    looked
}

/// Whether the point of a superquadric of exponent 3 comes near a plane of its axes, where the third derivative of |x|³ jumps and
/// differences over several points say nothing.
fn is_rough(
    point: &ContactPoint,
    solids: [&Solid<'_>; 2],
    flights: &[Flight; 2],
    i: usize,
) -> bool {
    let places = [-3.0 * STEP, 0.0, 3.0 * STEP].map(|t| {
        let here = follow(point, solids, flights, t).expect("followed");
        flights[i].at(t).world_from_frame.inverse().point(here.points[i])
    });
    let is_near = places.iter().any(|place| place.abs().min_element() < 0.22);
    is_near || places.iter().any(|place| place.signum() != places[0].signum())
}

/// For every pair of kinds, with both bodies accelerating and turning: g itself is the measured distance along the way, ġ and g̈ are its
/// derivatives. Vertex on face, edge on edge, smooth on edge and smooth on vertex are among them.
///
/// proves: baraff/21 baraff/22
#[test]
fn gaps_and_their_derivatives_are_those_of_the_measured_distance() {
    let (mut worst, mut clear) = ([0.0_f64; 3], 0);
    let mut kinds = std::collections::BTreeMap::new();
    let looked = for_each_case(6000, |case, solids| {
        let here = follow(&case.point, solids, &case.flights, 0.0).expect("followed");
        let accelerating = case.flights.map(|it| it.accelerating());
        let moving = case.flights.map(|it| it.at(0.0));
        let second =
            here.acceleration([&moving[0], &moving[1]], [&accelerating[0], &accelerating[1]]);
        for (k, gap) in case.gaps.iter().enumerate() {
            let t = (k as f64 - 3.0) * STEP;
            let there = follow(&case.point, solids, &case.flights, t).expect("followed");
            worst[0] = worst[0].max((there.gap - gap).abs());
            assert!(
                (there.gap - gap).abs() < 1e-12,
                "{:?} at {t}: {} {gap}",
                case.names,
                there.gap
            );
        }
        let rate = first_difference(case.gaps, STEP);
        let expected = second_difference(case.gaps, STEP);
        let off = [(here.rate - rate).abs(), (second - expected).abs() / (10.0 + expected.abs())];
        let doubts = doubts(case.gaps, STEP);
        if doubts[0] < 1e-8 && doubts[1] < 1e-6 {
            worst = [worst[0], worst[1].max(off[0]), worst[2].max(off[1])];
            clear += 1;
        }
        *kinds.entry(kind_name(&case.point.kind)).or_insert(0) += 1;
        let (names, point) = (case.names, case.point);
        assert!(off[0] < 1e-9 + doubts[0], "{names:?}: ġ = {}, not {rate}: {point:?}", here.rate);
        assert!(off[1] < 1e-7 + doubts[1], "{names:?}: g̈ = {second}, not {expected}: {point:?}");
        assert!(here.room > 0.0, "{:?}: {here:?} {:?}", case.names, case.point);
    });
    println!(
        "{looked} pairs, {clear} with clear differences, {kinds:?}; off by {worst:?} in g, ġ and g̈"
    );
    assert!(clear > 1000 && kinds.len() == 7, "{looked} {clear} {kinds:?}");
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Corner { .. } => "corner",
        Kind::Rim { .. } => "rim",
        Kind::Points { .. } => "points",
        Kind::PointLine { .. } => "point and line",
        Kind::Lines { .. } => "lines",
        Kind::Support { .. } => "support",
        Kind::Nearest => "nearest",
    }
}

/// Six Gauss points over a hundredth of a second: ∫ġ is the change of g and ∫g̈ that of ġ, to rounding. An integrator sees smooth
/// functions.
#[test]
fn what_is_followed_is_smooth_and_consistent_to_rounding() {
    let nodes = [0.033765242898424, 0.169395306766868, 0.380690406958402];
    let weights = [0.085662246189585, 0.180380786524069, 0.233956967286346];
    let mut worst = [0.0_f64; 2];
    for_each_case(3000, |case, solids| {
        let h = STEP;
        let say = |t: f64| {
            let here = follow(&case.point, solids, &case.flights, t).expect("followed");
            let moving = case.flights.map(|it| it.at(t));
            let accelerating = case.flights.map(|it| it.accelerating());
            let second =
                here.acceleration([&moving[0], &moving[1]], [&accelerating[0], &accelerating[1]]);
            (here, second)
        };
        let (start, end) = (say(0.0).0, say(h).0);
        let (mut sums, mut size) = ([0.0; 2], 1.0_f64);
        for (x, w) in nodes.iter().zip(weights) {
            for x in [*x, 1.0 - x] {
                let (here, second) = say(x * h);
                sums = [sums[0] + w * h * here.rate, sums[1] + w * h * second];
                size = size.max(second.abs());
            }
        }
        let off = [(end.gap - start.gap - sums[0]).abs(), (end.rate - start.rate - sums[1]).abs()];
        // Nodes and weights are given to 15 digits.
        assert!(off[0] < 2e-14, "{:?}: {:e} {:?}", case.names, off[0], case.point);
        assert!(off[1] < 1e-12 * size, "{:?}: {:e} {:?}", case.names, off[1], case.point);
        worst = [worst[0].max(off[0]), worst[1].max(off[1] / size)];
    });
    println!("off by {worst:?}");
}

/// Where a query starts from does not show but in the last digits.
#[test]
fn warm_starts_change_nothing_but_rounding() {
    let mut worst = 0.0_f64;
    for_each_case(2000, |case, solids| {
        let cold = follow(&case.point, solids, &case.flights, 0.0).expect("followed");
        let mut warm = Warm::Cold;
        for t in [STEP, 0.5 * STEP] {
            let [a, b] = [case.flights[0].at(t), case.flights[1].at(t)];
            case.point.follow(solids, [&a, &b], &mut warm);
        }
        let [a, b] = [case.flights[0].at(0.0), case.flights[1].at(0.0)];
        let here = case.point.follow(solids, [&a, &b], &mut warm).expect("followed");
        let off = (here.gap - cold.gap)
            .abs()
            .max(here.normal.distance(cold.normal))
            .max(here.points[0].distance(cold.points[0]))
            .max((here.bias - cold.bias).abs() / (10.0 + cold.bias.abs()));
        worst = worst.max(off);
        assert!(off < 1e-12, "{:?}: {off:e}", case.names);
    });
    println!("off by {worst:e}");
}

/// The same with A and B in each other's place, far from the origin, and moved along together: frames do not matter.
#[test]
fn frames_and_order_do_not_matter() {
    for_each_case(1500, |case, solids| {
        let here = follow(&case.point, solids, &case.flights, 0.0).expect("followed");
        let turned = [case.flights[1], case.flights[0]];
        let poses = turned.map(|it| it.at(0.0).world_from_frame);
        let swapped = [solids[1], solids[0]];
        let points = points_at(swapped, [&poses[0], &poses[1]], 1e-12);
        let there = follow(&points[0], swapped, &turned, 0.0).expect("followed");
        let off = (here.gap - there.gap)
            .abs()
            .max((here.rate - there.rate).abs())
            .max((here.bias - there.bias).abs() / (10.0 + here.bias.abs()))
            .max(here.normal.distance(-there.normal));
        assert!(off < 1e-11, "{:?}: {off:e} {:?} {:?}", case.names, case.point, points[0]);
        let away = DVec3::new(300.0, -200.0, 100.0);
        let wind = DVec3::new(5.0, 3.0, -4.0);
        let far = case.flights.map(|it| Flight {
            start: Pose::new(it.start.translation + away, it.start.rotation),
            velocity: it.velocity + wind,
            ..it
        });
        let there = follow(&case.point, solids, &far, 0.0).expect("followed");
        let off = (here.gap - there.gap).abs().max((here.rate - there.rate).abs());
        assert!(off < 1e-11, "{:?}: {off:e}", case.names);
        let off = (here.bias - there.bias).abs() / (10.0 + here.bias.abs());
        assert!(off < 1e-10, "{:?}: {off:e}", case.names);
    });
}

/// n·(a_A − a_B) with the accelerations of the material alone is no constraint of bodies that turn.
///
/// proves: baraff/24
#[test]
fn without_velocity_terms_the_second_derivative_is_another() {
    let (mut differ, mut turned) = (0, 0);
    for_each_case(2000, |case, solids| {
        let here = follow(&case.point, solids, &case.flights, 0.0).expect("followed");
        let material = |i: usize| {
            let arm = here.points[i] - case.flights[i].at(0.0).world_from_frame.translation;
            let spin = case.flights[i].spin;
            here.normal.dot(spin.cross(spin.cross(arm)))
        };
        let naive = material(0) - material(1);
        turned += 1;
        differ += usize::from((naive - here.bias).abs() > 0.1 * here.bias.abs().max(1.0));
    });
    println!("{differ} of {turned} differ by more than a tenth");
    assert!(differ > turned * 3 / 4, "{differ} of {turned}");
}
