// What tests of the page hold on to: `window.carom`.

import { Vector3 } from "three";
import { ROW } from "./data/blocks";
import type { Workspace } from "./ui/workspace";

interface Shown {
  readonly space: Workspace | null;
  readonly status: string;
}

export interface TestHandle {
  readonly ready: boolean;
  readonly time: number;
  readonly run: string | null;
  readonly isLive: boolean;
  readonly status: string;
  drawn(name: string, view?: number): { position: number[]; orientation: number[] } | null;
  /** Where a body is in the window [px]; null if the view does not show it. */
  onScreen(name: string, view?: number): { x: number; y: number } | null;
  /** The times that the views show [s]. */
  times(): number[];
  /** Share of the bodies that move which lie within the view. */
  inFrame(): number;
  /** Where a contact that is drawn is in the window [px]. */
  contactOnScreen(): { x: number; y: number } | null;
  /** How many joints are drawn. */
  joints(): number;
  select(name: string): void;
  seek(time: number): Promise<void>;
  stepEvent(count: number): Promise<void>;
}

declare global {
  interface Window {
    carom: TestHandle;
  }
}

export function offerTestHandle(app: Shown): void {
  window.carom = {
    get ready() {
      return app.space?.isReady ?? false;
    },
    get time() {
      return app.space?.isReady ? app.space.player.time : 0;
    },
    get run() {
      return app.space?.isReady ? app.space.run.meta.run : null;
    },
    get isLive() {
      return app.space?.isReady ? app.space.player.isFollowing : false;
    },
    get status() {
      return app.status;
    },
    drawn(name, view = 0) {
      const run = app.space?.panes[view]?.run;
      const body = run?.named(name);
      const index = run && body ? run.pose.index(body.number) : -1;
      if (!run || index < 0 || !run.pose.present[index]) return null;
      const row = [...run.pose.rows.subarray(index * ROW, index * ROW + 7)];
      return { position: row.slice(0, 3), orientation: row.slice(3) };
    },
    onScreen(name, view = 0) {
      const pane = app.space?.panes[view];
      const body = pane?.run.named(name);
      return pane && body ? pane.stage.onScreen(pane.stage.placeOf(pane.run.bodies.indexOf(body), new Vector3())) : null;
    },
    times() {
      return app.space?.panes.map((pane) => pane.run.pose.time) ?? [];
    },
    inFrame() {
      const pane = app.space?.panes[0];
      if (!pane) return 0;
      const { run, stage } = pane;
      const moving = run.bodies.map((_body, index) => index).filter((index) => run.pose.present[index] && run.bodies[index]!.role !== "fixed");
      const inside = moving.filter((index) => stage.onScreen(stage.placeOf(index, new Vector3())) !== null);
      return moving.length === 0 ? 1 : inside.length / moving.length;
    },
    contactOnScreen() {
      const stage = app.space?.panes[0]?.stage;
      const places = stage?.shownContacts.map((contact) => stage.onScreen(new Vector3(...contact.point_m)));
      return places?.find((place) => place !== null) ?? null;
    },
    joints() {
      return app.space?.panes[0]?.stage.joints.count ?? 0;
    },
    select(name) {
      app.space?.select(app.space.run.named(name)?.number ?? null);
    },
    async seek(time) {
      await app.space?.player.seek(time);
      await app.space?.drawn();
    },
    async stepEvent(count) {
      for (let i = 0; i < Math.abs(count); i++) await app.space?.player.stepEvent(count > 0 ? 1 : -1);
      await app.space?.drawn();
    },
  };
}
