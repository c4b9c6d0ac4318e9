//! Rolling by collisions alone: against motions that are known exactly.

use carom::{Body, World};
use carom_dynamics::law::{Law, LawSpec};
use carom_geometry::Pose;
use glam::DVec3;

use crate::collisions::{earth, made_of, on_a_floor};
use crate::common::{Numbers, ball, cylinder, floor};

/// Radius of the ball that rolls in these tests `[m]`.
const RADIUS: f64 = 0.02;

/// How far from its start a ball is after one turn around its circle on a table that turns at π rad/s `[m]`.
fn off_the_circle(envelope: f64, restitution: f64) -> f64 {
    let rate = std::f64::consts::PI;
    let (mut world, speed, place) =
        (earth().envelope(envelope).build().expect("a world"), 0.3, 0.2);
    let material = made_of(&mut world, 0.5, restitution);
    let turning = Law::new(LawSpec::Constant {
        start: 0.0,
        world_from_body: Pose::from_translation(-0.01 * DVec3::Z),
        velocity: DVec3::ZERO,
        angular_velocity: rate * DVec3::Z,
    });
    let table = Body::scripted(cylinder(0.8, 0.02), turning.expect("a law")).material(material);
    world.add(table).expect("a table");
    let spin = (rate * place - speed) / RADIUS;
    let start = DVec3::new(place, 0.0, RADIUS);
    let rolling = Body::free(ball(RADIUS)).material(material).at(start);
    let rolling = rolling.velocity(speed * DVec3::Y).angular_velocity(spin * DVec3::X);
    let rolling = world.add(rolling).expect("a ball");
    world.advance_to(7.0).expect("no stall");
    let state = world.state(rolling).expect("it is there");
    (state.position - start).truncate().length()
}

/// dv/dt = 2/7·Ω×v (Weckesser 1997): after 7 s it has gone around a circle of 0.334 m, and the more exactly the smaller the
/// envelope.
///
/// proves: ref/C5
#[test]
fn a_ball_on_a_turntable_comes_back_to_where_it_was() {
    for restitution in [0.0, 0.5, 0.9] {
        let errors = [4e-5, 4e-6, 4e-7].map(|envelope| off_the_circle(envelope, restitution));
        println!("e {restitution}: {errors:?} m off a circle of 0.334 m");
        assert!(errors[0] < 1e-5, "{errors:?}");
        assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1], "{errors:?}");
    }
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_the_acceleration() {
    let (sin, cos) = libm::sincos(0.3);
    for (friction, restitution) in [(0.3, 0.0), (0.5, 0.5), (1.0, 0.8)] {
        let gravity = 9.81 * DVec3::new(sin, 0.0, -cos);
        let mut world = World::builder().gravity(gravity).build().unwrap();
        let material = made_of(&mut world, friction, restitution);
        world.add(Body::fixed(floor()).material(material)).unwrap();
        let rolling = Body::free(ball(RADIUS)).material(material).at(RADIUS * DVec3::Z);
        let rolling = world.add(rolling).unwrap();
        world.advance_to(2.0).unwrap();
        let state = world.state(rolling).unwrap();
        let way = state.position.x / (0.5 * 5.0 / 7.0 * 9.81 * sin * 4.0);
        let slip = (state.velocity.x - RADIUS * state.angular_velocity.y) / state.velocity.x;
        println!("μ {friction}, e {restitution}: {way} of the way, slips {slip}");
        assert!((way - 1.0).abs() < 1e-6, "μ {friction}, e {restitution}: {way}");
        assert!(slip.abs() < 1e-3, "μ {friction}, e {restitution}: {slip}");
    }
}

/// The angle after 0.15 s of a ball that rolls down a fixed ball, from rest at 0.3 rad.
fn rolled_over_a_ball(envelope: f64) -> f64 {
    let (radius, start) = (0.1, 0.3_f64);
    let mut world = earth().envelope(envelope).build().expect("a world");
    let material = made_of(&mut world, 2.0, 0.5);
    world.add(Body::fixed(ball(radius)).material(material)).expect("a ball");
    let reach = radius + RADIUS;
    let place = reach * DVec3::new(libm::sin(start), 0.0, libm::cos(start));
    let rolling = world.add(Body::free(ball(RADIUS)).material(material).at(place)).expect("a ball");
    world.advance_to(0.15).expect("no stall");
    let at = world.state(rolling).expect("it is there").position;
    libm::atan2(at.x, at.z)
}

/// θ after a time, from rest, by θ̈ = 5/7·g/(R + r)·sin θ.
fn angle_over_a_ball(time: f64) -> f64 {
    let (mut angle, mut rate) = (0.3_f64, 0.0);
    let steps = 100_000;
    let step = time / f64::from(steps);
    let pull = |angle: f64| 5.0 / 7.0 * 9.81 / 0.12 * libm::sin(angle);
    for _ in 0..steps {
        // Leapfrog, whose error is far below the one that is measured.
        rate += 0.5 * step * pull(angle);
        angle += step * rate;
        rate += 0.5 * step * pull(angle);
    }
    angle
}

#[test]
fn a_ball_rolls_down_a_ball() {
    let exact = angle_over_a_ball(0.15);
    let errors = [4e-6, 4e-7, 4e-8].map(|envelope| (rolled_over_a_ball(envelope) - exact).abs());
    println!("{errors:?} rad off {exact}");
    assert!(errors[0] < 1e-3 && errors[2] < 0.3 * errors[1] && errors[1] < 0.3 * errors[0]);
}

/// Whatever it began with, a ball on the level keeps its angular momentum about the floor, loses energy to friction only,
/// and comes to roll.
#[test]
fn a_ball_thrown_with_any_spin_comes_to_roll() {
    let mut random = Numbers(7);
    for _ in 0..20 {
        let (mut world, _, material) = on_a_floor(earth(), 0.3, 0.5);
        let (velocity, spin) = (random.vector(), 40.0 * random.vector());
        let velocity = DVec3::new(velocity.x, velocity.y, 0.0);
        let rolling = Body::free(ball(RADIUS)).material(material).at(RADIUS * DVec3::Z);
        let rolling = world.add(rolling.velocity(velocity).angular_velocity(spin)).unwrap();
        world.advance_to(3.0).unwrap();
        let state = world.state(rolling).unwrap();
        let surface = spin.cross(RADIUS * DVec3::Z);
        let expected = (5.0 * velocity + 2.0 * DVec3::new(surface.x, surface.y, 0.0)) / 7.0;
        let off = (state.velocity - expected).truncate().length();
        assert!(off < 1e-9, "{off}");
        let turned = state.angular_velocity.cross(RADIUS * DVec3::Z);
        assert!((state.velocity - turned).truncate().length() < 1e-9, "{state:?}");
        let account = world.account();
        assert!(account.residual.abs() < 1e-9 * account.initial, "{account:?}");
        assert!(account.friction_loss >= 0.0);
    }
}
