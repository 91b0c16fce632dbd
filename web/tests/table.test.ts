import { describe, expect, it } from "vitest";

import { actsOf, foldedOn, nothingFolded, seatOf, stepsOf, told, withFolded, type Table } from "../src/lib/hall/table.ts";
import { announcement } from "../src/routes/table/announcing.ts";
import type { AnyGame } from "../src/games/game.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import type { Events } from "../src/lib/wire/to_client.ts";

/** A game whose state is the list of what happened. */
const listing = { evolve: (state: unknown[] | null, event: unknown) => [...(state ?? []), event] } as unknown as AnyGame;
const games = () => listing;
const withRules = (table: Table, game: AnyGame) => withFolded(table, foldedOn(table, nothingFolded(table), game, Infinity));

const OPENED: Happening = {
  type: "opened",
  at: 1,
  table: "t",
  game: "g",
  options: {},
  seats: 2,
  clock: { kind: "none" },
  start: "full",
  private: false,
  key: "k",
  host: "ann",
};
const sat = (seat: number, person: string): Happening => ({
  type: "sat",
  at: 2,
  seat,
  sitter: { kind: "person", person, name: person, guest: true, keeps: true },
});

function news(after: number, seq: number, events: Happening[], more: Partial<Events> = {}): Events {
  return { type: "events", table: "t", after, seq, stamp: seq, now: 0, phase: "setup", awaited: [], events, ...more };
}

const begun = told(null, news(0, 3, [OPENED, sat(0, "ann"), sat(1, "bob")]), games)!;

describe("a table as the page knows it", () => {
  it("keeps an offer of a draw for as long as the game says that it stands", () => {
    const patient = { ...listing, keepsOffers: (events: readonly unknown[]) => events[0] === "power" } as AnyGame;
    const offered: Happening = { type: "draw_offered", at: 4, seat: 1 };
    const act = (what: string): Happening => ({ type: "played", at: 5, seat: 0, events: [what] });
    const after = (game: AnyGame | null, ...events: Happening[]) => told(begun, news(3, 3 + events.length, events), () => game)!;
    expect(after(patient, offered, act("power")).drawOffers).toEqual([1]);
    expect(after(patient, offered, act("power"), act("move")).drawOffers).toEqual([]);
    expect(after(listing, offered, act("power")).drawOffers).toEqual([]);
    // The rules may come later than what happened.
    expect(withRules(after(null, offered, act("power")), patient).drawOffers).toEqual([1]);
    expect(withRules(after(null, offered, act("power"), act("move")), patient).drawOffers).toEqual([]);
  });

  it("is the fold of what was told", () => {
    expect(begun).toMatchObject({ seq: 3, host: "ann", key: "k", complete: true });
    expect(begun.seats.map((holder) => holder?.name)).toEqual(["ann", "bob"]);
    expect(seatOf(begun, "bob")).toBe(1);
    expect(seatOf(begun, "eve")).toBe(null);
  });

  it("calls people what they call themselves now, and says who that was", () => {
    const events: Happening[] = [
      { type: "renamed", at: 4, person: "bob", name: "Robert", guest: false },
      { type: "renamed", at: 5, person: "bob", name: "Rob" },
      { type: "stood", at: 6, seat: 1, person: "bob", why: "left" },
    ];
    const renamed = told(begun, news(3, 5, events.slice(0, 2)), games)!;
    expect(renamed.seats.map((holder) => holder?.name)).toEqual(["ann", "Rob"]);
    expect(renamed.seats[1]).toMatchObject({ person: "bob", guest: true });
    const gone = told(renamed, news(5, 6, events.slice(2)), games)!;
    expect(events.map((event) => announcement(gone, null, event))).toEqual([
      "bob is now called Robert.",
      "Robert is now called Rob.",
      expect.stringContaining("Rob "),
    ]);
  });

  it("calls whoever left in the game by their name in all that is read aloud", () => {
    const resigns = { ...listing, announcement: () => "resigns" } as unknown as AnyGame;
    const events: Happening[] = [
      { type: "started", at: 4, events: ["began"] },
      { type: "played", at: 5, seat: 1, events: ["ended"], why: "quit" },
      { type: "stood", at: 5, seat: 1, person: "bob", why: "left" },
    ];
    const left = told(begun, news(3, 6, events), games)!;
    expect(events.slice(1).map((event) => announcement(left, resigns, event)).join(" ")).toBe("bob: resigns. bob leaves.");
  });

  it("keeps every position of the game", () => {
    const next = told(
      begun,
      news(
        3,
        5,
        [
          { type: "started", at: 3, events: ["began"] },
          { type: "played", at: 4, seat: 0, events: ["x"] },
        ],
        { phase: "playing", awaited: [1] },
      ),
      games,
    )!;
    expect(next.positions.map((position) => position.state)).toEqual([["began"], ["began", "x"]]);
    expect(next).toMatchObject({ phase: "playing", awaited: [1] });
  });

  it("is the same whichever server has it, and of that nobody is told", () => {
    const handed: Happening = { type: "handed", at: 9, charged: 4, node: 2 };
    const after = told(begun, news(3, 4, [handed]), games)!;
    expect(after).toEqual({ ...begun, seq: 4, stamp: 4, log: [...begun.log, handed] });
    expect(announcement(after, listing, handed)).toBe(null);
  });

  it("has those away whom the server cut off, and all of them where it does not say whom", () => {
    const gone = told(begun, news(3, 4, [{ type: "dropped", at: 4, person: "ann" }]), games)!;
    const woken = (cut_off?: string[]): Happening => ({ type: "woken", at: 5, ...(cut_off && { cut_off }) });
    for (const [event, away] of [
      [woken(["bob"]), ["ann", "bob"]],
      [woken(["ann"]), ["ann"]],
      [woken([]), ["ann"]],
      [woken(), ["ann", "bob"]],
    ] as const) {
      const after = told(gone, news(4, 5, [event]), games)!;
      expect(after.away).toEqual(away);
      expect(announcement(after, listing, event)).toBe("The server was away for a moment. Nobody lost time.");
    }
  });

  it("ignores what it knows already", () => {
    expect(told(begun, news(1, 3, [sat(0, "ann")]), games)).toBe(begun);
  });

  it("notices a gap, and an overlap that it cannot take apart", () => {
    expect(told(begun, news(5, 6, []), games)).toBe(null);
    expect(told(begun, news(2, 6, []), games)).toBe(null);
  });

  it("counts events that it was not shown", () => {
    expect(told(begun, news(3, 9, []), games)?.seq).toBe(9);
  });

  it("empties a seat with all that belonged to it", () => {
    const offered = told(begun, news(3, 4, [{ type: "draw_offered", at: 4, seat: 1 }]), games);
    const left = told(offered, news(4, 5, [{ type: "stood", at: 5, seat: 1, person: "bob", why: "left" }]), games);
    expect(left).toMatchObject({ drawOffers: [], seats: [{ name: "ann" }, null] });
  });

  it("remembers who left a game that had begun, until somebody takes the seat", () => {
    const bobLeaves: Happening = { type: "stood", at: 5, seat: 1, person: "bob", why: "left" };
    expect(told(begun, news(3, 4, [bobLeaves]), games)!.leavers).toEqual({});
    const started = told(begun, news(3, 4, [{ type: "started", at: 4, events: ["began"] }]), games)!;
    const left = told(started, news(4, 5, [bobLeaves]), games)!;
    expect(left.leavers).toEqual({ 1: "bob" });
    expect(told(left, news(5, 6, [sat(1, "cas")]), games)).toMatchObject({ leavers: {}, seats: [{ name: "ann" }, { name: "cas" }] });
  });
});

describe("how a table looks and who may sit there", () => {
  const locked = told(null, news(0, 1, [{ ...OPENED, password: "", decor: { colours: [1] } }]), games)!;

  it("is in its first event", () => {
    expect(locked).toMatchObject({ locked: true, decor: { colours: [1] } });
    expect(begun).toMatchObject({ locked: false, decor: {} });
  });

  it("is changed by the host, and by other settings only if they say so", () => {
    const settings = { options: {}, clock: { kind: "none" } as const, start: "host" as const, private: false };
    const painted = told(locked, news(1, 2, [{ type: "decorated", at: 2, decor: { colours: [2] } }]), games)!;
    const configured = told(painted, news(2, 3, [{ type: "configured", at: 3, ...settings }]), games)!;
    const styled = { type: "configured", at: 4, ...settings, decor: { style: "x" } } as const;
    expect(painted.decor).toEqual({ colours: [2] });
    expect(configured.decor).toEqual({ colours: [2] });
    expect(told(configured, news(3, 4, [styled]), games)!.decor).toEqual({ style: "x" });
  });

  it("tells a game that was taken away from one that was given up", () => {
    const over = (why: "exported" | "empty") =>
      told(begun, news(3, 4, [{ type: "closed", at: 4, why }], { phase: "over" }), games)!;
    expect(over("exported")).toMatchObject({ closed: true, closedWhy: "exported" });
    expect(over("empty")).toMatchObject({ closed: true, closedWhy: "empty" });
  });
});

describe("a move of several events", () => {
  const played = (at: number, seat: number, events: unknown[], why: "acted" | "flagged" = "acted"): Happening => ({
    type: "played",
    at,
    seat,
    events,
    why,
  });
  const started = told(begun, news(3, 4, [{ type: "started", at: 3, events: ["began"] }]), games)!;
  const moved = told(started, news(4, 6, [played(4, 0, ["x", "y"]), played(5, 1, ["z"], "flagged")]), games)!;

  it("is one position, with all that was to be seen on the way", () => {
    expect(moved.positions).toHaveLength(3);
    expect(moved.positions[1]).toMatchObject({ between: [["began", "x"]], state: ["began", "x", "y"] });
    expect(stepsOf(moved.positions[1]!)).toEqual([
      { event: "x", after: ["began", "x"] },
      { event: "y", after: ["began", "x", "y"] },
    ]);
  });

  it("is what a seat did only if that seat acted, and not its clock", () => {
    expect(actsOf(moved, 0)).toBe(1);
    expect(actsOf(moved, 1)).toBe(0);
  });

  it("is the last thing on which depends what may be done; talk is not", () => {
    const said: Happening = { type: "said", at: 6, person: "ann", name: "Ann", text: "hm", room: "table" };
    expect(moved.lastPlay).toBe(6);
    expect(told(moved, news(6, 7, [said]), games)).toMatchObject({ seq: 7, lastPlay: 6 });
  });
});

describe("moves that are told before the rules of the game are here", () => {
  const none = () => null;
  const began: Happening = { type: "started", at: 3, events: ["began"] };
  const move = (seat: number, what: string): Happening => ({ type: "played", at: 4, seat, events: [what] });
  const whole = told(null, news(0, 4, [OPENED, sat(0, "ann"), began, move(0, "a")]), games)!;

  it("are folded when they come, as if they had always been here", () => {
    const first = told(null, news(0, 3, [OPENED, sat(0, "ann"), began]), none)!;
    const second = told(first, news(3, 4, [move(0, "a")]), none)!;
    expect(second.positions).toEqual([]);
    expect(withRules(second, listing)).toEqual(whole);
  });

  it("are folded on what a picture showed", () => {
    const picture = { ...whole, complete: false, log: [], positions: [{ ...whole.positions[0]!, state: ["so far"] }] };
    const later = told(picture, news(4, 5, [move(1, "b")]), none)!;
    expect(withRules(later, listing).positions.map(({ state }) => state)).toEqual([["so far"], ["so far", "b"]]);
  });

  it("stay in order when the rules come in between", () => {
    const before = told(null, news(0, 3, [OPENED, sat(0, "ann"), began]), none)!;
    const after = told(withRules(before, listing), news(3, 4, [move(0, "a")]), games)!;
    expect(after).toEqual(whole);
  });
});

describe("a table before the start", () => {
  const names = (table: { seats: ({ name: string } | null)[] }) => table.seats.map((holder) => holder?.name ?? null);
  const after = (...events: Happening[]) => told(begun, news(3, 3 + events.length, events), games)!;
  const settings = { options: {}, clock: { kind: "none" as const }, private: false };
  const approval: Happening = { type: "configured", at: 4, ...settings, start: "approval" };
  const ready = (seat: number): Happening => ({ type: "readied", at: 5, seat, ready: true });
  const bot: Happening = { type: "bot_sat", at: 6, seat: 0, level: "easy", name: "Bot" };

  it("lets two seats change places, with whatever they hold", () => {
    const left: Happening = { type: "stood", at: 4, seat: 1, person: "bob", why: "left" };
    expect(names(after({ type: "swapped", at: 4, a: 0, b: 1 }))).toEqual(["bob", "ann"]);
    expect(names(after(left, { type: "swapped", at: 5, a: 0, b: 1 }))).toEqual([null, "ann"]);
    expect(after(ready(0), { type: "swapped", at: 6, a: 0, b: 1 }).ready).toEqual([1]);
  });

  it("has as many seats as its mode needs", () => {
    const holders = [begun.seats[1]!, null, begun.seats[0]!, null];
    expect(names(after({ type: "configured", at: 4, ...settings, start: "full", holders }))).toEqual(["bob", null, "ann", null]);
    expect(names(after({ type: "configured", at: 4, ...settings, start: "full", holders: [] }))).toEqual(["ann", "bob"]);
  });

  it("is approved of as it stands: whatever is changed asks everybody again", () => {
    expect(after(approval, ready(0)).ready).toEqual([0]);
    const changes: Happening[] = [
      { type: "swapped", at: 6, a: 0, b: 1 },
      { type: "stood", at: 6, seat: 1, person: "bob", why: "kicked", bar: false },
      bot,
      sat(1, "cas"),
      { ...approval, at: 6 },
    ];
    for (const change of changes) expect(after(approval, ready(0), change).ready).toEqual([]);
    expect(after(ready(0), sat(1, "cas")).ready).toEqual([0]);
  });

  it("may arrange its people anew when play begins", () => {
    const started = after(ready(1), { type: "started", at: 6, events: ["began"], order: [1, 0] });
    expect(names(started)).toEqual(["bob", "ann"]);
    expect(started.ready).toEqual([0]);
    expect(started.positions).toHaveLength(1);
  });

  it("may be called off", () => {
    expect(after({ type: "closed", at: 4, why: "called_off" })).toMatchObject({ closed: true, closedWhy: "called_off" });
    expect(after({ type: "closed", at: 4, why: "empty" })).toMatchObject({ closed: true, closedWhy: "empty" });
  });
});
