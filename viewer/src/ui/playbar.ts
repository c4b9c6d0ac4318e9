// The bar below the view: play, steps, scrubber, speed and time.

import { FASTEST, SLOWEST } from "../data/player";
import type { Desk } from "./desk";
import { button, el, setPressed, setText, short } from "./dom";
import { TimelineBar } from "./timeline";
import { complain } from "./toast";

const SCRUB_STEPS = 10_000;

export class PlayBar {
  readonly root = el("footer", { class: "playbar" });
  private timeline: TimelineBar;
  private scrub = el("input", { class: "scrub", label: "time" });
  private speed = el("input", { class: "speed", label: "speed" });
  private speedText = el("output", { class: "number" });
  private clock = el("output", { class: "clock number", label: "time shown" });
  private state = el("span", { class: "muted runstate" });
  private play: HTMLButtonElement;
  private reverse: HTMLButtonElement;
  private loop: HTMLButtonElement;
  private live: HTMLButtonElement;

  constructor(private readonly desk: Desk) {
    this.timeline = new TimelineBar(desk);
    this.play = button("▶", "play or pause (space)", () => this.act(() => desk.player.toggle()), "icon main");
    this.reverse = button("⇄", "play backwards (r)", () => this.toggleReverse(), "icon");
    this.loop = button("⟳", "start again at the end (o)", () => this.toggleLoop(), "icon");
    this.live = button("● live", "follow the newest state (l)", () => desk.player.goLive(), "live");
    this.setUpSliders();
    const steps = el("div", { class: "buttons", label: "playback" },
      button("|◀", "previous event (shift ←)", () => this.act(() => desk.player.stepEvent(-1)), "icon"),
      button("‹", "previous frame (←)", () => this.act(() => desk.player.stepFrame(-1)), "icon"),
      this.play,
      button("›", "next frame (→)", () => this.act(() => desk.player.stepFrame(1)), "icon"),
      button("▶|", "next event (shift →)", () => this.act(() => desk.player.stepEvent(1)), "icon"),
      this.reverse, this.loop, this.live);
    steps.setAttribute("role", "group");
    const speed = el("label", { class: "speedbox", title: "speed (+ and −)" }, el("span", { class: "muted", text: "speed" }), this.speed, this.speedText);
    this.root.append(this.timeline.root, this.scrub,
      el("div", { class: "line" }, steps, this.clock, this.state, el("span", { class: "gap" }), this.timeline.legend, speed));
  }

  refresh(): void {
    const { player } = this.desk;
    const { time, start, horizon: end } = player;
    setText(this.play, player.isMoving ? "II" : "▶");
    setPressed(this.play, player.isMoving);
    setPressed(this.reverse, player.isReverse);
    setPressed(this.loop, player.isLooping);
    this.live.hidden = !player.lead.isLive;
    setPressed(this.live, player.isFollowing);
    setText(this.clock, `${time.toFixed(4)} s`);
    if (document.activeElement !== this.scrub || !this.scrub.matches(":active")) {
      this.scrub.value = String(Math.round(((time - start) / Math.max(end - start, 1e-12)) * SCRUB_STEPS));
    }
    this.scrub.setAttribute("aria-valuetext", `${short(time, 6)} s`);
    this.speed.value = String(Math.log10(player.speed));
    setText(this.speedText, `${short(player.speed, 2)}×`);
    setText(this.state, this.stateText());
    this.timeline.refresh();
  }

  toggleReverse(): void {
    this.desk.player.isReverse = !this.desk.player.isReverse;
    this.desk.player.changed.tell();
  }

  toggleLoop(): void {
    this.desk.player.isLooping = !this.desk.player.isLooping;
    this.desk.player.changed.tell();
  }

  private setUpSliders(): void {
    Object.assign(this.scrub, { type: "range", min: "0", max: String(SCRUB_STEPS), step: "1" });
    Object.assign(this.speed, { type: "range", min: String(Math.log10(SLOWEST)), max: String(Math.log10(FASTEST)), step: "0.05" });
    this.scrub.addEventListener("input", () => {
      const { start, horizon: end } = this.desk.player;
      this.desk.seek(start + (Number(this.scrub.value) / SCRUB_STEPS) * (end - start));
    });
    this.speed.addEventListener("input", () => this.desk.player.setSpeed(10 ** Number(this.speed.value)));
    this.speed.addEventListener("dblclick", () => this.desk.player.setSpeed(1));
  }

  private stateText(): string {
    const { player } = this.desk;
    const { lead } = player;
    const span = `of ${short(player.horizon, 6)} s`;
    if (player.isLoading) return `${span} · loading`;
    if (!lead.isLive) return span;
    const { status } = lead;
    if (!player.isFollowing) return `${span} · looking back`;
    if (status?.message) return `${span} · ${status.message}`;
    // Two runs that are led rest for a moment between one leg and the next.
    if (player.isMoving && player.runs.length > 1) return `${span} · in step`;
    if (status?.is_running) return `${span} · ${short(status.rate, 2)} s/s`;
    const hash = status?.hash ? ` · hash ${status.hash.slice(0, 12)}` : "";
    return `${span} · ${status?.end ?? "paused"}${hash}`;
  }

  private act(action: () => Promise<void>): void {
    action().catch(complain);
  }
}
