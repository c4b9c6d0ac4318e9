//! Collisions per second, and how long single ones take.
//!
//! Balls and planar contacts have closed forms; corners of boxes with aspect ratios up to 30 and friction up to 2 are what
//! simulations meet; matrices with any condition number up to 10⁴ are worse than that. One item is one collision.
//! The table times each collision by itself, five times, of which the least counts.

use std::time::Instant;

use carom_contact::collision::{Collision, Ending, RestitutionLaw};
use divan::Bencher;
use divan::counter::ItemsCount;
use glam::{DMat3, DQuat, DVec3};

fn main() {
    divan::main();
    if std::env::args().any(|argument| argument == "--bench") {
        table();
    }
}

/// Collisions of one set.
const NUMBER: u64 = 20_000;

/// Numbers that look random and are the same every time (splitmix64).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        low + (mixed >> 11) as f64 / (1_u64 << 53) as f64 * (high - low)
    }

    fn vector(&mut self, reach: f64) -> DVec3 {
        let mut component = || self.between(-reach, reach);
        DVec3::new(component(), component(), component())
    }

    fn rotation(&mut self) -> DMat3 {
        let axis = self.vector(1.0).try_normalize().unwrap_or(DVec3::X);
        DMat3::from_quat(DQuat::from_axis_angle(axis, self.between(0.0, std::f64::consts::TAU)))
    }

    fn collision(&mut self, matrix: DMat3) -> Collision {
        let mut velocity = self.vector(2.0);
        velocity.z = -velocity.z.abs();
        Collision {
            matrix,
            velocity,
            friction: self.between(0.0, 2.0),
            restitution: self.between(0.0, 1.0),
            law: RestitutionLaw::Stronge,
            least_rebound: 0.0,
        }
    }

    fn ball(&mut self) -> Collision {
        let inverse = self.between(0.1, 10.0);
        self.collision(inverse * DMat3::from_diagonal(DVec3::new(3.5, 3.5, 1.0)))
    }

    /// A rod in the plane of x and z.
    fn planar(&mut self) -> Collision {
        let (sin, cos) = libm::sincos(self.between(0.1, 1.5));
        let coupling = -3.0 * sin * cos;
        let matrix = DMat3::from_cols_array(&[
            1.0 + 3.0 * sin * sin,
            0.0,
            coupling,
            0.0,
            4.0,
            0.0,
            coupling,
            0.0,
            1.0 + 3.0 * cos * cos,
        ]);
        let mut collision = self.collision(matrix);
        collision.velocity.y = 0.0;
        collision
    }

    /// A corner of a box on a plane.
    fn corner(&mut self) -> Collision {
        let mut side = || libm::pow(30.0, self.between(0.0, 1.0));
        let half = DVec3::new(side(), side(), side());
        let squares = half * half;
        let moments = (DVec3::splat(squares.element_sum()) - squares) / 3.0;
        let turned = self.rotation();
        let mut arm = turned * half;
        arm.z = -arm.z.abs();
        let inverse = turned * DMat3::from_diagonal(1.0 / moments) * turned.transpose();
        let cross = DMat3::from_cols(arm.cross(DVec3::X), arm.cross(DVec3::Y), arm.cross(DVec3::Z));
        self.collision(DMat3::IDENTITY + cross.transpose() * inverse * cross)
    }

    /// Any matrix with a condition number up to 10⁴.
    fn any(&mut self) -> Collision {
        let mut value = || libm::pow(10.0, self.between(-4.0, 0.0));
        let values = DVec3::new(value(), value(), value());
        let turned = self.rotation();
        self.collision(turned * DMat3::from_diagonal(values) * turned.transpose())
    }
}

/// Makes one collision of a set.
type Make = fn(&mut Random) -> Collision;

fn set(of: Make) -> Vec<Collision> {
    let mut random = Random(1);
    (0..NUMBER).map(|_| of(&mut random)).collect()
}

fn bench(bencher: Bencher, of: Make) {
    let all = set(of);
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for collision in &all {
            divan::black_box(divan::black_box(collision).solve());
        }
    });
}

#[divan::bench]
fn balls(bencher: Bencher) {
    bench(bencher, Random::ball);
}

#[divan::bench]
fn planar(bencher: Bencher) {
    bench(bencher, Random::planar);
}

#[divan::bench]
fn corners(bencher: Bencher) {
    bench(bencher, Random::corner);
}

#[divan::bench]
fn any_matrix(bencher: Bencher) {
    bench(bencher, Random::any);
}

/// Microseconds of one collision: the least of five runs.
fn time(collision: &Collision) -> f64 {
    let once = || {
        let start = Instant::now();
        divan::black_box(divan::black_box(collision).solve());
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..5).map(|_| once()).fold(f64::MAX, f64::min)
}

fn table() {
    println!("| set | slides | sticks | diverges | jammed | median | 90 % | 99 % | longest, µs |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let sets: [(&str, Make); 4] = [
        ("balls", Random::ball),
        ("planar", Random::planar),
        ("corners of boxes", Random::corner),
        ("any matrix", Random::any),
    ];
    for (name, of) in sets {
        let all = set(of);
        let ends = |ending| all.iter().filter(|it| it.solve().ending == ending).count();
        let counts = [Ending::Slides, Ending::Sticks, Ending::Diverges, Ending::Jammed].map(ends);
        let mut times: Vec<f64> = all.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let [slides, sticks, diverges, jammed] = counts;
        println!(
            "| {name} | {slides} | {sticks} | {diverges} | {jammed} | {:.2} | {:.2} | {:.2} | {:.1} |",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        );
    }
}
