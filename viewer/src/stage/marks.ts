// What is drawn about the bodies: velocities, contacts with their impulses and friction cones, flashes, and what the
// engine looks at (closest features and swept boxes).

import * as three from "three";
import type { Body, Contact, Near } from "../net/types";
import { ROW } from "../data/blocks";
import type { Pose } from "../data/pose";
import { Arrows, Many } from "./arrows";
import { Segments } from "./segments";

export interface Shown {
  velocity: boolean;
  spin: boolean;
  contacts: boolean;
  cones: boolean;
  flashes: boolean;
  near: boolean;
}

const COLORS = {
  velocity: 0x2f9e44, spin: 0x9c5fd6, impulse: 0xe03131, point: 0xffd43b, cone: 0xf08c00,
  flash: 0xffa94d, chosen: 0x4dabf7, line: 0x15aabf, box: 0x868e96, push: 0xff6b00, hand: 0x0ca678,
};

/** A cone wider than this hides everything and tells nothing more [−]. */
const STEEPEST_CONE = 1.5;
/** Pushes of one pair that are nearer than this share of the size of marks are drawn as one [−]. */
const MERGED = 0.02;
/** Marks of contacts are drawn for a scene of so many radii of a body that moves, and not for one much smaller than it is [−]. */
const RADII = 16;
const LEAST_SHARE = 1 / 6;

export class Marks {
  readonly root = new three.Group();
  private velocity: Arrows;
  private spin: Arrows;
  private impulse: Arrows;
  private push: Arrows;
  private handArrows: Arrows;
  private handPoints: Many;
  private points: Many;
  private chosen: Many;
  private cones: Many;
  private flashes: Many;
  private lines: Segments;
  private boxes: Segments;
  private place = new three.Vector3();
  private arrow = new three.Vector3();
  private largest = 0;
  /** What the marks of contacts are drawn in proportion to [m]. */
  private size: number;
  private readonly slow: number;
  private fastest = 0;
  private quickest = 0;

  /** `gravity` in m/s². */
  constructor(
    private readonly radius: number,
    gravity: number,
  ) {
    const { root } = this;
    this.size = radius;
    // Slower than a fall through a thousandth of the scene is as good as at rest; its arrows must not fill the view.
    this.slow = Math.sqrt(2 * Math.max(gravity, 1) * 1e-3 * radius);
    this.velocity = new Arrows(root, COLORS.velocity);
    this.spin = new Arrows(root, COLORS.spin);
    this.impulse = new Arrows(root, COLORS.impulse);
    this.push = new Arrows(root, COLORS.push);
    const ball = new three.SphereGeometry(1, 16, 10);
    this.handArrows = new Arrows(root, COLORS.hand);
    this.handPoints = new Many(root, ball, new three.MeshBasicMaterial({ color: COLORS.hand, depthTest: false, transparent: true }));
    this.points = new Many(root, ball, new three.MeshBasicMaterial({ color: COLORS.point, depthTest: false, transparent: true }));
    this.chosen = new Many(root, ball, new three.MeshBasicMaterial({ color: COLORS.chosen, depthTest: false, transparent: true, opacity: 0.5 }));
    const open = new three.ConeGeometry(1, 1, 24, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.cones = new Many(root, open, new three.MeshBasicMaterial({
      color: COLORS.cone, transparent: true, opacity: 0.3, side: three.DoubleSide, depthWrite: false,
    }));
    this.flashes = new Many(root, new three.SphereGeometry(1, 20, 14), glow());
    this.lines = new Segments(root, COLORS.line, 1, true);
    this.boxes = new Segments(root, COLORS.box, 0.6);
  }

  /** Small things on a large plate must not vanish under arrows that fit the plate: `radii` of the bodies that move [m]. */
  setSizes(radii: number[]): void {
    const middle = radii.sort((a, b) => a - b)[radii.length >> 1] ?? Infinity;
    this.size = Math.min(this.radius, Math.max(RADII * middle, LEAST_SHARE * this.radius));
  }

  /** Arrows of motion. They are as long as the body goes in a time that suits the scene. */
  setMotion(pose: Pose, bodies: Body[], shown: Shown, only: number): void {
    this.velocity.clear();
    this.spin.clear();
    const fastest = shown.velocity ? Math.max(largestRow(pose, 7), this.slow) : 0;
    const quickest = shown.spin ? Math.max(largestRow(pose, 10), this.slow / this.radius) : 0;
    this.fastest = fastest;
    this.quickest = quickest;
    for (let i = 0; i < bodies.length; i++) {
      if (!pose.present[i] || (only >= 0 && i !== only)) continue;
      const at = i * ROW;
      this.place.set(pose.rows[at]!, pose.rows[at + 1]!, pose.rows[at + 2]!);
      if (fastest > 0) this.addRow(this.velocity, pose, at + 7, fastest);
      if (quickest > 0) this.addRow(this.spin, pose, at + 10, quickest);
    }
    this.velocity.show();
    this.spin.show();
  }

  /** How much the longest arrows stand for. */
  legend(shown: Shown): string[] {
    const lines: string[] = [];
    if (shown.velocity) lines.push(`longest green arrow ${amount(this.fastest, "m/s")}`);
    if (shown.spin) lines.push(`longest violet arrow ${amount(this.quickest, "rad/s")}`);
    if (shown.contacts && this.largest > 0) lines.push(`longest red arrow ${amount(this.largest, "N·s")}`);
    return lines;
  }

  /** Contacts of the last moments; `window` is how long a contact is shown [s]. */
  setContacts(contacts: Contact[], time: number, window: number, shown: Shown): void {
    for (const marks of [this.impulse, this.points, this.cones, this.flashes]) marks.clear();
    const merged = this.merge(contacts);
    // The scale sinks slowly, so that arrows of one blow can be compared with those of the next.
    this.largest *= 0.995;
    for (const contact of merged) this.largest = Math.max(this.largest, Math.hypot(...contact.impulse_N_s));
    for (const contact of merged) this.addContact(contact, time, window, shown);
    for (const marks of [this.impulse, this.points, this.cones, this.flashes]) marks.show();
  }

  // Bodies at rest push each other many times at nearly one place: that is one arrow, as long as all of them together.
  private merge(contacts: Contact[]): Contact[] {
    const reach = MERGED * this.size;
    const merged = new Map<string, Contact[]>();
    for (const contact of contacts) {
      const key = `${contact.a} ${contact.b}`;
      const known = merged.get(key) ?? [];
      if (known.length === 0) merged.set(key, known);
      const near = known.find((one) => Math.hypot(...one.point_m.map((part, i) => part - contact.point_m[i]!)) < reach);
      if (!near) {
        known.push({ ...contact, impulse_N_s: [...contact.impulse_N_s] });
        continue;
      }
      contact.impulse_N_s.forEach((part, i) => (near.impulse_N_s[i] = near.impulse_N_s[i]! + part));
      if (contact.time_s > near.time_s) Object.assign(near, { time_s: contact.time_s, normal: contact.normal, point_m: contact.point_m });
      if (contact.kind === "collision") near.kind = "collision";
    }
    return [...merged.values()].flat();
  }

  /** The contact that was clicked. */
  setChosen(contact: Contact | null): void {
    this.chosen.clear();
    if (contact) this.chosen.add(this.place.fromArray(contact.point_m), this.arrow.set(0, 1, 0), this.size * 0.03, this.size * 0.03);
    this.chosen.show();
  }

  setNear(near: Near | null): void {
    this.lines.clear();
    this.boxes.clear();
    for (const { from_m: a, to_m: b } of near?.lines ?? []) this.lines.add(...a, ...b);
    for (const { min_m, max_m } of near?.boxes ?? []) this.boxes.addBox(min_m, max_m);
    this.lines.show();
    this.boxes.show();
  }

  setPush(from: three.Vector3 | null, to: three.Vector3): void {
    this.push.clear();
    if (from) this.push.add(from, this.arrow.copy(to).sub(from), this.radius * 0.02);
    this.push.show();
  }

  clearHands(): void {
    this.handArrows.clear();
    this.handPoints.clear();
  }

  /** A spring from a point of a body to the hand that pulls at it. */
  addHand(from: three.Vector3, to: three.Vector3): void {
    const { radius } = this;
    this.handPoints.add(from, this.arrow.set(0, 1, 0), radius * 0.014, radius * 0.014);
    this.handArrows.add(from, this.arrow.copy(to).sub(from), radius * 0.014);
  }

  showHands(): void {
    this.handArrows.show();
    this.handPoints.show();
  }

  private addRow(arrows: Arrows, pose: Pose, at: number, largest: number): void {
    this.arrow.set(pose.rows[at]!, pose.rows[at + 1]!, pose.rows[at + 2]!);
    arrows.add(this.place, this.arrow.multiplyScalar((0.4 * this.radius) / largest), this.radius * 0.01);
  }

  private addContact(contact: Contact, time: number, window: number, shown: Shown): void {
    const { size: scale } = this;
    const age = Math.min(1, Math.max(0, (time - contact.time_s) / window));
    const size = Math.hypot(...contact.impulse_N_s);
    const share = this.largest > 0 ? size / this.largest : 0;
    this.place.fromArray(contact.point_m);
    if (shown.contacts) {
      this.points.add(this.place, this.arrow.set(0, 1, 0), scale * 0.012, scale * 0.012);
      this.arrow.fromArray(contact.impulse_N_s).multiplyScalar(size > 0 ? (0.4 * scale * Math.sqrt(share)) / size : 0);
      this.impulse.add(this.place, this.arrow, scale * 0.01);
    }
    this.arrow.fromArray(contact.normal);
    const height = 0.16 * scale;
    if (shown.cones && contact.friction > 0) {
      this.cones.add(this.place, this.arrow, height * Math.min(contact.friction, STEEPEST_CONE), height);
    }
    if (shown.flashes && contact.kind === "collision") {
      const glowing = scale * (0.008 + 0.03 * Math.sqrt(share)) * (1 - age);
      this.flashes.add(this.place, this.arrow.set(0, 1, 0), glowing, glowing);
    }
  }
}

function amount(value: number, unit: string): string {
  return value >= 0.01 ? `${Number(value.toPrecision(2))} ${unit}` : `${Number((1000 * value).toPrecision(2))} m${unit}`;
}

function glow(): three.Material {
  return new three.MeshBasicMaterial({ color: COLORS.flash, transparent: true, depthWrite: false, opacity: 0.55 });
}

function largestRow(pose: Pose, part: number): number {
  let largest = 0;
  for (let i = 0; i < pose.present.length; i++) {
    if (!pose.present[i]) continue;
    const at = i * ROW + part;
    largest = Math.max(largest, pose.rows[at]! ** 2 + pose.rows[at + 1]! ** 2 + pose.rows[at + 2]! ** 2);
  }
  return Math.sqrt(largest);
}
