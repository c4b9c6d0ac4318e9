//! Random problems of known kind: residuals, agreement of the solvers, and what must not matter.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::complementarity::{LeastNorm, LeastNormFault, least_norm};
use crate::law::testing::for_all;
use crate::testing::log_uniform;

/// Definite with a skew part: unsymmetric, and every principal minor positive.
fn definite() -> impl Strategy<Value = Case> {
    (1..25_usize).prop_flat_map(|n| {
        (vec(-1.0..1.0_f64, n * n), vec(-1.0..1.0_f64, n), 0.0..1.0_f64)
            .prop_map(move |(rows, q, skew)| Case { matrix: Case::product(&rows, n, 0.1, skew), q })
    })
}

/// Diagonally dominant rows: every principal minor positive, though mostly not semidefinite.
fn dominant() -> impl Strategy<Value = Case> {
    (1..25_usize).prop_flat_map(|n| {
        (vec(-1.0..1.0_f64, n * n), vec(-1.0..1.0_f64, n)).prop_map(move |(mut matrix, q)| {
            for (i, row) in matrix.chunks_exact_mut(n).enumerate() {
                row[i] = 0.0;
                row[i] = 0.05 + row.iter().map(|x| x.abs()).sum::<f64>();
            }
            Case { matrix, q }
        })
    })
}

/// Semidefinite of low rank with an answer, about half of whose rows push.
pub(super) fn low_rank() -> impl Strategy<Value = Case> {
    (2..25_usize, 1..7_usize).prop_flat_map(|(n, rank)| {
        (vec(-1.0..1.0_f64, n * rank), vec(-1.0..1.0_f64, n)).prop_map(move |(rows, parts)| {
            let matrix = Case::product(&rows, rank, 0.0, 0.0);
            let pushes: Vec<f64> = parts.iter().map(|x| x.max(0.0)).collect();
            let mut case = Case { matrix, q: Vec::new() };
            let held = case.times(&pushes).into_iter().zip(&parts);
            case.q = held.map(|(held, part)| (-part).max(0.0) - held).collect();
            case
        })
    })
}

fn check_agreement(cases: u32, name: &str, inputs: &impl Strategy<Value = Case>) {
    let worst = std::cell::Cell::new([0.0_f64; 2]);
    for_all(cases, inputs, |case| {
        let problem = case.problem();
        let [lemke, pivoting] = answers(&problem);
        let size = size_of(&problem, &lemke.z);
        let apart = distance(&lemke.w, &pivoting.w) / size;
        assert!(apart <= 1e-9, "w differs by {apart:e} for {case:?}");
        let residual = lemke.residual.max(pivoting.residual) / size;
        let [most_apart, most_residual] = worst.get();
        worst.set([most_apart.max(apart), most_residual.max(residual)]);
    });
    let [apart, residual] = worst.get();
    println!(
        "{name}: solvers differ in w by {apart:.1e}, residuals up to {residual:.1e} of the largest term"
    );
}

#[test]
fn both_solvers_agree_on_definite_problems() {
    check_agreement(600, "definite", &definite());
}

#[test]
fn both_solvers_agree_on_dominant_problems() {
    check_agreement(600, "dominant", &dominant());
}

#[test]
fn both_solvers_agree_on_w_of_semidefinite_problems() {
    check_agreement(1500, "low rank", &low_rank());
}

/// M in other units, and rows in other units than their neighbours: w follows, and so does the path.
#[test]
fn units_do_not_matter() {
    let worst = std::cell::Cell::new(0.0_f64);
    let factors = (log_uniform(-6.0..6.0), log_uniform(-6.0..6.0), 0..2_usize);
    for_all(
        800,
        &(low_rank(), factors, vec(log_uniform(-3.0..3.0), 25)),
        |(case, factors, units)| {
            let (matrix_factor, q_factor, uneven) = factors;
            let n = case.q.len();
            let unit = |i: usize| if uneven == 1 { units[i] } else { 1.0 };
            let entry = |at: usize| case.matrix[at] * matrix_factor * unit(at / n) * unit(at % n);
            let scaled = Case {
                matrix: (0..n * n).map(entry).collect(),
                q: (0..n).map(|i| case.q[i] * q_factor * unit(i)).collect(),
            };
            for (plain, other) in answers(&case.problem()).iter().zip(answers(&scaled.problem())) {
                if uneven == 0 {
                    assert_eq!(
                        plain.iterations, other.iterations,
                        "{case:?} times {matrix_factor:e}, {q_factor:e}"
                    );
                }
                let w: Vec<f64> = (0..n).map(|i| other.w[i] / (q_factor * unit(i))).collect();
                let apart = distance(&plain.w, &w) / size_of(&case.problem(), &plain.z);
                assert!(apart <= 1e-9, "w differs by {apart:e} for {case:?}");
                worst.set(worst.get().max(apart));
            }
        },
    );
    println!("w differs by up to {:.1e} of the largest term", worst.get());
}

#[test]
fn the_order_of_rows_does_not_matter_to_w() {
    let worst = std::cell::Cell::new(0.0_f64);
    for_all(800, &(low_rank(), vec(0.0..1.0_f64, 25)), |(case, keys)| {
        let n = case.q.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
        let shuffled = Case {
            matrix: (0..n * n).map(|at| case.matrix[order[at / n] * n + order[at % n]]).collect(),
            q: order.iter().map(|&i| case.q[i]).collect(),
        };
        for (plain, other) in answers(&case.problem()).iter().zip(answers(&shuffled.problem())) {
            let w: Vec<f64> = order.iter().map(|&i| plain.w[i]).collect();
            let apart = distance(&w, &other.w) / size_of(&case.problem(), &plain.z);
            assert!(apart <= 1e-9, "w differs by {apart:e} for {case:?}");
            worst.set(worst.get().max(apart));
        }
    });
    println!("w differs by up to {:.1e} of the largest term", worst.get());
}

/// Equal vanishing compliance: (M + δ·1)·z + q has the answer z_δ, which goes to the shortest z as δ goes to zero.
#[test]
fn the_shortest_answer_is_the_limit_of_vanishing_compliance() {
    let worst = std::cell::Cell::new([0.0_f64; 3]);
    for_all(400, &low_rank(), |case| {
        let problem = case.problem();
        let n = case.q.len();
        let shortest = answers(&problem).map(|given| {
            let mut shortest = given.clone();
            least_norm(&problem, &mut shortest).expect("the matrix is symmetric");
            let length = |z: &[f64]| z.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(length(&shortest.z) <= length(&given.z) * (1.0 + 1e-12), "{case:?}");
            let size = size_of(&problem, &given.z);
            assert!(distance(&shortest.w, &given.w) <= 1e-10 * size, "{case:?}");
            assert!(shortest.residual <= 1e-10 * size, "{:e} for {case:?}", shortest.residual);
            shortest
        });
        let largest = shortest[0].z.iter().fold(1.0, |most: f64, x| most.max(*x));
        let apart = distance(&shortest[0].z, &shortest[1].z) / largest;
        // Answers of δ and δ/2 give the limit to order δ².
        let compliant = [1e-5, 5e-6].map(|delta| {
            let mut soft = case.clone();
            (0..n).for_each(|i| soft.matrix[i * n + i] += delta);
            answers(&soft.problem())[0].z.clone()
        });
        let limit: Vec<f64> = compliant[0]
            .iter()
            .zip(&compliant[1])
            .map(|(coarse, fine)| 2.0 * fine - coarse)
            .collect();
        let away = distance(&limit, &shortest[0].z) / largest;
        let [most_apart, most_away, far] = worst.get();
        worst.set([
            most_apart.max(apart),
            most_away.max(away),
            far + f64::from(u8::from(away > 1e-3)),
        ]);
        assert!(apart <= 1e-7, "shortest answers differ by {apart:e} for {case:?}");
    });
    let [apart, away, far] = worst.get();
    println!(
        "shortest from either solver differ by {apart:.1e}; from the limit by {away:.1e}, {far} beyond 1e-3"
    );
    // Nearly dependent rows need a smaller δ than 1e-5; few random ones are.
    assert!(far <= 8.0);
}

#[test]
fn the_shortest_answer_of_an_unsymmetric_matrix_is_refused() {
    let case = Case::new(&[1.0, 0.5, 0.0, 1.0], &[-1.0, -1.0]);
    let [mut answer, _] = answers(&case.problem());
    let fault = LeastNorm::new().apply(&case.problem(), &mut answer).expect_err("unsymmetric");
    assert!(matches!(fault, LeastNormFault::NotSymmetric { row: 1, column: 0 }), "{fault}");
    answer.z.pop();
    let fault = LeastNorm::new().apply(&case.problem(), &mut answer).expect_err("too short");
    assert!(matches!(fault, LeastNormFault::Shape { expected: 2, found: 1 }), "{fault}");
}

/// Same input, same bits, whatever was solved before.
#[test]
fn what_was_solved_before_does_not_matter() {
    for_all(300, &(definite(), low_rank()), |(first, then)| {
        for (mut used, mut fresh) in solvers().into_iter().zip(solvers()) {
            let (mut reused, mut clean) = (Solution::default(), Solution::default());
            used.solve(&first.problem(), &mut reused);
            let after = used.solve(&then.problem(), &mut reused);
            let alone = fresh.solve(&then.problem(), &mut clean);
            assert_eq!((after, reused), (alone, clean), "{}", used.name());
        }
    });
}
