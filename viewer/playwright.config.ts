import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

// The browser is the system's: nothing is downloaded. Drawing is done by the processor, as on any machine without a
// graphics card.
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export default defineConfig({
  testDir: "tests",
  outputDir: "../target/viewer/results",
  // One page after the other: two drawn by one processor would only wait for each other.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // Nothing is judged by the clock, so nothing is tried twice.
  retries: 0,
  reporter: [["list"], ["json", { outputFile: "../target/viewer/report.json" }]],
  use: {
    viewport: { width: 1366, height: 768 },
    colorScheme: "dark",
    acceptDownloads: true,
    launchOptions: {
      executablePath: process.env.CAROM_CHROMIUM ?? BROWSERS.find((path) => existsSync(path)),
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    },
  },
});
