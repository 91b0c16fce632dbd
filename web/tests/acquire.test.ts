import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { otherPaths, path } from "../src/games/acquire/choosing.ts";
import { growing } from "../src/games/acquire/growing.ts";
import { rackKinds, UNSEEN } from "../src/games/acquire/kinds.ts";
import { cellsOf, COLUMNS, priceOf, ROWS, TILES, tileName } from "../src/games/acquire/plan.ts";
import { begun, evolve, legal, type Acted, type AcquireAction, type AcquireEvent, type AcquireState } from "../src/games/acquire/rules.ts";
import { bonuses, nets, standings, teamTotals } from "../src/games/acquire/scores.ts";

const VECTORS = join(import.meta.dirname, "..", "..", "tests", "vectors", "acquire");

interface Step {
  player: number;
  action: string;
  params: unknown[];
  next: { player: number; action: string; chains?: number[]; canEndGame?: boolean; owned?: number; survivorAvailable?: number };
  board: string[];
  scores: number[][];
  available: number[];
  chainSize: number[];
  price: number[];
  racks: (number | null)[][];
  rackTypes: string[];
}
interface Recorded {
  steps: Step[];
  result: { finalNet: number[]; teamScores: number[] };
}
interface Told {
  game: string;
  viewer: number | "all" | null;
  events: AcquireEvent[];
  last: AcquireState;
}

function recorded<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(VECTORS, name), "utf8")) as Content;
}

const TOLD = recorded<Told[]>("page.json");
const GAMES = readdirSync(VECTORS).filter((name) => /^\w+-\d+\.json$/.test(name));

function folded(events: readonly AcquireEvent[]): AcquireState[] {
  const found: AcquireState[] = [];
  for (const event of events) found.push(evolve(found.at(-1) ?? null, event));
  return found;
}

/** Columns one after the other, as a state has them. */
const boardOf = (rows: string[]): string =>
  Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]!).join("")).join("");

/** A recorded position as the page has one. */
function stateOf(step: Step): AcquireState {
  return {
    ...begun(step.scores.length),
    board: boardOf(step.board),
    racks: step.racks,
    shares: step.scores.map((score) => score.slice(0, 7)),
    cash: step.scores.map((score) => score[7]!),
    available: step.available,
    sizes: step.chainSize,
    next: { seat: step.next.player, action: step.next.action as "PlayTile", turn: step.next.player },
  };
}

const lettered = (kinds: (string | null)[]): string => kinds.map((kind) => kind ?? "-").join("");

describe("the fold of what the server tells", () => {
  it.each(TOLD)("of $game, seen by $viewer, gives the state of the server", ({ events, last }) => {
    expect(folded(events).at(-1)).toEqual({ ...last, next: last.next });
  });

  it.each(TOLD.filter(({ viewer }) => viewer === "all"))("of $game is what was recorded", ({ game, events }) => {
    const { steps, result } = recorded<Recorded>(`${game}.json`);
    const states = folded(events);
    for (const [at, step] of steps.entries()) {
      const state = states[at]!;
      expect(state.board).toBe(boardOf(step.board));
      expect(state.racks).toEqual(step.racks);
      expect(state.shares.map((held, seat) => [...held, state.cash[seat], nets(state)[seat]])).toEqual(step.scores);
      expect(state.available).toEqual(step.available);
      expect(state.sizes).toEqual(step.chainSize);
      expect(state.next.seat).toBe(step.next.player);
      expect(state.next.action).toBe(step.next.action);
    }
    expect(nets(states.at(-1)!)).toEqual(result.finalNet);
    expect(teamTotals(states.at(-1)!).map(({ worth }) => worth)).toEqual(result.teamScores);
  });

  it.each(TOLD.filter(({ viewer }) => viewer !== "all"))("of $game, seen by $viewer, has nobody else's tiles", (told) => {
    const { steps } = recorded<Recorded>(`${told.game}.json`);
    for (const [at, state] of folded(told.events).entries()) {
      for (const [seat, rack] of state.racks.entries()) {
        const whole = steps[at]!.racks[seat]!;
        if (seat === told.viewer) expect(rack).toEqual(whole);
        else expect(rack.filter((tile) => tile !== null)).toEqual(whole.filter((tile) => tile !== null).map(() => UNSEEN));
      }
    }
  });
});

describe("what the page works out by itself", () => {
  it.each(GAMES)("is what was recorded in %s", (name) => {
    for (const step of recorded<Recorded>(name).steps) {
      const state = stateOf(step);
      expect(state.racks.map((rack) => lettered(rackKinds(state.board, rack)))).toEqual(step.rackTypes);
      expect(nets(state)).toEqual(step.scores.map((score) => score[8]));
      expect(state.sizes.map((size, chain) => priceOf(chain, size))).toEqual(step.price);
    }
  });

  it("pays bonuses as recorded", () => {
    for (const { shares, price, bonuses: paid } of recorded<{ shares: number[]; price: number; bonuses: number[][] }[]>("bonuses.json")) {
      expect(bonuses(shares, price)).toEqual(paid);
    }
  });

  it("marks the majority and the minority", () => {
    expect(standings([3, 3, 1])).toEqual([1, 1, null]);
    expect(standings([4, 2, 2, 0])).toEqual([1, 2, 2, null]);
    expect(standings([0, 0])).toEqual([null, null]);
  });

  it("names tiles by column and row", () => {
    expect([0, 8, 9, TILES - 1].map(tileName)).toEqual(["1A", "1I", "2A", "12I"]);
    expect(ROWS * COLUMNS).toBe(TILES);
  });
});

describe("what may be done", () => {
  const done = TOLD.find(({ viewer, game }) => viewer === "all" && game.startsWith("teams"))!;
  const states = folded(done.events);

  /** As the page writes it: shares in the order of the chains, and whether the game is to end. */
  function plain(action: AcquireAction): AcquireAction {
    if (action.type !== "PurchaseShares") return action;
    return { ...action, chains: [...action.chains].sort(), end: action.end === true };
  }

  it("is what was done, at every position of a game, and for nobody else", () => {
    for (const [at, event] of done.events.slice(1).entries()) {
      const { seat, action } = event as Acted;
      expect(legal(states[at]!, seat)).toContainEqual(plain(action));
      expect(legal(states[at]!, (seat + 1) % 4)).toEqual([]);
    }
    expect(legal(states.at(-1)!, states.at(-1)!.next.seat)).toEqual([]);
  });

  it("is chosen by a path of its own, and a tile by its place on the board as well", () => {
    for (const state of states) {
      const actions = legal(state, state.next.seat);
      const paths = actions.flatMap((action) => [path(action), ...otherPaths(action)]).map(String);
      expect(new Set(paths).size).toBe(paths.length);
    }
    expect(path({ type: "PlayTile", tile: 40 })).toEqual(["hand-40"]);
    expect(otherPaths({ type: "PlayTile", tile: 40 })).toEqual([["40"]]);
  });

  it("lists baskets of at most three that are there and can be paid", () => {
    const state = { ...begun(2), sizes: [2, 0, 0, 0, 0, 0, 2], cash: [7, 60], available: [1, 25, 25, 25, 25, 25, 25] };
    const next = { seat: 0, action: "PurchaseShares" as const, turn: 0 };
    const bought = legal({ ...state, next }, 0).map((action) => (action as { chains: number[] }).chains);
    expect(bought).toEqual([[], [0], [6], [0, 6]]);
    expect(legal({ ...state, next: { ...next, can_end: true } }, 0)).toHaveLength(8);
  });
});

describe("what is seen on the way", () => {
  it("spreads from the tile that joined, lot by lot, and ends where the event does", () => {
    const all = TOLD.findLast(({ viewer }) => viewer === "all")!;
    const states = folded(all.events);
    const changed = all.events.map((event) => (event.type === "acted" ? (event.cells?.length ?? 0) : 0));
    const merged = changed.indexOf(Math.max(...changed));
    const [before, event] = [states[merged - 1]!, all.events[merged] as Acted];
    const cell = event.cells![0]![1];
    const frames = growing(before, [event], 90);
    const counts = [before, ...frames, states[merged]!].map(({ board }) => cellsOf(board, cell).length);
    expect(frames.length).toBeGreaterThan(1);
    for (const [at, count] of counts.slice(1).entries()) expect(count).toBeGreaterThan(counts[at]!);
  });

  it("is nothing where one tile comes", () => {
    const all = TOLD.find(({ viewer }) => viewer === "all")!;
    expect(growing(folded(all.events)[0]!, all.events.slice(1, 2), 90)).toEqual([]);
  });
});
