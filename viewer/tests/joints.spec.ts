// Joints and hands: drawn, driven by sliders, pulled by a spring, saved, and run again.

import { writeFileSync } from "node:fs";
import { carom, expect, onScreen, open, picture, place, seek, test, time } from "./viewer";

/** An arm of two links with stops, a slide with a spring, a free ball, and a floor. */
const ARM = `format = 1
title = "Arm"
[world]
until = 60
[[body]]
name = "floor"
shape = { kind = "half_space", normal = [0, 0, 1] }
motion = { kind = "fixed" }
[[body]]
name = "upper"
shape = { kind = "capsule", radius = 0.04, length = 0.5 }
mass = 1
position = [0.25, 0, 1]
axis = [0, 1, 0]
angle_deg = 90
[[body]]
name = "lower"
shape = { kind = "box", size = [0.4, 0.06, 0.06] }
mass = 0.5
position = [0.7, 0, 1]
[[body]]
name = "lift"
shape = { kind = "box", size = [0.2, 0.2, 0.1] }
mass = 1
position = [0, 0.6, 0.5]
[[body]]
name = "ball"
shape = { kind = "ball", radius = 0.12 }
mass = 0.4
position = [0.5, -0.5, 0.12]
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["world", "upper"]
at = [0, 0, 1]
axis = [0, 1, 0]
limits = [-2, 1]
effort = 20
damping = 1
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = [0.5, 0, 1]
axis = [0, 1, 0]
limits = [-2, 2]
damping = 0.2
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["world", "lift"]
at = [0, 0.6, 0.5]
axis = [0, 0, 1]
limits = [-0.3, 0.4]
stiffness = 80
rest = 0.15
damping = 4
[[gauge]]
name = "eye"
kind = "range"
body = "lower"
position = [0.2, 0, 0]
reach = 0.4
`;

/** The same with a controller that holds the elbow. */
const HELD = `${ARM}[[controller]]
name = "hold"
kind = "pd"
joints = ["elbow"]
kp = 60
kv = 6
target = 0
rate_hz = 500
`;

interface States {
  rows: { joint: number; position: number; force: number; target: number | null }[];
}

interface Named {
  number: number;
  name: string;
}

test("joints are drawn and listed, and a slider drives one as the server says", async ({ page, serve, folder, complaints }) => {
  const file = `${folder}/arm.toml`;
  writeFileSync(file, ARM);
  const server = await serve(file);
  await open(page, server.address);
  const run = await page.evaluate(() => window.carom.run);
  const canvas = page.locator("canvas.scene");
  const shown = await canvas.screenshot();
  expect(await page.evaluate(() => window.carom.joints())).toBe(3);
  await page.keyboard.press("j");
  await expect(page.locator("[data-option=joints]")).toHaveAttribute("aria-pressed", "false");
  await expect.poll(async () => (await canvas.screenshot()).equals(shown)).toBe(false);
  expect(await page.evaluate(() => window.carom.joints())).toBe(0);
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate(() => window.carom.joints())).toBe(3);
  await page.keyboard.press("s");
  await expect.poll(async () => (await canvas.screenshot()).equals(shown)).toBe(false);
  await page.keyboard.press("s");

  // The slider of the shoulder lifts the arm against its weight; keys move it as well as the mouse.
  await page.getByRole("tab", { name: "Live" }).click();
  const slider = page.getByRole("slider", { name: "shoulder motor slider" });
  await slider.focus();
  await page.keyboard.press("Home");
  const joints = await server.json<Named[]>(`/api/runs/${run}/joints`);
  const shoulder = joints.find((joint) => joint.name === "shoulder")!.number;
  const state = async (): Promise<States["rows"][number]> =>
    (await server.json<States>(`/api/runs/${run}/joint_states`)).rows.find((row) => row.joint === shoulder)!;
  await expect.poll(async () => (await state()).force).toBe(-20);
  await seek(page, 0.4);
  const told = await state();
  expect(told.position).toBeLessThan(-0.2);
  await page.evaluate(() => window.carom.select("upper"));
  const listed = page.locator('output[data-joint="shoulder-0"][data-quantity=position]');
  await expect.poll(async () => Number((await listed.textContent())!.replace("−", "-"))).toBeCloseTo(told.position, 6);
  await expect(page.locator(".jointhead")).toHaveCount(2);
  await expect(page.getByLabel("plot: shoulder: coordinate")).toBeVisible();
  await picture(page, "joints");
  expect(complaints).toEqual([]);
});

test("a slider moves what a controller aims at, and its switch leaves the motor to the slider", async ({ page, serve, folder, complaints }) => {
  const file = `${folder}/held.toml`;
  writeFileSync(file, HELD);
  const server = await serve(file);
  await open(page, server.address);
  const run = await page.evaluate(() => window.carom.run);
  const joints = await server.json<Named[]>(`/api/runs/${run}/joints`);
  const elbow = joints.find((joint) => joint.name === "elbow")!.number;
  const state = async (): Promise<States["rows"][number]> =>
    (await server.json<States>(`/api/runs/${run}/joint_states`)).rows.find((row) => row.joint === elbow)!;
  await page.getByRole("tab", { name: "Live" }).click();
  // To the lower stop, where the arm follows.
  const target = page.getByRole("slider", { name: "elbow target slider" });
  await target.focus();
  await page.keyboard.press("Home");
  await expect.poll(async () => (await state()).target).toBe(-2);
  await seek(page, 1);
  expect((await state()).position).toBeLessThan(-1.5);
  // Without its controller the joint has a motor, which the slider drives.
  const controller = page.getByRole("checkbox", { name: "controller of elbow" });
  await expect(controller).toBeChecked();
  await controller.uncheck();
  await expect(target).toHaveCount(0);
  const motor = page.getByRole("slider", { name: "elbow motor slider" });
  await expect(motor).toBeVisible();
  await seek(page, 2);
  expect((await state()).target).toBeNull();
  // And with it again the arm is back where the controller aims.
  await controller.check();
  await expect(page.getByRole("slider", { name: "elbow target slider" })).toBeVisible();
  await seek(page, 3.5);
  const held = await state();
  expect(held.target).toBe(-2);
  expect(held.position).toBeLessThan(-1.5);
  expect(complaints).toEqual([]);
});

test("a hand pulls a link and a free body, and the saved session runs again to the same hash", async ({ page, serve, folder, complaints }) => {
  const file = `${folder}/arm.toml`;
  writeFileSync(file, ARM);
  const server = await serve(file);
  await open(page, server.address);
  await page.keyboard.press("h");
  // A link in grab mode, taken before time goes on: it falls, and would be gone from under the mouse on a slow machine.
  const before = await place(page, "lower");
  const link = await onScreen(page, "lower");
  await page.mouse.move(link.x, link.y);
  await page.mouse.down();
  await page.mouse.move(link.x - 30, link.y - 120, { steps: 6 });
  await page.keyboard.press("Space");
  await expect(page.locator(".readout")).toContainText(/lower {3}\S+ N/);
  await expect.poll(async () => (await place(page, "lower"))[2]).toBeGreaterThan(before[2] + 0.02);
  await picture(page, "grab");
  await page.mouse.up();
  await expect(page.locator(".readout")).toBeHidden();
  await page.keyboard.press("Escape");
  // A free body, with ctrl, in no mode at all; the camera stays where it is.
  const camera = await page.evaluate(() => location.hash);
  const ball = await onScreen(page, "ball");
  await page.mouse.move(ball.x, ball.y);
  await page.keyboard.down("Control");
  await page.mouse.down();
  await page.mouse.move(ball.x + 20, ball.y - 90, { steps: 6 });
  await expect.poll(async () => (await place(page, "ball"))[2]).toBeGreaterThan(0.2);
  await page.mouse.up();
  // The floor does not give way.
  await page.mouse.move(ball.x + 150, ball.y + 40);
  await page.mouse.down();
  await page.mouse.up();
  await page.keyboard.up("Control");
  expect(/cam=[^&]*/.exec(await page.evaluate(() => location.hash))?.[0]).toBe(/cam=[^&]*/.exec(camera)?.[0]);
  await page.keyboard.press("Space");
  await expect(page.locator(".runstate")).toContainText("hash");
  const stood = await time(page);
  await page.getByRole("tab", { name: "Live" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save session" }).click()]);
  await download.saveAs(`${folder}/session.mcap`);
  const hash = (await page.locator(".runstate").textContent())!.match(/hash ([0-9a-f]{12})/)![1]!;
  expect(carom("run", `${folder}/session.mcap`)).toContain(hash);
  expect(stood).toBeGreaterThan(0.2);
  expect(complaints).toEqual([]);
});
