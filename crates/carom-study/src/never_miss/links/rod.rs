//! A rod on a hinge against the face of a plate, at a time known in closed form.
//!
//! The rod turns about y from the x axis towards z: it reaches from the hinge to L along itself and w to either side. The face of the plate
//! is the plane n·x = d with n = (−sin φ, 0, cos φ) and d > w, and the rod comes from below it. With δ = θ − φ its highest point is the
//! leading corner at the tip, as soon as δ > 0:
//!
//! ```text
//! n·x = L·sin δ + w·cos δ = d   ⇒   δ = asin(d/√(L² + w²)) − atan2(w, L)                               (1)
//! ```
//!
//! Without gravity θ = ω·t for a rod that turns evenly, and θ = ½(τ/J)·(t − t₀)² for one whose motor starts at t₀ with torque τ,
//! where J is its moment about the hinge.

use carom::{Body, Command, Joint, JointKind, World};
use carom_geometry::Pose;
use glam::{DQuat, DVec3};

use super::super::numbers::Numbers;
use super::super::shapes::cuboid;
use super::super::{Landing, Verdict};
use super::{Ending, LinkCase};

/// Roundings of times, angles and places, in metres at the tip `[m]`.
///
/// Some hundred units in the last place of a time of a second at 1000 m/s. Smaller would call them errors; larger would pass
/// what is a thousandth of a plate of 0.1 mm.
const ROUNDING: f64 = 1e-10;

pub(super) fn draw(numbers: &mut Numbers) -> Option<LinkCase> {
    let [length, width] = [numbers.decades(0.05, 1.0), numbers.decades(1e-4, 5e-3)];
    let (depth, mass) = (numbers.decades(1e-3, 1e-2), numbers.decades(0.01, 10.0));
    let thickness = 0.5 * numbers.decades(1e-4, 3e-3);
    let phi = numbers.range(0.2, 2.5);
    let d = width + numbers.range(0.01, 0.3) * length;
    let diagonal = (length * length + width * width).sqrt();
    let delta = libm::asin(d / diagonal) - libm::atan2(width, length);
    let angle = phi + delta;
    // Turned towards z about −y; the engine's sense is the other one.
    let (sin, cos) = libm::sincos(phi);
    let (n, along) = (DVec3::new(-sin, 0.0, cos), DVec3::new(cos, 0.0, sin));
    let (sin, cos) = libm::sincos(delta);
    let met = d * n + (length * cos - width * sin) * along;
    let extent = DVec3::new(numbers.range(0.05, 0.3) * length, 2.0 * depth, thickness);
    let turn = DQuat::from_rotation_arc(DVec3::Z, n);
    let shift = numbers.range(-0.8, 0.8) * extent.x * along;
    let plate = Pose::new(met + shift + thickness * n, turn);
    let mut world = World::builder().passing().gravity(DVec3::ZERO).build().ok()?;
    let half = DVec3::new(0.5 * length, depth, width);
    let rod = Body::free(cuboid(half)?).mass(mass).at(0.5 * length * DVec3::X);
    let rod = world.add(rod).ok()?;
    let own = mass / 3.0 * (half.x * half.x + half.z * half.z);
    let inertia = own + mass * half.x * half.x;
    let hinge = Joint::new(JointKind::Revolute { axis: -DVec3::Y }, None, rod).at(DVec3::ZERO);
    let speed = numbers.decades(1.0, 1e4);
    let (time, speed, motors) = if numbers.chance(0.5) {
        world.join(hinge.velocity(&[speed])).ok()?;
        (angle / speed, speed * diagonal, 0.0)
    } else {
        let joint = world.join(hinge.velocity(&[0.0])).ok()?;
        // So that the rod has this rate where they meet.
        let acceleration = 0.5 * speed * speed / angle;
        let (torque, began) = (acceleration * inertia, numbers.range(1e-3, 0.1));
        let drive = Command::Drive { joint, torque: std::iter::once(torque).collect() };
        world.schedule(began, drive).ok()?;
        (began + (2.0 * angle / acceleration).sqrt(), speed * diagonal, torque * (0.5 / own).sqrt())
    };
    let plates = vec![world.add(Body::fixed(cuboid(extent)?).pose(plate)).ok()?];
    let ending = Ending::Known { time, speed };
    let (links, until) = (vec![rod], 1.01 * time);
    Some(LinkCase { world, links, plates, folds: false, until, motors, ending })
}

/// The verdict on a touch whose time is known: told before it, by no more than the touch distance takes.
pub(super) fn compared(landing: &Landing, time: f64, speed: f64) -> Verdict {
    let way = (time - landing.time) * speed;
    // The corner rises across the face at no less than its speed times the cosine of δ, which is above one half.
    let most = 2.0 * landing.touch_distance + ROUNDING;
    if way < -ROUNDING {
        Verdict::Late(landing.time)
    } else if way > most {
        Verdict::False(landing.time)
    } else {
        Verdict::Right
    }
}
