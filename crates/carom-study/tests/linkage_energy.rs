//! Energy of random linkages with contact, springs, dampers, friction, stops, motors and controllers: it grows by nothing but the work
//! of motors, and the ledger closes.
//!
//! A controller holds its torque from tick to tick, so that the work of a motor is Σ τ·Δq, exactly, with no integral; the ledger's line is
//! held against that. Losses never shrink. `CAROM_CASES` says how many linkages are tried.

use carom::control::{Axis, Motor, Pd, PdGains};
use carom::{
    Account, Body, BodyId, EventKind, Joint, JointForce, JointId, JointKind, Material, Rate,
    RestitutionLaw, Surface, World,
};
use carom_geometry::Shape;
use carom_geometry::shapes::{Ball, Capsule, Cuboid, HalfSpace};
use glam::DVec3;

/// Ticks a second of all controllers.
const HERTZ: f64 = 200.0;

/// Ticks of a case.
const TICKS: u32 = 120;

/// What sums of some thousand lines lose, relative to the largest of them.
const ROUNDING: f64 = 1e-11;

/// Numbers from 0 to 1, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.next() < share
    }

    fn direction(&mut self) -> DVec3 {
        let any = DVec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0));
        any.try_normalize().unwrap_or(DVec3::X)
    }
}

/// A world with a linkage above a floor, and the joints whose motors are driven.
struct Case {
    world: World,
    motors: Vec<JointId>,
}

fn shape(numbers: &mut Numbers, half: f64) -> Shape {
    let width = numbers.range(0.005, 0.02);
    if numbers.chance(0.5) {
        Shape::Cuboid(Cuboid::new(DVec3::new(half, width, width)).expect("a link"))
    } else {
        // A lump in the middle of a rod that weighs nothing.
        Shape::Capsule(Capsule::new(0.5 * width, width).expect("a link"))
    }
}

fn kind(numbers: &mut Numbers) -> JointKind {
    match (numbers.next() * 6.0) as usize {
        0..=2 => JointKind::Revolute { axis: numbers.direction() },
        3 => JointKind::Prismatic { axis: numbers.direction() },
        4 => JointKind::Universal { first: DVec3::Y, second: DVec3::Z },
        _ => JointKind::Spherical,
    }
}

fn force(numbers: &mut Numbers, kind: JointKind) -> JointForce {
    let single = kind.freedoms() == 1;
    JointForce {
        damping: if numbers.chance(0.5) { numbers.range(0.0, 0.02) } else { 0.0 },
        stiffness: if numbers.chance(0.3) { numbers.range(0.0, 2.0) } else { 0.0 },
        armature: if numbers.chance(0.3) { numbers.range(0.0, 1e-3) } else { 0.0 },
        friction: if single && numbers.chance(0.3) { numbers.range(0.0, 0.05) } else { 0.0 },
        limits: (single && numbers.chance(0.4)).then(|| [-numbers.range(0.05, 1.0), 0.3]),
        restitution: numbers.next(),
        ..JointForce::default()
    }
}

/// A chain along x with a branch here and there, on the world or floating, and a ball beneath.
fn case(index: u64) -> Case {
    let mut numbers = Numbers(index.wrapping_mul(0xD1B5_4A32_D192_ED03));
    let mut world = World::builder().build().expect("a world");
    let surface = Surface {
        friction: numbers.range(0.0, 0.8),
        restitution: numbers.next(),
        law: RestitutionLaw::Stronge,
    };
    let steel = world.add_material(Material { name: "steel".into(), surface }).expect("steel");
    let floor = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).expect("a floor"));
    world.add(Body::fixed(floor).material(steel)).expect("a floor");
    let (height, length) = (numbers.range(0.05, 0.25), numbers.range(0.1, 0.25));
    let links = 2 + (numbers.next() * 4.0) as usize;
    let floating = numbers.chance(0.5);
    let (mut chain, mut motors): (Vec<BodyId>, Vec<JointId>) = (Vec::new(), Vec::new());
    for link in 0..links {
        let at = DVec3::new((link as f64 + 0.5) * length, 0.0, height);
        let body = Body::free(shape(&mut numbers, 0.4 * length)).mass(numbers.range(0.1, 1.0));
        let mut body = body.at(at).material(steel);
        if floating && link == 0 {
            let spin = numbers.range(0.0, 5.0) * numbers.direction();
            body = body.velocity(numbers.direction()).angular_velocity(spin);
        }
        let id = world.add(body).expect("a link");
        if !(floating && link == 0) {
            let kind = kind(&mut numbers);
            let mut joint = Joint::new(kind, chain.last().copied(), id)
                .at(at - 0.5 * length * DVec3::X)
                .force(force(&mut numbers, kind));
            if kind != JointKind::Spherical {
                let rates: Vec<f64> =
                    (0..kind.freedoms()).map(|_| numbers.range(-3.0, 3.0)).collect();
                joint = joint.velocity(&rates);
            }
            let joint = world.join(joint).expect("a joint");
            if kind.freedoms() == 1 {
                motors.push(joint);
            }
        }
        chain.push(id);
    }
    let ball = Shape::Ball(Ball::new(0.02).expect("a ball"));
    let at = DVec3::new(numbers.range(0.0, links as f64 * length), 0.0, 0.0205);
    let thrown = Body::free(ball).mass(0.2).material(steel).at(at - 0.3 * DVec3::Y);
    world.add(thrown.velocity(DVec3::new(0.0, 1.5, numbers.range(0.0, 1.0)))).expect("a ball");
    for motor in &motors {
        let (controlled, driven) = (numbers.chance(0.5), numbers.chance(0.5));
        if controlled {
            let gains = PdGains { position: numbers.range(0.0, 3.0), velocity: 0.01 };
            let axis =
                Axis::new(*motor).target(numbers.range(-1.0, 1.0)).motor(Motor::limited(1.0));
            let pd = Pd::new().control(axis, gains);
            world.add_controller(Rate::Hertz(HERTZ), Box::new(pd)).expect("a controller");
        } else if driven {
            world.drive(*motor, &[numbers.range(-0.3, 0.3)]).expect("a motor");
        }
    }
    Case { world, motors }
}

/// Torques and coordinates of all motors.
fn motors(case: &Case) -> Vec<[f64; 2]> {
    let of = |id: &JointId| {
        let joint = case.world.joint(*id).expect("a joint");
        [joint.torque()[0], joint.coordinates()[0]]
    };
    case.motors.iter().map(of).collect()
}

/// The largest shares of the account's scale: residual, integration, work that motors did not do, loss that came back.
fn worst_of(case: &mut Case) -> [f64; 4] {
    // Controllers tick at the beginning, too.
    case.world.advance_to(0.0).expect("no fault");
    let begun = case.world.account();
    let (mut work, mut worst) = (0.0, [0.0_f64; 4]);
    let (mut last, mut before): (Account, Vec<[f64; 2]>) = (begun, motors(case));
    for tick in 1..=TICKS {
        case.world.advance_to(f64::from(tick) / HERTZ).expect("no fault");
        let here = motors(case);
        work += before.iter().zip(&here).map(|(a, b)| a[0] * (b[1] - a[1])).sum::<f64>();
        let account = case.world.account();
        let scale = account.scale().max(begun.scale());
        let found = [
            account.residual.abs(),
            account.integration.abs(),
            (account.work - begun.work - work).abs(),
            (last.friction_loss - account.friction_loss)
                .max(last.restitution_loss - account.restitution_loss),
        ];
        for (worst, found) in worst.iter_mut().zip(found) {
            *worst = worst.max(found / scale);
        }
        let allowed = begun.total() + account.work - begun.work
            + account.boost
            + account.integration.abs()
            + ROUNDING * scale;
        assert!(account.total() <= allowed, "energy from nowhere: {account:?}");
        (last, before) = (account, here);
    }
    worst
}

#[test]
fn random_linkages_gain_no_energy_beyond_the_work_of_their_motors() {
    let cases = std::env::var("CAROM_CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let (mut worst, mut checks) = ([0.0_f64; 4], 0);
    for index in 0..cases {
        let mut case = case(index);
        let found = worst_of(&mut case);
        println!("{index}: {found:?}");
        for (worst, found) in worst.iter_mut().zip(found) {
            *worst = worst.max(found);
        }
        checks += case.world.event_counts().of(EventKind::Check);
    }
    println!(
        "{cases} linkages, {checks} looks at pairs: residual, integration, work, loss that came back {worst:?}"
    );
    let [residual, integration, work, back] = worst;
    assert!(residual < ROUNDING && work < 1e-9 && back < ROUNDING, "{worst:?}");
    assert!(integration < 1e-6, "{worst:?}");
}
