// A number to change: an input, and a slider beside it where the range is known.

import { el, throttled } from "./dom";

/** Digits that a field shows, and to which a slider goes. */
const DIGITS = 6;
/** How often a quick field tells while it is dragged [ms]. */
const QUICK_MS = 80;

export interface FieldSpec {
  key: string;
  name: string;
  value: number;
  min: number | null;
  max: number | null;
  unit: string;
  about: string;
  isChanged?: boolean;
  /** What it is called where it cannot be seen; its name unless stated. */
  label?: string;
  /** Tells while it is dragged, not only at the end. */
  isQuick?: boolean;
  onChange: (value: number) => void;
}

export function numberField(spec: FieldSpec): HTMLElement {
  const name = el("span", { class: "fieldname", text: spec.name, title: spec.about || spec.name });
  const input = el("input", { label: `${spec.label ?? spec.name}${spec.unit ? ` in ${spec.unit}` : ""}`, "data-key": spec.key, class: "number" });
  input.type = "number";
  input.step = "any";
  // What does not fit the field is told by pointing at it.
  input.value = String(Number(spec.value.toPrecision(DIGITS)));
  if (Number(input.value) !== spec.value) input.title = String(spec.value);
  if (spec.min !== null) input.min = String(spec.min);
  if (spec.max !== null) input.max = String(spec.max);
  const unit = el("span", { class: "muted unit", text: spec.unit });
  const row = el("div", { class: `field${spec.isChanged ? " changed" : ""}`, title: spec.about }, name, input, unit);
  let given = spec.value;
  const give = (text: string): void => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value === given) return;
    given = value;
    spec.onChange(value);
  };
  input.addEventListener("change", () => give(input.value));
  if (spec.min !== null && spec.max !== null && spec.max > spec.min) {
    const made = slider(spec, spec.min, spec.max, input, give);
    input.addEventListener("change", () => (made.value = input.value));
    row.append(made);
  }
  return row;
}

function slider(spec: FieldSpec, min: number, max: number, input: HTMLInputElement, give: (text: string) => void): HTMLInputElement {
  const made = el("input", { label: `${spec.label ?? spec.name} slider`, "data-key": `${spec.key}-slider` });
  Object.assign(made, { type: "range", min: String(min), max: String(max), step: "any", value: String(spec.value) });
  const soon = throttled(QUICK_MS, () => give(input.value));
  made.addEventListener("input", () => {
    input.value = String(Number(Number(made.value).toPrecision(DIGITS)));
    if (spec.isQuick) soon();
  });
  made.addEventListener("change", () => give(String(Number(Number(made.value).toPrecision(DIGITS)))));
  return made;
}
