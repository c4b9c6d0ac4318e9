//! Controllers: which freedoms they drive, by what gains, to which targets.

use std::collections::BTreeMap;

use carom::control::{Motor, Target};

use super::Builder;
use super::names::Named;
use crate::controller::{ControlLaw, ControlledAxis, Controller, Gains};
use crate::decode::{Number, Numbers};
use crate::format::{ControllerKeys, ControllerTable, TargetValue, Targets};
use crate::joint::Freedom;
use crate::load::Document;
use crate::problem::{Place, Problem};
use crate::scene::ChangeKind;

/// How often a controller ticks unless it says otherwise `[Hz]`.
pub const DEFAULT_CONTROLLER_HZ: f64 = 1000.0;

/// A freedom of a joint, by their indices.
pub(super) type Driven = (usize, usize);

/// Gains as the table states them, with what they are where it does not.
struct StatedGains<'a> {
    law: ControlLaw,
    kp: Option<&'a Numbers>,
    kv: Option<&'a Numbers>,
    ki: Option<&'a Numbers>,
}

impl<'a> StatedGains<'a> {
    fn of(table: &'a ControllerTable) -> Self {
        use ControllerTable::{ComputedTorque, Pd, Pid, Velocity};
        let (law, kp, kv, ki) = match table {
            Pd(it) => (ControlLaw::Pd, Some(&it.kp), Some(&it.kv), None),
            Pid(it) => (ControlLaw::Pid, Some(&it.kp), Some(&it.kv), Some(&it.ki)),
            Velocity(it) => (ControlLaw::Velocity, it.kp.as_ref(), Some(&it.kv), None),
            ComputedTorque(it) => {
                (ControlLaw::ComputedTorque, it.kp.as_ref(), it.kv.as_ref(), None)
            }
        };
        Self { law, kp, kv, ki }
    }
}

impl Builder<'_, '_> {
    pub(super) fn add_controllers(&mut self, documents: &[Document]) {
        for document in documents {
            let Some(tables) = &document.table.controller else { continue };
            self.others.note_broken(Named::Controller, &tables.broken);
            for table in &tables.tables {
                match self.controller(table) {
                    Some(controller) => self.controllers.push(controller),
                    None => self.others.note_unmade(Named::Controller, &table.keys().name),
                }
            }
        }
    }

    fn controller(&mut self, table: &ControllerTable) -> Option<Controller> {
        // Everything is evaluated before the first mistake ends the controller, so that each is told.
        let (keys, stated) = (table.keys(), StatedGains::of(table));
        let name = self.own_name(&keys.name, None, Named::Controller);
        let rate_hz = match &keys.rate_hz {
            Some(number) => self.positive(number, "rate_hz"),
            None => Some(DEFAULT_CONTROLLER_HZ),
        };
        let times = self.times_of(keys);
        let driven = self.driven(keys)?;
        let law = stated.law;
        let targets = self.targets(keys.target.as_ref(), &driven, law);
        let motors = self.motors(keys, &driven);
        let gains = self.gains(&stated, driven.len());
        let (targets, motors, gains) = (targets?, motors?, gains?);
        let axes = driven.iter().zip(targets).zip(motors).zip(gains);
        let axes = axes.map(|(((&(joint, freedom), target), motor), gains)| ControlledAxis {
            joint,
            freedom,
            target,
            motor,
            gains,
        });
        let (name, rate_hz, (from, until)) = (name?, rate_hz?, times?);
        let place = keys.place;
        let made = Controller { name, law, axes: axes.collect(), rate_hz, from, until, place };
        self.warn_of_sampling(&made, stated.kv.map_or(place, |kv| kv.place));
        Some(made)
    }

    /// When it begins and when it stops.
    fn times_of(&mut self, keys: &ControllerKeys) -> Option<(f64, f64)> {
        let from = keys.from.as_ref().map_or(Some(0.0), |it| self.not_negative(it, "from"));
        let until = match &keys.until {
            Some(number) => self.not_negative(number, "until"),
            None => Some(f64::INFINITY),
        };
        let (from, until) = (from?, until?);
        if from < until {
            return Some((from, until));
        }
        let place = keys.until.as_ref().or(keys.from.as_ref()).map_or(keys.place, |it| it.place);
        let problem = Problem::error(place, "the controller stops before it begins")
            .label(format!("it begins at {from} s and stops at {until} s"));
        self.report(problem);
        None
    }

    /// The freedoms that a controller drives.
    fn driven(&mut self, keys: &ControllerKeys) -> Option<Vec<Driven>> {
        let freedom = keys.freedom.as_ref().map(|it| self.whole(it, "freedom", f64::MAX));
        let named: Vec<Option<Vec<usize>>> =
            keys.joints.iter().map(|text| self.matching_joints(text)).collect();
        let freedom = match freedom {
            Some(freedom) => Some(usize::try_from(freedom?).ok()?),
            None => None,
        };
        let mut driven: Vec<Driven> = Vec::new();
        for (text, joints) in keys.joints.iter().zip(named) {
            let joints = joints?;
            self.charge(joints.len() as u64, text.place)?;
            for joint in joints {
                let has = self.joints[joint].freedoms.len();
                match freedom {
                    Some(freedom) if freedom < has => driven.push((joint, freedom)),
                    Some(_) => {
                        let name = &self.joints[joint].name;
                        let message = match has {
                            0 => format!("the joint `{name}` has no freedom to drive"),
                            1 => format!("the joint `{name}` has one freedom, number 0"),
                            _ => format!("the joint `{name}` has {has} freedoms, numbered from 0"),
                        };
                        self.error(text.place, message);
                        return None;
                    }
                    None => driven.extend((0..has).map(|freedom| (joint, freedom))),
                }
            }
        }
        self.check_driven(keys, &driven)?;
        Some(driven)
    }

    /// Something is driven, and nothing twice.
    fn check_driven(&mut self, keys: &ControllerKeys, driven: &[Driven]) -> Option<()> {
        if driven.is_empty() {
            let problem = Problem::error(keys.place, "the controller drives nothing")
                .label("no joint that `joints` names has a freedom")
                .hint("such as joints = [\"hip\", \"knee_*\"]");
            self.report(problem);
            return None;
        }
        let mut sorted = driven.to_vec();
        sorted.sort_unstable();
        let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) else {
            return Some(());
        };
        let joint = twice[0].0;
        let problem = Problem::error(
            keys.place,
            format!("the joint `{}` is named twice", self.joints[joint].name),
        )
        .hint("a joint counts once, by its name or by one pattern");
        self.report(problem);
        None
    }

    /// Where a freedom starts; spherical joints start at no turn `[rad or m]`.
    fn start_of(&self, (joint, freedom): Driven) -> f64 {
        self.joints[joint].start.get(freedom).copied().unwrap_or_default()
    }

    /// What each freedom aims at.
    pub(super) fn targets(
        &mut self,
        targets: Option<&Targets>,
        driven: &[Driven],
        law: ControlLaw,
    ) -> Option<Vec<Target>> {
        let start = |it: &Self, at: Driven| match law {
            ControlLaw::Velocity => 0.0,
            _ => it.start_of(at),
        };
        let Some(stated) = targets else {
            return Some(driven.iter().map(|at| Target::Constant(start(self, *at))).collect());
        };
        self.check_many(
            stated.place,
            "target",
            stated.is_list,
            (stated.values.len(), driven.len()),
        )?;
        let made: Vec<Option<Target>> = (driven.iter().enumerate())
            .map(|(index, at)| {
                let value: &TargetValue = &stated.values[if stated.is_list { index } else { 0 }];
                let start = start(self, *at);
                self.target(value, start)
            })
            .collect();
        made.into_iter().collect()
    }

    fn motors(&mut self, keys: &ControllerKeys, driven: &[Driven]) -> Option<Vec<Motor>> {
        let not_negative = |it: &mut Self, number: &Number, key: &str| it.not_negative(number, key);
        let positive = |it: &mut Self, number: &Number, key: &str| it.positive(number, key);
        let efforts = self.per_axis(keys.effort.as_ref(), "effort", driven.len(), not_negative);
        let speeds = self.per_axis(keys.speed.as_ref(), "speed", driven.len(), positive);
        let (efforts, speeds) = (efforts?, speeds?);
        let motor = |(index, &(joint, freedom)): (usize, &Driven)| {
            let of_joint: &Freedom = &self.joints[joint].freedoms[freedom];
            let effort = efforts[index].or(of_joint.effort);
            let speed = speeds[index].or(of_joint.speed);
            let motor = effort.map_or_else(Motor::default, Motor::limited);
            speed.into_iter().fold(motor, Motor::no_load_speed)
        };
        Some(driven.iter().enumerate().map(motor).collect())
    }

    fn gains(&mut self, stated: &StatedGains<'_>, n_axes: usize) -> Option<Vec<Gains>> {
        let not_negative = |it: &mut Self, number: &Number, key: &str| it.not_negative(number, key);
        let kp = self.per_axis(stated.kp, "kp", n_axes, not_negative);
        let kv = self.per_axis(stated.kv, "kv", n_axes, not_negative);
        let ki = self.per_axis(stated.ki, "ki", n_axes, not_negative);
        let (kp, kv, ki) = (kp?, kv?, ki?);
        let gains = |at: usize| {
            let kp = kp[at].unwrap_or_default();
            let kv = kv[at].unwrap_or_else(|| 2.0 * kp.sqrt());
            Gains { kp, kv, ki: ki[at].unwrap_or_default() }
        };
        Some((0..n_axes).map(gains).collect())
    }

    /// One number for all axes, or one for each; none in each where nothing is said.
    pub(super) fn per_axis(
        &mut self,
        numbers: Option<&Numbers>,
        key: &str,
        n_axes: usize,
        value: impl Fn(&mut Self, &Number, &str) -> Option<f64>,
    ) -> Option<Vec<Option<f64>>> {
        let Some(numbers) = numbers else { return Some(vec![None; n_axes]) };
        self.check_many(numbers.place, key, numbers.is_list, (numbers.values.len(), n_axes))?;
        let values: Vec<Option<f64>> =
            numbers.values.iter().map(|number| value(self, number, key)).collect();
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        Some((0..n_axes).map(|at| Some(values[at.min(values.len() - 1)])).collect())
    }

    /// A list has one entry for each axis.
    fn check_many(
        &mut self,
        place: Place,
        key: &str,
        is_list: bool,
        (given, n_axes): (usize, usize),
    ) -> Option<()> {
        if !is_list || given == n_axes {
            return Some(());
        }
        let freedoms = if n_axes == 1 {
            "the one freedom".to_owned()
        } else {
            format!("the {n_axes} freedoms")
        };
        let problem = Problem::error(
            place,
            format!(
                "`{key}` is one for all, or a list with one for each of {freedoms} that are driven"
            ),
        )
        .label(format!("this has {given}"));
        self.report(problem);
        None
    }

    /// The first half of k_p·T/2 < k_v < 2J/T; how heavy the joints are is known when they are built.
    fn warn_of_sampling(&mut self, made: &Controller, place: Place) {
        let unstable = made.axes.iter().find(|axis| {
            let damping = match made.law {
                ControlLaw::ComputedTorque => 0.0,
                _ => self.joints[axis.joint].freedoms[axis.freedom].damping,
            };
            axis.gains.kv + damping < 0.5 * axis.gains.kp / made.rate_hz
        });
        let Some(axis) = unstable else { return };
        let joint = &self.joints[axis.joint].name;
        let least = 0.5 * axis.gains.kp / made.rate_hz;
        let message =
            format!("this swings the joint `{joint}` up: motors are set at each tick only");
        let problem = Problem::warning(place, message)
            .label(format!("kp/(2·rate_hz) is {least}, and kv is {}", axis.gains.kv))
            .hint("give a larger `kv`, or a higher `rate_hz`");
        self.report(problem);
    }

    /// Of two controllers that drive one freedom at one time, the later one wins at every tick.
    pub(super) fn warn_of_rivals(&mut self) {
        let mut switched = vec![false; self.controllers.len()];
        for change in &self.changes {
            if let ChangeKind::Enable { controller, .. } = change.what {
                switched[controller] = true;
            }
        }
        let mut found = Vec::new();
        let mut drivers: BTreeMap<Driven, usize> = BTreeMap::new();
        for (index, later) in self.controllers.iter().enumerate() {
            let mut rival = None;
            for axis in &later.axes {
                let earlier = drivers.insert((axis.joint, axis.freedom), index);
                let earlier = earlier.filter(|it| !switched[*it] && !switched[index]);
                let earlier = earlier.map(|index| &self.controllers[index]);
                let both = |it: &&Controller| it.from < later.until && later.from < it.until;
                rival = rival.or(earlier.filter(both));
            }
            let Some(earlier) = rival else { continue };
            let message = format!("`{}` and `{}` drive the same joint", earlier.name, later.name);
            let hint =
                "where both tick, the one that stands later wins; `from` and `until` part them";
            let problem = Problem::warning(later.place, message);
            found.push(problem.related(earlier.place, "the other one").hint(hint));
        }
        for problem in found {
            self.report(problem);
        }
    }
}
