//! Fits of two material parameters, by looking everywhere, coarsely and then finely.
//!
//! What is fitted is a mean over real drops that part chaotically, so it is rough at the finest scale and has no slope to
//! follow; the least of it there is chance. A grid over the whole range is refined around its best point, and in the last grid
//! the loss is averaged along one parameter and a parabola laid through its means over the other: the vertices are the answer,
//! to a thousandth. More digits would be chance: whatever moves the last bit of a toss moves the fourth digit of the answer.

use super::Parameters;

/// Points of the grid along each parameter.
const POINTS: usize = 7;

/// How often the grid is refined.
const REFINEMENTS: usize = 2;

/// How often the loss is asked for.
pub(super) const TRIES: usize = (REFINEMENTS + 1) * POINTS * POINTS;

/// Place of a point of the grid, from −1 to 1.
fn along(index: usize) -> f64 {
    2.0 * index as f64 / (POINTS - 1) as f64 - 1.0
}

/// The parameters of least loss within 0 to `most`.
pub(super) fn fit<E>(
    most: Parameters,
    mut loss: impl FnMut(Parameters) -> Result<f64, E>,
) -> Result<Parameters, E> {
    let mut center =
        Parameters { friction: 0.5 * most.friction, restitution: 0.5 * most.restitution };
    let mut reach = center;
    let mut grid = [[0.0; POINTS]; POINTS];
    for refinement in 0..=REFINEMENTS {
        let mut best = (f64::INFINITY, center);
        for (i, row) in grid.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                let at = Parameters {
                    friction: (center.friction + along(i) * reach.friction).max(0.0),
                    restitution: (center.restitution + along(j) * reach.restitution).max(0.0),
                };
                *cell = loss(at)?;
                if *cell < best.0 {
                    best = (*cell, at);
                }
            }
        }
        if refinement < REFINEMENTS {
            center = best.1;
            let step = 2.0 / (POINTS - 1) as f64;
            reach.friction *= step;
            reach.restitution *= step;
        }
    }
    let by_friction = grid.map(|row| row.iter().sum::<f64>());
    let by_restitution = [0, 1, 2, 3, 4, 5, 6].map(|j| grid.iter().map(|row| row[j]).sum::<f64>());
    let to_thousandth = |x: f64| (1000.0 * x.max(0.0)).round() / 1000.0;
    Ok(Parameters {
        friction: to_thousandth(center.friction + vertex(by_friction) * reach.friction),
        restitution: to_thousandth(center.restitution + vertex(by_restitution) * reach.restitution),
    })
}

/// Where the parabola of least squares through values at the points of a grid is least, from −1 to 1.
fn vertex(values: [f64; POINTS]) -> f64 {
    // On a symmetric grid x, and x² less its mean m₂, are orthogonal to each other and to 1.
    let count = POINTS as f64;
    let m2 = (0..POINTS).map(|i| along(i) * along(i)).sum::<f64>() / count;
    let bent = |i: usize| along(i) * along(i) - m2;
    let slope = (0..POINTS).map(|i| along(i) * values[i]).sum::<f64>() / (count * m2);
    let squares: f64 = (0..POINTS).map(|i| bent(i) * bent(i)).sum();
    let bend = (0..POINTS).map(|i| bent(i) * values[i]).sum::<f64>() / squares;
    if bend > 0.0 { (-0.5 * slope / bend).clamp(-1.0, 1.0) } else { -slope.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_valley_is_found_under_noise() {
        let most = Parameters { friction: 1.0, restitution: 1.0 };
        let mut noise = 1_u64;
        let found = fit(most, |at| {
            let (x, y) = (at.friction - 0.23, at.restitution - 0.61);
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let rough = 1e-3 * (noise >> 11) as f64 / (1_u64 << 53) as f64;
            Ok::<f64, ()>(x * x + 3.0 * y * y + rough)
        });
        let found = found.unwrap();
        assert!((found.friction - 0.23).abs() < 0.02, "{found:?}");
        assert!((found.restitution - 0.61).abs() < 0.02, "{found:?}");
    }
}
