import type { Layout } from "../../lib/board/scene.ts";
import { oncePerBoard, sideways, upright } from "./field.ts";
import { cornerOf, rounded } from "./outline.ts";
import { words } from "./texts.ts";

/** The longer side of the board, in the units in which it is drawn; tiles are as large as fits. */
const LONGEST = 600;
const LARGEST = 110;
/** Between the tiles and the outer edge. */
export const RIM = 14;
const GAP = 0.035;

export interface ToppleLayout extends Layout {
  columns: number;
  rows: number;
  /** From one tile to the next. */
  pitch: number;
  /** Where the tiles begin. */
  left: number;
  top: number;
  joined: { sideways: boolean; upright: boolean };
}

export const layout = oncePerBoard(make);

function make(topology: number, x: number, y: number): ToppleLayout {
  const pitch = Math.min(LARGEST, (LONGEST - 2 * RIM) / Math.max(x, y));
  const [width, height] = [x * pitch + 2 * RIM, y * pitch + 2 * RIM];
  const size = pitch * (1 - GAP);
  const corner = cornerOf(size);
  return {
    width,
    height,
    columns: x,
    rows: y,
    pitch,
    left: RIM,
    top: RIM,
    joined: { sideways: sideways(topology), upright: upright(topology) },
    covered: true,
    pageRows: Math.max(1, Math.min(5, y - 1)),
    label: words.board(x, y),
    squares: Array.from({ length: x * y }, (_, tile) => {
      const [row, column] = [Math.floor(tile / x), tile % x];
      const [left, top] = [RIM + (column + GAP / 2) * pitch, RIM + (row + GAP / 2) * pitch];
      return {
        id: String(tile),
        row,
        column,
        x: RIM + (column + 0.5) * pitch,
        y: RIM + (row + 0.5) * pitch,
        outline: rounded(left, top, size, corner),
        name: words.tile(row + 1, column + 1),
      };
    }),
  };
}

export function sizeOf(pitch: number): number {
  return pitch * (1 - GAP);
}
