//! The auditor on feeds that no engine made, so that it can be lied to.

use carom::{Body, BodyId, Contact, Event, Happening, World};
use carom_geometry::distance::Feature;
use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, Pose, Shape, TriMesh, convex_hull};
use glam::{DQuat, DVec3};
use oracles::gap::{self, Oracle};

use super::{AuditOptions, AuditReport, Auditor, View, pose_of, solid_of};

type Way = Box<dyn Fn(f64) -> DVec3>;

/// Bodies that go their ways, whatever anybody says.
struct Feed {
    /// Lends ids and shapes; its bodies are far apart and do not move.
    world: World,
    bodies: Vec<(BodyId, Way)>,
    meets: bool,
    inside: bool,
}

impl Feed {
    fn new() -> Self {
        let world =
            World::builder().passing().gravity(DVec3::ZERO).build().expect("an empty world");
        Self { world, bodies: Vec::new(), meets: true, inside: false }
    }

    fn with(mut self, name: &str, shape: Shape, way: impl Fn(f64) -> DVec3 + 'static) -> Self {
        let away = DVec3::X * 1e3 * (1.0 + self.bodies.len() as f64);
        let id = self.world.add(Body::free(shape).density(1.0).at(away).named(name));
        self.bodies.push((id.expect("a body"), Box::new(way)));
        self
    }

    /// A touch of the first two bodies.
    fn touch(&self, time: f64) -> Event {
        let contact = Contact {
            bodies: [self.bodies[0].0, self.bodies[1].0],
            point: DVec3::ZERO,
            normal: DVec3::X,
            distance: 0.0,
            speed: -1.0,
            features: [Feature::Vertex(0); 2],
            pieces: [0; 2],
        };
        Event { time, what: Happening::Touch(contact), change: None }
    }

    /// An audit of one span without events.
    fn audited(&self, times: std::ops::Range<f64>) -> AuditReport {
        let mut auditor = Auditor::new(AuditOptions::default());
        auditor.look_between(self, times);
        auditor.finish()
    }
}

impl View for Feed {
    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.iter().map(|(id, _)| *id).collect()
    }

    fn shape(&self, body: BodyId) -> Option<&Shape> {
        View::shape(&self.world, body)
    }

    fn name(&self, body: BodyId) -> String {
        View::name(&self.world, body)
    }

    fn is_free(&self, _: BodyId) -> bool {
        true
    }

    fn pose_at(&self, body: BodyId, time: f64) -> Option<Pose> {
        let (_, way) = self.bodies.iter().find(|(id, _)| *id == body)?;
        Some(Pose::from_translation(way(time)))
    }

    fn reference(&self, _: BodyId) -> DVec3 {
        DVec3::ZERO
    }

    fn meets(&self, _: BodyId, _: BodyId) -> bool {
        self.meets
    }

    fn is_inside(&self, _: BodyId, _: BodyId) -> bool {
        self.inside
    }
}

fn ball(radius: f64) -> Shape {
    Shape::Ball(Ball::new(radius).expect("a ball"))
}

/// A ball at the origin and one that comes from the left and passes it at a height, at time 0.
fn passing(height: f64) -> Feed {
    Feed::new()
        .with("post", ball(1.0), |_| DVec3::ZERO)
        .with("bullet", ball(0.5), move |t| DVec3::new(20.0 * t, height, 0.0))
}

#[test]
fn the_least_gap_of_a_near_miss_is_found_between_the_samples() {
    for clearance in [1.0, 1e-3, 1e-6] {
        let report = passing(1.5 + clearance).audited(-5.0..7.0);
        assert!(report.is_clean(), "{report:?}");
        let least = report.least.unwrap();
        assert_eq!(least.names, ["post", "bullet"]);
        let off = (least.gap.upper / clearance - 1.0).abs();
        assert!(off < 1e-6, "{clearance}: {least:?}");
        assert!(least.gap.is_apart(), "{clearance}: {least:?}");
        assert!(least.time.abs() < 1e-3, "{least:?}");
    }
}

#[test]
fn bodies_that_overlap_without_a_word_are_caught_with_pair_time_and_depth() {
    let feed = passing(1.25);
    let report = feed.audited(-1.0..1.0);
    assert!(!report.is_clean());
    let overlap = &report.overlaps[0];
    assert_eq!(overlap.worst.names, ["post", "bullet"]);
    assert!(overlap.worst.time.abs() < 0.05, "{overlap:?}");
    assert!(
        overlap.worst.gap.upper < -1e-3 && overlap.worst.gap.lower >= -0.2500001,
        "{overlap:?}"
    );
    let missed = &report.missed[0];
    assert_eq!(missed.worst.names, ["post", "bullet"]);
    let complaints = report.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("\"post\" and \"bullet\" overlap at"), "{complaints:?}");
    assert!(complaints[1].contains("no touch was told"), "{complaints:?}");
}

/// A head-on meeting, in spans as the engine hands them over: up to the touch, and after it.
fn head_on(told: bool) -> AuditReport {
    let mut feed = passing(0.0);
    let mut auditor = Auditor::new(AuditOptions::default());
    // They touch at −0.075 s; some 1e-11 m before, no engine would still keep silent.
    let touch = -0.075 - 1e-12;
    auditor.look_between(&feed, -1.0..touch);
    if told {
        auditor.look_after(&feed, touch, &[feed.touch(touch)], &[]);
    }
    feed.inside = true;
    auditor.look_between(&feed, touch..1.0);
    auditor.finish()
}

#[test]
fn a_touch_that_is_told_at_the_end_of_the_span_was_not_missed_and_what_passes_through_is_exempt() {
    let report = head_on(true);
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(report.instants, 1);
    assert!(report.least.unwrap().gap.upper < 1e-9);
}

#[test]
fn a_touch_that_is_not_told_was_missed_although_the_bodies_never_overlap() {
    let report = head_on(false);
    assert!(report.overlaps.is_empty(), "{report:?}");
    assert_eq!(report.missed.len(), 1, "{report:?}");
    assert!((report.missed[0].worst.time + 0.075).abs() < 1e-9, "{report:?}");
}

#[test]
fn bodies_that_begin_in_contact_and_part_have_missed_nothing() {
    let feed = Feed::new()
        .with("a", ball(1.0), |_| DVec3::ZERO)
        .with("b", ball(0.5), |t| DVec3::new(1.5 + t, 0.0, 0.0));
    let report = feed.audited(0.0..3.0);
    assert!(report.is_clean(), "{report:?}");
    assert!(report.least.unwrap().gap.holds(0.0, 1e-15));
}

#[test]
fn a_second_touch_needs_a_second_word() {
    // The bullet comes, goes and comes again.
    let there = |t: f64| DVec3::new(1.5 + 0.5 * (1.0 - libm::cos(t)), 0.0, 0.0);
    let feed = Feed::new().with("a", ball(1.0), |_| DVec3::ZERO).with("b", ball(0.5), there);
    let turn = std::f64::consts::TAU;
    let mut auditor = Auditor::new(AuditOptions::default());
    auditor.look_between(&feed, 1.0..turn);
    auditor.look_after(&feed, turn, &[feed.touch(turn)], &[]);
    auditor.look_between(&feed, turn..2.0 * turn);
    let report = auditor.finish();
    assert_eq!(report.missed.len(), 1, "{report:?}");
    assert!((report.missed[0].worst.time - 2.0 * turn).abs() < 1e-3, "{report:?}");
}

#[test]
fn bodies_that_take_no_notice_of_each_other_are_not_looked_at() {
    let mut feed = passing(0.0);
    feed.meets = false;
    let report = feed.audited(-1.0..1.0);
    assert_eq!((report.distances, report.least, report.overlaps.len()), (0, None, 0));
}

#[test]
fn bodies_far_apart_cost_a_few_distances_only() {
    let mut feed = Feed::new();
    for i in 0..40 {
        let direction =
            DVec3::new(f64::from(i % 4) - 1.5, f64::from(i / 4 % 5) - 2.0, f64::from(i / 20));
        feed = feed.with(&format!("{i}"), ball(0.1), move |t| direction * (1.0 + t));
    }
    let mut auditor = Auditor::new(AuditOptions::default());
    for step in 0..100 {
        auditor.look_between(&feed, f64::from(step)..f64::from(step + 1));
    }
    let report = auditor.finish();
    assert!(report.is_clean());
    let least = report.least.unwrap();
    assert!((least.gap.upper - 0.8).abs() < 1e-12 && least.time == 0.0, "{least:?}");
    assert!(report.distances < 1000, "{}", report.distances);
    // Three random times after the beginning, and none since, for all is quiet without end.
    assert_eq!(report.times, 203);
}

#[test]
fn too_many_pairs_at_once_are_sampled_the_same_way_every_time_and_the_rest_is_counted() {
    let crowd = || {
        let mut feed = Feed::new();
        for i in 0..30 {
            let at = DVec3::new(0.01 * f64::from(i), 0.02 * f64::from(i % 7), 0.0);
            feed = feed.with(&format!("{i}"), ball(1.0), move |_| at);
        }
        let options = AuditOptions { most_pairs: 20, ..AuditOptions::default() };
        let mut auditor = Auditor::new(options);
        auditor.look_between(&feed, 0.0..1.0);
        auditor.look_between(&feed, 1.0..2.0);
        auditor.finish()
    };
    let report = crowd();
    assert_eq!(report.left_out, 2 * (30 * 29 / 2 - 20));
    assert!(report.overlaps.len() > 20 && report.overlaps.len() <= 40, "{}", report.overlaps.len());
    assert_eq!(report, crowd());
}

#[test]
fn times_are_random_after_an_instant_and_whenever_it_has_been_quiet() {
    let mut auditor = Auditor::new(AuditOptions { quiet: 1.0, ..AuditOptions::default() });
    let first = auditor.times_in(&(2.0..2.5));
    assert_eq!((first.len(), first[0], first[4]), (5, 2.0, 2.5_f64.next_down()));
    assert!(first.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(auditor.times_in(&(2.5..2.75)), [2.5, 2.75_f64.next_down()]);
    assert_eq!(auditor.times_in(&(3.0..3.5)).len(), 5);
    auditor.look_after(&Feed::new(), 3.5, &[], &[]);
    assert_eq!(auditor.times_in(&(3.5..4.0)).len(), 5);
    assert_eq!(auditor.times_in(&(1.0..1.0_f64.next_up())), [1.0]);
}

#[test]
fn a_body_on_a_new_way_is_seen_before_the_horizon_ends() {
    use std::{cell::Cell, rc::Rc};
    // Far away until an instant sends it through the other one.
    let speed = Rc::new(Cell::new(0.0));
    let its = Rc::clone(&speed);
    let feed = Feed::new()
        .with("post", ball(1.0), |_| DVec3::ZERO)
        .with("near", ball(1.0), |_| DVec3::X * 2.5)
        .with("sent", ball(1.0), move |t| DVec3::Y * (50.0 - its.get() * (t - 1.0)));
    let mut auditor = Auditor::new(AuditOptions { quiet: 100.0, ..AuditOptions::default() });
    auditor.look_between(&feed, 0.0..1.0);
    speed.set(50.0);
    let sent = feed.bodies[2].0;
    auditor.look_after(&feed, 1.0, &[], &[sent]);
    auditor.look_between(&feed, 1.0..2.5);
    let report = auditor.finish();
    assert_eq!(report.overlaps.len(), 1, "{report:?}");
    assert_eq!(report.overlaps[0].worst.names, ["post", "sent"]);
}

fn one_of_each() -> Vec<Shape> {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, 2.0 * DVec3::Z];
    let mesh = TriMesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
    let axes = DVec3::new(1.0, 2.0, 0.5);
    let simple = vec![
        ball(0.7),
        Shape::Cuboid(Cuboid::new(axes).unwrap()),
        Shape::Capsule(Capsule::new(1.0, 0.3).unwrap()),
        Shape::Cylinder(Cylinder::new(1.0, 0.3).unwrap()),
        Shape::Cone(Cone::new(1.0, 0.3).unwrap()),
        Shape::Ellipsoid(Ellipsoid::new(axes).unwrap()),
        Shape::Superquadric(Superquadric::new(axes, 1.5, 6.0).unwrap()),
        Shape::Polyhedron(convex_hull(&corners).unwrap().into()),
        Shape::Mesh(ClosedMesh::new(mesh.unwrap()).unwrap().into()),
    ];
    let placed = |(i, shape): (usize, &Shape)| {
        let turn = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        Part { body_from_shape: Pose::new(DVec3::X * i as f64, turn), shape: shape.clone() }
    };
    let parts = simple.iter().enumerate().map(placed).collect();
    let compound = Shape::Compound(Compound::new(parts).unwrap().into());
    simple.into_iter().chain([compound]).collect()
}

/// A half-space knows how far a solid reaches along its normal, and so does the shape.
#[test]
fn every_shape_reaches_as_far_as_its_solid() {
    let mut oracle = Oracle::new();
    let pose = Pose::new(DVec3::new(0.3, -2.0, 1.0), DQuat::from_xyzw(0.1, -0.7, 0.1, 0.7));
    for shape in one_of_each() {
        let kind = shape.as_solid().kind();
        let body = gap::Body::new(&solid_of(&shape)).unwrap();
        for direction in
            [DVec3::X, DVec3::NEG_Y, DVec3::new(0.6, 0.0, -0.8), DVec3::new(-1.0, 2.0, 2.0) / 3.0]
        {
            let ground = Shape::HalfSpace(HalfSpace::new(direction, -20.0).unwrap());
            let below = gap::Body::new(&solid_of(&ground)).unwrap();
            let found = oracle.gap(&body, &pose_of(&pose), &below, &gap::Pose::IDENTITY);
            let lowest = -shape.as_solid().support_value(pose.vector_inverse(-direction));
            let expected = lowest + direction.dot(pose.translation) + 20.0;
            assert!(found.holds(expected, 1e-14), "{kind}: {found:?}, not {expected}");
        }
    }
}
