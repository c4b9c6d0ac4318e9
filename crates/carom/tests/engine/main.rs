//! The engine as its users see it.

mod cascades;
mod checks;
mod collisions;
mod commands;
mod common;
mod controllers;
mod determinism;
mod faults;
mod free_flight;
mod history;
mod ledger;
mod odd_input;
mod put_down;
mod queries;
mod resting;
mod rolling;
mod sensors;
mod snapshots;
mod touching;
