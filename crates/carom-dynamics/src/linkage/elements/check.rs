//! What no element is.

use glam::DVec3;
use thiserror::Error;

use super::{Element, ElementLaw, End};
use crate::tolerances::UNIT_LENGTH;
use crate::tree::Tree;

/// Why an element is refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ElementFault {
    /// An end on a link that is not there.
    #[error("it takes hold of link {link}, but the linkage has {links} links, numbered from 0")]
    NoSuchLink {
        /// The link that was named.
        link: usize,
        /// How many there are.
        links: usize,
    },
    /// Both ends move as one.
    #[error(
        "both its ends are on the same link, or both on the world, so that it does nothing\nhint: give it two ends"
    )]
    SameLink,
    /// Drag between two links.
    #[error(
        "drag acts on one link\nhint: let it act from the world, or use a bushing with damping"
    )]
    DragBetweenLinks,
    /// A number that is NaN or infinite.
    #[error(
        "its {what} must be finite\nhint: look for divisions by zero and units where it comes from"
    )]
    NotFinite {
        /// What it is.
        what: &'static str,
    },
    /// A number that is negative, or zero where it must not be.
    #[error("its {what} is {value}\nhint: it must {must}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Axes of an end that are not a rotation.
    #[error(
        "the quaternion of an end's axes has length {length}, but must have length 1\nhint: divide it by its length"
    )]
    NotUnit {
        /// Its length `[-]`.
        length: f64,
    },
}

/// Whether this is an element of a tree.
pub(super) fn check(element: &Element, tree: &Tree) -> Result<(), ElementFault> {
    for end in [&element.on, &element.from] {
        check_end(end, tree)?;
    }
    if element.on.link == element.from.link {
        return Err(ElementFault::SameLink);
    }
    match &element.law {
        ElementLaw::Spring(law) => {
            not_negative("stiffness", law.stiffness)?;
            not_negative("rest", law.rest)?;
            not_negative("damping", law.damping)
        }
        ElementLaw::GasSpring(law) => {
            not_negative("force", law.force)?;
            not_negative("extended length", law.extended)?;
            not_negative("stroke", law.stroke)?;
            not_negative("exponent", law.exponent)?;
            not_negative("damping", law.damping)?;
            in_range(
                "column of gas",
                law.column,
                law.column > law.stroke,
                "be longer than the stroke",
            )
        }
        ElementLaw::Bushing(law) => {
            for (what, values) in [
                ("stiffness", law.stiffness),
                ("damping", law.damping),
                ("torsion stiffness", law.torsion_stiffness),
                ("torsion damping", law.torsion_damping),
            ] {
                values.to_array().into_iter().try_for_each(|value| not_negative(what, value))?;
            }
            Ok(())
        }
        ElementLaw::Drag(law) => {
            if element.from.link.is_some() {
                return Err(ElementFault::DragBetweenLinks);
            }
            not_negative("linear drag", law.linear)?;
            not_negative("quadratic drag", law.quadratic)?;
            not_negative("angular drag", law.angular)?;
            finite("wind", law.wind)
        }
        ElementLaw::Thrust(law) => {
            finite("force", law.force)?;
            finite("torque", law.torque)
        }
        ElementLaw::Attraction(law) => finite("strength", DVec3::splat(law.strength)),
        ElementLaw::User(_) => Ok(()),
    }
}

fn check_end(end: &End, tree: &Tree) -> Result<(), ElementFault> {
    if let Some(link) = end.link.filter(|link| *link >= tree.n_links()) {
        return Err(ElementFault::NoSuchLink { link, links: tree.n_links() });
    }
    finite("point", end.frame.translation)?;
    let length = end.frame.rotation.length();
    // Written so that a NaN is an error, too.
    let is_unit = (length - 1.0).abs() <= UNIT_LENGTH;
    if is_unit { Ok(()) } else { Err(ElementFault::NotUnit { length }) }
}

fn finite(what: &'static str, vector: DVec3) -> Result<(), ElementFault> {
    if vector.is_finite() { Ok(()) } else { Err(ElementFault::NotFinite { what }) }
}

fn not_negative(what: &'static str, value: f64) -> Result<(), ElementFault> {
    in_range(what, value, value >= 0.0, "not be negative")
}

fn in_range(
    what: &'static str,
    value: f64,
    is_lawful: bool,
    must: &'static str,
) -> Result<(), ElementFault> {
    finite(what, DVec3::splat(value))?;
    if is_lawful { Ok(()) } else { Err(ElementFault::OutOfRange { what, value, must }) }
}
