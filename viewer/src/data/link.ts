// Deep links: `#/scene/NAME?t=…&cam=…&sel=…&set.e=0.5&law=newton&split=…` and `#/recording?…`.

import type { Setting, Vec3 } from "../net/types";

export interface Choice {
  set: Record<string, Setting>;
  law: string | null;
  seed: number | null;
}

export interface Link extends Choice {
  page: "gallery" | "scene" | "recording";
  name: string;
  time: number | null;
  camera: { eye: Vec3; target: Vec3 } | null;
  selected: string | null;
  /** What the second run of a split view has of its own. */
  split: Choice | null;
}

function setting(text: string): Setting {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}

function readChoice(query: URLSearchParams): Choice {
  const set: Record<string, Setting> = {};
  for (const [key, value] of query) if (key.startsWith("set.")) set[key.slice(4)] = setting(value);
  const seed = query.get("seed");
  return { set, law: query.get("law"), seed: seed === null ? null : Number(seed) };
}

function writeChoice(choice: Choice, query: URLSearchParams): void {
  for (const [name, value] of Object.entries(choice.set)) query.set(`set.${name}`, String(value));
  if (choice.law !== null) query.set("law", choice.law);
  if (choice.seed !== null) query.set("seed", String(choice.seed));
}

function readCamera(text: string | null): Link["camera"] {
  const numbers = (text ?? "").split(",").map(Number);
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return null;
  return { eye: numbers.slice(0, 3) as Vec3, target: numbers.slice(3) as Vec3 };
}

function readTime(text: string | null): number | null {
  const time = Number(text);
  return text === null || text === "" || !Number.isFinite(time) ? null : time;
}

export function readLink(hash: string): Link {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const values = new URLSearchParams(query);
  const [, page, name = ""] = path.split("/");
  const split = values.get("split");
  return {
    page: page === "scene" || page === "recording" ? page : "gallery",
    name: safeDecode(name),
    time: readTime(values.get("t")),
    camera: readCamera(values.get("cam")),
    selected: values.get("sel"),
    split: split === null ? null : readChoice(new URLSearchParams(split)),
    ...readChoice(values),
  };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Six digits: a link is for people, and a camera needs no more. */
function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

export function writeLink(link: Link): string {
  if (link.page === "gallery") return "#/";
  const query = new URLSearchParams();
  // The time keeps all its digits: an event is only found again at exactly its time.
  if (link.time !== null) query.set("t", String(link.time));
  if (link.camera) query.set("cam", [...link.camera.eye, ...link.camera.target].map(short).join(","));
  if (link.selected !== null) query.set("sel", link.selected);
  writeChoice(link, query);
  if (link.split) {
    const own = new URLSearchParams();
    writeChoice(link.split, own);
    query.set("split", own.toString());
  }
  const path = link.page === "scene" ? `#/scene/${encodeURIComponent(link.name)}` : "#/recording";
  const text = query.toString().replaceAll("%2C", ",");
  return text === "" ? path : `${path}?${text}`;
}
