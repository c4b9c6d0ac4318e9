//! Judges shells: which lie inside which, and whether each has the right side out.

use glam::DVec3;

use super::ShellPlace;
use super::judge::{Bench, signed};
use crate::Aabb;
use crate::mesh::Bvh;
use crate::mesh::nesting::{Probe, shell_nests};
use crate::mesh::topology::NO_SHELL;
use crate::precise::{Double, triple_product};
use crate::tolerances::{FLAT_VOLUME, VOLUME_TERM_ULPS};

/// How a shell is wound for its place among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    Right,
    Wrong,
    /// It bounds nothing.
    Flat,
}

impl Bench<'_> {
    /// Judges the shells that are closed and intersect nothing: of two that overlap neither is inside the
    /// other, so no winding is right or wrong.
    pub(super) fn judge_shells(&mut self, tree: &Bvh) {
        if self.verdict.is_closed() && self.verdict.nonmanifold_vertices.is_empty() {
            // Each closed shell has characteristic 2 − 2 · genus.
            let doubled = 2 * signed(self.topology.n_shells) - self.verdict.euler_characteristic;
            self.verdict.genus = u64::try_from(doubled / 2).ok();
        }
        // Where intersections were not searched to the end, any shell may take part in one.
        if !self.verdict.search_is_complete {
            self.verdict.nesting_is_settled = false;
            return;
        }
        let sums = self.shell_sums();
        let probes = self.probes(&sums);
        let triangle = |t: u32| (self.corners(t), self.topology.shell_of[t as usize]);
        let Some(nests) = shell_nests(tree, &probes, triangle, self.max_pairs()) else {
            self.verdict.nesting_is_settled = false;
            return;
        };
        // A nest is all the shells in an outermost one; it is inverted as a whole if none is right.
        let mut is_inverted = vec![true; sums.len()];
        for (sum, nest) in sums.iter().zip(&nests) {
            if let Some(nest) = nest
                && sum.sense(nest.depth) == Sense::Right
            {
                is_inverted[nest.outermost as usize] = false;
            }
        }
        let unit = self.length_unit();
        for (shell, (sum, nest)) in sums.iter().zip(&nests).enumerate() {
            if let Some(nest) = nest {
                let can_flip = nest.depth == 0 || is_inverted[nest.outermost as usize];
                self.judge_shell(shell, sum, nest.depth, unit, can_flip);
            }
        }
    }

    fn shell_sums(&self) -> Vec<ShellSum> {
        let mut sums = vec![ShellSum::default(); self.topology.n_shells];
        for (triangle, &shell) in self.topology.shell_of.iter().enumerate() {
            if shell != NO_SHELL {
                let corners = self.corners(triangle as u32);
                sums[shell as usize].add(triangle as u32, corners);
            }
        }
        self.settle_doubtful_volumes(&mut sums);
        sums
    }

    /// Sums the volumes that may be rounding error again, in doubled precision: those of thin shells.
    fn settle_doubtful_volumes(&self, sums: &mut [ShellSum]) {
        let is_doubtful: Vec<bool> = sums.iter().map(ShellSum::is_doubtful).collect();
        if !is_doubtful.contains(&true) {
            return;
        }
        let mut volumes = vec![Double::ZERO; sums.len()];
        for (triangle, &shell) in self.topology.shell_of.iter().enumerate() {
            if shell != NO_SHELL && is_doubtful[shell as usize] {
                let shell = shell as usize;
                let origin = sums[shell].origin.unwrap_or(DVec3::ZERO);
                let term = triple_product(origin, self.corners(triangle as u32));
                volumes[shell] = volumes[shell] + term;
            }
        }
        for ((sum, volume), is_doubtful) in sums.iter_mut().zip(volumes).zip(is_doubtful) {
            if is_doubtful {
                sum.volume = volume.value() / 6.0;
            }
        }
    }

    /// For each sound shell a vertex of it that lies on no other, as far as vertices tell.
    fn probes(&self, sums: &[ShellSum]) -> Vec<Option<Probe>> {
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
        let probe = |(start, sum): (Option<(DVec3, bool)>, &ShellSum)| {
            start.map(|(start, _)| Probe { start, size: sum.volume.abs() })
        };
        starts.into_iter().zip(sums).map(probe).collect()
    }

    fn judge_shell(&mut self, shell: usize, sum: &ShellSum, depth: u32, unit: f64, can_flip: bool) {
        let place = ShellPlace {
            shell: shell as u32,
            triangle: sum.first,
            n_triangles: sum.n_triangles,
            volume: sum.volume * unit * unit * unit,
            depth,
            position: self.mesh.corners(sum.first as usize)[0],
        };
        let max_places = self.options.max_places;
        match sum.sense(depth) {
            Sense::Right => {}
            Sense::Flat => self.verdict.flat_shells.add(max_places, || place),
            Sense::Wrong if can_flip => {
                self.verdict.inside_out_shells.add(max_places, || place);
                self.is_inside_out[shell] = true;
            }
            Sense::Wrong => {
                self.verdict.nested_shells.add(max_places, || place);
                return;
            }
        }
        if depth % 2 == 1 {
            self.verdict.n_cavities += 1;
        } else {
            self.verdict.n_outer_shells += 1;
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
    /// How the shell is wound if it lies in `depth` others.
    fn sense(&self, depth: u32) -> Sense {
        let is_cavity = depth % 2 == 1;
        if self.volume.abs() <= FLAT_VOLUME * self.area * self.bounds.diagonal() {
            Sense::Flat
        } else if (self.volume < 0.0) == is_cavity {
            Sense::Right
        } else {
            Sense::Wrong
        }
    }

    /// Whether the plain sum may have the wrong sign: each of its terms is off by a few ulp of the cube of the
    /// diameter.
    fn is_doubtful(&self) -> bool {
        let size = self.bounds.diagonal();
        let error =
            f64::from(self.n_triangles) * VOLUME_TERM_ULPS * f64::EPSILON * size * size * size;
        self.volume.abs() <= error
    }

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
