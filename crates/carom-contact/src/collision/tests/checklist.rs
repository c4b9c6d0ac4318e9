//! The checklist of the guide, CR-R1 to CR-R15, where other files of tests do not settle it.

use glam::{DMat3, DVec2, DVec3};

use super::super::contact::Contact;
use super::super::{Answer, Collision, Ending, RestitutionLaw};
use super::random::{Meeting, Random};
use super::{THESIS, collision};

/// proves: m1/CR-R1
#[test]
fn the_matrix_is_positive_definite_and_says_what_the_bodies_do() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let meeting = Meeting::new(&mut random);
        let k = meeting.matrix();
        let skew = (k - k.transpose()).to_cols_array().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(skew < 1e-13 * k.z_axis.z, "{k}");
        let minors = [k.x_axis.x, k.x_axis.x * k.y_axis.y - k.x_axis.y * k.y_axis.x];
        assert!(minors.iter().all(|minor| *minor > 0.0) && k.determinant() > 0.0, "{k}");
        let collision = meeting.collision(&mut random, RestitutionLaw::Stronge);
        let answer = collision.solve();
        let found = meeting.after(answer.impulse).velocity();
        let size = collision.velocity.length();
        // Slender bodies spin fast; the velocity of the point is then a difference of larger ones.
        assert!((found - answer.velocity).length() < 2e-12 * size, "{found} {answer:?}");
    }
}

/// proves: m1/CR-R2 m1/CR-R9
#[test]
fn without_friction_the_answer_is_exact() {
    let mut random = Random::new(2);
    for number in 0..3000 {
        let law = RestitutionLaw::ALL[number % 3];
        let with_friction = Meeting::new(&mut random).collision(&mut random, law);
        let collision = Collision { friction: 0.0, ..with_friction };
        let (u, c) = (collision.velocity, collision.matrix.z_axis.z);
        for e in [0.0, collision.restitution, 1.0] {
            let answer = Collision { restitution: e, ..collision }.solve();
            assert_eq!(answer.velocity.z, e * -u.z);
            assert_eq!(answer.impulse, DVec3::new(0.0, 0.0, (e * -u.z - u.z) / c));
            assert_eq!(answer.friction_work, 0.0);
        }
        let elastic = Collision { restitution: 1.0, ..collision }.solve();
        assert_eq!((elastic.velocity.z, elastic.normal_work), (-u.z, 0.0));
        assert_eq!(elastic.impulse.z, 2.0 * -u.z / c, "correctly rounded");
    }
}

/// proves: m1/CR-R3
#[test]
fn a_ball_slides_throughout_or_stops_sliding() {
    let mut random = Random::new(3);
    let mut stops = 0;
    for number in 0..3000 {
        let mass = random.power(-2.0, 2.0);
        let (mu, e) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
        let mut u = random.vector(3.0);
        u.z = -u.z.abs();
        let collision = Collision {
            matrix: DMat3::from_diagonal(DVec3::new(3.5, 3.5, 1.0) / mass),
            velocity: u,
            friction: mu,
            restitution: e,
            law: RestitutionLaw::ALL[number % 3],
            least_rebound: 0.0,
        };
        let answer = collision.solve();
        let (slip, push) = (u.truncate(), mass * (1.0 + e) * -u.z);
        let slides = 3.5 * mu * (1.0 + e) * -u.z < slip.length();
        let sliding = -mu * push * slip / slip.length();
        let friction = if slides { sliding } else { -2.0 / 7.0 * mass * slip };
        stops += u32::from(!slides);
        let off = (answer.impulse - friction.extend(push)).length();
        assert!(off < 4.0 * f64::EPSILON * push, "{off:e}: {answer:?}");
        assert_eq!(answer.ending, if slides { Ending::Slides } else { Ending::Sticks });
        assert!(slides || answer.velocity.truncate() == DVec2::ZERO);
        // The long way comes to the same.
        let integrated = collision.integrate(1e-13);
        assert!((integrated.impulse - answer.impulse).length() < 1e-14 * answer.impulse.length());
    }
    assert!((500..2500).contains(&stops), "{stops}");
}

/// proves: m1/CR-R7
#[test]
fn after_unstable_sticking_the_points_slide_along_the_diverging_ray() {
    let mut random = Random::new(7);
    let mut seen = 0;
    for _ in 0..3000 {
        let meeting = Meeting::new(&mut random);
        let mut collision = meeting.collision(&mut random, RestitutionLaw::Stronge);
        collision.friction *= 0.3;
        collision.velocity = DVec3::new(0.0, 0.0, collision.velocity.z);
        let contact = Contact::new(&collision.matrix, collision.friction);
        let answer = collision.solve();
        if contact.hold().length() <= collision.friction {
            assert_eq!(answer.ending, Ending::Sticks);
            assert_eq!(answer.velocity.truncate(), DVec2::ZERO);
            continue;
        }
        seen += 1;
        assert_eq!(answer.ending, Ending::Diverges);
        let ray = contact.diverging_ray();
        let slip = answer.velocity.truncate();
        assert!(slip.dot(ray) > 0.0);
        assert!(slip.perp_dot(ray).abs() < 1e-15 * answer.velocity.length(), "{slip} {ray}");
        let turn = contact.slip(ray).turn.abs() / contact.rate;
        assert!(turn < 1e-13, "not a ray: turns by {turn:e}");
    }
    assert!(seen > 500, "{seen}");
}

/// proves: m1/CR-R10 m1/Q16
#[test]
fn the_extension_of_lemma_3_never_overshoots() {
    let mut random = Random::new(10);
    let (mut seen, mut largest) = (0, 0.0_f64);
    for _ in 0..5000 {
        let mut collision =
            Meeting::new(&mut random).collision(&mut random, RestitutionLaw::Stronge);
        // What restitution returns is read off a difference, which needs it to be large enough.
        collision.restitution = collision.restitution.max(0.1);
        let without_friction = Collision { friction: 0.0, ..collision };
        for (collision, exact) in [(collision, false), (without_friction, true)] {
            let (k, e) = (collision.matrix, collision.restitution);
            let room = k.z_axis.z - collision.friction * k.z_axis.truncate().length();
            if room <= 0.0 {
                continue;
            }
            let returned = -e * e * collision.solve().compression_work;
            let speed = (2.0 * returned * room).sqrt();
            // Newton's law stops at a stated speed.
            let to_speed = speed / -collision.velocity.z;
            let extended =
                Collision { law: RestitutionLaw::Newton, restitution: to_speed, ..collision };
            let answer = extended.solve();
            let share = (answer.normal_work - answer.compression_work) / returned;
            assert!(share <= 1.0 + 1e-9, "{share}: {collision:?}");
            assert!(!exact || share > 1.0 - 1e-9, "{share}: {collision:?}");
            (seen, largest) = (seen + 1, if exact { largest } else { largest.max(share) });
        }
    }
    println!("{seen} collisions, the work of the extension is at most {largest} of all");
}

/// proves: m1/CR-R12
#[test]
fn neither_the_tangents_nor_the_order_of_the_bodies_matter() {
    let mut random = Random::new(12);
    for number in 0..3000 {
        let law = RestitutionLaw::ALL[number % 3];
        let collision = Meeting::new(&mut random).collision(&mut random, law);
        let answer = collision.solve();
        let turn = DMat3::from_rotation_z(random.between(0.0, std::f64::consts::TAU));
        // From B's side z points the other way, and so does u; turning about x makes that the same problem.
        let swap = -DMat3::from_diagonal(DVec3::new(1.0, -1.0, -1.0));
        for axes in [turn, swap] {
            let turned = Collision {
                matrix: axes * collision.matrix * axes.transpose(),
                velocity: axes * collision.velocity,
                ..collision
            };
            let other = turned.solve();
            let off = (axes.transpose() * other.impulse - answer.impulse).length();
            let allowed = 1e-11 * answer.impulse.length();
            assert!(off < allowed, "{off:e} {answer:?} {other:?}\n{collision:?}");
        }
    }
}

fn assert_scaled(answer: &Answer, other: &Answer, [speed, k]: [f64; 2], allowed: f64) {
    let impulse = (other.impulse * k / speed - answer.impulse).length() / answer.impulse.length();
    let velocity = (other.velocity / speed - answer.velocity).length();
    let energy = speed * speed / k;
    let work = (other.normal_work / energy - answer.normal_work).abs();
    let off = [impulse, velocity / answer.velocity.length(), work / -answer.compression_work];
    assert!(off.iter().all(|off| *off <= allowed), "{off:?} {answer:?} {other:?}");
}

/// proves: m1/CR-R13
#[test]
fn velocities_and_masses_of_any_size_make_no_difference() {
    let mut random = Random::new(13);
    for number in 0..3000 {
        let law = RestitutionLaw::ALL[number % 3];
        let collision = Meeting::new(&mut random).collision(&mut random, law);
        let answer = collision.solve();
        let any = [random.power(-9.0, 9.0), random.power(-9.0, 9.0)];
        let two = [libm::ldexp(1.0, -250), libm::ldexp(1.0, 90)];
        for ([speed, k], allowed) in [(any, 2e-11), (two, 0.0)] {
            let scaled = Collision {
                matrix: collision.matrix * k,
                velocity: collision.velocity * speed,
                ..collision
            };
            assert_scaled(&answer, &scaled.solve(), [speed, k], allowed);
        }
    }
}

/// proves: m1/CR-R14
#[test]
fn the_answer_converges_as_steps_become_more_accurate() {
    let mut random = Random::new(14);
    let errors = [1e-4, 1e-7, 1e-10, 1e-13];
    let mut off = [0.0_f64; 4];
    for _ in 0..1000 {
        let collision = Meeting::new(&mut random).collision(&mut random, RestitutionLaw::Stronge);
        let best = collision.integrate(1e-15).impulse;
        for (off, error) in off.iter_mut().zip(errors) {
            let found = collision.integrate(error).impulse;
            *off = off.max((found - best).length() / best.length());
        }
    }
    println!("steps to {errors:?} end {off:?} from the best");
    for (off, error) in off.into_iter().zip(errors) {
        // Errors of some ten steps, and of impulses in ill-conditioned directions.
        assert!(off < 300.0 * error, "{off:e} for {error:e}");
    }
}

/// proves: m1/CR-R15
#[test]
fn points_that_do_not_close_get_no_impulse() {
    for speed in [0.0, 1e-300, 0.5] {
        for friction in [0.0, 0.7, 1.5] {
            let collision = collision(THESIS, friction, 0.5, [0.3, 0.4, speed]);
            let answer = Collision { least_rebound: 0.5 * speed, ..collision }.solve();
            assert_eq!((answer.impulse, answer.ending), (DVec3::ZERO, Ending::Receding));
            assert_eq!(answer.velocity, collision.velocity);
        }
    }
    // Unless they shall part faster: then all that is given is boost.
    for friction in [0.0, 0.7] {
        let slow = collision(THESIS, friction, 0.5, [0.3, 0.4, 0.5]);
        let answer = Collision { least_rebound: 2.0, ..slow }.solve();
        assert_eq!((answer.velocity.z, answer.compression_work), (2.0, 0.0));
        assert!(answer.boost > 0.0 && answer.boost == answer.normal_work, "{answer:?}");
        let work = 0.5 * answer.impulse.dot(slow.velocity + answer.velocity);
        assert!((work - answer.normal_work - answer.friction_work).abs() < 1e-14, "{answer:?}");
    }
    // Not even where friction would press the points together.
    let rod = collision([3.4, 0.0, -1.2, 4.0, 0.0, 1.6], 1.5, 0.5, [-1.0, 0.0, 0.1]);
    assert_eq!(rod.solve().ending, Ending::Receding);
}
