import { defineConfig } from "vite";

// The server's content security policy allows files of its own origin only: nothing may be inlined, and paths are
// relative because the page does not know where it is served.
export default defineConfig({
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 1200,
  },
});
