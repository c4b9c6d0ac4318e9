//! The viewer: a server on this machine, and the page that it serves.
//!
//! **Takes** a scene, a recording or nothing, and a person with a browser. **Gives** a page that shows runs, answers questions
//! about them and lets people act on those that go on. **Refuses to know** how anything is computed or drawn: what it tells
//! comes from the engine, from recordings and from scenes; the page (`viewer/` in the project) draws it.
//!
//! The page asks by HTTP for what was (samples, events, contacts, columns), and is told by WebSocket what is (the newest state
//! and status of a run that goes on). `server.rs` has the list of questions, `socket.rs` that of orders.

mod between;
mod block;
mod changes;
mod checks;
mod describe;
mod guard;
mod history;
mod index;
mod joints;
mod live;
pub mod page;
mod pictures;
mod runs;
mod save;
mod server;
mod socket;
mod views;

pub use runs::Subject;
pub use server::{Options, ServeError, Served, serve};
