import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { layouts } from "../src/games/tower/layout.ts";
import { COORDINATES, EMPTY, evolve, legal, LINES, START, type TowerState } from "../src/games/tower/rules.ts";
import { wander } from "../src/lib/board/keys.ts";

const layout = layouts[0]!;

function recorded<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../tests/vectors/tower/${name}`, import.meta.url), "utf8")) as Content;
}

function played(tiles: number[]): TowerState {
  return tiles.reduce<TowerState>((state, tile, turn) => evolve(state, { type: "placed", seat: turn % 3, tile }), START);
}

describe("Tower on the page", () => {
  it("has the 28 lines that the server has", () => {
    expect(LINES).toHaveLength(28);
    expect(new Set(LINES.map(String)).size).toBe(28);
  });

  it("numbers its tiles as the server does", () => {
    expect(COORDINATES[12]).toEqual({ row: 1, level: 1, column: 2 });
    expect(COORDINATES[23]).toEqual({ row: 2, level: 2, column: 2 });
  });

  it("lets the seats play in turn, on empty tiles only", () => {
    const state = played([0, 8]);
    expect(state.turn).toBe(2);
    expect(legal(state, 0)).toEqual([]);
    expect(legal(state, 2)).toHaveLength(22);
  });

  it("sees a line as the server sees it", () => {
    const state = played([0, 8, 16, 1, 9, 17, 2]);
    expect(state).toMatchObject({ winner: 0, line: [0, 1, 2], turn: null });
  });

  it("begins empty", () => {
    expect(evolve(null, { type: "began" }).marks.every((mark) => mark === EMPTY)).toBe(true);
  });

  it("agrees with the recorded lines", () => {
    const lines = recorded<unknown>("lines.json");
    const found = JSON.stringify(lines).match(/\[\d+,\d+,\d+\]/g) ?? [];
    expect(new Set(found)).toEqual(new Set(LINES.map((line) => JSON.stringify(line))));
  });
});

describe("keys on the tower", () => {
  it("lead across the hole", () => {
    expect(wander(layout, "3", "ArrowRight")).toBe("4");
    expect(wander(layout, "1", "ArrowDown")).toBe("6");
  });

  it("lead from ring to ring", () => {
    expect(wander(layout, "6", "ArrowDown")).toBe("9");
    expect(wander(layout, "12", "PageDown")).toBe("20");
    expect(wander(layout, "12", "PageUp")).toBe("4");
  });

  it("stop at the edge and leave other keys alone", () => {
    expect(wander(layout, "0", "ArrowUp")).toBe("0");
    expect(wander(layout, "0", "PageUp")).toBe("0");
    expect(wander(layout, "0", "a")).toBe(null);
  });
});

describe("the tower turned", () => {
  it("comes back to where it was after four quarters, each tile in a place of its own", () => {
    for (const { squares } of layouts) {
      expect(new Set(squares.map((square) => square.outline)).size).toBe(squares.length);
      expect(new Set(squares.map((square) => square.outline))).toEqual(
        new Set(layout.squares.map((square) => square.outline)),
      );
    }
    // The back left corner goes to the right, to the front, and back on the left.
    expect(layouts.map(({ squares }) => [squares[0]!.row, squares[0]!.column])).toEqual([
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 0],
    ]);
  });

  it("is walked as it is seen, and its tiles keep their names", () => {
    expect(wander(layouts[1]!, "0", "ArrowDown")).toBe("1");
    expect(layouts[2]!.squares.map((square) => square.name)).toEqual(layout.squares.map((square) => square.name));
  });
});
