//! The scene that `carom new` writes: commented, so that the format can be learnt from it.

/// The starter scene; `{NAME}` stands for its title.
pub const STARTER: &str = include_str!("starter.toml");

/// The starter scene with a title.
pub fn starter(name: &str) -> String {
    let quoted: String = name
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c if c.is_control() => vec![' '],
            c => vec![c],
        })
        .collect();
    STARTER.replace("{NAME}", &quoted)
}
