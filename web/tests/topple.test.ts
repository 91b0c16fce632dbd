import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { field, tileName } from "../src/games/topple/field.ts";
import { begun, bytes, evolve, fieldOf, legal, mayResign, setupOf, type Scoring, type ToppleState } from "../src/games/topple/rules.ts";
import { shares, waves } from "../src/games/topple/waves.ts";

interface Topology {
  t: number;
  x: number;
  y: number;
}

interface Cascade {
  id: number;
  topology: Topology;
  players: { n: number; team: number; alive: boolean }[];
  turn: number;
  board: number[];
  teamboard: number[];
  owned: number[];
  move: number;
  after: {
    board: number[];
    teamboard: number[];
    owned: number[];
    eliminated: number[];
    winner: number | null;
    turn: number | null;
  };
}

interface Game {
  id: number;
  topology: Topology;
  players: [number: number, team: number][];
  scoring: Scoring;
  moves: [player: number, tile: number][];
  final: Record<string, unknown>;
}

function recorded<Case>(name: string): Case[] {
  const file = new URL(`../../tests/vectors/topple/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] }).cases;
}

const cascades = recorded<Cascade>("cascades");

function position({ topology, players, turn, board, teamboard, owned }: Cascade): ToppleState {
  const most = Math.max(...players.map(({ n }) => n));
  const teams = Array.from({ length: most }, (_, seat) => players.find(({ n }) => n === seat + 1)?.team ?? 0);
  const alive = teams.map((_, seat) => players.find(({ n }) => n === seat + 1)?.alive ?? false);
  return {
    ...begun({ ...setupOf({}, 0), topology: topology.t, x: topology.x, y: topology.y, teams }),
    board: Uint8Array.from(board),
    owners: Uint8Array.from(teamboard),
    owned,
    alive,
    turn: turn - 1,
  };
}

describe("Topple's boards", () => {
  it.each(recorded<{ t: number; d: { x: number; y: number }; neighbors: number[][] }>("topologies"))(
    "topology $t, $d.x x $d.y",
    ({ t, d, neighbors }) => {
      expect(field(t, d.x, d.y).neighbours).toEqual(neighbors);
    },
  );

  it("call a tile by column and row", () => {
    expect([7, 0, 26, 53].map((tile) => tileName(tile, 54))).toEqual(["h1", "a1", "aa1", "bb1"]);
    expect(tileName(7, 4)).toBe("d2");
  });
});

describe("Topple's cascades", () => {
  it("are recorded for every topology, some with a win in the middle", () => {
    expect(new Set(cascades.map(({ topology }) => topology.t))).toEqual(new Set([0, 1, 2, 3]));
    expect(cascades.some(({ after, board }) => after.winner !== null && sum(after.board) < sum(board) + 1)).toBe(true);
  });

  it("end as the recorded ones", () => {
    for (const one of cascades) {
      const before = position(one);
      const after = evolve(before, { type: "moved", seat: one.turn - 1, tile: one.move });
      const said = `case ${one.id}`;
      expect([...bytes(after.board)], said).toEqual(one.after.board);
      expect([...bytes(after.owners)], said).toEqual(one.after.teamboard);
      expect(after.owned, said).toEqual(one.after.owned);
      expect(after.fell.map((seat) => seat + 1), said).toEqual(one.after.eliminated);
      expect(after.winner, said).toBe(one.after.winner);
      expect(after.turn === null ? null : after.turn + 1, said).toBe(one.after.turn);
      expect([...bytes(before.board)], said).toEqual(one.board);
    }
  });

  it("are shown in waves that lead there, with no piece lost on the way", () => {
    for (const one of cascades) {
      const said = `case ${one.id}`;
      const shown = waves(position(one), { type: "moved", seat: one.turn - 1, tile: one.move }, 28);
      expect(shown.length, said).toBeLessThanOrEqual(28);
      const last = shown.at(-1);
      if (last === undefined) continue;
      const { neighbours } = fieldOf(last);
      const flying = last.wave!.tips.flatMap((tile) => neighbours[tile]!);
      const landed = [...bytes(last.board)];
      for (const tile of flying) landed[tile]! += 1;
      // What wins stops everything: what was still in the air does not count any more.
      if (one.after.winner === null && shown.every(({ wave }) => wave!.tips.length === 1)) {
        expect(landed, said).toEqual(one.after.board);
      }
      const owners = [...bytes(last.owners)];
      for (const tile of flying) owners[tile] = last.wave!.team;
      expect(owners, said).toEqual(one.after.teamboard);
      expect(last.owned, said).toEqual(last.owned.map((_, team) => bytes(last.owners).filter((owner) => owner === team).length));
    }
  });

  it("tip tile by tile, in the order of the stack: what got its piece last is visited first", () => {
    // Below the middle and to its left are full tiles: the one below topples first, and at last the corner between them.
    const before = { ...begun(setupOf({ x: 3, y: 3 }, 2)), board: Uint8Array.from([1, 1, 1, 3, 4, 1, 1, 3, 1]) };
    const shown = waves(before, { type: "moved", seat: 0, tile: 4 }, 28);
    expect(shown.map(({ wave }) => wave!.tips)).toEqual([[4], [7], [3], [6]]);
    expect(shown.map(({ wave }) => wave!.toppled)).toEqual([1, 2, 3, 4]);
    // While its pieces are in the air nobody has them.
    expect([...bytes(shown[0]!.board)]).toEqual([1, 1, 1, 3, 1, 1, 1, 3, 1]);
    expect([...bytes(shown[1]!.board)]).toEqual([1, 2, 1, 4, 1, 2, 1, 1, 1]);
  });

  it("tip more and more tiles in each wave where there are too many of them", () => {
    expect(shares(3, 28)).toEqual([[0, 1], [1, 2], [2, 3]]);
    const many = shares(1000, 28);
    expect(many).toHaveLength(28);
    expect(many[0]).toEqual([0, 1]);
    expect(many.at(-1)![1]).toBe(1000);
    const sizes = many.map(([from, to]) => to - from);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.at(-1)).toBeGreaterThan(sizes[14]!);
  });

  it("send pieces in the direction in which the neighbour lies, also over joined edges", () => {
    expect(field(0, 3, 3).ways).toEqual([[1, 3], [0, 1, 3], [0, 3], [1, 2, 3], [0, 1, 2, 3], [0, 2, 3], [1, 2], [0, 1, 2], [0, 2]]);
    expect(field(3, 2, 1).ways[0]).toEqual([0, 1, 2, 3]);
  });
});

describe("whole games of Topple", () => {
  it("end as the recorded ones", () => {
    for (const game of recorded<Game>("games")) {
      const most = Math.max(...game.players.map(([number]) => number));
      const teams = Array.from({ length: most }, (_, seat) => game.players.find(([n]) => n === seat + 1)?.[1] ?? 0);
      const { t, x, y } = game.topology;
      let state = evolve(null, {
        type: "began",
        setup: { ...setupOf({}, 0), topology: t, x, y, teams, scoring: game.scoring },
      });
      for (const [player, tile] of game.moves) {
        expect(state.turn, `game ${game.id}`).toBe(player - 1);
        expect(legal(state, player - 1)).toContainEqual({ type: "place", tile });
        state = evolve(state, { type: "moved", seat: player - 1, tile });
      }
      expect([...bytes(state.board)], `game ${game.id}`).toEqual(game.final.board);
      expect([...bytes(state.owners)], `game ${game.id}`).toEqual(game.final.teamboard);
      if (game.scoring !== "elim") expect(state.scores, `game ${game.id}`).toEqual(game.final.scores);
    }
  });

  it("begin from what the server writes", () => {
    expect([...bytes("AQID")]).toEqual([1, 2, 3]);
  });

  it("are over when one team is left", () => {
    const state = evolve(begun(setupOf({}, 2)), { type: "removed", seat: 0, why: "left" });
    expect(state).toMatchObject({ winner: 2, turn: null, ending: "alone" });
  });

  it("are won by the other of two when one resigns, whatever the points", () => {
    const led = evolve(begun(setupOf({ scoring: "tile" }, 2)), { type: "moved", seat: 0, tile: 0 });
    expect(evolve(led, { type: "removed", seat: 0, why: "left" }).winner).toBe(1);
    expect(evolve(led, { type: "removed", seat: 0, why: "resigned" })).toMatchObject({ winner: 2, turn: null, ending: "resigned" });
    expect(mayResign(led, 1)).toBe(true);
    const three = begun(setupOf({}, 3));
    expect(mayResign(three, 0)).toBe(false);
    const two = evolve(three, { type: "removed", seat: 1, why: "left" });
    expect([0, 1, 2].map((seat) => mayResign(two, seat))).toEqual([true, false, true]);
  });

  it("are over when nobody moves for too long, and tiles are counted", () => {
    let state = evolve(begun(setupOf({ idle_rounds: 1 }, 2)), { type: "moved", seat: 0, tile: 0 });
    state = evolve(state, { type: "skipped", seat: 1 });
    expect(state.winner).toBe(null);
    expect(evolve(state, { type: "skipped", seat: 0 })).toMatchObject({ winner: 1, ending: "idle", turn: null });
  });
});

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
