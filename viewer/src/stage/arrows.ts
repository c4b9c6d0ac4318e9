// Many arrows, cones and dots, each kind drawn by one or two instanced meshes that grow by doubling.

import * as three from "three";

const UP = new three.Vector3(0, 1, 0);

/** Instances of one geometry that stands on the origin and points along +y. */
export class Many {
  mesh: three.InstancedMesh;
  private count = 0;
  private matrix = new three.Matrix4();
  private turn = new three.Quaternion();
  private size = new three.Vector3();

  constructor(
    private readonly root: three.Object3D,
    private readonly geometry: three.BufferGeometry,
    private readonly material: three.Material,
    capacity = 64,
  ) {
    this.mesh = this.make(capacity);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds one at a place, along a unit vector, so wide and so long. */
  add(place: three.Vector3, along: three.Vector3, width: number, length: number, color?: three.Color): void {
    if (this.count === this.mesh.instanceMatrix.count) this.grow();
    this.turn.setFromUnitVectors(UP, along);
    this.matrix.compose(place, this.turn, this.size.set(width, length, width));
    this.mesh.setMatrixAt(this.count, this.matrix);
    if (color) this.mesh.setColorAt(this.count, color);
    this.count += 1;
  }

  show(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private make(capacity: number): three.InstancedMesh {
    const mesh = new three.InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(three.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.renderOrder = 3;
    this.root.add(mesh);
    return mesh;
  }

  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * old.instanceMatrix.count);
    (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array as Float32Array);
    if (old.instanceColor) {
      this.mesh.setColorAt(0, new three.Color());
      (this.mesh.instanceColor!.array as Float32Array).set(old.instanceColor.array as Float32Array);
    }
    this.root.remove(old);
    old.dispose();
  }
}

/** Arrows with heads that keep their form whatever the length. */
export class Arrows {
  private shafts: Many;
  private heads: Many;
  private along = new three.Vector3();
  private neck = new three.Vector3();

  constructor(root: three.Object3D, color: three.ColorRepresentation) {
    const material = new three.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.95 });
    this.shafts = new Many(root, new three.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), material);
    this.heads = new Many(root, new three.ConeGeometry(1, 1, 12).translate(0, 0.5, 0), material);
  }

  clear(): void {
    this.shafts.clear();
    this.heads.clear();
  }

  add(from: three.Vector3, arrow: three.Vector3, width: number): void {
    const length = arrow.length();
    if (!(length > 1e-12)) return;
    this.along.copy(arrow).divideScalar(length);
    const head = Math.min(6 * width, 0.5 * length);
    this.neck.copy(from).addScaledVector(this.along, length - head);
    this.shafts.add(from, this.along, Math.min(width * 0.5, head * 0.2), length - head);
    this.heads.add(this.neck, this.along, head * 0.38, head);
  }

  show(): void {
    this.shafts.show();
    this.heads.show();
  }
}
