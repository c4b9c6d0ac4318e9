//! The page of all keys of scene files, from their JSON Schema.
//!
//! Units and defaults stand in the schema's descriptions, as `[m]` and `; by default 10`; they become columns. Examples come from
//! one scene in which every part lies between two lines `# ANCHOR: name` and `# ANCHOR_END: name`; the scene is checked
//! as a whole, so its parts are right.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::markdown::{escaped, head, row};
use super::schema::{default_in, exclusive, kind_of, unit_in};

/// Tables in the order of reading, and how they are written in scenes. The schema itself has no name.
const ORDER: [(&str, &str); 27] = [
    ("", "The file"),
    ("ParameterTable", "`[parameters]`"),
    ("WorldTable", "`[world]`"),
    ("RecordTable", "`[record]`"),
    ("CameraTable", "`[camera]`"),
    ("MaterialTable", "`[[material]]`"),
    ("MaterialPairTable", "`[[material_pair]]`"),
    ("BodyTable", "`[[body]]`"),
    ("ShapeTable", "`shape`"),
    ("PartTable", "`parts`"),
    ("InertiaTable", "`inertia`"),
    ("MotionTable", "`motion`"),
    ("TermTable", "`terms`"),
    ("WaypointTable", "`points`"),
    ("RepeatTable", "`repeat`"),
    ("JointTable", "`[[joint]]`"),
    ("StrengthTable", "`breaks`"),
    ("ElementTable", "`[[element]]`"),
    ("ControllerTable", "`[[controller]]`"),
    ("TargetTable", "`target`"),
    ("AimPointTable", "`target.points`"),
    ("GaugeTable", "`[[gauge]]`"),
    ("ExcludeTable", "`[[exclude]]`"),
    ("PairTable", "`[[pair]]`"),
    ("ImpulseTable", "`[[impulse]]`"),
    ("ChangeTable", "`[[change]]`"),
    ("ExpectTable", "`[[expect]]`"),
];

/// A definition that is no table but a kind of value.
const NUMBER: &str = "Number";

/// The page without its first line.
pub(crate) fn page(schema: &Value, examples: &str) -> Result<String> {
    let definitions =
        schema.get("$defs").and_then(Value::as_object).context("the schema has no $defs")?;
    let mut text = "# All keys of scenes\n\n".to_owned();
    text += &format!("{}\n\n", about(schema));
    text += "A scene is a TOML file. `[name]` is one table, `[[name]]` one of several; keys that take a table may have \
             it in braces, as in `shape = { kind = \"ball\", radius = 0.1 }`. ";
    text += &format!("A *number* here is: {}\n\n", lower(&about(&definitions[NUMBER])));
    let mut told: BTreeSet<&str> = BTreeSet::from([NUMBER]);
    for (name, title) in ORDER {
        if name.is_empty() {
            text += &section(schema, title, examples);
        } else if let Some(table) = definitions.get(name) {
            text += &section(table, title, examples);
            told.insert(name);
        }
    }
    for (name, table) in definitions.iter().filter(|(name, _)| !told.contains(name.as_str())) {
        text += &section(table, name, examples);
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// How a table is called in links, and the anchor of its section.
pub(super) fn link_to(definition: &str) -> String {
    let title =
        ORDER.iter().find(|(name, _)| *name == definition).map_or(definition, |(_, title)| title);
    format!("[{title}](#{})", anchor(title))
}

fn anchor(title: &str) -> String {
    title
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

fn section(table: &Value, title: &str, examples: &str) -> String {
    let mut text = format!("## {title}\n\n");
    let (name, title) = (anchor(title), title.trim_matches('`'));
    let variants = table.get("oneOf").and_then(Value::as_array);
    if title != "The file" {
        text += &format!("{}\n\n", about(table));
    }
    text += &example(&name, examples);
    let Some(variants) = variants else { return text + &keys(table) };
    for variant in variants {
        let kind = variant.pointer("/properties/kind/const").and_then(Value::as_str);
        let kind = kind.unwrap_or("of any kind");
        text += &format!("### {title}: {kind}\n\n{}\n\n", about(variant));
        text += &example(&format!("{name}-{kind}"), examples);
        text += &keys(variant);
    }
    text
}

/// The keys of a table, and which of them exclude each other.
fn keys(table: &Value) -> String {
    let empty = Map::new();
    let properties = table.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<&str> = table
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut rows: Vec<(&String, &Value)> = properties.iter().collect();
    rows.sort_by_key(|(name, _)| {
        (*name != "kind" && *name != "format", !required.contains(&name.as_str()), *name)
    });
    let mut text = head(&["key", "value", "unit", "default", "meaning"]);
    for (name, property) in rows {
        text += &key(name, property, required.contains(&name.as_str()));
    }
    text.push('\n');
    for group in exclusive(table) {
        let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
        text += &format!("At most one of {}.\n\n", names.join(", "));
    }
    text
}

fn key(name: &str, property: &Value, is_required: bool) -> String {
    let description = property.get("description").and_then(Value::as_str).unwrap_or_default();
    let (description, unit) = unit_in(description);
    let (description, default) = default_in(&description);
    let default = match (is_required, default) {
        (true, _) => "required".to_owned(),
        (false, default) => default.unwrap_or_default(),
    };
    row(&[
        format!("`{name}`"),
        kind_of(property),
        unit.unwrap_or_default(),
        escaped(&default),
        escaped(&description),
    ])
}

fn about(table: &Value) -> String {
    escaped(table.get("description").and_then(Value::as_str).unwrap_or_default())
}

/// With its first letter in small.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// The example of a section as a block; nothing where there is none.
fn example(name: &str, examples: &str) -> String {
    let begins = |line: &&str| line.trim() == format!("# ANCHOR: {name}");
    let ends = |line: &&str| line.trim() == format!("# ANCHOR_END: {name}");
    let lines: Vec<&str> = examples
        .lines()
        .skip_while(|line| !begins(line))
        .skip(1)
        .take_while(|line| !ends(line))
        .collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("```toml,part\n{}\n```\n\n", lines.join("\n").trim())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn small() -> Value {
        json!({
            "description": "A scene.",
            "properties": {
                "format": { "const": 1, "description": "Version." },
                "body": { "type": "array", "items": { "$ref": "#/$defs/BodyTable" }, "description": "The bodies." },
            },
            "required": ["format"],
            "$defs": {
                "Number": { "type": ["number", "string"], "description": "A number, or an expression." },
                "BodyTable": {
                    "description": "A rigid body.",
                    "properties": {
                        "mass": { "$ref": "#/$defs/Number", "description": "Its mass [kg]; by default 1." },
                        "density": { "$ref": "#/$defs/Number", "description": "Mass per volume [kg/m³]." },
                        "name": { "type": "string", "description": "What it is called." },
                    },
                    "required": ["name"],
                    "allOf": [{ "not": { "required": ["density", "mass"] } }],
                },
                "OddTable": { "description": "Not in the order.", "properties": {} },
            },
        })
    }

    #[test]
    fn every_table_and_key_is_told() {
        let page = page(&small(), "# ANCHOR: body\n[[body]]\n# ANCHOR_END: body\n").unwrap();
        for part in [
            "| `format` | `1` |  | required | Version. |",
            "| `body` | tables [`[[body]]`](#body) |",
            "## `[[body]]`\n\nA rigid body.\n\n```toml,part\n[[body]]\n```\n",
            "| `name` | text |  | required | What it is called. |",
            "| `mass` | number | kg | 1 | Its mass. |",
            "At most one of `density`, `mass`.",
            "## OddTable",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }

    #[test]
    fn a_schema_without_tables_is_refused() {
        assert!(page(&json!({}), "").is_err());
    }
}
