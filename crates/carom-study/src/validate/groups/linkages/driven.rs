//! Motors: forces that hold and drive, controllers that tick, and what is left of the thesis's library.
//!
//! A force that is held over a period T moves a mass J by x' = x + v·T + ½(F/J)·T² and v' = v + (F/J)·T, exactly. With a law of control
//! for F that is a map from tick to tick, whose iteration is what is expected here.

use glam::DVec3;
use oracles::linkage::Kind;

use carom::control::{Axis, Pd, PdGains, Pid, PidGains, VelocityGains, VelocityPd};
use carom::{Body, ControllerId, Joint, JointId, JointKind, Rate, World};
use carom_dynamics::tree::{Load, Scratch};
use carom_geometry::Shape;
use carom_geometry::shapes::Ball;

use super::super::super::{Context, Row};
use super::GUIDE;
use super::same::{GRAVITY, Same};

const G: f64 = 9.81;

pub(super) fn rows(context: &Context) -> Vec<Row> {
    vec![static_error(context), computed(context), sampled(context), library(context)]
}

fn row(key: &str, what: &str) -> Row {
    Row::case(format!("m2/{key}"), what, &format!("{GUIDE}, checklist"))
}

/// A mass that slides along an axis, and the world it is in.
fn slider(mass: f64, axis: DVec3, start: f64, gravity: DVec3) -> Option<(World, JointId)> {
    let mut world = World::builder().gravity(gravity).build().ok()?;
    let ball = Shape::Ball(Ball::new(0.1).ok()?);
    let body = world.add(Body::free(ball).mass(mass).at(start * axis)).ok()?;
    let joint = Joint::new(JointKind::Prismatic { axis }, None, body).start(&[start]);
    let joint = world.join(joint).ok()?;
    Some((world, joint))
}

/// A weight held by PD hangs m·g/k_p too low; held by PID it does not.
fn static_error(context: &Context) -> Row {
    let hang = |integral: f64| {
        let gravity = context.subject.gravity(-G * DVec3::Z);
        let (mut world, joint) = slider(2.0, DVec3::Z, 0.0, gravity)?;
        let position = context.subject.motor(150.0);
        let gains = PidGains { position, velocity: 40.0, integral };
        let pid = Pid::new().control(Axis::new(joint).target(0.1), gains);
        world.add_controller(Rate::Hertz(200.0), Box::new(pid)).ok()?;
        world.advance_to(12.0).ok()?;
        Some(0.1 - world.joint(joint)?.coordinates()[0])
    };
    let got = [0.0, 300.0].map(|integral| hang(integral).unwrap_or(f64::NAN));
    let what = "2 kg held by PD with k_p = 150 N/m, and by PID: how much too low they hang";
    row("R-27/static", what).in_unit("m").absolute(1e-7, vec![2.0 * G / 150.0, 0.0], got.to_vec())
}

/// Torques for accelerations that are wanted, handed to dense matrices: they give these accelerations.
fn computed(context: &Context) -> Row {
    let found = || {
        let same = Same::random(Kind::Tree, 6, 91)?;
        let [q, v, wanted] = &same.theirs;
        let mut scratch = Scratch::new(&same.tree);
        same.tree.place(q, v, &mut scratch);
        let mut tau = vec![0.0; wanted.len()];
        let gravity = context.subject.gravity(DVec3::from(GRAVITY));
        let load = Load { gravity, ..Load::default() };
        same.tree.inverse(&load, wanted, &mut scratch, &mut tau);
        let tau: Vec<f64> = tau.iter().map(|it| context.subject.motor(*it)).collect();
        Some((wanted.clone(), same.dense.accelerations(q, v, &tau, GRAVITY)))
    };
    let (wanted, got) = found().unwrap_or((vec![0.0], vec![f64::NAN]));
    let source = format!("{GUIDE}, checklist R-27; oracles::linkage: dense matrices");
    let what = "computed torques of a random tree: the accelerations that they give";
    Row::case("m2/R-27/computed", what, &source).relative(1e-9, wanted, got)
}

/// PD at a period T around its limits of stability, k_v = k_p·T/2 and k_v = 2J/T.
fn sampled(context: &Context) -> Row {
    let (inertia, position, period) = (0.5, 80.0, 0.01);
    let limits = [0.5 * position * period, 2.0 * inertia / period];
    let (mut expected, mut got) = (Vec::new(), Vec::new());
    for limit in limits {
        for share in [0.98, 1.02] {
            let velocity = share * limit;
            let (mut x, mut v) = (0.1, 0.0);
            for _ in 0..60 {
                let a = -(position * x + velocity * v) / inertia;
                x += period * (v + 0.5 * period * a);
                v += period * a;
            }
            expected.push(x);
            let found = || {
                let (mut world, joint) = slider(inertia, DVec3::X, 0.1, DVec3::ZERO)?;
                let gains = PdGains { position: context.subject.motor(position), velocity };
                let pd = Pd::new().control(Axis::new(joint).target(0.0), gains);
                world.add_controller(Rate::Hertz(1.0 / period), Box::new(pd)).ok()?;
                world.advance_to(60.0 * period).ok()?;
                Some(world.joint(joint)?.coordinates()[0])
            };
            got.push(found().unwrap_or(f64::NAN));
        }
    }
    let what =
        "PD at 100 Hz, 2 % on either side of k_v = k_p·T/2 and of 2J/T: places after 60 ticks";
    row("R-28/limits", what).in_unit("m").relative(1e-9, expected, got)
}

/// A controller of velocity, a new aim, and the controller stopped: v' = v + (k/J)·T·(aim − v), and then no change.
fn library(context: &Context) -> Row {
    let (inertia, gain, period) = (0.5, 8.0, 0.01);
    let pull = gain * period / inertia;
    let mut v: f64 = 0.0;
    for tick in 0..60 {
        v += pull * (if tick < 20 { 1.0 } else { -2.0 } - v);
    }
    let found = || {
        let (mut world, joint) = slider(inertia, DVec3::X, 0.0, DVec3::ZERO)?;
        let gains = VelocityGains { velocity: context.subject.motor(gain), position: 0.0 };
        let law = VelocityPd::new().control(Axis::new(joint).target(1.0), gains);
        let id: ControllerId =
            world.add_controller(Rate::Hertz(1.0 / period), Box::new(law)).ok()?;
        world.advance_to(19.5 * period).ok()?;
        world.set_target(id, joint, 0, (-2.0).into()).ok()?;
        world.advance_to(59.5 * period).ok()?;
        let rate = |world: &World| Some(world.joint(joint)?.rates()[0]);
        // Half a period is left of what the last tick commanded.
        let torque = world.joint(joint)?.torque()[0];
        let held = rate(&world)? + 0.5 * period * torque / inertia;
        world.enable(id, false).ok()?;
        let before = rate(&world)?;
        world.advance_to(2.0).ok()?;
        Some(vec![held, rate(&world)? - before])
    };
    let what =
        "a controller of velocity gets a new aim and is stopped: rate, and its change thereafter";
    row("R-30/library", what).in_unit("m/s").absolute(
        1e-9,
        vec![v, 0.0],
        found().unwrap_or_else(|| vec![f64::NAN; 2]),
    )
}
