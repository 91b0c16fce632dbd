import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { shelf } from "../src/games/index.ts";
import { Hall } from "../src/lib/hall/hall.svelte.ts";
import type { Happening } from "../src/lib/wire/happenings.ts";
import { Refused } from "../src/lib/wire/refused.ts";
import type { Summary } from "../src/lib/wire/types.ts";

type Message = Record<string, unknown> & { type: string };

/** The server's end of the page's socket, played by hand. */
class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readonly readyState = Socket.OPEN;
  onopen = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  sent: Message[] = [];

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Message);
  }

  close(): void {
    // Whoever closes does not listen any more.
  }
}

const now = 1000;
const person = { id: "ann", name: "Ann", guest: true, created: 0, seen: 0 };
const socket = () => Socket.all.at(-1)!;
const say = (message: Message) => socket().onmessage({ data: JSON.stringify(message) });
const asked = (type: string) => socket().sent.filter((message) => message.type === type);
const answer = (message: Message | undefined) => say({ type: "ok", id: message?.["id"] });
const settle = () => vi.advanceTimersByTimeAsync(0);

function welcome(): void {
  socket().onopen();
  say({ type: "welcome", person: "ann", name: "Ann", guest: true, now, protocol: 1 });
}

async function stranger(): Promise<void> {
  socket().onopen();
  say({ type: "error", code: "hello_first", message: "Say hello.", id: 0 });
  await settle();
}

/** What the server's HTTP API answers, by path. */
let http: Record<string, () => Promise<object> | object>;
let logged: unknown[][];

function fetched(path: string): Promise<Response> {
  return Promise.resolve(http[path]?.() ?? {}).then((body) => {
    const { status = 200, ...rest } = body as { status?: number };
    return new Response(JSON.stringify(Array.isArray(body) ? body : rest), { status });
  });
}

function begun(): Hall {
  const hall = new Hall();
  hall.start();
  return hall;
}

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  logged = [];
  http = { "/api/games": () => [], "/api/guest": () => ({ person }) };
  const page = Object.assign(new EventTarget(), { hidden: true, visibilityState: "hidden" });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", { protocol: "http:", host: "gamut.club:8080" });
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("fetch", fetched);
  vi.spyOn(console, "error").mockImplementation((...words) => void logged.push(words));
});
afterEach(() => vi.unstubAllGlobals());

const OPENED: Happening = {
  type: "opened",
  at: 1,
  table: "t",
  game: "tower",
  options: {},
  seats: 3,
  clock: { kind: "none" },
  start: "full",
  private: false,
  key: "",
  host: "ann",
};
/** A game that was played to its end: what is old must not look as if it happened now. */
const LOG: Happening[] = [
  OPENED,
  ...["ann", "ben", "cas"].map((name, seat): Happening => {
    return { type: "sat", at: 2, seat, sitter: { kind: "person", person: name, name, guest: true, keeps: true } };
  }),
  { type: "started", at: 3, events: [{ type: "began" }] },
  ...[0, 8, 16, 1, 9, 17, 2].map((tile, turn): Happening => {
    const seat = turn % 3;
    return { type: "played", at: 4 + turn, seat, events: [{ type: "placed", seat, tile }] };
  }),
];
const OVER = { phase: "over", awaited: [], outcome: { winners: [0], reason: "line" } };

const stampOf = (seq: number) => LOG[seq - 1]!.at;

function piece(after: number, seq: number, standing: object = OVER): void {
  say({ type: "events", table: "t", after, seq, stamp: stampOf(seq), now, events: LOG.slice(after, seq), ...standing });
}

describe("a long log that comes in pieces", () => {
  let hall: Hall;

  beforeAll(() => shelf.load("tower"));
  beforeEach(() => {
    hall = begun();
    welcome();
  });

  const followed = () => hall.followTable("t", { history: true });

  it("is shown when all of it is here, and asked for once", async () => {
    const store = followed();
    expect(asked("watch")).toMatchObject([{ since: 0 }]);
    for (const [after, seq] of [[0, 3], [3, 7], [7, 9], [9, LOG.length]] as const) {
      piece(after, seq);
      expect(store.table).toBe(null);
    }
    answer(asked("watch")[0]);
    await settle();
    expect(store.table).toMatchObject({ seq: LOG.length, phase: "over", complete: true });
    expect(store.table?.positions).toHaveLength(8);
    expect(asked("watch")).toHaveLength(1);
  });

  it("leaves what is on the page until all that was missed is here", async () => {
    const store = followed();
    piece(0, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    const before = store.table;
    expect(before).toMatchObject({ seq: 6, phase: "playing" });

    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toMatchObject([{ since: 6 }]);
    // As it was then, or as it is now: either way it is not yet to be seen.
    piece(6, 8, { phase: "playing", awaited: [0] });
    piece(8, 10);
    expect(store.table).toBe(before);
    piece(10, LOG.length);
    expect(store.table).toBe(before);
    answer(asked("watch")[0]);
    expect(store.table).toMatchObject({ seq: LOG.length, phase: "over" });
    expect(asked("watch")).toHaveLength(1);
  });

  it("goes on where it stopped if the connection is lost in between", async () => {
    const store = followed();
    piece(0, 4);
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toMatchObject([{ since: 4 }]);
    expect(store.table).toBe(null);
    piece(4, LOG.length);
    answer(asked("watch")[0]);
    expect(store.table).toMatchObject({ seq: LOG.length, complete: true });
  });

  it("is followed by live events, which are shown as they come", async () => {
    const store = followed();
    piece(0, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    piece(6, 7, { phase: "playing", awaited: [2] });
    expect(store.table).toMatchObject({ seq: 7, awaited: [2] });
  });

  it("asks for what is missing, from where it is, and keeps the table meanwhile", async () => {
    const store = followed();
    piece(0, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    const before = store.table;
    piece(8, 9, { phase: "playing", awaited: [1] });
    expect(asked("watch")).toMatchObject([{ since: 0 }, { since: 6 }]);
    expect(store.table).toBe(before);
    piece(6, 9, { phase: "playing", awaited: [1] });
    answer(asked("watch")[1]);
    expect(store.table).toMatchObject({ seq: 9 });
  });

  it("is waited for when something newer is told before its end", async () => {
    const store = followed();
    piece(0, 4);
    piece(9, 10);
    piece(4, 10);
    expect(asked("watch")).toHaveLength(1);
    answer(asked("watch")[0]);
    expect(store.table).toMatchObject({ seq: 10 });
    expect(asked("watch")).toHaveLength(1);
  });

  it("is asked for again if it has come and something is still missing", async () => {
    const store = followed();
    piece(0, 6, { phase: "playing", awaited: [1] });
    piece(8, 9, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    expect(asked("watch")).toMatchObject([{ since: 0 }, { since: 6 }]);
    piece(6, 9, { phase: "playing", awaited: [1] });
    answer(asked("watch")[1]);
    expect(store.table).toMatchObject({ seq: 9 });
    expect(asked("watch")).toHaveLength(2);
  });

  it("begins anew when the server knows another past", async () => {
    const store = followed();
    piece(0, 9, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toMatchObject([{ since: 9, stamp: stampOf(9) }]);
    // Its disk lost the last moves, and others were played since.
    say({
      type: "table", table: "t", seq: 9, stamp: 99, now, game: "tower", options: {}, seats: [null, null, null],
      you: null, host: "ann", start: "full", clock: { kind: "none" }, times: null, state: null, opened: 1, watchers: 0,
      phase: "playing", awaited: [1],
    });
    answer(asked("watch")[0]);
    expect(asked("watch")[1]).toMatchObject({ since: 0 });
    expect(asked("watch")[1]).not.toHaveProperty("stamp");
    piece(0, 7, { phase: "playing", awaited: [2] });
    answer(asked("watch")[1]);
    expect(store.table).toMatchObject({ seq: 7, awaited: [2], complete: true });
  });

  it("takes the place of a picture that came first", async () => {
    hall.followTable("t", { history: false });
    const store = followed();
    const [glance, watch] = asked("watch");
    expect(watch).toMatchObject({ since: 0 });
    say({
      type: "table", table: "t", seq: LOG.length, stamp: stampOf(LOG.length), now, game: "tower", options: {}, seats: [null, null, null],
      you: null, host: "ann", start: "full", clock: { kind: "none" }, times: null, state: null, opened: 1, watchers: 0,
      ...OVER,
    });
    answer(glance);
    piece(0, 5);
    piece(5, LOG.length);
    answer(watch);
    expect(store.table).toMatchObject({ seq: LOG.length, complete: true });
  });

  it("is counted among one's games when it has come", () => {
    followed();
    piece(0, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
    expect(hall.me.tables).toEqual(["t"]);
  });
});

describe("somebody who takes another name on another device", () => {
  it("is called by that here, too", () => {
    const hall = begun();
    welcome();
    say({ type: "renamed", name: "Annemarie" });
    expect(hall.me.name).toBe("Annemarie");
  });
});

describe("a game that is seen with other eyes", () => {
  const picture = (seq: number, more: object = {}) =>
    say({
      type: "table", table: "t", seq, stamp: stampOf(seq), now, game: "tower", options: {}, seats: [null, null, null],
      you: null, host: "ann", start: "full", clock: { kind: "none" }, times: null, state: null, opened: 1, watchers: 0,
      phase: "playing", awaited: [1], ...more,
    });
  let hall: Hall;
  let store: ReturnType<Hall["followTable"]>;

  beforeEach(async () => {
    // Also where things are hidden.
    http["/api/games"] = () => [{ name: "tower", hidden: true }];
    hall = begun();
    welcome();
    await settle();
    store = hall.followTable("t", { history: true });
    piece(0, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[0]);
  });

  it("is asked for from its beginning, once, and stays on the page meanwhile", () => {
    const before = store.table;
    picture(6, { anew: true });
    expect(asked("watch")).toMatchObject([{ since: 0 }, { since: 0 }]);
    expect(asked("watch")[1]).not.toHaveProperty("stamp");
    expect(store.table).toBe(before);
    piece(0, 3, { phase: "playing", awaited: [1] });
    expect(store.table).toBe(before);
    piece(3, 6, { phase: "playing", awaited: [1] });
    answer(asked("watch")[1]);
    expect(store.table).not.toBe(before);
    expect(store.table).toMatchObject({ seq: 6, complete: true });
    piece(6, 7, { phase: "playing", awaited: [2] });
    expect(store.table).toMatchObject({ seq: 7 });
    expect(asked("watch")).toHaveLength(2);
  });

  it("is not asked for because of a picture that says nothing of the kind", () => {
    for (let time = 0; time < 5; time++) picture(6);
    expect(asked("watch")).toHaveLength(1);
    expect(store.table).toMatchObject({ seq: 6, complete: true });
  });

  it("is not asked for again and again by a page whose question is answered with a picture", () => {
    picture(6, { anew: true });
    for (let time = 0; time < 5; time++) {
      picture(6);
      answer(asked("watch").at(-1));
    }
    expect(asked("watch")).toHaveLength(2);
  });

  it("is asked for from its beginning also on the next connection", async () => {
    picture(6, { anew: true });
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toMatchObject([{ since: 0 }]);
    piece(0, 7, { phase: "playing", awaited: [2] });
    answer(asked("watch")[0]);
    expect(store.table).toMatchObject({ seq: 7, complete: true });
  });

  it("is told of what happens while its history is on the way", () => {
    picture(6, { anew: true });
    piece(6, 7, { phase: "playing", awaited: [2] });
    piece(0, 7, { phase: "playing", awaited: [2] });
    answer(asked("watch")[1]);
    expect(store.table).toMatchObject({ seq: 7, complete: true });
    expect(asked("watch")).toHaveLength(2);
  });
});

describe("a table whose password guards watching", () => {
  const refuse = (message: Message | undefined, code: string) =>
    say({ type: "error", code, message: "No.", id: message?.["id"] });

  it("is asked for again with the password, also after a lost connection", async () => {
    const hall = begun();
    welcome();
    const store = hall.followTable("t", { history: true });
    refuse(asked("watch").at(-1), "locked");
    expect(store.error?.code).toBe("locked");
    expect(asked("watch")[0]).not.toHaveProperty("password");

    hall.followWith(store, "tuna");
    expect(asked("watch")).toMatchObject([{}, { password: "tuna" }]);
    refuse(asked("watch").at(-1), "wrong_password");
    expect(store.error?.code).toBe("wrong_password");
    hall.followWith(store, "swordfish");
    piece(0, LOG.length);
    answer(asked("watch").at(-1));
    expect(store.error).toBe(null);
    expect(store.table).toMatchObject({ seq: LOG.length });

    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toMatchObject([{ since: LOG.length, password: "swordfish" }]);
  });

  it("is not told a wrong password on the next connection", async () => {
    const hall = begun();
    welcome();
    const store = hall.followTable("t", { history: true });
    hall.followWith(store, "tuna");
    refuse(asked("watch").at(-1), "wrong_password");
    socket().onclose({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    welcome();
    expect(asked("watch")).toHaveLength(1);
    expect(asked("watch")[0]).not.toHaveProperty("password");
  });
});

describe("a lobby that comes in pieces", () => {
  const summary = (id: string): Summary =>
    ({ id, game: "tower", phase: "setup", seats: [], opened: 0, changed: 0 }) as unknown as Summary;
  const ids = (hall: Hall) => [...hall.lobby.tables.keys()];

  it("is shown whole, also after a lost connection", async () => {
    const hall = begun();
    hall.followLobby();
    for (const visit of [1, 2]) {
      welcome();
      say({ type: "lobby", now, tables: [summary("a")], here: visit, said: [] });
      expect(ids(hall)).toEqual(visit === 1 ? [] : ["a", "b", "c"]);
      say({ type: "lobby_changed", here: visit, changed: [summary("b")] });
      say({ type: "lobby_changed", here: visit, changed: [summary("c")] });
      expect(ids(hall)).toEqual(visit === 1 ? [] : ["a", "b", "c"]);
      expect(hall.lobby.known).toBe(visit === 2);
      answer(asked("lobby")[0]);
      expect(ids(hall)).toEqual(["a", "b", "c"]);
      expect(hall.lobby).toMatchObject({ known: true, here: visit });
      expect(asked("lobby")).toHaveLength(1);
      if (visit === 1) {
        socket().onclose({ code: 1006 });
        await vi.advanceTimersByTimeAsync(1000);
      }
    }
  });

  it("is shown at once if it comes unasked, in the place of what was known", () => {
    const hall = begun();
    hall.followLobby();
    welcome();
    say({ type: "lobby", now, tables: [summary("a"), summary("b")], here: 2, said: [] });
    answer(asked("lobby")[0]);
    say({ type: "lobby", now, tables: [summary("b")], here: 1, said: [], anew: true });
    expect(ids(hall)).toEqual(["b"]);
    say({ type: "lobby_changed", here: 1, changed: [summary("c")] });
    expect(ids(hall)).toEqual(["b", "c"]);
    expect(hall.lobby).toMatchObject({ known: true, here: 1 });
    expect(asked("lobby")).toHaveLength(1);
  });

  it("takes what comes after the answer, too", () => {
    const hall = begun();
    hall.followLobby();
    welcome();
    say({ type: "lobby", now, tables: [summary("a")], here: 1, said: [] });
    answer(asked("lobby")[0]);
    say({ type: "lobby_changed", here: 2, changed: [summary("b")], gone: ["a"] });
    expect(ids(hall)).toEqual(["b"]);
    expect(asked("lobby")).toHaveLength(1);
  });
});

describe("coming in", () => {
  it("tells what went wrong, goes on trying, and forgets it when it works", async () => {
    const hall = begun();
    http["/api/guest"] = () => ({ status: 503, error: { code: "busy", message: "Come back in a moment." } });
    await stranger();
    expect(hall.trouble).toMatchObject({ code: "busy", message: "Come back in a moment." });
    expect(logged).toHaveLength(1);
    expect(hall.status).toBe("away");
    http["/api/guest"] = () => ({ person });
    hall.tryAgain();
    await stranger();
    welcome();
    await settle();
    expect(hall.trouble).toBe(null);
    expect(hall.status).toBe("open");
  });

  it("says so, and makes no guest after the other, if the browser keeps no cookie", async () => {
    const hall = begun();
    const guests = vi.fn(() => ({ person }));
    http["/api/guest"] = guests;
    await stranger();
    await stranger();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(guests).toHaveBeenCalledOnce();
    expect(hall.status).toBe("shut");
    expect(hall.trouble).toMatchObject({ why: "not_kept" });
    hall.tryAgain();
    await stranger();
    expect(guests).toHaveBeenCalledTimes(2);
  });

  it("tells that the games could not be read", async () => {
    http["/api/games"] = () => ({ status: 500, error: { code: "failed", message: "Broken." } });
    const hall = begun();
    welcome();
    await settle();
    expect(hall.trouble).toMatchObject({ message: "Broken." });
    http["/api/games"] = () => [];
    hall.tryAgain();
    welcome();
    await settle();
    expect(hall.games).toEqual([]);
    expect(hall.trouble).toBe(null);
  });

  it("tells that the lobby may not be seen", () => {
    const hall = begun();
    hall.followLobby();
    welcome();
    say({ type: "error", code: "too_fast", message: "Slow down.", id: asked("lobby")[0]?.["id"] });
    expect(hall.trouble).toMatchObject({ message: "Slow down." });
  });
});

describe("who one is", () => {
  let hall: Hall;

  beforeEach(async () => {
    hall = begun();
    welcome();
    await settle();
  });

  const expel = async (): Promise<void> => {
    const { onmessage, onclose } = socket();
    onmessage({ data: JSON.stringify({ type: "error", code: "logged_out", message: "You were logged out." }) });
    onclose({ code: 4001 });
    await settle();
  };

  it("changes with one new connection, when the new cookie is there and not before", async () => {
    const registered = hall.changeWhoIAm(async () => {
      await expel();
      expect(Socket.all).toHaveLength(1);
      return { person: { ...person, guest: false } };
    });
    await registered;
    expect(Socket.all).toHaveLength(2);
    expect(hall.status).toBe("connecting");
    welcome();
    await settle();
    expect(hall.status).toBe("open");
    expect(hall.trouble).toBe(null);
    expect(logged).toEqual([]);
  });

  it("stays the same, on the same connection, if the server refuses", async () => {
    const refused = hall.changeWhoIAm(() => Promise.reject(new Refused("name_taken", "Taken.")));
    await expect(refused).rejects.toMatchObject({ code: "name_taken" });
    expect(Socket.all).toHaveLength(1);
    expect(hall.status).toBe("open");
  });

  it("is never changed into a new guest by the server alone", async () => {
    const guests = vi.fn(() => ({ person }));
    http["/api/guest"] = guests;
    await expel();
    await stranger();
    expect(guests).not.toHaveBeenCalled();
    expect(hall.status).toBe("shut");
    expect(hall.trouble).toMatchObject({ why: "logged_out" });
    hall.tryAgain();
    await stranger();
    expect(guests).toHaveBeenCalledOnce();
  });

  it("is a new guest after logging out", async () => {
    await hall.changeWhoIAm(() => Promise.resolve({}));
    await stranger();
    welcome();
    await settle();
    expect(hall.status).toBe("open");
    expect(hall.trouble).toBe(null);
  });
});
