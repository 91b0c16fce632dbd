import type { Seat } from "../wire/types.ts";

/** A place on the board: where it is drawn, where it stands in the grid, and what it is called. */
export interface Square {
  id: string;
  row: number;
  column: number;
  /** Centre, in the units of the layout's view box. */
  x: number;
  y: number;
  /** Outline as SVG path data: what is hit, lit and focused. */
  outline: string;
  name: string;
}

export interface Layout {
  width: number;
  height: number;
  squares: Square[];
  /** Rows that PageUp and PageDown jump by. */
  pageRows: number;
  label: string;
  /** Pieces fill their squares, so that highlights are drawn over them. */
  covered?: boolean;
}

export interface Piece {
  /** The same piece has the same key from one position to the next: so it moves instead of reappearing. */
  key: string;
  kind: string;
  /** Whose it is, or rather in whose colour: a team's first seat stands for the team. */
  seat: Seat | null;
  x: number;
  y: number;
  /** How many there are on one place, and how large it is drawn. */
  count?: number;
  size?: number;
  /** As clear as what is there, although it has yet to come. */
  clear?: boolean;
}

/**
 * Something to be seen about squares: the last move, why the game was won, what is happening just now, and what a move
 * that is considered would do: what it sets off, what it takes, and what threatens it. Further what is hostile to a
 * piece that is held, and which piece goes on.
 */
export interface Highlight {
  kind: "last" | "win" | "step" | "sets-off" | "takes" | "threat" | "hostile" | "goes-on";
  squares: string[];
  seat: Seat | null;
}

/** From one square to the nearest other one: about how large they are. */
export function squareSize(squares: readonly Square[]): number {
  const [first, ...others] = squares;
  if (first === undefined || others.length === 0) return Infinity;
  return Math.min(...others.map((square) => Math.hypot(square.x - first.x, square.y - first.y)));
}

/** A part of a board, in the units of its layout. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** So much of the squares around a part is seen that the board is seen to go on. */
const AROUND = 0.2;

/** What lies between two squares; without them, all of it. */
export function partOf({ width, height, squares }: Layout, corners?: readonly [string, string]): Part {
  const shown = squares.filter(({ id }) => corners?.includes(id));
  if (shown.length === 0) return { x: 0, y: 0, width, height };
  const room = squareSize(squares) * (0.5 + AROUND);
  const [left, right] = [Math.min, Math.max].map((most) => most(...shown.map(({ x }) => x))) as [number, number];
  const [top, bottom] = [Math.min, Math.max].map((most) => most(...shown.map(({ y }) => y))) as [number, number];
  const [x, y] = [Math.max(0, left - room), Math.max(0, top - room)];
  return { x, y, width: Math.min(width, right + room) - x, height: Math.min(height, bottom + room) - y };
}

/** The squares as rows and columns; null where there is none. */
export function grid(layout: Layout): (Square | null)[][] {
  const rows: (Square | null)[][] = [];
  for (const square of layout.squares) {
    const row = (rows[square.row] ??= []);
    row[square.column] = square;
  }
  const columns = Math.max(0, ...layout.squares.map((square) => square.column + 1));
  return Array.from(rows, (row) => Array.from({ length: columns }, (_, column) => row?.[column] ?? null));
}

/** The rows as they are read aloud: only what is there, however many gaps there are; empty rows are left out. */
export function rowsOfSquares(layout: Layout): { row: number; squares: Square[] }[] {
  return grid(layout)
    .map((row, number) => ({ row: number, squares: row.filter((square) => square !== null) }))
    .filter(({ squares }) => squares.length > 0);
}
