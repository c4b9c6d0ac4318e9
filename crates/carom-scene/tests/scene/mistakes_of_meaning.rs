//! Rendered messages about mistakes of meaning, word for word: what a newcomer sees.

use crate::check_rendered as check;

#[test]
fn a_free_body_without_mass_is_asked_how_heavy_it_is() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 1 }

[[body]]
name = "floor"
shape = { kind = "half_space" }
"#,
        r#"error: the free body `ball` has no mass
 --> scene.toml:2:1
  |
2 | [[body]]
  | ^^^^^^^^ how heavy is it?
  |
  = help: give it `density` or `mass`, or a `material` that has a density; or add
          `motion = { kind = "fixed" }`

error: the body `floor` is a half-space and cannot move freely
 --> scene.toml:6:1
  |
6 | [[body]]
  | ^^^^^^^^ has no end and so no mass
  |
  = help: add `motion = { kind = "fixed" }`

2 errors
"#,
    );
}

#[test]
fn parameters_in_a_circle_are_told_with_the_chain() {
    check(
        r#"format = 1
[parameters]
a = "b + 1"
b = "2 * c"
c = "a"
d = "a"
"#,
        r#"error: the parameters refer to each other in a circle: a → b → c → a
 --> scene.toml:3:5
  |
3 | a = "b + 1"
  |     ^^^^^^^ `a` needs its own value
4 | b = "2 * c"
  |     ------- `b` is part of it
5 | c = "a"
  |     --- `c` is part of it
  |
  = help: give one of them a value of its own

1 error
"#,
    );
}

#[test]
fn a_parameter_outside_its_range_is_shown_with_the_bound() {
    check(
        r#"format = 1
[parameters]
slope = { value = 50, min = 0, max = 45, unit = "deg" }
[world]
gravity = [0, 0, "-slope"]
"#,
        r#"error: the parameter `slope` is 50, but must be at most 45
 --> scene.toml:3:19
  |
3 | slope = { value = 50, min = 0, max = 45, unit = "deg" }
  |                   ^^ out of range    -- the bound

1 error
"#,
    );
}

#[test]
fn unknown_names_of_bodies_and_materials_are_met_with_near_ones() {
    check(
        r#"format = 1
[[material]]
name = "steel"
density = 7800
[[body]]
name = "hammer"
shape = { kind = "box", size = [1, 1, 1] }
material = "stel"
[[impulse]]
at = 1
body = "hamer"
impulse = [1, 0, 0]
"#,
        r#"error: there is no material `stel`
 --> scene.toml:8:12
  |
8 | material = "stel"
  |            ^^^^^^
  |
  = help: did you mean `steel`?

error: there is no body `hamer`
  --> scene.toml:11:8
   |
11 | body = "hamer"
   |        ^^^^^^^
   |
   = help: did you mean `hammer`?

2 errors
"#,
    );
}

#[test]
fn a_name_used_twice_is_shown_at_both_places() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 1

[[body]]
name = "box"
shape = { kind = "box", size = [1, 1, 1] }
mass = 1

[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.2 }
mass = 1
"#,
        r#"error: two bodies are called `ball`
  --> scene.toml:13:8
   |
 3 | name = "ball"
   |        ------ used first
...
13 | name = "ball"
   |        ^^^^^^ used again
   |
   = help: give each body a name of its own

1 error
"#,
    );
}

#[test]
fn numbers_that_no_body_has_are_refused_at_their_place() {
    check(
        r#"format = 1
[[material]]
name = "putty"
friction = -0.1
restitution = 1.2
[[body]]
name = "a"
shape = { kind = "ball", radius = 0 }
mass = nan
[[body]]
name = "b"
shape = { kind = "ball", radius = 1 }
inertia = { mass = 1, moments = [1, 1, 3] }
[[body]]
name = "c"
shape = { kind = "ball", radius = 1 }
mass = 1
quaternion = [1, 0, 0, 1]
[[body]]
name = "d"
shape = { kind = "ball", radius = 1 }
mass = 1
axis = [0, 0, 0]
angle_deg = 30
"#,
        r#"error: `friction` must not be negative
 --> scene.toml:4:12
  |
4 | friction = -0.1
  |            ^^^^ this is -0.1

error: `restitution` must lie between 0 and 1
 --> scene.toml:5:15
  |
5 | restitution = 1.2
  |               ^^^ this is 1.2

error: `radius` must be positive
 --> scene.toml:8:35
  |
8 | shape = { kind = "ball", radius = 0 }
  |                                   ^ this is 0

error: `mass` must be a finite number
 --> scene.toml:9:8
  |
9 | mass = nan
  |        ^^^ this is NaN

error: no body has this inertia
  --> scene.toml:13:33
   |
13 | inertia = { mass = 1, moments = [1, 1, 3] }
   |                                 ^^^^^^^^^
   |
   = help: the principal moments are 1e0, 1e0 and 3e0 kg·m²: the largest exceeds the sum of the
           others by 1e0 kg·m², and no body has such an inertia; is it given about the centre of
           mass?

error: a quaternion must have length 1
  --> scene.toml:18:14
   |
18 | quaternion = [1, 0, 0, 1]
   |              ^^^^^^^^^^^^ this has length 1.4142135623730951
   |
   = help: the order is [x, y, z, w], scalar last; `axis` with `angle_deg` is often easier

error: `axis` has no direction
  --> scene.toml:23:8
   |
23 | axis = [0, 0, 0]
   |        ^^^^^^^^^ this has no length
   |
   = help: give a vector that is not zero, such as [0, 0, 1]

7 errors
"#,
    );
}

#[test]
fn too_many_copies_name_the_limit_and_how_to_raise_it() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 1
repeat = { kind = "row", count = 1e12, step = [1, 0, 0] }
"#,
        r#"error: with these 1000000000000 copies the scene has more bodies than the limit of 1000000
 --> scene.toml:6:34
  |
6 | repeat = { kind = "row", count = 1e12, step = [1, 0, 0] }
  |                                  ^^^^
  |
  = help: `--limit bodies=N` sets another limit, if the scene is to be trusted

1 error
"#,
    );
}

#[test]
fn a_mistake_in_one_copy_names_the_copy() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = "0.1*(3 - i)" }
mass = 1
repeat = { kind = "row", count = 10, step = [1, 0, 0] }
"#,
        r#"error: `radius` must be positive
 --> scene.toml:4:35
  |
4 | shape = { kind = "ball", radius = "0.1*(3 - i)" }
  |                                   ^^^^^^^^^^^^^ this is 0, in the copy with i = 3

1 error
"#,
    );
}

#[test]
fn what_is_never_used_is_worth_a_warning() {
    check(
        r#"format = 1
[parameters]
height = 2
hight = 3
[[material]]
name = "steel"
[world]
until = "height"
[[change]]
at = 5
gravity = [0, 0, 0]
"#,
        r#"warning: the parameter `hight` is never used
 --> scene.toml:4:1
  |
4 | hight = 3
  | ^^^^^
  |
  = help: use it in an expression, or remove it

warning: no body is made of the material `steel`
 --> scene.toml:6:8
  |
6 | name = "steel"
  |        ^^^^^^^
  |
  = help: write `material = "steel"` in a [[body]], or remove it

warning: this never happens: the scene ends at 2 s
  --> scene.toml:10:6
   |
10 | at = 5
   |      ^
   |
   = help: let the scene run longer with `until` under [world]

3 warnings
"#,
    );
}

#[test]
fn an_expectation_without_tolerance_is_asked_how_near() {
    check(
        r#"format = 1
[[expect]]
what = "energy is kept"
measure = "energy("
equals = 3
regime = ["impuls"]
"#,
        r#"error: how near must it come? `tolerance` is missing
 --> scene.toml:2:1
  |
2 | [[expect]]
  | ^^^^^^^^^^
  |
  = help: add `tolerance = …` in the unit of the measure, or `tolerance_relative = …`

error: the expression stops here, but `)` should follow
 --> scene.toml:4:19
  |
4 | measure = "energy("
  |                   ^

error: there is no regime "impuls"
 --> scene.toml:6:11
  |
6 | regime = ["impuls"]
  |           ^^^^^^^^ did you mean "impulse"?
  |
  = help: regimes: `impulse`, `constraint`, `penalty`, `hybrid`

3 errors
"#,
    );
}

#[test]
fn velocities_of_a_fixed_body_are_refused() {
    check(
        r#"format = 1
[[body]]
name = "wall"
shape = { kind = "box", size = [1, 1, 1] }
motion = { kind = "fixed" }
velocity = [1, 0, 0]
[[impulse]]
at = 1
body = "wall"
impulse = [1, 0, 0]
"#,
        r#"error: only free bodies have `velocity`
 --> scene.toml:6:12
  |
6 | velocity = [1, 0, 0]
  |            ^^^^^^^^^ this body moves as `motion` says
  |
  = help: for constant velocity: motion = { kind = "constant", velocity = […] }

error: the body `wall` is not free, so impulses do not move it
 --> scene.toml:9:8
  |
2 | [[body]]
  | -------- moves as its `motion` says
...
9 | body = "wall"
  |        ^^^^^^

2 errors
"#,
    );
}

#[test]
fn what_speaks_of_a_body_that_could_not_be_made_is_not_judged_and_never_takes_another_for_it() {
    let told = crate::load_text(
        r#"
        format = 1
        [record]
        bodies = ["bad", "wall"]
        [[body]]
        name = "bad"
        shape = { kind = "ball", radius = -1 }
        density = 1
        [[body]]
        name = "wall"
        shape = { kind = "half_space" }
        motion = { kind = "fixed" }
        [[impulse]]
        at = 1
        body = "bad"
        impulse = [1, 0, 0]
        [[change]]
        at = 1
        carry = "bad"
        by = "wall"
        "#,
    )
    .problems
    .render(false);
    assert!(told.contains("1 error"), "{told}");
    assert!(told.contains("`radius` must be positive"), "{told}");
}
