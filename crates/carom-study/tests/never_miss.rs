//! The never-miss grid, small: no first touch is missed, told late or told falsely, whatever speed, spin and thinness.
//!
//! `bench/` runs the same cases in full. What is right is said by `oracles` and a search of its own over the exact motions.

use carom::{Body, Contact, Fault, Observers, StopAtTouch, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Cuboid, HalfSpace};
use carom_study::never_miss::{Case, Family, Landing, LinkCase, LinkFamily, Tally};
use glam::DVec3;

/// Runs the first cases of a family and asserts that all are right.
#[expect(clippy::print_stdout, reason = "what the cases took is worth seeing")]
fn grid(family: Family, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        tally.add(index, family.case(index).map(Case::run));
    }
    let (mean, most_of_them, most) = tally.query_figures().expect("cases");
    println!(
        "{}: {} cases, {} touches at {:.3?} of d_touch (to {:.1e}); distances {mean:.1}, {most_of_them}, {most}; \
         {:.0} µs each, judged by {:.0} distances each",
        family.name(),
        tally.cases,
        tally.touches,
        tally.shares,
        tally.widest,
        1e6 * tally.seconds / tally.cases as f64,
        tally.judged_by as f64 / tally.cases as f64,
    );
    assert!(tally.wrong.is_empty(), "{} cases are wrong: {:?}", tally.wrong.len(), tally.wrong);
    tally
}

/// How many cases of links: `CAROM_CASES` of each family, or so many.
fn many(usual: u64) -> u64 {
    std::env::var("CAROM_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

/// Runs the first cases of a family of links and asserts that all are right.
#[expect(clippy::print_stdout, reason = "what the cases took is worth seeing")]
fn links(family: LinkFamily, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        tally.add(index, family.case(index).map(LinkCase::run));
    }
    println!(
        "{}: {} cases, {} touches at {:.3?} of d_touch; {} missed, {} false, {} undecided, {} failed; {:.0} µs each, \
         judged by {:.0} distances each",
        family.name(),
        tally.cases,
        tally.touches,
        tally.shares,
        tally.missed,
        tally.false_touches,
        tally.undecided,
        tally.failed,
        1e6 * tally.seconds / tally.cases as f64,
        tally.judged_by as f64 / tally.cases as f64,
    );
    assert!(tally.wrong.is_empty(), "{} cases are wrong: {:?}", tally.wrong.len(), tally.wrong);
    tally
}

/// proves: m2/R-14
#[test]
fn the_whipping_last_link_of_a_triple_pendulum_never_passes_a_thin_plate() {
    let tally = links(LinkFamily::Whip, many(60));
    assert!(2 * tally.touches > tally.cases, "{}", tally.touches);
}

/// proves: m2/R-14
#[test]
fn an_arm_whose_motors_start_at_once_never_passes_a_thin_plate() {
    let tally = links(LinkFamily::Actuator, many(60));
    assert!(2 * tally.touches > tally.cases, "{}", tally.touches);
}

/// proves: m2/R-14 m2/R-16
#[test]
fn links_that_bounce_off_plates_never_overlap_them() {
    links(LinkFamily::Bounces, many(40));
}

/// proves: m2/R-14
#[test]
fn a_hinged_rod_touches_a_plate_when_the_closed_form_says() {
    let tally = links(LinkFamily::Rod, many(200));
    assert_eq!(tally.touches, tally.cases);
}

/// proves: m2/R-14
#[test]
fn links_of_one_linkage_never_pass_through_each_other() {
    let tally = links(LinkFamily::Folds, many(60));
    assert!(10 * tally.touches > tally.cases, "{}", tally.touches);
}

/// proves: m1/TOI-R6
#[test]
fn a_ball_at_up_to_ten_kilometres_a_second_never_passes_a_plate_of_a_millimetre() {
    let tally = grid(Family::BallPlate, 700);
    assert_eq!(tally.touches, tally.cases);
}

/// A ball that moves uniformly reaches the face of a fixed plate at a time known in closed form.
///
/// proves: m1/TOI-R6
#[test]
fn the_touch_with_a_fixed_plate_comes_within_the_touch_distance_before_the_closed_form() {
    let mut compared = 0;
    for index in 0..1000 {
        let mut case = Family::BallPlate.case(index).expect("a case");
        let Some((expected, speed)) = closed_form(&case) else { continue };
        let (time, contact) = first_touch(&mut case.world, case.until).expect("a touch");
        let landing = Landing::of(&case.world, time, &contact).expect("a landing");
        let way = (expected - time) * speed;
        // The closed form rounds as places and times do, which the touch distance is four times above.
        let slack = 0.5 * landing.touch_distance;
        let most = landing.touch_distance + slack;
        assert!(-slack < way && way < most, "{index}: {way:e} m before, {most:e} m allowed");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// When a ball meets the plane of the plate's face, and its speed across it; none where that is not what it meets first.
fn closed_form(case: &Case) -> Option<(f64, f64)> {
    let [ball, plate] = case.bodies.map(|id| case.world.body(id).expect("a body"));
    let (Shape::Ball(round), Shape::Cuboid(cuboid)) = (ball.shape(), plate.shape()) else {
        return None;
    };
    if plate.role() != "fixed" || case.world.gravity() != DVec3::ZERO {
        return None;
    }
    let pose = plate.pose_at(case.start)?;
    let state = ball.state()?;
    let place = pose.inverse().point(state.position);
    let velocity = pose.vector_inverse(state.velocity);
    let height = place.z.abs() - cuboid.half().z - round.radius();
    let speed = -velocity.z * place.z.signum();
    let after = height / speed;
    let met = place + after * velocity;
    let on_face = met.x.abs() < cuboid.half().x && met.y.abs() < cuboid.half().y;
    (speed > 0.0 && on_face).then_some((case.start + after, speed))
}

fn first_touch(world: &mut World, until: f64) -> Option<(f64, Contact)> {
    let mut stop = StopAtTouch::default();
    match world.advance_watched(until, &mut Observers::none().with(&mut stop)) {
        Ok(()) | Err(Fault::Stopped { .. }) => stop.touch,
        Err(fault) => panic!("{fault}"),
    }
}

/// proves: m1/TOI-R1
#[test]
fn bodies_of_every_kind_flying_at_each_other_touch_and_not_later_than_they_do() {
    let tally = grid(Family::HeadOn, 500);
    assert!(tally.touches > tally.cases * 9 / 10, "{}", tally.touches);
}

/// proves: m1/TOI-R1
#[test]
fn a_rod_at_ten_thousand_radians_a_second_touches_an_edge_or_passes_it() {
    let tally = grid(Family::RodEdge, 200);
    assert!(tally.touches > 50 && tally.touches < 190, "{}", tally.touches);
}

/// proves: m1/TOI-R7
#[test]
fn grazing_passes_are_neither_skipped_nor_invented() {
    let tally = grid(Family::Grazing, 600);
    assert!(tally.touches > 200 && tally.touches < 500, "{}", tally.touches);
}

/// proves: m1/TOI-R1
#[test]
fn tumbling_bolts_touch_with_their_threads() {
    let tally = grid(Family::Bolts, 40);
    assert!(tally.touches > 15 && tally.touches < 40, "{}", tally.touches);
}

/// A box that tumbles about between six walls, thrown back without loss at every touch.
///
/// proves: m1/TOI-R8
#[test]
fn over_a_long_run_every_touch_is_told_at_a_distance_above_zero_and_within_the_touch_distance() {
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().unwrap();
    for axis in DVec3::AXES {
        for normal in [axis, -axis] {
            let wall = Shape::HalfSpace(HalfSpace::new(normal, -1.0).unwrap());
            world.add(Body::fixed(wall)).unwrap();
        }
    }
    let cuboid = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.2, 0.1)).unwrap());
    let spin = DVec3::new(3.0, -5.0, 4.0);
    let thrown = Body::free(cuboid).velocity(DVec3::new(2.0, 1.0, 0.5)).angular_velocity(spin);
    world.add(thrown).unwrap();
    let energy = world.account().kinetic;
    let mut shares = [f64::INFINITY, 0.0_f64];
    for bounce in 0..3000 {
        let (time, contact) = first_touch(&mut world, 1e6).expect("a touch");
        let landing = Landing::of(&world, time, &contact).expect("a landing");
        let share = contact.distance / landing.touch_distance;
        assert!(contact.distance > 0.0 && share <= 1.0, "bounce {bounce}: {landing:?}");
        assert!(
            landing.gap.is_apart() && landing.gap.lower <= landing.touch_distance,
            "{landing:?}"
        );
        shares = [shares[0].min(share), shares[1].max(share)];
        throw_back(&mut world, &contact);
    }
    let change = (world.account().kinetic - energy).abs() / energy;
    println!("told at {shares:.3?} of the touch distance; energy changed by {change:.1e}");
}

/// Reverses the normal velocity at a touch with a wall.
fn throw_back(world: &mut World, contact: &Contact) {
    let free = |id: &&carom::BodyId| world.body(**id).is_some_and(|body| body.is_free());
    let body = *contact.bodies.iter().find(free).expect("a free body");
    let away = if body == contact.bodies[0] { contact.normal } else { -contact.normal };
    let state = world.state(body).expect("a state");
    let closing = -away.dot(state.velocity_at(contact.point));
    let response = world.response(body, contact.point, contact.point).expect("a response");
    let impulse = 2.0 * closing / away.dot(response * away) * away;
    world.apply_impulse(body, impulse, contact.point).expect("a strike");
}
