//! Planar impacts of an ellipse and of a square, each between two plates, tracked at 250 Hz (Fazeli et al. 2017).
//!
//! One impact is predicted from the motion before it and held against the motion after it: with v = (vx, vz, ω) and the
//! kinetic energy as measure, |v|² = m·vx² + m·vz² + I·ω², the error is |v − v₁|/|v₁|. The ellipse goes through one call of the
//! collision law, the same that the engine makes, with
//!
//! ```text
//! u = (vx + ωh, 0, vz + ω·rx),   K = [1/m + h²/I, 0, h·rx/I; 0, 1/m, 0; h·rx/I, 0, 1/m + rx²/I]
//! ```
//!
//! for the contact point (rx, −h) from the centre, with rates counter-clockwise from x towards z. The square is dropped in
//! the engine, as a box on a plane, from just above the ground to just after its first collision.

use std::path::Path;

use carom::{Body, Material, RestitutionLaw, Surface, World};
use carom_contact::collision::Collision;
use carom_geometry::shapes::{Cuboid, HalfSpace};
use carom_geometry::{Pose, Shape};
use glam::{DMat3, DQuat, DVec3};
use oracles::measured::{PlanarImpact, ellipse_velocities, square_velocities};

use super::fit::fit;
use super::spread;
use super::{Parameters, Quantity, Report, StudyError, materials, told};

/// Of the ellipse `[kg]`.
const MASS: f64 = 0.0364;

/// Its semi-axes `[m]`.
const SEMI_AXES: [f64; 2] = [0.035, 0.025];

/// Edge of the square `[m]`.
const EDGE: f64 = 0.06;

/// How high above the ground the corner of the square is when its engine starts `[m]`.
const HEIGHT: f64 = 1e-9;

/// Fitted to the 477 sound impacts of the ellipse in the public part: least mean error.
pub const ELLIPSE: Parameters = Parameters { friction: 0.176, restitution: 0.542 };

/// Fitted to the sound first impacts of the square in the public part: least median error.
pub const SQUARE: Parameters = Parameters { friction: 0.084, restitution: 0.413 };

/// Measured impacts of both bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Impacts {
    ellipse: Vec<PlanarImpact>,
    square: Vec<PlanarImpact>,
}

/// Parameters of both bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Both {
    /// Of the ellipse.
    pub ellipse: Parameters,
    /// Of the square.
    pub square: Parameters,
}

/// Those that were fitted to the public part.
pub const FITTED: Both = Both { ellipse: ELLIPSE, square: SQUARE };

/// All impacts of a folder that are not marked as doubtful.
///
/// # Errors
/// If there are none, or they cannot be read.
pub fn impacts_in(folder: &Path) -> Result<Impacts, StudyError> {
    let (ellipse, square) = (ellipse_velocities(folder)?, square_velocities(folder)?);
    if ellipse.is_empty() || square.is_empty() {
        return Err(StudyError::Empty { what: "impact", place: folder.display().to_string() });
    }
    Ok(Impacts { ellipse, square })
}

/// |a − b|/|b| by kinetic energy, for a moment of inertia over mass `[m²]`.
fn error(found: [f64; 3], measured: [f64; 3], inertia_by_mass: f64) -> f64 {
    let size = |[x, z, rate]: [f64; 3]| x * x + z * z + inertia_by_mass * rate * rate;
    let off = [0, 1, 2].map(|i| found[i] - measured[i]);
    (size(off) / size(measured)).sqrt()
}

/// Motion of an ellipse after an impact.
fn struck_ellipse(impact: &PlanarImpact, with: Parameters) -> [f64; 3] {
    let PlanarImpact { contact_x, height, before: [vx, vz, rate], .. } = *impact;
    let mobility = 1.0 / MASS;
    let turning = 1.0 / (MASS * ellipse_inertia());
    let coupling = turning * height * contact_x;
    let collision = Collision {
        matrix: DMat3::from_cols(
            DVec3::new(mobility + turning * height * height, 0.0, coupling),
            DVec3::new(0.0, mobility, 0.0),
            DVec3::new(coupling, 0.0, mobility + turning * contact_x * contact_x),
        ),
        velocity: DVec3::new(vx + rate * height, 0.0, vz + rate * contact_x),
        friction: with.friction,
        restitution: with.restitution,
        law: RestitutionLaw::Stronge,
        least_rebound: 0.0,
    };
    let impulse = collision.solve().impulse;
    [
        vx + mobility * impulse.x,
        vz + mobility * impulse.z,
        rate + turning * (height * impulse.x + contact_x * impulse.z),
    ]
}

/// Moment of inertia over mass `[m²]`.
fn ellipse_inertia() -> f64 {
    let [a, b] = SEMI_AXES;
    0.25 * (a * a + b * b)
}

/// Motion of a square after its first collision.
fn struck_square(impact: &PlanarImpact, with: Parameters) -> Result<[f64; 3], StudyError> {
    let failed = |problem: String| StudyError::Run { id: format!("square {}", impact.id), problem };
    let (mut world, square) =
        square_above_ground(impact, with).ok_or_else(|| failed("no such square".to_owned()))?;
    let [_, vz, rate] = impact.before;
    let closing = -(vz + rate * impact.contact_x);
    if closing > 0.0 {
        // Twice as long as the corner takes to the ground.
        world.advance_to(2.0 * HEIGHT / closing).map_err(|fault| failed(fault.to_string()))?;
    }
    let state = world.state(square).ok_or_else(|| failed("the square is gone".to_owned()))?;
    Ok([state.velocity.x, state.velocity.z, -state.angular_velocity.y])
}

/// A square whose lowest corner is (rx, −h) from its centre, just above the ground.
fn square_above_ground(impact: &PlanarImpact, with: Parameters) -> Option<(World, carom::BodyId)> {
    let mut world = World::builder().gravity(DVec3::ZERO).build().ok()?;
    let Parameters { friction, restitution } = with;
    let law = RestitutionLaw::Stronge;
    let surface = Surface { friction, restitution, law };
    let material = world.add_material(Material { name: "steel".into(), surface }).ok()?;
    let ground = Shape::HalfSpace(HalfSpace::new(DVec3::Z, 0.0).ok()?);
    world.add(Body::fixed(ground).material(material)).ok()?;
    // From the corner at (½, −½) edge to where it was seen; a turn from x towards z is one about −y.
    let seen = libm::atan2(-impact.height, impact.contact_x);
    let turn = DQuat::from_rotation_y(-(seen + std::f64::consts::FRAC_PI_4));
    let half = 0.5 * EDGE;
    let corner = turn * DVec3::new(half, 0.0, -half);
    let [vx, vz, rate] = impact.before;
    let square = Body::free(Shape::Cuboid(Cuboid::new(DVec3::splat(half)).ok()?))
        .material(material)
        .pose(Pose::new((HEIGHT - corner.z) * DVec3::Z, turn))
        .velocity(DVec3::new(vx, 0.0, vz))
        .angular_velocity(-rate * DVec3::Y);
    let square = world.add(square).ok()?;
    Some((world, square))
}

fn ellipse_errors(impacts: &Impacts, with: Parameters) -> Vec<f64> {
    let of_one = |it: &PlanarImpact| error(struck_ellipse(it, with), it.after, ellipse_inertia());
    impacts.ellipse.iter().map(of_one).collect()
}

fn square_errors(impacts: &Impacts, with: Parameters) -> Result<Vec<f64>, StudyError> {
    let inertia = EDGE * EDGE / 6.0;
    let of_one = |it: &PlanarImpact| Ok(error(struck_square(it, with)?, it.after, inertia));
    impacts.square.iter().map(of_one).collect()
}

const QUANTITIES: [Quantity; 2] = [
    Quantity { score: "ellipse", name: "error", unit: "of the motion after" },
    Quantity { score: "square", name: "error", unit: "of the motion after" },
];

/// Scores impacts with given parameters.
///
/// # Errors
/// If one cannot be simulated.
pub fn score(impacts: &Impacts, with: &Both) -> Result<Report, StudyError> {
    let ellipse = ellipse_errors(impacts, with.ellipse);
    let square = square_errors(impacts, with.square)?;
    let ellipse = impacts.ellipse.iter().zip(ellipse);
    let square = impacts.square.iter().zip(square);
    let found: Vec<_> = ellipse
        .map(|(it, error)| (format!("ellipse_{:03}", it.id), vec![Some(error), None]))
        .chain(square.map(|(it, error)| (format!("square_{:03}", it.id), vec![None, Some(error)])))
        .collect();
    let (scores, items) = told(&QUANTITIES, &found);
    let mut params = materials("ellipse_", with.ellipse);
    params.extend(materials("square_", with.square));
    Ok(Report { params, scores, items })
}

/// Parameters of least error: mean over the ellipse's, median over the square's, of which some are outliers.
///
/// # Errors
/// If one cannot be simulated.
pub fn fitted(impacts: &Impacts) -> Result<Both, StudyError> {
    let most = Parameters { friction: 1.0, restitution: 1.0 };
    Ok(Both {
        ellipse: fit(most, |with| {
            Ok::<_, StudyError>(spread::of(&ellipse_errors(impacts, with))[0])
        })?,
        square: fit(most, |with| {
            square_errors(impacts, with).map(|errors| spread::median(&errors))
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impact(height: f64, contact_x: f64) -> PlanarImpact {
        let before = [0.4, -2.5, 3.0];
        PlanarImpact { id: 0, contact_x, height, before, after: before }
    }

    /// On its side an ellipse is struck below its centre: with J = (1 + e)m|vz| upwards and friction μJ against the sliding.
    #[test]
    fn an_ellipse_on_its_side_bounces_as_by_hand() {
        let with = Parameters { friction: 0.05, restitution: 0.5 };
        let impact = impact(0.025, 0.0);
        let [vx, vz, rate] = struck_ellipse(&impact, with);
        let normal = 1.5 * 2.5;
        assert!((vz - 1.25).abs() < 1e-12, "{vz}");
        assert!((vx - (0.4 - 0.05 * normal)).abs() < 1e-12, "{vx}");
        let turned = 3.0 - 0.05 * normal * 0.025 / ellipse_inertia();
        assert!((rate - turned).abs() < 1e-9, "{rate}");
    }

    /// The engine and the collision law agree on the square: m = 1, I = s²/6.
    #[test]
    fn the_engine_strikes_a_square_as_the_collision_law_does() {
        let with = Parameters { friction: 0.1, restitution: 0.4 };
        let reach = EDGE / std::f64::consts::SQRT_2;
        for angle in [-1.2_f64, -1.5, -1.7, -2.0] {
            let (sin, cos) = libm::sincos(angle);
            let impact = impact(-reach * sin, reach * cos);
            let [vx, vz, rate] = impact.before;
            let turning = 6.0 / (EDGE * EDGE);
            let (h, x) = (impact.height, impact.contact_x);
            let collision = Collision {
                matrix: DMat3::from_cols(
                    DVec3::new(1.0 + turning * h * h, 0.0, turning * h * x),
                    DVec3::Y,
                    DVec3::new(turning * h * x, 0.0, 1.0 + turning * x * x),
                ),
                velocity: DVec3::new(vx + rate * h, 0.0, vz + rate * x),
                friction: with.friction,
                restitution: with.restitution,
                law: RestitutionLaw::Stronge,
                least_rebound: 0.0,
            };
            let p = collision.solve().impulse;
            let expected = [vx + p.x, vz + p.z, rate + turning * (h * p.x + x * p.z)];
            let found = struck_square(&impact, with).unwrap();
            assert!(error(found, expected, EDGE * EDGE / 6.0) < 1e-6, "{found:?} {expected:?}");
        }
    }
}
