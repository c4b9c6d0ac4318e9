//! The queue of checks (guide HP-1, HP-2): in which order time passes, and when predictions are made anew.

use std::ops::Range;
use std::sync::Arc;

use carom::{
    Body, BodyId, BodyState, Command, Explanation, Fault, Foreseen, Happening, History, Instant,
    Observer, Observers, Push, Settings, Stop, StopAtTouch, World, WorldBuilder,
};
use carom_geometry::shapes::{Compound, Cylinder, Ellipsoid, HalfSpace, Part};
use carom_geometry::{ClosedMesh, Pose, Shape, convex_hull};
use glam::{DQuat, DVec3};

use crate::common::{Numbers, ball, busy_world, cuboid};

/// Balls and tumbling boxes of 1 kg between six walls; who touches is thrown back along the normal.
struct Room {
    world: World,
    shapes: Vec<Shape>,
}

impl Room {
    fn new(bodies: usize) -> Self {
        Self::with(bodies, World::builder().passing(), |i, pitch| {
            let side = 0.4 * pitch;
            if i % 2 == 1 { ball(0.3 * pitch) } else { cuboid(side, 0.7 * side, 0.4 * side) }
        })
    }

    /// Bodies of any shapes, each of which fits into a ball of 0.4 of the given pitch.
    fn with(bodies: usize, builder: WorldBuilder, shape: impl Fn(usize, f64) -> Shape) -> Self {
        let mut numbers = Numbers(11);
        let per_side = (1..=bodies).find(|k| k * k * k >= bodies).expect("a number");
        let pitch = 2.0 / per_side as f64;
        let mut shapes = Vec::new();
        let mut states = Vec::new();
        for i in 0..bodies {
            let cell = [i % per_side, i / per_side % per_side, i / per_side / per_side];
            let position = (DVec3::from_array(cell.map(|k| k as f64)) + 0.5) * pitch - 1.0;
            shapes.push(shape(i, pitch));
            states.push(BodyState {
                position,
                orientation: numbers.rotation(),
                velocity: numbers.vector(),
                angular_velocity: 3.0 * numbers.vector(),
            });
        }
        let world = Self::furnished(builder, &shapes, &states);
        Self { world, shapes }
    }

    fn furnished(builder: WorldBuilder, shapes: &[Shape], states: &[BodyState]) -> World {
        let mut world = builder.gravity(DVec3::ZERO).build().expect("a world");
        for axis in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
            let wall = Shape::HalfSpace(HalfSpace::new(axis, -1.0).expect("a wall"));
            world.add(Body::fixed(wall)).expect("a wall");
        }
        for (shape, state) in shapes.iter().zip(states) {
            let body = Body::free(shape.clone())
                .mass(1.0)
                .pose(Pose::new(state.position, state.orientation))
                .velocity(state.velocity)
                .angular_velocity(state.angular_velocity);
            world.add(body).expect("a body");
        }
        world
    }

    /// Another world, made of nothing but the present states; its bodies have the same ids.
    fn anew(&self) -> World {
        let free = self.world.bodies().filter(carom::BodyRef::is_free);
        let states: Vec<BodyState> = free.map(|body| body.state().expect("a state")).collect();
        Self::furnished(World::builder().passing().start(self.world.now()), &self.shapes, &states)
    }

    /// Goes on to the next touch; who touches, and how fast along which normal from the second to the first.
    fn next(&mut self, watcher: &mut dyn Observer) -> ([BodyId; 2], f64, DVec3) {
        let mut stop = StopAtTouch::default();
        let mut watchers = Observers::none().with(watcher).with(&mut stop);
        let end = self.world.advance_watched(1e6, &mut watchers);
        assert!(matches!(end, Err(Fault::Stopped { .. })), "{end:?}");
        let (_, contact) = stop.touch.expect("a touch");
        (contact.bodies, contact.speed, contact.normal)
    }

    /// Turns the speed along the normal around, with equal and opposite impulses on free bodies.
    fn strike(&mut self, bodies: [BodyId; 2], speed: f64, normal: DVec3) {
        let is_free = |id| self.world.body(id).is_some_and(|body| body.is_free());
        let free = bodies.map(is_free);
        let share = if free[0] && free[1] { 1.0 } else { 2.0 };
        for (id, sign, free) in [(bodies[0], -1.0, free[0]), (bodies[1], 1.0, free[1])] {
            if free {
                let center = self.world.state(id).expect("a state").position;
                let impulse = sign * share * speed * normal;
                self.world.apply_impulse(id, impulse, center).expect("a strike");
            }
        }
    }
}

/// Asserts that time passes from what comes next to what comes next.
#[derive(Default)]
struct Steps {
    last: f64,
    instants: usize,
}

impl Observer for Steps {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        assert!(self.last <= times.start && times.start <= times.end, "{times:?} {}", self.last);
        // Asked of all that has a time, not of the queue.
        let top = world.next_event_time().unwrap_or(f64::INFINITY);
        assert!(times.end <= top, "a step to {} passes what is due at {top}", times.end);
        self.last = times.end;
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        assert_eq!(instant.time, world.now());
        assert!(self.last <= instant.time, "{} after {}", instant.time, self.last);
        self.last = instant.time;
        self.instants += 1;
        Ok(())
    }
}

/// proves: m1/HP-R1
#[test]
fn time_never_goes_back_and_no_step_passes_what_comes_next() {
    let mut steps = Steps::default();
    let mut room = Room::new(12);
    for _ in 0..300 {
        let (bodies, speed, normal) = room.next(&mut steps);
        room.strike(bodies, speed, normal);
    }
    let in_room = steps.instants;
    let mut steps = Steps::default();
    let mut world = busy_world(World::builder().passing(), 3, 24);
    world.advance_watched(3.0, &mut Observers::none().with(&mut steps)).unwrap();
    println!("{in_room} instants in a room, {} in a busy world", steps.instants);
    assert!(in_room > 300 && steps.instants > 30);
}

/// When a pair is foreseen to touch.
fn touch_time(explanation: &Explanation) -> Option<f64> {
    let forecast = explanation.forecast?;
    (forecast.what == Foreseen::Touch).then_some(forecast.clear_until)
}

/// Times of touches agree to what the touch distance is worth at slow approaches `[s]`.
const SAME: f64 = 1e-6;

/// What is foreseen of a pair in two worlds up to when boxes are made anew, as long as it is the same.
fn agreed(one: &Explanation, other: &Explanation) -> Option<f64> {
    let known = one.windows.iter().chain(&other.windows).fold(f64::INFINITY, |a, b| a.min(*b));
    let within = |it: &Explanation| touch_time(it).filter(|time| *time < known - SAME);
    if within(one).is_some() || within(other).is_some() {
        let [first, second] = [one, other].map(|it| touch_time(it).unwrap_or(f64::INFINITY));
        assert!((first - second).abs() <= SAME, "{one} at {first}, {other} at {second}");
    }
    within(one)
}

/// Predictions of both struck bodies with everybody else are those of a world that knows of no past.
///
/// proves: m1/HP-R2
#[test]
fn after_an_impulse_all_predictions_of_both_bodies_are_made_anew() {
    let mut room = Room::new(12);
    let (mut n_touches, mut n_changed) = (0, 0);
    for _ in 0..200 {
        let (bodies, speed, normal) = room.next(&mut Steps::default());
        let ids: Vec<BodyId> = room.world.bodies().map(|body| body.id()).collect();
        let pairs: Vec<[BodyId; 2]> = bodies
            .into_iter()
            .flat_map(|struck| ids.iter().map(move |other| [struck, *other]))
            .filter(|[struck, other]| struck != other && room.world.meets(*struck, *other))
            .collect();
        let explained = |world: &World| -> Vec<Explanation> {
            pairs.iter().map(|[a, b]| world.explain(*a, *b).expect("both are there")).collect()
        };
        let before = explained(&room.world);
        room.strike(bodies, speed, normal);
        let after = explained(&room.world);
        let fresh = explained(&room.anew());
        for (i, [a, b]) in pairs.iter().enumerate() {
            n_changed += usize::from(touch_time(&before[i]) != touch_time(&after[i]));
            if room.world.is_inside(*a, *b) {
                parts_as_foreseen(&room.world, [*a, *b]);
            } else {
                n_touches += usize::from(agreed(&after[i], &fresh[i]).is_some());
            }
        }
    }
    println!("{n_touches} touches foreseen by both, {n_changed} forecasts changed by an impulse");
    assert!(n_touches > 100 && n_changed > 100);
}

/// Two that have just touched come apart where the forecast says, as they move since the impulse.
fn parts_as_foreseen(world: &World, [a, b]: [BodyId; 2]) {
    let forecast = world.explain(a, b).and_then(|it| it.forecast).expect("they are near");
    assert_eq!(forecast.what, Foreseen::Parting, "{forecast:?}");
    let time = forecast.clear_until;
    let apart = |time| world.nearest(a, b, time).expect("both are there").distance;
    let (then, later) = (apart(time), apart(time + 1e-6));
    assert!(time >= world.now() && (0.0..1e-7).contains(&then), "{then:e} m at {time} s");
    assert!(later > then, "{then:e} m, then {later:e} m");
}

/// What comes next after each instant.
#[derive(Default)]
struct Tops(Vec<(f64, Option<f64>)>);

impl Observer for Tops {
    fn between(&mut self, _world: &World, _times: Range<f64>) -> Result<(), Stop> {
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.0.push((instant.time, world.next_event_time()));
        Ok(())
    }
}

/// Two balls meet at 2 s, and nothing else is foreseen; then a third is struck, and reaches a fourth before that.
///
/// proves: m1/HP-R4
#[test]
fn a_pair_that_comes_up_inside_an_advance_is_not_passed() {
    let settings = Settings { window_radii: 1000.0, ..Settings::default() };
    let mut world =
        World::builder().passing().gravity(DVec3::ZERO).settings(settings).build().unwrap();
    let at = |x: f64, y: f64| Body::free(ball(0.1)).mass(1.0).at(DVec3::new(x, y, 0.0));
    let slow = world.add(at(0.0, 50.0).velocity(0.4 * DVec3::X)).unwrap();
    let met = world.add(at(1.0, 50.0)).unwrap();
    let struck = world.add(at(0.0, 0.0)).unwrap();
    let third = world.add(at(5.0, 0.0)).unwrap();
    let push = Push::at_point(struck, 480.0 * DVec3::X, DVec3::ZERO);
    world.schedule(1.0, Command::Impulse(push)).unwrap();
    let explained = world.explain(struck, third).unwrap();
    assert!(explained.forecast.is_none(), "they are not near yet: {explained}");
    assert!(explained.windows.iter().all(|end| *end > 1.1), "{explained:?}");

    let (mut history, mut tops) = (History::of_all(), Tops::default());
    let mut watchers = Observers::none().with(&mut history).with(&mut tops);
    world.advance_watched(3.0, &mut watchers).unwrap();
    let touches: Vec<(f64, [BodyId; 2])> = history
        .events()
        .iter()
        .filter_map(|event| match event.what {
            Happening::Touch(contact) => Some((event.time, contact.bodies)),
            _ => None,
        })
        .collect();
    let [(first, whom), (second, others)] = touches[..] else { panic!("{touches:?}") };
    assert_eq!((whom, others), ([struck, third], [slow, met]));
    assert!((first - 1.01).abs() < 1e-9 && (second - 2.0).abs() < 1e-8, "{first} {second}");
    let after_push = tops.0.iter().find(|(time, _)| *time == 1.0).unwrap();
    assert_eq!(after_push.1, Some(first), "the next step is as long as the new pair allows");
}

/// proves: m1/HP-R6
#[test]
fn with_nothing_in_the_queue_time_passes_to_the_end() {
    let mut world = World::builder().passing().build().unwrap();
    world.advance_to(5.0).unwrap();
    assert_eq!((world.now(), world.event_counts().total()), (5.0, 0));
    world.add(Body::fixed(cuboid(1.0, 1.0, 1.0))).unwrap();
    let counted = world.event_counts().total();
    assert_eq!(world.next_event_time(), None);
    let mut steps = Steps::default();
    world.advance_watched(1e9, &mut Observers::none().with(&mut steps)).unwrap();
    assert_eq!((world.now(), steps.last), (1e9, 1e9));
    assert_eq!(world.event_counts().total(), counted, "nothing has happened");
}

/// Boxes, ellipsoids, cylinders, compounds and meshes.
fn motley(i: usize, pitch: f64) -> Shape {
    let side = 0.4 * pitch;
    let bar = cuboid(side, 0.3 * side, 0.3 * side);
    let axes = 0.5 * DVec3::new(side, 0.7 * side, 0.4 * side);
    match i % 5 {
        0 => cuboid(side, 0.7 * side, 0.4 * side),
        1 => Shape::Ellipsoid(Ellipsoid::new(axes).expect("sizes")),
        2 => Shape::Cylinder(Cylinder::new(0.5 * side, 0.2 * side).expect("sizes")),
        3 => {
            let across = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(1.2));
            let part = |body_from_shape| Part { body_from_shape, shape: bar.clone() };
            let parts = vec![part(Pose::IDENTITY), part(across)];
            Shape::Compound(Arc::new(Compound::new(parts).expect("two parts")))
        }
        _ => {
            let corner = |i: u32| {
                let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                axes * DVec3::new(sign(0), sign(1), sign(2))
            };
            let hull = convex_hull(&(0..8).map(corner).collect::<Vec<_>>()).expect("a box");
            Shape::Mesh(Arc::new(ClosedMesh::new(hull.to_mesh()).expect("a closed mesh")))
        }
    }
}

/// Windows, broad phase, threads and forgotten caches change no bit of any touch of bodies of all kinds.
#[test]
fn the_schedule_changes_no_bit_of_touches_that_are_searched_for() {
    use carom::broad::BroadPhaseKind;
    let run = |window_radii: f64, broad_phase: BroadPhaseKind, threads: usize, forgets: usize| {
        let settings = Settings { window_radii, broad_phase, ..Settings::default() };
        let builder = World::builder().passing().settings(settings).threads(threads);
        let mut room = Room::with(15, builder, motley);
        let mut nobody = Steps::default();
        let touches: Vec<(u64, [BodyId; 2], u64)> = (0..150)
            .map(|i| {
                if forgets > 0 && i % forgets == 0 {
                    room.world.forget_caches();
                }
                let (bodies, speed, normal) = room.next(&mut nobody);
                room.strike(bodies, speed, normal);
                (room.world.now().to_bits(), bodies, speed.to_bits())
            })
            .collect();
        (touches, crate::common::bits(&room.world), room.world.hash())
    };
    let expected = run(4.0, BroadPhaseKind::Hash, 1, 0);
    assert_eq!(run(0.7, BroadPhaseKind::Hash, 1, 0), expected, "short windows");
    assert_eq!(run(30.0, BroadPhaseKind::Hash, 1, 0), expected, "long windows");
    assert_eq!(run(4.0, BroadPhaseKind::Sweep, 1, 0), expected, "sorted coordinates");
    assert_eq!(run(2.0, BroadPhaseKind::All, 2, 0), expected, "every pair, two threads");
    assert_eq!(run(3.0, BroadPhaseKind::Hash, 2, 5), expected, "forgotten caches");
}
