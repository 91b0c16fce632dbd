import { beforeEach, describe, expect, it, vi } from "vitest";

import type { AnyGame } from "../src/games/game.ts";
import { hall } from "../src/lib/hall/hall.svelte.ts";
import { TableStore } from "../src/lib/hall/table_store.svelte.ts";
import type { RequestOptions } from "../src/lib/wire/connection.ts";
import type { FromClient } from "../src/lib/wire/from_client.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import { Refused } from "../src/lib/wire/refused.ts";
import type { ToClient } from "../src/lib/wire/to_client.ts";
import { toasts } from "../src/lib/toasts.svelte.ts";
import { AtTable } from "../src/routes/table/at_table.svelte.ts";

// The page knows its address from the first moment on.
vi.hoisted(() => {
  vi.stubGlobal("location", new URL("http://gamut.club/t/t"));
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

/** A game that does not know what may be done: an action is a letter, chosen by that letter. */
const letters = {
  evolve: (state: string | null, event: string) => `${state ?? ""}${event}`,
  path: (action: string) => [action],
} as unknown as AnyGame;

vi.mock("../src/games/index.ts", async (original) => ({ ...(await original<object>()), gameView: () => letters }));

interface Asked {
  message: FromClient;
  options: RequestOptions;
  answer: (message: ToClient) => void;
  refuse: (error: Refused) => void;
}

let asked: Asked[];
let store: TableStore;
let at: AtTable;

function told(after: number, events: Happening[], awaited: number[]): void {
  const seq = after + events.length;
  store.happened({ type: "events", table: "t", after, seq, stamp: seq, now: 0, phase: "playing", awaited, events });
}

const played = (seat: number, letter: string, why: "acted" | "flagged" = "acted"): Happening => ({
  type: "played",
  at: 5,
  seat,
  events: [letter],
  why,
});
const said: Happening = { type: "said", at: 5, person: "ben", name: "Ben", text: "hm", room: "table" };
const paths = () => at.ways?.map(({ path }) => path.join()) ?? null;
const settle = () => new Promise((resolve) => setTimeout(resolve));

async function tell(request: Asked | undefined, seq: number, actions: string[]): Promise<void> {
  request?.answer({ type: "legal", table: "t", seq, actions });
  await settle();
}

beforeEach(() => {
  asked = [];
  toasts.list = [];
  hall.me.id = "ann";
  vi.spyOn(hall, "ask").mockImplementation(
    (message, options = {}) =>
      new Promise((answer, refuse) => void asked.push({ message, options, answer, refuse })),
  );
  store = new TableStore("t");
  store.history = true;
  at = new AtTable(store);
  const sat = ["ann", "ben"].map(
    (person, seat): Happening => ({
      type: "sat",
      at: 2,
      seat,
      sitter: { kind: "person", person, name: person, guest: true, keeps: true },
    }),
  );
  const opened: Happening = {
    type: "opened",
    at: 1,
    table: "t",
    game: "letters",
    options: {},
    seats: 2,
    clock: { kind: "none" },
    start: "full",
    private: false,
    key: "",
    host: "ann",
  };
  told(0, [opened, ...sat, { type: "started", at: 3, events: ["-"] }], [0, 1]);
  at.shown = at.last;
});

describe("what may be done, in a game that only the server knows", () => {
  it("is not known until the server has told it", async () => {
    expect(at.needsTelling).toBe(true);
    expect(paths()).toBe(null);
    expect([...at.choosing.next]).toEqual([]);
    void at.learnActions();
    expect(asked.map(({ message }) => message)).toEqual([{ type: "legal", table: "t" }]);
    await tell(asked[0], 4, ["a", "b"]);
    expect(paths()).toEqual(["a", "b"]);
    expect([...at.choosing.next]).toEqual(["a", "b"]);
  });

  it("stays what it is while people talk, and is not known any more when somebody has moved", async () => {
    void at.learnActions();
    await tell(asked[0], 4, ["a", "b"]);
    told(4, [said], [0, 1]);
    expect(paths()).toEqual(["a", "b"]);
    told(5, [played(1, "x")], [0]);
    at.shown = at.last;
    expect(paths()).toBe(null);
  });

  it("is not what an answer says that comes too late, or too early", async () => {
    void at.learnActions();
    told(4, [played(1, "x")], [0]);
    at.shown = at.last;
    await tell(asked[0], 4, ["a", "b"]);
    expect(paths()).toBe(null);
    void at.learnActions();
    await tell(asked[1], 6, ["a"]);
    expect(paths()).toBe(null);
    told(5, [said], [0]);
    expect(paths()).toEqual(["a"]);
  });

  it("is not asked for when it is the turn of others, or while an old position is looked at", () => {
    told(4, [played(0, "a")], [1]);
    expect(at.needsTelling).toBe(false);
    expect(paths()).toEqual([]);
    told(5, [played(1, "x")], [0, 1]);
    at.looking = 0;
    expect(paths()).toEqual([]);
  });
});

describe("an action whose answer is lost with the connection", () => {
  beforeEach(async () => {
    void at.learnActions();
    await tell(asked[0], 4, ["a", "b"]);
    at.choosing.pick("b");
    asked.shift();
  });

  it("says what had been seen, and is on its way meanwhile", () => {
    expect(asked[0]?.message).toEqual({ type: "act", table: "t", action: "b", seen: 4 });
    expect(at.choosing.pending).toBe("b");
    expect(at.choosing.sending).toBe(true);
  });

  it("is done if this seat is seen to have acted since, and not if others have, or the clock", () => {
    const isDone = asked[0]!.options.isDone!;
    expect(isDone()).toBe(false);
    told(4, [played(1, "x"), played(0, "?", "flagged")], [0, 1]);
    expect(isDone()).toBe(false);
    told(6, [played(0, "b")], [1]);
    expect(isDone()).toBe(true);
  });

  it("is not passed over in silence if something else came first: the player hears of it, and chooses anew", async () => {
    told(4, [played(0, "?", "flagged")], [0, 1]);
    at.shown = at.last;
    asked[0]?.refuse(new Refused("stale", "Look again."));
    await settle();
    expect(toasts.list.map(({ text }) => text)).toEqual([expect.stringContaining("choose anew")]);
    expect(at.choosing.sending).toBe(false);
    void at.learnActions();
    await tell(asked[1], 5, ["a"]);
    expect([...at.choosing.next]).toEqual(["a"]);
  });
});
