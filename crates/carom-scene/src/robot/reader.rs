//! What readers of both formats share: texts, faults, and attributes as numbers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::DVec3;

use super::fault::{Fault, FaultKind, Leftover};
use super::inertias::Doubt;
use super::xml::{Attribute, Element, RobotLimits, Xml};
use super::{Imported, Robot};
use crate::files::Files;
use crate::load::Source;
use crate::problem::{FileId, Place, Problems, Severity, Sources};

/// How to read the file of a robot.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Folders to search: `package://NAME/PATH` is looked for as NAME/PATH in each of them, and as PATH in one that is
    /// called NAME; other mesh files are looked for in them after the folder of the file.
    pub search: Vec<PathBuf>,
    /// Whether links that move with an inertia that no body has get the mean of their moments instead of an error.
    pub balance_inertia: bool,
    /// Bounds on what the file may ask for.
    pub limits: RobotLimits,
}

/// Everything at hand while a robot is read.
pub(super) struct Reader<'a> {
    pub(super) options: &'a ReadOptions,
    pub(super) files: &'a dyn Files,
    faults: RefCell<Vec<Fault>>,
    pub(super) doubts: RefCell<Vec<Doubt>>,
}

/// A text that is to be parsed.
pub(super) struct RobotText {
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    /// The folder it lies in.
    pub(super) folder: PathBuf,
    /// As [`Xml::includes`].
    includes: BTreeMap<usize, usize>,
}

/// All texts of a robot, the first one the file itself.
pub(super) struct RobotTexts {
    pub(super) sources: Sources,
    pub(super) texts: Vec<RobotText>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(options: &'a ReadOptions, files: &'a dyn Files) -> Self {
        Self { options, files, faults: RefCell::default(), doubts: RefCell::default() }
    }

    pub(super) fn fault(&self, place: impl Into<Option<Place>>, kind: FaultKind) {
        self.faults.borrow_mut().push(Fault { kind, place: place.into() });
    }

    pub(super) fn has_errors(&self) -> bool {
        self.faults.borrow().iter().any(|fault| fault.kind.severity() == Severity::Error)
    }

    /// The texts of a robot; `with_includes` follows `<include file="…"/>`.
    pub(super) fn texts(&self, source: &Source, with_includes: bool) -> RobotTexts {
        let mut all = RobotTexts { sources: Sources::default(), texts: Vec::new() };
        let mut n_bytes = 0;
        match source {
            Source::Text { name, text, folder } => {
                if self.counts(text.len() as u64, &mut n_bytes, None) {
                    all.add(name.clone(), Arc::from(text.as_str()), folder.clone());
                }
            }
            Source::Path(path) => self.add_file(path, &mut all, &mut n_bytes, None),
        }
        let mut seen: Vec<PathBuf> = match source {
            Source::Path(path) => self.files.resolve(path).into_iter().collect(),
            Source::Text { .. } => Vec::new(),
        };
        let mut next = 0;
        while with_includes && next < all.texts.len() {
            self.add_includes(next, &mut all, &mut seen, &mut n_bytes);
            next += 1;
        }
        all
    }

    fn counts(&self, more: u64, n_bytes: &mut u64, place: Option<Place>) -> bool {
        *n_bytes += more;
        let limit = self.options.limits.text_bytes;
        let fits = *n_bytes <= limit;
        if !fits {
            self.fault(place, FaultKind::TooLarge { what: "the texts have more bytes", limit });
        }
        fits
    }

    fn add_file(&self, path: &Path, all: &mut RobotTexts, n_bytes: &mut u64, place: Option<Place>) {
        let name = path.display().to_string();
        let left = self.options.limits.text_bytes.saturating_sub(*n_bytes);
        let text = self.files.read(path, left).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not a text in UTF-8"))
        });
        match text {
            Ok(text) => {
                *n_bytes += text.len() as u64;
                let folder = path.parent().map(Path::to_owned).unwrap_or_default();
                all.add(name, Arc::from(text), folder);
            }
            Err(cause) => {
                let cause = cause.to_string();
                self.fault(place, FaultKind::Unreadable { name, cause });
            }
        }
    }

    /// Adds the files that one of the texts includes.
    fn add_includes(
        &self,
        index: usize,
        all: &mut RobotTexts,
        seen: &mut Vec<PathBuf>,
        n_bytes: &mut u64,
    ) {
        let (file, text) = (all.texts[index].file, Arc::clone(&all.texts[index].text));
        // A text that is not XML is told when it is parsed for good.
        let Ok(xml) = Xml::parse(file, &text, &self.options.limits) else { return };
        // Included paths start from the folder of the first file.
        let folder = all.texts[0].folder.clone();
        for (number, element) in xml.elements(&[]).filter(|(_, element)| element.tag() == "include")
        {
            let Some(named) = element.peek("file") else { continue };
            let place = Some(named.place);
            let Ok(path) = self.files.resolve(&folder.join(named.value)) else {
                let kind = FaultKind::Unknown { what: "file", name: named.value.to_owned() };
                self.fault(place, kind);
                continue;
            };
            let limit = self.options.limits.files;
            if seen.contains(&path) {
                self.fault(place, FaultKind::Twice(format!("include file=\"{}\"", named.value)));
            } else if all.texts.len() as u64 > limit {
                self.fault(place, FaultKind::TooLarge { what: "more files are included", limit });
                return;
            } else {
                seen.push(path.clone());
                let at = all.texts.len();
                self.add_file(&path, all, n_bytes, place);
                if all.texts.len() > at {
                    all.texts[index].includes.insert(number, at);
                }
            }
        }
    }

    /// Parses all texts; none if one is refused.
    pub(super) fn parse<'t>(&self, texts: &'t RobotTexts) -> Option<Vec<Xml<'t>>> {
        let mut parsed = Vec::new();
        for text in &texts.texts {
            match Xml::parse(text.file, &text.text, &self.options.limits) {
                Ok(mut xml) => {
                    xml.includes.clone_from(&text.includes);
                    parsed.push(xml);
                }
                Err((kind, range)) => self.fault(Place::new(text.file, range), kind),
            }
        }
        let is_whole = parsed.len() == texts.texts.len() && !parsed.is_empty();
        is_whole.then_some(parsed)
    }

    /// The outermost element, if it is the one expected.
    pub(super) fn root<'t>(
        &self,
        xmls: &'t [Xml<'t>],
        expected: &'static str,
    ) -> Option<Element<'t>> {
        let root = xmls.first()?.root(xmls).take();
        if root.tag() != expected {
            let found = root.tag().to_owned();
            self.fault(root.place(), FaultKind::WrongRoot { found, expected });
            return None;
        }
        Some(root)
    }

    /// Puts everything together.
    pub(super) fn finish(
        self,
        mut robot: Option<Robot>,
        leftovers: Vec<Leftover>,
        sources: Sources,
    ) -> Imported {
        self.settle_inertias(robot.as_mut());
        let faults = self.faults.into_inner();
        let mut problems = Problems::new(Arc::new(sources));
        for fault in &faults {
            problems.push(fault.problem());
        }
        for (index, leftover) in leftovers.iter().enumerate().filter(|(_, left)| !left.is_nested) {
            let within = leftovers[index + 1..].iter().take_while(|left| left.is_nested);
            problems.push(leftover.problem(within.count()));
        }
        problems.sort();
        let robot = robot.filter(|_| !problems.has_errors());
        Imported { robot, problems, faults, leftovers }
    }
}

impl RobotTexts {
    fn add(&mut self, name: String, text: Arc<str>, folder: PathBuf) {
        let file = self.sources.add(name, Arc::clone(&text));
        self.texts.push(RobotText { file, text, folder, includes: BTreeMap::new() });
    }
}

/// Attributes as values.
impl Reader<'_> {
    /// The attribute of an element that cannot do without.
    pub(super) fn required<'t>(
        &self,
        element: &Element<'t>,
        attribute: &'static str,
    ) -> Option<Attribute<'t>> {
        let found = element.attribute(attribute);
        if found.is_none() {
            let kind = FaultKind::MissingAttribute { element: element.tag().to_owned(), attribute };
            self.fault(element.place(), kind);
        }
        found
    }

    pub(super) fn bad_value(&self, attribute: &Attribute<'_>, expected: impl Into<String>) {
        // Long values are cut: the place shows them.
        let found: String = attribute.value.chars().take(60).collect();
        let kind = FaultKind::BadValue {
            attribute: attribute.name.to_owned(),
            expected: expected.into(),
            found,
        };
        self.fault(attribute.place, kind);
    }

    /// All numbers of an attribute; none, with a fault noted, if one is no finite number.
    pub(super) fn numbers(&self, attribute: &Attribute<'_>) -> Option<Vec<f64>> {
        let mut numbers = Vec::new();
        for word in attribute.value.split_ascii_whitespace() {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                Ok(_) => {
                    self.fault(attribute.place, FaultKind::NotFinite(attribute.name.to_owned()));
                    return None;
                }
                Err(_) => {
                    self.bad_value(attribute, "numbers with blanks between them");
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// Exactly `N` numbers, if the attribute is there.
    pub(super) fn exactly<const N: usize>(
        &self,
        attribute: Option<Attribute<'_>>,
    ) -> Option<[f64; N]> {
        let attribute = attribute?;
        let numbers = self.numbers(&attribute)?;
        let found = <[f64; N]>::try_from(numbers).ok();
        if found.is_none() {
            let what = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
            self.bad_value(&attribute, what);
        }
        found
    }

    pub(super) fn number(&self, attribute: Option<Attribute<'_>>) -> Option<f64> {
        self.exactly::<1>(attribute).map(|[number]| number)
    }

    pub(super) fn vector(&self, attribute: Option<Attribute<'_>>) -> Option<DVec3> {
        self.exactly::<3>(attribute).map(DVec3::from_array)
    }

    /// A number that must be positive.
    pub(super) fn positive(&self, attribute: Option<Attribute<'_>>) -> Option<f64> {
        let attribute = attribute?;
        let value = self.number(Some(attribute))?;
        self.is_positive(&attribute, &[value]).then_some(value)
    }

    /// Whether all values are positive; a fault is noted otherwise.
    pub(super) fn is_positive(&self, attribute: &Attribute<'_>, values: &[f64]) -> bool {
        let bad = values.iter().find(|value| **value <= 0.0);
        if let Some(value) = bad {
            let kind =
                FaultKind::NotPositive { attribute: attribute.name.to_owned(), value: *value };
            self.fault(attribute.place, kind);
        }
        bad.is_none()
    }

    /// The unit vector along an axis; `must_be_unit` warns of other lengths.
    pub(super) fn axis(
        &self,
        axis: DVec3,
        joint: &str,
        place: Place,
        must_be_unit: bool,
    ) -> Option<DVec3> {
        let length = axis.length();
        let Some(unit) = axis.try_normalize() else {
            self.fault(place, FaultKind::ZeroAxis { joint: joint.to_owned() });
            return None;
        };
        if must_be_unit && (length - 1.0).abs() > AXIS_LENGTH {
            self.fault(place, FaultKind::AxisNotUnit { joint: joint.to_owned(), length });
        }
        // A vector that is unit already keeps its bits.
        Some(if length == 1.0 { axis } else { unit })
    }
}

/// How far the length of an axis may be from 1 without a warning `[-]`.
///
/// Files print 0.707 for √½. Smaller warns of honest digits; larger hides an axis that means something else.
const AXIS_LENGTH: f64 = 1e-3;
