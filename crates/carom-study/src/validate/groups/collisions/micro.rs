//! Microcollisions by the letter of the thesis, and none (MC-R1, MC-R3, MC-R7); pairs that part (CR-R15).
//!
//! Two balls fall side by side, so that gravity decides what is slow but does not press them together. They begin within
//! touch distance, 2·10⁻¹⁰ m, and so as deep in the envelope as one likes.

use glam::DVec3;
use oracles::impact::micro::{boosted_restitution, threshold};
use oracles::sequences::BouncingBall;

use carom::{Body, CollisionKind, ContactSettings, Fault, Microcollisions, World};

use super::super::super::{Context, Row};
use super::stage::{GRAVITY, Stage, ball};

const GUIDE: &str = "guide to Mirtich 1996, MC-2; oracles::impact::micro";
/// Of the balls `[-]`.
const RESTITUTION: f64 = 0.4;
/// For which √(2gε) is exact, if the envelope is a power of four `[m/s²]`.
const EVEN_GRAVITY: f64 = 8.0;

pub(super) fn rows(context: &Context) -> [Row; 4] {
    [branches(context), boosts(context), parting(context), stall(context)]
}

/// How two balls meet.
#[derive(Clone, Copy)]
struct Beside {
    envelope: f64,
    gap: f64,
    closing: f64,
    sliding: f64,
}

impl Beside {
    fn stage(self, context: &Context) -> Option<Stage<'_>> {
        let contact = ContactSettings {
            microcollisions: Microcollisions::Plain,
            envelope: Some(self.envelope),
            ..ContactSettings::default()
        };
        let gravity = EVEN_GRAVITY * DVec3::NEG_Z;
        let mut stage = Stage::new(context, gravity, World::builder().contact(contact))?;
        let material = stage.material(0.0, RESTITUTION)?;
        let place = (0.2 + self.gap) * DVec3::X;
        let velocity = DVec3::new(-self.closing, self.sliding, 0.0);
        for (place, velocity) in [(DVec3::ZERO, DVec3::ZERO), (place, velocity)] {
            let body = Body::free(ball(0.1)?).material(material);
            stage.world.add(body.at(place).velocity(velocity)).ok()?;
        }
        stage.run(1e-3).ok()?;
        Some(stage)
    }

    /// Speed after by speed before of the one collision, and 1 if it is a microcollision.
    fn rebound(self, context: &Context) -> Option<[f64; 2]> {
        let stage = self.stage(context)?;
        let [(_, collision)] = stage.seen.as_slice() else { return None };
        let leaving = collision.after.dot(collision.contact.normal);
        let is_micro = collision.kind == CollisionKind::Micro;
        Some([leaving / -collision.contact.speed, f64::from(u8::from(is_micro))])
    }
}

/// MC-R1: slower than √(2gε) = 2⁻¹⁰ m/s or not, reversed where friction allows.
fn branches(context: &Context) -> Row {
    let envelope = libm::ldexp(1.0, -24);
    let slow = threshold(EVEN_GRAVITY, envelope);
    let all = [
        (slow * (1.0 - f64::EPSILON), 0.0),
        (slow * (1.0 - f64::EPSILON), 1.0),
        (slow, 0.0),
        (slow, 1.0),
    ];
    let got = all.map(|(closing, sliding)| {
        Beside { envelope, gap: 0.0, closing, sliding }.rebound(context).unwrap_or([f64::NAN; 2])
    });
    // What does not slide is reversed, which needs no friction; what slides cannot be without.
    let expected = [[1.0, 1.0], [5.0, 1.0], [RESTITUTION, 0.0], [RESTITUTION, 0.0]];
    let what = "balls that meet one bit slower than √(2gε), and just as fast, each without sliding and with: speed \
                after by speed before, and whether it is micro";
    Row::case("m1/MC-R1", what, GUIDE).absolute(1e-9, expected.concat(), got.concat())
}

/// MC-R3: e(δ) at nine depths.
fn boosts(context: &Context) -> Row {
    let envelope = 1.5e-10;
    let depths = [0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0];
    let got = depths.map(|depth| {
        let gap = (1.0 - depth) * envelope;
        let meeting = Beside { envelope, gap, closing: 1e-5, sliding: 1.0 };
        meeting.rebound(context).map_or(f64::NAN, |[e, _]| e)
    });
    let expected = depths.map(|depth| boosted_restitution(RESTITUTION, depth * envelope, envelope));
    let what = "balls that meet at nine depths in the envelope, from 0 to all of it: e(δ)";
    // Places are rounded to a 5 000 000th of the envelope.
    Row::case("m1/MC-R3", what, GUIDE).absolute(1e-5, expected.to_vec(), got.to_vec())
}

/// CR-R15, of bodies: those that part slower than a fall through the envelope, well within it.
fn parting(context: &Context) -> Row {
    let parting = Beside { envelope: 1e-4, gap: 1e-10, closing: -1e-6, sliding: 0.25 };
    let found = || {
        let stage = parting.stage(context)?;
        let n_collisions = stage.seen.len() as f64;
        let ids: Vec<_> = stage.world.bodies().map(|it| it.id()).collect();
        let [a, b] = ids.as_slice() else { return None };
        let apart = stage.velocity(*b)? - stage.velocity(*a)?;
        Some(vec![n_collisions, context.subject.extent(apart.x), context.subject.extent(apart.y)])
    };
    let what = "balls that part at 1 µm/s deep in the envelope: collisions, and how fast they part and slide then";
    Row::case("m1/CR-R15/bodies", what, "guide to Mirtich 1996, CR-R15").absolute(
        1e-15,
        vec![0.0, 1e-6, 0.25],
        found().unwrap_or_else(|| vec![f64::NAN; 3]),
    )
}

/// MC-R7: without microcollisions a ball bounces ever faster, which is told where its bounces end.
fn stall(context: &Context) -> Row {
    let expected = BouncingBall { drop: 0.1, gravity: GRAVITY, restitution: 0.5 };
    let found = || {
        let contact =
            ContactSettings { microcollisions: Microcollisions::Off, ..ContactSettings::default() };
        let builder = World::builder().contact(contact);
        let (mut stage, _, material) = Stage::on_a_floor(context, builder, [0.0, 0.5])?;
        let falling = Body::free(ball(0.1)?).material(material).at(0.2 * DVec3::Z);
        stage.world.add(falling).ok()?;
        match stage.run(2.0) {
            Err(Fault::Stalled { time, .. }) => Some(context.subject.told(time)),
            _ => None,
        }
    };
    let what = "a ball dropped 0.1 m, e = 0.5, no microcollisions: when a stall is told";
    Row::case("m1/MC-R7", what, "reference cases B (closed forms)").in_unit("s").absolute(
        1e-4,
        expected.end(),
        found().unwrap_or(f64::NAN),
    )
}
