import { beforeEach, describe, expect, it, vi } from "vitest";

import type { AnyGame } from "../src/games/game.ts";
import { SLICE } from "../src/lib/hall/folding.ts";
import { foldedOn, nothingFolded, told, withFolded, type Table } from "../src/lib/hall/table.ts";
import { TableStore } from "../src/lib/hall/table_store.svelte.ts";
import { playsAlone, standing, takenBackTo } from "../src/lib/hall/taking_back.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import type { Events, TablePicture } from "../src/lib/wire/to_client.ts";
import { announcement } from "../src/routes/table/announcing.ts";

/** A game whose state is the list of what happened. */
const listing = { evolve: (state: unknown[] | null, event: unknown) => [...(state ?? []), event] } as unknown as AnyGame;
const rules = vi.hoisted((): { game: unknown } => ({ game: null }));
vi.mock("../src/games/index.ts", () => ({ gameView: () => rules.game }));

const OPENED: Happening = {
  type: "opened",
  at: 1,
  table: "t",
  game: "g",
  options: {},
  seats: 3,
  clock: { kind: "none" },
  start: "full",
  private: false,
  key: "k",
  host: "ann",
};
const ann: Happening = { type: "sat", at: 2, seat: 0, sitter: { kind: "person", person: "ann", name: "Ann", guest: true, keeps: true } };
const bot = (seat: number): Happening => ({ type: "bot_sat", at: 2, seat, level: "casual", name: `Bot ${seat}` });
const act = (seat: number, what: string): Happening => ({ type: "played", at: 4, seat, events: [what] });
const back = (moves: number): Happening => ({ type: "taken_back", at: 5, seat: 0, moves });
const BEGUN: Happening[] = [OPENED, ann, bot(1), bot(2), { type: "started", at: 3, events: ["began"] }];
const ROUND = [act(0, "a"), act(1, "b"), act(2, "c")];

function news(after: number, events: Happening[]): Events {
  const seq = after + events.length;
  return { type: "events", table: "t", after, seq, stamp: seq, now: 0, phase: "playing", awaited: [0], events };
}

const after = (...events: Happening[]) => told(null, news(0, [...BEGUN, ...events]), () => listing)!;
const last = (table: Table | null) => table?.positions.at(-1)?.state;

beforeEach(() => {
  rules.game = listing;
});

describe("a move that was taken back", () => {
  it("is no part of the game, and stays in the log", () => {
    const table = after(...ROUND, back(0), act(0, "x"));
    expect(last(table)).toEqual(["began", "x"]);
    expect(table.positions).toHaveLength(2);
    expect(table.log.filter(({ type }) => type === "played")).toHaveLength(4);
  });

  it("changes what may be done, and ends what was offered", () => {
    const before = after(...ROUND, { type: "draw_offered", at: 4, seat: 1 });
    const table = told(before, news(before.seq, [back(0)]), () => listing)!;
    expect(table.lastPlay).toBe(table.seq);
    expect(table.drawOffers).toEqual([]);
  });

  it("is left out when the rules come later, or the game is folded slice by slice", () => {
    const table = told(null, news(0, [...BEGUN, ...ROUND, back(0), act(0, "x")]), () => null)!;
    let folded = nothingFolded(table);
    while (folded.length < table.log.length) folded = foldedOn(table, folded, listing, 1);
    expect(last(withFolded(table, folded))).toEqual(["began", "x"]);
  });

  it("is gone from a long game that came at once, too", async () => {
    const store = new TableStore("t");
    const many = Array.from({ length: SLICE + 1 }, (_, number) => act(0, String(number)));
    store.history = true;
    store.happened(news(0, [...BEGUN, ...many, back(1), act(0, "x")]));
    await vi.waitFor(() => expect(last(store.table)).toEqual(["began", "0", "x"]));
  });

  it("is gone from a small board, which knows only how things stand", () => {
    const store = new TableStore("t");
    const picture = (seq: number, state: unknown) =>
      ({ type: "table", table: "t", seq, stamp: seq, game: "g", phase: "playing", seats: [], awaited: [0], state }) as unknown as TablePicture;
    store.pictured(picture(8, ["began", "a", "b", "c"]));
    store.happened(news(8, [back(0)]));
    store.pictured(picture(9, ["began"]));
    expect(last(store.table)).toEqual(["began"]);
    store.happened(news(9, [act(0, "x")]));
    expect(last(store.table)).toEqual(["began", "x"]);
  });

  it("is left out of what a log is played through for", () => {
    const log = [...BEGUN, ...ROUND, back(1), act(1, "x")];
    expect(standing(log).map(({ events }) => events[0])).toEqual(["began", "a", "x"]);
    expect(standing(BEGUN.slice(0, 4))).toEqual([]);
  });

  it("is announced to whoever took it back, and to others by name", () => {
    const table = after(...ROUND, back(0));
    expect(announcement(table, listing, back(0), 0)).toBe("You took back your move.");
    expect(announcement(table, listing, back(0), null)).toBe("Ann took back a move.");
  });
});

describe("what can be taken back", () => {
  it("is one's own last move, with what bots have done since", () => {
    expect(takenBackTo(after(), 0)).toBe(null);
    expect(takenBackTo(after(act(0, "a")), 0)).toBe(0);
    expect(takenBackTo(after(...ROUND, act(0, "d"), act(1, "e")), 0)).toBe(3);
    expect(takenBackTo(after(...ROUND, act(0, "d"), back(3)), 0)).toBe(0);
    expect(takenBackTo(after(...ROUND, back(0)), 0)).toBe(null);
  });

  it("is nothing that another person has done, or that somebody left after", () => {
    const ben: Happening = { type: "sat", at: 4, seat: 1, sitter: { kind: "person", person: "ben", name: "Ben", guest: true, keeps: true } };
    const stood: Happening = { type: "stood", at: 5, seat: 1, person: "ben", why: "left" };
    expect(playsAlone(after(...ROUND), 0)).toBe(true);
    expect(playsAlone(after(...ROUND, ben), 0)).toBe(false);
    expect(takenBackTo(after(act(0, "a"), ben, act(1, "b")), 0)).toBe(null);
    expect(takenBackTo(after(act(0, "a"), ben, stood), 0)).toBe(null);
    expect(takenBackTo(after(act(0, "a"), ben, act(1, "b"), stood, bot(1)), 0), "a bot sits there now").toBe(null);
    expect(takenBackTo(after(ben, stood, act(0, "a")), 0)).toBe(0);
    expect(takenBackTo(after(act(0, "a"), { type: "played", at: 5, seat: 1, why: "quit", events: ["q"] }), 0)).toBe(null);
  });

  it("is not what time has done for one, but what came before it", () => {
    const flagged: Happening = { type: "played", at: 5, seat: 0, why: "flagged", events: ["f"] };
    expect(takenBackTo(after(flagged), 0)).toBe(null);
    expect(takenBackTo(after(...ROUND, flagged, act(1, "g")), 0)).toBe(0);
  });
});
