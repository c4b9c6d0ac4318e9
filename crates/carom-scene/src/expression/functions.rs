//! The functions that every expression may use.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use rhai::{Array, Dynamic, Engine, EvalAltResult};

/// Numbers that have a name.
pub const CONSTANTS: [(&str, f64); 2] = [("pi", PI), ("tau", TAU)];

/// A function of numbers or vectors.
#[derive(Clone, Copy)]
enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// Of two, three or four numbers, combined from the left.
    Fold(fn(f64, f64) -> f64),
    Length,
    Dot,
    Cross,
}

/// All functions by name, with what they give, for the manual.
const FUNCTIONS: [(&str, Function, &str); 28] = [
    ("abs", Function::One(f64::abs), "abs(x): x without its sign"),
    ("acos", Function::One(libm::acos), "acos(x): the angle with that cosine, in radians"),
    ("asin", Function::One(libm::asin), "asin(x): the angle with that sine, in radians"),
    ("atan", Function::One(libm::atan), "atan(x): the angle with that tangent, in radians"),
    ("atan2", Function::Two(libm::atan2), "atan2(y, x): the angle of the point (x, y), in radians"),
    ("ceil", Function::One(f64::ceil), "ceil(x): the next whole number up"),
    ("clamp", Function::Three(clamp), "clamp(x, low, high): x brought between low and high"),
    ("cos", Function::One(libm::cos), "cos(angle in radians)"),
    ("cross", Function::Cross, "cross(a, b): the vector product"),
    ("deg", Function::One(degrees), "deg(angle in radians): the angle in degrees"),
    ("dot", Function::Dot, "dot(a, b): the scalar product of two vectors"),
    ("exp", Function::One(libm::exp), "exp(x): e to the power of x"),
    ("floor", Function::One(f64::floor), "floor(x): the next whole number down"),
    ("hypot", Function::Two(libm::hypot), "hypot(x, y): the square root of x² + y²"),
    ("length", Function::Length, "length(v): the length of a vector"),
    ("ln", Function::One(libm::log), "ln(x): the natural logarithm"),
    ("log10", Function::One(libm::log10), "log10(x): the decimal logarithm"),
    ("max", Function::Fold(f64::max), "max(a, b, …): the largest"),
    ("min", Function::Fold(f64::min), "min(a, b, …): the smallest"),
    ("pow", Function::Two(libm::pow), "pow(x, y): x to the power of y, also x**y"),
    ("rad", Function::One(radians), "rad(angle in degrees): the angle in radians"),
    (
        "random",
        Function::Two(random),
        "random(seed, n): a number from 0 to below 1, as good as drawn at random, the same for the same seed and n",
    ),
    (
        "round",
        Function::One(f64::round),
        "round(x): the nearest whole number, halves away from zero",
    ),
    ("sign", Function::One(sign), "sign(x): -1, 0 or 1"),
    ("sin", Function::One(libm::sin), "sin(angle in radians)"),
    ("sqrt", Function::One(f64::sqrt), "sqrt(x): the square root"),
    ("tan", Function::One(libm::tan), "tan(angle in radians)"),
    ("trunc", Function::One(f64::trunc), "trunc(x): the whole part"),
];

/// The built-in functions with a line on each, by name.
pub fn function_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    FUNCTIONS.iter().map(|(name, _, about)| (*name, *about))
}

/// How a function is used, if there is one of that name.
pub(super) fn usage(name: &str) -> Option<&'static str> {
    find(name).map(|(.., usage)| *usage)
}

pub(super) fn is_function(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static (&'static str, Function, &'static str)> {
    FUNCTIONS.iter().find(|(known, ..)| *known == name)
}

/// Gives an engine all of them, powers and the arithmetic of vectors.
pub(super) fn register(engine: &mut Engine) {
    for &(name, function, _) in &FUNCTIONS {
        match function {
            Function::One(f) => drop(engine.register_fn(name, f)),
            Function::Two(f) => drop(engine.register_fn(name, f)),
            Function::Three(f) => drop(engine.register_fn(name, f)),
            Function::Fold(f) => {
                engine.register_fn(name, move |a: f64, b: f64| f(a, b));
                engine.register_fn(name, move |a: f64, b: f64, c: f64| f(f(a, b), c));
                engine.register_fn(name, move |a: f64, b: f64, c: f64, d: f64| f(f(f(a, b), c), d));
            }
            Function::Length => {
                engine.register_fn(name, |v: Array| -> Answer<f64> { vector(&v).map(length) });
            }
            Function::Dot => {
                engine.register_fn(name, |a: Array, b: Array| -> Answer<f64> {
                    Ok(vector(&a)?.dot(vector(&b)?))
                });
            }
            Function::Cross => {
                engine.register_fn(name, |a: Array, b: Array| -> Answer<Array> {
                    Ok(list(vector(&a)?.cross(vector(&b)?)))
                });
            }
        }
    }
    engine.register_fn("**", libm::pow);
    engine.register_fn("/", |a: f64, b: f64| divided(a, b, |a, b| a / b));
    engine.register_fn("%", |a: f64, b: f64| divided(a, b, |a, b| a % b));
    engine.register_fn("+", |a: Array, b: Array| -> Answer<Array> {
        Ok(list(vector(&a)? + vector(&b)?))
    });
    engine.register_fn("-", |a: Array, b: Array| -> Answer<Array> {
        Ok(list(vector(&a)? - vector(&b)?))
    });
    engine.register_fn("-", |a: Array| -> Answer<Array> { Ok(list(-vector(&a)?)) });
    engine.register_fn("*", |a: Array, b: f64| -> Answer<Array> { Ok(list(vector(&a)? * b)) });
    engine.register_fn("*", |a: f64, b: Array| -> Answer<Array> { Ok(list(a * vector(&b)?)) });
    engine.register_fn("/", |a: Array, b: f64| -> Answer<Array> { Ok(list(vector(&a)? / b)) });
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        engine.register_get(name, move |v: &mut Array| -> Answer<f64> { Ok(vector(v)?[axis]) });
    }
}

/// A quotient, unless there is none.
fn divided(a: f64, b: f64, quotient: fn(f64, f64) -> f64) -> Answer<f64> {
    if b == 0.0 { Err("division by zero".into()) } else { Ok(quotient(a, b)) }
}

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// Three numbers of a list.
pub(crate) fn vector(list: &Array) -> Answer<DVec3> {
    let number = |value: &Dynamic| value.as_float().ok();
    match list.iter().map(number).collect::<Option<Vec<f64>>>().as_deref() {
        Some(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
        _ => Err("a vector is a list of three numbers, such as [0, 0, 1]".into()),
    }
}

/// The list of a vector's parts.
pub(crate) fn list(v: DVec3) -> Array {
    v.to_array().into_iter().map(Dynamic::from_float).collect()
}

fn clamp(x: f64, low: f64, high: f64) -> f64 {
    x.max(low).min(high)
}

/// Bits that look random for all numbers of people: two rounds of a finaliser (Stafford's mix 13, as in `SplitMix64`).
fn random(seed: f64, n: f64) -> f64 {
    const SCALE: f64 = 1.0 / (1_u64 << 53) as f64;
    // Adding 0 makes −0 the same as 0.
    let bits = mixed(mixed((seed + 0.0).to_bits()) ^ (n + 0.0).to_bits());
    (bits >> 11) as f64 * SCALE
}

fn mixed(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn degrees(angle: f64) -> f64 {
    angle * (180.0 / PI)
}

fn radians(angle: f64) -> f64 {
    angle * (PI / 180.0)
}

fn length(v: DVec3) -> f64 {
    libm::hypot(libm::hypot(v.x, v.y), v.z)
}
