//! One side of the bounds of an interior point: rooms x > 0, pushes s > 0 and their products.
//!
//! x_i·s_i = μ is followed to first order by s·Δx + x·Δs = c, c = μ − x·s − (second-order part), so that with Δx = ±Δz
//!
//! ```text
//! Δs = (c − s·Δx)/x:   adds s/x to the diagonal and c/x to the right side
//! ```
//!
//! Rows without this bound have an infinite room and no push.

/// Rooms and pushes of all rows on one side.
#[derive(Clone, Debug, Default)]
pub(super) struct Barrier {
    is_bound: Vec<bool>,
    room: Vec<f64>,
    push: Vec<f64>,
    room_step: Vec<f64>,
    push_step: Vec<f64>,
    /// Δx·Δs of the step before.
    second_order: Vec<f64>,
    /// c.
    aim: Vec<f64>,
}

impl Barrier {
    /// Starts with these pushes, none for rows without the bound.
    pub(super) fn start(&mut self, pushes: impl Iterator<Item = Option<f64>>) {
        self.is_bound.clear();
        self.push.clear();
        for push in pushes {
            self.is_bound.push(push.is_some());
            self.push.push(push.unwrap_or(0.0));
        }
        let n = self.push.len();
        for (values, start) in [
            (&mut self.room, f64::INFINITY),
            (&mut self.room_step, 0.0),
            (&mut self.push_step, 0.0),
            (&mut self.second_order, 0.0),
            (&mut self.aim, 0.0),
        ] {
            values.clear();
            values.resize(n, start);
        }
    }

    pub(super) fn set_rooms(&mut self, room: impl Fn(usize) -> f64) {
        for i in 0..self.room.len() {
            self.room[i] = if self.is_bound[i] { room(i) } else { f64::INFINITY };
        }
    }

    pub(super) fn push(&self, i: usize) -> f64 {
        self.push[i]
    }

    /// s/x.
    pub(super) fn stiffness(&self, i: usize) -> f64 {
        self.push[i] / self.room[i]
    }

    /// c/x.
    pub(super) fn force(&self, i: usize) -> f64 {
        self.aim[i] / self.room[i]
    }

    /// True if the push is larger than the room.
    pub(super) fn is_tight(&self, i: usize) -> bool {
        self.push[i] > self.room[i]
    }

    /// Sets c for this μ.
    pub(super) fn aim(&mut self, mu: f64) {
        for i in (0..self.aim.len()).filter(|&i| self.is_bound[i]) {
            self.aim[i] = mu - self.room[i] * self.push[i] - self.second_order[i];
        }
    }

    /// Steps of rooms and pushes that belong to a step of z; `sign` is dx/dz.
    pub(super) fn follow(&mut self, step: &[f64], sign: f64) {
        for i in (0..step.len()).filter(|&i| self.is_bound[i]) {
            self.room_step[i] = sign * step[i];
            self.push_step[i] = (self.aim[i] - self.push[i] * self.room_step[i]) / self.room[i];
            self.second_order[i] = 0.0;
        }
    }

    /// Steps of pushes as given, and of the rooms that belong to them.
    pub(super) fn follow_pushes(&mut self, step: &[f64]) {
        for i in (0..step.len()).filter(|&i| self.is_bound[i]) {
            self.push_step[i] = step[i];
            self.room_step[i] = (self.aim[i] - self.room[i] * step[i]) / self.push[i];
            self.second_order[i] = 0.0;
        }
    }

    pub(super) fn room(&self, i: usize) -> f64 {
        self.room[i]
    }

    /// Lets the next aim know the product of the steps just found.
    pub(super) fn keep_second_order(&mut self) {
        for i in 0..self.second_order.len() {
            self.second_order[i] = self.room_step[i] * self.push_step[i];
        }
    }

    pub(super) fn advance(&mut self, length: f64) {
        for i in (0..self.room.len()).filter(|&i| self.is_bound[i]) {
            self.room[i] += length * self.room_step[i];
            self.push[i] += length * self.push_step[i];
        }
    }

    /// Sum of all products after a step of this length, and how many there are.
    pub(super) fn products_after(&self, length: f64) -> (f64, usize) {
        let product = |i: usize| {
            (self.room[i] + length * self.room_step[i])
                * (self.push[i] + length * self.push_step[i])
        };
        let bound = || (0..self.room.len()).filter(|&i| self.is_bound[i]);
        (bound().map(product).sum(), bound().count())
    }
}

/// How long the step may be before a room or a push is gone.
pub(super) fn longest(side: &Barrier) -> f64 {
    let limit = |value: f64, step: f64| if step < 0.0 { -value / step } else { f64::INFINITY };
    let rows = (0..side.room.len()).filter(|&i| side.is_bound[i]);
    let limits = rows.map(|i| {
        limit(side.room[i], side.room_step[i]).min(limit(side.push[i], side.push_step[i]))
    });
    limits.fold(f64::INFINITY, f64::min)
}

/// How much of a step is taken that may be so long: all of it, or nearly to the border, the nearer the smaller μ is.
pub(super) fn damped(reach: f64, mu: f64) -> f64 {
    1.0_f64.min(reach * (1.0 - mu).max(0.99))
}
