//! Controllers of joints, forces held on bodies, and sensors.

mod common;
mod forces;
mod limits;
mod required;
mod sampled;
mod saved;
mod sensors;
mod settling;
mod surface;
mod tracking;
