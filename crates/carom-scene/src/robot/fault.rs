//! What may be wrong with the file of a robot, and what of it was left out.

use carom_geometry::MassError;
use carom_geometry::mass::InertiaFault;
use thiserror::Error;

use crate::problem::{Place, Problem, Severity};

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where; none if there is no text to show.
    pub place: Option<Place>,
}

/// What is wrong with the file of a robot.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The file cannot be read.
    #[error("cannot read {name}: {cause}")]
    Unreadable {
        /// Name of the file.
        name: String,
        /// What the system says.
        cause: String,
    },
    /// The text is not XML, or XML of a kind that is refused.
    #[error("{0}")]
    Xml(String),
    /// Texts that are too long, too deep or too many.
    #[error("{what} than the limit of {limit}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// The outermost element is another one.
    #[error("the file begins with <{found}>, not with <{expected}>")]
    WrongRoot {
        /// The outermost element.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// An attribute is missing.
    #[error("<{element}> has no `{attribute}`")]
    MissingAttribute {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
    },
    /// An element is missing.
    #[error("<{element}> has no <{child}> in it")]
    MissingElement {
        /// The outer element.
        element: String,
        /// The missing one.
        child: &'static str,
    },
    /// There may be one of these only.
    #[error("there is a second <{0}>")]
    Twice(String),
    /// Not a number where one is needed.
    #[error("`{attribute}` must be {expected}, not \"{found}\"")]
    BadValue {
        /// The attribute.
        attribute: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
    /// NaN or infinity.
    #[error("`{0}` must be finite")]
    NotFinite(String),
    /// A size that must be positive is not.
    #[error("`{attribute}` must be positive, not {value}")]
    NotPositive {
        /// The attribute.
        attribute: String,
        /// Its value.
        value: f64,
    },
    /// A name is used again.
    #[error("two {what} are called \"{name}\"")]
    NameTaken {
        /// Links or joints.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// There is no such thing.
    #[error("there is no {what} \"{name}\"")]
    Unknown {
        /// Link, joint, mesh and so on.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A link that two joints move.
    #[error("the link \"{link}\" is the child of two joints")]
    TwoParents {
        /// The link.
        link: String,
    },
    /// More than one link has no parent.
    #[error("the links \"{first}\" and \"{second}\" both have no parent: a robot has one root")]
    TwoRoots {
        /// The first root.
        first: String,
        /// Another one.
        second: String,
    },
    /// Links that go round in a circle.
    #[error("the joints lead from the link \"{link}\" back to itself")]
    Cycle {
        /// A link of the circle.
        link: String,
    },
    /// No links at all.
    #[error("the robot has no links")]
    NoLinks,
    /// A mass below zero.
    #[error("the mass of \"{link}\" is {mass} kg, but must not be negative")]
    NegativeMass {
        /// The link.
        link: String,
        /// Its mass `[kg]`.
        mass: f64,
    },
    /// An inertia that no body has.
    #[error("inertia of \"{link}\": {fault}")]
    Inertia {
        /// The link.
        link: String,
        /// What is wrong with it.
        fault: InertiaFault,
    },
    /// An inertia that no body has, replaced by another one as the file or the caller asks.
    #[error("inertia of \"{link}\": {fault}; each moment is set to their mean")]
    InertiaBalanced {
        /// The link.
        link: String,
        /// What was wrong with it.
        fault: InertiaFault,
    },
    /// An inertia that no body has, of a link that is fixed to others; together they are a body.
    #[error("inertia of \"{link}\": {fault}; it counts as part of the links it is fixed to")]
    InertiaOfPart {
        /// The link.
        link: String,
        /// What is wrong with it.
        fault: InertiaFault,
    },
    /// An inertia of a link whose mass is zero.
    #[error("the mass of \"{link}\" is zero: its inertia is left out")]
    InertiaWithoutMass {
        /// The link.
        link: String,
    },
    /// A shape that has no mass.
    #[error("mass of \"{link}\": {error}")]
    Mass {
        /// The link.
        link: String,
        /// Why.
        error: MassError,
    },
    /// An axis without direction.
    #[error("the axis of the joint \"{joint}\" is zero")]
    ZeroAxis {
        /// The joint.
        joint: String,
    },
    /// An axis that is not of length 1; its direction is taken.
    #[error("the axis of the joint \"{joint}\" has length {length}, not 1; its direction is taken")]
    AxisNotUnit {
        /// The joint.
        joint: String,
        /// Its length.
        length: f64,
    },
    /// A direction or quaternion of length zero, or axes that are parallel.
    #[error("`{0}` gives no orientation")]
    NoOrientation(String),
    /// Limits the wrong way round.
    #[error("the lower limit {lower} is above the upper limit {upper}")]
    Limits {
        /// Lower limit.
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
    /// A mesh file that is not there.
    #[error("the mesh file \"{name}\" is not found")]
    MeshNotFound {
        /// As the file names it.
        name: String,
        /// Where it was looked for.
        tried: Vec<String>,
    },
    /// A mesh file that cannot be used.
    #[error("the mesh file \"{name}\" cannot be used: {cause}")]
    BadMesh {
        /// As the file names it.
        name: String,
        /// Why.
        cause: String,
    },
    /// A mesh that mass is to be computed of and that bounds no solid.
    #[error(
        "the mesh \"{name}\" does not bound a solid, and programs disagree about its mass: \
         better state the mass of its body"
    )]
    MeshNotSolid {
        /// As the file names it.
        name: String,
    },
    /// A mesh file of a format that scenes do not read.
    #[error("the format of the mesh file \"{name}\" is not supported: scenes leave this shape out")]
    MeshFormat {
        /// As the file names it.
        name: String,
    },
    /// A value that is known, but not supported.
    #[error("{0}")]
    NotSupported(String),
}

impl FaultKind {
    /// Whether the robot can be used all the same.
    pub const fn severity(&self) -> Severity {
        match self {
            Self::AxisNotUnit { .. }
            | Self::MeshFormat { .. }
            | Self::MeshNotSolid { .. }
            | Self::InertiaBalanced { .. }
            | Self::InertiaOfPart { .. }
            | Self::InertiaWithoutMass { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// What to do about it.
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::MeshNotFound { tried, .. } => {
                format!("looked for {}; name the folder to search", tried.join(", "))
            }
            Self::WrongRoot { .. } => {
                "URDF begins with <robot>, MJCF with <mujoco>; xacro files are to be expanded first"
                    .to_owned()
            }
            Self::MeshFormat { .. } => "STL, OBJ, PLY and glTF are; convert the file".to_owned(),
            Self::TwoRoots { .. } => {
                "join them by a fixed joint, or take one of them out".to_owned()
            }
            Self::Inertia { .. } => {
                "correct the file, or have the moments of such links balanced".to_owned()
            }
            _ => return None,
        })
    }
}

impl Fault {
    /// As a problem to be shown.
    pub fn problem(&self) -> Problem {
        let message = self.kind.to_string();
        let mut problem = match (self.place, self.kind.severity()) {
            (Some(place), Severity::Error) => Problem::error(place, message),
            (Some(place), Severity::Warning) => Problem::warning(place, message),
            (None, _) => Problem::placeless(message),
        };
        problem.hint = self.kind.hint();
        problem
    }
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Carom has nothing that would do this.
    NotSupported,
    /// It is about other programs, or about how something is computed rather than about the robot.
    NoMeaning,
}

/// An element, an attribute or a text that nothing was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Where it is.
    pub place: Place,
    /// The elements that lead to it, an attribute after an `@`: `mujoco/option@timestep`.
    pub path: String,
    /// Why.
    pub why: Why,
    /// Whether it is inside an element that is itself left out.
    pub is_nested: bool,
}

impl Leftover {
    /// `n_within` counts what is left out inside it.
    pub(super) fn problem(&self, n_within: usize) -> Problem {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        let what = match last.split_once('@') {
            Some((element, attribute)) => format!("`{attribute}` of <{element}>"),
            None => format!("<{last}>"),
        };
        let why = match self.why {
            Why::NotSupported => "is not supported",
            Why::NoMeaning => "has no meaning here",
        };
        let within = match n_within {
            0 => String::new(),
            n => format!(", with all it holds ({n} elements and attributes)"),
        };
        Problem::warning(self.place, format!("{what} {why} and is left out{within}"))
    }
}
