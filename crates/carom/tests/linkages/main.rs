//! Linkages among other bodies: they swing, are struck, strike back, and keep their books.

mod books;
mod common;
mod impacts;
mod massless;
mod saved;
mod swinging;
