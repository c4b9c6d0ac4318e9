// A run that goes on in the server: played, changed, pushed, saved, compared, edited, and found again.

import { readFileSync, writeFileSync } from "node:fs";
import { carom, drawn, expect, filled, height, onScreen, open, picture, place, seek, test, time } from "./viewer";

const TOKEN = "0123456789abcdef0123456789abcdef";

interface Opened {
  hash: string;
}

test("an untouched live run has the hash of carom run, and its expectations pass", async ({ page, serve, complaints }) => {
  const server = await serve("two_balls");
  await open(page, server.address);
  const told = JSON.parse(carom("run", "two_balls", "--json")) as Opened;
  await page.getByRole("slider", { name: "speed" }).fill("2");
  await page.keyboard.press("Space");
  await expect(page.locator(".runstate")).toContainText("complete", { timeout: 60_000 });
  await expect(page.locator(".runstate")).toContainText(told.hash.slice(0, 12));
  await page.getByRole("tab", { name: "Checks" }).click();
  await expect(page.locator("[data-verdict=pass]").first()).toBeVisible();
  expect(await page.locator("[data-verdict=fail]").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("sliders, pushes and thrown bodies act, and the saved session runs again to the same hash", async ({ page, serve, folder, complaints }) => {
  const server = await serve("bouncing_ball");
  await open(page, server.address);
  await page.getByRole("tab", { name: "Live" }).click();
  // A parameter begins a new run.
  const fall = page.locator('[data-key="set.height"]');
  await fall.fill("1.5");
  await fall.press("Enter");
  await expect.poll(() => height(page, "lively")).toBeGreaterThan(1.4);
  await drawn(page);
  await page.keyboard.press("Escape");
  await page.locator("canvas.scene").focus();
  await page.keyboard.press("Home");
  await seek(page, 0.2);
  // Gravity acts at once.
  await page.locator('[data-key="gravity"]').fill("2");
  await page.locator('[data-key="gravity"]').press("Enter");
  const restitution = page.locator('[data-key$="-restitution"]').first();
  await restitution.fill("0.3");
  await restitution.press("Enter");
  // An arrow is dragged from a body.
  await page.getByRole("button", { name: "Push" }).click();
  const { x, y } = await onScreen(page, "lively");
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y - 40, { steps: 4 });
  await expect(page.locator(".readout")).toContainText("N·s");
  await page.waitForTimeout(600);
  await picture(page, "push");
  const before = await place(page, "lively");
  await page.mouse.up();
  await page.locator('[data-key="add-kind"]').selectOption("capsule");
  await page.getByRole("button", { name: "throw it from the camera" }).click();
  await expect.poll(() => page.evaluate(() => window.carom.drawn("added 3") !== null || window.carom.drawn("added 4") !== null)).toBe(true);
  await page.getByRole("button", { name: "put it at rest" }).click();
  await seek(page, 0.4);
  const after = await place(page, "lively");
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(0.01);
  await picture(page, "live");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save session" }).click()]);
  await download.saveAs(`${folder}/session.mcap`);
  const again = carom("run", `${folder}/session.mcap`);
  const hash = (await page.locator(".runstate").textContent())!.match(/hash ([0-9a-f]{12})/)![1]!;
  expect(again).toContain(hash);
  expect(complaints).toEqual([]);
});

test("a split view shows two different runs in step", async ({ page, serve, complaints }) => {
  const server = await serve("bouncing_ball");
  await open(page, server.address);
  await page.getByRole("button", { name: /two runs of this scene/ }).click();
  await expect(page.locator("canvas.scene")).toHaveCount(2);
  await page.getByRole("tab", { name: "Live" }).click();
  await page.locator('[data-key="law"]').selectOption("newton");
  await expect(page.locator(".tag").nth(1)).toContainText("newton");
  await page.locator('[data-key="set.e"]').fill("0.4");
  await page.locator('[data-key="set.e"]').press("Enter");
  await expect(page.locator(".tag").nth(1)).toContainText("0.4");
  await drawn(page);
  await seek(page, 0.9);
  await expect.poll(async () => Math.abs((await place(page, "dead", 0))[2] - (await place(page, "dead", 1))[2])).toBeGreaterThan(0.01);
  expect(await filled(page, 1)).toBeGreaterThan(0.005);
  await picture(page, "split");
  expect(complaints).toEqual([]);
});

test("two runs stay in step while they are played", async ({ page, serve }) => {
  const server = await serve("block_drop");
  await open(page, `${server.address}#/scene/block_drop?split=set.e%3D0.6`);
  await expect(page.locator("canvas.scene")).toHaveCount(2);
  await page.keyboard.press("Space");
  for (let i = 0; i < 8; i++) {
    await page.waitForTimeout(150);
    const times = await page.evaluate(() => window.carom.times());
    expect(times[1], String(times)).toBe(times[0]);
  }
  await expect.poll(() => time(page)).toBeGreaterThan(0.2);
  await page.keyboard.press("Space");
  await expect.poll(async () => new Set(await page.evaluate(() => window.carom.times())).size).toBe(1);
});

test("the last of several quick changes wins", async ({ page, serve }) => {
  const server = await serve("bouncing_ball");
  await open(page, server.address);
  await page.getByRole("tab", { name: "Live" }).click();
  for (const value of ["1.2", "1.3", "1.7"]) {
    await page.locator('[data-key="set.height"]').fill(value);
    await page.locator('[data-key="set.height"]').press("Enter");
  }
  await expect.poll(() => height(page, "lively")).toBeCloseTo(1.75, 6);
});

test("single events stop at what is asked for", async ({ page, serve }) => {
  const server = await serve("block_on_ramp");
  await open(page, server.address);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("button", { name: "only events of the kind collision" }).click();
  await page.keyboard.press(".");
  await expect.poll(() => time(page)).toBeGreaterThan(0);
  const listed = await server.json<{ events: { kind: string; time_s: number }[] }>(
    `/api/runs/${await page.evaluate(() => window.carom.run)}/events?from=0&limit=1&kind=collision`,
  );
  expect(await time(page)).toBe(listed.events[0]!.time_s);
});

test("single events and restart", async ({ page, serve }) => {
  const server = await serve("two_balls");
  await open(page, server.address);
  await page.getByRole("tab", { name: "Live" }).click();
  await page.getByRole("button", { name: "go to the next event" }).click();
  await expect.poll(() => time(page)).toBeGreaterThan(0);
  const first = await time(page);
  await page.getByRole("button", { name: "go to the next event" }).click();
  await expect.poll(() => time(page)).toBeGreaterThanOrEqual(first);
  await page.getByRole("button", { name: "open the scene anew" }).click();
  await expect.poll(() => time(page)).toBe(0);
});

test("an edited file is opened anew, and its mistakes are shown at their lines", async ({ page, serve, folder }) => {
  const file = `${folder}/mine.toml`;
  const text = (z: number, more = ""): string => `format = 1
[world]
until = 2
${more}[[body]]
name = "stone"
shape = { kind = "ball", radius = 0.1 }
density = 2000
position = [0, 0, ${z}]
`;
  writeFileSync(file, text(1));
  const server = await serve(file);
  await open(page, server.address);
  expect((await place(page, "stone"))[2]).toBeCloseTo(1, 6);
  writeFileSync(file, text(3));
  await expect.poll(() => height(page, "stone")).toBeCloseTo(3, 6);
  writeFileSync(file, text(3, "enveloppe = 1e-4\n"));
  await expect(page.locator(".problems")).toContainText("mine.toml:4:1");
  await expect(page.locator(".problems")).toContainText("envelope");
  await picture(page, "mistakes");
  writeFileSync(file, text(4));
  await expect(page.locator(".problems")).toHaveCount(0);
  await expect.poll(() => height(page, "stone")).toBeCloseTo(4, 6);
});

test("a file that has mistakes at first is opened when they are mended", async ({ page, serve, folder }) => {
  const file = `${folder}/bad.toml`;
  const text = "format = 1\n[world]\nuntil = 1\n[[body]]\nname = \"a\"\nshape = { kind = \"ball\", radius = 0.1 }\n";
  writeFileSync(file, `${text}densty = 1\n`);
  const server = await serve(file);
  await page.goto(server.address);
  await expect(page.locator(".problems")).toContainText("bad.toml:7:1");
  writeFileSync(file, `${text}density = 1000\n`);
  await drawn(page);
  await expect(page.locator(".problems")).toHaveCount(0);
});

test("the page finds a server that was started anew", async ({ page, serve }) => {
  const first = await serve("two_balls", "--token", TOKEN);
  await open(page, first.address);
  await seek(page, 0.25);
  const before = await place(page, "rubber_upper");
  const port = new URL(first.address).port;
  await first.stop();
  await expect(page.locator(".connection")).toContainText("connection lost");
  await serve("two_balls", "--token", TOKEN, "--port", port);
  await expect(page.locator(".connection")).toBeHidden({ timeout: 30_000 });
  await expect.poll(async () => (await drawn(page), time(page)), { timeout: 30_000 }).toBeCloseTo(0.25, 6);
  expect((await place(page, "rubber_upper"))[2]).toBeCloseTo(before[2], 6);
});

test("ten thousand bodies stay usable", async ({ page, serve, folder }) => {
  const file = `${folder}/many.toml`;
  writeFileSync(file, `format = 1
[world]
until = 4
[record]
rate_hz = 30
[[body]]
name = "grain"
repeat = { kind = "grid", counts = [100, 10, 10], step = [0.3, 0.3, 0.3] }
shape = { kind = "ball", radius = 0.05 }
density = 1000
position = [0, 0, 1]
`);
  const server = await serve(file);
  await open(page, server.address);
  expect(await filled(page)).toBeGreaterThan(0.02);
  await page.keyboard.press("Space");
  const begin = Date.now();
  await expect.poll(() => time(page), { timeout: 60_000 }).toBeGreaterThan(1);
  console.log(`10,000 bodies: 1 s simulated and drawn in ${((Date.now() - begin) / 1000).toFixed(2)} s`);
  await page.keyboard.press("Space");
  await page.getByRole("searchbox", { name: /search/ }).fill("grain_77");
  await expect(page.locator(".bodylist .row").first()).toContainText("77");
  await page.locator(".bodylist .row").first().click();
  await expect(page.locator("[data-role=body-name]")).toContainText("77");
  const clicked = Date.now();
  await seek(page, 0.5);
  console.log(`10,000 bodies: another time is drawn after ${((Date.now() - clicked) / 1000).toFixed(2)} s`);
  await picture(page, "many");
});

test("a slider of time far into a long recording does not load all of it", async ({ page, serve, folder }) => {
  const file = `${folder}/long.toml`;
  writeFileSync(file, `format = 1
[world]
until = 600
gravity = [0, 0, 0]
[[body]]
name = "spinner"
repeat = { kind = "row", count = 20, step = [1, 0, 0] }
shape = { kind = "box", size = [0.2, 0.3, 0.4] }
density = 1000
position = [0, 0, 0]
angular_velocity = [0.3, 2, 0.1]
`);
  carom("run", file, "-q", "-o", `${folder}/long.mcap`);
  const size = readFileSync(`${folder}/long.mcap`).length;
  const server = await serve(`${folder}/long.mcap`);
  let loaded = 0;
  page.on("response", (answer) => void answer.body().then((body) => (loaded += body.length), () => undefined));
  await open(page, server.address);
  await seek(page, 555.5);
  expect(await time(page)).toBeCloseTo(555.5, 6);
  await page.waitForTimeout(500);
  console.log(`recording of ${(size / 1e6).toFixed(1)} MB: ${(loaded / 1e6).toFixed(2)} MB loaded`);
  expect(loaded).toBeLessThan(size / 5);
});
