import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { shelf } from "../src/games/index.ts";
import { told, type Table } from "../src/lib/hall/table.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import { Eyes } from "../src/routes/table/eyes.svelte.ts";

const OPENED: Happening = {
  type: "opened", at: 1, table: "t", game: "tower", options: {}, seats: 3, clock: { kind: "none" }, start: "full",
  private: true, key: "secret", host: null,
};
const START: Happening = { type: "started", at: 2, events: [{ type: "began" }] };
const move = (seat: number, tile: number): Happening => ({ type: "played", at: 3, seat, events: [{ type: "placed", seat, tile }] });

const news = { type: "events" as const, table: "t", after: 0, stamp: 3, now: 3, phase: "over" as const, awaited: [] };
let table: Table;

/** The server's answers, by address, given when the test says so. */
let answers: Map<string, (events: Happening[]) => void>;

function listen(): void {
  answers = new Map();
  vi.stubGlobal("fetch", (path: string) => {
    return new Promise((resolve) => {
      answers.set(path, (events) => resolve(Response.json({ seq: events.length, events })));
    });
  });
}

beforeAll(async () => {
  await shelf.load("tower");
  const events = [OPENED, START, move(0, 0), move(1, 8)];
  table = told(null, { ...news, seq: 4, events }, (name) => shelf.view(name))!;
});
afterEach(() => vi.unstubAllGlobals());

describe("a finished game through a player's eyes", () => {
  it("is what the server says that this seat saw", async () => {
    listen();
    const eyes = new Eyes();
    const looked = eyes.look(table, 1);
    answers.get("/api/tables/t/log?seat=1&key=secret")!([OPENED, START, move(1, 8)]);
    await looked;
    expect(eyes.seat).toBe(1);
    expect(eyes.positions?.map(({ seat }) => seat)).toEqual([null, 1]);
    await eyes.look(table, null);
    expect([eyes.seat, eyes.positions]).toEqual([null, null]);
  });

  it("is the one that was asked for last, whichever answer comes first", async () => {
    listen();
    const eyes = new Eyes();
    const both = [eyes.look(table, 0), eyes.look(table, 2)];
    answers.get("/api/tables/t/log?seat=2&key=secret")!([OPENED, START]);
    answers.get("/api/tables/t/log?seat=0&key=secret")!([OPENED, START, move(0, 0)]);
    await Promise.all(both);
    expect(eyes.seat).toBe(2);
    expect(eyes.positions).toHaveLength(1);
  });

  it("stays as it was if the server refuses", async () => {
    vi.stubGlobal("fetch", () =>
      Promise.resolve(Response.json({ error: { code: "not_revealed", message: "No." } }, { status: 403 })),
    );
    const eyes = new Eyes();
    await eyes.look(table, 0);
    expect([eyes.seat, eyes.positions]).toEqual([null, null]);
  });
});
