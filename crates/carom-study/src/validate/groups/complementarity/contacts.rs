//! Contacts without friction, worked out by hand: what every solver must find, and what only some do.

use carom_dynamics::complementarity::{
    Automatic, Convex, Equality, Explicit, GaussSeidel, Jacobi, Lemke, Outcome, Pivoting, Problem,
    Solution, Solver, Warm,
};

use super::super::super::{Context, Row};
use crate::solvers;

const GUIDE: &str = "Baraff 1992, chapters 8, 13 and Appendix C, as the guide works them out";

/// M and q, by rows.
type Numbers = (Vec<f64>, Vec<f64>);

pub(super) fn rows(context: &Context) -> Vec<Row> {
    let mut rows = chair(context);
    rows.push(stack(context));
    rows.push(out_of_range(context));
    rows.push(cache(context));
    rows.extend(bilateral(context));
    rows.extend(programmes(context));
    rows.push(no_rays(context));
    rows.extend(ring(context));
    rows
}

/// Solves, or gives what fails every comparison.
fn solve(solver: &mut dyn Solver, problem: &Problem<'_>) -> Solution {
    let mut solution = Solution::default();
    if solver.solve(problem, &mut solution) != Outcome::Solved {
        solution.z.fill(f64::NAN);
        solution.w.fill(f64::NAN);
    }
    solution
}

fn forces(context: &Context, solver: &mut dyn Solver, (matrix, q): &Numbers) -> Vec<f64> {
    let found = Problem::standard(matrix, q).map(|problem| solve(solver, &problem).z);
    context.subject.pushes(&found.unwrap_or_default())
}

/// M·z + q.
fn accelerations((matrix, q): &Numbers, z: &[f64]) -> Vec<f64> {
    let row = |(i, q): (usize, &f64)| {
        q + matrix[i * z.len()..].iter().zip(z).map(|(m, z)| m * z).sum::<f64>()
    };
    q.iter().enumerate().map(row).collect()
}

/// Unit cubes of these masses, one on another, each on the four corners of its face.
fn tower(masses: &[f64]) -> Numbers {
    let corners = [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]];
    let contacts: Vec<(usize, [f64; 2])> =
        (0..masses.len()).flat_map(|upper| corners.map(|corner| (upper, corner))).collect();
    let side = |upper: usize, body: usize| match (upper == body, upper == body + 1) {
        (true, _) => 1.0,
        (_, true) => -1.0,
        _ => 0.0,
    };
    let entry = |(i, a): &(usize, [f64; 2]), (j, b): &(usize, [f64; 2])| {
        let lever = 1.0 + 6.0 * (a[0] * b[0] + a[1] * b[1]);
        let bodies = masses.iter().enumerate();
        bodies.map(|(body, mass)| side(*i, body) * side(*j, body) * lever / mass).sum()
    };
    let matrix = contacts.iter().flat_map(|a| contacts.iter().map(move |b| entry(a, b))).collect();
    (matrix, contacts.iter().map(|(upper, _)| if *upper == 0 { -9.81 } else { 0.0 }).collect())
}

/// Contacts on a circle of radius 1 under a body of 1 kg with moments 0.4 kg·m², which a torque turns by 1.5 rad/s².
fn circle(count: usize) -> Numbers {
    let at = |i: usize| std::f64::consts::TAU * i as f64 / count as f64;
    let arms: Vec<[f64; 2]> = (0..count).map(|i| [libm::cos(at(i)), libm::sin(at(i))]).collect();
    let entry = |a: &[f64; 2], b: &[f64; 2]| 1.0 + (a[0] * b[0] + a[1] * b[1]) / 0.4;
    let matrix = arms.iter().flat_map(|a| arms.iter().map(move |b| entry(a, b))).collect();
    (matrix, arms.iter().map(|arm| -9.81 - 1.5 * arm[0]).collect())
}

fn chair(context: &Context) -> Vec<Row> {
    let chair = tower(&[2.0]);
    let mut all = solvers::all();
    let found: Vec<Vec<f64>> =
        all.iter_mut().map(|solver| forces(context, &mut **solver, &chair)).collect();
    let sums: Vec<f64> = found.iter().map(|forces| forces.iter().sum()).collect();
    let moved: Vec<f64> = found.iter().flat_map(|forces| accelerations(&chair, forces)).collect();
    let mut equality = Equality::new();
    let (loads, mut shared) = ([9.81; 4], [0.0; 4]);
    equality.factorise(&chair.0, 4);
    equality.solve(&loads, &mut shared);
    vec![
        Row::case(
            "baraff/31/weight",
            "four legs under 2 kg: the sum of forces, by every solver",
            GUIDE,
        )
        .in_unit("N")
        .absolute(1e-9, vec![19.62; sums.len()], sums),
        Row::case(
            "baraff/31/motion",
            "the same: accelerations of the legs, by every solver",
            GUIDE,
        )
        .in_unit("m/s²")
        .absolute(1e-9, vec![0.0; moved.len()], moved),
        Row::case("baraff/31/shortest", "the same: the shortest forces", GUIDE)
            .in_unit("N")
            .relative(1e-13, vec![4.905; 4], context.subject.pushes(&shared)),
    ]
}

fn stack(context: &Context) -> Row {
    let found = forces(context, &mut Automatic::new(), &tower(&[1.0, 2.0, 3.0, 4.0, 5.0]));
    let sums: Vec<f64> = found.chunks(4).map(|forces| forces.iter().sum()).collect();
    Row::case("baraff/30", "five blocks of 1 to 5 kg: the force on each interface", GUIDE)
        .in_unit("N")
        .relative(1e-11, vec![147.15, 137.34, 117.72, 88.29, 49.05], sums)
}

fn out_of_range(context: &Context) -> Row {
    let doubled: Numbers = (vec![1.0; 4], vec![-1.0, -1.0 - 1e-9]);
    let exact: [&mut dyn Solver; 5] = [
        &mut Lemke::new(),
        &mut Pivoting::new(),
        &mut Convex::new(),
        &mut Explicit::new(),
        &mut Automatic::new(),
    ];
    let found = exact.map(|solver| accelerations(&doubled, &forces(context, solver, &doubled)));
    let what = "one contact given twice, 1e-9 apart: accelerations by all solvers but sweeps";
    let expected = [1e-9, 0.0].repeat(found.len());
    Row::case("baraff/34", what, GUIDE).absolute(1e-14, expected, found.concat())
}

fn cache(context: &Context) -> Row {
    let (matrix, q) = tower(&[1.0; 5]);
    let mut identities: Vec<u64> = (0..20).collect();
    let mut warm = Warm::new(Pivoting::new());
    let mut solution = Solution::default();
    for step in 0..100_u32 {
        if step == 60 {
            identities[7] = 100;
        }
        let load: Vec<f64> = q.iter().map(|q| q * (1.0 + 1e-3 * f64::from(step))).collect();
        if let Ok(problem) = Problem::standard(&matrix, &load) {
            warm.solve(&identities, &problem, &mut solution);
        }
    }
    let counts =
        [warm.full_solves(), warm.hits()].map(|count| context.subject.extent(count as f64));
    let what =
        "a stack under a growing load, one contact replaced: full solves, and sets that held";
    Row::case("baraff/35", what, GUIDE).absolute(0.0, vec![2.0, 98.0], counts.to_vec())
}

/// 2x + y = −1 with x of either sign, x + 2y = 4: x = −2, y = 3.
fn bilateral(context: &Context) -> Vec<Row> {
    let (matrix, q) = ([2.0, 1.0, 1.0, 2.0], [1.0, -4.0]);
    let (lo, hi) = ([f64::NEG_INFINITY, 0.0], [f64::INFINITY; 2]);
    let free = Problem::bounded(&matrix, &q, &lo, &hi).map(|it| solve(&mut Convex::new(), &it).z);
    // x = x' − x'', and −w beside w.
    let split: Numbers =
        (vec![2.0, 1.0, -2.0, 1.0, 2.0, -1.0, -2.0, -1.0, 2.0], vec![1.0, -4.0, -1.0]);
    let parts = forces(context, &mut Lemke::new(), &split);
    let joined = parts.get(2).map_or(f64::NAN, |taken| parts[0] - taken);
    let pushed = parts.get(1).copied().unwrap_or(f64::NAN);
    let found = context.subject.pushes(&free.unwrap_or_default());
    let row = |id: &str, what: &str, found: Vec<f64>| {
        Row::case(id, what, GUIDE).absolute(1e-13, vec![-2.0, 3.0], found)
    };
    vec![
        row("baraff/36/programme", "a bilateral row by the quadratic programme", found),
        row("baraff/36/split", "the same row split in two, by Lemke", vec![joined, pushed]),
    ]
}

fn programmes(context: &Context) -> Vec<Row> {
    let two: Numbers = (vec![2.0, 1.0, 1.0, 2.0], vec![-4.0, -1.0]);
    let row = |id: &str, what: &str, solver: &mut dyn Solver| {
        Row::case(id, what, GUIDE).absolute(1e-13, vec![2.0, 0.0], forces(context, solver, &two))
    };
    vec![
        row("baraff/37/8-11", "two contacts, one of which lets go, by (8-11)", &mut Convex::new()),
        row("baraff/37/8-10", "the same by (8-10)", &mut Explicit::new()),
    ]
}

/// Faces with up to twelve contacts anywhere, loaded anyhow within what contacts can carry.
fn no_rays(context: &Context) -> Row {
    let mut solved = 0_u32;
    for index in 0..200_u32 {
        let number = |k: u32| libm::sin(f64::from(index * 37 + k) * 12.9898);
        let count = 3 + index % 10;
        let arms: Vec<[f64; 2]> = (0..count).map(|k| [number(2 * k), number(2 * k + 1)]).collect();
        let entry = |a: &[f64; 2], b: &[f64; 2]| 1.0 + 3.0 * (a[0] * b[0] + a[1] * b[1]);
        let matrix: Vec<f64> =
            arms.iter().flat_map(|a| arms.iter().map(move |b| entry(a, b))).collect();
        let q: Vec<f64> = arms.iter().map(|arm| -9.81 + 4.0 * number(99) * arm[0]).collect();
        let mut lemke = Lemke::new();
        lemke.retries = 0;
        let outcome =
            Problem::standard(&matrix, &q).map(|it| lemke.solve(&it, &mut Solution::default()));
        solved += u32::from(outcome == Ok(Outcome::Solved));
    }
    let share = context.subject.extent(f64::from(solved) / 200.0);
    let what = "share of 200 frictionless faces that Lemke's first path solves, none by a ray";
    Row::case("baraff/54", what, GUIDE).absolute(0.0, 1.0, share)
}

fn ring(context: &Context) -> Vec<Row> {
    let numbers = circle(8);
    let mut jacobi = Jacobi::new();
    jacobi.sweeps = 60;
    let mut solution = Solution::default();
    let ended = Problem::standard(&numbers.0, &numbers.1)
        .map(|problem| jacobi.solve(&problem, &mut solution));
    let is_told = matches!(ended, Ok(Outcome::Unsolved(_)));
    let found = context.subject.pushes(&solution.z);
    let least = accelerations(&numbers, &found).into_iter().fold(f64::INFINITY, f64::min);
    let swept = forces(context, &mut GaussSeidel::new(), &numbers);
    let moved = accelerations(&numbers, &swept);
    vec![
        Row::case(
            "baraff/62/jacobi",
            "eight contacts on a ring, 60 sweeps of Appendix C: least acceleration, reported as unsolved",
            GUIDE,
        )
        .in_unit("m/s²")
        .absolute(1e-9, -11.31, if is_told { least } else { f64::NAN }),
        Row::case("baraff/62/gauss-seidel", "the same by Gauss-Seidel: accelerations", GUIDE)
            .in_unit("m/s²")
            .absolute(1e-9, vec![0.0; 8], moved),
    ]
}
