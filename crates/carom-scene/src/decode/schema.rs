//! The JSON Schema, collected from the same declarations that the decoder is made of.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Definitions that others refer to by name.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    pub(crate) definitions: BTreeMap<String, Value>,
}

impl Schema {
    /// A reference to a definition, which is made at the first mention.
    pub(crate) fn reference(
        &mut self,
        name: &str,
        define: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if !self.definitions.contains_key(name) {
            // Taken first, so that a definition may mention itself.
            self.definitions.insert(name.to_owned(), Value::Null);
            let definition = define(self);
            self.definitions.insert(name.to_owned(), definition);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }
}

/// A table in the making.
#[derive(Debug, Default)]
pub(crate) struct ObjectSchema {
    pub(crate) properties: Map<String, Value>,
    pub(crate) required: Vec<Value>,
    /// Pairs of keys that exclude each other.
    pub(crate) exclusive: Vec<[&'static str; 2]>,
}

impl ObjectSchema {
    pub(crate) fn property(&mut self, key: &str, description: &str, mut value: Value) {
        if let Value::Object(object) = &mut value {
            object.insert("description".to_owned(), Value::from(description));
        }
        self.properties.insert(key.to_owned(), value);
    }

    pub(crate) fn finish(self, description: &str) -> Value {
        let mut object = json!({
            "type": "object",
            "description": description,
            "properties": self.properties,
            "additionalProperties": false,
        });
        if let Value::Object(map) = &mut object {
            if !self.required.is_empty() {
                map.insert("required".to_owned(), Value::Array(self.required));
            }
            if !self.exclusive.is_empty() {
                let pairs =
                    self.exclusive.iter().map(|pair| json!({ "not": { "required": pair } }));
                map.insert("allOf".to_owned(), pairs.collect());
            }
        }
        object
    }
}
