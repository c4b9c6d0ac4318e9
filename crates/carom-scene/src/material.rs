//! Materials, and what happens where two of them meet.

use carom::Surface;

/// What bodies are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What bodies call it; "default" for the one of bodies that name none.
    pub name: String,
    /// Mass per volume `[kg/m³]`.
    pub density: Option<f64>,
    /// How its surface answers contact with itself.
    pub surface: Surface,
    /// Colour of bodies that have none of their own, red, green and blue.
    pub color: Option<[u8; 3]>,
    /// A remark; may be empty.
    pub about: String,
}

/// What happens where two given materials touch.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialPair {
    /// Indices of the materials.
    pub materials: [usize; 2],
    /// How they answer contact, gaps filled by combination.
    pub surface: Surface,
}
