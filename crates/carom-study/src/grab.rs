//! A hand that pulls at a body: a spring and damper between a point of the body and a point of the world, which a person moves.
//!
//! **Problem.** The point should come to the hand soon and without swinging about it, whatever hangs on it. With K the answer of
//! the point to impulses (Δu = K·p, of the whole linkage), stiffness k and damping c, the same in all directions, it moves
//! along an eigenvector of K with the eigenvalue κ by
//!
//! ```text
//! ẍ = −κ·(k·x + c·ẋ),      which is critically damped where c²·κ = 4k, and more than that beyond                  (1)
//! k = m·ω²,  c = 2·m·ω:    critical for κ = 1/m, more for any κ > 1/m, always with the slow rate near ω/2           (2)
//! m = tr K / tr K²,        but no less than the mass M of all that hangs together, and no more than 100 M           (3)
//! ```
//!
//! tr K²/tr K is a mean of the eigenvalues, weighted by themselves: it is κ exactly where the point can move in some directions
//! alike and in no other (a link on a hinge, a free body at its centre), and never more than the largest. So the direction in
//! which the point gives way most is at least critically damped. Of what floats every κ is at least 1/M, so with m ≥ M no
//! direction swings, and a robot that is held by a foot hangs as low below the hand, g/ω², as one that is held by its trunk.
//! The upper bound is for points beside an axis, where no force does much.
//!
//! ω is such that a weight hangs no lower below the hand than a quarter of the body's own radius R, and at least 10 rad/s:
//!
//! ```text
//! ω² = max((10 rad/s)², 4·g/R)                                                                                   (4)
//! ```
//!
//! The spring is an element of the world ([`carom::Element`]) and its energy is booked like that of any other: what a hand does
//! by being moved is work from outside, what the damper takes is a loss.

use carom::elements::{Bushing, ElementLaw};
use carom::{BodyId, Command, Element, Hold, World};
use carom_geometry::Pose;
use glam::DVec3;

use crate::given::ActionError;

/// The least ω `[rad/s]`.
const LEAST_RATE: f64 = 10.0;

/// The largest m, in masses of all that hangs together.
const MOST_MASSES: f64 = 100.0;

/// A hand on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// Whom it holds.
    pub body: BodyId,
    /// Where, in the body frame `[m]`.
    pub point_body: DVec3,
    /// Where the hand is `[m]`.
    pub to: DVec3,
    /// k `[N/m]`.
    pub stiffness: f64,
    /// c `[N·s/m]`.
    pub damping: f64,
}

/// The name of the spring of a hand on this body.
fn name_of(body: &str) -> String {
    format!("hand on {body}")
}

/// All hands of a world.
pub fn hands(world: &World) -> Vec<Hand> {
    let hand = |it: carom::ElementRef<'_>| {
        let [on, from] = it.ends();
        let body = on.body?;
        let ElementLaw::Bushing(spring) = it.law() else { return None };
        (it.name() == name_of(world.body(body)?.name())).then_some(Hand {
            body,
            point_body: on.frame.translation,
            to: from.frame.translation,
            stiffness: spring.stiffness.x,
            damping: spring.damping.x,
        })
    };
    world.elements().filter_map(hand).collect()
}

/// Takes hold of a body at a point of its frame; the hand is at a point of the world `[m]`.
///
/// # Errors
/// If there is no such body, it cannot be moved, or it is held already; the world is as it was.
pub fn grab(world: &mut World, body: &str, point: DVec3, to: DVec3) -> Result<(), ActionError> {
    let id = world.find(body).ok_or_else(|| ActionError::NoBody(body.to_owned()))?;
    if !(point.is_finite() && to.is_finite()) {
        return Err(ActionError::Place);
    }
    if world.find_element(&name_of(body)).is_some() {
        return Err(ActionError::Held(body.to_owned()));
    }
    let spring = ElementLaw::Bushing(spring_for(world, id, point)?);
    let ends = [Hold::body(id, point), Hold::world(to)];
    world.add_element(Element::new(spring, ends).named(name_of(body)))?;
    Ok(())
}

/// Moves the hand on a body to another point of the world `[m]`.
///
/// # Errors
/// If nobody holds it; the world is as it was.
pub fn drag(world: &mut World, body: &str, to: DVec3) -> Result<(), ActionError> {
    if !to.is_finite() {
        return Err(ActionError::Place);
    }
    let found = world.find_element(&name_of(body)).and_then(|id| world.element(id));
    let Some(element) = found else { return Err(ActionError::NotHeld(body.to_owned())) };
    let (id, law) = (element.id(), Box::new(element.law().clone()));
    let ends = [element.ends()[0], Hold::world(to)];
    Ok(world.command(Command::Retie { element: id, law, ends })?)
}

/// Lets go of a body.
///
/// # Errors
/// If nobody holds it.
pub fn let_go(world: &mut World, body: &str) -> Result<(), ActionError> {
    let found = world.find_element(&name_of(body));
    let id = found.ok_or_else(|| ActionError::NotHeld(body.to_owned()))?;
    Ok(world.remove_element(id)?)
}

/// (2), (3) and (4).
fn spring_for(world: &World, id: BodyId, point_body: DVec3) -> Result<Bushing, ActionError> {
    let body = world.body(id).ok_or_else(|| ActionError::NoBody(id.to_string()))?;
    let immovable = |why: &'static str| ActionError::Immovable(body.name().to_owned(), why);
    if !matches!(body.role(), "free" | "linked") {
        return Err(immovable(body.role()));
    }
    let world_from_body = body.pose_at(world.now()).unwrap_or(Pose::IDENTITY);
    let point = world_from_body.point(point_body);
    let answer = world.response(id, point, point).unwrap_or_default();
    let trace = answer.x_axis.x + answer.y_axis.y + answer.z_axis.z;
    let square = answer * answer;
    let trace_of_square = square.x_axis.x + square.y_axis.y + square.z_axis.z;
    let all: f64 = match world.linkage(id) {
        Some(linkage) => linkage.links().filter_map(|(it, _)| mass_of(world, it)).sum(),
        None => mass_of(world, id).unwrap_or_default(),
    };
    if !(trace_of_square > 0.0 && all > 0.0) {
        return Err(immovable("held fast"));
    }
    let mass = (trace / trace_of_square).clamp(all, MOST_MASSES * all);
    let radius = body.radius().max(f64::MIN_POSITIVE);
    let square_rate = (LEAST_RATE * LEAST_RATE).max(4.0 * world.gravity().length() / radius);
    let rate = square_rate.sqrt();
    Ok(Bushing {
        stiffness: DVec3::splat(mass * square_rate),
        damping: DVec3::splat(2.0 * mass * rate),
        ..Bushing::default()
    })
}

fn mass_of(world: &World, body: BodyId) -> Option<f64> {
    Some(world.body(body)?.mass()?.mass)
}

#[cfg(test)]
mod tests {
    use carom::{Body, Joint, JointKind};
    use carom_geometry::Shape;
    use carom_geometry::shapes::{Ball, Cuboid, HalfSpace};

    use super::*;

    fn ball(name: &str, at: DVec3) -> Body {
        let shape = Shape::Ball(Ball::new(0.5).expect("a size"));
        Body::free(shape).named(name).mass(2.0).at(at)
    }

    /// A ball, a link on a hinge, and a floor.
    fn world() -> World {
        let mut world = World::builder().gravity(DVec3::ZERO).build().expect("it can be");
        world.add(ball("ball", DVec3::new(0.0, 5.0, 2.0))).expect("it is added");
        let rod = Shape::Cuboid(Cuboid::new(DVec3::new(0.5, 0.02, 0.02)).expect("sizes"));
        let rod = world.add(Body::free(rod).named("rod").mass(1.0).at(DVec3::new(0.5, 0.0, 0.0)));
        let axis = DVec3::Y;
        let hinge = Joint::new(JointKind::Revolute { axis }, None, rod.expect("it is added"));
        world.join(hinge.named("hinge").at(DVec3::ZERO)).expect("it is joined");
        let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, -2.0).expect("a plane"));
        world.add(Body::fixed(floor).named("floor")).expect("it is added");
        world
    }

    #[test]
    fn a_free_body_comes_to_the_hand_as_a_critically_damped_one_does() {
        let mut world = world();
        let id = world.find("ball").expect("it is there");
        let (from, to) = (DVec3::new(0.0, 5.0, 2.0), DVec3::new(0.3, 5.0, 2.0));
        // What a world has before it begins is no work.
        world.advance_to(0.0).expect("it runs");
        grab(&mut world, "ball", DVec3::ZERO, to).expect("it can be held");
        let hand = hands(&world)[0];
        assert_eq!((hand.stiffness, hand.damping), (2.0 * 100.0, 2.0 * 2.0 * 10.0));
        for step in 1..=20 {
            let time = 0.05 * f64::from(step);
            world.advance_to(time).expect("it runs");
            let left = (1.0 + 10.0 * time) * libm::exp(-10.0 * time);
            let expected = to + (from - to) * left;
            let found = world.state(id).expect("it is there").position;
            // The integrator's tolerance, over the length of the way.
            assert!(found.distance(expected) < 1e-7, "{time}: {found} {expected}");
        }
        // What the hand brought is in the ball, in the spring or in the damper.
        let account = world.account();
        assert!((account.work - 0.5 * 200.0 * 0.09).abs() < 1e-9, "{account:?}");
        assert!(account.residual.abs() < 1e-9, "{account:?}");
        let_go(&mut world, "ball").expect("it is held");
        world.advance_to(1.5).expect("it runs");
        assert!(hands(&world).is_empty() && world.account().residual.abs() < 1e-9);
    }

    #[test]
    fn a_link_on_a_hinge_is_critically_damped_wherever_it_is_held() {
        // Inertia of the rod about its end.
        let inertia = (1.0 + 4.0 * 0.02 * 0.02) / 12.0 + 0.25;
        for arm in [1.0, 0.5] {
            let mut world = world();
            let point = DVec3::new(arm - 0.5, 0.0, 0.0);
            grab(&mut world, "rod", point, DVec3::new(arm, 0.0, 1e-3)).expect("it can be held");
            let hand = hands(&world)[0];
            let mass = (inertia / (arm * arm)).max(1.0);
            assert!((hand.stiffness / (mass * 100.0) - 1.0).abs() < 1e-9, "{hand:?} {mass}");
            let mut last = 0.0;
            for step in 1..=40 {
                world.advance_to(0.05 * f64::from(step)).expect("it runs");
                let angle = -world.joints().next().expect("a hinge").coordinates()[0];
                assert!(angle >= last && angle * arm <= 1e-3, "{arm}: {angle} after {last}");
                last = angle;
            }
            assert!(last * arm > 0.99e-3, "{arm}: {last}");
        }
    }

    #[test]
    fn hands_are_moved_and_what_cannot_be_held_is_refused_in_words() {
        let mut world = world();
        let told = |it: Result<(), ActionError>| it.expect_err("it is refused").to_string();
        let origin = DVec3::ZERO;
        assert!(told(grab(&mut world, "floor", origin, origin)).contains("\"floor\" is fixed"));
        assert!(told(grab(&mut world, "nobody", origin, origin)).contains("no body called"));
        assert!(told(grab(&mut world, "ball", origin, DVec3::NAN)).contains("finite"));
        assert!(told(drag(&mut world, "ball", origin)).contains("nobody holds \"ball\""));
        assert!(told(let_go(&mut world, "rod")).contains("nobody holds \"rod\""));
        grab(&mut world, "rod", DVec3::new(0.5, 0.0, 0.0), DVec3::X).expect("it can be held");
        assert!(told(grab(&mut world, "rod", origin, origin)).contains("held already"));
        world.advance_to(0.1).expect("it runs");
        drag(&mut world, "rod", DVec3::new(0.0, 0.0, 1.0)).expect("it is held");
        world.advance_to(3.0).expect("it runs");
        let angle = world.joints().next().expect("a hinge").coordinates()[0];
        assert!((angle + core::f64::consts::FRAC_PI_2).abs() < 1e-3, "{angle}");
        assert!(world.account().residual.abs() < 1e-8, "{:?}", world.account());
    }
}
