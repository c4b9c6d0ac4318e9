//! Force elements: springs, dampers, ropes, drag and the like, between bodies or between a body and the world.
//!
//! An element takes hold at two ends, each a placement in the frame of a body or in the world; what it does is a law of
//! `carom_dynamics::linkage::elements`. Bodies that an element joins move together, as those of a joint do, and a free body on
//! which an element acts is a linkage of one floating link.

use carom_dynamics::linkage::elements::{self, ElementLaw, End};
use carom_geometry::Pose;
use glam::DVec3;

use crate::arena::handle;
use crate::body::BodyId;
use crate::world::World;

handle!(
    /// A force element of a world.
    ElementId,
    "element"
);

/// Where an element takes hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The body, none for the world. A fixed body counts as the world.
    pub body: Option<BodyId>,
    /// Point and axes, in the frame of the body or in the world `[m]`.
    pub frame: Pose,
}

impl Hold {
    /// A point of a body, in the body's frame and with its axes `[m]`.
    pub const fn body(body: BodyId, point: DVec3) -> Self {
        Self { body: Some(body), frame: Pose::from_translation(point) }
    }

    /// A point of the world `[m]`.
    pub const fn world(point: DVec3) -> Self {
        Self { body: None, frame: Pose::from_translation(point) }
    }
}

/// An element to be, as [`World::add_element`](crate::World::add_element) takes it.
///
/// ```
/// use carom::elements::{ElementLaw, Spring};
/// use carom::{Body, Element, Hold, World};
/// use carom_geometry::{Shape, shapes::Ball};
/// use glam::DVec3;
///
/// let mut world = World::builder().build()?;
/// let ball = Shape::Ball(Ball::new(0.1)?);
/// let bob = world.add(Body::free(ball).mass(1.0))?;
/// let spring = Spring { stiffness: 40.0, rest: 0.5, damping: 0.1, pulls_only: false };
/// let ends = [Hold::body(bob, DVec3::ZERO), Hold::world(DVec3::Z)];
/// world.add_element(Element::new(ElementLaw::Spring(spring), ends))?;
/// world.advance_to(1.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub(crate) name: Option<String>,
    pub(crate) law: ElementLaw,
    pub(crate) ends: [Hold; 2],
}

impl Element {
    /// Acts on the first end, and with the opposite on the second.
    pub const fn new(law: ElementLaw, ends: [Hold; 2]) -> Self {
        Self { name: None, law, ends }
    }

    /// Acts on one body, from the world.
    pub const fn on(law: ElementLaw, end: Hold) -> Self {
        Self::new(law, [end, Hold::world(DVec3::ZERO)])
    }

    /// What people call it; unique among the elements of its world.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// An element as the engine keeps it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ElementRecord {
    pub(crate) name: String,
    pub(crate) law: ElementLaw,
    /// Fixed bodies are replaced by where they stand.
    pub(crate) ends: [Hold; 2],
}

impl ElementRecord {
    /// The bodies that it acts on.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.ends.into_iter().filter_map(|end| end.body)
    }

    /// The element of a linkage; `place` gives the link of a body and the placement of the body's frame in it.
    pub(crate) fn in_linkage(
        &self,
        place: impl Fn(BodyId) -> Option<(usize, Pose)>,
    ) -> elements::Element {
        let end = |hold: &Hold| match hold.body.and_then(&place) {
            Some((link, link_from_frame)) => {
                End { link: Some(link), frame: link_from_frame.then_from(&hold.frame) }
            }
            None => End { link: None, frame: hold.frame },
        };
        elements::Element {
            on: end(&self.ends[0]),
            from: end(&self.ends[1]),
            law: self.law.clone(),
        }
    }
}

/// An element to be asked.
#[derive(Clone, Copy, Debug)]
pub struct ElementRef<'a> {
    id: ElementId,
    record: &'a ElementRecord,
}

impl World {
    /// A force element.
    pub fn element(&self, id: ElementId) -> Option<ElementRef<'_>> {
        self.state.elements.get(id).map(|record| ElementRef { id, record })
    }

    /// All force elements, in order of their ids.
    pub fn elements(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.state.elements.iter().map(|(id, record)| ElementRef { id, record })
    }

    /// The force element of this name.
    pub fn find_element(&self, name: &str) -> Option<ElementId> {
        self.elements().find(|it| it.name() == name).map(|it| it.id())
    }
}

impl<'a> ElementRef<'a> {
    /// Its handle.
    pub const fn id(&self) -> ElementId {
        self.id
    }

    /// What people call it.
    pub fn name(&self) -> &'a str {
        &self.record.name
    }

    /// What it does.
    pub const fn law(&self) -> &'a ElementLaw {
        &self.record.law
    }

    /// Where it takes hold; where a fixed body was named, the world.
    pub const fn ends(&self) -> [Hold; 2] {
        self.record.ends
    }
}
