//! Reading a JSON Schema as people read it: kinds of values, units and defaults, keys that exclude each other.

use serde_json::Value;

use super::keys::link_to;

/// Units of which others are made.
const UNITS: [&str; 10] = ["m", "s", "kg", "rad", "deg", "N", "J", "Hz", "-", "1"];

/// What a key takes, in words.
pub(super) fn kind_of(property: &Value) -> String {
    if let Some(name) = property.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        return if name == "Number" {
            "number".to_owned()
        } else {
            format!("table {}", link_to(name))
        };
    }
    if let Some(value) = property.get("const") {
        return format!("`{value}`");
    }
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        return values.join(", ");
    }
    if let Some(choices) = property.get("anyOf").or(property.get("oneOf")).and_then(Value::as_array)
    {
        return choices.iter().map(kind_of).collect::<Vec<_>>().join(", or ");
    }
    match property.get("type") {
        Some(Value::String(kind)) => kind_of_type(kind, property),
        Some(Value::Array(kinds)) => {
            let words =
                kinds.iter().filter_map(Value::as_str).map(|kind| kind_of_type(kind, property));
            words.collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

fn kind_of_type(kind: &str, property: &Value) -> String {
    match kind {
        "array" => kind_of_list(property),
        "string" => "text".to_owned(),
        "boolean" => "`true` or `false`".to_owned(),
        "object" => match property.get("additionalProperties") {
            Some(each) if each.is_object() => format!("for each name, {}", kind_of(each)),
            _ => "table".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn kind_of_list(property: &Value) -> String {
    let items = property.get("items").map_or_else(|| "anything".to_owned(), kind_of);
    let bound = |name: &str| property.get(name).and_then(Value::as_u64);
    let several = match items.as_str() {
        "number" | "text" => format!("{items}s"),
        table if table.starts_with("table ") => return table.replacen("table", "tables", 1),
        other => format!("lists of {}", other.trim_start_matches("list of ")),
    };
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => format!("{least} {several}"),
        _ => format!("list of {several}"),
    }
}

/// A description without its unit, and the unit.
pub(super) fn unit_in(description: &str) -> (String, Option<String>) {
    for (open, _) in description.match_indices('[') {
        let Some(length) = description[open..].find(']') else { continue };
        let inside = &description[open + 1..open + length];
        if is_unit(inside) {
            let rest = &description[open + length + 1..];
            let text = format!("{}{rest}", description[..open].trim_end());
            let unit = if inside == "-" { "–".to_owned() } else { inside.to_owned() };
            return (text, Some(unit));
        }
    }
    (description.to_owned(), None)
}

fn is_unit(text: &str) -> bool {
    let bare = |part: &str| part.trim_matches(['²', '³', '⁻', '¹', '(', ')']).to_owned();
    !text.is_empty() && text.split(['·', '/']).all(|part| UNITS.contains(&bare(part).as_str()))
}

/// A description without its default, and the default.
pub(super) fn default_in(description: &str) -> (String, Option<String>) {
    const MARKS: [&str; 2] = ["; by default ", ", by default "];
    if let Some((at, mark)) =
        MARKS.iter().find_map(|mark| description.find(mark).map(|at| (at, mark)))
    {
        let rest = &description[at + mark.len()..];
        let length = rest.find(". ").or_else(|| rest.strip_suffix('.').map(str::len));
        let length = length.into_iter().chain(rest.find("; ")).min().unwrap_or(rest.len());
        let text = format!("{}{}", &description[..at], &rest[length..]);
        return (text, Some(code_where_quoted(&rest[..length])));
    }
    // A choice that is marked among others: "collide" lets them push each other (the default).
    let marked = description.find("the default").and_then(|at| {
        let mut quotes = description[..at].rmatch_indices('"').map(|(quote, _)| quote);
        let (end, start) = (quotes.next()?, quotes.next()?);
        Some(format!("`{}`", &description[start..=end]))
    });
    (description.to_owned(), marked)
}

fn code_where_quoted(text: &str) -> String {
    let quoted = text.len() > 2 && text.starts_with('"') && text.ends_with('"');
    if quoted || text.starts_with('[') { format!("`{text}`") } else { text.to_owned() }
}

/// Keys of which at most one may be given, gathered from pairs into groups as large as they can be.
pub(super) fn exclusive(table: &Value) -> Vec<Vec<String>> {
    let rules = table.get("allOf").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let pairs: Vec<(String, String)> = rules
        .iter()
        .filter_map(|rule| match rule.pointer("/not/required")?.as_array()?.as_slice() {
            [a, b] => Some((a.as_str()?.to_owned(), b.as_str()?.to_owned())),
            _ => None,
        })
        .collect();
    let has = |a: &String, b: &String| {
        pairs.iter().any(|(c, d)| (c == a && d == b) || (c == b && d == a))
    };
    let mut groups: Vec<Vec<String>> = Vec::new();
    for (a, b) in &pairs {
        if groups.iter().any(|group| group.contains(a) && group.contains(b)) {
            continue;
        }
        let mut group = vec![a.clone(), b.clone()];
        for (_, other) in &pairs {
            if !group.contains(other) && group.iter().all(|one| has(one, other)) {
                group.push(other.clone());
            }
        }
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_of_values_are_told_in_words() {
        let vector = json!({"type": "array", "items": {"$ref": "#/$defs/Number"}, "minItems": 3, "maxItems": 3});
        assert_eq!(kind_of(&vector), "3 numbers");
        let points = json!({"type": "array", "items": vector});
        assert_eq!(kind_of(&points), "list of lists of 3 numbers");
        assert_eq!(
            kind_of(&json!({"type": "array", "items": {"type": "string"}})),
            "list of texts"
        );
        assert_eq!(kind_of(&json!({"$ref": "#/$defs/ShapeTable"})), "table [`shape`](#shape)");
        assert_eq!(kind_of(&json!({"const": "ball"})), "`\"ball\"`");
    }

    #[test]
    fn units_and_defaults_become_columns() {
        assert_eq!(
            unit_in("Its mass [kg], at most."),
            ("Its mass, at most.".to_owned(), Some("kg".to_owned()))
        );
        assert_eq!(unit_in("See [parameters]; by default [0, 0, 1].").1, None);
        assert_eq!(unit_in("Fall [m/s²].").1.as_deref(), Some("m/s²"));
        let (text, default) = default_in("Fall; by default [0, 0, -9.80665]. And more.");
        assert_eq!(
            (text.as_str(), default.as_deref()),
            ("Fall. And more.", Some("`[0, 0, -9.80665]`"))
        );
        let (_, default) = default_in("What: \"a\" pushes (the default), \"b\" stops.");
        assert_eq!(default.as_deref(), Some("`\"a\"`"));
    }

    #[test]
    fn pairs_that_exclude_each_other_are_gathered() {
        let not = |a: &str, b: &str| json!({"not": {"required": [a, b]}});
        let table = json!({"allOf": [not("a", "b"), not("a", "c"), not("b", "c"), not("d", "a")]});
        assert_eq!(exclusive(&table), [vec!["a", "b", "c"], vec!["d", "a"]]);
    }
}
