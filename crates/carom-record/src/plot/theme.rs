//! Colours, and what tells series apart without them.

/// The colours of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on near black.
    Dark,
    /// Greys on white, for print; series differ by shade and dashes.
    Grey,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Grey];

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Grey => "grey",
        }
    }

    /// The theme of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// What is not a series.
pub(super) struct Colors {
    pub(super) background: &'static str,
    pub(super) text: &'static str,
    pub(super) axis: &'static str,
    pub(super) grid: &'static str,
}

/// Hues that people with any kind of colour vision tell apart (after Okabe and Ito, 2008), shaded until they stand out
/// from the background by a contrast of 3, as WCAG 2.1 asks for graphics.
const ON_LIGHT: [&str; 6] = ["#0072b2", "#d55e00", "#00805d", "#b0528a", "#8a6d00", "#3d8ec4"];
const ON_DARK: [&str; 6] = ["#56b4e9", "#f08a3c", "#2fc79a", "#e08fc0", "#e6c229", "#9fb8d9"];

const IN_GREY: [&str; 6] = ["#111111", "#7d7d7d", "#3f3f3f", "#909090", "#262626", "#636363"];

/// Dashes of lines `[px]`.
const DASHES: [&str; 8] = ["", "7 4", "2 3", "9 3 2 3", "15 5", "1 6", "9 3 2 3 2 3", "4 8"];

impl Theme {
    pub(super) const fn colors(self) -> Colors {
        match self {
            Self::Light | Self::Grey => {
                Colors { background: "#ffffff", text: "#1f2328", axis: "#57606a", grid: "#e4e7eb" }
            }
            Self::Dark => {
                Colors { background: "#15181c", text: "#e6e9ed", axis: "#9aa4af", grid: "#2b3138" }
            }
        }
    }

    pub(super) const fn color(self, series: usize) -> &'static str {
        match self {
            Self::Light => ON_LIGHT[series % ON_LIGHT.len()],
            Self::Dark => ON_DARK[series % ON_DARK.len()],
            Self::Grey => IN_GREY[series % IN_GREY.len()],
        }
    }
}

/// Opacity of areas: neighbours differ, so that they are told apart without colour, too.
const FILLINGS: [&str; 4] = ["0.85", "0.55", "0.2", "0.9"];

/// How opaque the area of a series is.
pub(super) const fn filling(series: usize) -> &'static str {
    FILLINGS[series % FILLINGS.len()]
}

/// Dashes of a series; empty for none.
pub(super) const fn dashes(series: usize) -> &'static str {
    DASHES[series % DASHES.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance by WCAG 2.1.
    fn luminance(color: &str) -> f64 {
        of_parts(parts(color))
    }

    fn parts(color: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let part = u8::from_str_radix(&color[at..at + 2], 16).expect("#rrggbb");
            f64::from(part) / 255.0
        })
    }

    fn of_parts(parts: [f64; 3]) -> f64 {
        let [r, g, b] = parts.map(|part| {
            if part <= 0.04045 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn neighbouring_areas_differ_in_brightness_alone() {
        for theme in Theme::ALL {
            let background = parts(theme.colors().background);
            let shown = |series: usize| {
                let opacity: f64 = filling(series).parse().unwrap();
                let color = parts(theme.color(series));
                let over = |k: usize| opacity * color[k] + (1.0 - opacity) * background[k];
                of_parts([over(0), over(1), over(2)]) + 0.05
            };
            for series in 0..3 {
                let (a, b) = (shown(series), shown(series + 1));
                assert!(a.max(b) / a.min(b) > 1.3, "{theme:?} {series}: {a} {b}");
            }
        }
    }

    #[test]
    fn as_many_lines_as_a_chart_has_are_told_apart_without_colour() {
        let mut all: Vec<&str> = (0..8).map(dashes).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 8);
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_stands_out_from_its_background() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-12);
        for theme in Theme::ALL {
            let Colors { background, text, axis, grid } = theme.colors();
            assert!(contrast(text, background) >= 7.0);
            assert!(contrast(axis, background) >= 4.5);
            // Lines to be guided by, not to be read.
            assert!((1.1..2.0).contains(&contrast(grid, background)));
            for series in 0..6 {
                let color = theme.color(series);
                let contrast = contrast(color, background);
                assert!(contrast >= 3.0, "{color} on {background}: {contrast}");
            }
        }
    }
}
