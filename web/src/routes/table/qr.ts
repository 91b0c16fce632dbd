import { encode } from "uqr";

/** So much light around it is in the standard: cameras look for it. */
const QUIET = 4;

/** A QR code of this text, as one path of dark squares of side 1. */
export function modulesOf(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: path.join("") };
}
