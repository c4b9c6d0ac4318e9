//! `<default>`: attributes by class, inherited from the class around it.
//!
//! An attribute is looked for in the element, then in its class, then in the classes around that one. The class is
//! what `class` says, else what the nearest `childclass` outward says, else the outermost one.

use crate::robot::fault::{FaultKind, Why};
use crate::robot::reader::Reader;
use crate::robot::xml::{Attribute, Element};

/// Attributes that are read of elements that can have defaults.
const KNOWN: [(&str, &[&str]); 8] = [
    ("geom", super::geom::KNOWN),
    ("joint", super::joint::KNOWN),
    ("mesh", &["scale"]),
    ("material", &["rgba"]),
    ("motor", super::actuator::KNOWN),
    ("position", super::actuator::KNOWN),
    ("velocity", super::actuator::KNOWN),
    ("general", super::actuator::KNOWN),
];

/// Elements that share one set of defaults.
const ACTUATORS: [&str; 4] = ["motor", "position", "velocity", "general"];

/// All classes.
#[derive(Default)]
pub(super) struct Defaults<'t> {
    classes: Vec<Class<'t>>,
}

struct Class<'t> {
    name: &'t str,
    parent: Option<usize>,
    elements: Vec<Element<'t>>,
}

/// An element with what its classes say.
#[derive(Clone)]
pub(super) struct Resolved<'t> {
    pub(super) element: Element<'t>,
    /// Default elements, those of the innermost class first.
    defaults: Vec<Element<'t>>,
}

impl<'t> Resolved<'t> {
    /// The attribute as stated or by default.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'t>> {
        let own = self.element.attribute(name);
        own.or_else(|| self.defaults.iter().find_map(|element| element.peek(name)))
    }

    /// The attribute is left out where it is stated.
    pub(super) fn leave_stated(&self, name: &str) {
        let mut elements = std::iter::once(&self.element).chain(&self.defaults);
        if let Some(element) = elements.find(|element| element.peek(name).is_some()) {
            element.leave_attribute(name, Why::NotSupported);
        }
    }
}

impl<'t> Defaults<'t> {
    pub(super) fn read(reader: &Reader<'_>, root: &Element<'t>) -> Self {
        let mut defaults = Self::default();
        for element in root.children_called("default") {
            // All outermost elements are the same class, whatever it is called.
            let name = element.attribute("class").map(|class| class.value);
            if defaults.classes.is_empty() {
                let name = name.unwrap_or("main");
                defaults.classes.push(Class { name, parent: None, elements: Vec::new() });
            }
            defaults.fill(reader, 0, &element);
        }
        defaults
    }

    fn fill(&mut self, reader: &Reader<'_>, class: usize, element: &Element<'t>) {
        for child in element.children() {
            if child.tag() == "default" {
                child.take();
                let Some(name) = reader.required(&child, "class") else { continue };
                // A class that is stated in parts is one class.
                let known = self.classes.iter().position(|known| known.name == name.value);
                let index = known.unwrap_or_else(|| {
                    let parent = Some(class);
                    self.classes.push(Class { name: name.value, parent, elements: Vec::new() });
                    self.classes.len() - 1
                });
                self.fill(reader, index, &child);
            } else if let Some((_, attributes)) = KNOWN.iter().find(|(tag, _)| *tag == child.tag())
            {
                child.take();
                for attribute in *attributes {
                    child.attribute(attribute);
                }
                // What is stated later counts more.
                self.classes[class].elements.insert(0, child);
            }
        }
    }

    /// The class that an attribute names.
    pub(super) fn class(
        &self,
        reader: &Reader<'_>,
        attribute: Option<Attribute<'_>>,
    ) -> Option<usize> {
        let attribute = attribute?;
        let found = self.classes.iter().position(|class| class.name == attribute.value);
        let is_main = attribute.value == "main" && self.classes.is_empty();
        if found.is_none() && !is_main {
            let kind =
                FaultKind::Unknown { what: "default class", name: attribute.value.to_owned() };
            reader.fault(attribute.place, kind);
        }
        found
    }

    /// The element with its defaults; `childclass` is the one in force around it.
    pub(super) fn resolve(
        &self,
        reader: &Reader<'_>,
        element: &Element<'t>,
        childclass: Option<usize>,
    ) -> Resolved<'t> {
        let element = element.take();
        let stated = self.class(reader, element.attribute("class"));
        let mut at = stated.or(childclass).or(if self.classes.is_empty() { None } else { Some(0) });
        let tag = element.tag();
        let serves =
            |other: &str| other == tag || (ACTUATORS.contains(&tag) && ACTUATORS.contains(&other));
        let mut defaults = Vec::new();
        // A class is stated after the one around it, so this ends.
        while let Some(class) = at.and_then(|index| self.classes.get(index)) {
            defaults.extend(class.elements.iter().filter(|element| serves(element.tag())));
            at = class.parent;
        }
        Resolved { element, defaults }
    }
}
