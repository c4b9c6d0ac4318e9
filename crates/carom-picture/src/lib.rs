//! Pictures of runs: stills, contact sheets and animations.
//!
//! **Takes** a world that runs, by watching it ([`FilmWatch`]), or a recording ([`Film::of_recording`]). **Gives**
//! [`Image`]s, drawn by a renderer of its own without a GPU, a display or fonts of the system, and writes them as PNG,
//! GIF or, through ffmpeg, MP4. **Refuses to know** scenes, and how anything moves.
//!
//! A picture is a pure function of the film and of what is asked for: the same bytes on any number of threads.
//!
//! ```
//! use carom::{Body, Observers, World};
//! use carom_geometry::{Shape, shapes::Ball};
//! use carom_picture::{FilmOptions, FilmWatch, Looks, PictureOptions, Projector};
//!
//! let mut world = World::builder().build()?;
//! world.add(Body::free(Shape::Ball(Ball::new(0.1)?)).named("ball"))?;
//! let mut watch = FilmWatch::new(FilmOptions::at([0.5]));
//! world.advance_watched(0.5, &mut Observers::none().with(&mut watch))?;
//! let film = watch.finish(&world, &Looks::default());
//!
//! let projector = Projector::new(&film, &PictureOptions::default());
//! let image = projector.still(0, "A ball");
//! assert_eq!(image.size(), [640, 480]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From a film to a picture: [`Projector`] chooses a camera; for each frame a *stage* holds the triangles as the camera sees
//! them; tiles of pixels find what is nearest at 16 points of each pixel; what is seen is lit by a key light with soft
//! shadows and a sky that bodies hide from each other; words and arrows come last.

mod camera;
mod color;
mod error;
mod film;
mod fit;
mod form;
mod ground;
mod hidden;
mod image;
mod light;
mod output;
mod overlay;
mod projector;
mod raster;
mod shade;
mod stage;
mod tolerances;

#[cfg(test)]
mod tests;

pub use camera::Camera;
pub use error::PictureError;
pub use film::{Actor, Film, FilmOptions, FilmWatch, Frame, Looks, Role, Touch};
pub use image::Image;
pub use output::{Animation, GoesOn, Sheet, ffmpeg_arguments, write_gif, write_mp4, write_png};
pub use projector::{PictureOptions, Projector};
