// The page by keyboard alone, in both colour schemes, on a small screen, and for those who see less.

import AxeBuilder from "@axe-core/playwright";
import { expect, open, picture, seek, test, time } from "./viewer";

for (const scheme of ["dark", "light"] as const) {
  test(`texts stand out enough (WCAG AA), ${scheme}`, async ({ page, serve, complaints }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const server = await serve();
    await page.goto(server.address);
    await expect(page.locator(".card").first()).toBeVisible();
    const judge = async (where: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa"]).analyze();
      const told = violations.map((one) => `${where}: ${one.id}: ${one.nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ")}`);
      expect(told).toEqual([]);
    };
    await judge("gallery");
    await picture(page, `gallery-${scheme}`);
    await open(page, `${server.address}#/scene/dominos?t=0.3&sel=domino_2`);
    await expect.poll(() => time(page)).toBeGreaterThan(0.29);
    for (const tab of ["Live", "Body", "Pairs", "Energy", "Events", "Checks"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(300);
      await judge(tab);
    }
    await page.keyboard.press("Escape");
    await picture(page, `page-${scheme}`);
    expect(complaints).toEqual([]);
  });
}

test("everything is reached by the keyboard", async ({ page, serve }) => {
  const server = await serve("dominos");
  await open(page, server.address);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await picture(page, "help");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  // The next key counts even before the focus has left the dialog.
  await page.keyboard.press("?");
  await page.evaluate(() => {
    document.querySelector("dialog")!.close();
    document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  });
  await expect.poll(() => time(page)).toBeGreaterThan(0.05);
  await page.keyboard.press("Space");
  await page.keyboard.press("/");
  await page.keyboard.type("domino");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-role=body-name]")).toContainText("domino");
  await page.locator("canvas.scene").focus();
  await page.keyboard.press("f");
  for (const key of ["t", "v", "c", "n", "w", "g"]) {
    await page.keyboard.press(key);
  }
  await expect(page.locator("[data-option=velocity]")).toHaveAttribute("aria-pressed", "true");
  // From the top of the page every control comes by Tab, and the ring that marks it is seen.
  await page.locator(".brand").focus();
  const seen = new Set<string>();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const at = document.activeElement === document.body ? null : (document.activeElement as HTMLElement | null);
      const style = at && getComputedStyle(at);
      return { name: at?.getAttribute("aria-label") ?? at?.textContent ?? "", ring: style ? style.outlineStyle !== "none" : false };
    });
    if (now.name) seen.add(now.name.split(" (")[0]!.split(";")[0]!.trim());
    expect(now.ring || now.name === "", now.name).toBe(true);
  }
  for (const name of ["play or pause", "speed", "time", "three-dimensional view"]) expect([...seen], name).toContain(name);
});

test("a small laptop screen has room for it", async ({ page, serve }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const server = await serve("coins");
  await open(page, server.address);
  await page.waitForTimeout(500);
  const overflow = await page.evaluate(() => {
    const wide = [...document.querySelectorAll<HTMLElement>(".top, .toolbar, .playbar, .left, .right")];
    return [document.documentElement.scrollWidth > innerWidth, ...wide.map((it) => it.scrollWidth > it.clientWidth + 1)].filter(Boolean).length;
  });
  expect(overflow).toBe(0);
  // Numbers are not cut off.
  await seek(page, 0.2);
  await page.getByRole("tab", { name: "Live" }).click();
  await page.getByRole("tab", { name: "Pairs" }).click();
  await expect(page.locator(".tablebox td.number")).not.toHaveCount(0);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".tablebox td.number, .field input.number")]
      .filter((it) => it.scrollWidth > it.clientWidth)
      .map((it) => (it instanceof HTMLInputElement ? it.value : it.textContent)));
  expect(cut).toEqual([]);
  const { width } = (await page.locator("canvas.scene").boundingBox())!;
  expect(width).toBeGreaterThan(600);
  await picture(page, "laptop");
});
