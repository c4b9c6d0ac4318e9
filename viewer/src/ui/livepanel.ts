// Playing with a live run: its parameters (which start a new run), gravity and materials (which act at once), pushing,
// throwing and putting bodies, and saving the session.

import { withToken } from "../net/api";
import type { Material, Parameter, Setting } from "../net/types";
import type { Desk, Panel } from "./desk";
import { button, el } from "./dom";
import { numberField } from "./field";
import { JointsBox } from "./jointsbox";
import { complain } from "./toast";

const ADDED = ["ball", "box", "cylinder", "capsule"] as const;

/** A body to be added: its diameter, side and length are `size` [m], its density in kg/m³, its speed in m/s. */
export interface NewBody {
  kind: (typeof ADDED)[number];
  size: number;
  density: number;
  speed: number;
}

export interface LiveActions {
  restart(): void;
  push(): void;
  grab(): void;
  throwBody(wish: NewBody): void;
  putBody(wish: NewBody): void;
  /** About how large the scene is [m]. */
  size(): number;
}

export class LivePanel implements Panel {
  readonly root = el("div", { class: "livepanel" });
  private wish: NewBody | null = null;
  private runId = "";
  private joints: JointsBox;

  constructor(
    private readonly desk: Desk,
    private readonly actions: LiveActions,
  ) {
    this.joints = new JointsBox(desk);
    desk.runChanged.on(() => this.build());
  }

  refresh(): void {
    if (this.runId !== this.desk.run.meta.run) this.build();
    this.joints.refresh();
  }

  // Built anew for each run; who was typing goes on typing.
  private build(): void {
    const { run } = this.desk;
    if (!run.isLive) return;
    const isNew = this.runId !== run.meta.run;
    if (!isNew) return;
    this.runId = run.meta.run;
    const focused = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.key : undefined;
    const scroll = this.root.scrollTop;
    this.joints.show(run);
    this.root.replaceChildren(this.actionRow(), this.joints.root, this.parameterBox(), this.gravityBox(), this.materialBox(), this.addBox());
    this.root.scrollTop = scroll;
    if (focused) this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private actionRow(): HTMLElement {
    const { run } = this.desk;
    const save = el("a", { class: "button", text: "Save session", title: "download the run with every action as a recording" });
    save.href = withToken(`${run.path}/recording`);
    save.download = `${run.meta.name}.mcap`;
    save.addEventListener("click", () => (run.isTouched = false));
    return el("div", { class: "actions" },
      button("Restart", "open the scene anew with these settings", () => this.actions.restart()),
      button("Run on", "let it go on beyond its end", () => this.desk.player.runBeyond().catch(complain)),
      button("Single event", "go to the next event", () => this.desk.player.stepEvent(1).catch(complain)),
      button("Push", "push the selected body: drag an arrow (p)", () => this.actions.push()),
      button("Grab", "pull at a body or a link: drag it by a spring (h)", () => this.actions.grab()), save);
  }

  private parameterBox(): HTMLElement {
    const { meta } = this.desk.run;
    const box = el("section", { label: "parameters" }, el("header", { class: "sub" }, el("h3", { text: "Parameters" }),
      el("span", { class: "muted", text: "start a new run" })));
    for (const parameter of meta.parameters) box.append(this.parameterField(parameter));
    if (meta.parameters.length === 0) box.append(el("p", { class: "muted", text: "This scene has none." }));
    if (meta.laws.length > 0) box.append(this.lawField(meta.laws, meta.law));
    return box;
  }

  private parameterField(parameter: Parameter): HTMLElement {
    const { name, value, min, max } = parameter;
    const about = parameter.about ?? "";
    if (typeof value === "number") {
      return numberField({ key: `set.${name}`, name, value, min, max, unit: parameter.unit ?? "", about, isChanged: parameter.is_set,
        onChange: (given) => this.set(name, given) });
    }
    const input = el("input", { label: name, "data-key": `set.${name}` });
    if (typeof value === "boolean") Object.assign(input, { type: "checkbox", checked: value });
    else Object.assign(input, { type: "text", value: String(value) });
    input.addEventListener("change", () => this.set(name, input.type === "checkbox" ? input.checked : input.value));
    return el("div", { class: `field${parameter.is_set ? " changed" : ""}`, title: about }, el("span", { class: "fieldname", text: name }), input);
  }

  private lawField(laws: string[], law: string | null): HTMLElement {
    const select = el("select", { label: "restitution law", "data-key": "law" });
    select.append(new Option("scene’s own", ""), ...laws.map((name) => new Option(name, name)));
    select.value = law ?? "";
    select.addEventListener("change", () => this.desk.setChoice({ ...this.desk.choice(), law: select.value || null }));
    return el("div", { class: "field wide" }, el("span", { class: "fieldname", text: "law" }), select);
  }

  private set(name: string, value: Setting): void {
    const choice = this.desk.choice();
    this.desk.setChoice({ ...choice, set: { ...choice.set, [name]: value } });
  }

  private gravityBox(): HTMLElement {
    const { run } = this.desk;
    const [gx, gy, gz] = run.status?.gravity_m_s2 ?? run.meta.gravity_m_s2;
    const up = run.meta.up;
    const size = -(gx * up[0] + gy * up[1] + gz * up[2]);
    const onChange = (value: number): void => {
      run.act("gravity", { gravity_m_s2: up.map((part) => -value * part) }).catch(complain);
    };
    return el("section", { label: "gravity" }, el("header", { class: "sub" }, el("h3", { text: "Gravity" }), el("span", { class: "muted", text: "at once" })),
      numberField({ key: "gravity", name: "g", value: size, min: -20, max: 20, unit: "m/s²", about: "free fall, against up", onChange: (v) => onChange(v) }));
  }

  private materialBox(): HTMLElement {
    const box = el("section", { label: "materials" }, el("header", { class: "sub" }, el("h3", { text: "Materials" }), el("span", { class: "muted", text: "at once" })));
    for (const material of this.desk.run.meta.materials) {
      box.append(el("h4", { text: material.name }));
      for (const part of ["friction", "restitution"] as const) box.append(this.materialField(material, part));
    }
    return box;
  }

  private addBox(): HTMLElement {
    const radius = this.actions.size();
    this.wish ??= { kind: "ball", size: Number((0.15 * radius).toPrecision(2)), density: 1000, speed: Number((3 * radius).toPrecision(2)) };
    const { wish } = this;
    const kind = el("select", { label: "shape", "data-key": "add-kind" });
    kind.append(...ADDED.map((name) => new Option(name, name)));
    kind.value = wish.kind;
    kind.addEventListener("change", () => (wish.kind = kind.value as NewBody["kind"]));
    const field = (name: "size" | "density" | "speed", unit: string, about: string): HTMLElement =>
      numberField({ key: `add-${name}`, name, value: wish[name], min: null, max: null, unit, about, onChange: (value) => (wish[name] = value) });
    return el("section", { label: "another body" }, el("header", { class: "sub" }, el("h3", { text: "Another body" })),
      el("div", { class: "field wide" }, el("span", { class: "fieldname", text: "shape" }), kind), field("size", "m", "its diameter or side"),
      field("density", "kg/m³", "its density"), field("speed", "m/s", "how fast it is thrown"),
      el("div", { class: "actions" }, button("Throw", "throw it from the camera to where it looks", () => this.actions.throwBody(wish)),
        button("Put", "put it at rest on what lies in the middle of the view", () => this.actions.putBody(wish))));
  }

  private materialField(material: Material, part: "friction" | "restitution"): HTMLElement {
    const { run } = this.desk;
    const onChange = (value: number): void => {
      material[part] = value;
      run.act("material", { material: material.number, friction: null, restitution: null, [part]: value }).catch(complain);
    };
    return numberField({ key: `${material.number}-${part}`, name: part, value: material[part] ?? 0, min: 0, max: part === "friction" ? 1.5 : 1,
      unit: "", about: `${part} of ${material.name}`, onChange });
  }
}
