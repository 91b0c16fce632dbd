import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Hall } from "../src/lib/hall/hall.svelte.ts";
import { Refused } from "../src/lib/wire/refused.ts";

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
const settle = () => vi.advanceTimersByTimeAsync(0);

function welcome(): void {
  socket().onopen();
  say({ type: "welcome", person: "ann", name: "Ann", guest: true, now });
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
