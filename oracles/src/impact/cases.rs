//! Collisions with published answers: the guide's vectors (section 20) and the list of reference cases (part A).

use super::{Impact, Law, Striker, inverse_of_moments};

/// A collision by Stronge's law with its answer to 7 digits.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    /// Name in the guide.
    pub id: &'static str,
    /// K as (a, f, e | b, d | c).
    matrix: [f64; 6],
    friction_and_restitution: [f64; 2],
    /// u before.
    before: [f64; 3],
    /// p.
    pub impulse: [f64; 3],
    /// u afterwards.
    pub after: [f64; 3],
    /// What happens, as in [`super::Outcome::pattern`].
    pub pattern: &'static str,
}

impl Vector {
    /// How far its numbers may be off: they are rounded to 7 digits, the first one of A's impulse, −0.04832144983, away
    /// from zero.
    pub const DIGITS: f64 = 5.1e-8;

    /// The question.
    pub fn impact(&self) -> Impact {
        let [a, f, e, b, d, c] = self.matrix;
        let [friction, restitution] = self.friction_and_restitution;
        let matrix = [[a, f, e], [f, b, d], [e, d, c]];
        Impact { matrix, velocity: self.before, friction, restitution, law: Law::Stronge }
    }
}

/// The thesis's matrix of figure 3.3.
pub const THESIS_MATRIX: [[f64; 3]; 3] = [[8.0, -2.0, 1.0], [-2.0, 3.0, -1.0], [1.0, -1.0, 5.0]];
const THESIS: [f64; 6] = [8.0, -2.0, 1.0, 3.0, -1.0, 5.0];
const SPHERE: [f64; 6] = [3.5, 0.0, 0.0, 3.5, 0.0, 1.0];
/// 0.2 at 147.0010577°, the converging ray as the guide prints it: 2·10⁻¹⁰ beside the ray at most.
const ON_RAY: [f64; 3] = [-0.167736124406, 0.108924710554, -1.0];

/// The guide's vectors.
///
/// B2 starts on a ray that repels, and its pattern is that of a start exactly on it.
pub const VECTORS: [Vector; 14] = [
    Vector {
        id: "A",
        matrix: THESIS,
        friction_and_restitution: [0.2, 0.5],
        before: [0.3, 0.4, -1.0],
        impulse: [-0.0483215, -0.0345261, 0.3016291],
        after: [0.2841096, 0.0914356, 0.4943501],
        pattern: "+ |",
    },
    Vector {
        id: "A2",
        matrix: THESIS,
        friction_and_restitution: [0.2, 1.0],
        before: [-0.5, 0.2, -1.0],
        impulse: [0.0282641, 0.0380600, 0.3926102],
        after: [0.0426031, -0.1349583, 0.9532549],
        pattern: "+ |",
    },
    Vector {
        id: "B",
        matrix: THESIS,
        friction_and_restitution: [0.5, 0.5],
        before: [0.3, 0.4, -1.0],
        impulse: [-0.0999115, -0.1005312, 0.2982294],
        after: [0.0, 0.0, 0.4917666],
        pattern: "+ | S",
    },
    Vector {
        id: "B2",
        matrix: THESIS,
        friction_and_restitution: [0.2, 0.5],
        before: ON_RAY,
        impulse: [-0.0045545, 0.0383013, 0.3056526],
        after: [0.0248779, -0.0727150, 0.4854070],
        pattern: "+ D",
    },
    Vector {
        id: "C",
        matrix: [3.4, 0.0, -1.2, 4.0, 0.0, 1.6],
        friction_and_restitution: [1.5, 0.5],
        before: [-1.0, 0.0, -1.0],
        impulse: [0.8969507, 0.0, 1.7080271],
        after: [0.0, 0.0, 0.6565025],
        pattern: "- S",
    },
    Vector {
        id: "E",
        matrix: SPHERE,
        friction_and_restitution: [0.5, 0.8],
        before: [1.0, 0.5, -1.0],
        impulse: [-0.2857143, -0.1428571, 1.8],
        after: [0.0, 0.0, 0.8],
        pattern: "+ S",
    },
    Vector {
        id: "F",
        matrix: SPHERE,
        friction_and_restitution: [0.1, 0.8],
        before: [3.0, 1.0, -1.0],
        impulse: [-0.1707630, -0.0569210, 1.8],
        after: [2.4023295, 0.8007765, 0.8],
        pattern: "+ |",
    },
    Vector {
        id: "U",
        matrix: [1.75, 0.0, -1.2990381, 4.0, 0.0, 3.25],
        friction_and_restitution: [0.3, 0.6],
        before: [0.0, 0.0, -1.0],
        impulse: [0.1678152, 0.0, 0.5593841],
        after: [-0.4329846, 0.0, 0.6],
        pattern: "D",
    },
    Vector {
        id: "G",
        matrix: [11.07, 1.72, 2.93, 10.19, 4.75, 5.49],
        friction_and_restitution: [1.0, 0.7],
        before: [0.14, -0.011, -1.0],
        impulse: [-0.1333419, -0.2601700, 0.6087327],
        after: [0.0, 0.0, 0.7154433],
        pattern: "+ - + S",
    },
    Vector {
        id: "G2",
        matrix: [24.98, 2.6, 8.64, 18.93, 6.06, 10.01],
        friction_and_restitution: [2.0, 0.7],
        before: [-0.52, 1.09, -1.0],
        impulse: [-0.0815877, -0.1562029, 0.3430775],
        after: [0.0, 0.0, 0.7826978],
        pattern: "+ - S",
    },
    Vector {
        id: "H",
        matrix: [3.136, 0.366, -2.744, 5.466, -0.536, 5.178],
        friction_and_restitution: [2.0, 0.7],
        before: [-0.0436, 3.2447, -1.0],
        impulse: [0.3636070, -0.5779408, 0.3826429],
        after: [-0.1648269, 0.0136594, 0.2933636],
        pattern: "+ | n",
    },
    Vector {
        id: "I",
        matrix: [2.24, 0.679, 0.3, 0.828, -0.203, 2.907],
        friction_and_restitution: [0.5, 1.0],
        before: [-0.0002251, 0.02016, -1.0],
        impulse: [-0.1768872, 0.2786608, 0.7227261],
        after: [0.0095761, -0.0159287, 0.9913305],
        pattern: "+ D",
    },
    Vector {
        id: "J",
        matrix: [3.675, -0.703, 0.351, 1.610, 1.439, 4.783],
        friction_and_restitution: [1.0, 0.7],
        before: [0.193, -0.733, -1.0],
        impulse: [-0.0432070, 0.1875012, 0.2811157],
        after: [0.0010725, 0.0037769, 0.5992248],
        pattern: "+ | D",
    },
    Vector {
        id: "L",
        matrix: [18.519, -0.0529, 8.0438, 18.4689, 8.9329, 14.5048],
        friction_and_restitution: [1.5, 1.0],
        before: [4.5763, -2.6565, -1.0],
        impulse: [-0.4083198, -0.0367264, 0.3708982],
        after: [0.0, 0.0, 0.7672884],
        pattern: "+ | n R S",
    },
];

/// A body that strikes a fixed plane, with its velocities afterwards.
#[derive(Clone, Copy, Debug)]
pub struct BodyCase {
    /// Name in the list.
    pub id: &'static str,
    /// What it shows.
    pub what: &'static str,
    /// μ `[-]`.
    pub friction: f64,
    /// e `[-]`.
    pub restitution: f64,
    /// The body before.
    pub body: Striker,
    /// p `[N·s]`.
    pub impulse: [f64; 3],
    /// Of its centre `[m/s]`.
    pub velocity: [f64; 3],
    /// Angular velocity `[rad/s]`.
    pub spin: [f64; 3],
    /// Accepted error as a share of the largest component `[-]`.
    pub tolerance: f64,
}

impl BodyCase {
    /// The question.
    pub fn impact(&self) -> Impact {
        Impact {
            matrix: self.body.matrix(),
            velocity: self.body.contact_velocity(),
            friction: self.friction,
            restitution: self.restitution,
            law: Law::Stronge,
        }
    }
}

/// The list's cases A1 to A5.
///
/// The list accepts 10⁻⁵ for A1 to A3; its 8 digits are all right, to a rounding of 10⁻⁸ of the largest component.
pub fn body_cases() -> [BodyCase; 5] {
    let brick = Striker {
        mass: 2.0,
        inverse_inertia: inverse_of_moments([0.02, 0.03, 0.04]),
        arm: [0.1, -0.15, -0.2],
        velocity: [1.0, 0.5, -2.0],
        spin: [1.0, -2.0, 3.0],
    };
    let slow = Striker { velocity: [0.2, 0.1, -2.0], spin: [0.0; 3], ..brick };
    [
        BodyCase {
            id: "A1",
            what: "slides on a curve throughout",
            friction: 0.3,
            restitution: 0.5,
            body: brick,
            impulse: [-0.46487055, 0.08353163, 1.67337129],
            velocity: [0.76756472, 0.54176582, -1.16331436],
            spin: [-10.7149683, -4.4787673, 1.4655645],
            tolerance: 2e-8,
        },
        BodyCase {
            id: "A2",
            what: "slides, sticks during compression",
            friction: 0.8,
            restitution: 0.5,
            body: slow,
            impulse: [-1.45269424, 2.17758337, 3.69572929],
            velocity: [-0.52634712, 1.18879169, -0.15213536],
            spin: [-5.9421359, -2.6344693, -0.0036450],
            tolerance: 2e-8,
        },
        reversing(),
        ball(),
        smooth(brick),
    ]
}

fn smooth(body: Striker) -> BodyCase {
    BodyCase {
        id: "A5",
        what: "no friction",
        friction: 0.0,
        restitution: 0.5,
        body,
        impulse: [0.0, 0.0, 1.49361702],
        velocity: [1.0, 0.5, -1.25319149],
        spin: [-10.2021277, -6.9787234, 3.0],
        tolerance: 1e-8,
    }
}

fn reversing() -> BodyCase {
    let body = Striker {
        mass: 1.0,
        inverse_inertia: inverse_of_moments([0.01, 0.0834, 0.0834]),
        arm: [0.35, 0.0, -0.35],
        velocity: [-0.3, 0.0, -1.5],
        spin: [0.0; 3],
    };
    BodyCase {
        id: "A3",
        what: "planar, sliding reverses",
        friction: 0.15,
        restitution: 0.6,
        body,
        impulse: [-0.10386713, 0.0, 1.01868544],
        velocity: [-0.40386713, 0.0, -0.48131456],
        spin: [0.0, -3.8391656, 0.0],
        tolerance: 2e-8,
    }
}

fn ball() -> BodyCase {
    let body = Striker {
        mass: 0.17,
        inverse_inertia: inverse_of_moments([4.9e-5; 3]),
        arm: [0.0, 0.0, -0.02857],
        velocity: [1.0, 0.0, -1.0],
        spin: [0.0, -60.0, 0.0],
    };
    BodyCase {
        id: "A4",
        what: "sphere, slides throughout",
        friction: 0.1,
        restitution: 0.9,
        body,
        impulse: [-0.0323, 0.0, 0.323],
        velocity: [0.81, 0.0, 0.9],
        spin: [0.0, -41.1671224, 0.0],
        tolerance: 1e-8,
    }
}
