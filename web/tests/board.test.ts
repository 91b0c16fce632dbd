import { describe, expect, it } from "vitest";

import { topple } from "../src/games/topple/index.ts";
import { tower } from "../src/games/tower/index.ts";
import type { AnyGame } from "../src/games/game.ts";
import { wander } from "../src/lib/board/keys.ts";
import { grid, rowsOfSquares, type Layout } from "../src/lib/board/scene.ts";

/** A board from a drawing: a letter is a square, a dot is a gap. */
function layoutOf(...rows: string[]): Layout {
  const squares = rows.flatMap((letters, row) =>
    [...letters].flatMap((id, column) =>
      id === "." ? [] : [{ id, row, column, x: column, y: row, outline: "", name: id }],
    ),
  );
  return { width: 1, height: 1, squares, pageRows: 1, label: "" };
}

describe("a board with gaps", () => {
  const layout = layoutOf("a..b.", "......", "..c...", "d.e.f.");

  it("has each square in its row, however many gaps there are, and no row without squares", () => {
    const rows = rowsOfSquares(layout);
    expect(rows.map(({ row, squares }) => [row, squares.map(({ id }) => id).join("")])).toEqual([
      [0, "ab"],
      [2, "c"],
      [3, "def"],
    ]);
  });

  it("may have no squares at all", () => {
    expect(grid(layoutOf())).toEqual([]);
    expect(rowsOfSquares(layoutOf())).toEqual([]);
  });

  it("is wandered over by keys: straight across gaps, else to what is nearest", () => {
    expect(wander(layout, "a", "ArrowRight")).toBe("b");
    expect(wander(layout, "a", "ArrowDown")).toBe("d");
    expect(wander(layout, "b", "ArrowDown")).toBe("c");
    expect(wander(layout, "c", "ArrowUp")).toBe("b");
    expect(wander(layout, "f", "ArrowUp")).toBe("c");
    expect(wander(layout, "a", "ArrowUp")).toBe("a");
    expect(wander(layout, "b", "ArrowRight")).toBe("b");
  });
});

describe.each<[string, AnyGame]>([["Tower", tower], ["Topple", topple]])("the ways to an action of %s", (_, game) => {
  it("have one pick each, a square, and no two are the same", () => {
    const squares = new Set(game.layout(game.start, 0, null).squares.map(({ id }) => id));
    const seat = game.awaited(game.start)[0]!;
    const paths = game.legal!(game.start, seat).map((action) => game.path(action, game.start, seat));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.every((path) => path.length === 1 && squares.has(path[0]!))).toBe(true);
    expect(new Set(paths.map(String)).size).toBe(paths.length);
  });
});
