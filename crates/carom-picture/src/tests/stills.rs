//! Stills: places, colours, shadows and frames.

use std::sync::Arc;

use carom::{Body, World};
use carom_geometry::shapes::{
    Ball, Capsule, Compound, Cone, Cuboid, Cylinder, Ellipsoid, Part, Superquadric,
};
use carom_geometry::{ClosedMesh, Pose, Shape, TriMesh, convex_hull};
use glam::{DQuat, DVec3};

use super::{falling_ball, film_of, floor, is_red};
use crate::camera::Camera;
use crate::film::{Film, FilmOptions, Looks};
use crate::image::Image;
use crate::projector::{PictureOptions, Projector};

fn at(image: &Image, projector: &Projector<'_>, point: DVec3) -> [u8; 3] {
    let [x, y] = projector.place(point).expect("it is ahead");
    image.pixel(x as u32, y as u32).expect("it is in the picture")
}

fn brightness(color: [u8; 3]) -> f64 {
    color.iter().map(|part| f64::from(*part)).sum::<f64>() / 3.0
}

#[test]
fn a_red_ball_is_red_where_it_is_and_nowhere_else() {
    let film = falling_ball(0.5, [0.2]);
    let projector = Projector::new(&film, &PictureOptions::default());
    let image = projector.still(0, "");
    let center = film.frames[0].poses[1].expect("it is there").translation;
    assert!((center.z - (0.5 - 0.5 * 9.81 * 0.04)).abs() < 1e-9, "{center}");
    assert!(is_red(at(&image, &projector, center)));
    let [x, y] = projector.place(center).expect("it is ahead");
    let [edge, _] = {
        let right = projector.camera();
        let side = (right.target - right.eye).cross(right.up).normalize_or_zero();
        projector.place(center + side * 0.1).expect("it is ahead")
    };
    let radius = edge - x;
    for (index, pixel) in image.pixels().iter().enumerate() {
        let (px, py) = ((index % 640) as f64 + 0.5, (index / 640) as f64 + 0.5);
        let distance = libm::hypot(px - x, py - y);
        // Perspective widens the outline of a ball a little.
        assert!(!is_red(*pixel) || distance < 1.03 * radius + 1.5, "red at {px}, {py}");
        // A highlight is pale, but still redder than anything around.
        let is_reddish = i32::from(pixel[0]) > i32::from(pixel[1].max(pixel[2])) + 40;
        assert!(is_reddish || distance > 0.93 * radius - 1.5, "not red at {px}, {py}: {pixel:?}");
    }
}

#[test]
fn a_shadow_is_darker_than_lit_ground_and_lies_away_from_the_light() {
    let film = falling_ball(0.3, [0.0]);
    let projector = Projector::new(&film, &PictureOptions::default());
    let image = projector.still(0, "");
    // Somewhere on the ground it is much darker than on most of it.
    let ground = |x: f64, y: f64| brightness(at(&image, &projector, DVec3::new(x, y, 0.0)));
    let mut values = Vec::new();
    for i in -8..=8 {
        for j in -8..=8 {
            let point = DVec3::new(f64::from(i) * 0.04, f64::from(j) * 0.04, 0.0);
            let inside = projector
                .place(point)
                .is_some_and(|[x, y]| (0.0..640.0).contains(&x) && (0.0..480.0).contains(&y));
            if inside && !is_red(at(&image, &projector, point)) {
                values.push(ground(point.x, point.y));
            }
        }
    }
    values.sort_unstable_by(f64::total_cmp);
    let (dark, usual) = (values[0], values[values.len() / 2]);
    assert!(dark < 0.72 * usual, "{dark} against {usual}");
    assert!(usual > 150.0, "the ground is light: {usual}");
}

/// One body of each kind of shape, side by side.
fn zoo() -> Film {
    let mut world = World::builder().gravity(DVec3::Z * -9.81).build().expect("plain settings");
    let tetrahedron = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|it| 0.3 * it);
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = TriMesh::new(tetrahedron.to_vec(), faces).expect("sound");
    let ball = Shape::Ball(Ball::new(0.1).expect("a size"));
    let part = |x: f64| Part {
        body_from_shape: Pose::from_translation(DVec3::X * x),
        shape: ball.clone(),
    };
    let sizes = DVec3::new(0.2, 0.12, 0.15);
    let shapes = [
        ball.clone(),
        Shape::Cuboid(Cuboid::new(sizes).expect("sizes")),
        Shape::Capsule(Capsule::new(0.15, 0.08).expect("sizes")),
        Shape::Cylinder(Cylinder::new(0.15, 0.1).expect("sizes")),
        Shape::Cone(Cone::new(0.15, 0.12).expect("sizes")),
        Shape::Ellipsoid(Ellipsoid::new(sizes).expect("sizes")),
        Shape::Superquadric(Superquadric::new(sizes, 6.0, 3.0).expect("sizes")),
        Shape::Polyhedron(Arc::new(convex_hull(&tetrahedron).expect("a solid"))),
        Shape::Mesh(Arc::new(ClosedMesh::new(mesh).expect("a solid"))),
        Shape::Compound(Arc::new(Compound::new(vec![part(-0.1), part(0.1)]).expect("parts"))),
    ];
    let mut looks = Looks::default();
    for (index, shape) in shapes.into_iter().enumerate() {
        let place = DVec3::new((index % 5) as f64, (index / 5) as f64, 1.0);
        let turn = DQuat::from_rotation_x(0.4 * index as f64);
        let name = format!("body {index}");
        looks.colors.insert(name.clone(), [220, 20, 20]);
        let body = Body::free(shape).named(name).pose(Pose::new(place, turn)).density(1000.0);
        world.add(body).expect("there is room");
    }
    film_of(world, FilmOptions::at([0.0]), &looks)
}

#[test]
fn every_kind_of_shape_is_drawn_within_its_box_and_all_are_in_frame() {
    let film = zoo();
    let projector = Projector::new(&film, &PictureOptions::default());
    let image = projector.still(0, "");
    let [width, height] = image.size();
    let mut claimed = vec![false; image.pixels().len()];
    for (index, actor) in film.actors.iter().enumerate() {
        let pose = film.frames[0].poses[index].expect("it is there");
        let bounds = actor.bounds.expect("it has an end");
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in 0..8 {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
            };
            let point = pose.point(DVec3::new(pick(0), pick(1), pick(2)));
            let place = projector.place(point).expect("it is ahead");
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        let mut red = 0;
        for y in (low[1] - 1.0).max(0.0) as u32..(high[1] + 2.0).min(f64::from(height)) as u32 {
            for x in (low[0] - 1.0).max(0.0) as u32..(high[0] + 2.0).min(f64::from(width)) as u32 {
                claimed[(y * width + x) as usize] = true;
                red += u32::from(image.pixel(x, y).is_some_and(is_red));
            }
        }
        let area = (high[0] - low[0]) * (high[1] - low[1]);
        assert!(f64::from(red) > 0.12 * area, "{} has {red} of {area} px", actor.name);
    }
    for (pixel, is_claimed) in image.pixels().iter().zip(&claimed) {
        assert!(!is_red(*pixel) || *is_claimed, "something red is outside of all boxes");
    }
    // Nothing red at the edges: all is in frame.
    for x in 0..width {
        for y in [0, height - 1] {
            assert!(!image.pixel(x, y).is_some_and(is_red), "at the edge, {x}");
        }
    }
}

#[test]
fn everything_that_moves_is_in_frame_at_all_times() {
    let film = falling_ball(3.0, (0..20).map(|n| f64::from(n) * 0.03));
    for size in [[640, 480], [300, 600], [900, 200]] {
        let options = PictureOptions { size, ..PictureOptions::default() };
        let projector = Projector::new(&film, &options);
        for frame in &film.frames {
            let center = frame.poses[1].expect("it is there").translation;
            for offset in [DVec3::X, DVec3::Y, DVec3::Z] {
                for point in [center + 0.1 * offset, center - 0.1 * offset] {
                    let [x, y] = projector.place(point).expect("it is ahead");
                    let fits =
                        x > 0.0 && y > 0.0 && x < f64::from(size[0]) && y < f64::from(size[1]);
                    assert!(fits, "{point} is at {x}, {y} of {size:?}");
                }
            }
        }
    }
}

#[test]
fn a_wall_in_front_is_seen_through_and_a_floor_is_not() {
    let mut world = World::builder().gravity(DVec3::ZERO).build().expect("plain settings");
    world.add(floor()).expect("there is room");
    let ball = Shape::Ball(Ball::new(0.1).expect("a size"));
    let place = Pose::from_translation(DVec3::Z * 0.3);
    world.add(Body::free(ball).named("ball").pose(place).density(1.0)).expect("there is room");
    let wall = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.01, 0.3)).expect("sizes"));
    let place = Pose::from_translation(DVec3::new(0.0, -0.3, 0.301));
    world.add(Body::fixed(wall).named("wall").pose(place)).expect("there is room");
    let mut looks = Looks::default();
    looks.colors.insert("ball".to_owned(), [255, 0, 0]);
    looks.colors.insert("wall".to_owned(), [0, 0, 255]);
    let film = film_of(world, FilmOptions::at([0.0]), &looks);
    let eye = DVec3::new(0.0, -3.0, 0.4);
    let camera = Camera { eye, target: DVec3::Z * 0.3, up: DVec3::Z, fov: 0.4 };
    let options = PictureOptions { camera: Some(camera), ..PictureOptions::default() };
    let projector = Projector::new(&film, &options);
    let [r, g, b] = at(&projector.still(0, ""), &projector, DVec3::Z * 0.3);
    assert!(r > 100 && b > g + 20, "red behind a breath of blue: {r} {g} {b}");
}

#[test]
fn titles_times_and_scales_are_written_where_they_belong() {
    let film = falling_ball(0.5, [0.0]);
    let projector = Projector::new(&film, &PictureOptions::default());
    let (bare, titled) = (projector.still(0, ""), projector.still(0, "A ball falls"));
    let dark = |image: &Image, rows: std::ops::Range<u32>, columns: std::ops::Range<u32>| {
        let is_dark = |x: u32, y: u32| image.pixel(x, y).is_some_and(|it| brightness(it) < 90.0);
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| is_dark(x, y))
            .count()
    };
    assert_eq!(dark(&bare, 0..60, 0..320), 0);
    assert!(dark(&titled, 0..60, 0..320) > 60);
    assert!(dark(&bare, 430..480, 0..200) > 60, "the time");
    assert!(dark(&bare, 430..480, 440..640) > 60, "the scale");
}

#[test]
fn trails_go_where_the_body_was_and_arrows_where_it_was_pushed() {
    let film = falling_ball(0.5, (0..=40).map(|n| f64::from(n) * 0.01));
    let frames = Some(vec![25]);
    let plain = PictureOptions { frames, ..PictureOptions::default() };
    let trails = PictureOptions { trails: true, ..plain.clone() };
    let projector = Projector::new(&film, &trails);
    let image = projector.still(25, "");
    assert!(is_red(at(&image, &projector, DVec3::Z * 0.45)), "the trail");
    // It falls 0.4 m in 0.286 s, and the frame at 0.29 s shows the push.
    let pushed = film.frames.iter().position(|frame| !frame.touches.is_empty());
    assert_eq!(pushed, Some(29));
    let touch = film.frames[29].touches[0];
    let camera = Some(*projector.camera());
    let arrows = PictureOptions { touches: true, camera, frames: Some(vec![29]), ..plain.clone() };
    let without = PictureOptions { touches: false, ..arrows.clone() };
    let (with, without) = (Projector::new(&film, &arrows), Projector::new(&film, &without));
    let (marked, bare) = (with.still(29, ""), without.still(29, ""));
    let point = at(&marked, &with, touch.point);
    assert!(brightness(point) < 80.0, "a dark dot at the contact point: {point:?}");
    assert_ne!(marked, bare);
}

#[test]
fn who_is_out_of_frame_is_known_by_name() {
    let film = falling_ball(0.5, [0.0]);
    let away = Camera {
        eye: DVec3::new(0.0, -3.0, 5.0),
        target: DVec3::new(0.0, 0.0, 5.0),
        ..*Projector::new(&film, &PictureOptions::default()).camera()
    };
    for (camera, out) in [(None, &[][..]), (Some(away), &["ball"])] {
        let projector =
            Projector::new(&film, &PictureOptions { camera, ..PictureOptions::default() });
        assert_eq!(projector.out_of_frame(0), out);
    }
}

#[test]
fn frames_that_make_trails_take_no_pushes_away() {
    let ball = |options: FilmOptions| {
        let mut world = World::builder().gravity(DVec3::Z * -9.81).build().expect("plain settings");
        world.add(floor()).expect("there is room");
        let shape = Shape::Ball(Ball::new(0.1).expect("a size"));
        let pose = Pose::from_translation(DVec3::Z * 0.1001);
        world.add(Body::free(shape).pose(pose).density(1000.0)).expect("there is room");
        film_of(world, options, &Looks::default())
    };
    let plain = || FilmOptions::at([0.5]).with_touches(0.1);
    let (alone, among) = (ball(plain()), ball(plain().with_trails([0.1, 0.45, 0.49, 0.499])));
    assert_eq!((alone.frames.len(), among.frames.len()), (1, 5));
    assert!(!alone.frames[0].touches.is_empty(), "it lies on the floor");
    assert_eq!(alone.frames[0].touches, among.frames[4].touches);
    assert!(among.frames[..4].iter().all(|frame| frame.touches.is_empty()));
}

#[test]
fn a_body_that_is_gone_has_no_trail_and_does_not_choose_the_camera() {
    let mut film = falling_ball(0.5, (0..=20).map(|n| f64::from(n) * 0.01));
    let mut stray = film.actors[1].clone();
    stray.name = "stray".to_owned();
    film.actors.push(stray);
    for (index, frame) in film.frames.iter_mut().enumerate() {
        let place = Pose::from_translation(DVec3::new(0.3, 0.0, 0.5));
        frame.poses.push((index < 5).then_some(place));
    }
    let options = PictureOptions { trails: true, ..PictureOptions::default() };
    let with = Projector::new(&film, &options);
    let last = with.still(20, "");
    let mut alone = film.clone();
    alone.actors.pop();
    alone.frames.iter_mut().for_each(|frame| frame.poses.truncate(2));
    let without = Projector::new(&alone, &options);
    assert_eq!(with.camera(), without.camera());
    assert!(last == without.still(20, ""), "nothing is left of what is gone");
}

#[test]
fn nothing_to_draw_is_a_picture_too() {
    let film = Film::default();
    let projector = Projector::new(&film, &PictureOptions::default());
    assert_eq!(projector.still(0, "empty").size(), [640, 480]);
    let world = World::builder().build().expect("plain settings");
    let film = film_of(world, FilmOptions::at([0.0]), &Looks::default());
    let image = Projector::new(&film, &PictureOptions::default()).still(0, "empty");
    assert_eq!(image.size(), [640, 480]);
}

#[test]
fn one_thread_and_several_draw_the_same_bytes() {
    let film = zoo();
    let draw = |threads: usize| {
        let options = PictureOptions { threads, ..PictureOptions::default() };
        Projector::new(&film, &options).still(0, "The same")
    };
    let first = draw(1);
    for threads in [2, 3] {
        assert!(draw(threads) == first, "{threads} threads");
    }
}

#[test]
fn a_body_too_small_to_be_seen_is_a_dot_that_others_hide() {
    let draw = |obstacle: f64| {
        let mut world = World::builder().passing().build().expect("plain settings");
        let ball = |radius: f64| Shape::Ball(Ball::new(radius).expect("a size"));
        let at = |y: f64| Pose::from_translation(DVec3::Y * y);
        // One that moves, too: a fixed one would be a wall, and drawn as glass.
        let obstacle = Body::free(ball(0.5)).pose(at(obstacle)).density(1000.0);
        world.add(obstacle).expect("there is room");
        let speck = Body::free(ball(0.001)).named("speck").pose(at(0.0)).density(1000.0);
        world.add(speck).expect("there is room");
        let mut looks = Looks::default();
        looks.colors.insert("speck".to_owned(), [220, 20, 20]);
        let film = film_of(world, FilmOptions::at([0.0]), &looks);
        let eye = DVec3::new(0.0, -10.0, 0.0);
        let camera = Camera { eye, target: DVec3::ZERO, up: DVec3::Z, fov: 0.4 };
        let options = PictureOptions { camera: Some(camera), ..PictureOptions::default() };
        Projector::new(&film, &options).still(0, "")
    };
    let red = |image: &Image| image.pixels().iter().filter(|pixel| is_red(**pixel)).count();
    let seen = red(&draw(3.0));
    assert!((10..40).contains(&seen), "a dot of {seen} pixels in front");
    assert_eq!(red(&draw(-3.0)), 0);
}
