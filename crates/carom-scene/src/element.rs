//! Force elements of a scene, as plain data.

use carom::elements::ElementLaw;
use carom_geometry::Pose;

use crate::problem::Place;

/// Something that acts between two bodies, or between a body and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Its own name.
    pub name: String,
    /// What it does.
    pub law: ElementLaw,
    /// The end that it acts on, then the one that feels the opposite.
    pub ends: [ElementEnd; 2],
    /// Where it stands in the scene file.
    pub place: Place,
}

/// Where an element takes hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementEnd {
    /// Index into [`Scene::bodies`](crate::Scene::bodies); none for the world.
    pub body: Option<usize>,
    /// Point and axes, in the frame of the body or in the world `[m]`.
    pub frame: Pose,
}
