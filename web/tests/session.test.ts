import { beforeEach, describe, expect, it, vi } from "vitest";

import { Claim, LIFE, SETTLING, type Shared } from "../src/lib/session/claim.ts";
import { Session } from "../src/lib/session/session.ts";

/** What one browser keeps for its tabs: each sees its own changes at once, and those of the others a little later. */
class Browser {
  #tabs: Tab[] = [];

  constructor(private readonly delay: number) {}

  tab(): Shared {
    const mine: Tab = { sees: new Map(), underWay: 0, listeners: new Set() };
    this.#tabs.push(mine);
    return {
      read: (key) => mine.sees.get(key) ?? null,
      write: (key, value) => {
        mine.sees.set(key, value);
        mine.underWay++;
        // All tabs get all changes in one order.
        setTimeout(() => this.#arrived(mine, key, value), this.delay);
      },
      onChange: (key, call) => {
        const listener = (changed: string) => {
          if (changed === key) call();
        };
        mine.listeners.add(listener);
        return () => void mine.listeners.delete(listener);
      },
    };
  }

  #arrived(from: Tab, key: string, value: string | null): void {
    from.underWay--;
    for (const tab of this.#tabs) {
      if (tab === from) continue;
      // What it has written itself meanwhile comes later in that order.
      if (tab.underWay === 0) tab.sees.set(key, value);
      for (const listener of [...tab.listeners]) listener(key);
    }
  }
}

interface Tab {
  sees: Map<string, string | null>;
  underWay: number;
  listeners: Set<(key: string) => void>;
}

/** Work that ends when the test says so. */
function task(name: string, log: string[]): { work: () => Promise<string>; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { work, end: () => end() };
}

beforeEach(() => vi.useFakeTimers());

describe("a claim among tabs", () => {
  it.each([0, 10, SETTLING / 2 - 1])("is one tab's at a time, if a change is seen after %i ms", async (delay) => {
    const [browser, log] = [new Browser(delay), [] as string[]];
    const [one, other] = [task("one", log), task("other", log)];
    const claims = ["a", "b"].map((tab) => new Claim("k", browser.tab(), tab));
    const both = [claims[0]!.hold(one.work), claims[1]!.hold(other.work)];
    await vi.advanceTimersByTimeAsync(10 * LIFE);
    expect(log).toHaveLength(1);
    one.end();
    other.end();
    await vi.advanceTimersByTimeAsync(LIFE);
    await Promise.all(both);
    expect(log.map((line) => line.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"]);
  });

  it("goes on to the next tab as soon as it is given up, also by an error", async () => {
    const browser = new Browser(1);
    const [one, other] = [new Claim("k", browser.tab(), "a"), new Claim("k", browser.tab(), "b")];
    let fail: () => void = () => undefined;
    const failing = one.hold(() => new Promise((_, reject) => (fail = () => reject(new Error("no")))));
    const failed = expect(failing).rejects.toThrow("no");
    await vi.advanceTimersByTimeAsync(SETTLING + 5);
    const next = vi.fn(() => Promise.resolve());
    void other.hold(next);
    await vi.advanceTimersByTimeAsync(10 * LIFE);
    expect(next).not.toHaveBeenCalled();
    fail();
    await failed;
    await vi.advanceTimersByTimeAsync(SETTLING + 5);
    expect(next).toHaveBeenCalledOnce();
  });

  it("tells whoever had to wait for it", async () => {
    const browser = new Browser(1);
    const [one, other] = [new Claim("k", browser.tab(), "a"), new Claim("k", browser.tab(), "b")];
    const waited: boolean[] = [];
    const work = (had: boolean) => Promise.resolve(void waited.push(had));
    void one.hold(work);
    void other.hold(work);
    await vi.advanceTimersByTimeAsync(LIFE);
    void one.hold(work);
    await vi.advanceTimersByTimeAsync(LIFE);
    expect(waited).toEqual([false, true, false]);
  });

  it("ends by itself when its tab was closed in the middle", async () => {
    const browser = new Browser(1);
    const [closed, other] = [browser.tab(), browser.tab()];
    closed.write("k", `a ${Date.now() + LIFE}`);
    await vi.advanceTimersByTimeAsync(1);
    const work = vi.fn(() => Promise.resolve());
    void new Claim("k", other, "b").hold(work);
    await vi.advanceTimersByTimeAsync(LIFE - 2);
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(SETTLING + 2);
    expect(work).toHaveBeenCalledOnce();
  });

  it.each(["", "nonsense", "a never", `a ${Number.MAX_SAFE_INTEGER}`])("is not held by %j", async (left) => {
    const tab = new Browser(1).tab();
    tab.write("k", left);
    const work = vi.fn(() => Promise.resolve());
    void new Claim("k", tab, "b").hold(work);
    await vi.advanceTimersByTimeAsync(SETTLING);
    expect(work).toHaveBeenCalledOnce();
  });

  it("keeps two works of one tab apart", async () => {
    const log: string[] = [];
    const claim = new Claim("k", new Browser(1).tab(), "a");
    const [one, other] = [task("one", log), task("other", log)];
    const both = [claim.hold(one.work), claim.hold(other.work)];
    await vi.advanceTimersByTimeAsync(LIFE);
    other.end();
    one.end();
    await vi.advanceTimersByTimeAsync(LIFE);
    await Promise.all(both);
    expect(log).toEqual(["one begins", "one ends", "other begins", "other ends"]);
  });
});

describe("the session of a browser", () => {
  const sessions = (count: number) => {
    const browser = new Browser(1);
    return Array.from({ length: count }, (_, tab) => {
      const shared = browser.tab();
      const claim = new Claim("k", shared, String(tab));
      return new Session((work) => claim.hold(work), shared);
    });
  };

  it("is told to the other tabs when it has changed", async () => {
    const [one, other] = sessions(2);
    const heard = vi.fn();
    one!.onChange(() => expect.unreachable());
    other!.onChange(heard);
    void one!.change(() => Promise.resolve("ann"));
    await vi.advanceTimersByTimeAsync(2 * SETTLING);
    expect(heard).toHaveBeenCalledExactlyOnceWith("ann");
    expect(other!.version).toBe(one!.version);
    expect(one!.version).not.toBe(null);
  });

  it("has not changed if it was refused, or left as it is", async () => {
    const [one, other] = sessions(2);
    other!.onChange(() => expect.unreachable());
    const refused = expect(one!.change(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    void one!.change(() => Promise.resolve(undefined));
    await vi.advanceTimersByTimeAsync(4 * SETTLING);
    await refused;
    expect(one!.version).toBe(null);
  });

  it("is settled when no tab is changing it", async () => {
    const [one, other] = sessions(2);
    let change: (_: string) => void = () => undefined;
    void one!.change(() => new Promise((resolve) => (change = resolve)));
    await vi.advanceTimersByTimeAsync(2 * SETTLING);
    const settled = vi.fn();
    void other!.settled().then(settled);
    await vi.advanceTimersByTimeAsync(10 * LIFE);
    expect(settled).not.toHaveBeenCalled();
    change("ann");
    await vi.advanceTimersByTimeAsync(2 * SETTLING);
    expect(settled).toHaveBeenCalledOnce();
  });
});
