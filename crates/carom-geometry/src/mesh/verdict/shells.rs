//! Judges shells: which lie inside which, and whether each has the right side out.

use glam::DVec3;

use super::ShellPlace;
use super::judge::{Bench, signed};
use crate::Aabb;
use crate::mesh::Bvh;
use crate::mesh::nesting::shell_depths;
use crate::mesh::topology::NO_SHELL;
use crate::tolerances::FLAT_VOLUME;

impl Bench<'_> {
    pub(super) fn judge_shells(&mut self, tree: &Bvh) {
        let mut sums = vec![ShellSum::default(); self.topology.n_shells];
        for (triangle, &shell) in self.topology.shell_of.iter().enumerate() {
            if shell != NO_SHELL {
                let corners = self.corners(triangle as u32);
                sums[shell as usize].add(triangle as u32, corners);
            }
        }
        let starts = self.ray_starts();
        let max_hits = self.max_pairs();
        let depths = shell_depths(
            tree,
            &starts,
            |t| {
                let shell = self.topology.shell_of[t as usize];
                starts[shell as usize].is_some().then(|| (self.corners(t), shell))
            },
            max_hits,
        );
        let Some(depths) = depths else {
            self.verdict.search_is_complete = false;
            return;
        };
        let unit = self.length_unit();
        for (shell, sum) in sums.iter().enumerate() {
            if self.is_sound_shell[shell] {
                self.judge_shell(shell, sum, depths[shell], unit);
            }
        }
        if self.verdict.is_closed() && self.verdict.nonmanifold_vertices.is_empty() {
            // Each closed shell has characteristic 2 − 2 · genus.
            let doubled = 2 * signed(self.topology.n_shells) - self.verdict.euler_characteristic;
            self.verdict.genus = u64::try_from(doubled / 2).ok();
        }
    }

    /// For each sound shell a vertex of it that lies on no other, as far as vertices tell.
    fn ray_starts(&self) -> Vec<Option<DVec3>> {
        let mut starts: Vec<Option<(DVec3, bool)>> = vec![None; self.topology.n_shells];
        for (triangle, &shell) in self.topology.shell_of.iter().enumerate() {
            if shell == NO_SHELL || !self.is_sound_shell[shell as usize] {
                continue;
            }
            let start = &mut starts[shell as usize];
            for vertex in self.topology.triangles[triangle].map(|v| v as usize) {
                let is_own = self.n_fans[vertex] == 1;
                if start.is_none_or(|(_, was_own)| is_own && !was_own) {
                    *start = Some((self.points[vertex], is_own));
                }
            }
        }
        starts.into_iter().map(|start| start.map(|(point, _)| point)).collect()
    }

    fn judge_shell(&mut self, shell: usize, sum: &ShellSum, depth: u32, unit: f64) {
        let is_cavity = depth % 2 == 1;
        self.verdict.n_cavities += usize::from(is_cavity);
        let position = self.mesh.corners(sum.first as usize)[0];
        let place = ShellPlace {
            shell: shell as u32,
            triangle: sum.first,
            n_triangles: sum.n_triangles,
            volume: sum.volume * unit * unit * unit,
            depth,
            position,
        };
        if sum.volume.abs() <= FLAT_VOLUME * sum.area * sum.bounds.diagonal() {
            self.verdict.flat_shells.add(self.options.max_places, || place);
        } else if (sum.volume < 0.0) != is_cavity {
            self.verdict.inside_out_shells.add(self.options.max_places, || place);
            self.is_inside_out[shell] = true;
        }
    }

    /// The length that one unit of the scaled points stands for `[m]`.
    fn length_unit(&self) -> f64 {
        let largest =
            |points: &[DVec3]| points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
        largest(self.mesh.vertices()) / largest(self.points)
    }
}

/// Running sums over a shell, in scaled coordinates.
#[derive(Clone, Copy, Debug)]
struct ShellSum {
    first: u32,
    n_triangles: u32,
    origin: Option<DVec3>,
    volume: f64,
    area: f64,
    bounds: Aabb,
}

impl Default for ShellSum {
    fn default() -> Self {
        let bounds = Aabb::EMPTY;
        Self { first: 0, n_triangles: 0, origin: None, volume: 0.0, area: 0.0, bounds }
    }
}

impl ShellSum {
    fn add(&mut self, triangle: u32, [a, b, c]: [DVec3; 3]) {
        if self.origin.is_none() {
            self.first = triangle;
        }
        let origin = *self.origin.get_or_insert(a);
        self.n_triangles += 1;
        self.volume += (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
        self.area += 0.5 * (b - a).cross(c - a).length();
        self.bounds = [a, b, c].iter().fold(self.bounds, |bounds, p| bounds.with_point(*p));
    }
}
