import { beforeEach, describe, expect, it, vi } from "vitest";

import type { AnyGame } from "../src/games/game.ts";
import { Folding, SLICE } from "../src/lib/hall/folding.ts";
import { told, type Table } from "../src/lib/hall/table.ts";
import { TableStore } from "../src/lib/hall/table_store.svelte.ts";
import { nextTask } from "../src/lib/next_task.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import type { Events } from "../src/lib/wire/to_client.ts";

/** A game whose state is the number of the last move; it says which moves it was given. */
const given: number[] = [];
const counting = {
  evolve: (state: number | null, event: number) => {
    given.push(event);
    if (event !== (state ?? -1) + 1) throw new Error(`${event} does not follow ${state}`);
    return event;
  },
} as unknown as AnyGame;

const rules = vi.hoisted((): { game: unknown } => ({ game: null }));
vi.mock("../src/games/index.ts", () => ({ gameView: () => rules.game }));

const OPENED: Happening = {
  type: "opened",
  at: 1,
  table: "t",
  game: "counting",
  options: {},
  seats: 2,
  clock: { kind: "none" },
  start: "full",
  private: false,
  key: "",
  host: "ann",
};
const BEGAN: Happening = { type: "started", at: 2, events: [0] };
const move = (number: number): Happening => ({ type: "played", at: 3, seat: number % 2, events: [number] });
const moves = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, step) => move(first + step));
/** As they come over the wire: what is told once more is not the same object. */
const history = (last: number): Happening[] => structuredClone([OPENED, BEGAN, ...moves(1, last)]);

function news(after: number, events: Happening[]): Events {
  const seq = after + events.length;
  return { type: "events", table: "t", after, seq, stamp: seq, now: 0, phase: "playing", awaited: [0], events };
}

const states = (table: Table | null) => table?.positions.map(({ state }) => state);
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);
const LONG = 4 * SLICE + 7;

beforeEach(() => {
  given.length = 0;
  rules.game = counting;
});

describe("folding a long game", () => {
  let waiting: (() => void)[];
  let ended: number;
  let folding: Folding;
  const turn = () => waiting.shift()?.();
  const unfolded = (last: number) => told(null, news(0, history(last)), () => null)!;

  beforeEach(() => {
    waiting = [];
    ended = 0;
    folding = new Folding(
      () => ended++,
      (work) => void waiting.push(work),
    );
  });

  it("takes slice after slice, each after everything else had its turn, and each move once and in order", () => {
    const table = unfolded(LONG);
    expect(folding.of(table, counting)).toBe(null);
    const slices = [given.length];
    while (waiting.length > 0) {
      expect(waiting).toHaveLength(1);
      expect(ended).toBe(0);
      turn();
      slices.push(given.length - slices.reduce((sum, slice) => sum + slice));
    }
    expect(slices).toEqual([SLICE, SLICE, SLICE, SLICE, 8]);
    expect(ended).toBe(1);
    const whole = folding.of(table, counting);
    expect(given).toEqual(upTo(LONG));
    expect(whole).toEqual(told(null, news(0, history(LONG)), () => counting));
  });

  it("of few moves is done at once", () => {
    expect(states(folding.of(unfolded(SLICE - 1), counting))).toEqual(upTo(SLICE - 1));
    expect(waiting).toEqual([]);
    expect(ended).toBe(0);
  });

  it("goes on with what happens in the middle", () => {
    const table = unfolded(LONG);
    folding.of(table, counting);
    turn();
    const later = told(table, news(table.seq, [move(LONG + 1), move(LONG + 2)]), () => counting)!;
    expect(folding.of(later, counting)).toBe(null);
    expect(given, "nothing is folded out of turn").toHaveLength(2 * SLICE);
    while (waiting.length > 0) turn();
    expect(given).toEqual(upTo(LONG + 2));
    expect(states(folding.done(later))).toEqual(upTo(LONG + 2));
    expect(folding.done(table)).toBe(null);
  });

  it("says so each time if a move cannot be", () => {
    const table = told(null, news(0, [...history(LONG), move(LONG + 2)]), () => null)!;
    folding.of(table, counting);
    for (let slice = 2; slice <= 4; slice++) turn();
    expect(ended).toBe(0);
    expect(turn).toThrow("does not follow");
    expect(ended).toBe(1);
    expect(() => folding.of(table, counting)).toThrow("does not follow");
  });

  it("begins anew when the game is told anew", () => {
    folding.of(unfolded(LONG), counting);
    turn();
    const again = unfolded(LONG);
    folding.of(again, counting);
    while (waiting.length > 0) turn();
    expect(given).toEqual([...upTo(2 * SLICE - 1), ...upTo(LONG)]);
    expect(states(folding.done(again))).toEqual(upTo(LONG));
  });
});

describe("a table with a long history", () => {
  let store: TableStore;
  const someTasks = async (count: number) => {
    for (let task = 0; task < count; task++) await new Promise<void>((done) => nextTask(done));
  };
  const MANY = 20;

  beforeEach(() => {
    store = new TableStore("t");
    store.history = true;
  });

  it("is here without its positions at first, and with all of them in the end", async () => {
    store.happened(news(0, history(LONG)));
    expect(store.table).toMatchObject({ unfolded: true, positions: [], seq: LONG + 2 });
    await someTasks(MANY);
    expect(store.table).toMatchObject({ unfolded: false, seq: LONG + 2 });
    expect(states(store.table)).toEqual(upTo(LONG));
  });

  it("misses nothing that happens while it is folded, and asks for nothing twice", async () => {
    store.happened(news(0, history(LONG)));
    expect(store.table?.unfolded).toBe(true);
    for (let more = 1; more <= 3; more++) {
      expect(store.happened(news(LONG + more + 1, [move(LONG + more)]))).toBe(true);
      expect(store.watch).toMatchObject({ since: LONG + more + 2 });
      await someTasks(1);
    }
    await someTasks(MANY);
    expect(states(store.table)).toEqual(upTo(LONG + 3));
    store.happened(news(LONG + 5, [move(LONG + 4)]));
    expect(states(store.table), "from then on at once").toEqual(upTo(LONG + 4));
    expect(given).toEqual(upTo(LONG + 4));
  });

  it("stays as it is on the page until it is whole when it is told anew", async () => {
    store.happened(news(0, history(3)));
    store.happened(news(5, moves(4, LONG)));
    const before = store.table;
    expect(states(before)).toEqual(upTo(LONG));
    store.learnAnew();
    store.asked();
    store.happened(news(0, history(LONG)));
    expect(store.answered()).toBe(true);
    expect(store.table).toBe(before);
    store.happened(news(LONG + 2, [move(LONG + 1)]));
    expect(store.table).toBe(before);
    expect(store.told).toMatchObject({ seq: LONG + 3 });
    await someTasks(MANY);
    expect(states(store.table)).toEqual(upTo(LONG + 1));
  });

  it("is folded when the rules come, also slice by slice", async () => {
    rules.game = null;
    store.happened(news(0, history(LONG)));
    expect(store.table?.unfolded).toBe(true);
    rules.game = counting;
    expect(store.table?.unfolded).toBe(true);
    expect(given).toHaveLength(SLICE);
    await someTasks(MANY);
    expect(states(store.table)).toEqual(upTo(LONG));
  });
});
