// What lies over a view: the axes, a bar of known length, and what the view shows.

import * as three from "three";
import { lengthText, roundLength } from "../stage/ground";
import type { Stage } from "../stage/stage";
import { el, setText } from "./dom";
import { cssColor } from "./theme";

const SIZE = 64;
const AXES: [string, string, three.Vector3][] = [
  ["x", "--axis-x", new three.Vector3(1, 0, 0)],
  ["y", "--axis-y", new three.Vector3(0, 1, 0)],
  ["z", "--axis-z", new three.Vector3(0, 0, 1)],
];

export class Overlay {
  readonly root = el("div", { class: "overlay" });
  private axes = el("canvas", { class: "axes" });
  private bar = el("span", { class: "bar" });
  private length = el("span");
  private grid = el("span", { class: "muted" });
  private legend = el("span", { class: "legend" });
  private arrow = new three.Vector3();
  private turn = new three.Quaternion();

  constructor() {
    this.axes.setAttribute("aria-hidden", "true");
    this.root.append(this.axes, el("div", { class: "scale" }, this.legend, this.length, this.bar, this.grid));
  }

  update(stage: Stage): void {
    const perPixel = stage.metresAPixel;
    const length = roundLength(perPixel * 120);
    this.bar.style.width = `${length / perPixel}px`;
    setText(this.length, lengthText(length));
    setText(this.grid, `grid ${lengthText(stage.gridCell)}`);
    setText(this.legend, stage.legend.join("\n"));
    this.drawAxes(stage);
  }

  private drawAxes(stage: Stage): void {
    const ratio = Math.min(devicePixelRatio, 2);
    this.axes.width = SIZE * ratio;
    this.axes.height = SIZE * ratio;
    const pen = this.axes.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.font = "600 11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 2;
    this.turn.copy(stage.camera.quaternion).invert();
    for (const [name, color, axis] of AXES) {
      this.arrow.copy(axis).applyQuaternion(this.turn);
      const x = SIZE / 2 + this.arrow.x * 20;
      const y = SIZE / 2 - this.arrow.y * 20;
      pen.strokeStyle = pen.fillStyle = cssColor(color);
      pen.beginPath();
      pen.moveTo(SIZE / 2, SIZE / 2);
      pen.lineTo(x, y);
      pen.stroke();
      pen.fillText(name, SIZE / 2 + this.arrow.x * 27, SIZE / 2 - this.arrow.y * 27);
    }
  }
}
