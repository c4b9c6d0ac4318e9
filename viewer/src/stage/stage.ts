// One three-dimensional view of one run: renderer, camera, light, and everything that is drawn.

import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { CameraPlace, Contact, Hand, Near, Vec3 } from "../net/types";
import { ROW } from "../data/blocks";
import { isPushed, type Run } from "../data/run";
import { Signal } from "../data/signal";
import { Ground, lowestOf } from "./ground";
import { JointMarks } from "./joints";
import { Marks, type Shown } from "./marks";
import { Outline } from "./outline";
import { quality } from "./quality";
import { SensorMarks } from "./sensors";
import { forgetGeometries, MANY, Shapes, writeMatrix, type Look } from "./shapes";
import { MOST_TRAILS, Trails } from "./trails";

export interface Options extends Shown, Look {
  joints: boolean;
  sensors: boolean;
  trails: boolean;
  grid: boolean;
  shadows: boolean;
}

const FIELD_OF_VIEW = 40;
/** A contact stays visible for this many samples. */
const CONTACT_SAMPLES = 4;
/** How often it is asked which walls are in the way [ms], and for how many bodies. */
const FADE_MS = 200;
const FADE_PLACES = 12;
/** What has gone this many times the scene's size away is not brought into view [−]. */
const FAR = 5;
/** A click this near to a contact point is meant for it [px]. */
const CONTACT_PX = 9;

export class Stage {
  readonly camera: three.PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly radius: number;
  readonly up: three.Vector3;
  readonly moved = new Signal();
  selected = -1;
  followed = -1;
  /** Whether hands were drawn last. */
  hasHands = false;
  private renderer: three.WebGLRenderer;
  private scene = new three.Scene();
  private sun = new three.DirectionalLight(0xffffff, 2.1);
  private sky = new three.HemisphereLight(0xffffff, 0x8a8f98, 1.7);
  private shapes: Shapes;
  private ground: Ground;
  private marks: Marks;
  readonly joints: JointMarks;
  private sensors: SensorMarks;
  private trails: Trails;
  private outline = new Outline();
  private center: three.Vector3;
  private contacts: Contact[] = [];
  private lastFollowed = new three.Vector3();
  private scratch = new three.Vector3();
  private held = new three.Vector3();
  private hand = new three.Vector3();
  /** Whether somebody chose where the camera is: then a new size leaves it there. */
  isPlaced = false;
  private pixel = new Uint8Array(4);
  private faded = -Infinity;
  private isDirty = true;
  private isBuilt = false;

  constructor(
    readonly run: Run,
    readonly canvas: HTMLCanvasElement,
    private options: Options,
  ) {
    const { meta } = run;
    this.up = new three.Vector3(...meta.up).normalize();
    const box = new three.Box3(new three.Vector3(...meta.bounds_m[0]), new three.Vector3(...meta.bounds_m[1]));
    this.center = box.getCenter(new three.Vector3());
    const size = box.getSize(new three.Vector3()).length() / 2;
    this.radius = Number.isFinite(size) && size > 0 ? size : 1;
    if (!Number.isFinite(this.center.lengthSq())) this.center.set(0, 0, 0);
    this.renderer = new three.WebGLRenderer({ canvas, antialias: quality().antialias });
    this.renderer.shadowMap.type = three.PCFShadowMap;
    this.camera = new three.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("start", () => (this.isPlaced = true));
    this.controls.addEventListener("change", () => {
      this.isDirty = true;
      this.moved.tell();
    });
    this.shapes = new Shapes(run.path);
    this.ground = new Ground(this.up, this.center, this.radius);
    this.marks = new Marks(this.radius, new three.Vector3(...meta.gravity_m_s2).length());
    this.joints = new JointMarks(this.radius);
    this.sensors = new SensorMarks(this.radius);
    this.trails = new Trails(run, () => this.redrawAll());
    this.assemble();
    this.home();
  }

  /** Fetches the shapes; call again when bodies came. */
  async build(): Promise<void> {
    if (!(await this.shapes.setBodies(this.run.bodies))) return;
    this.ground.setBodies(this.run.bodies, lowestOf(this.run.meta.bounds_m, this.up));
    this.marks.setSizes([...this.shapes.radius].filter((radius, index) => radius > 0 && isPushed(this.run.bodies[index])));
    this.isBuilt = true;
    this.setOptions(this.options);
    this.select(this.selected);
  }

  setOptions(options: Options): void {
    this.options = options;
    this.shapes.setLook(options);
    this.ground.root.children[0]!.visible = options.grid;
    this.ground.setWireframe(options.wireframe);
    // Shadows draw everything twice, which a processor has no time for where there is much of it.
    const hasShadows = options.shadows && (quality().pause === 0 || this.run.bodies.length <= MANY);
    this.renderer.shadowMap.enabled = hasShadows;
    this.sun.castShadow = hasShadows;
    this.redrawAll();
  }

  setTheme(background: string, ink: string): void {
    this.scene.background = new three.Color(background);
    this.scene.fog = new three.Fog(background, this.radius * 14, this.radius * 34);
    this.ground.setTheme(background, ink);
    this.isDirty = true;
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, quality().pixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.isDirty = true;
  }

  /** Takes the run's pose into the picture. */
  redrawAll(): void {
    if (!this.isBuilt) return;
    const { run, options } = this;
    const { pose, bodies } = run;
    this.shapes.update(pose, bodies);
    this.ground.update(pose, bodies);
    this.marks.setMotion(pose, bodies, options, bodies.length > MANY ? this.selected : -1);
    if (options.joints) this.joints.update(run.joints, pose, bodies, this.shapes.radius, this.selected);
    else this.joints.hide();
    this.sensors.update(run, options.sensors, (index, point, out) => this.heldPoint(index, point, out), (index) => this.turnOf(index));
    this.updateHands();
    this.updateContacts();
    this.trails.update(options.trails ? this.trailed() : [], pose.time);
    this.updateOutline();
    this.followOn();
    this.isDirty = true;
  }

  setNear(near: Near | null): void {
    this.marks.setNear(near);
    this.isDirty = true;
  }

  setPush(from: three.Vector3 | null, to: three.Vector3): void {
    this.marks.setPush(from, to);
    this.isDirty = true;
  }

  /** The springs by which people pull at bodies, as they are at the front of a live run. */
  private updateHands(): void {
    const { run } = this;
    this.hasHands = (run.status?.hands.length ?? 0) > 0;
    const isFront = run.newest !== null && run.pose.time >= run.newest.time;
    this.marks.clearHands();
    for (const hand of isFront ? (run.status?.hands ?? []) : []) {
      const index = hand.body === null ? -1 : run.pose.index(hand.body);
      if (index >= 0 && run.pose.present[index]) this.marks.addHand(this.heldPoint(index, hand.point_m, this.scratch), this.hand.fromArray(hand.to_m));
    }
    this.marks.showHands();
  }

  /** Where a point of a body's frame is in the world. */
  heldPoint(index: number, point: Vec3, out: three.Vector3): three.Vector3 {
    const reference = this.run.bodies[index]?.reference_m ?? [0, 0, 0];
    out.set(point[0] - reference[0], point[1] - reference[1], point[2] - reference[2]);
    return out.applyQuaternion(this.turnOf(index)).add(this.placeOf(index, this.held));
  }

  /** The pull of a hand, spring and damper together [N]. */
  pullOf(index: number, hand: Hand): number {
    const { rows } = this.run.pose;
    const at = this.heldPoint(index, hand.point_m, new three.Vector3());
    const arm = at.clone().sub(this.placeOf(index, this.held));
    const spin = new three.Vector3(rows[index * ROW + 10], rows[index * ROW + 11], rows[index * ROW + 12]);
    const velocity = new three.Vector3(rows[index * ROW + 7], rows[index * ROW + 8], rows[index * ROW + 9]).add(spin.cross(arm));
    return new three.Vector3(...hand.to_m).sub(at).multiplyScalar(hand.stiffness_N_m).addScaledVector(velocity, -hand.damping_N_s_m).length();
  }

  /** Draws if something changed; true if it did. */
  render(): boolean {
    if (!this.isDirty || !this.isBuilt) return false;
    this.draw();
    return true;
  }

  /** Waits until the picture is really there. Software drawing runs behind otherwise, and the page with it. */
  finish(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, this.pixel);
  }

  /** Draws and calls back while the picture is still in the canvas, which is cleared afterwards. */
  snapshot(take: (canvas: HTMLCanvasElement) => void): void {
    this.draw();
    take(this.canvas);
  }

  // Walls are looked through when they hide what moves; that takes rays, and is asked a few times a second.
  private fadeWalls(): void {
    const now = performance.now();
    if (now - this.faded < FADE_MS || this.run.bodies.length > MANY) return;
    this.faded = now;
    const { pose, bodies } = this.run;
    const moving = bodies.map((_body, index) => index).filter((index) => pose.present[index] && isPushed(bodies[index]));
    const step = Math.max(1, Math.ceil(moving.length / FADE_PLACES));
    const places = moving.filter((_index, i) => i % step === 0).map((index) => this.placeOf(index, new three.Vector3()));
    this.shapes.fade(this.camera.position, places);
  }

  private draw(): void {
    this.fadeWalls();
    const { distance } = this;
    this.camera.near = distance * 0.02;
    this.camera.far = distance * 4 + this.radius * 60;
    this.camera.updateProjectionMatrix();
    this.ground.fit(distance);
    this.renderer.render(this.scene, this.camera);
    this.isDirty = false;
  }

  /** What the arrows stand for, and who is followed. */
  get legend(): string[] {
    const lines = this.marks.legend(this.options);
    const followed = this.run.bodies[this.followed];
    return followed ? [...lines, `following ${followed.name}`] : lines;
  }

  get gridCell(): number {
    return this.ground.cell;
  }

  /** From the camera to the point that it looks at [m]. */
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  /** Metres that a pixel covers at the point the camera looks at. */
  get metresAPixel(): number {
    const height = this.canvas.clientHeight || 1;
    return (2 * this.distance * Math.tan(((this.camera.fov / 2) * Math.PI) / 180)) / height;
  }

  select(index: number): void {
    this.selected = index;
    this.outline.setGeometry(index >= 0 ? this.shapes.geometryAt(index) : null);
    this.redrawAll();
  }

  follow(index: number): void {
    this.followed = index;
    if (index < 0) return;
    this.placeOf(index, this.lastFollowed);
    const shift = this.scratch.copy(this.lastFollowed).sub(this.controls.target);
    this.camera.position.add(shift);
    this.controls.target.copy(this.lastFollowed);
    this.controls.update();
  }

  /** The camera of the scene if it sees everything that moves, or one that does. */
  home(): void {
    this.followed = -1;
    const place = this.run.meta.camera;
    if (place) this.setCamera(place);
    this.camera.updateMatrixWorld();
    if (!place || this.near().some((index) => this.onScreen(this.placeOf(index, this.scratch)) === null)) this.fit();
  }

  /** The bodies that move and have not gone far away, by their places in the list. */
  private near(): number[] {
    const { pose, bodies } = this.run;
    if (!this.isBuilt) return [];
    const isNear = (index: number): boolean => this.placeOf(index, this.scratch).distanceTo(this.center) < FAR * this.radius;
    return bodies.map((_body, index) => index).filter((index) => pose.present[index] && isPushed(bodies[index]) && isNear(index));
  }

  /** Sees all bodies that are bounded, from the front right. */
  fit(): void {
    this.followed = -1;
    const across = new three.Vector3(0.55, -1, 0);
    if (Math.abs(this.up.z) < 0.5) across.set(1, 0, 1);
    across.addScaledVector(this.up, -across.dot(this.up)).normalize();
    const direction = across.addScaledVector(this.up, 0.42).normalize();
    const box = new three.Box3(new three.Vector3(...this.run.meta.bounds_m[0]), new three.Vector3(...this.run.meta.bounds_m[1]));
    for (const index of this.near()) box.union(new three.Box3().setFromCenterAndSize(this.placeOf(index, this.scratch), this.held.setScalar(2 * this.shapes.radius[index]!)));
    const center = box.getCenter(new three.Vector3());
    if (!Number.isFinite(center.lengthSq())) center.copy(this.center);
    const eye = center.clone().addScaledVector(direction, this.distanceFor(direction, box, center));
    this.setCamera({ eye_m: eye.toArray() as Vec3, target_m: center.toArray() as Vec3 });
  }

  /** How far the camera must be, looking at the centre from a direction, to have all corners of a box in view. */
  private distanceFor(direction: three.Vector3, box: three.Box3, center: three.Vector3): number {
    const right = new three.Vector3().crossVectors(this.up, direction).normalize();
    const upright = new three.Vector3().crossVectors(direction, right);
    const tall = Math.tan(((FIELD_OF_VIEW / 2) * Math.PI) / 180);
    const wide = tall * this.camera.aspect;
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const part = (axis: 0 | 1 | 2): number => ((corner >> axis) & 1 ? box.max : box.min).getComponent(axis);
      const at = this.scratch.set(part(0), part(1), part(2)).sub(center);
      const sideways = Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(upright)) / tall);
      distance = Math.max(distance, at.dot(direction) + sideways);
    }
    return Number.isFinite(distance) && distance > 0 ? distance * 1.08 : this.radius * 3.3;
  }

  setCamera(place: CameraPlace): void {
    this.camera.fov = place.fov_deg ?? FIELD_OF_VIEW;
    this.camera.position.set(...place.eye_m);
    this.controls.target.set(...place.target_m);
    this.controls.update();
    this.isDirty = true;
  }

  place(): { eye: Vec3; target: Vec3 } {
    return { eye: this.camera.position.toArray() as Vec3, target: this.controls.target.toArray() as Vec3 };
  }

  /** Looks from where another view looks. */
  copyCamera(other: Stage): void {
    this.camera.fov = other.camera.fov;
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.controls.target.copy(other.controls.target);
    this.isDirty = true;
  }

  ray(x: number, y: number): three.Raycaster {
    const bounds = this.canvas.getBoundingClientRect();
    const at = new three.Vector2(((x - bounds.left) / bounds.width) * 2 - 1, 1 - ((y - bounds.top) / bounds.height) * 2);
    const ray = new three.Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  pick(x: number, y: number): { index: number; point: three.Vector3 } | null {
    return this.shapes.pick(this.ray(x, y));
  }

  /** The contact point under the mouse, of those that are drawn: the one with the largest impulse. */
  pickContact(x: number, y: number): Contact | null {
    if (!this.options.contacts) return null;
    let best: Contact | null = null;
    let largest = -1;
    for (const contact of this.contacts) {
      const at = this.onScreen(this.scratch.fromArray(contact.point_m));
      const impulse = Math.hypot(...contact.impulse_N_s);
      if (!at || Math.hypot(at.x - x, at.y - y) > CONTACT_PX || impulse <= largest) continue;
      best = contact;
      largest = impulse;
    }
    return best;
  }

  /** Where a point is in the window [px]; null if the view does not show it. The point is used up. */
  onScreen(point: three.Vector3): { x: number; y: number } | null {
    const at = point.project(this.camera);
    if (Math.abs(at.x) > 1 || Math.abs(at.y) > 1 || at.z > 1) return null;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return { x: left + ((at.x + 1) / 2) * width, y: top + ((1 - at.y) / 2) * height };
  }

  get shownContacts(): readonly Contact[] {
    return this.contacts;
  }

  choose(contact: Contact | null): void {
    this.marks.setChosen(contact);
    this.isDirty = true;
  }

  placeOf(index: number, out: three.Vector3): three.Vector3 {
    const { rows } = this.run.pose;
    return out.set(rows[index * ROW] ?? 0, rows[index * ROW + 1] ?? 0, rows[index * ROW + 2] ?? 0);
  }

  turnOf(index: number): three.Quaternion {
    const { rows } = this.run.pose;
    const at = index * ROW + 3;
    return new three.Quaternion(rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 1);
  }

  dispose(): void {
    this.controls.dispose();
    this.shapes.dispose();
    this.joints.dispose();
    forgetGeometries(this.run.path);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private assemble(): void {
    const { scene, sun, sky, radius } = this;
    sky.position.copy(this.up);
    const side = new three.Vector3(0.6, -0.35, 0.2).addScaledVector(this.up, 1.6);
    sun.position.copy(this.center).addScaledVector(side.normalize(), 4 * radius);
    sun.target.position.copy(this.center);
    const shadow = sun.shadow;
    shadow.mapSize.set(quality().shadowSize, quality().shadowSize);
    Object.assign(shadow.camera, { left: -2 * radius, right: 2 * radius, top: 2 * radius, bottom: -2 * radius });
    Object.assign(shadow.camera, { near: 0.5 * radius, far: 9 * radius });
    shadow.normalBias = radius * 0.004;
    shadow.bias = -0.0006;
    scene.add(sun, sun.target, sky, this.ground.root, this.shapes.root, this.trails.root, this.outline.mesh, this.joints.root, this.sensors.root, this.marks.root);
  }

  private updateContacts(): void {
    const { options, run } = this;
    const isWanted = options.contacts || options.cones || options.flashes;
    const window = CONTACT_SAMPLES / (run.meta.rate_hz > 0 ? run.meta.rate_hz : 60);
    if (isWanted) {
      run.contacts.within(run.pose.time - window, run.pose.time, this.contacts);
      run.contacts.prefetch(run.pose.time, 1);
    } else this.contacts.length = 0;
    this.marks.setContacts(this.contacts, run.pose.time, window, options);
  }

  private trailed(): number[] {
    const { bodies } = this.run;
    const moving = bodies.filter((body) => body.role !== "fixed" && body.geometry !== null);
    if (moving.length <= MOST_TRAILS) return moving.map((body) => body.number);
    const chosen = bodies[this.selected];
    return chosen ? [chosen.number] : [];
  }

  private updateOutline(): void {
    if (this.selected < 0) return;
    const { pose, bodies } = this.run;
    const reference = bodies[this.selected]?.reference_m;
    const isThere = reference !== undefined && pose.present[this.selected] === 1;
    const { mesh } = this.outline;
    mesh.visible = isThere && this.shapes.geometryAt(this.selected) !== null;
    if (!isThere) return;
    writeMatrix(pose.rows, this.selected * ROW, reference, mesh.matrix.elements as unknown as Float32Array, 0);
    mesh.matrixWorldNeedsUpdate = true;
  }

  private followOn(): void {
    if (this.followed < 0 || !this.run.pose.present[this.followed]) return;
    const now = this.placeOf(this.followed, this.scratch);
    const shift = now.clone().sub(this.lastFollowed);
    if (shift.lengthSq() === 0) return;
    this.lastFollowed.copy(now);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
  }
}
