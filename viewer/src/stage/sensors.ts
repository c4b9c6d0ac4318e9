// Sensors where they are mounted: a small block with the axis along which it looks, and the ray of one that measures ranges.

import * as three from "three";
import type { Run } from "../data/run";
import { Arrows, Many } from "./arrows";

const COLOR = 0x15aabf;

export class SensorMarks {
  readonly root = new three.Group();
  private blocks: Many;
  private looks: Arrows;
  private rays: Many;
  private at = new three.Vector3();
  private along = new three.Vector3();
  private turn = new three.Quaternion();

  constructor(private readonly radius: number) {
    const material = (opacity: number): three.Material => new three.MeshBasicMaterial({ color: COLOR, depthTest: false, transparent: true, opacity });
    this.blocks = new Many(this.root, new three.BoxGeometry(1, 1, 1), material(0.9));
    this.looks = new Arrows(this.root, COLOR);
    this.rays = new Many(this.root, new three.CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0), material(0.35));
  }

  /** `placeOf` tells where a point of a body's frame is; `turnOf` how the body is turned. */
  update(run: Run, isShown: boolean, placeOf: (index: number, point: [number, number, number], out: three.Vector3) => void, turnOf: (index: number) => three.Quaternion): void {
    for (const marks of [this.blocks, this.looks, this.rays]) marks.clear();
    const size = 0.02 * this.radius;
    for (const gauge of isShown ? run.meta.gauges : []) {
      const body = run.named(gauge.body);
      const index = body ? run.pose.index(body.number) : -1;
      if (index < 0 || !run.pose.present[index]) continue;
      placeOf(index, gauge.position_m, this.at);
      this.turn.fromArray(gauge.orientation_xyzw).premultiply(turnOf(index));
      this.along.set(1, 0, 0).applyQuaternion(this.turn);
      this.blocks.add(this.at, this.along, size, size);
      if (gauge.reach_m !== null) this.rays.add(this.at, this.along, 0.12 * size, gauge.reach_m);
      this.looks.add(this.at, this.along.multiplyScalar(3 * size), 0.3 * size);
    }
    for (const marks of [this.blocks, this.looks, this.rays]) marks.show();
  }
}
