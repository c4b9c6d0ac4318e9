//! Laws of motion.

use carom_geometry::Pose;
use glam::DVec3;

use super::Builder;
use super::placement::DEGREE;
use crate::decode::Number;
use crate::format::{
    ConstantTable, CyclerTable, MotionTable, OscillatorTable, TermTable, WaypointsTable,
};
use crate::problem::{Place, Problem};
use crate::scene::{MotionSpec, OscillatorTerm, Waypoint};

impl Builder<'_, '_> {
    /// The law of motion of a body that is placed at `pose`.
    pub(super) fn motion(
        &mut self,
        table: Option<&MotionTable>,
        pose: &Pose,
    ) -> Option<MotionSpec> {
        let (motion, place) = match table {
            None | Some(MotionTable::Free(_)) => return Some(MotionSpec::Free),
            Some(MotionTable::Fixed(_)) => return Some(MotionSpec::Fixed),
            Some(MotionTable::Constant(table)) => (self.constant(table)?, table.place),
            Some(MotionTable::Cycler(table)) => (self.cycler(table, pose)?, table.place),
            Some(MotionTable::Oscillator(table)) => (self.oscillator(table, pose)?, table.place),
            Some(MotionTable::Waypoints(table)) => (self.waypoints(table, pose)?, table.place),
        };
        if !motion.closes() {
            let problem =
                Problem::error(place, "the way starts anew, but does not end where it began")
                    .hint("make the last point the same place and orientation as the first");
            self.report(problem);
            return None;
        }
        if let Some(Err(error)) = motion.law(pose, 0.0) {
            self.report(Problem::error(place, error.to_string()));
            return None;
        }
        Some(motion)
    }

    fn constant(&mut self, table: &ConstantTable) -> Option<MotionSpec> {
        let velocity = self.vector_or(table.velocity.as_ref(), DVec3::ZERO);
        let angular_velocity = match &table.angular_velocity_deg {
            Some(degrees) => self.vector(degrees).map(|degrees| degrees * DEGREE),
            None => self.vector_or(table.angular_velocity.as_ref(), DVec3::ZERO),
        };
        Some(MotionSpec::Constant { velocity: velocity?, angular_velocity: angular_velocity? })
    }

    fn cycler(&mut self, table: &CyclerTable, pose: &Pose) -> Option<MotionSpec> {
        let center = self.vector_or(table.center.as_ref(), pose.translation);
        let semi_axis_a = self.vector(&table.semi_axis_a);
        let semi_axis_b = self.vector(&table.semi_axis_b);
        let rate = if let Some(rate) = &table.rate {
            self.number(rate)
        } else if let Some(degrees) = &table.rate_deg {
            self.number(degrees).map(|degrees| degrees * DEGREE)
        } else if let Some(period) = &table.period {
            self.positive(period, "period").map(|period| std::f64::consts::TAU / period)
        } else {
            self.no_rate(table.place, table.faulty, "`rate`, `rate_deg` or `period`")
        };
        let phase = self.phase(table.phase_deg.as_ref());
        let (center, semi_axis_a, semi_axis_b) = (center?, semi_axis_a?, semi_axis_b?);
        Some(MotionSpec::Cycler { center, semi_axis_a, semi_axis_b, rate: rate?, phase: phase? })
    }

    fn no_rate(&mut self, place: Place, faulty: bool, keys: &str) -> Option<f64> {
        if !faulty {
            self.report(Problem::error(place, format!("how fast? {keys} is missing")));
        }
        None
    }

    fn phase(&mut self, degrees: Option<&Number>) -> Option<f64> {
        self.number_or(degrees, 0.0).map(|degrees| degrees * DEGREE)
    }

    fn oscillator(&mut self, table: &OscillatorTable, pose: &Pose) -> Option<MotionSpec> {
        let terms: Vec<Option<OscillatorTerm>> =
            table.terms.iter().map(|term| self.term(term, pose)).collect();
        let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
        if terms.is_empty() {
            let problem = Problem::error(table.place, "an oscillator needs at least one term")
                .hint("such as terms = [{ along = [0, 0, 1], amplitude = 0.1, frequency_hz = 2 }]");
            self.report(problem);
            return None;
        }
        Some(MotionSpec::Oscillator { terms })
    }

    fn term(&mut self, table: &TermTable, pose: &Pose) -> Option<OscillatorTerm> {
        let rate = if let Some(frequency) = &table.frequency_hz {
            self.number(frequency).map(|frequency| frequency * std::f64::consts::TAU)
        } else if let Some(rate) = &table.rate {
            self.number(rate)
        } else {
            self.no_rate(table.place, table.faulty, "`frequency_hz` or `rate`")
        };
        let phase = self.phase(table.phase_deg.as_ref());
        match (&table.along, &table.about) {
            (Some(along), _) => {
                self.refuse_in_term(table.pivot.as_ref().map(|v| v.place), "pivot", "turns");
                let along = self.direction(along, "along");
                let amplitude = self.amplitude(table.amplitude.as_ref(), table, "amplitude");
                Some(OscillatorTerm::Shift {
                    along: along?,
                    amplitude: amplitude?,
                    rate: rate?,
                    phase: phase?,
                })
            }
            (None, Some(about)) => {
                let about = self.direction(about, "about");
                let pivot = self.vector_or(table.pivot.as_ref(), pose.translation);
                let amplitude =
                    self.amplitude(table.amplitude_deg.as_ref(), table, "amplitude_deg");
                let amplitude = amplitude.map(|degrees| degrees * DEGREE);
                let (about, pivot) = (about?, pivot?);
                Some(OscillatorTerm::Turn {
                    about,
                    pivot,
                    amplitude: amplitude?,
                    rate: rate?,
                    phase: phase?,
                })
            }
            (None, None) => {
                if !table.faulty {
                    let problem = Problem::error(table.place, "a term needs a direction or an axis")
                        .hint("`along` with `amplitude` for a shift, `about` with `amplitude_deg` for a turn");
                    self.report(problem);
                }
                None
            }
        }
    }

    fn refuse_in_term(&mut self, place: Option<Place>, key: &str, only: &str) {
        if let Some(place) = place {
            self.error(place, format!("`{key}` belongs to {only} only"));
        }
    }

    fn amplitude(&mut self, number: Option<&Number>, table: &TermTable, key: &str) -> Option<f64> {
        if let Some(number) = number {
            return self.number(number);
        }
        if !table.faulty {
            self.error(table.place, format!("how far? `{key}` is missing"));
        }
        None
    }

    fn waypoints(&mut self, table: &WaypointsTable, pose: &Pose) -> Option<MotionSpec> {
        let mut points: Vec<Waypoint> = Vec::new();
        let mut is_good = true;
        for point in &table.points {
            let time = self.number(&point.time);
            let position = self.vector(&point.position);
            let rotation = self.orientation(&point.orientation, position.unwrap_or(DVec3::ZERO));
            let (Some(time), Some(position), Some(rotation)) = (time, position, rotation) else {
                is_good = false;
                continue;
            };
            if points.last().is_some_and(|last| time <= last.time) {
                let problem =
                    Problem::error(point.time.place, "the times of waypoints must increase")
                        .label(format!("{time} is not after the time before"));
                self.report(problem);
                is_good = false;
            }
            let rotation = if point.orientation.is_stated() { rotation } else { pose.rotation };
            points.push(Waypoint { time, world_from_body: Pose::new(position, rotation) });
        }
        if points.is_empty() && is_good {
            self.error(table.place, "waypoints need at least one point");
            return None;
        }
        let repeat = table.repeat.is_some_and(|repeat| repeat.value);
        is_good.then_some(MotionSpec::Waypoints { points, repeat })
    }
}
