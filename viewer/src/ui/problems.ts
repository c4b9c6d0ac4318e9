// What is wrong with a scene file: each problem with its place, and the text as a terminal shows it.

import type { Problem } from "../net/types";
import { button, el } from "./dom";

export function problemsPanel(title: string, problems: Problem[], text: string, onClose: (() => void) | null): HTMLElement {
  const panel = el("section", { class: "problems", label: "problems of the scene" });
  panel.setAttribute("role", "alert");
  const head = el("header", {}, el("h2", { text: title }));
  if (onClose) head.append(button("×", "close the problems", onClose));
  panel.append(head);
  const list = el("ol");
  for (const problem of problems) list.append(problemRow(problem));
  if (problems.length > 0) panel.append(list);
  if (text !== "") panel.append(el("pre", { text }));
  return panel;
}

function problemRow(problem: Problem): HTMLElement {
  const row = el("li", { class: problem.severity });
  const where = [problem.file, problem.line, problem.column].filter((part) => part !== null && part !== undefined);
  row.append(el("span", { class: "badge", text: problem.severity }), el("strong", { text: problem.message }));
  if (where.length > 0) row.append(el("code", { class: "where", text: where.join(":") }));
  if (problem.label) row.append(el("p", { text: problem.label }));
  if (problem.hint) row.append(el("p", { class: "hint", text: `hint: ${problem.hint}` }));
  return row;
}
