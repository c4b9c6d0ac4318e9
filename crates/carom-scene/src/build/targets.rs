//! What controllers aim at.

use carom::control::{Target, Waypoint};

use super::Builder;
use super::placement::DEGREE;
use crate::decode::Number;
use crate::format::{AimWaypointsTable, SineTable, TargetTable, TargetValue};
use crate::problem::Problem;

impl Builder<'_, '_> {
    /// One target; `start` is what it swings about if nothing else is said.
    pub(super) fn target(&mut self, value: &TargetValue, start: f64) -> Option<Target> {
        match value {
            TargetValue::Constant(number) => self.number(number).map(Target::Constant),
            TargetValue::Course(TargetTable::Sine(table)) => self.sine(table, start),
            TargetValue::Course(TargetTable::Polynomial(table)) => {
                let coefficients = self.every(&table.coefficients);
                let start = self.number_or(table.from.as_ref(), 0.0);
                let (coefficients, start) = (coefficients?, start?);
                if coefficients.is_empty() {
                    let problem = Problem::error(table.place, "a polynomial needs a coefficient")
                        .hint("such as coefficients = [0.5, 0.1], for 0.5 + 0.1·t");
                    self.report(problem);
                    return None;
                }
                Some(Target::Polynomial { start, coefficients })
            }
            TargetValue::Course(TargetTable::Waypoints(table)) => self.aim_points(table),
        }
    }

    fn every(&mut self, numbers: &[Number]) -> Option<Vec<f64>> {
        let values: Vec<Option<f64>> = numbers.iter().map(|number| self.number(number)).collect();
        values.into_iter().collect()
    }

    fn sine(&mut self, table: &SineTable, start: f64) -> Option<Target> {
        let middle = self.number_or(table.middle.as_ref(), start);
        let amplitude = self.number(&table.amplitude);
        let frequency = self.not_negative(&table.frequency_hz, "frequency_hz");
        let phase = self.number_or(table.phase_deg.as_ref(), 0.0).map(|degrees| degrees * DEGREE);
        let (middle, amplitude) = (middle?, amplitude?);
        Some(Target::Sine { middle, amplitude, frequency: frequency?, phase: phase? })
    }

    fn aim_points(&mut self, table: &AimWaypointsTable) -> Option<Target> {
        let mut points = Vec::new();
        let mut is_good = true;
        for point in &table.points {
            let time = self.number(&point.time);
            let position = self.number(&point.position);
            let velocity = self.number_or(point.velocity.as_ref(), 0.0);
            let (Some(time), Some(position), Some(velocity)) = (time, position, velocity) else {
                is_good = false;
                continue;
            };
            let last = points.last().map(|last: &Waypoint| last.time);
            if let Some(last) = last.filter(|last| *last >= time) {
                let problem = Problem::error(point.time.place, "times of points must increase")
                    .label(format!("the one before is {last}"));
                self.report(problem);
                is_good = false;
            }
            points.push(Waypoint { time, position, velocity });
        }
        if table.points.is_empty() {
            let problem = Problem::error(table.place, "waypoints need at least one point").hint(
                "such as points = [{ time = 0, position = 0 }, { time = 1, position = 0.5 }]",
            );
            self.report(problem);
            return None;
        }
        is_good.then_some(Target::Waypoints(points))
    }
}
