//! Small problems that were made for this project, with answers of Siconos 4.4; the rest of that data set is kept beside it.

use super::*;

/// As the data states it: largest |min(z, w)|, over max(1, |q|).
const RESIDUAL: f64 = 1e-8;

struct Given {
    name: &'static str,
    matrix: &'static [f64],
    q: &'static [f64],
    z: &'static [f64],
    /// True where z is unique, otherwise w is compared.
    is_unique: bool,
}

const GIVEN: [Given; 3] = [
    Given {
        name: "spd_4",
        matrix: &[
            0.3393889491155416,
            -0.376720423995633,
            -0.1595236257221114,
            -0.22226395475734284,
            -0.376720423995633,
            0.847470642568805,
            0.336712499000726,
            0.4512158208048268,
            -0.1595236257221114,
            0.336712499000726,
            0.34864248223351574,
            0.18981559761707711,
            -0.22226395475734284,
            0.4512158208048268,
            0.18981559761707711,
            0.44029628686405575,
        ],
        q: &[-1.344214547285082, -0.45761576104021817, -1.901222739800844, -1.289537739784976],
        z: &[10.92740568971861, 0.0, 7.651128676568655, 5.146540293516786],
        is_unique: true,
    },
    Given {
        name: "psd_box_normals_4",
        matrix: &[
            2.0, 0.5, -1.0, 0.5, 0.5, 2.0, 0.5, -1.0, -1.0, 0.5, 2.0, 0.5, 0.5, -1.0, 0.5, 2.0,
        ],
        q: &[-1.6987459787477404, -1.368353572132568, -0.30125402125225964, -0.6316464278674321],
        z: &[0.46583065249849354, 0.8898691977949427, 0.0, 0.6443001497065641],
        is_unique: false,
    },
    Given {
        name: "st_corner_slide",
        matrix: &[
            2.0,
            -0.75,
            -0.75,
            0.7499999999999999,
            0.7500000000000001,
            0.0,
            -0.75,
            2.0,
            -0.7499999999999999,
            -2.0,
            0.7499999999999996,
            1.0,
            -0.75,
            -0.7499999999999998,
            1.9999999999999998,
            0.7500000000000001,
            -1.9999999999999998,
            1.0,
            0.7499999999999999,
            -2.0,
            0.7500000000000002,
            2.0000000000000004,
            -0.75,
            1.0,
            0.7500000000000001,
            0.7499999999999996,
            -1.9999999999999998,
            -0.7499999999999999,
            1.9999999999999996,
            1.0,
            0.3,
            -1.0,
            -1.0,
            -1.0,
            -1.0,
            0.0,
        ],
        q: &[-1.35, 1.15, 0.5000000000000002, -1.15, -0.5000000000000003, 0.0],
        z: &[0.606741573033708, 0.0, 0.0, 0.18202247191011245, 0.0, 0.330898876404494],
        is_unique: true,
    },
];

#[test]
fn given_problems_have_the_given_answers() {
    for given in &GIVEN {
        let case = Case::new(given.matrix, given.q);
        let expected: Vec<f64> = (0..given.q.len()).map(|i| case.problem().w(i, given.z)).collect();
        for (solver, answer) in solvers().iter().zip(answers(&case.problem())) {
            let apart = if given.is_unique {
                distance(&answer.z, given.z)
            } else {
                distance(&answer.w, &expected)
            };
            println!(
                "{}: {} residual {:.1e}, {} pivots, differs by {apart:.1e}",
                given.name,
                solver.name(),
                answer.residual,
                answer.iterations
            );
            let size = given.q.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            assert!(answer.residual <= RESIDUAL * size);
            // The other program's digits.
            assert!(apart <= 1e-12, "{}: {apart:e}", given.name);
        }
    }
}
