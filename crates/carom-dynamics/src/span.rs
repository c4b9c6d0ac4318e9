//! Closed intervals of time.

/// From `start` to `end`, both included; `end` may be infinite `[s]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// First time.
    pub start: f64,
    /// Last time.
    pub end: f64,
}

impl Span {
    /// All times from `start` on.
    pub const fn from(start: f64) -> Self {
        Self { start, end: f64::INFINITY }
    }

    /// From `start` to `end`; `start` must not be later.
    pub const fn new(start: f64, end: f64) -> Self {
        Self { start, end }
    }

    /// True when `time` lies in it.
    pub fn contains(&self, time: f64) -> bool {
        self.start <= time && time <= self.end
    }

    /// True when `other` lies in it.
    pub fn covers(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Duration `[s]`.
    pub fn length(&self) -> f64 {
        self.end - self.start
    }
}
