// Planes as large squares, and a grid whose cells have a round size that fits what the camera sees.

import * as three from "three";
import type { Body, Vec3 } from "../net/types";
import { ROW } from "../data/blocks";
import type { Pose } from "../data/pose";
import { writeMatrix } from "./shapes";

const GRID_VERTEX = `
  varying vec3 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

// Lines of one pixel and a bit at any distance, fading out before they become noise.
const GRID_FRAGMENT = `
  uniform vec3 across; uniform vec3 along; uniform vec3 middle; uniform vec3 ink; uniform float cell; uniform float reach;
  varying vec3 place;
  float lines(vec2 at) {
    vec2 width = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / width;
    vec2 line = (1.0 - min(near / 1.2, 1.0)) * (1.0 - smoothstep(0.15, 0.5, width));
    return max(line.x, line.y);
  }
  void main() {
    vec2 at = vec2(dot(place, across), dot(place, along)) / cell;
    float far = length(place - middle) / reach;
    float fade = 1.0 - smoothstep(0.3, 1.0, far);
    float strength = max(lines(at) * 0.2, lines(at / 10.0) * 0.45);
    if (strength * fade < 0.004) discard;
    gl_FragColor = vec4(ink, strength * fade);
    #include <colorspace_fragment>
  }`;

/** The largest of 1, 2, 5 times a power of ten that is not above `length`. */
export function roundLength(length: number): number {
  const ten = 10 ** Math.floor(Math.log10(length));
  const share = length / ten;
  return ten * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

export function lengthText(length: number): string {
  const units: [number, string][] = [[1e3, "km"], [1, "m"], [1e-2, "cm"], [1e-3, "mm"], [1e-6, "µm"]];
  const [size, unit] = units.find(([size]) => length >= size * 0.999) ?? [1e-9, "nm"];
  return `${Number((length / size).toPrecision(3))} ${unit}`;
}

export class Ground {
  readonly root = new three.Group();
  private planes: { mesh: three.Mesh; index: number; color: three.Color; isGround: boolean }[] = [];
  private background = new three.Color();
  private grid: three.Mesh;
  private ink: three.ShaderMaterial;
  private matrix = new three.Matrix4();
  cell = 1;

  constructor(
    private readonly up: three.Vector3,
    private readonly center: three.Vector3,
    private readonly radius: number,
  ) {
    const across = new three.Vector3(1, 0, 0);
    if (Math.abs(up.x) > 0.9) across.set(0, 1, 0);
    across.addScaledVector(up, -across.dot(up)).normalize();
    const along = up.clone().cross(across);
    this.ink = new three.ShaderMaterial({
      vertexShader: GRID_VERTEX,
      fragmentShader: GRID_FRAGMENT,
      uniforms: {
        across: { value: across }, along: { value: along }, middle: { value: center.clone() },
        ink: { value: new three.Color() }, cell: { value: 1 }, reach: { value: 1 },
      },
      transparent: true, depthWrite: false, side: three.DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4,
    });
    this.grid = new three.Mesh(new three.PlaneGeometry(1, 1), this.ink);
    this.grid.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), up);
    this.grid.renderOrder = 1;
    this.root.add(this.grid);
  }

  /** Puts squares where the planes are, and the grid on the ground or below everything. */
  setBodies(bodies: Body[], lowest: number): void {
    for (const { mesh } of this.planes) this.drop(mesh);
    this.planes = [];
    let height = lowest;
    bodies.forEach((body, index) => {
      if (!body.plane) return;
      const normal = new three.Vector3(...body.plane.normal);
      if (normal.dot(this.up) > 0.999) height = body.plane.offset_m;
      this.addPlane(body, index, normal);
    });
    const onGround = this.center.clone().addScaledVector(this.up, height - this.center.dot(this.up));
    this.grid.position.copy(onGround);
    (this.ink.uniforms.middle!.value as three.Vector3).copy(onGround);
  }

  /** Planes of bodies that are carried around go along with them. */
  update(pose: Pose, bodies: Body[]): void {
    for (const { mesh, index } of this.planes) {
      if (!pose.present[index]) continue;
      writeMatrix(pose.rows, index * ROW, bodies[index]!.reference_m, this.matrix.elements as unknown as Float32Array, 0);
      mesh.parent!.matrix.copy(this.matrix);
      mesh.parent!.matrixWorldNeedsUpdate = true;
    }
  }

  /** Fits the cells to the distance of the camera. */
  fit(distance: number): void {
    this.cell = roundLength(distance / 8);
    const reach = Math.max(distance * 4, this.radius * 4);
    this.ink.uniforms.cell!.value = this.cell;
    this.ink.uniforms.reach!.value = reach;
    this.grid.scale.setScalar(2 * reach);
  }

  setTheme(background: string, ink: string): void {
    (this.ink.uniforms.ink!.value as three.Color).set(ink);
    this.background.set(background);
    this.tint();
  }

  // A bright floor would drown everything in the dark theme: the ground goes most of the way to the background.
  private tint(): void {
    for (const { mesh, color, isGround } of this.planes) {
      const paint = (mesh.material as three.MeshLambertMaterial).color.copy(color);
      if (isGround) paint.lerp(this.background, 0.9);
    }
  }

  setWireframe(isOn: boolean): void {
    for (const { mesh } of this.planes) mesh.visible = !isOn;
  }

  private addPlane(body: Body, index: number, normal: three.Vector3): void {
    const isGround = normal.dot(this.up) > 0.999;
    const size = this.radius * (isGround ? 60 : 5);
    const [r, g, b] = body.color;
    const color = new three.Color().setRGB(r, g, b, three.SRGBColorSpace);
    const material = new three.MeshLambertMaterial({ side: three.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    if (body.see_through) Object.assign(material, { transparent: true, opacity: 0.3, depthWrite: false });
    const mesh = new three.Mesh(new three.PlaneGeometry(size, size), material);
    mesh.receiveShadow = true;
    mesh.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), normal);
    const offset = body.plane!.offset_m - normal.dot(this.center);
    mesh.position.copy(this.center).addScaledVector(normal, offset);
    const frame = new three.Group();
    frame.matrixAutoUpdate = false;
    frame.add(mesh);
    this.root.add(frame);
    this.planes.push({ mesh, index, color, isGround });
    this.tint();
  }

  private drop(mesh: three.Mesh): void {
    if (mesh.parent) this.root.remove(mesh.parent);
    mesh.geometry.dispose();
    (mesh.material as three.Material).dispose();
  }
}

export function lowestOf(bounds: [Vec3, Vec3], up: three.Vector3): number {
  const [min, max] = bounds;
  let lowest = 0;
  for (let k = 0; k < 3; k++) lowest += Math.min(up.getComponent(k) * min[k]!, up.getComponent(k) * max[k]!);
  return lowest;
}
