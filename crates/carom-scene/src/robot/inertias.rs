//! Links that could not be bodies by themselves.
//!
//! Real files give frames, sensors and antennas masses without inertia, or inertias that no body has. A link that is fixed to
//! others moves with them as one body, and only the sum of their inertias matters: where that sum is one that a body can
//! have, such a link is kept with a warning, and scenes make one body of it and its neighbour. Where it is not, it is an error,
//! or the moments are balanced: each becomes their mean, which keeps the trace.

use carom_geometry::MassProperties;
use carom_geometry::mass::InertiaFault;
use glam::{DMat3, DVec3};

use super::description::Robot;
use super::fault::FaultKind;
use super::reader::Reader;
use super::write::FixedJoints;
use crate::problem::Place;

/// An inertia that no body has.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    link: String,
    fault: InertiaFault,
    place: Place,
    may_balance: bool,
}

impl Reader<'_> {
    /// Mass properties that are not negative; none if the mass is zero. Whether a body can have them is seen in the end.
    pub(super) fn checked_mass(
        &self,
        link: &str,
        mass: MassProperties,
        place: Place,
        may_balance: bool,
    ) -> Option<MassProperties> {
        if mass.mass < 0.0 {
            self.fault(place, FaultKind::NegativeMass { link: link.to_owned(), mass: mass.mass });
            return None;
        }
        // Files write a mass of zero for frames without a body.
        if mass.mass == 0.0 {
            if mass.inertia != DMat3::ZERO {
                self.fault(place, FaultKind::InertiaWithoutMass { link: link.to_owned() });
            }
            return None;
        }
        if let Err(fault) = mass.verdict() {
            let is_finite = mass.inertia.is_finite() && mass.center.is_finite();
            if !is_finite || matches!(fault, InertiaFault::NotSymmetric { .. }) {
                self.fault(place, FaultKind::Inertia { link: link.to_owned(), fault });
                return None;
            }
            self.doubts.borrow_mut().push(Doubt {
                link: link.to_owned(),
                fault,
                place,
                may_balance,
            });
        }
        Some(mass)
    }

    /// Settles what was doubtful, now that all joints are known.
    pub(super) fn settle_inertias(&self, robot: Option<&mut Robot>) {
        let doubts = std::mem::take(&mut *self.doubts.borrow_mut());
        let Some(robot) = robot.filter(|_| !self.has_errors()) else {
            for Doubt { link, fault, place, .. } in doubts {
                self.fault(place, FaultKind::Inertia { link, fault });
            }
            return;
        };
        let mut merged = robot.clone();
        let becomes = merged.merge(FixedJoints::MergeMassless);
        for Doubt { link, fault, place, may_balance } in doubts {
            let Some(index) = robot.link(&link) else { continue };
            let whole = merged.links[becomes[index]].mass;
            let kind = if whole.is_some_and(|whole| whole.verdict().is_ok()) {
                FaultKind::InertiaOfPart { link, fault }
            } else if may_balance && balance(&mut robot.links[index].mass) {
                FaultKind::InertiaBalanced { link, fault }
            } else {
                FaultKind::Inertia { link, fault }
            };
            self.fault(place, kind);
        }
    }
}

/// Sets all moments to their mean; false if that is not positive.
fn balance(mass: &mut Option<MassProperties>) -> bool {
    let Some(mass) = mass else { return false };
    let inertia = mass.inertia;
    let mean = (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / 3.0;
    mass.inertia = DMat3::from_diagonal(DVec3::splat(mean));
    mean > 0.0
}
