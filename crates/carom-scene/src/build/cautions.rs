//! Contact settings that are allowed and rarely meant.

use carom::{Microcollisions, Short};

use crate::problem::{Place, Problem};
use crate::scene::{Body, MotionSpec, OnTouch, Scene};
use crate::tolerances::{LARGE_ENVELOPE, SMALL_ENVELOPE, SMALL_RESTITUTION};

/// What to say of the contact settings of a scene; `plain` is where it asks for plain microcollisions.
pub(super) fn cautions(scene: &Scene, plain: Option<Place>) -> impl Iterator<Item = Problem> {
    let collide = scene.on_touch == OnTouch::Collide;
    let found = [odd_envelope(scene), plain.and_then(|place| many_collisions(scene, place))];
    found.into_iter().flatten().filter(move |_| collide)
}

fn is_free(body: &Body) -> bool {
    body.motion == MotionSpec::Free && !body.ghost && !body.sensor
}

/// An envelope that can be seen beside the smallest free body, or cannot be told from contact.
fn odd_envelope(scene: &Scene) -> Option<Problem> {
    let envelope = scene.envelope?;
    let sizes = scene.bodies.iter().filter(|body| is_free(body)).map(|body| {
        let size = 2.0 * body.shape.bounding_radius();
        (body, size)
    });
    let (body, size) = sizes.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (is, label, wanted) = if envelope > LARGE_ENVELOPE * size {
        ("large", "at rest it hops by about the envelope", "smaller")
    } else if envelope < SMALL_ENVELOPE * size {
        ("small", "a hop through it cannot be told from contact", "larger")
    } else {
        return None;
    };
    let (name, envelope, size) = (&body.name, Short(envelope), Short(size));
    let message = format!(
        "the envelope of {envelope} m is {is} for body \"{name}\", which is {size} m in size"
    );
    let hint = format!(
        "give a {wanted} `envelope` under [world] or with --envelope; without any, each pair has 1e-4 of its smaller body's size"
    );
    Some(Problem::warning(body.place, message).label(label).hint(hint))
}

/// Plain microcollisions where next to nothing bounces.
fn many_collisions(scene: &Scene, place: Place) -> Option<Problem> {
    if scene.microcollisions != Microcollisions::Plain {
        return None;
    }
    let restitution = |a: &Body, b: &Body| scene.surface(a.material, b.material).restitution;
    // One body of each material is enough to ask.
    let mut kinds: Vec<(&Body, bool)> = Vec::new();
    for body in &scene.bodies {
        let free = is_free(body);
        if !kinds.iter().any(|(known, is)| known.material == body.material && *is == free) {
            kinds.push((body, free));
        }
    }
    let mut pairs = kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b)));
    let found = pairs.find(|(a, b)| a.1 && restitution(a.0, b.0) < SMALL_RESTITUTION);
    found.map(|_| {
        let message = "plain microcollisions of bodies that hardly bounce take thousands of collisions a second, those of bodies that do not bounce hundreds of thousands";
        Problem::warning(place, message)
            .label(format!("with a restitution below {SMALL_RESTITUTION}"))
            .hint("leave `microcollisions` out, or raise `restitution` of the materials")
    })
}
