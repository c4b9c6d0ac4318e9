// One view with its mouse: click selects, double click follows, in push mode dragging draws the impulse, and in grab mode, or
// with ctrl, it pulls at what is under the mouse.

import * as three from "three";
import { isPushed, type Run } from "../data/run";
import type { Contact } from "../net/types";
import { Stage, type Options } from "../stage/stage";
import { el, setText, short } from "./dom";
import { HandTool, type HandAction } from "./hand";
import { Overlay } from "./overlay";
import { cssColor } from "./theme";

/** A press that moves less than this is a click [px]. */
const CLICK_PX = 4;
/** Change of speed for an arrow of one metre [1/s]. */
const PUSH_RATE = 5;

export interface PaneEvents {
  onPick(number: number | null): void;
  onContact(contact: Contact): void;
  onFollow(number: number): void;
  onPush(number: number, impulse: three.Vector3, point: three.Vector3 | null): void;
  onActive(): void;
  onHand: HandAction;
  /** Whether the newest state is shown. */
  isFront(): boolean;
}

interface Drag {
  index: number;
  mass: number;
  plane: three.Plane;
  from: three.Vector3;
  to: three.Vector3;
  /** The point touched, in the axes of the body from its centre; null for the centre itself [m]. */
  arm: three.Vector3 | null;
}

export class Pane {
  readonly root = el("div", { class: "pane" });
  readonly stage: Stage;
  readonly tag = el("button", { class: "tag" });
  private overlay = new Overlay();
  private readout = el("div", { class: "readout" });
  private down: { x: number; y: number } | null = null;
  private drag: Drag | null = null;
  private hand: HandTool;
  private isPushing = false;
  private isGrabbing = false;
  private isSized = false;
  private observer: ResizeObserver;

  constructor(
    readonly run: Run,
    options: Options,
    private readonly events: PaneEvents,
  ) {
    const canvas = el("canvas", { class: "scene", label: "three-dimensional view; drag to orbit, right drag to pan, wheel to zoom" });
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    this.stage = new Stage(run, canvas, options);
    this.hand = new HandTool(run, this.stage, (action, body, values) => events.onHand(action, body, values));
    this.readout.hidden = true;
    this.tag.type = "button";
    this.tag.addEventListener("click", () => events.onActive());
    this.root.append(canvas, this.overlay.root, this.tag, this.readout);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    this.listen(canvas);
    this.applyTheme();
  }

  applyTheme(): void {
    this.stage.setTheme(cssColor("--stage"), cssColor("--grid"));
  }

  render(): boolean {
    if (!this.stage.render()) return false;
    this.overlay.update(this.stage);
    if (this.hand.isHolding) this.tellPull();
    return true;
  }

  setPushing(isOn: boolean): void {
    this.isPushing = isOn;
    this.root.classList.toggle("pushing", isOn);
    this.stage.controls.enabled = !isOn;
    if (!isOn) this.endDrag();
  }

  setGrabbing(isOn: boolean): void {
    this.isGrabbing = isOn;
    this.root.classList.toggle("grabbing", isOn);
    if (!isOn) this.endHand();
  }

  close(): void {
    this.observer.disconnect();
    this.stage.dispose();
    this.root.remove();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (width === 0 || height === 0) return;
    this.stage.resize(width, height);
    // The first size tells the form of the view, which the fitted camera depends on.
    if (!this.isSized && !this.stage.isPlaced) this.stage.home();
    this.isSized = true;
    this.render();
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => {
      this.endDrag();
      this.endHand();
    });
    // Before the camera hears of it: what is pulled at does not turn the view.
    this.root.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.stage.pick(event.clientX, event.clientY);
      const body = hit && this.run.bodies[hit.index];
      if (body) this.events.onFollow(body.number);
    });
  }

  private take(event: PointerEvent): void {
    if (event.target !== this.stage.canvas || event.button !== 0 || this.isPushing || !this.run.isLive) return;
    if (!(this.isGrabbing || event.ctrlKey) || !this.events.isFront() || !this.hand.begin(event)) return;
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  private tellPull(): void {
    const text = this.hand.text();
    this.readout.hidden = text === "";
    setText(this.readout, text);
  }

  private endHand(): void {
    if (!this.hand.isHolding) return;
    this.hand.end();
    this.stage.controls.enabled = !this.isPushing;
    this.readout.hidden = true;
  }

  private press(event: PointerEvent): void {
    this.down = { x: event.clientX, y: event.clientY };
    this.events.onActive();
    if (this.isPushing && event.button === 0) this.beginDrag(event);
  }

  private move(event: PointerEvent): void {
    this.hand.move(event);
    if (!this.drag) return;
    this.drag.from.copy(this.heldPoint(this.drag));
    const ray = this.stage.ray(event.clientX, event.clientY).ray;
    ray.intersectPlane(this.drag.plane, this.drag.to);
    this.stage.setPush(this.drag.from, this.drag.to);
    const speed = this.drag.from.distanceTo(this.drag.to) * PUSH_RATE;
    setText(this.readout, `${short(speed * this.drag.mass)} N·s   Δv ${short(speed)} m/s`);
    this.readout.hidden = false;
  }

  private release(event: PointerEvent): void {
    const { down, drag } = this;
    this.down = null;
    // A press that moved nothing is a click, also in grab mode.
    this.endHand();
    if (drag) {
      const impulse = drag.to.clone().sub(drag.from).multiplyScalar(PUSH_RATE * drag.mass);
      const body = this.run.bodies[drag.index];
      // The body may have gone on meanwhile; the point that was touched went with it.
      if (body && impulse.lengthSq() > 0) this.events.onPush(body.number, impulse, drag.arm ? this.heldPoint(drag) : null);
      this.endDrag();
      return;
    }
    if (!down || event.button !== 0 || this.isPushing) return;
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_PX) return;
    const contact = this.stage.pickContact(event.clientX, event.clientY);
    if (contact) return this.events.onContact(contact);
    const hit = this.stage.pick(event.clientX, event.clientY);
    this.events.onPick(hit ? (this.run.bodies[hit.index]?.number ?? null) : null);
  }

  // With shift the push acts where the body was touched, else at its centre.
  private beginDrag(event: PointerEvent): void {
    if (!this.events.isFront()) return;
    const hit = this.stage.pick(event.clientX, event.clientY);
    const index = hit && isPushed(this.run.bodies[hit.index]) ? hit.index : this.stage.selected;
    const mass = this.run.bodies[index]?.mass_kg;
    if (index < 0 || !mass) return;
    const centre = this.stage.placeOf(index, new three.Vector3());
    const isOffCentre = event.shiftKey && hit?.index === index;
    const arm = isOffCentre ? hit.point.clone().sub(centre).applyQuaternion(this.stage.turnOf(index).invert()) : null;
    const from = isOffCentre ? hit.point.clone() : centre;
    const facing = this.stage.camera.getWorldDirection(new three.Vector3());
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(facing, from);
    this.drag = { index, mass, plane, from, to: from.clone(), arm };
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  private heldPoint({ index, arm }: Drag): three.Vector3 {
    const centre = this.stage.placeOf(index, new three.Vector3());
    return arm ? centre.add(arm.clone().applyQuaternion(this.stage.turnOf(index))) : centre;
  }

  private endDrag(): void {
    this.drag = null;
    this.readout.hidden = true;
    this.stage.setPush(null, new three.Vector3());
  }
}
