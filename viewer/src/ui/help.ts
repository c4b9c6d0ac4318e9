// The keyboard shortcuts, shown by "?".

import { button, el } from "./dom";

const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one frame back or on"],
  ["shift ← →   , .", "one event back or on"],
  ["+ −", "faster, slower"],
  ["r", "play backwards"],
  ["o", "loop"],
  ["l", "follow the newest state (live)"],
  ["home", "see everything"],
  ["f", "follow the selected body"],
  ["double click", "follow that body"],
  ["/", "search bodies"],
  ["p", "push the selected body: drag an arrow; with shift at the point touched"],
  ["h", "grab: drag a body or a link by a spring (live)"],
  ["ctrl drag on a body", "grab it, in any mode (live)"],
  ["esc", "leave push or grab mode, stop following, select nothing"],
  ["t v c j s n w g", "trails, velocities, contacts, joints, sensors, near, wireframe, ghost"],
  ["drag · right drag · wheel", "orbit · pan · zoom"],
  ["?", "this list"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = el("dialog", { class: "help", label: "keyboard shortcuts" });
  const list = el("dl");
  for (const [keys, what] of KEYS) list.append(el("dt", { text: keys }), el("dd", { text: what }));
  dialog.append(el("header", {}, el("h2", { text: "Keyboard and mouse" }), button("×", "close", () => dialog.close(), "icon")), list);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
