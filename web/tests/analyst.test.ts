import { describe, expect, it, vi } from "vitest";

import { explainOptions, type analyse, type Analysis } from "../src/lib/hall/analysis.ts";
import { Analyst } from "../src/lib/review/analyst.ts";
import { Refused } from "../src/lib/wire/refused.ts";

const found: Analysis = { events: ["moved"], awaited: [1], legal: ["a", "b"] };

describe("positions that the server is asked about", () => {
  it("are asked about once", async () => {
    const ask = vi.fn<typeof analyse>().mockResolvedValue(found);
    const analyst = new Analyst("game", { size: 7 }, ask);
    expect(analyst.known([[0, "a"]])).toBe(null);
    expect(await analyst.find([[0, "a"]])).toBe(found);
    expect(await analyst.find([[0, "a"]])).toBe(found);
    expect(analyst.known([[0, "a"]])).toBe(found);
    expect(ask).toHaveBeenCalledExactlyOnceWith("game", { size: 7 }, [[0, "a"]]);
  });

  it("are asked about one after the other, and not if nobody wants to know any more", async () => {
    let answer: (found: Analysis) => void = () => undefined;
    const ask = vi.fn<typeof analyse>(() => new Promise((resolve) => (answer = resolve)));
    const analyst = new Analyst("game", {}, ask);
    const first = analyst.find([]);
    const second = analyst.find([[0, "a"]], () => false);
    await Promise.resolve();
    expect(ask).toHaveBeenCalledTimes(1);
    answer(found);
    expect(await first).toBe(found);
    expect(await second).toBe(null);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("are asked about again if there were too many, and a refusal does not keep the next from being asked", async () => {
    vi.useFakeTimers();
    const ask = vi
      .fn<typeof analyse>()
      .mockRejectedValueOnce(new Refused("too_many_tries", "Slowly."))
      .mockRejectedValueOnce(new Refused("illegal_move", "No."))
      .mockResolvedValue(found);
    const analyst = new Analyst("game", {}, ask);
    const refused = analyst.find([]).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await refused).toMatchObject({ code: "illegal_move" });
    expect(await analyst.find([])).toBe(found);
    vi.useRealTimers();
  });
});

describe("questions of different parts of the page", () => {
  it("are asked one after the other, also after one that was refused or had no answer", async () => {
    const answers: ((response: Response) => void)[] = [];
    const ask = vi.fn(() => new Promise<Response>((resolve) => answers.push(resolve)));
    vi.stubGlobal("fetch", ask);
    const questions = ["a", "b", "c"].map((rules) => explainOptions("tafl", { rules }));
    const settled = Promise.allSettled(questions);
    const heard = () => new Promise((resolve) => setTimeout(resolve));
    await heard();
    expect(ask).toHaveBeenCalledTimes(1);
    answers[0]!(Response.json({ error: { code: "bad_options", message: "No." } }, { status: 422 }));
    await heard();
    expect(ask).toHaveBeenCalledTimes(2);
    answers[1]!(new Response("gone", { status: 502 }));
    await heard();
    expect(ask).toHaveBeenCalledTimes(3);
    answers[2]!(Response.json({ state: null }));
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    vi.unstubAllGlobals();
  });
});
