import { cornerOf, rounded } from "./outline.ts";

/** A tile as a low block, around the origin: its sides, what is on top of them, the edge towards the light, and a rim. */
export interface Block {
  sides: string;
  plate: string;
  light: string;
  rim: string;
  /** How far the middle of the top is from the middle of the tile, upwards and to the left. */
  shift: number;
}

const made = new Map<string, Block>();

/** Made once for each size: there may be hundreds of tiles. A full one stands higher. */
export function blockOf(size: number, full: boolean): Block {
  const key = `${size},${full}`;
  let found = made.get(key);
  if (found === undefined) made.set(key, (found = make(size, full)));
  return found;
}

function make(size: number, full: boolean): Block {
  const high = size * (full ? 0.085 : 0.04);
  const corner = cornerOf(size);
  const [edge, top, shift] = [size / 2, size * 0.915 * 0.84, -high / 2];
  return {
    sides: rounded(-edge, -edge, size, corner),
    plate: rounded(-edge, -edge, size - high, corner),
    light: `M${1 - edge} ${edge - high - corner}V${corner - edge}q0 ${1 - corner} ${corner - 1} ${1 - corner}H${edge - high - corner}`,
    rim: rounded(shift - top / 2, shift - top / 2, top, corner),
    shift,
  };
}
