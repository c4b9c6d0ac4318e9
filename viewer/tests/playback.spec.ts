// A recording: played, scrubbed and stepped through, it shows what it says.

import { readFileSync } from "node:fs";
import { carom, expect, open, picture, place, seek, test, time } from "./viewer";

/** Rows of a table as written by the command. */
function rows(path: string): Record<string, string>[] {
  const [head = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i]!, value])));
}

const close = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance;

test("play, scrub, frames, events, reverse and loop show what the recording says", async ({ page, serve, folder, complaints }) => {
  carom("run", "bouncing_ball", "-q", "-o", `${folder}/ball.mcap`);
  carom("run", "bouncing_ball", "-q", "-o", `${folder}/ball.csv`);
  const table = rows(`${folder}/ball.csv`).filter((row) => row.body === "lively");
  const server = await serve(`${folder}/ball.mcap`);
  await open(page, server.address);
  const at = (n: number): { t: number; z: number } => ({ t: Number(table[n]!.time_s), z: Number(table[n]!.z_m) });
  // Drawn in single precision.
  for (const n of [0, 7, 40, 100]) {
    await seek(page, at(n).t);
    expect(close((await place(page, "lively"))[2], at(n).z, 1e-6), `sample ${n}`).toBe(true);
  }
  // Between samples: the fall is a parabola, and at the first bounce the ball touches the floor.
  await seek(page, 0);
  const [, , height] = await place(page, "lively");
  const g = 9.81;
  const radius = height - 1;
  await seek(page, 0.1234567);
  expect(close((await place(page, "lively"))[2], height - (g / 2) * 0.1234567 ** 2, 1e-6)).toBe(true);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("button", { name: "only events of the kind collision" }).click();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => time(page)).toBeGreaterThan(0.2);
  expect(close(await time(page), Math.sqrt(2 / g), 1e-6), `first bounce at ${await time(page)}`).toBe(true);
  await expect.poll(async () => close((await place(page, "lively"))[2], radius, 1e-5), "it touches").toBe(true);
  await picture(page, "events");
  const bounce = await time(page);
  await page.keyboard.press(".");
  await expect.poll(() => time(page)).toBeGreaterThan(bounce);
  await page.keyboard.press(",");
  await expect.poll(() => time(page)).toBe(bounce);
  // Frames are samples.
  await seek(page, at(30).t);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => time(page)).toBe(at(31).t);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => time(page)).toBe(at(30).t);
  // The slider of time.
  await page.getByRole("slider", { name: "time", exact: true }).fill("5000");
  const end = Number(table.at(-1)!.time_s);
  await expect.poll(async () => close(await time(page), end / 2, 1e-3 * end)).toBe(true);
  // Playing on and back, at the fastest, and around.
  const middle = await time(page);
  await page.keyboard.press("Space");
  await expect.poll(() => time(page)).toBeGreaterThan(middle);
  await page.keyboard.press("Space");
  await page.keyboard.press("r");
  const late = await time(page);
  await page.keyboard.press("Space");
  await expect.poll(() => time(page)).toBeLessThan(late);
  await page.keyboard.press("Space");
  await page.keyboard.press("r");
  await page.getByRole("slider", { name: "speed" }).fill("2");
  await expect(page.locator(".speedbox output")).toHaveText("100×");
  await page.getByRole("slider", { name: "speed" }).fill("-2");
  await expect(page.locator(".speedbox output")).toHaveText("0.01×");
  await page.getByRole("slider", { name: "speed" }).fill("1");
  await seek(page, end - 0.1);
  await page.keyboard.press("o");
  await page.keyboard.press("Space");
  await expect.poll(() => time(page)).toBeLessThan(end - 0.5);
  await page.keyboard.press("Space");
  expect(complaints).toEqual([]);
});

test("slow motion goes through the bounce without a dip into the floor", async ({ page, serve, folder }) => {
  carom("run", "bouncing_ball", "-q", "-o", `${folder}/ball.mcap`);
  const server = await serve(`${folder}/ball.mcap`);
  await open(page, server.address);
  const floor = (await place(page, "lively"))[2] - 1;
  await page.getByRole("slider", { name: "speed" }).fill("-2");
  await seek(page, Math.sqrt(2 / 9.81) - 0.004);
  await page.keyboard.press("Space");
  let lowest = Infinity;
  await expect
    .poll(async () => {
      lowest = Math.min(lowest, (await place(page, "lively"))[2]);
      return time(page);
    }, { intervals: [20] })
    .toBeGreaterThan(Math.sqrt(2 / 9.81) + 0.004);
  expect(lowest).toBeGreaterThan(floor - 1e-4);
});

test("a picked body shows the numbers of the recording, to the last digit", async ({ page, serve, folder, complaints }) => {
  carom("run", "pool_break", "-q", "-o", `${folder}/break.mcap`);
  carom("export", `${folder}/break.mcap`, "-o", `${folder}/break.csv`);
  const table = rows(`${folder}/break.csv`);
  const server = await serve(`${folder}/break.mcap`);
  await open(page, server.address);
  const row = table.find((row) => row.body === "cue_1" && Number(row.time_s) > 0.1)!;
  await seek(page, Number(row.time_s));
  const { x, y } = await page.evaluate((name) => window.carom.onScreen(name)!, row.body!);
  await page.mouse.click(x, y);
  await expect(page.locator("[data-role=body-name]")).toHaveText(row.body!);
  const cell = (quantity: string, axis: number) => page.locator(`output[data-quantity=${quantity}][data-axis="${axis}"]`);
  for (const [quantity, columns] of [["position_m", ["x_m", "y_m", "z_m"]], ["velocity_m_s", ["vx_m_s", "vy_m_s", "vz_m_s"]]] as const) {
    for (const [axis, column] of columns.entries()) {
      await expect(cell(quantity, axis)).not.toBeEmpty();
      await expect.poll(async () => Number(await cell(quantity, axis).textContent())).toBe(Number(row[column]));
    }
  }
  await page.waitForTimeout(500);
  await picture(page, "body");
  for (const tab of ["Pairs", "Energy", "Checks"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.waitForTimeout(400);
    if (tab === "Checks") {
      // As the recording has them: numbers, and bounds with one end or two.
      const told = JSON.parse(carom("run", "pool_break", "--json")) as { expectations: unknown[] };
      await expect(page.locator("[data-verdict=pass]")).toHaveCount(told.expectations.length);
      await expect(page.locator(".checks")).toContainText("expected at least 0.5");
    }
    await picture(page, tab.toLowerCase());
  }
  const [download] = await Promise.all([page.waitForEvent("download"), (async () => {
    await page.getByRole("tab", { name: "Pairs" }).click();
    await page.getByRole("button", { name: "save the pairs as CSV" }).click();
  })()]);
  expect(readFileSync(await download.path(), "utf8")).toContain("normal_impulse_N_s");
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "save the view as a picture" }).click()]);
  expect(readFileSync(await png.path()).subarray(1, 4).toString()).toBe("PNG");
  expect(complaints).toEqual([]);
});

test("a clicked contact tells its impulse, and its pair the force over time", async ({ page, serve }) => {
  const server = await serve("dominos");
  await open(page, `${server.address}#/scene/dominos?t=0.4`);
  await expect.poll(() => time(page)).toBeGreaterThan(0.39);
  await page.keyboard.press("Home");
  await page.locator("[data-option=contacts]").click();
  await expect.poll(() => page.evaluate(() => window.carom.contactOnScreen())).not.toBeNull();
  const { x, y } = (await page.evaluate(() => window.carom.contactOnScreen()))!;
  await page.mouse.click(x, y);
  await expect(page.getByRole("region", { name: "contact" })).toContainText("along the normal");
  await page.waitForTimeout(1000);
  await picture(page, "contact");
});

test("a link leads to scene, time, camera and selection", async ({ page, serve, context }) => {
  const server = await serve();
  await open(page, `${server.address}#/scene/two_balls?t=0.31&cam=2,-3,1,0,0,0.3&sel=rubber_upper`);
  await expect.poll(() => time(page)).toBeCloseTo(0.31, 6);
  const name = await page.locator("[data-role=body-name]").textContent();
  await expect.poll(() => page.url()).toContain("t=0.31");
  const again = await context.newPage();
  await open(again, `${server.address}${new URL(page.url()).hash}`);
  await expect.poll(() => time(again)).toBeCloseTo(0.31, 6);
  await expect(again.locator("[data-role=body-name]")).toHaveText(name!);
  expect(new URL(again.url()).hash).toContain("cam=2,-3,1");
});

test("an address that is written while the page writes its own is opened", async ({ page, serve }) => {
  const server = await serve();
  await open(page, `${server.address}#/scene/two_balls`);
  await page.waitForTimeout(1000);
  // The camera moves after the address was changed and before the browser has told of that.
  await page.evaluate(() => {
    location.hash = "#/scene/cradle";
    document.querySelector("canvas.scene")!.dispatchEvent(new WheelEvent("wheel", { deltaY: 200, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole("heading", { name: "Cradle" })).toBeVisible();
});
