import { beforeEach, describe, expect, it, vi } from "vitest";

import { Connection, type Status, type WireEvents } from "../src/lib/wire/connection.ts";
import type { FromClient } from "../src/lib/wire/from_client.ts";
import type { ToClient } from "../src/lib/wire/to_client.ts";

const WELCOME = { type: "welcome", person: "p", name: "Ann", guest: true, now: 1000 } as const;

/** A server that a test plays by hand. */
class Server {
  wires: { events: WireEvents; sent: (FromClient & { id?: number })[]; closed: boolean }[] = [];
  status: Status[] = [];
  heard: ToClient[] = [];
  follows: FromClient[] = [];
  refused: FromClient[] = [];
  introductions = 0;
  online = true;
  connection = new Connection(
    {
      introduce: () => {
        this.introductions++;
        return Promise.resolve();
      },
      connect: (events) => {
        const wire = { events, sent: [] as FromClient[], closed: false };
        this.wires.push(wire);
        return {
          send: (text) => void wire.sent.push(JSON.parse(text) as FromClient),
          close: () => void (wire.closed = true),
        };
      },
      later: (ms, call) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      random: () => 1,
      online: () => this.online,
    },
    {
      status: (status) => void this.status.push(status),
      message: (message) => void this.heard.push(message),
      follows: () => this.follows,
      followRefused: (message) => void this.refused.push(message),
    },
  );

  get wire() {
    return this.wires.at(-1)!;
  }

  say(message: object): void {
    this.wire.events.message(JSON.stringify(message));
  }

  /** Everything asked on this connection, without the question who we are. */
  get asked() {
    return this.wire.sent.filter((message) => message.type !== "ping");
  }

  async welcome(): Promise<void> {
    this.wire.events.opened();
    this.say(WELCOME);
    for (const message of this.asked) this.say({ type: "ok", id: message.id });
    await vi.advanceTimersByTimeAsync(0);
  }

  async loseAndReturn(): Promise<void> {
    this.wire.events.closed();
    await vi.advanceTimersByTimeAsync(1000);
    await this.welcome();
  }
}

describe("the connection", () => {
  let server: Server;

  beforeEach(async () => {
    vi.useFakeTimers();
    server = new Server();
    server.connection.start();
    await server.welcome();
  });

  it("is open once the server has said welcome", () => {
    expect(server.status).toEqual(["connecting", "open"]);
  });

  it("gives each answer to the one who asked", async () => {
    const one = server.connection.request({ type: "rematch", table: "t" });
    const other = server.connection.request({ type: "leave", table: "t" });
    const [first, second] = server.asked;
    server.say({ type: "error", code: "not_seated", message: "No.", id: second?.id });
    server.say({ type: "ok", id: first?.id });
    await expect(one).resolves.toMatchObject({ type: "ok" });
    await expect(other).rejects.toMatchObject({ code: "not_seated", message: "No." });
  });

  it("comes back after a loss, and follows everything again before anything else", async () => {
    server.follows = [{ type: "watch", table: "t", since: 7 }];
    server.wire.events.closed();
    expect(server.connection.status).toBe("away");
    const asked = server.connection.request({ type: "rematch", table: "t" });
    await vi.advanceTimersByTimeAsync(1000);
    server.wire.events.opened();
    server.say(WELCOME);
    expect(server.asked.map((message) => message.type)).toEqual(["watch"]);
    server.say({ type: "ok", id: server.asked[0]?.id });
    await vi.advanceTimersByTimeAsync(0);
    expect(server.asked.map((message) => message.type)).toEqual(["watch", "rematch"]);
    server.say({ type: "ok", id: server.asked[1]?.id });
    await expect(asked).resolves.toBeDefined();
  });

  it("repeats an action whose answer was lost, with what had been seen, and takes a refusal as done", async () => {
    const act = server.connection.request({ type: "act", table: "t", action: { tile: 3 }, seen: 9 });
    await server.loseAndReturn();
    expect(server.asked).toMatchObject([{ type: "act", seen: 9, action: { tile: 3 } }]);
    server.say({ type: "error", code: "stale", message: "Look again.", id: server.asked[0]?.id });
    await expect(act).resolves.toBeDefined();
  });

  it("does not take the first refusal of an action for success", async () => {
    const act = server.connection.request({ type: "act", table: "t", action: { tile: 3 }, seen: 9 });
    server.say({ type: "error", code: "stale", message: "Look again.", id: server.asked[0]?.id });
    await expect(act).rejects.toMatchObject({ code: "stale" });
  });

  it("never opens a second table because an answer was lost", async () => {
    const open = server.connection.request({ type: "open", game: "g" });
    const failed = expect(open).rejects.toMatchObject({ code: "connection_lost" });
    await server.loseAndReturn();
    await failed;
    expect(server.asked).toEqual([]);
  });

  it("says a sentence again only if it is not among what was missed", async () => {
    let arrived = false;
    const say = server.connection.request({ type: "say", text: "hi" }, { isDone: () => arrived });
    await server.loseAndReturn();
    expect(server.asked).toMatchObject([{ type: "say", text: "hi" }]);
    arrived = true;
    await server.loseAndReturn();
    expect(server.asked).toEqual([]);
    await expect(say).resolves.toBeDefined();
  });

  it("sends what was asked while away once, even over several losses", async () => {
    server.wire.events.closed();
    void server.connection.request({ type: "open", game: "g" });
    await vi.advanceTimersByTimeAsync(1000);
    server.wire.events.closed();
    await vi.advanceTimersByTimeAsync(2000);
    await server.welcome();
    expect(server.wires.flatMap((wire) => wire.sent).filter((message) => message.type === "open")).toHaveLength(1);
  });

  it("treats the server's farewell like a lost connection", async () => {
    server.say({ type: "bye", why: "restart" });
    expect(server.connection.status).toBe("away");
    await vi.advanceTimersByTimeAsync(1000);
    await server.welcome();
    expect(server.connection.status).toBe("open");
  });

  it("waits longer each time, and not at all when the network is back", async () => {
    server.wire.events.closed();
    const before = server.wires.length;
    for (const wait of [400, 800, 1600]) {
      await vi.advanceTimersByTimeAsync(wait - 1);
      const attempts = server.wires.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(server.wires.length).toBe(attempts + 1);
      server.wire.events.closed();
    }
    server.connection.hurry();
    expect(server.wires.length).toBe(before + 4);
  });

  it("does not knock while the browser knows that there is no network", async () => {
    server.online = false;
    server.connection.lost();
    const before = server.wires.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.wires.length).toBe(before);
    server.connection.hurry();
    expect(server.wires.length).toBe(before + 1);
  });

  it("finds out that a silent connection is dead", async () => {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.wire.sent.at(-1)).toMatchObject({ type: "ping" });
    await vi.advanceTimersByTimeAsync(6_000);
    expect(server.connection.status).toBe("away");
  });

  it("introduces a stranger and comes in again", async () => {
    const fresh = new Server();
    fresh.connection.start();
    fresh.wire.events.opened();
    fresh.say({ type: "error", code: "hello_first", message: "Say hello.", id: 0 });
    await vi.advanceTimersByTimeAsync(0);
    expect(fresh.introductions).toBe(1);
    await fresh.welcome();
    expect(fresh.connection.status).toBe("open");
  });

  it("hears nothing more of a connection it has let go", async () => {
    const old = server.wire;
    await server.loseAndReturn();
    const heard = server.heard.length;
    old.events.message(JSON.stringify({ type: "pong", now: 1 }));
    old.events.closed();
    expect(server.heard.length).toBe(heard);
    expect(server.connection.status).toBe("open");
  });

  it("tells when something may not be followed", async () => {
    server.connection.follow({ type: "watch", table: "private" });
    server.say({ type: "error", code: "private", message: "No.", id: server.asked.at(-1)?.id });
    await vi.advanceTimersByTimeAsync(0);
    expect(server.refused).toMatchObject([{ table: "private" }]);
  });
});
