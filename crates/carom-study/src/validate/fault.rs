//! Deliberate errors, to show that a wrong answer is noticed.

use glam::DVec3;

use carom_geometry::mass::PrincipalFrame;
use carom_geometry::{MassProperties, TriMesh};

/// A mistake that an implementation could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first entry of every inertia tensor is 1.001 times too large.
    InertiaEntry,
    /// One face of every mesh is wound the wrong way.
    FlippedFace,
    /// The third principal axis points the other way, so that the frame is left-handed.
    MirroredAxis,
    /// Every centre of mass is off by a thousandth of a unit along each axis.
    ShiftedCenter,
    /// Every volume, area and count is 1.001 times too large.
    ScaledExtent,
    /// Every direction is taken for its opposite.
    FlippedNormal,
}

impl Fault {
    /// All of them, with the names that a person types.
    pub const ALL: [(&'static str, Self); 6] = [
        ("inertia-entry", Self::InertiaEntry),
        ("flipped-face", Self::FlippedFace),
        ("mirrored-axis", Self::MirroredAxis),
        ("shifted-center", Self::ShiftedCenter),
        ("scaled-extent", Self::ScaledExtent),
        ("flipped-normal", Self::FlippedNormal),
    ];
}

/// The API under test: passes its answers on, spoilt by a fault if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Subject {
    fault: Option<Fault>,
}

impl Subject {
    /// With a deliberate error.
    pub const fn with_fault(fault: Fault) -> Self {
        Self { fault: Some(fault) }
    }

    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// A mesh on its way into the API.
    pub(crate) fn mesh(self, mesh: TriMesh) -> TriMesh {
        if !self.has(Fault::FlippedFace) {
            return mesh;
        }
        // The one most across x, for volumes are summed along x.
        let across = |&t: &usize| {
            let [a, b, c] = mesh.corners(t);
            (b - a).cross(c - a).x.abs()
        };
        let mut triangles = mesh.triangles().to_vec();
        let worst = (0..triangles.len()).max_by(|s, t| across(s).total_cmp(&across(t)));
        triangles[worst.unwrap_or(0)].swap(1, 2);
        TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap_or(mesh)
    }

    /// Mass properties on their way out.
    pub(crate) fn mass(self, mut mass: MassProperties) -> MassProperties {
        if self.has(Fault::InertiaEntry) {
            mass.inertia.x_axis.x *= 1.001;
        }
        if self.has(Fault::ShiftedCenter) {
            mass.center += DVec3::splat(1e-3);
        }
        mass.mass = self.extent(mass.mass);
        mass
    }

    /// Principal axes on their way out.
    pub(crate) fn principal(self, mut frame: PrincipalFrame) -> PrincipalFrame {
        if self.has(Fault::MirroredAxis) {
            frame.axes.z_axis = -frame.axes.z_axis;
        }
        frame
    }

    /// A volume, area or count on its way out.
    pub(crate) fn extent(self, value: f64) -> f64 {
        if self.has(Fault::ScaledExtent) { value * 1.001 } else { value }
    }

    /// A direction on its way into the API.
    pub(crate) fn direction(self, direction: DVec3) -> DVec3 {
        if self.has(Fault::FlippedNormal) { -direction } else { direction }
    }
}
