//! Controllers of joints, ready to be used: PD, PID, velocity PD, computed torque, and closures.
//!
//! A controller ticks at its own rate, reads positions q and rates v of joints, and sets the forces Q of their motors, which are
//! held until the next tick (zero-order hold). With the aim q*, v*, a* at the time t of the tick:
//!
//! | controller | law | source |
//! |---|---|---|
//! | [`Pd`] | Q = k_p·(q* − q) + k_v·(v* − v) | M 5.2, guide 2 F-8.2 |
//! | [`Pid`] | the same + k_i·Σ(q* − q)·T | |
//! | [`VelocityPd`] | Q = k_v·(v* − v) + k_p·(Σv*·T − Δq) | |
//! | [`ComputedTorque`] | Q = (H·a + C)(q, v), a = a* + k_p·(q* − q) + k_v·(v* − v) | |
//!
//! **Sampling matters.** A force held for a period T on a joint of inertia J moves it by the exact map
//!
//! ```text
//! q ← q + v·T + ½(Q/J)·T²,    v ← v + (Q/J)·T                                                        (1)
//! ```
//!
//! and with Q = −k_p·q − k_v·v the map is stable if and only if k_p·T/2 < k_v < 2J/T (guide 2 F-8.2): from z² − (2 − a − b)·z +
//! (1 − b + a) with a = k_p·T²/2J, b = k_v·T/J, whose roots lie in the unit circle where a < b and b < 2. Real controllers
//! have this boundary, and so do these.
//!
//! **Deviations.** The thesis's PD has no rate of the aim (v* = 0); it follows for constant targets. Of the thesis's PID nothing is
//! said about motors at their limit; here the sum stands still while the motor is at its limit and the error would drive it
//! further (conditional integration).
//!
//! **Who drives what.** A motor force belongs to a freedom of a joint. All freedoms of one joint should be driven by one
//! controller: what two of them set at one tick, the later one wins.
//!
//! | file | idea |
//! |---|---|
//! | `target` | what is aimed at, as a function of time |
//! | `motor` | what a motor can give |
//! | `axis` | one freedom of a joint under control |
//! | `servo` | laws that know one freedom: the controller around them |
//! | `laws` | PD, PID, velocity PD |
//! | `computed` | the law that knows the whole linkage |
//! | `user` | closures |

mod axis;
mod computed;
mod laws;
mod motor;
mod servo;
mod target;
mod user;

pub use axis::{Aimed, Axis, Seen};
pub use computed::{ComputedTorque, TrackingGains};
pub use laws::{PdGains, PidGains, VelocityGains};
pub use motor::Motor;
pub use servo::{Law, Moment, Pd, Pid, Servo, VelocityPd};
pub use target::{Aim, Target, Waypoint};
pub use user::UserController;
