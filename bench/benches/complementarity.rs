//! Solvers of complementarity problems by size and kind, and the shortest answer of equations.

use carom_dynamics::complementarity::{
    Automatic, Convex, Equality, GaussSeidel, Lemke, Outcome, Pivoting, Problem, Solution, Solver,
    Warm,
};
use divan::Bencher;

fn main() {
    divan::main();
}

/// What is solved: a face with so many contacts, a stack of so many blocks, a definite matrix with so many rows.
const CASES: [&str; 9] = [
    "face 8",
    "face 40",
    "face 150",
    "stack 5",
    "stack 12",
    "stack 30",
    "definite 30",
    "definite 100",
    "definite 300",
];

type Numbers = (Vec<f64>, Vec<f64>);

fn number(k: usize) -> f64 {
    libm::sin(12.9898 * k as f64 + 0.7)
}

/// J·H⁻¹·Jᵀ of unit cubes one on another, each on these points of its face.
fn tower(blocks: usize, points: &[[f64; 2]]) -> Numbers {
    let contacts: Vec<(usize, [f64; 2])> =
        (0..blocks).flat_map(|upper| points.iter().map(move |point| (upper, *point))).collect();
    let shared = |i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 0 => 1.0,
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    };
    let entry = |(i, a): &(usize, [f64; 2]), (j, b): &(usize, [f64; 2])| {
        shared(*i, *j) * (1.0 + 6.0 * (a[0] * b[0] + a[1] * b[1]))
    };
    let matrix = contacts.iter().flat_map(|a| contacts.iter().map(move |b| entry(a, b))).collect();
    (matrix, contacts.iter().map(|(upper, _)| if *upper == 0 { -9.81 } else { 0.0 }).collect())
}

fn case(name: &str) -> Numbers {
    let (kind, size) = name.split_once(' ').expect("kind and size");
    let size: usize = size.parse().expect("a number");
    let corners = [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]];
    match kind {
        "face" => {
            let points: Vec<[f64; 2]> =
                (0..size).map(|i| [0.5 * number(2 * i), 0.5 * number(2 * i + 1)]).collect();
            tower(1, &points)
        }
        "stack" => tower(size, &corners),
        _ => {
            let rows: Vec<f64> = (0..size * size).map(number).collect();
            let entry = |i: usize, j: usize| {
                let product: f64 = (0..size).map(|k| rows[i * size + k] * rows[j * size + k]).sum();
                product / size as f64 + if i == j { 0.1 } else { 0.0 }
            };
            let matrix = (0..size * size).map(|at| entry(at / size, at % size)).collect();
            (matrix, (0..size).map(|i| number(7 * i)).collect())
        }
    }
}

fn run(bencher: Bencher<'_, '_>, name: &str, mut solver: impl Solver) {
    let (matrix, q) = case(name);
    let mut solution = Solution::default();
    let problem = Problem::standard(&matrix, &q).expect("well formed");
    let outcome = solver.solve(&problem, &mut solution);
    if outcome != Outcome::Solved {
        println!("  {name}: {} ends with {outcome:?}", solver.name());
    }
    bencher.bench_local(|| solver.solve(&problem, &mut solution));
}

#[divan::bench(args = CASES)]
fn lemke(bencher: Bencher<'_, '_>, name: &str) {
    run(bencher, name, Lemke::new());
}

#[divan::bench(args = CASES)]
fn pivoting(bencher: Bencher<'_, '_>, name: &str) {
    run(bencher, name, Pivoting::new());
}

#[divan::bench(args = CASES)]
fn convex(bencher: Bencher<'_, '_>, name: &str) {
    run(bencher, name, Convex::new());
}

#[divan::bench(args = CASES)]
fn gauss_seidel(bencher: Bencher<'_, '_>, name: &str) {
    run(bencher, name, GaussSeidel::new());
}

#[divan::bench(args = CASES)]
fn automatic(bencher: Bencher<'_, '_>, name: &str) {
    run(bencher, name, Automatic::new());
}

/// The set of rows of the last problem, which holds.
#[divan::bench(args = CASES)]
fn warm(bencher: Bencher<'_, '_>, name: &str) {
    let (matrix, q) = case(name);
    let identities: Vec<u64> = (0..q.len() as u64).collect();
    let mut warm = Warm::new(Pivoting::new());
    let mut solution = Solution::default();
    let problem = Problem::standard(&matrix, &q).expect("well formed");
    warm.solve(&identities, &problem, &mut solution);
    bencher.bench_local(|| warm.solve(&identities, &problem, &mut solution));
}

/// Equations: decomposition and one right side.
#[divan::bench(args = CASES)]
fn equality(bencher: Bencher<'_, '_>, name: &str) {
    let (matrix, q) = case(name);
    let mut equality = Equality::new();
    let mut shortest = vec![0.0; q.len()];
    bencher.bench_local(|| {
        equality.factorise(&matrix, q.len());
        equality.solve(&q, &mut shortest);
    });
}
