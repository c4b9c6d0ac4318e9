//! XML with a memory: every element and attribute knows its place and whether somebody has read it.
//!
//! Documents are parsed by `roxmltree` without document types and so without entities of their own. What nobody
//! has marked as read when the reading is over is a [`Leftover`].

use std::cell::RefCell;
use std::collections::BTreeMap;

use roxmltree::{Document, Node, NodeType, ParsingOptions};

use super::fault::{FaultKind, Leftover, Why};
use crate::problem::{FileId, Place};

/// Bounds on what one file may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotLimits {
    /// Bytes of all texts together; by default 64 MiB.
    pub text_bytes: u64,
    /// Elements within elements; by default 256.
    pub depth: u64,
    /// Elements, texts and comments of one file; by default one million.
    pub nodes: u64,
    /// Files that are included; by default 1000.
    pub files: u64,
}

impl Default for RobotLimits {
    fn default() -> Self {
        Self { text_bytes: 64 << 20, depth: 256, nodes: 1_000_000, files: 1000 }
    }
}

/// What was said of an element (second number 0) or one of its attributes (from 1).
type Marks = RefCell<BTreeMap<(usize, usize), Option<Why>>>;

/// One parsed file.
pub(super) struct Xml<'t> {
    pub(super) file: FileId,
    document: Document<'t>,
    marks: Marks,
    /// Files that stand in the place of an element, by its number: indices into the list of files.
    pub(super) includes: BTreeMap<usize, usize>,
}

/// Why a text was refused, and where.
pub(super) type Refused = (FaultKind, std::ops::Range<usize>);

impl<'t> Xml<'t> {
    pub(super) fn parse(
        file: FileId,
        text: &'t str,
        limits: &RobotLimits,
    ) -> Result<Self, Refused> {
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: u32::try_from(limits.nodes).unwrap_or(u32::MAX),
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options)
            .map_err(|error| refused(text, &error, limits))?;
        let mut depths = Vec::new();
        for node in document.descendants() {
            let above = node.parent().map_or(0, |parent| depths[parent.id().get_usize()]);
            depths.push(above + 1);
            if above > limits.depth {
                let what = "elements are nested deeper";
                let start = node.range().start;
                return Err((FaultKind::TooLarge { what, limit: limits.depth }, start..start + 1));
            }
        }
        Ok(Self { file, document, marks: RefCell::default(), includes: BTreeMap::new() })
    }

    pub(super) fn root(&'t self, all: &'t [Self]) -> Element<'t> {
        Element { xml: self, all, node: self.document.root_element() }
    }

    /// All elements of this file, numbered as in [`Self::includes`].
    pub(super) fn elements(
        &'t self,
        all: &'t [Self],
    ) -> impl Iterator<Item = (usize, Element<'t>)> {
        let elements = self.document.descendants().filter(Node::is_element);
        elements.map(move |node| (node.id().get_usize(), Element { xml: self, all, node }))
    }

    /// Everything that nobody has read; `reason` answers for what nobody spoke of, by element and attribute.
    pub(super) fn leftovers(
        &'t self,
        all: &'t [Self],
        reason: impl Fn(&[&str], Option<&str>) -> Why,
    ) -> Vec<Leftover> {
        let marks = self.marks.borrow();
        let mut leftovers = Vec::new();
        // Elements from the root to the present one, and why the outermost unread one was not read.
        let mut path: Vec<(&str, Option<Why>)> = Vec::new();
        for node in self.document.descendants() {
            let depth = node.ancestors().count().saturating_sub(2);
            path.truncate(depth);
            let above = path.last().and_then(|(_, why)| *why);
            let element = Element { xml: self, all, node };
            if node.is_text() {
                let text = node.text().unwrap_or_default().trim();
                if !text.is_empty() && above.is_none() {
                    let names: Vec<&str> = path.iter().map(|(name, _)| *name).collect();
                    let place = Place::new(self.file, node.range());
                    let path = format!("{}@text", names.join("/"));
                    leftovers.push(Leftover {
                        place,
                        path,
                        why: Why::NotSupported,
                        is_nested: false,
                    });
                }
            }
            if node.node_type() != NodeType::Element {
                continue;
            }
            let id = node.id().get_usize();
            path.push((element.tag(), above));
            let names: Vec<&str> = path.iter().map(|(name, _)| *name).collect();
            let why = match marks.get(&(id, 0)) {
                _ if above.is_some() => above,
                Some(None) => None,
                Some(stated) => *stated,
                None => Some(reason(&names, None)),
            };
            if let Some(why) = why {
                let (place, path) = (element.place(), names.join("/"));
                leftovers.push(Leftover { place, path, why, is_nested: above.is_some() });
            }
            for (index, attribute) in element.attributes().enumerate() {
                let stated = marks.get(&(id, index + 1)).copied();
                let of_attribute = match (why, stated) {
                    (Some(why), _) | (None, Some(Some(why))) => why,
                    (None, Some(None)) => continue,
                    (None, None) => reason(&names, Some(attribute.name)),
                };
                let path = format!("{}@{}", names.join("/"), attribute.name);
                let place = attribute.place;
                leftovers.push(Leftover {
                    place,
                    path,
                    why: of_attribute,
                    is_nested: why.is_some(),
                });
            }
            if let Some(last) = path.last_mut() {
                last.1 = why;
            }
        }
        leftovers
    }
}

/// What the parser says, with the place it means.
fn refused(text: &str, error: &roxmltree::Error, limits: &RobotLimits) -> Refused {
    let kind = match error {
        roxmltree::Error::NodesLimitReached => {
            FaultKind::TooLarge { what: "there are more elements", limit: limits.nodes }
        }
        roxmltree::Error::DtdDetected => {
            FaultKind::Xml("document types and entities are not read".to_owned())
        }
        other => FaultKind::Xml(format!("the file is not valid XML: {other}")),
    };
    if matches!(error, roxmltree::Error::DtdDetected) {
        // The parser does not say where; remarks before it may speak of one, too.
        return (kind, document_type(text));
    }
    let position = error.pos();
    let line_start: usize = (text.split_inclusive('\n'))
        .take((position.row as usize).saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text.get(line_start..).unwrap_or_default();
    let within = line.char_indices().nth((position.col as usize).saturating_sub(1));
    let start = (line_start + within.map_or(0, |(at, _)| at)).min(text.len());
    let end = text.ceil_char_boundary((start + 1).min(text.len()));
    (kind, text.floor_char_boundary(start)..end)
}

/// Where the document type is declared: outside of remarks and instructions, before the first element.
fn document_type(text: &str) -> std::ops::Range<usize> {
    const DECLARED: &str = "<!DOCTYPE";
    let mut at = 0;
    while let Some(next) = text[at..].find('<').map(|next| at + next) {
        let rest = &text[next..];
        let end = if rest.starts_with(DECLARED) {
            return next..next + DECLARED.len();
        } else if rest.starts_with("<!--") {
            rest.find("-->")
        } else if rest.starts_with("<?") {
            rest.find("?>")
        } else {
            None
        };
        let Some(end) = end else { break };
        at = next + end;
    }
    0..text.ceil_char_boundary(1.min(text.len()))
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'t> {
    xml: &'t Xml<'t>,
    all: &'t [Xml<'t>],
    node: Node<'t, 't>,
}

/// An attribute with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute<'t> {
    pub(super) name: &'t str,
    pub(super) value: &'t str,
    pub(super) place: Place,
}

impl<'t> Element<'t> {
    /// Its name as it is written, with a prefix if it has one.
    pub(super) fn tag(&self) -> &'t str {
        let text = self.node.document().input_text();
        let name = text.get(self.node.range().start + 1..).unwrap_or_default();
        let end = name.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>');
        &name[..end.unwrap_or(name.len())]
    }

    /// Where its name stands.
    pub(super) fn place(&self) -> Place {
        let start = self.node.range().start + 1;
        Place::new(self.xml.file, start..start + self.tag().len())
    }

    fn attributes(&self) -> impl Iterator<Item = Attribute<'t>> + use<'t> {
        let file = self.xml.file;
        let text = self.node.document().input_text();
        self.node.attributes().map(move |attribute| Attribute {
            name: text.get(attribute.range_qname()).unwrap_or_default(),
            value: attribute.value(),
            place: Place::new(file, attribute.range()),
        })
    }

    /// An attribute, which counts as read from now on.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute<'t>> {
        let (index, found) =
            self.attributes().enumerate().find(|(_, attribute)| attribute.name == name)?;
        self.mark_number(index + 1, None);
        Some(found)
    }

    /// An attribute, which nobody need have read.
    pub(super) fn peek(&self, name: &str) -> Option<Attribute<'t>> {
        self.attributes().find(|attribute| attribute.name == name)
    }

    /// Counts as read from now on; its attributes and children do not.
    pub(super) fn take(&self) -> Self {
        self.mark_number(0, None);
        *self
    }

    /// Is left out, with all that is in it, whoever has read it.
    pub(super) fn leave(&self, why: Why) {
        self.mark_number(0, Some(why));
    }

    /// The attribute is left out, whoever has read it.
    pub(super) fn leave_attribute(&self, name: &str, why: Why) {
        if let Some(index) = self.attributes().position(|attribute| attribute.name == name) {
            self.mark_number(index + 1, Some(why));
        }
    }

    /// What is left out stays so, whoever reads it afterwards.
    fn mark_number(&self, number: usize, mark: Option<Why>) {
        let mut marks = self.xml.marks.borrow_mut();
        let known = marks.entry((self.node.id().get_usize(), number)).or_insert(mark);
        *known = known.or(mark);
    }

    /// The elements in it, those of included files among them.
    pub(super) fn children(&self) -> Vec<Self> {
        let mut children = Vec::new();
        for node in self.node.children().filter(Node::is_element) {
            let element = Self { node, ..*self };
            match self.xml.includes.get(&node.id().get_usize()) {
                Some(index) => {
                    element.take();
                    element.attribute("file");
                    let root = self.all[*index].root(self.all).take();
                    root.attribute("model");
                    children.extend(root.children());
                }
                None => children.push(element),
            }
        }
        children
    }

    /// All children of a name, read.
    pub(super) fn children_called(&self, tag: &str) -> Vec<Self> {
        let children = self.children().into_iter();
        children.filter(|child| child.tag() == tag).map(|child| child.take()).collect()
    }
}
