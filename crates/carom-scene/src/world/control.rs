//! Controllers and gauges of a scene, in its world.

use carom::sense::Gauge;
use carom::{Command, Rate};

use super::Building;

impl Building<'_> {
    pub(super) fn controllers(&mut self) {
        for controller in &self.scene.controllers {
            let id = self.controller(controller);
            self.controllers.push(id);
        }
    }

    fn controller(&mut self, controller: &crate::Controller) -> Option<carom::ControllerId> {
        let (place, from) = (controller.place, controller.from);
        let made = controller.make(|joint| self.joints[joint])?;
        let added = self.world.add_controller(Rate::Hertz(controller.rate_hz), made);
        let id = self.accepted(place, added)?;
        if from > 0.0 {
            let stopped = self.world.enable(id, false);
            self.accepted(place, stopped)?;
            self.switch(controller, id, (from, true))?;
        }
        if controller.until.is_finite() {
            self.switch(controller, id, (controller.until, false))?;
        }
        Some(id)
    }

    fn switch(
        &mut self,
        controller: &crate::Controller,
        id: carom::ControllerId,
        (at, enabled): (f64, bool),
    ) -> Option<()> {
        let command = Command::Enable { controller: id, enabled };
        let scheduled = self.world.schedule(at, command);
        self.accepted(controller.place, scheduled).map(|_| ())
    }

    pub(super) fn gauges(&mut self) {
        for gauge in &self.scene.gauges {
            let made = gauge.what.instrument(|body| self.bodies[body], |joint| self.joints[joint]);
            let id = made.and_then(|made| {
                let (rate, made) = (Rate::Hertz(gauge.rate_hz), Box::new(Gauge::new(made)));
                let added = self.world.add_controller(rate, made);
                self.accepted(gauge.place, added)
            });
            self.gauges.push(id);
        }
    }
}
