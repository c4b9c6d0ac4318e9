// Where bodies have been, from the run's own series, up to the time that is shown.

import * as three from "three";
import { getJson } from "../net/api";
import type { Columns } from "../net/types";
import { ROW } from "../data/blocks";
import type { Run } from "../data/run";
import { Segments } from "./segments";

export const MOST_TRAILS = 50;
const POINTS = 800;
const AT_ONCE = 4;
/** The trail of a run that goes on is fetched anew when it is this much behind. */
const REFRESH_MS = 700;

interface Trail {
  series: Columns;
  askedAt: number;
  until: number;
}

export class Trails {
  readonly root = new three.Group();
  private lines: Segments;
  private trails = new Map<number, Trail>();
  private asking = new Set<number>();

  constructor(
    private readonly run: Run,
    private readonly onArrival: () => void,
  ) {
    this.lines = new Segments(this.root, 0x4dabf7, 0.85);
  }

  /** Draws the trails of these bodies (their numbers) up to a time. */
  update(numbers: number[], time: number): void {
    this.lines.clear();
    for (const number of numbers) {
      this.need(number, time);
      const trail = this.trails.get(number);
      if (trail) this.draw(number, trail.series, time);
    }
    this.lines.show();
  }

  private draw(number: number, series: Columns, time: number): void {
    const { time_s: t, x_m: x, y_m: y, z_m: z } = series;
    if (!t || !x || !y || !z) return;
    let i = 1;
    for (; i < t.length && t[i]! <= time; i++) this.lines.add(x[i - 1]!, y[i - 1]!, z[i - 1]!, x[i]!, y[i]!, z[i]!);
    const index = this.run.pose.index(number);
    const rows = this.run.pose.rows;
    if (index < 0 || i < 1 || t.length === 0 || t[0]! > time) return;
    this.lines.add(x[i - 1]!, y[i - 1]!, z[i - 1]!, rows[index * ROW]!, rows[index * ROW + 1]!, rows[index * ROW + 2]!);
  }

  private need(number: number, time: number): void {
    const trail = this.trails.get(number);
    if (this.asking.has(number) || this.asking.size >= AT_ONCE) return;
    if (trail && (trail.until >= time || performance.now() - trail.askedAt < REFRESH_MS)) return;
    this.asking.add(number);
    const until = this.run.spanEnd;
    getJson<Columns>(`${this.run.path}/series?body=${number}&points=${POINTS}`)
      .then((series) => this.trails.set(number, { series, askedAt: performance.now(), until }))
      .catch(() => this.trails.set(number, { series: {}, askedAt: performance.now() + 2000, until: -1 }))
      .finally(() => {
        this.asking.delete(number);
        this.onArrival();
      });
  }
}
