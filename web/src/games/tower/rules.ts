import type { Seat } from "../../lib/wire/types.ts";

export const EMPTY = 3;
export const TILES = 24;
const SEATS = 3;

export interface Coordinate {
  row: number;
  level: number;
  column: number;
}

/** Tiles are numbered as one reads: level by level, row by row, left to right, without the hole in the middle. */
export const COORDINATES: Coordinate[] = [0, 1, 2].flatMap((level) =>
  [0, 1, 2].flatMap((row) =>
    [0, 1, 2].filter((column) => row !== 1 || column !== 1).map((column) => ({ row, level, column })),
  ),
);

function tileAt(row: number, level: number, column: number): number {
  return COORDINATES.findIndex((at) => at.row === row && at.level === level && at.column === column);
}

/** The straight triples that avoid the hole, smallest first. */
export const LINES: [number, number, number][] = (() => {
  const lines: [number, number, number][] = [];
  const steps = [-1, 0, 1];
  COORDINATES.forEach(({ row, level, column }, middle) => {
    for (const down of steps)
      for (const below of steps)
        for (const right of steps) {
          const first = tileAt(row - down, level - below, column - right);
          const last = tileAt(row + down, level + below, column + right);
          if (first >= 0 && last >= 0 && first < last) lines.push([first, middle, last]);
        }
  });
  return lines.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
})();

export interface TowerState {
  marks: number[];
  turn: Seat | null;
  winner: Seat | null;
  line: number[] | null;
}

export type TowerEvent = { type: "began" } | { type: "placed"; seat: Seat; tile: number };

export interface Place {
  type: "place";
  tile: number;
}

export const START: TowerState = { marks: Array.from({ length: TILES }, () => EMPTY), turn: 0, winner: null, line: null };

export function evolve(state: TowerState | null, event: TowerEvent): TowerState {
  if (state === null || event.type === "began") return START;
  const { seat, tile } = event;
  const marks = state.marks.with(tile, seat);
  const line = LINES.find((tiles) => tiles.includes(tile) && tiles.every((other) => marks[other] === seat));
  if (line !== undefined) return { marks, turn: null, winner: seat, line };
  const full = !marks.includes(EMPTY);
  return { marks, turn: full ? null : (seat + 1) % SEATS, winner: null, line: null };
}

export function legal(state: TowerState, seat: Seat): Place[] {
  if (seat !== state.turn) return [];
  return state.marks.flatMap((mark, tile) => (mark === EMPTY ? [{ type: "place" as const, tile }] : []));
}
