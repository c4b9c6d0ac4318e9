// What is shown and hidden, one button each.

import type { Options } from "../stage/stage";
import type { Desk } from "./desk";
import { button, el, setPressed } from "./dom";

const SHOWN: [keyof Options, string, string][] = [
  ["trails", "Trails", "where bodies have been (t)"],
  ["velocity", "Velocity", "velocity arrows (v)"],
  ["spin", "Spin", "angular-velocity arrows"],
  ["contacts", "Contacts", "contact points with impulse arrows (c)"],
  ["cones", "Cones", "friction cones at the contacts"],
  ["flashes", "Flashes", "a short glow where bodies collide"],
  ["joints", "Joints", "axes of joints, their stops and where they are (j)"],
  ["sensors", "Sensors", "where sensors are mounted and how they look (s)"],
  ["near", "Near", "closest-feature lines and swept boxes, of live runs at their front (n)"],
  ["wireframe", "Wire", "wireframe (w)"],
  ["ghost", "Ghost", "see through all bodies (g)"],
  ["grid", "Grid", "ground grid"],
  ["shadows", "Shadows", "shadows"],
];

export const DEFAULT_OPTIONS: Options = {
  trails: false, velocity: false, spin: false, contacts: false, cones: false, flashes: true, joints: true, sensors: true, near: false,
  wireframe: false, ghost: false, grid: true, shadows: true,
};

export function toolbar(desk: Desk): HTMLElement {
  const bar = el("div", { class: "toolbar", label: "what is shown" });
  bar.setAttribute("role", "toolbar");
  const chips = SHOWN.map(([name, text, title]) => {
    const chip = button(text, title, () => desk.setOption(name, !desk.options[name]), "chip");
    chip.dataset.option = name;
    bar.append(chip);
    return { name, chip };
  });
  const update = (): void => {
    for (const { name, chip } of chips) {
      setPressed(chip, desk.options[name]);
      if (name === "near") chip.hidden = !desk.run.isLive;
      if (name === "sensors") chip.hidden = desk.run.meta.gauges.length === 0;
      if (name === "joints") chip.hidden = desk.run.joints.length === 0;
    }
  };
  desk.optionsChanged.on(update);
  desk.runChanged.on(update);
  update();
  return bar;
}
