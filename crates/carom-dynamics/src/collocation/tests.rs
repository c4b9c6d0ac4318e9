//! Integration ahead against exact solutions, an independent reference and its own promises.

mod chain;
mod exact;
mod figures;
mod order;
mod promise;
mod ranges;
mod stiff;
mod tables;
mod testing;
mod whole;
