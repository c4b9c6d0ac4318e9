//! Bodies of a world that are struck in flight, and where its ledger says the energy went.
//!
//! By hand, for 2 kg thrown from the origin with (3, 0, 8) m/s under 8 m/s², and struck after 1 s with
//! p = (−2, 4, 6) N·s:
//!
//! | | position | velocity | energy |
//! |---|---|---|---|
//! | at 0 s | (0, 0, 0) | (3, 0, 8) | 73 J |
//! | just before | (3, 0, 4) | (3, 0, 0) | 9 + 64 J |
//! | just after | (3, 0, 4) | (2, 2, 3) | 17 + 64 J, by p·½(u⁻ + u⁺) = −5 + 4 + 9 = 8 J of work |
//! | at 3 s | (7, 4, −6) | (2, 2, −13) | 177 − 96 J |

use glam::DVec3;

use carom::{Account, Body, BodyState, Command, Place, Push, World};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Cuboid};

use super::super::{Context, Row};

const BY_HAND: &str = "by hand: momentum and the parabola";
const CLOSED: &str = "by hand: nothing comes from nothing";

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = projectile(context);
    rows.push(spun(context));
    rows.push(closed(context));
    rows
}

fn cuboid(edges: DVec3) -> Option<Shape> {
    Cuboid::new(0.5 * edges).ok().map(Shape::Cuboid)
}

fn projectile(context: &Context) -> Vec<Row> {
    let row = |key: &str, what: &str| {
        Row::case(format!("world/{key}"), format!("a ball struck in flight: {what}"), BY_HAND)
    };
    let found = struck(context);
    let (position, velocity) =
        found.map_or((DVec3::NAN, DVec3::NAN), |(state, _)| (state.position, state.velocity));
    let account = found.map(|(_, account)| account);
    let line = |of: fn(&Account) -> f64| account.as_ref().map_or(f64::NAN, of);
    // All numbers are exact in binary.
    let rounding = 1e-15;
    vec![
        row("struck/position", "position at 3 s").in_unit("m").relative(
            rounding,
            DVec3::new(7.0, 4.0, -6.0),
            position,
        ),
        row("struck/velocity", "velocity at 3 s").in_unit("m/s").relative(
            rounding,
            DVec3::new(2.0, 2.0, -13.0),
            velocity,
        ),
        row("ledger/work", "work of the impulse").in_unit("J").relative(
            rounding,
            8.0,
            line(|account| account.work),
        ),
        row("ledger/energy", "initial, kinetic and potential energy at 3 s").in_unit("J").relative(
            rounding,
            vec![73.0, 177.0, -96.0],
            vec![
                line(|account| account.initial),
                line(|account| account.kinetic),
                line(|account| account.potential),
            ],
        ),
    ]
}

/// State and account of the struck ball at 3 s.
fn struck(context: &Context) -> Option<(BodyState, Account)> {
    let gravity = context.subject.gravity(DVec3::new(0.0, 0.0, -8.0));
    let mut world = World::builder().gravity(gravity).build().ok()?;
    let ball = Shape::Ball(Ball::new(0.1).ok()?);
    let id = world.add(Body::free(ball).mass(2.0).velocity(DVec3::new(3.0, 0.0, 8.0))).ok()?;
    let push = context.subject.push(Push::central(id, DVec3::new(-2.0, 4.0, 6.0)));
    world.schedule(1.0, Command::Impulse(push)).ok()?;
    world.advance_to(context.subject.time(3.0)).ok()?;
    Some((context.subject.state(world.state(id)?), context.subject.account(world.account())))
}

/// A box of edges 1, 2, 3 and mass 6 has I_z = 6·(1² + 2²)/12 = 2.5; 3 N·s along x at 1 m along y turn it by −3/2.5.
fn spun(context: &Context) -> Row {
    let spin = || {
        let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
        let body = Body::free(cuboid(DVec3::new(1.0, 2.0, 3.0))?).mass(6.0);
        let id = world.add(body).ok()?;
        let push = Push::at_point(id, 3.0 * DVec3::X, DVec3::Y);
        world.command(Command::Impulse(context.subject.push(push))).ok()?;
        Some(world.state(id)?.angular_velocity)
    };
    let what = "a box struck off its centre: angular velocity";
    let row = Row::case("world/struck/spin", what, BY_HAND).in_unit("rad/s");
    row.relative(1e-15, DVec3::new(0.0, 0.0, -1.2), spin().unwrap_or(DVec3::NAN))
}

/// Thirty tumbling boxes, struck off their centres 600 times.
fn closed(context: &Context) -> Row {
    let account = busy(context).map(|account| context.subject.account(account));
    let (residual, scale) =
        account.map_or((f64::NAN, 1.0), |account| (account.residual, account.scale()));
    let what = "thirty tumbling boxes, 600 impulses: energy that no line of the ledger explains";
    // Each of 600 terms rounds once, and rounding errors of one sign would add up to 600·ε = 1.3e-13.
    let row = Row::case("world/ledger/residual", what, CLOSED).in_unit("J");
    row.relative_to(scale, 1e-13, 0.0, residual)
}

fn busy(context: &Context) -> Option<Account> {
    let mut world = World::builder().build().ok()?;
    let shape = cuboid(DVec3::new(0.1, 0.2, 0.3))?;
    let mut count = 0.0;
    let mut number = move || {
        count += 1.0;
        2.0 * libm::fmod(0.618033988749895 * count, 1.0) - 1.0
    };
    let mut vector = move || DVec3::new(number(), number(), number());
    for _ in 0..30 {
        let body = Body::free(shape.clone())
            .at(10.0 * vector())
            .velocity(5.0 * vector())
            .angular_velocity(20.0 * vector());
        let body = world.add(body).ok()?;
        for strike in 0..20 {
            let (linear, angular) = (3.0 * vector(), 0.1 * vector());
            let push = Push { body, linear, angular, point: Place::Body(0.1 * vector()) };
            let time = 0.1 + 0.147 * f64::from(strike);
            world.schedule(time, Command::Impulse(context.subject.push(push))).ok()?;
        }
    }
    world.advance_to(3.0).ok()?;
    Some(world.account())
}
