//! Linkages among other bodies: they swing, are struck, strike back, and keep their books.

mod books;
mod breaking;
mod common;
mod impacts;
mod massless;
mod rank;
mod saved;
mod swinging;
mod transitions;
