// Joints: their axes with a mark for each kind, the range between their stops, and where in it they are.
//
// A joint lies between two frames: F, fixed in the parent, in which its coordinates count, and L, fixed in the child. Both
// follow from the bodies' poses. The zero of a turn is drawn where the child's centre is when the coordinate is zero, so the
// needle always points at the child.

import * as three from "three";
import type { Body, Joint, Placement } from "../net/types";
import { ROW } from "../data/blocks";
import type { Pose } from "../data/pose";
import { Arrows, Many } from "./arrows";

const COLORS = { joint: 0xe64980, chosen: 0x228be6, stop: 0xe03131 };
/** Triangles of a full circle. */
const FINE = 96;
const TURN = 2 * Math.PI;

interface Frame {
  place: three.Vector3;
  turn: three.Quaternion;
}

/** What is drawn of the range of a turn, in F. */
interface Sector {
  mesh: three.Mesh<three.BufferGeometry, three.MeshBasicMaterial>;
  size: number;
}

export class JointMarks {
  readonly root = new three.Group();
  /** How many were drawn last. */
  count = 0;
  private arrows: Arrows;
  private chosenArrows: Arrows;
  private rings: Many;
  private helices: Many;
  private squares: Many;
  private balls: Many;
  private cubes: Many;
  private bars: Many;
  private sectors = new Map<number, Sector>();
  private plain = new three.Color(COLORS.joint);
  private bright = new three.Color(COLORS.chosen);
  private stop = new three.Color(COLORS.stop);
  private f: Frame = frame();
  private l: Frame = frame();
  private axis = new three.Vector3();
  private way = new three.Vector3();
  private end = new three.Vector3();
  private zero = new three.Vector3();

  constructor(private readonly radius: number) {
    const { root } = this;
    const many = (geometry: three.BufferGeometry): Many => new Many(root, geometry, onTop());
    this.arrows = new Arrows(root, COLORS.joint);
    this.chosenArrows = new Arrows(root, COLORS.chosen);
    this.rings = many(new three.TorusGeometry(1, 0.06, 8, 40).rotateX(Math.PI / 2));
    this.helices = many(helix());
    this.squares = many(new three.TorusGeometry(1, 0.05, 6, 4).rotateX(Math.PI / 2));
    this.balls = many(new three.SphereGeometry(1, 16, 10));
    this.cubes = many(new three.BoxGeometry(1, 1, 1));
    this.bars = many(new three.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0));
  }

  /** Draws them as the pose has them; `selected` is the place of a body in the list, whose joints stand out. */
  update(joints: Joint[], pose: Pose, bodies: Body[], sizes: Float32Array, selected: number): void {
    const all = [this.arrows, this.chosenArrows, this.rings, this.helices, this.squares, this.balls, this.cubes, this.bars];
    for (const marks of all) marks.clear();
    for (const { mesh } of this.sectors.values()) mesh.visible = false;
    this.count = 0;
    const chosen = bodies[selected]?.number;
    for (const joint of joints) {
      const child = pose.index(joint.child);
      const parent = joint.parent === null ? -1 : pose.index(joint.parent);
      if (child < 0 || !pose.present[child] || joint.since_s > pose.time || (joint.until_s ?? Infinity) <= pose.time) continue;
      place(pose, child, joint.child_from_link, this.l);
      if (parent >= 0 && pose.present[parent]) place(pose, parent, joint.parent_from_joint, this.f);
      else if (joint.parent_name === null) set(joint.parent_from_joint, this.f);
      // The parent is not recorded: the child's side is all that is known.
      else set({ position_m: this.l.place.toArray(), orientation_xyzw: this.l.turn.toArray() } as Placement, this.f);
      const isChosen = chosen !== undefined && (chosen === joint.child || chosen === joint.parent);
      const size = Math.min(0.16 * this.radius, Math.max(0.035 * this.radius, 0.7 * (sizes[child] ?? 0)));
      this.draw(joint, size, isChosen);
      this.count += 1;
    }
    for (const marks of all) marks.show();
  }

  hide(): void {
    this.update([], { index: () => -1 } as unknown as Pose, [], new Float32Array(), -1);
  }

  dispose(): void {
    for (const { mesh } of this.sectors.values()) mesh.geometry.dispose();
  }

  private draw(joint: Joint, size: number, isChosen: boolean): void {
    const color = isChosen ? this.bright : this.plain;
    const [first, second] = joint.axes;
    const mark = (marks: Many, width: number, along = this.axis): void => marks.add(this.l.place, along, width, width, color);
    if (first) this.axis.fromArray(first).applyQuaternion(joint.kind === "universal" ? this.f.turn : this.l.turn);
    else this.axis.set(0, 1, 0);
    switch (joint.kind) {
      case "revolute":
        this.line(size, isChosen);
        mark(this.rings, 0.3 * size);
        this.dial(joint, size, color);
        break;
      case "prismatic":
        this.line(size, isChosen);
        this.rail(joint, 0, size, color);
        break;
      case "screw":
        this.line(size, isChosen);
        mark(this.helices, 0.3 * size);
        break;
      case "cylindrical":
        this.line(size, isChosen);
        mark(this.rings, 0.3 * size);
        this.rail(joint, 1, size, color);
        break;
      case "planar":
        this.line(size, isChosen);
        mark(this.squares, 0.5 * size);
        break;
      case "universal":
        this.line(size, isChosen);
        if (second) this.axis.fromArray(second).applyQuaternion(this.l.turn);
        this.line(size, isChosen);
        mark(this.balls, 0.1 * size);
        break;
      case "spherical":
        mark(this.balls, 0.14 * size);
        for (const axis of AXES) mark(this.rings, 0.34 * size, this.way.copy(axis).applyQuaternion(this.l.turn));
        break;
      case "fixed":
        mark(this.cubes, 0.18 * size);
        break;
      default:
        // A kind that this page does not know has a place all the same.
        mark(this.balls, 0.14 * size);
    }
  }

  /** The axis, through the joint. */
  private line(size: number, isChosen: boolean): void {
    const arrows = isChosen ? this.chosenArrows : this.arrows;
    this.end.copy(this.l.place).addScaledVector(this.axis, -0.6 * size);
    arrows.add(this.end, this.way.copy(this.axis).multiplyScalar(1.5 * size), 0.05 * size);
  }

  /** The range of a turn as a sector about the axis, its stops, and a needle where it is. */
  private dial(joint: Joint, size: number, color: three.Color): void {
    const { lower, upper } = joint.freedoms[0] ?? { lower: null, upper: null };
    if (lower === null && upper === null) return;
    zeroOf(joint, this.zero);
    const sector = this.sectorOf(joint, size);
    sector.mesh.visible = true;
    sector.mesh.material.color.copy(color);
    sector.mesh.matrix.compose(this.f.place, this.f.turn, ONE);
    sector.mesh.matrixWorldNeedsUpdate = true;
    this.way.copy(this.zero).applyQuaternion(this.l.turn);
    this.bars.add(this.l.place, this.way, 0.035 * size, 1.12 * size, color);
    for (const angle of [lower, upper]) {
      if (angle === null) continue;
      this.way.fromArray(joint.axes[0]!);
      this.end.copy(this.zero).applyAxisAngle(this.way, angle).applyQuaternion(this.f.turn);
      this.bars.add(this.f.place, this.end, 0.02 * size, size, this.stop);
    }
  }

  private sectorOf(joint: Joint, size: number): Sector {
    const known = this.sectors.get(joint.number);
    if (known && known.size === size) return known;
    if (known) {
      this.root.remove(known.mesh);
      known.mesh.geometry.dispose();
    }
    const material = new three.MeshBasicMaterial({ transparent: true, opacity: 0.22, side: three.DoubleSide, depthTest: false, depthWrite: false });
    const mesh = new three.Mesh(fan(joint, this.zero, size), material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.renderOrder = 2;
    this.root.add(mesh);
    const made = { mesh, size };
    this.sectors.set(joint.number, made);
    return made;
  }

  /** The range of a slide as a bar with its stops, and a ball where it is. */
  private rail(joint: Joint, freedom: number, size: number, color: three.Color): void {
    const { lower, upper } = joint.freedoms[freedom] ?? { lower: null, upper: null };
    this.balls.add(this.l.place, this.axis, 0.09 * size, 0.09 * size, color);
    if (lower === null || upper === null) return;
    this.end.copy(this.f.place).addScaledVector(this.axis, lower);
    this.bars.add(this.end, this.axis, 0.045 * size, upper - lower, color);
    for (const stop of [lower, upper]) {
      this.end.copy(this.f.place).addScaledVector(this.axis, stop - 0.015 * size);
      this.bars.add(this.end, this.axis, 0.2 * size, 0.03 * size, this.stop);
    }
  }
}

const ONE = new three.Vector3(1, 1, 1);
const AXES = [new three.Vector3(1, 0, 0), new three.Vector3(0, 1, 0), new three.Vector3(0, 0, 1)];

function onTop(): three.Material {
  return new three.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
}

function frame(): Frame {
  return { place: new three.Vector3(), turn: new three.Quaternion() };
}

function set(placement: Placement, out: Frame): void {
  out.place.fromArray(placement.position_m);
  out.turn.fromArray(placement.orientation_xyzw);
}

/** A frame that is fixed in a body, in the world. */
function place(pose: Pose, index: number, placement: Placement, out: Frame): void {
  const at = index * ROW;
  const { rows } = pose;
  BODY.set(rows[at + 3]!, rows[at + 4]!, rows[at + 5]!, rows[at + 6]!);
  set(placement, out);
  out.place.applyQuaternion(BODY);
  out.place.set(out.place.x + rows[at]!, out.place.y + rows[at + 1]!, out.place.z + rows[at + 2]!);
  out.turn.premultiply(BODY);
}
const BODY = new three.Quaternion();

/** Where the child's centre is, across the axis, in L: the direction that is drawn as zero. */
function zeroOf(joint: Joint, out: three.Vector3): void {
  const axis = new three.Vector3(...joint.axes[0]!);
  const turn = new three.Quaternion(...joint.child_from_link.orientation_xyzw).invert();
  out.fromArray(joint.child_from_link.position_m).negate().applyQuaternion(turn);
  out.addScaledVector(axis, -out.dot(axis));
  if (out.length() < 1e-6) out.copy(Math.abs(axis.z) < 0.9 ? AXES[2]! : AXES[0]!).addScaledVector(axis, -(Math.abs(axis.z) < 0.9 ? axis.z : axis.x));
  out.normalize();
}

/** The sector between two stops, in F. */
function fan(joint: Joint, zero: three.Vector3, size: number): three.BufferGeometry {
  const { lower, upper } = joint.freedoms[0]!;
  const geometry = new three.BufferGeometry();
  const points: number[] = [];
  const axis = new three.Vector3(...joint.axes[0]!);
  const from = lower ?? 0;
  const span = lower === null || upper === null ? 0 : Math.min(TURN, upper - lower);
  const steps = Math.max(1, Math.ceil((span / TURN) * FINE));
  const at = new three.Vector3();
  for (let i = 0; i < steps && span > 0; i++) {
    points.push(0, 0, 0);
    for (const step of [i, i + 1]) points.push(...at.copy(zero).applyAxisAngle(axis, from + (span * step) / steps).multiplyScalar(size).toArray());
  }
  geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(points), 3));
  return geometry;
}

/** A screw thread about +y. */
function helix(): three.BufferGeometry {
  const points = Array.from({ length: 61 }, (_point, i) => {
    const angle = (3 * TURN * i) / 60;
    return new three.Vector3(Math.cos(angle), 2.4 * (i / 60 - 0.5), Math.sin(angle));
  });
  return new three.TubeGeometry(new three.CatmullRomCurve3(points), 60, 0.07, 6);
}
