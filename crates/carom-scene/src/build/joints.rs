//! Joints and their copies.

use carom::{JointKind, Strength};
use glam::{DQuat, DVec3};

use super::Builder;
use super::names::Named;
use super::repeat::CopyPlace;
use super::trees::Told;
use crate::decode::{Number, Numbers, Ranges, Vector};
use crate::format::{JointTable, StrengthTable};
use crate::joint::{Freedom, Joint};
use crate::limits::Limit;
use crate::load::Document;
use crate::problem::{Place, Problem};

/// The kinds of joints, before anything is known of their axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Revolute,
    Prismatic,
    Screw,
    Cylindrical,
    Planar,
    Universal,
    Spherical,
    Fixed,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Revolute,
        Self::Prismatic,
        Self::Screw,
        Self::Cylindrical,
        Self::Planar,
        Self::Universal,
        Self::Spherical,
        Self::Fixed,
    ];

    /// The kind with these axes and this pitch, as far as it has them.
    const fn with(self, [axis, second]: [DVec3; 2], pitch: f64) -> JointKind {
        match self {
            Self::Revolute => JointKind::Revolute { axis },
            Self::Prismatic => JointKind::Prismatic { axis },
            Self::Screw => JointKind::Screw { axis, pitch },
            Self::Cylindrical => JointKind::Cylindrical { axis },
            Self::Planar => JointKind::Planar { normal: axis },
            Self::Universal => JointKind::Universal { first: axis, second },
            Self::Spherical => JointKind::Spherical,
            Self::Fixed => JointKind::Fixed,
        }
    }

    const fn any(self) -> JointKind {
        self.with([DVec3::X, DVec3::Y], 0.0)
    }

    const fn name(self) -> &'static str {
        self.any().name()
    }

    const fn freedoms(self) -> usize {
        self.any().freedoms()
    }

    const fn n_axes(self) -> usize {
        match self {
            Self::Spherical | Self::Fixed => 0,
            Self::Universal => 2,
            _ => 1,
        }
    }
}

impl Builder<'_, '_> {
    pub(super) fn add_joints(&mut self, documents: &[Document]) {
        let mut is_complete = true;
        for document in documents {
            let Some(tables) = &document.table.joint else { continue };
            is_complete &= tables.broken.is_empty();
            self.others.note_broken(Named::Joint, &tables.broken);
            for table in &tables.tables {
                let is_made = self.add_joint(table).is_some();
                if !is_made {
                    self.others.note_unmade(Named::Joint, &table.name);
                }
                is_complete &= is_made && !table.faulty;
            }
        }
        // Where a joint could not be made, what hangs on nothing may hang on that one.
        if is_complete {
            self.check_massless();
        }
    }

    /// Adds a joint and its copies; none if one has a mistake, after which no more copies are made.
    fn add_joint(&mut self, table: &JointTable) -> Option<()> {
        let most = self.loader.options.limits.bodies.saturating_sub(self.joints.len() as u64);
        let copies =
            self.copies(table.repeat.as_ref(), &table.name.value, (most, Limit::Bodies))?;
        for index in 0..copies.count() {
            let copy = copies.get(index);
            self.copy = copy.numbers;
            let joint = self.make_joint(table, &copy, index);
            self.copy = None;
            let joint = joint?;
            if let (Some(parent), false) = (joint.parent, joint.collide) {
                self.exclusions.insert([parent.min(joint.child), parent.max(joint.child)]);
            }
            self.carried_by.insert(joint.child, self.joints.len());
            self.joints.push(joint);
        }
        Some(())
    }

    fn make_joint(&mut self, table: &JointTable, copy: &CopyPlace, index: usize) -> Option<Joint> {
        // Everything is evaluated before the first mistake ends the joint, so that each is told.
        let name =
            self.own_name(&table.name, copy.numbers.is_some().then_some(index), Named::Joint);
        let ends = self.joint_ends(table);
        let kind = self.word(Some(&table.kind), ("kind", "a joint cannot be"), |name| {
            let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
            found.ok_or_else(|| Kind::ALL.map(Kind::name).to_vec())
        });
        let kind = kind?;
        let at = self.joint_place(table, kind, copy.offset);
        let axes = self.joint_axes(table, kind, copy.turn);
        let pitch = self.pitch(table, kind);
        let start = self.start(table, kind);
        let velocity = table.velocity.as_ref().map(|it| self.each(it, "velocity", kind));
        let freedoms = self.freedoms(table, kind);
        let strength = table.breaks.as_ref().map(|it| self.strength(it));
        let velocity = match velocity {
            Some(velocity) => Some(velocity?),
            None => None,
        };
        let strength = match strength {
            Some(strength) => strength?,
            None => Strength::UNBREAKABLE,
        };
        let (parent, child) = ends?;
        let (start, freedoms) = (start?, freedoms?);
        self.warn_beyond_limits(table, &start, &freedoms);
        Some(Joint {
            name: name?,
            kind: kind.with(axes?, pitch?),
            parent,
            child,
            at: at.ok()?,
            start,
            velocity,
            freedoms,
            strength,
            collide: table.collide.is_some_and(|collide| collide.value),
            place: table.place,
        })
    }

    /// Where it is, if that is stated.
    fn joint_place(
        &mut self,
        table: &JointTable,
        kind: Kind,
        offset: DVec3,
    ) -> Result<Option<DVec3>, Told> {
        let Some(at) = &table.at else {
            if kind == Kind::Fixed {
                return Ok(None);
            }
            if !table.faulty {
                let problem = Problem::error(table.place, "where is the joint? `at` is missing")
                    .hint("give a point of its axis in the world, such as at = [0, 0, 1]");
                self.report(problem);
            }
            return Err(Told);
        };
        let place = at.place;
        let at = self.vector(at).ok_or(Told)? + offset;
        if !at.is_finite() {
            self.error(place, "the point overflows: numbers reach up to about 1.8e308");
            return Err(Told);
        }
        Ok(Some(at))
    }

    /// Its axes; those that its kind does not have are none's.
    fn joint_axes(&mut self, table: &JointTable, kind: Kind, turn: DQuat) -> Option<[DVec3; 2]> {
        let stated: Vec<&Vector> = table.axis.iter().chain(table.axes.iter().flatten()).collect();
        let key = if table.axes.is_some() { "axes" } else { "axis" };
        let axes: Vec<Option<DVec3>> =
            stated.iter().map(|axis| self.direction(axis, key)).collect();
        let axes: Vec<DVec3> = axes.into_iter().collect::<Option<_>>()?;
        if axes.len() == kind.n_axes() {
            let axis = |index: usize| axes.get(index).map_or(DVec3::Z, |axis| turn * *axis);
            return Some([axis(0), axis(1)]);
        }
        if table.faulty && axes.is_empty() {
            return None;
        }
        let place = stated.first().map_or(table.place, |axis| axis.place);
        let name = kind.name();
        let problem = match kind.n_axes() {
            0 => Problem::error(place, format!("a {name} joint has no axis")),
            1 => Problem::error(place, format!("a {name} joint has one axis"))
                .hint("such as axis = [0, 0, 1]"),
            _ => Problem::error(place, format!("a {name} joint has two axes"))
                .hint("such as axes = [[1, 0, 0], [0, 1, 0]], that of the parent first"),
        };
        self.report(problem.label(given(axes.len())));
        None
    }

    /// Advance per radian; zero of what is no screw `[m/rad]`.
    fn pitch(&mut self, table: &JointTable, kind: Kind) -> Option<f64> {
        match (&table.pitch, kind) {
            (Some(pitch), Kind::Screw) => {
                self.number(pitch).map(|per_turn| per_turn / std::f64::consts::TAU)
            }
            (Some(pitch), _) => {
                self.error(pitch.place, "only a screw has a pitch");
                None
            }
            (None, Kind::Screw) => {
                if !table.faulty {
                    let problem = Problem::error(table.place, "how steep? `pitch` is missing")
                        .hint("its advance per turn in metres, such as pitch = 0.002");
                    self.report(problem);
                }
                None
            }
            (None, _) => Some(0.0),
        }
    }

    fn start(&mut self, table: &JointTable, kind: Kind) -> Option<Vec<f64>> {
        match &table.start {
            None if kind == Kind::Spherical => Some(Vec::new()),
            None => Some(vec![0.0; kind.freedoms()]),
            Some(numbers) if kind == Kind::Spherical => {
                let problem =
                    Problem::error(numbers.place, "a spherical joint has no coordinates to state")
                        .hint("it starts as its bodies stand");
                self.report(problem);
                None
            }
            Some(numbers) => self.each(numbers, "start", kind),
        }
    }

    fn freedoms(&mut self, table: &JointTable, kind: Kind) -> Option<Vec<Freedom>> {
        let not_negative = |it: &mut Self, number: &Number, key: &str| it.not_negative(number, key);
        let any = |it: &mut Self, number: &Number, _: &str| it.number(number);
        let share = |it: &mut Self, number: &Number, key: &str| it.share(number, key);
        let damping = self.per_freedom(table.damping.as_ref(), "damping", kind, not_negative);
        let stiffness = self.per_freedom(table.stiffness.as_ref(), "stiffness", kind, not_negative);
        let rest = self.per_freedom(table.rest.as_ref(), "rest", kind, any);
        let armature = self.per_freedom(table.armature.as_ref(), "armature", kind, not_negative);
        let friction = self.per_freedom(table.friction.as_ref(), "friction", kind, not_negative);
        let bounce = self.per_freedom(table.restitution.as_ref(), "restitution", kind, share);
        let effort = self.per_freedom(table.effort.as_ref(), "effort", kind, not_negative);
        let speed = self.per_freedom(table.speed.as_ref(), "speed", kind, not_negative);
        let limits = self.limits(table.limits.as_ref(), kind);
        let (damping, stiffness, rest, armature) = (damping?, stiffness?, rest?, armature?);
        let (friction, bounce, effort, speed) = (friction?, bounce?, effort?, speed?);
        let limits = limits?;
        let freedom = |at: usize| Freedom {
            damping: damping[at].unwrap_or_default(),
            stiffness: stiffness[at].unwrap_or_default(),
            rest: rest[at].unwrap_or_default(),
            armature: armature[at].unwrap_or_default(),
            friction: friction[at].unwrap_or_default(),
            limits: limits[at],
            restitution: bounce[at].unwrap_or_default(),
            effort: effort[at],
            speed: speed[at],
        };
        Some((0..kind.freedoms()).map(freedom).collect())
    }

    /// What the joint can carry.
    fn strength(&mut self, table: &StrengthTable) -> Option<Strength> {
        let mut most = |number: Option<&Number>, key: &str| {
            number.map_or(Some(f64::INFINITY), |number| self.positive(number, key))
        };
        let (force, torque) =
            (most(table.force.as_ref(), "force"), most(table.torque.as_ref(), "torque"));
        let impulse = most(table.impulse.as_ref(), "impulse");
        let angular_impulse = most(table.angular_impulse.as_ref(), "angular_impulse");
        let (force, torque) = (force?, torque?);
        let strength =
            Strength { force, torque, impulse: impulse?, angular_impulse: angular_impulse? };
        if !strength.is_breakable() && !table.faulty {
            let problem = Problem::error(table.place, "what is too much? nothing is said")
                .hint("such as breaks = { force = 500 }, in newtons");
            self.report(problem);
            return None;
        }
        Some(strength)
    }

    /// One number for all freedoms, or one for each; none in each where nothing is said.
    fn per_freedom(
        &mut self,
        numbers: Option<&Numbers>,
        key: &str,
        kind: Kind,
        value: impl Fn(&mut Self, &Number, &str) -> Option<f64>,
    ) -> Option<Vec<Option<f64>>> {
        let n_freedoms = kind.freedoms();
        let Some(numbers) = numbers else { return Some(vec![None; n_freedoms]) };
        let fits = n_freedoms > 0 && (!numbers.is_list || numbers.values.len() == n_freedoms);
        if !fits {
            self.wrong_count(numbers.place, key, kind, numbers.values.len());
            return None;
        }
        let values: Vec<Option<f64>> =
            numbers.values.iter().map(|number| value(self, number, key)).collect();
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        Some((0..n_freedoms).map(|at| Some(values[at.min(values.len() - 1)])).collect())
    }

    /// As many numbers as there are freedoms.
    fn each(&mut self, numbers: &Numbers, key: &str, kind: Kind) -> Option<Vec<f64>> {
        if numbers.values.len() != kind.freedoms() || kind == Kind::Fixed {
            self.wrong_count(numbers.place, key, kind, numbers.values.len());
            return None;
        }
        let values: Vec<Option<f64>> =
            numbers.values.iter().map(|number| self.number(number)).collect();
        values.into_iter().collect()
    }

    fn limits(&mut self, ranges: Option<&Ranges>, kind: Kind) -> Option<Vec<Option<[f64; 2]>>> {
        let n_freedoms = kind.freedoms();
        let Some(ranges) = ranges else { return Some(vec![None; n_freedoms]) };
        if kind == Kind::Spherical {
            let problem = Problem::error(ranges.place, "a spherical joint has no angles to limit")
                .hint("universal and revolute joints have");
            self.report(problem);
            return None;
        }
        let fits = n_freedoms > 0 && (!ranges.is_list || ranges.values.len() == n_freedoms);
        if !fits {
            self.wrong_count(ranges.place, "limits", kind, ranges.values.len());
            return None;
        }
        let mut values: Vec<Option<[f64; 2]>> = Vec::new();
        for [lower, upper] in &ranges.values {
            let place = upper.place;
            let (lower, upper) = (self.number(lower), self.number(upper));
            let (Some(lower), Some(upper)) = (lower, upper) else { return None };
            if lower > upper {
                let problem = Problem::error(place, "the largest coordinate is below the smallest")
                    .label(format!("the smallest is {lower}"));
                self.report(problem);
                return None;
            }
            values.push(Some([lower, upper]));
        }
        Some((0..n_freedoms).map(|at| values[at.min(values.len() - 1)]).collect())
    }

    fn wrong_count(&mut self, place: Place, key: &str, kind: Kind, n_given: usize) {
        let name = kind.name();
        let problem = match kind.freedoms() {
            0 => Problem::error(place, format!("a {name} joint has no freedom for `{key}`")),
            freedoms => {
                let numbers = if freedoms == 1 { "number" } else { "numbers" };
                let message = format!("`{key}` of a {name} joint takes {freedoms} {numbers}");
                Problem::error(place, message).label(given(n_given))
            }
        };
        self.report(problem);
    }

    fn warn_beyond_limits(&mut self, table: &JointTable, start: &[f64], freedoms: &[Freedom]) {
        let is_beyond = |(at, freedom): (&f64, &Freedom)| {
            freedom.limits.is_some_and(|[lower, upper]| !(lower..=upper).contains(at))
        };
        let Some((at, _)) = start.iter().zip(freedoms).find(|(at, it)| is_beyond((*at, *it)))
        else {
            return;
        };
        let place = table.limits.as_ref().map_or(table.place, |limits| limits.place);
        let problem = Problem::warning(place, "the joint starts beyond its limits")
            .label(format!("it starts at {at}"))
            .hint("`start` says what the coordinate is as the bodies stand");
        self.report(problem);
    }
}

/// How many there are, as a label.
fn given(count: usize) -> String {
    if count == 0 { "none is given".to_owned() } else { format!("this has {count}") }
}
