// Line segments in one buffer that grows by doubling: trails, closest features, boxes.

import * as three from "three";

export class Segments {
  readonly lines: three.LineSegments;
  private points = new Float32Array(3 * 256);
  private used = 0;

  constructor(root: three.Object3D, color: three.ColorRepresentation, opacity = 1, isOnTop = false) {
    const material = new three.LineBasicMaterial({ color, transparent: true, opacity, depthTest: !isOnTop });
    this.lines = new three.LineSegments(new three.BufferGeometry(), material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 2;
    this.bind();
    root.add(this.lines);
  }

  clear(): void {
    this.used = 0;
  }

  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    if (this.used + 6 > this.points.length) this.grow();
    const { points, used } = this;
    points[used] = ax;
    points[used + 1] = ay;
    points[used + 2] = az;
    points[used + 3] = bx;
    points[used + 4] = by;
    points[used + 5] = bz;
    this.used += 6;
  }

  addBox(min: readonly number[], max: readonly number[]): void {
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      for (let corner = 0; corner < 4; corner++) {
        const from = [min[0]!, min[1]!, min[2]!];
        from[u] = corner & 1 ? max[u]! : min[u]!;
        from[v] = corner & 2 ? max[v]! : min[v]!;
        const to = [...from];
        to[axis] = max[axis]!;
        this.add(from[0]!, from[1]!, from[2]!, to[0]!, to[1]!, to[2]!);
      }
    }
  }

  show(): void {
    const { geometry } = this.lines;
    geometry.setDrawRange(0, this.used / 3);
    geometry.attributes.position!.needsUpdate = true;
    this.lines.visible = this.used > 0;
  }

  private grow(): void {
    const points = new Float32Array(2 * this.points.length);
    points.set(this.points);
    this.points = points;
    this.lines.geometry.dispose();
    this.lines.geometry = new three.BufferGeometry();
    this.bind();
  }

  private bind(): void {
    const attribute = new three.BufferAttribute(this.points, 3);
    attribute.setUsage(three.DynamicDrawUsage);
    this.lines.geometry.setAttribute("position", attribute);
  }
}
