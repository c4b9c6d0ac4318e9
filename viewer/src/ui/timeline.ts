// How much happened when: bars of event counts over the whole run, in a logarithmic measure.

import { getJson } from "../net/api";
import type { Timeline } from "../net/types";
import { bodyQuery } from "../data/player";
import type { Desk } from "./desk";
import { button, el, setPressed } from "./dom";
import { Fetcher } from "./fetcher";
import { cssColor, themeChanged } from "./theme";

const BINS = 400;
const KINDS: [string, string][] = [["collision", "--kind-collision"], ["micro", "--kind-micro"], ["other", "--kind-other"]];

export class TimelineBar {
  readonly root = el("div", { class: "timeline" });
  readonly legend = el("div", { class: "chips", label: "kinds in the timeline" });
  private canvas = el("canvas");
  private data: Timeline | null = null;
  private hidden = new Set<string>();
  private fetcher = new Fetcher(1000);
  private key = "";

  constructor(private readonly desk: Desk) {
    this.root.append(this.canvas);
    for (const [kind, color] of KINDS) {
      const chip = button(kind, `show or hide ${kind} events in the timeline`, () => this.toggle(kind, chip), "chip keyed");
      chip.style.setProperty("--key", `var(${color})`);
      setPressed(chip, true);
      this.legend.append(chip);
    }
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.go(event);
    });
    new ResizeObserver(() => this.draw()).observe(this.root);
    themeChanged.on(() => this.draw());
    desk.runChanged.on(() => {
      this.key = "";
      this.refresh();
    });
  }

  refresh(): void {
    this.draw();
    const { run } = this.desk;
    const bodies = bodyQuery(run, this.desk.player.eventBodies);
    const key = `${run.meta.run} ${run.spanEnd} ${bodies}`;
    if (key === this.key) return;
    this.fetcher.want(async () => {
      this.data = await getJson<Timeline>(`${run.path}/timeline?bins=${BINS}${bodies}`);
      this.key = key;
      this.draw();
    });
  }

  private toggle(kind: string, chip: HTMLElement): void {
    if (!this.hidden.delete(kind)) this.hidden.add(kind);
    setPressed(chip, !this.hidden.has(kind));
    this.draw();
  }

  private go(event: PointerEvent): void {
    const { left, width } = this.canvas.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
    const { start, horizon: end } = this.desk.player;
    this.desk.seek(start + share * (end - start));
  }

  private draw(): void {
    const ratio = Math.min(devicePixelRatio, 2);
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0) return;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (this.data) this.drawBars(pen, this.data, width, height);
    this.drawNow(pen, width, height);
  }

  private drawBars(pen: CanvasRenderingContext2D, data: Timeline, width: number, height: number): void {
    const { start, horizon: end } = this.desk.player;
    const span = Math.max(end - start, 1e-12);
    const shown = KINDS.filter(([kind]) => !this.hidden.has(kind) && data.kinds[kind]);
    const largest = shown.reduce((most, [kind]) => data.kinds[kind]!.reduce((m, n) => Math.max(m, n), most), 1);
    const scale = (height - 3) / Math.log1p(largest);
    for (const [kind, color] of [...shown].reverse()) {
      const counts = data.kinds[kind]!;
      const bin = (data.to_s - data.from_s) / counts.length;
      pen.fillStyle = cssColor(color);
      counts.forEach((count, i) => {
        if (count === 0) return;
        const x = ((data.from_s + i * bin - start) / span) * width;
        const bar = Math.max(2, Math.log1p(count) * scale);
        pen.fillRect(x, height - bar, Math.max(1, (bin / span) * width - 0.25), bar);
      });
    }
  }

  private drawNow(pen: CanvasRenderingContext2D, width: number, height: number): void {
    const { start, horizon: end, time } = this.desk.player;
    const x = ((time - start) / Math.max(end - start, 1e-12)) * width;
    pen.fillStyle = cssColor("--accent");
    pen.fillRect(Math.min(width - 2, Math.max(0, x - 1)), 0, 2, height);
  }
}
