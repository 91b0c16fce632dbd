import { beforeEach, describe, expect, it, vi } from "vitest";

import { Connection, type Status, type WireEvents } from "../src/lib/wire/connection.ts";
import type { FromClient } from "../src/lib/wire/from_client.ts";
import type { ToClient } from "../src/lib/wire/to_client.ts";

const WELCOME = { type: "welcome", person: "p", name: "Ann", guest: true, now: 1000, protocol: 1 } as const;

/** A server that a test plays by hand. */
class Server {
  wires: { events: WireEvents; sent: (FromClient & { id?: number })[]; closed: boolean }[] = [];
  status: Status[] = [];
  heard: ToClient[] = [];
  follows: FromClient[] = [];
  refused: FromClient[] = [];
  introductions = 0;
  /** What comes of being introduced. */
  introduced: () => Promise<boolean> = () => Promise.resolve(true);
  settled: Promise<void> = Promise.resolve();
  online = true;
  connection = new Connection(
    {
      introduce: () => {
        this.introductions++;
        return this.introduced();
      },
      settled: () => this.settled,
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
      following: () => undefined,
      followed: (message, refused) => {
        if (refused !== null) this.refused.push(message);
      },
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
    this.lose();
    await vi.advanceTimersByTimeAsync(1000);
    await this.welcome();
  }

  lose(code = 1006): void {
    this.wire.events.closed(code);
  }

  /** The session is void; the server says so and closes. */
  async expel(): Promise<void> {
    const { events } = this.wire;
    events.message(JSON.stringify({ type: "error", code: "logged_out", message: "You were logged out." }));
    events.closed(4001);
    await vi.advanceTimersByTimeAsync(0);
  }

  async stranger(): Promise<void> {
    this.wire.events.opened();
    this.say({ type: "error", code: "hello_first", message: "Say hello.", id: 0 });
    await vi.advanceTimersByTimeAsync(0);
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
    server.lose();
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

  it("repeats an action whose answer was lost, with what had been seen", async () => {
    const act = server.connection.request({ type: "act", table: "t", action: { tile: 3 }, seen: 9 }, { isDone: () => false });
    await server.loseAndReturn();
    expect(server.asked).toMatchObject([{ type: "act", seen: 9, action: { tile: 3 } }]);
    server.say({ type: "ok", id: server.asked[0]?.id });
    await expect(act).resolves.toBeDefined();
  });

  it("does not repeat an action that is seen to be done", async () => {
    const act = server.connection.request({ type: "act", table: "t", action: { tile: 3 }, seen: 9 }, { isDone: () => true });
    await server.loseAndReturn();
    expect(server.asked).toEqual([]);
    await expect(act).resolves.toBeDefined();
  });

  it("takes the refusal of a repeated action for success only if the action is seen to be done", async () => {
    let done = false;
    const refusedAgain = async () => {
      const act = server.connection.request({ type: "act", table: "t", action: { tile: 3 }, seen: 9 }, { isDone: () => done });
      await server.loseAndReturn();
      const [again] = server.asked;
      return { act, refuse: () => server.say({ type: "error", code: "stale", message: "Look again.", id: again?.id }) };
    };
    const lost = await refusedAgain();
    lost.refuse();
    await expect(lost.act).rejects.toMatchObject({ code: "stale" });
    // The first one was still on its way when we came back, and was told of before the second was refused.
    const slow = await refusedAgain();
    done = true;
    slow.refuse();
    await expect(slow.act).resolves.toBeDefined();
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
    server.lose();
    void server.connection.request({ type: "open", game: "g" });
    await vi.advanceTimersByTimeAsync(1000);
    server.lose();
    await vi.advanceTimersByTimeAsync(2000);
    await server.welcome();
    expect(server.wires.flatMap((wire) => wire.sent).filter((message) => message.type === "open")).toHaveLength(1);
  });

  it("does not do long after what was asked in order to go somewhere", async () => {
    server.lose();
    const late = server.connection.request({ type: "open", game: "g" });
    const refused = expect(late).rejects.toMatchObject({ code: "not_sent" });
    const move = server.connection.request({ type: "act", table: "t", action: {}, seen: 1 });
    void move.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(9_000);
    await refused;
    await server.welcome();
    expect(server.asked.map(({ type }) => type)).toEqual(["act"]);
  });

  it("treats the server's farewell like a lost connection", async () => {
    server.say({ type: "bye", why: "restart" });
    expect(server.connection.status).toBe("away");
    await vi.advanceTimersByTimeAsync(1000);
    await server.welcome();
    expect(server.connection.status).toBe("open");
  });

  it("waits longer each time, and not at all when the network is back", async () => {
    server.lose();
    const before = server.wires.length;
    for (const wait of [400, 800, 1600]) {
      await vi.advanceTimersByTimeAsync(wait - 1);
      const attempts = server.wires.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(server.wires.length).toBe(attempts + 1);
      server.lose();
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
    await fresh.stranger();
    expect(fresh.introductions).toBe(1);
    await fresh.welcome();
    expect(fresh.connection.status).toBe("open");
  });

  it("hears nothing more of a connection it has let go", async () => {
    const old = server.wire;
    await server.loseAndReturn();
    const heard = server.heard.length;
    old.events.message(JSON.stringify({ type: "pong", now: 1 }));
    old.events.closed(1006);
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

describe("a session that changes", () => {
  let server: Server;

  beforeEach(async () => {
    vi.useFakeTimers();
    server = new Server();
    server.follows = [{ type: "watch", table: "t", since: 7 }];
    server.connection.start();
    await server.welcome();
    server.status = [];
  });

  it("is taken up at once and without a word when another tab has changed it", async () => {
    const asked = server.connection.request({ type: "act", table: "t", action: 1, seen: 7 });
    await server.expel();
    expect(server.wires).toHaveLength(2);
    await server.welcome();
    expect(server.status).toEqual(["connecting", "open"]);
    expect(server.asked.map((message) => message.type)).toEqual(["watch", "act"]);
    server.say({ type: "ok", id: server.asked[1]?.id });
    await expect(asked).resolves.toBeDefined();
    expect(server.heard.filter((message) => message.type === "error")).toEqual([]);
    expect(server.introductions).toBe(0);
  });

  it("is known by the close code alone, too", async () => {
    server.lose(4001);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.wires).toHaveLength(2);
    expect(server.status).toEqual(["connecting"]);
  });

  it("is waited for until whoever changes it has done so", async () => {
    let settle: () => void = () => undefined;
    server.settled = new Promise((resolve) => (settle = resolve));
    await server.expel();
    expect(server.wires).toHaveLength(1);
    settle();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.wires).toHaveLength(2);
  });

  it("leads to being logged out only if the one silent return is refused", async () => {
    server.introduced = () => Promise.resolve(false);
    await server.expel();
    await server.stranger();
    expect(server.introductions).toBe(1);
    expect(server.connection.status).toBe("shut");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(server.wires).toHaveLength(2);
    server.connection.renew();
    await server.welcome();
    expect(server.connection.status).toBe("open");
  });

  it("is not taken up in haste again and again", async () => {
    await server.expel();
    await server.expel();
    expect(server.wires).toHaveLength(2);
    expect(server.connection.status).toBe("away");
    await vi.advanceTimersByTimeAsync(400);
    expect(server.wires).toHaveLength(3);
  });

  it("is taken up silently each time it has changed", async () => {
    for (const connections of [2, 3, 4]) {
      await server.expel();
      expect(server.wires).toHaveLength(connections);
      await server.welcome();
    }
    expect(server.status).not.toContain("away");
  });

  it("lets nothing be said while it changes, and says it once afterwards", async () => {
    server.connection.pause();
    const said = server.connection.request({ type: "say", text: "hi" });
    server.connection.tell({ type: "unwatch", table: "u" });
    expect(server.asked.map((message) => message.type)).toEqual(["watch"]);
    // The server closes what came in with the old session before it answers.
    await server.expel();
    await vi.advanceTimersByTimeAsync(60_000);
    server.connection.hurry();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.wires).toHaveLength(1);
    expect(server.connection.status).toBe("open");
    server.connection.resume(true);
    await server.welcome();
    expect(server.asked.map((message) => message.type)).toEqual(["watch", "say"]);
    server.say({ type: "ok", id: server.asked[1]?.id });
    await expect(said).resolves.toBeDefined();
    expect(server.status).toEqual(["connecting", "open"]);
  });

  it("keeps the connection if it was not changed after all", async () => {
    const before = server.connection.request({ type: "open", game: "g" });
    server.connection.pause();
    const meanwhile = server.connection.request({ type: "rematch", table: "t" });
    server.connection.resume(false);
    expect(server.asked.map((message) => message.type)).toEqual(["watch", "open", "rematch"]);
    expect(server.wires).toHaveLength(1);
    for (const message of server.asked) server.say({ type: "ok", id: message.id });
    await expect(before).resolves.toBeDefined();
    await expect(meanwhile).resolves.toBeDefined();
    expect(server.status).toEqual([]);
  });

  it("comes back if the connection was lost while it did not change", async () => {
    server.connection.pause();
    server.lose();
    server.connection.resume(false);
    await server.welcome();
    expect(server.connection.status).toBe("open");
  });

  it("is not taken up in the middle of an introduction", async () => {
    let known: (_: boolean) => void = () => undefined;
    server.introduced = () => new Promise((resolve) => (known = resolve));
    await server.expel();
    await server.stranger();
    server.connection.renew();
    expect(server.wires).toHaveLength(2);
    known(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(server.wires).toHaveLength(3);
  });
});

it("an introduction that fails is tried again by itself", async () => {
  vi.useFakeTimers();
  const server = new Server();
  server.introduced = () => Promise.reject(new TypeError("no answer"));
  server.connection.start();
  await server.stranger();
  expect(server.connection.status).toBe("away");
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.wires).toHaveLength(2);
});
