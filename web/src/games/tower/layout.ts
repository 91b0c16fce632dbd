import type { Layout, Square } from "../../lib/board/scene.ts";
import { COORDINATES } from "./rules.ts";
import { words } from "./texts.ts";

/** A light oblique projection: rows lean back to the right, levels stand apart, nothing hides anything. */
export const TILE = { width: 104, depth: 66, lean: 30, thick: 9 };
const LEVEL = 3 * TILE.depth + 40;
const GROOVE = 0.02;
const LEFT = 14;
const TOP = 10;

export const WIDTH = LEFT * 2 + 3 * TILE.width + 3 * TILE.lean;
export const HEIGHT = TOP + 3 * LEVEL - 40 + TILE.thick + 16;

/** Where a point of a level is drawn; rows count from the back, columns from the left. */
export function project(level: number, row: number, column: number): [x: number, y: number] {
  return [LEFT + column * TILE.width + (3 - row) * TILE.lean, TOP + level * LEVEL + row * TILE.depth];
}

function outline(level: number, row: number, column: number): string {
  const [near, far] = [GROOVE, 1 - GROOVE];
  const corners = [
    project(level, row + near, column + near),
    project(level, row + near, column + far),
    project(level, row + far, column + far),
    project(level, row + far, column + near),
  ];
  return `M${corners.map((corner) => corner.join(" ")).join("L")}Z`;
}

/** Where a place comes to be when the tower is turned, a quarter at a time. */
function turned(row: number, column: number, quarters: number): [row: number, column: number] {
  return quarters === 0 ? [row, column] : turned(column, 2 - row, quarters - 1);
}

function squares(quarters: number): Square[] {
  return COORDINATES.map(({ level, ...at }, tile) => {
    const [row, column] = turned(at.row, at.column, quarters);
    const [x, y] = project(level, row + 0.5, column + 0.5);
    return {
      id: String(tile),
      row: level * 3 + row,
      column,
      x,
      y,
      outline: outline(level, row, column),
      // A tile keeps its name, so that everybody speaks of the same one.
      name: words.tile(tile, level, at.row, at.column),
    };
  });
}

/** Where the name of a tile stands on it: in its near corner, beside whatever mark there is. */
export function cornerOf({ row, column }: Square): [x: number, y: number] {
  const [level, onLevel] = [Math.floor(row / 3), row % 3];
  return project(level, onLevel + 0.84, column + 0.04);
}

/** The tower from each of its four sides. */
export const layouts: Layout[] = [0, 1, 2, 3].map((quarters) => ({
  width: WIDTH,
  height: HEIGHT,
  squares: squares(quarters),
  pageRows: 3,
  label: words.board,
}));
