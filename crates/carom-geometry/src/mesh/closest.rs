//! The point of a triangle nearest to a given one, and the corner, side or face it lies on.

use glam::DVec3;

/// What part of a triangle a point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A corner by number: 0, 1 or 2.
    Corner(usize),
    /// A side by its number: side k runs from corner k to the next one.
    Side(usize),
    /// The inside.
    Face,
}

/// The nearest point of the closed triangle and where on it that is.
///
/// By the regions of the triangle's plane: first the three corners and three sides, told apart by the signs
/// of projections on the sides, then the inside (Ericson, Real-Time Collision Detection, 5.1.5). A
/// triangle without area is served by its sides.
pub fn closest_on_triangle([a, b, c]: [DVec3; 3], point: DVec3) -> (DVec3, Feature) {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let (ap, bp, cp) = (point - a, point - b, point - c);
    let (ab_ap, ac_ap) = (ab.dot(ap), ac.dot(ap));
    if ab_ap <= 0.0 && ac_ap <= 0.0 {
        return (a, Feature::Corner(0));
    }
    let (ab_bp, ac_bp) = (ab.dot(bp), ac.dot(bp));
    if ab_bp >= 0.0 && bc.dot(bp) <= 0.0 {
        return (b, Feature::Corner(1));
    }
    let (ab_cp, ac_cp) = (ab.dot(cp), ac.dot(cp));
    if ac_cp >= 0.0 && bc.dot(cp) >= 0.0 {
        return (c, Feature::Corner(2));
    }
    // Barycentric weights of the projection up to the factor |ab × ac|².
    let weight_c = ab_ap * ac_bp - ab_bp * ac_ap;
    let weight_b = ab_cp * ac_ap - ab_ap * ac_cp;
    let weight_a = ab_bp * ac_cp - ab_cp * ac_bp;
    if weight_c <= 0.0 && ab_ap >= 0.0 && ab_bp <= 0.0 {
        return on_side(a, ab, ab_ap / (ab_ap - ab_bp), 0);
    }
    if weight_b <= 0.0 && ac_ap >= 0.0 && ac_cp <= 0.0 {
        return on_side(a, ac, ac_ap / (ac_ap - ac_cp), 2);
    }
    let (bc_bp, bc_cp) = (bc.dot(bp), bc.dot(cp));
    if weight_a <= 0.0 && bc_bp >= 0.0 && bc_cp <= 0.0 {
        return on_side(b, bc, bc_bp / (bc_bp - bc_cp), 1);
    }
    let total = weight_a + weight_b + weight_c;
    if total <= 0.0 || weight_a < 0.0 || weight_b < 0.0 || weight_c < 0.0 {
        return on_nearest_side([a, b, c], point);
    }
    (a + ab * (weight_b / total) + ac * (weight_c / total), Feature::Face)
}

fn on_side(start: DVec3, along: DVec3, share: f64, side: usize) -> (DVec3, Feature) {
    // A side without length gives 0/0; its start is as near as any point of it.
    let share = if share.is_finite() { share } else { 0.0 };
    (start + along * share, Feature::Side(side))
}

/// For triangles so thin that the regions above contradict each other by rounding.
fn on_nearest_side(corners: [DVec3; 3], point: DVec3) -> (DVec3, Feature) {
    let candidates = [0, 1, 2].map(|side| {
        let (start, end) = (corners[side], corners[(side + 1) % 3]);
        let along = end - start;
        let share = along.dot(point - start) / along.length_squared();
        if share >= 1.0 {
            (end, Feature::Corner((side + 1) % 3))
        } else if share > 0.0 {
            (start + along * share, Feature::Side(side))
        } else {
            (start, Feature::Corner(side))
        }
    });
    let [mut best, second, third] = candidates;
    for other in [second, third] {
        if other.0.distance_squared(point) < best.0.distance_squared(point) {
            best = other;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [DVec3; 3] =
        [DVec3::ZERO, DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];

    #[test]
    fn each_region_is_told_apart() {
        let cases = [
            (DVec3::new(-1.0, -1.0, 1.0), DVec3::ZERO, Feature::Corner(0)),
            (DVec3::new(4.0, -1.0, 1.0), TRIANGLE[1], Feature::Corner(1)),
            (DVec3::new(-1.0, 4.0, 1.0), TRIANGLE[2], Feature::Corner(2)),
            (DVec3::new(1.0, -3.0, 1.0), DVec3::new(1.0, 0.0, 0.0), Feature::Side(0)),
            (DVec3::new(2.0, 2.0, 1.0), DVec3::new(1.0, 1.0, 0.0), Feature::Side(1)),
            (DVec3::new(-3.0, 1.0, 1.0), DVec3::new(0.0, 1.0, 0.0), Feature::Side(2)),
            (DVec3::new(0.5, 0.5, -7.0), DVec3::new(0.5, 0.5, 0.0), Feature::Face),
        ];
        for (point, nearest, feature) in cases {
            assert_eq!(closest_on_triangle(TRIANGLE, point), (nearest, feature), "from {point}");
        }
    }

    #[test]
    fn a_triangle_without_area_is_its_sides() {
        let flat = [DVec3::ZERO, DVec3::X, 3.0 * DVec3::X];
        let (nearest, _) = closest_on_triangle(flat, DVec3::new(2.0, 1.0, 0.0));
        assert_eq!(nearest, DVec3::new(2.0, 0.0, 0.0));
        let (nearest, _) = closest_on_triangle([DVec3::ONE; 3], DVec3::ZERO);
        assert_eq!(nearest, DVec3::ONE);
    }
}
