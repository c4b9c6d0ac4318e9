//! Sensors: what a controller measures at a tick. All are pure reads of the world; two of them remember.
//!
//! Every reading is right-continuous: at the very instant of a collision it is what comes after it. Sensors on bodies are
//! *mounted* by a placement in the body frame, whose axes are those of the sensor.
//!
//! | sensor | reads | file |
//! |---|---|---|
//! | [`Encoder`] | position `[rad or m]`, in steps, and velocity of a joint's freedom | `encoder` |
//! | [`PoseSensor`] | placement of its mount in the world `[m]` | `motion` |
//! | [`VelocitySensor`] | velocity `[m/s]` and angular velocity `[rad/s]` of its mount, in world axes or its own | `motion` |
//! | [`Imu`] | specific force `[m/s²]` and angular velocity `[rad/s]`, in its own axes | `imu` |
//! | [`ContactForce`] | mean force since it was last read `[N]`, in world axes | `contact` |
//! | [`Range`] | distance along its x axis `[m]`, and whose | `range` |
//! | [`Gauge`] | any of these, by itself at its own rate | `gauge` |

mod contact;
mod encoder;
mod gauge;
mod imu;
mod motion;
mod range;

pub use contact::ContactForce;
pub use encoder::Encoder;
pub use gauge::{
    CONTACT_FORCE_PARTS, ENCODER_PARTS, Gauge, IMU_PARTS, Instrument, POSE_PARTS, Parts,
    RANGE_PARTS, VELOCITY_PARTS,
};
pub use imu::{Imu, Inertial};
pub use motion::{Axes, PoseSensor, Twist, VelocitySensor};
pub use range::{Range, Ranged};
