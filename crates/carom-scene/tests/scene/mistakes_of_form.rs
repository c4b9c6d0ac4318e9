//! Rendered messages about mistakes of form, word for word: what a newcomer sees.

use crate::check_rendered as check;

#[test]
fn a_misspelt_key_is_met_with_the_right_one() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
densty = 1000
"#,
        r"error: [[body]] has no key `densty`
 --> scene.toml:5:1
  |
5 | densty = 1000
  | ^^^^^^ did you mean `density`?
  |
  = help: keys allowed here: `name`, `shape`, `material`, `density`, `mass`, `inertia`,
          `velocity`, `angular_velocity`, `angular_velocity_deg`, `angular_velocity_body`,
          `surface_velocity`, `motion`, `color`, `ghost`, `sensor`, `layer`, `layers`, `meets`,
          `from`, `until`, `repeat`, `position`, `quaternion`, `axis`, `angle_deg`, `angle_rad`,
          `euler_deg`, `euler_order`, `look_at`, `up`

1 error
",
    );
}

#[test]
fn a_misspelt_kind_is_met_with_the_right_one() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "bal", radius = 0.1 }
density = 1000
"#,
        r#"error: a shape has no kind "bal"
 --> scene.toml:4:18
  |
4 | shape = { kind = "bal", radius = 0.1 }
  |                  ^^^^^ did you mean "ball"?
  |
  = help: kinds: `ball`, `box`, `capsule`, `cylinder`, `cone`, `ellipsoid`, `superquadric`,
          `half_space`, `hull`, `mesh`, `hull_of_mesh`, `compound`

1 error
"#,
    );
}

#[test]
fn wrong_types_say_what_was_expected_and_what_was_found() {
    check(
        r#"format = 1
[world]
gravity = -9.81
[[body]]
name = "box"
shape = { kind = "box", size = [1, 2] }
density = true
motion = "fixed"
"#,
        r#"error: `gravity` must be a list of 3 numbers, such as [0, 0, 0]
 --> scene.toml:3:11
  |
3 | gravity = -9.81
  |           ^^^^^ this is a number

error: `size` must be a list of 3 numbers, such as [0, 0, 0]
 --> scene.toml:6:32
  |
6 | shape = { kind = "box", size = [1, 2] }
  |                                ^^^^^^ this has 2

error: `density` must be a number, or an expression in quotes
 --> scene.toml:7:11
  |
7 | density = true
  |           ^^^^ this is true or false

error: `motion` must be a table such as { kind = "free", … }
 --> scene.toml:8:10
  |
8 | motion = "fixed"
  |          ^^^^^^^ this is a text
  |
  = help: write { kind = "fixed" }

4 errors
"#,
    );
}

#[test]
fn a_missing_key_is_explained() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball" }
density = 1000
"#,
        r#"error: a ball needs `radius`
 --> scene.toml:4:9
  |
4 | shape = { kind = "ball" }
  |         ^^^^^^^^^^^^^^^^^ `radius` is missing
  |
  = help: add `radius = …`: its radius [m]

1 error
"#,
    );
}

#[test]
fn a_mistake_in_an_expression_is_underlined_inside_the_string() {
    check(
        r#"format = 1
[parameters]
height = 2
[[body]]
name = "ball"
shape = { kind = "ball", radius = "0.1 * heigth" }
mass = "2 * (1 + 3"
position = [0, 0, "height^2"]
"#,
        r#"error: nothing is called `heigth`
 --> scene.toml:6:42
  |
6 | shape = { kind = "ball", radius = "0.1 * heigth" }
  |                                          ^^^^^^
  |
  = help: did you mean `height`?

error: the expression stops here, but `)` should follow
 --> scene.toml:7:19
  |
7 | mass = "2 * (1 + 3"
  |                   ^

error: `^` is no operator
 --> scene.toml:8:26
  |
8 | position = [0, 0, "height^2"]
  |                          ^
  |
  = help: powers are written `x**2`

3 errors
"#,
    );
}

#[test]
fn keys_that_exclude_each_other_are_shown_together() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.1 }
mass = 1
density = 1000
"#,
        r"error: `mass` and `density` exclude each other
 --> scene.toml:6:1
  |
5 | mass = 1
  | ---- the other one
6 | density = 1000
  | ^^^^^^^ one too many
  |
  = help: [[body]] takes one of `density`, `mass`, `inertia`

1 error
",
    );
}

#[test]
fn an_unquoted_expression_is_told_as_such() {
    check(
        r#"format = 1
[[body]]
name = "ball"
shape = { kind = "ball", radius = 2*height }
"#,
        r#"error: the file is not valid TOML: invalid float
 --> scene.toml:4:36
  |
4 | shape = { kind = "ball", radius = 2*height }
  |                                    ^^^^^^^
  |
  = help: texts and expressions stand in quotes, such as "2*height"; numbers in a list are
          separated by commas, such as [0, 0, 1]

1 error
"#,
    );
}

#[test]
fn a_table_with_one_bracket_too_few_is_told_as_such() {
    check(
        r#"format = 1
[body]
name = "ball"
"#,
        r"error: `body` must be a list of tables, each beginning with [[body]]
 --> scene.toml:2:1
  |
2 | [body]
  | ^^^^^^ this is a table

1 error
",
    );
}

#[test]
fn a_missing_format_is_explained() {
    check(
        r#"title = "ball"
"#,
        r#"error: the scene does not state its format
 --> scene.toml:1:1
  |
1 | title = "ball"
  | ^ `format` is missing
  |
  = help: begin the file with the line `format = 1`

1 error
"#,
    );
}

#[test]
fn an_unknown_format_is_explained_and_nothing_else_is_judged() {
    check(
        r#"format = 2
bodies = "quantum"
"#,
        r"error: this version of the format is not known
 --> scene.toml:1:10
  |
1 | format = 2
  |          ^ this version of carom reads format 1
  |
  = help: a newer version of carom may read it

1 error
",
    );
}
