//! Whole pictures: what is drawn is where it should be, in the right colours, and the same on any number of threads.

mod files;
mod stills;

use carom::{Body, Observers, World};
use carom_geometry::shapes::{Ball, HalfSpace};
use carom_geometry::{Pose, Shape};
use glam::DVec3;

use crate::film::{Film, FilmOptions, FilmWatch, Looks};

/// A film of a world from its beginning, at these times.
fn film_of(mut world: World, options: FilmOptions, looks: &Looks) -> Film {
    let end = options.times.iter().copied().fold(0.0, f64::max);
    let mut watch = FilmWatch::new(options);
    world.advance_watched(end, &mut Observers::none().with(&mut watch)).expect("it runs");
    watch.finish(&world, looks)
}

fn floor() -> Body {
    let shape = HalfSpace::new(DVec3::Z, 0.0).expect("a direction");
    Body::fixed(Shape::HalfSpace(shape)).named("floor")
}

/// A red ball of 0.1 m above a floor, from rest.
fn falling_ball(height: f64, times: impl IntoIterator<Item = f64>) -> Film {
    let mut world = World::builder().gravity(DVec3::Z * -9.81).build().expect("plain settings");
    world.add(floor()).expect("there is room");
    let ball = Shape::Ball(Ball::new(0.1).expect("a size"));
    let pose = Pose::from_translation(DVec3::Z * height);
    world.add(Body::free(ball).named("ball").pose(pose).density(1000.0)).expect("there is room");
    let mut looks = Looks::default();
    looks.colors.insert("ball".to_owned(), [220, 20, 20]);
    film_of(world, FilmOptions::at(times).with_touches(0.05), &looks)
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r > 90 && i32::from(r) > 2 * i32::from(g.max(b))
}
