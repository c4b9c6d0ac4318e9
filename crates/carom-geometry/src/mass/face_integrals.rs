//! What one face contributes to the ten volume integrals (M 6.16 to 6.26, guide MP-3 and MP-4).
//!
//! Written once for plain and for doubled precision. A unit normal is not needed: with the vector area N = |N|·n,
//! every product n·F/n_γ is unchanged when n is scaled, so Newell's sum is used as it is.

use crate::precise::Number;

/// A point in local coordinates.
pub(super) type Point<T> = [T; 3];

/// Appends the directed edges of a closed loop.
pub(super) fn push_edges<T: Copy>(edges: &mut Vec<[Point<T>; 2]>, corners: &[Point<T>]) {
    let Some(last) = corners.last() else { return };
    let mut from = *last;
    for &to in corners {
        edges.push([from, to]);
        from = to;
    }
}

/// What a face adds to the sums for T_1, T_x.., T_{x²}.., T_{xy}.., before their division by 1, 2, 3, 2;
/// `None` for a face without area.
pub(super) fn face_terms<T: Number>(edges: &[[Point<T>; 2]]) -> Option<[T; 10]> {
    let base = edges.first()?[0];
    let normal = vector_area(edges, base);
    let sizes = normal.map(|x| x.into().value().abs());
    let c = largest_axis(sizes);
    if sizes[c] == 0.0 {
        return None;
    }
    let (a, b) = ((c + 1) % 3, (c + 2) % 3);
    let shadow = Projection::of(edges, a, b);
    let w = -(normal[0] * base[0] + normal[1] * base[1] + normal[2] * base[2]);
    let plane = Plane { n: [normal[a], normal[b], normal[c]], w };
    let face = shadow.lifted(&plane);
    let mut terms = [T::from(0.0); 10];
    for (i, axis) in [a, b, c].into_iter().enumerate() {
        // T_1 takes the component that is x, whichever of α, β, γ that is.
        if axis == 0 {
            terms[0] = plane.n[i] * face.linear[i];
        }
        terms[1 + axis] = plane.n[i] * face.square[i];
        terms[4 + axis] = plane.n[i] * face.cube[i];
        // The product of an axis with its cyclic successor is stored under that axis: xy, yz, zx.
        terms[7 + axis] = plane.n[i] * face.mixed[i];
    }
    Some(terms)
}

/// Twice the vector area of the face (Newell), from arms to one of its corners.
fn vector_area<T: Number>(edges: &[[Point<T>; 2]], base: Point<T>) -> [T; 3] {
    let mut sum = [T::from(0.0); 3];
    for [from, to] in edges {
        let u = [from[0] - base[0], from[1] - base[1], from[2] - base[2]];
        let v = [to[0] - base[0], to[1] - base[1], to[2] - base[2]];
        sum[0] = sum[0] + (u[1] * v[2] - u[2] * v[1]);
        sum[1] = sum[1] + (u[2] * v[0] - u[0] * v[2]);
        sum[2] = sum[2] + (u[0] * v[1] - u[1] * v[0]);
    }
    sum
}

/// The axis of the largest component, which is at least 1/√3 of the length.
pub(super) fn largest_axis([x, y, z]: [f64; 3]) -> usize {
    if x > y && x > z {
        0
    } else if y > z {
        1
    } else {
        2
    }
}

/// The plane n·x + w = 0 of a face, n in the order α, β, γ and of any length.
struct Plane<T> {
    n: [T; 3],
    w: T,
}

/// The integrals π over a face's shadow in the αβ-plane (M 6.17), without the sign of n_γ.
struct Projection<T> {
    one: T,
    a: T,
    b: T,
    aa: T,
    ab: T,
    bb: T,
    aaa: T,
    aab: T,
    abb: T,
    bbb: T,
}

/// Face integrals F divided by |N| (M 6.16), for α, β, γ in turn: F_α, F_{α²}, F_{α³} and F_{α²β}.
struct FaceIntegrals<T> {
    linear: [T; 3],
    square: [T; 3],
    cube: [T; 3],
    mixed: [T; 3],
}

impl<T: Number> Projection<T> {
    /// Sums over the shadow's edges (M 6.26 with theorem 23).
    fn of(edges: &[[Point<T>; 2]], a: usize, b: usize) -> Self {
        let zero = T::from(0.0);
        let mut sum = Self {
            one: zero,
            a: zero,
            b: zero,
            aa: zero,
            ab: zero,
            bb: zero,
            aaa: zero,
            aab: zero,
            abb: zero,
            bbb: zero,
        };
        for [from, to] in edges {
            sum.add_edge([from[a], from[b]], [to[a], to[b]]);
        }
        let by = |value: T, divisor: f64| value / T::from(divisor);
        Self {
            one: by(sum.one, 2.0),
            a: by(sum.a, 6.0),
            aa: by(sum.aa, 12.0),
            aaa: by(sum.aaa, 20.0),
            b: by(sum.b, -6.0),
            bb: by(sum.bb, -12.0),
            bbb: by(sum.bbb, -20.0),
            ab: by(sum.ab, 24.0),
            aab: by(sum.aab, 60.0),
            abb: by(sum.abb, -60.0),
        }
    }

    fn add_edge(&mut self, [a0, b0]: [T; 2], [a1, b1]: [T; 2]) {
        let (two, three, four) = (T::from(2.0), T::from(3.0), T::from(4.0));
        let (da, db) = (a1 - a0, b1 - b0);
        let (a0_2, a1_2, b0_2, b1_2) = (a0 * a0, a1 * a1, b0 * b0, b1 * b1);
        let (a0_3, a1_3, b0_3, b1_3) = (a0_2 * a0, a1_2 * a1, b0_2 * b0, b1_2 * b1);
        // Sums of powers Σ p^i·q^(k−i) by Horner's rule.
        let a_sum2 = a1 * (a1 + a0) + a0_2;
        let a_sum3 = a1 * a_sum2 + a0_3;
        let b_sum2 = b1 * (b1 + b0) + b0_2;
        let b_sum3 = b1 * b_sum2 + b0_3;
        self.one = self.one + db * (a1 + a0);
        self.a = self.a + db * a_sum2;
        self.aa = self.aa + db * a_sum3;
        self.aaa = self.aaa + db * (a1 * a_sum3 + a0_2 * a0_2);
        self.b = self.b + da * b_sum2;
        self.bb = self.bb + da * b_sum3;
        self.bbb = self.bbb + da * (b1 * b_sum3 + b0_2 * b0_2);
        let twice_a = two * a1 * a0;
        self.ab = self.ab
            + db * (b1 * (three * a1_2 + twice_a + a0_2) + b0 * (a1_2 + twice_a + three * a0_2));
        // Σ weights of a cubic towards either end: 4, 3, 2, 1 and 1, 2, 3, 4.
        let towards = |p1_3: T, p1_2: T, p1: T, p0: T, p0_2: T, p0_3: T| {
            (
                four * p1_3 + three * p1_2 * p0 + two * p1 * p0_2 + p0_3,
                p1_3 + two * p1_2 * p0 + three * p1 * p0_2 + four * p0_3,
            )
        };
        let (a_end, a_start) = towards(a1_3, a1_2, a1, a0, a0_2, a0_3);
        self.aab = self.aab + db * (b1 * a_end + b0 * a_start);
        let (b_end, b_start) = towards(b1_3, b1_2, b1, b0, b0_2, b0_3);
        self.abb = self.abb + da * (a1 * b_end + a0 * b_start);
    }

    /// From shadow to face: γ is replaced by −(n_α·α + n_β·β + w)/n_γ.
    fn lifted(&self, plane: &Plane<T>) -> FaceIntegrals<T> {
        let &Plane { n: [na, nb, nc], w } = plane;
        let (two, three) = (T::from(2.0), T::from(3.0));
        // γ = p·α + q·β + r on the plane.
        let (p, q, r) = (-na / nc, -nb / nc, -w / nc);
        let linear = p * self.a + q * self.b;
        let quadratic = p * p * self.aa + two * p * q * self.ab + q * q * self.bb;
        let c = linear + r * self.one;
        let cc = quadratic + r * (two * linear + r * self.one);
        let ccc = p * p * (p * self.aaa + three * q * self.aab)
            + q * q * (three * p * self.abb + q * self.bbb)
            + three * r * quadratic
            + r * r * (three * linear + r * self.one);
        let bbc = p * self.abb + q * self.bbb + r * self.bb;
        let cca = p * p * self.aaa
            + two * p * q * self.aab
            + q * q * self.abb
            + r * (two * (p * self.aa + q * self.ab) + r * self.a);
        FaceIntegrals {
            linear: [self.a, self.b, c].map(|f| f / nc),
            square: [self.aa, self.bb, cc].map(|f| f / nc),
            cube: [self.aaa, self.bbb, ccc].map(|f| f / nc),
            mixed: [self.aab, bbc, cca].map(|f| f / nc),
        }
    }
}
