//! The `carom` command from the outside: text, exit status and JSON.

mod audit;
mod bench;
mod check;
mod common;
mod compare;
mod contact;
mod contact_measures;
mod distance;
mod export;
mod faults;
mod import;
// Other platforms have no signals to send.
#[cfg(unix)]
mod interrupts;
mod joint_measures;
mod licenses;
mod man;
mod mass;
mod measures;
mod outputs;
mod plot;
mod recordings;
mod render;
mod run;
mod scenes;
mod study;
mod sweep;
mod terminal;
mod touches;
mod usage;
mod validate;
