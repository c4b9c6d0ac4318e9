// How much the machine can draw. Without a graphics card everything is drawn by the processor, which the rest of the
// page needs too: then edges stay rough, shadows coarse, and pictures come less often.

export interface Quality {
  antialias: boolean;
  shadowSize: number;
  pixelRatio: number;
  /** Shortest time between two pictures [ms]. */
  pause: number;
}

const FULL: Quality = { antialias: true, shadowSize: 2048, pixelRatio: 2, pause: 0 };
const PLAIN: Quality = { antialias: false, shadowSize: 1024, pixelRatio: 1, pause: 60 };

let found: Quality | null = null;

export function quality(): Quality {
  found ??= isSoftware() ? PLAIN : FULL;
  return found;
}

function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return true;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(context.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : context.RENDERER));
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
