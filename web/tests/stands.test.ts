import { describe, expect, it } from "vitest";

import { evolve as acquireAfter, begun as acquireBegun } from "../src/games/acquire/rules.ts";
import { shares as acquireShares } from "../src/games/acquire/stands.ts";
import { begun as chessBegun } from "../src/games/powerchess/rules.ts";
import { shares as chessShares } from "../src/games/powerchess/stands.ts";
import { begun as taflBegun } from "../src/games/tafl/rules.ts";
import { movesToEscape, shares as taflShares } from "../src/games/tafl/stands.ts";
import { VARIANTS } from "../src/games/tafl/variants.ts";
import { begun as toppleBegun, evolve as toppleAfter, setupOf } from "../src/games/topple/rules.ts";
import { shares as toppleShares } from "../src/games/topple/stands.ts";
import { evolve as towerAfter, START, type TowerState } from "../src/games/tower/rules.ts";
import { shares as towerShares } from "../src/games/tower/stands.ts";
import type { Share } from "../src/games/stands.ts";
import { fractions, order } from "../src/routes/table/stands.ts";

const figures = (shares: readonly Share[]) => shares.map(({ share }) => share);
const said = (shares: readonly Share[]) => shares.map(({ words }) => words);

describe("how a game stands", () => {
  it("is the territory in Topple, of partners together, with what is still nobody's", () => {
    const begun = toppleBegun(setupOf({ x: 3, y: 3, teams: [1, 2, 1, 2] }, 4));
    const [own, foe, free] = toppleShares(toppleAfter(toppleAfter(begun, { type: "moved", seat: 0, tile: 4 }), { type: "moved", seat: 1, tile: 0 }));
    expect(own).toEqual({ seats: [0, 2], share: 1, words: "1 tile" });
    expect(foe?.seats).toEqual([1, 3]);
    expect(free).toEqual({ seats: [], share: 7, words: "7 tiles" });
  });

  it("is the points in Topple where those decide", () => {
    const begun = toppleBegun(setupOf({ x: 3, y: 3, scoring: "tile" }, 2));
    expect(said(toppleShares(toppleAfter(begun, { type: "moved", seat: 0, tile: 4 })))).toEqual(["1 point", "0 points"]);
  });

  it("is the lines in Tower that somebody could still fill", () => {
    expect(figures(towerShares(START))).toEqual([28, 28, 28]);
    const placed = [0, 2].reduce<TowerState>((state, tile, seat) => towerAfter(state, { type: "placed", seat, tile }), START);
    // A corner of a ring is on five lines, one of which ends in the other.
    expect(figures(towerShares(placed))).toEqual([23, 23, 19]);
    expect(said(towerShares(placed))).toEqual(["23 open lines", "23 open lines", "19 open lines"]);
  });

  it("is the material in Power Chess, and nothing for whoever has lost the king", () => {
    const start = chessBegun();
    expect(figures(chessShares(start))).toEqual([39, 39]);
    const kingless = { ...start, board: start.board.replace("k", ".").replace("Q", ".") };
    expect(figures(chessShares(kingless))).toEqual([30, 0]);
    expect(said(chessShares(kingless))).toEqual(["30 points", "39 points"]);
  });

  it("is the net worth in Acquire", () => {
    expect(said(acquireShares(acquireBegun(4)))).toEqual(Array(4).fill("worth $6,000"));
    expect(acquireShares(acquireBegun(4, 2)).map(({ seats, share }) => [seats, share])).toEqual([
      [[0, 2], 120],
      [[1, 3], 120],
    ]);
    const gone = acquireAfter(acquireBegun(4), { type: "forfeited", seat: 1 });
    expect(figures(acquireShares(gone))).toEqual([60, 60, 60, 60]);
  });

  describe("in Tafl", () => {
    const start = taflBegun(VARIANTS.brandub!);

    it("is even as long as nobody has lost anything and the king cannot get out", () => {
      expect(figures(taflShares(start))).toEqual([1, 1]);
      expect(said(taflShares(start))).toEqual(["8 attackers", "king and 4"]);
      expect(movesToEscape(start)).toBe(null);
    });

    it("leans to the king when he comes near a corner", () => {
      const alone = (space: number) => ({ ...start, board: ".".repeat(49).split("").fill("K", space, space + 1).join("") });
      expect(movesToEscape(alone(24))).toBe(2);
      expect(movesToEscape(alone(21))).toBe(1);
      expect(movesToEscape(alone(0))).toBe(0);
      expect(said(taflShares(alone(21)))).toEqual(["0 attackers", "king alone, 1 move from escape"]);
      const closed = { ...alone(24), board: [...alone(24).board].map((cell, at) => ([17, 23, 25, 31].includes(at) ? "t" : cell)).join("") };
      expect(movesToEscape(closed)).toBe(null);
    });

    it("is all the winner's once it is won on the board", () => {
      const ended = (winner: number, reason: "escape" | "encircled" | "resigned") =>
        figures(taflShares({ ...start, ending: { type: "ended", winner, reason } }));
      expect(ended(1, "escape")).toEqual([0, 1]);
      expect(ended(0, "encircled")).toEqual([1, 0]);
      expect(ended(1, "resigned")).toEqual([1, 1]);
    });

    it("is lost without a king", () => {
      expect(figures(taflShares({ ...start, board: start.board.replace("K", ".") }))).toEqual([1, 0]);
    });
  });
});

describe("the bar beside the board", () => {
  const shares = [3, 1, 0].map((share, seat): Share => ({ seats: seat === 2 ? [] : [seat], share, words: "" }));

  it("gives each side its part of the whole", () => {
    expect(fractions(shares)).toEqual([0.75, 0.25, 0]);
    expect(fractions(shares.map((side) => ({ ...side, share: 0 })))).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  it("begins with one's own side", () => {
    expect(order(shares, 1)).toEqual([1, 0, 2]);
    expect(order(shares, null)).toEqual([0, 1, 2]);
    expect(order(shares, 7)).toEqual([0, 1, 2]);
  });
});
