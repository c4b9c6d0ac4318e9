// State blocks: all bodies at one instant, as the server sends them.

/** Floats a body has in a block: position 3, orientation 4 (xyzw), velocity 3, angular velocity 3. */
export const ROW = 13;

const BLOCK_KIND = 1;
const HEAD_BYTES = 16;

export interface Frame {
  time: number;
  numbers: Uint32Array;
  rows: Float32Array;
}

/** Reads the blocks that follow each other in a buffer; the frames look into it and copy nothing. */
export function readBlocks(bytes: ArrayBuffer): Frame[] {
  const view = new DataView(bytes);
  const frames: Frame[] = [];
  let at = 0;
  while (at + HEAD_BYTES <= bytes.byteLength) {
    const count = view.getUint32(at + 4, true);
    const end = at + HEAD_BYTES + count * 4 * (1 + ROW);
    if (view.getUint32(at, true) !== BLOCK_KIND || end > bytes.byteLength) throw new Error("a state block is broken");
    frames.push({
      time: view.getFloat64(at + 8, true),
      numbers: new Uint32Array(bytes, at + HEAD_BYTES, count),
      rows: new Float32Array(bytes, at + HEAD_BYTES + 4 * count, ROW * count),
    });
    at = end;
  }
  return frames;
}
