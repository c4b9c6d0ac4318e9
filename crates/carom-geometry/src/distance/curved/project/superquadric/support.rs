//! Support points of superquadrics with fewer powers than the shape's own.

use glam::DVec3;

use crate::shapes::Superquadric;

/// A point farthest along a direction.
pub(in crate::distance::curved) fn support(solid: &Superquadric, direction: DVec3) -> DVec3 {
    let ([m, n], axes) = (solid.exponents(), solid.semi_axes());
    let image = (axes * direction).abs();
    let (plane, [x, y]) = dual(image.x, image.y, m);
    let (_, [p, z]) = dual(plane, image.z, n);
    (axes * DVec3::new(p * x, p * y, z)).copysign(direction)
}

/// h(d) = max d·x.
pub(in crate::distance::curved) fn support_value(solid: &Superquadric, direction: DVec3) -> f64 {
    let [m, n] = solid.exponents();
    let image = (solid.semi_axes() * direction).abs();
    let (plane, _) = dual(image.x, image.y, m);
    dual(plane, image.z, n).0
}

/// max u·x + v·y over ‖(x, y)‖_p ≤ 1 and where it is reached, for u, v ≥ 0.
///
/// With the ratio t ≤ 1 of the two and q = t^{p*}, Hölder gives the larger coordinate (1 + q)^{−1/p}, the smaller one
/// q/t times it, and the value (1 + q)^{1/p*} = (1 + q)·(1 + q)^{−1/p} times the larger of u, v.
fn dual(u: f64, v: f64, p: f64) -> (f64, [f64; 2]) {
    let (low, high) = (u.min(v), u.max(v));
    if low <= 0.0 || p == 1.0 {
        return (high, if u >= v { [1.0, 0.0] } else { [0.0, 1.0] });
    }
    let ratio = low / high;
    if p == 2.0 {
        let length = libm::sqrt(1.0 + ratio * ratio);
        let major = 1.0 / length;
        let minor = ratio * major;
        return (high * length, if u >= v { [major, minor] } else { [minor, major] });
    }
    let power = libm::exp(p / (p - 1.0) * libm::log(ratio));
    let major = libm::exp(-libm::log1p(power) / p);
    let minor = major * power / ratio;
    (high * (1.0 + power) * major, if u >= v { [major, minor] } else { [minor, major] })
}
