//! The published JSON Schema agrees with what is read.

use std::path::{Path, PathBuf};

use boon::{Compiler, SchemaIndex, Schemas};
use carom_scene::{json_schema, starter};
use serde_json::{Map, Number, Value, json};
use toml::de::{DeTable, DeValue};

use crate::load_text;

struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("scene.json", json_schema()).expect("it is JSON");
        let index = compiler.compile("scene.json", &mut schemas).expect("it is a schema");
        Self { schemas, index }
    }

    fn accepts(&self, text: &str) -> bool {
        let table = DeTable::parse(text).expect("it is TOML");
        self.schemas.validate(&to_json(&DeValue::Table(table.into_inner())), self.index).is_ok()
    }
}

fn to_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(number) => json!(number.as_str().parse::<i64>().expect("it is a number")),
        DeValue::Float(number) => {
            Number::from_f64(number.as_str().parse().expect("it is a number"))
                .map_or(Value::Null, Value::Number)
        }
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(date) => json!(date.to_string()),
        DeValue::Array(array) => array.iter().map(|value| to_json(value.get_ref())).collect(),
        DeValue::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| (key.get_ref().to_string(), to_json(value.get_ref())));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

/// A scene that uses every table, every kind and nearly every key.
const EVERYTHING: &str = include_str!("everything.toml");

#[test]
fn good_scenes_pass_both_the_schema_and_the_reader() {
    let schema = Schema::new();
    for text in [EVERYTHING, &starter("x"), "format = 1"] {
        assert!(schema.accepts(text), "the schema refuses:\n{text}");
        let loaded = load_text(text);
        assert!(loaded.scene.is_some(), "{}", loaded.problems);
    }
}

/// Scene files of the project, wherever they lie below its folder of scenes.
fn scene_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            scene_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

#[test]
fn the_schema_accepts_every_scene_of_the_project() {
    let schema = Schema::new();
    let mut files = Vec::new();
    scene_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes"), &mut files);
    println!("{} scenes", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(schema.accepts(&text), "the schema refuses {}", file.display());
    }
}

#[test]
fn mistakes_of_form_fail_both() {
    let schema = Schema::new();
    let body =
        "format = 1\n[[body]]\nname = \"a\"\nshape = { kind = \"ball\", radius = 1 }\nmass = 1\n";
    assert!(schema.accepts(body));
    let bad = [
        "title = \"no format\"".to_owned(),
        "format = 2".to_owned(),
        body.replace("mass", "mas"),
        body.replace("\"ball\"", "\"bal\""),
        body.replace("radius = 1", "size = [1, 1, 1]"),
        body.replace("radius = 1", "radius = true"),
        body.replace("name = \"a\"\n", ""),
        format!("{body}density = 3"),
        format!("{body}position = [1, 2]"),
        format!("{body}quaternion = [0, 0, 0, 1]\naxis = [0, 0, 1]\nangle_deg = 3"),
        format!("{body}motion = {{ kind = \"fixed\", velocity = [1, 0, 0] }}"),
        body.replace("[[body]]", "[body]"),
        format!("{body}ghost = true\nsensor = true"),
        format!("{body}layer = \"a\"\nlayers = [\"b\"]"),
        format!("{body}layer = 3"),
        format!("{body}meets = \"a\""),
        format!("{body}[[exclude]]\nbody = [\"a\"]"),
        format!("{body}[[exclude]]\nbodies = \"a\""),
        "format = 1\n[world]\non_touch = 1".to_owned(),
        "format = 1\n[world]\nenvelope = true".to_owned(),
        "format = 1\n[world]\nregime = 1".to_owned(),
        "format = 1\n[world]\nmicrocollisions = 1".to_owned(),
        "format = 1\n[world]\ntolerance = [1]".to_owned(),
        format!("{body}[[joint]]\nname = \"j\"\nbodies = [\"world\", \"a\"]"),
        format!(
            "{body}[[joint]]\nname = \"j\"\nkind = \"fixed\"\nbodies = [\"world\", \"a\"]\naxes = 1"
        ),
        format!(
            "{body}[[joint]]\nname = \"j\"\nkind = \"fixed\"\nbodies = [\"world\", \"a\"]\nlimits = 1"
        ),
        format!(
            "{body}[[joint]]\nname = \"j\"\nkind = \"fixed\"\nbodies = [\"world\", \"a\"]\nstart = true"
        ),
        format!(
            "{body}[[element]]\nname = \"e\"\nkind = \"spring\"\nbodies = [\"a\"]\nto = [0, 0, 1]"
        ),
        format!(
            "{body}[[element]]\nname = \"e\"\nkind = \"springs\"\nbodies = [\"a\"]\nstiffness = 1"
        ),
        format!("{body}[[controller]]\nname = \"c\"\nkind = \"pd\"\nkp = 1\njoints = [\"j\"]"),
        format!(
            "{body}[[controller]]\nname = \"c\"\nkind = \"pd\"\nkp = 1\nkv = 1\njoints = [\"j\"]\ntarget = true"
        ),
        format!("{body}[[gauge]]\nname = \"g\"\nkind = \"imu\""),
        format!("{body}[[gauge]]\nname = \"g\"\nkind = \"range\"\nbody = \"a\"\nreach = true"),
        format!("{body}[[change]]\nat = 1\npush = \"a\"\nforce = 1"),
        format!("{body}surface_velocity = [1, 2]"),
        format!("{body}[[pair]]\nbodies = [\"a\"]"),
        format!("{body}[[pair]]\nbodies = [\"a\"]\nregimen = \"impulse\""),
        "format = 1\n[parameters]\n\"a b\" = 1".to_owned(),
    ];
    for text in bad {
        assert!(!schema.accepts(&text), "the schema accepts:\n{text}");
        assert!(load_text(&text).scene.is_none(), "the reader accepts:\n{text}");
    }
}

#[test]
fn every_key_has_a_description() {
    fn walk(value: &Value, path: &str) {
        let Value::Object(object) = value else { return };
        if let Some(Value::Object(keys)) = object.get("properties") {
            for (key, about) in keys {
                let text = about.get("description").and_then(Value::as_str).unwrap_or_default();
                assert!(text.len() > 5, "{path}.{key} has no description");
            }
        }
        for (key, inner) in object {
            match inner {
                Value::Array(list) => {
                    for inner in list {
                        walk(inner, &format!("{path}.{key}"));
                    }
                }
                inner => walk(inner, &format!("{path}.{key}")),
            }
        }
    }
    let schema = json_schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    walk(&schema, "");
}
