//! Bodies that overlap as a scene starts.

use carom::{Body, WorldError};

use crate::problem::Problems;
use crate::scene::Scene;

impl Scene {
    /// All pairs of bodies that the engine refuses because they overlap as the scene starts, by index, the earlier one first.
    ///
    /// # Errors
    /// If the engine refuses the world itself.
    pub fn overlaps(&self) -> Result<Vec<[usize; 2]>, Problems> {
        let mut building = self.building(1)?;
        building.materials();
        let mut pairs = Vec::new();
        for (later, (body, partners)) in self.bodies.iter().zip(self.partners()).enumerate() {
            let made = building.body(body).filter(|_| body.from <= 0.0);
            let ids = partners.iter().filter_map(|&index| building.bodies[index]);
            let mut made = made.map(|made| ids.fold(made, Body::except));
            let mut id = None;
            // Whom it overlaps is told one after the other.
            while let Some(tried) = made.take() {
                match building.world.add(tried.clone()) {
                    Ok(added) => id = Some(added),
                    Err(WorldError::Overlap { other, .. }) => {
                        let earlier = self.body_index(&other).filter(|index| *index < later);
                        if let Some((earlier, other)) =
                            earlier.and_then(|it| Some((it, building.bodies[it]?)))
                        {
                            pairs.push([earlier, later]);
                            made = Some(tried.except(other));
                        }
                    }
                    Err(_) => {}
                }
            }
            building.bodies.push(id);
        }
        Ok(pairs)
    }
}
