import { grid, type Layout, type Square } from "./scene.ts";

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where a key leads from a square; the same square at the edge, null for keys that mean nothing here. */
export function wander(layout: Layout, from: string, key: string): string | null {
  const rows = grid(layout);
  const square = layout.squares.find((candidate) => candidate.id === from);
  if (square === undefined) return null;
  const step = STEPS[key];
  if (step !== undefined) return straight(rows, square, step).id;
  const row = rows[square.row] ?? [];
  const present = row.filter((other) => other !== null);
  switch (key) {
    case "Home":
      return present[0]?.id ?? from;
    case "End":
      return present.at(-1)?.id ?? from;
    case "PageUp":
      return rows[square.row - layout.pageRows]?.[square.column]?.id ?? from;
    case "PageDown":
      return rows[square.row + layout.pageRows]?.[square.column]?.id ?? from;
    default:
      return null;
  }
}

/** The next square in that direction, across whatever gap there is. */
function straight(rows: (Square | null)[][], from: Square, [down, right]: [number, number]): Square {
  let [row, column] = [from.row + down, from.column + right];
  while (rows[row]?.[column] !== undefined) {
    const found = rows[row]?.[column];
    if (found) return found;
    row += down;
    column += right;
  }
  return down === 0 ? from : (nearest(rows, from, down) ?? from);
}

/** Where rows do not stand above one another: the nearest square of the next row that has any. */
function nearest(rows: (Square | null)[][], from: Square, down: number): Square | null {
  for (let row = from.row + down; rows[row] !== undefined; row += down) {
    const [first, ...others] = rows[row]!.filter((square) => square !== null);
    const away = (square: Square) => Math.abs(square.column - from.column);
    if (first !== undefined) return others.reduce((best, square) => (away(square) < away(best) ? square : best), first);
  }
  return null;
}
