// A plot over time with a cursor at the time shown. Pressing or dragging in it moves the scene to that time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { button, download, downloadCanvas, el, fileName, short } from "./dom";
import { cssColor, themeChanged } from "./theme";

export interface Line {
  label: string;
  color: string;
  /** Fills down to the line with this number (1 is the first), or to zero. */
  band?: "zero" | number;
  dash?: number[];
}

export interface PlotSpec {
  title: string;
  unit: string;
  lines: Line[];
  height: number;
  onSeek: (time: number) => void;
}

export class Plot {
  readonly root: HTMLElement;
  private plot: uPlot | null = null;
  private data: uPlot.AlignedData = [[]];
  private now = 0;
  private holder = el("div", { class: "plot" });
  /** What goes into the file; the drawn columns may be stacked. */
  private table: { names: string[]; columns: number[][] } = { names: [], columns: [] };

  constructor(
    private readonly spec: PlotSpec,
    private readonly runName: () => string,
  ) {
    const head = el("header", {}, el("h3", { text: spec.title }), el("span", { class: "muted", text: spec.unit }), el("span", { class: "gap" }),
      button("CSV", `save ${spec.title} as CSV`, () => this.saveCsv(), "tiny"),
      button("PNG", `save ${spec.title} as a picture`, () => this.savePng(), "tiny"));
    this.root = el("section", { class: "plotbox", label: `plot: ${spec.title}` }, head, this.holder);
    new ResizeObserver(() => this.resize()).observe(this.holder);
    themeChanged.on(() => this.plot?.redraw());
  }

  setData(time: number[], columns: number[][], table?: { names: string[]; columns: number[][] }): void {
    this.data = [time, ...columns] as uPlot.AlignedData;
    this.table = table ?? { names: this.spec.lines.map((line) => `${line.label} [${this.spec.unit}]`), columns };
    if (this.plot) this.plot.setData(this.data);
    else this.resize();
  }

  setNow(time: number): void {
    if (time === this.now) return;
    this.now = time;
    this.plot?.redraw(false, false);
  }

  saveCsv(): void {
    const times = this.data[0] as number[];
    const rows = [["time [s]", ...this.table.names].map(quoted).join(",")];
    times.forEach((time, i) => rows.push([time, ...this.table.columns.map((column) => column[i] ?? "")].join(",")));
    download(`${fileName(this.runName(), this.spec.title)}.csv`, new Blob([rows.join("\n"), "\n"], { type: "text/csv" }));
  }

  savePng(): void {
    if (!this.plot) return;
    const { canvas } = this.plot.ctx;
    const copy = el("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d")!;
    pen.fillStyle = cssColor("--panel");
    pen.fillRect(0, 0, copy.width, copy.height);
    pen.drawImage(canvas, 0, 0);
    downloadCanvas(`${fileName(this.runName(), this.spec.title)}.png`, copy);
  }

  private resize(): void {
    const width = this.holder.clientWidth;
    if (width < 40 || (this.data[0] as number[]).length === 0) return;
    if (this.plot) this.plot.setSize({ width, height: this.height() });
    else this.make(width);
  }

  // The legend below takes its own room.
  private height(): number {
    return this.spec.height;
  }

  private make(width: number): void {
    const { spec } = this;
    this.plot = new uPlot({
      width,
      height: this.height(),
      legend: { show: spec.lines.length > 1, live: false },
      cursor: { drag: { setScale: false, x: false, y: false }, points: { size: 5 } },
      scales: { x: { time: false } },
      axes: [axis("x"), axis("y")],
      series: [{ label: "t" }, ...spec.lines.map((line) => seriesOf(line))],
      bands: spec.lines.flatMap((line, i) =>
        typeof line.band === "number" ? [{ series: [i + 1, line.band] as [number, number], fill: `${line.color}88` }] : []),
      hooks: { draw: [(plot) => this.drawNow(plot)] },
    }, this.data, this.holder);
    this.listen(this.plot);
  }

  private listen(plot: uPlot): void {
    const go = (event: PointerEvent): void => {
      const time = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x");
      this.spec.onSeek(time);
    };
    plot.over.addEventListener("pointerdown", (event) => {
      plot.over.setPointerCapture(event.pointerId);
      go(event);
    });
    plot.over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
    });
  }

  private drawNow(plot: uPlot): void {
    const x = Math.round(plot.valToPos(this.now, "x", true)) + 0.5;
    const { left, top, width, height } = plot.bbox;
    if (x < left || x > left + width) return;
    const pen = plot.ctx;
    pen.save();
    pen.strokeStyle = cssColor("--accent");
    pen.lineWidth = Math.max(1, Math.round(devicePixelRatio));
    // The last series may have left its dashes.
    pen.setLineDash([]);
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, top + height);
    pen.stroke();
    pen.restore();
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function axis(scale: "x" | "y"): uPlot.Axis {
  const ink = (): string => cssColor("--muted");
  return {
    stroke: ink,
    font: "11px system-ui, sans-serif",
    size: (_plot, values) => (scale === "x" ? 24 : Math.max(52, 14 + 6.6 * Math.max(0, ...(values ?? []).map((value) => value.length)))),
    gap: 3,
    space: scale === "x" ? 60 : 26,
    grid: { stroke: () => cssColor("--line"), width: 1 },
    ticks: { stroke: () => cssColor("--line"), width: 1, size: 4 },
    values: (_plot, values) => values.map((value) => short(value, 6)),
  };
}

function seriesOf(line: Line): uPlot.Series {
  const made: uPlot.Series = { label: line.label, stroke: line.color, width: 1.5, points: { show: false } };
  if (line.dash) made.dash = line.dash;
  if (line.band === "zero") made.fill = `${line.color}88`;
  return made;
}
