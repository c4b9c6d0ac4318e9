//! Gauges.

use carom::sense::Axes;
use carom_geometry::Pose;
use glam::DVec3;

use super::Builder;
use super::names::Named;
use crate::decode::Text;
use crate::format::{EncoderTable, GaugeTable, MountKeys};
use crate::gauge::{Gauge, Measurand};
use crate::load::Document;
use crate::problem::Problem;

/// How often a gauge reads unless it says otherwise `[Hz]`.
pub const DEFAULT_GAUGE_HZ: f64 = 100.0;

impl Builder<'_, '_> {
    pub(super) fn add_gauges(&mut self, documents: &[Document]) {
        for document in documents {
            let Some(tables) = &document.table.gauge else { continue };
            self.others.note_broken(Named::Gauge, &tables.broken);
            for table in &tables.tables {
                match self.gauge(table) {
                    Some(gauge) => self.gauges.push(gauge),
                    None => self.others.note_unmade(Named::Gauge, &table.keys().name),
                }
            }
        }
    }

    fn gauge(&mut self, table: &GaugeTable) -> Option<Gauge> {
        // Everything is evaluated before the first mistake ends the gauge, so that each is told.
        let keys = table.keys();
        let name = self.own_name(&keys.name, None, Named::Gauge);
        let rate = keys.rate_hz.as_ref();
        let rate_hz = rate.map_or(Some(DEFAULT_GAUGE_HZ), |it| self.positive(it, "rate_hz"));
        let what = match table {
            GaugeTable::Encoder(table) => self.encoder(table),
            GaugeTable::Pose(table) => {
                let (body, mount) = self.mounted(&table.body, &table.mount)?;
                Some(Measurand::Pose { body, mount })
            }
            GaugeTable::Velocity(table) => {
                let wording = ("axes", "a gauge cannot read in axes of");
                let axes = self.word(table.axes.as_ref(), wording, |name| match name {
                    "world" => Ok(Axes::World),
                    "sensor" => Ok(Axes::Sensor),
                    _ => Err(vec!["world", "sensor"]),
                });
                let (body, mount) = self.mounted(&table.body, &table.mount)?;
                Some(Measurand::Velocity { body, mount, axes: axes? })
            }
            GaugeTable::Imu(table) => {
                let (body, mount) = self.mounted(&table.body, &table.mount)?;
                Some(Measurand::Imu { body, mount })
            }
            GaugeTable::ContactForce(table) => {
                let body = self.body(&table.body);
                let with = table.with.as_ref().map(|text| self.body(text));
                let with = match with {
                    Some(with) => Some(with?),
                    None => None,
                };
                let body = body?;
                if with == Some(body) {
                    self.error(table.place, "a body does not press itself");
                    return None;
                }
                Some(Measurand::ContactForce { body, with })
            }
            GaugeTable::Range(table) => {
                let reach = self.positive(&table.reach, "reach");
                let (body, mount) = self.mounted(&table.body, &table.mount)?;
                Some(Measurand::Range { body, mount, reach: reach? })
            }
        };
        Some(Gauge { name: name?, what: what?, rate_hz: rate_hz?, place: keys.place })
    }

    /// The body on which a gauge is mounted, and where on it.
    fn mounted(&mut self, body: &Text, mount: &MountKeys) -> Option<(usize, Pose)> {
        let body = self.body(body);
        let position = self.vector_or(mount.position.as_ref(), DVec3::ZERO);
        let rotation = self.orientation(&mount.orientation, position.unwrap_or(DVec3::ZERO));
        Some((body?, Pose::new(position?, rotation?)))
    }

    fn encoder(&mut self, table: &EncoderTable) -> Option<Measurand> {
        let joint = self.one_joint(&table.joint);
        let freedom = table.freedom.as_ref();
        let freedom = freedom.map_or(Some(0), |it| self.whole(it, "freedom", f64::MAX));
        let step = table.resolution.as_ref();
        let step = step.map_or(Some(0.0), |it| self.positive(it, "resolution"));
        let (joint, freedom) = (joint?, usize::try_from(freedom?).ok()?);
        let has = self.joints[joint].freedoms.len();
        if freedom >= has {
            let name = &self.joints[joint].name;
            let place = table.freedom.as_ref().map_or(table.joint.place, |it| it.place);
            let problem = Problem::error(place, format!("the joint `{name}` has {has} freedoms"))
                .hint("they are numbered from 0");
            self.report(problem);
            return None;
        }
        Some(Measurand::Joint { joint, freedom, step: step? })
    }
}
