// The bodies as drawn: one instanced mesh for each geometry, so that ten thousand balls are one call to the GPU.

import * as three from "three";
import { getBytes } from "../net/api";
import type { Body } from "../net/types";
import { ROW } from "../data/blocks";
import type { Pose } from "../data/pose";

/** Above this number bodies get the cheaper shading. */
export const MANY = 2000;

export interface Look {
  wireframe: boolean;
  ghost: boolean;
}

interface Group {
  mesh: three.InstancedMesh;
  /** Places in the body list, one for each instance. */
  members: number[];
  seeThrough: boolean;
  /** A body that stands still and may stand in the way. */
  isWall: boolean;
  /** It stands in the way. */
  isFaded: boolean;
}

/** Up to so many bodies that stand still are drawn one by one, so that each can be seen through. */
const MOST_WALLS = 64;

const geometries = new Map<string, Promise<three.BufferGeometry>>();

function readGeometry(bytes: ArrayBuffer): three.BufferGeometry {
  const head = new Uint32Array(bytes, 0, 2);
  const vertices = head[0]!;
  const triangles = head[1]!;
  const geometry = new three.BufferGeometry();
  const positions = new Float32Array(bytes, 8, 3 * vertices);
  const normals = new Float32Array(bytes, 8 + 12 * vertices, 3 * vertices);
  geometry.setAttribute("position", new three.BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new three.BufferAttribute(normals, 3));
  geometry.setIndex(new three.BufferAttribute(new Uint32Array(bytes, 8 + 24 * vertices, 3 * triangles), 1));
  geometry.computeBoundingSphere();
  return geometry;
}

function geometryOf(runPath: string, name: string): Promise<three.BufferGeometry> {
  const path = `${runPath}/geometry/${encodeURIComponent(name)}`;
  let found = geometries.get(path);
  if (!found) {
    found = getBytes(path).then(readGeometry);
    found.catch(() => geometries.delete(path));
    geometries.set(path, found);
  }
  return found;
}

/** Geometries belong to a run and go with it. */
export function forgetGeometries(runPath: string): void {
  for (const [path, geometry] of geometries) {
    if (!path.startsWith(`${runPath}/`)) continue;
    geometries.delete(path);
    geometry.then((shape) => shape.dispose()).catch(() => undefined);
  }
}

export class Shapes {
  readonly root = new three.Group();
  private groups: Group[] = [];
  private look: Look = { wireframe: false, ghost: false };
  private build = 0;
  private color = new three.Color();
  /** Radius of the ball about each body's frame origin that holds it [m]. */
  radius = new Float32Array(0);

  constructor(private readonly runPath: string) {}

  /** Builds the meshes anew; resolves to false if a later call has overtaken this one. */
  async setBodies(bodies: Body[]): Promise<boolean> {
    const build = ++this.build;
    const kinds = new Map<string, number[]>();
    const hasWalls = bodies.filter((body) => body.role === "fixed").length <= MOST_WALLS;
    bodies.forEach((body, index) => {
      if (body.geometry === null) return;
      const own = hasWalls && body.role === "fixed" ? index : "";
      const key = `${body.see_through || body.color[3] < 1 ? 1 : 0}${body.geometry}/${own}`;
      const members = kinds.get(key);
      if (members) members.push(index);
      else kinds.set(key, [index]);
    });
    const keys = [...kinds.keys()];
    const shapes = await Promise.all(keys.map((key) => geometryOf(this.runPath, key.slice(1).split("/")[0]!)));
    if (build !== this.build) return false;
    this.dispose();
    this.radius = new Float32Array(bodies.length);
    keys.forEach((key, i) => this.addGroup(bodies, kinds.get(key)!, shapes[i]!));
    this.setLook(this.look);
    return true;
  }

  setLook(look: Look): void {
    this.look = look;
    for (const { mesh, seeThrough, isFaded } of this.groups) {
      const material = mesh.material as three.MeshStandardMaterial;
      const isClear = seeThrough || isFaded || look.ghost;
      material.wireframe = look.wireframe;
      material.transparent = isClear;
      material.opacity = isFaded ? 0.14 : seeThrough ? 0.25 : isClear ? 0.4 : 1;
      material.depthWrite = !isClear;
      material.needsUpdate = true;
      mesh.castShadow = !isClear && !look.wireframe;
    }
  }

  /** Writes the pose into the instances; no allocation. */
  update(pose: Pose, bodies: Body[]): void {
    for (const { mesh, members } of this.groups) {
      const out = mesh.instanceMatrix.array as Float32Array;
      for (let i = 0; i < members.length; i++) {
        const index = members[i]!;
        if (pose.present[index]) writeMatrix(pose.rows, index * ROW, bodies[index]!.reference_m, out, 16 * i);
        else out.fill(0, 16 * i, 16 * i + 16);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** Has walls seen through that stand between the eye and more than half of the places; true if that changed. */
  fade(eye: three.Vector3, places: three.Vector3[]): boolean {
    const ray = new three.Raycaster();
    const way = new three.Vector3();
    let isChanged = false;
    for (const group of this.groups) {
      if (!group.isWall) continue;
      const hides = (place: three.Vector3): boolean => {
        way.copy(place).sub(eye);
        ray.far = 0.98 * way.length();
        ray.set(eye, way.normalize());
        return ray.intersectObject(group.mesh, false).length > 0;
      };
      const isFaded = places.length > 0 && 2 * places.filter(hides).length > places.length;
      if (isFaded === group.isFaded) continue;
      group.isFaded = isFaded;
      isChanged = true;
    }
    if (isChanged) this.setLook(this.look);
    return isChanged;
  }

  geometryAt(index: number): three.BufferGeometry | null {
    return this.groups.find((group) => group.members.includes(index))?.mesh.geometry ?? null;
  }

  /** The nearest body under a ray: its place in the list and the point hit. */
  pick(ray: three.Raycaster): { index: number; point: three.Vector3; distance: number } | null {
    let best: { index: number; point: three.Vector3; distance: number } | null = null;
    for (const { mesh, members, isFaded } of this.groups) {
      // Who looks through a wall means what is behind it.
      if (isFaded) continue;
      mesh.boundingSphere = null;
      const hit = ray.intersectObject(mesh, false)[0];
      if (hit?.instanceId === undefined || (best && best.distance <= hit.distance)) continue;
      best = { index: members[hit.instanceId]!, point: hit.point, distance: hit.distance };
    }
    return best;
  }

  dispose(): void {
    for (const { mesh } of this.groups) {
      this.root.remove(mesh);
      (mesh.material as three.Material).dispose();
      mesh.dispose();
    }
    this.groups = [];
  }

  private addGroup(bodies: Body[], members: number[], shape: three.BufferGeometry): void {
    const material =
      bodies.length > MANY
        ? new three.MeshLambertMaterial()
        : new three.MeshStandardMaterial({ roughness: 0.55, metalness: 0.02, side: three.DoubleSide });
    const mesh = new three.InstancedMesh(shape, material, members.length);
    mesh.instanceMatrix.setUsage(three.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    const sphere = shape.boundingSphere;
    members.forEach((index, i) => {
      const [r, g, b] = bodies[index]!.color;
      mesh.setColorAt(i, this.color.setRGB(r, g, b, three.SRGBColorSpace));
      this.radius[index] = sphere ? sphere.radius + sphere.center.length() : 0;
    });
    this.root.add(mesh);
    const first = bodies[members[0]!]!;
    const seeThrough = first.see_through || first.color[3] < 1;
    this.groups.push({ mesh, members, seeThrough, isWall: members.length === 1 && first.role === "fixed", isFaded: false });
  }
}

/** Column-major matrix of a body: its frame origin is `position − R·reference`. */
export function writeMatrix(rows: Float32Array, at: number, reference: readonly number[], out: Float32Array, o: number): void {
  const x = rows[at + 3]!, y = rows[at + 4]!, z = rows[at + 5]!, w = rows[at + 6]!;
  const a = 1 - 2 * (y * y + z * z), b = 2 * (x * y + w * z), c = 2 * (x * z - w * y);
  const d = 2 * (x * y - w * z), e = 1 - 2 * (x * x + z * z), f = 2 * (y * z + w * x);
  const g = 2 * (x * z + w * y), h = 2 * (y * z - w * x), i = 1 - 2 * (x * x + y * y);
  const p = reference[0]!, q = reference[1]!, r = reference[2]!;
  out[o] = a; out[o + 1] = b; out[o + 2] = c; out[o + 3] = 0;
  out[o + 4] = d; out[o + 5] = e; out[o + 6] = f; out[o + 7] = 0;
  out[o + 8] = g; out[o + 9] = h; out[o + 10] = i; out[o + 11] = 0;
  out[o + 12] = rows[at]! - (a * p + d * q + g * r);
  out[o + 13] = rows[at + 1]! - (b * p + e * q + h * r);
  out[o + 14] = rows[at + 2]! - (c * p + f * q + i * r);
  out[o + 15] = 1;
}
