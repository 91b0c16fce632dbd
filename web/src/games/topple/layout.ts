import type { Layout } from "../../lib/board/scene.ts";
import { columnName, oncePerBoard, sideways, tileName, upright } from "./field.ts";
import { cornerOf, rounded } from "./outline.ts";
import { words } from "./texts.ts";

/** The longer side of the board, in the units in which it is drawn; tiles are as large as fits. */
const LONGEST = 600;
const LARGEST = 110;
/** Between the tiles and the outer edge; on the left and above, what columns and rows are called stands there, too. */
const RIM = 14;
const NAMES = 18;
/** The least distance between two such names. */
const APART = 22;
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
  coordinates: readonly { x: number; y: number; text: string }[];
}

export const layout = oncePerBoard(make);

function make(topology: number, x: number, y: number): ToppleLayout {
  const pitch = Math.min(LARGEST, (LONGEST - 2 * RIM - NAMES) / Math.max(x, y));
  const begin = RIM + NAMES;
  const [width, height] = [begin + x * pitch + RIM, begin + y * pitch + RIM];
  const size = pitch * (1 - GAP);
  const corner = cornerOf(size);
  return {
    width,
    height,
    columns: x,
    rows: y,
    pitch,
    left: begin,
    top: begin,
    joined: { sideways: sideways(topology), upright: upright(topology) },
    coordinates: [
      ...named(x, pitch).map((column) => ({ x: begin + (column + 0.5) * pitch, y: NAMES / 2 + 1, text: columnName(column) })),
      ...named(y, pitch).map((row) => ({ x: NAMES / 2 + 1, y: begin + (row + 0.5) * pitch, text: String(row + 1) })),
    ],
    covered: true,
    pageRows: Math.max(1, Math.min(5, y - 1)),
    label: words.board(x, y),
    squares: Array.from({ length: x * y }, (_, tile) => {
      const [row, column] = [Math.floor(tile / x), tile % x];
      const [left, top] = [begin + (column + GAP / 2) * pitch, begin + (row + GAP / 2) * pitch];
      return {
        id: String(tile),
        row,
        column,
        x: begin + (column + 0.5) * pitch,
        y: begin + (row + 0.5) * pitch,
        outline: rounded(left, top, size, corner),
        name: tileName(tile, x),
      };
    }),
  };
}

/** The columns or rows whose names are shown: all of them, unless they are too narrow for that. */
function named(count: number, pitch: number): number[] {
  const every = Math.ceil(APART / pitch);
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
}

export function sizeOf(pitch: number): number {
  return pitch * (1 - GAP);
}
