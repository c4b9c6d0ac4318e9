// A hand that pulls at a body by a spring: taken hold of by a press, moved with the mouse in a plane parallel to the screen,
// let go by the release. Each move is an action that a saved session carries, so there are not too many of them.

import * as three from "three";
import type { Run } from "../data/run";
import type { Vec3 } from "../net/types";
import type { Stage } from "../stage/stage";
import { short } from "./dom";
import { complain } from "./toast";

/** The shortest time between two moves [ms]; the server takes 60 a second. */
const MOVE_MS = 40;

/** Does something to the body with this number, in every run that is shown. */
export type HandAction = (action: "grab" | "move" | "let_go", body: number, values: Record<string, unknown>) => Promise<void>;

interface Held {
  number: number;
  index: number;
  plane: three.Plane;
  to: three.Vector3;
  /** What the server has not been told yet. */
  isMoved: boolean;
  isLetGo: boolean;
}

export class HandTool {
  private held: Held | null = null;

  constructor(
    private readonly run: Run,
    private readonly stage: Stage,
    private readonly act: HandAction,
  ) {}

  get isHolding(): boolean {
    return this.held !== null;
  }

  /** Takes hold of what is under the mouse; false if nothing is. */
  begin(event: PointerEvent): boolean {
    const hit = this.stage.pick(event.clientX, event.clientY);
    const body = hit && this.run.bodies[hit.index];
    if (!body) return false;
    const facing = this.stage.camera.getWorldDirection(new three.Vector3());
    const plane = new three.Plane().setFromNormalAndCoplanarPoint(facing, hit.point);
    const centre = this.stage.placeOf(hit.index, new three.Vector3());
    const point = hit.point.clone().sub(centre).applyQuaternion(this.stage.turnOf(hit.index).invert());
    const held = { number: body.number, index: hit.index, plane, to: hit.point.clone(), isMoved: false, isLetGo: false };
    this.held = held;
    const inFrame = point.toArray().map((part, i) => part + body.reference_m[i]!) as Vec3;
    this.act("grab", body.number, { point_m: inFrame, to_m: held.to.toArray() }).then(
      () => void this.pump(held),
      (error: unknown) => {
        complain(error);
        if (this.held === held) this.held = null;
      },
    );
    return true;
  }

  move(event: PointerEvent): void {
    if (!this.held) return;
    this.stage.ray(event.clientX, event.clientY).ray.intersectPlane(this.held.plane, this.held.to);
    this.held.isMoved = true;
  }

  end(): void {
    if (this.held) this.held.isLetGo = true;
    this.held = null;
  }

  /** How hard it pulls; empty while nothing is held. */
  text(): string {
    const { held, run } = this;
    const hand = run.status?.hands.find((hand) => hand.body === held?.number);
    if (!held || !hand) return "";
    const name = run.nameOf(held.number);
    return `${name}   ${short(this.stage.pullOf(held.index, hand), 3)} N${run.isRunning ? "" : "   paused"}`;
  }

  // One message at a time, the latest place wins, and the last of all is to let go.
  private async pump(held: Held): Promise<void> {
    try {
      while (!held.isLetGo) {
        if (held.isMoved) {
          held.isMoved = false;
          await this.act("move", held.number, { to_m: held.to.toArray() });
        }
        await new Promise((resolve) => window.setTimeout(resolve, MOVE_MS));
      }
      if (held.isMoved) await this.act("move", held.number, { to_m: held.to.toArray() });
      await this.act("let_go", held.number, {});
    } catch (error) {
      complain(error);
      if (this.held === held) this.held = null;
    }
  }
}
