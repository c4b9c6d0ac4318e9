//! Begin and end of contacts: an observer that turns the stream of collisions into calls.
//!
//! In the impulse regime a contact that lasts is a train of collisions. It begins with the first collision of a pair and
//! ends when none has come until the time up to which the pair counts as in contact
//! ([`ContactReport::lasts_until`](crate::ContactReport::lasts_until)), or when one of its bodies goes away. That it has ended
//! is known only then, so ends are told when time has passed them, in order of time, before anything that happens later.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::body::BodyId;
use crate::event::{Collision, Happening};
use crate::observe::{Instant, Observer, Stop};
use crate::world::World;

/// A contact that begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBegin {
    /// When `[s]`.
    pub time: f64,
    /// A and B, the smaller id first.
    pub bodies: [BodyId; 2],
    /// Its first collision.
    pub collision: Collision,
}

/// A contact that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEnd {
    /// When `[s]`.
    pub time: f64,
    /// A and B, the smaller id first; one of them may be gone.
    pub bodies: [BodyId; 2],
    /// When it began `[s]`.
    pub began: f64,
    /// True when it still lasted when the watching ended.
    pub lasting: bool,
}

type OnBegin<'a> = Box<dyn FnMut(&World, &ContactBegin) + 'a>;
type OnEnd<'a> = Box<dyn FnMut(&World, &ContactEnd) + 'a>;
type OnCollision<'a> = Box<dyn FnMut(&World, f64, &Collision) + 'a>;

/// Calls back when contacts begin and end, and at every collision.
///
/// ```
/// use carom::{Body, ContactCallbacks, Observers, World};
/// use carom_geometry::{Shape, shapes::{Ball, HalfSpace}};
/// use glam::DVec3;
///
/// let mut world = World::builder().build()?;
/// world.add(Body::fixed(Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0)?)))?;
/// world.add(Body::free(Shape::Ball(Ball::new(0.1)?)).at(DVec3::Z))?;
/// let (mut begun, mut ended) = (Vec::new(), Vec::new());
/// let mut callbacks = ContactCallbacks::new()
///     .on_begin(|_, begin| begun.push(begin.time))
///     .on_end(|_, end| ended.push(end.lasting));
/// world.advance_watched(1.0, &mut Observers::none().with(&mut callbacks))?;
/// callbacks.finish(&world);
/// assert!((begun[0] - (1.8_f64 / 9.80665).sqrt()).abs() < 1e-8);
/// assert_eq!(ended, [true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct ContactCallbacks<'a> {
    on_begin: Option<OnBegin<'a>>,
    on_end: Option<OnEnd<'a>>,
    on_collision: Option<OnCollision<'a>>,
    open: BTreeMap<[BodyId; 2], Open>,
    /// The same, by the times at which they end.
    ends: BTreeSet<Due>,
}

/// A contact that lasts.
#[derive(Clone, Copy, Debug)]
struct Open {
    began: f64,
    lasts_until: f64,
}

/// A time at which a contact ends, in order of time and then of bodies.
#[derive(Clone, Copy, Debug)]
struct Due {
    time: f64,
    bodies: [BodyId; 2],
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then_with(|| self.bodies.cmp(&other.bodies))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Due {}

impl std::fmt::Debug for ContactCallbacks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContactCallbacks").field("open", &self.open).finish_non_exhaustive()
    }
}

impl<'a> ContactCallbacks<'a> {
    /// Calls nobody yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls this when a contact begins; the world is as it is just after that instant.
    #[must_use]
    pub fn on_begin(mut self, call: impl FnMut(&World, &ContactBegin) + 'a) -> Self {
        self.on_begin = Some(Box::new(call));
        self
    }

    /// Calls this when a contact has ended; the world may be later than the end.
    #[must_use]
    pub fn on_end(mut self, call: impl FnMut(&World, &ContactEnd) + 'a) -> Self {
        self.on_end = Some(Box::new(call));
        self
    }

    /// Calls this at every collision, with its time `[s]`; of one that has several points, once for each.
    #[must_use]
    pub fn on_collision(mut self, call: impl FnMut(&World, f64, &Collision) + 'a) -> Self {
        self.on_collision = Some(Box::new(call));
        self
    }

    /// Pairs that are in contact, in the order of their bodies, and since when `[s]`.
    pub fn open(&self) -> impl Iterator<Item = ([BodyId; 2], f64)> {
        self.open.iter().map(|(bodies, open)| (*bodies, open.began))
    }

    /// Ends the watching: what has ended by now is told with its time, what lasts with that of the world.
    pub fn finish(mut self, world: &World) {
        self.end_before(world, world.now());
        while let Some(due) = self.ends.pop_first() {
            self.end(world, due.bodies, world.now(), true);
        }
    }

    /// Tells what ends before a time.
    fn end_before(&mut self, world: &World, time: f64) {
        while let Some(due) = self.ends.first().copied().filter(|due| due.time < time) {
            self.ends.pop_first();
            self.end(world, due.bodies, due.time, false);
        }
    }

    fn end(&mut self, world: &World, bodies: [BodyId; 2], time: f64, lasting: bool) {
        let Some(open) = self.open.remove(&bodies) else { return };
        if let Some(call) = &mut self.on_end {
            call(world, &ContactEnd { time, bodies, began: open.began, lasting });
        }
    }

    fn collided(&mut self, world: &World, time: f64, collision: &Collision) {
        let bodies = collision.contact.bodies;
        let report = world.contact(bodies[0], bodies[1]);
        let lasts_until = report.map_or(time, |report| report.lasts_until());
        let known = self.open.get(&bodies).copied();
        if let Some(open) = known {
            self.ends.remove(&Due { time: open.lasts_until, bodies });
        }
        let began = known.map_or(time, |open| open.began);
        self.open.insert(bodies, Open { began, lasts_until });
        self.ends.insert(Due { time: lasts_until, bodies });
        if known.is_none()
            && let Some(call) = &mut self.on_begin
        {
            call(world, &ContactBegin { time, bodies, collision: *collision });
        }
        if let Some(call) = &mut self.on_collision {
            call(world, time, collision);
        }
    }

    /// Tells the end of the contacts of a body that is gone.
    fn gone(&mut self, world: &World, time: f64, body: BodyId) {
        let concerned: Vec<[BodyId; 2]> =
            self.open.keys().filter(|bodies| bodies.contains(&body)).copied().collect();
        for bodies in concerned {
            if let Some(open) = self.open.get(&bodies) {
                self.ends.remove(&Due { time: open.lasts_until, bodies });
            }
            self.end(world, bodies, time, false);
        }
    }
}

impl Observer for ContactCallbacks<'_> {
    fn between(&mut self, world: &World, times: Range<f64>) -> Result<(), Stop> {
        self.end_before(world, times.end);
        Ok(())
    }

    fn after(&mut self, world: &World, instant: &Instant<'_>) -> Result<(), Stop> {
        self.end_before(world, instant.time);
        for event in instant.events {
            match &event.what {
                Happening::Collision(collision) => self.collided(world, event.time, collision),
                Happening::Removed { .. } => {
                    if let Some(change) = event.change {
                        self.gone(world, event.time, change.body);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use carom_geometry::Shape;
    use carom_geometry::shapes::{Ball, HalfSpace};
    use glam::DVec3;

    use super::*;
    use crate::{Body, Command, Material, Observers, Surface};

    /// A floor, and balls that fall on it from some heights of their lowest points, with a coefficient of restitution.
    fn falling(heights: &[f64], restitution: f64) -> (World, Vec<BodyId>) {
        let mut world = World::builder().build().unwrap();
        let surface = Surface { restitution, ..Surface::default() };
        let rubber = world.add_material(Material { name: "rubber".into(), surface }).unwrap();
        let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).unwrap());
        world.add(Body::fixed(floor).material(rubber)).unwrap();
        let mut balls = Vec::new();
        for (at, height) in heights.iter().enumerate() {
            let ball = Shape::Ball(Ball::new(0.1).unwrap());
            let place = DVec3::new(at as f64, 0.0, height + 0.1);
            balls.push(world.add(Body::free(ball).at(place).material(rubber)).unwrap());
        }
        (world, balls)
    }

    /// What was told: a letter, and when.
    fn told(world: &mut World, end: f64) -> Vec<(char, f64, [BodyId; 2])> {
        use std::cell::RefCell;
        let log = RefCell::new(Vec::new());
        let mut callbacks = ContactCallbacks::new()
            .on_begin(|_, it| log.borrow_mut().push(('b', it.time, it.bodies)))
            .on_end(|_, it| {
                let letter = if it.lasting { 'l' } else { 'e' };
                log.borrow_mut().push((letter, it.time, it.bodies));
            })
            .on_collision(|_, time, it| log.borrow_mut().push(('c', time, it.contact.bodies)));
        for part in 1..=10 {
            let time = end * f64::from(part) / 10.0;
            world.advance_watched(time, &mut Observers::none().with(&mut callbacks)).unwrap();
        }
        callbacks.finish(world);
        log.into_inner()
    }

    fn letters(told: &[(char, f64, [BodyId; 2])]) -> String {
        told.iter().map(|it| it.0).collect()
    }

    #[test]
    fn bounces_begin_and_end_one_by_one() {
        let (mut world, _) = falling(&[1.0], 1.0);
        let told = told(&mut world, 2.0);
        // Touches after 1, 3 and 5 falls of √(2/g) = 0.4516 s, the last of them too late.
        assert_eq!(letters(&told), "bcebce");
        let fall = (2.0_f64 / 9.80665).sqrt();
        assert!((told[0].1 - fall).abs() < 1e-8 && (told[3].1 - 3.0 * fall).abs() < 1e-8);
        let lasts = told[2].1 - told[0].1;
        assert!(lasts > 0.0 && lasts < 0.1, "{lasts}");
    }

    #[test]
    fn a_body_that_comes_to_rest_begins_its_last_contact_once() {
        let (mut world, _) = falling(&[0.1], 0.3);
        let told = told(&mut world, 3.0);
        let letters = letters(&told);
        assert!(letters.ends_with("ccccl"), "{letters}");
        assert_eq!(letters.matches('b').count(), letters.matches(['e', 'l']).count());
        assert!(told.is_sorted_by(|a, b| a.1 <= b.1), "in order of time");
        assert_eq!(told.last().unwrap().1, 3.0);
    }

    #[test]
    fn ends_of_many_contacts_are_told_in_order_of_time() {
        let (mut world, balls) = falling(&[0.5, 0.1, 0.9, 0.10001], 0.8);
        let told = told(&mut world, 2.5);
        assert!(told.is_sorted_by(|a, b| a.1 <= b.1), "in order of time");
        for ball in balls {
            let own: String = told.iter().filter(|it| it.2[1] == ball).map(|it| it.0).collect();
            assert!(own.starts_with("bce"), "{own}");
            assert!(
                !own.contains("bb") && !own.contains("ee") && own.ends_with(['e', 'l']),
                "{own}"
            );
        }
    }

    #[test]
    fn a_contact_ends_when_one_of_its_bodies_goes_away() {
        let (mut world, balls) = falling(&[0.0], 0.0);
        world.schedule(0.75, Command::Remove(balls[0])).unwrap();
        let told = told(&mut world, 1.0);
        let last = told.last().unwrap();
        assert_eq!((last.0, last.1), ('e', 0.75));
        assert_eq!(letters(&told).matches('b').count(), 1);
    }
}
