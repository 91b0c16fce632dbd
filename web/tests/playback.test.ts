import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { AT_ONCE, eventByEvent, inSteps, MOST_STEPS, Playback, type Frame } from "../src/lib/board/playback.svelte.ts";

const at = (state: unknown): Frame => ({ state, last: [] });
let playback: Playback;

beforeEach(() => {
  vi.useFakeTimers();
  playback = new Playback();
  playback.arrive(at("first"), null, () => AT_ONCE);
});
afterEach(() => void vi.useRealTimers());

function shownFor(ms: number): unknown[] {
  const shown: unknown[] = [playback.frame?.state ?? null];
  for (let time = 0; time < ms; time += 5) {
    vi.advanceTimersByTime(5);
    const state = playback.frame?.state ?? null;
    if (state !== shown.at(-1)) shown.push(state);
  }
  return shown;
}

describe("moves that are seen step by step", () => {
  it("take 90 ms a step, and end with the newest position", () => {
    playback.arrive(at("second"), "first", () => inSteps(["a", "b"]));
    expect(shownFor(175)).toEqual(["a", "b"]);
    expect(shownFor(10)).toEqual(["b", null]);
  });

  it("become faster and faster where there are many, and take at most a second and a half", () => {
    const { frames } = inSteps(Array.from({ length: MOST_STEPS }, (_, step) => step));
    const lengths = frames.map(({ lasts }) => lasts);
    expect(lengths[0]).toBe(90);
    expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
    expect(new Set(lengths).size).toBe(MOST_STEPS);
    expect(lengths.reduce((sum, each) => sum + each)).toBeCloseTo(1500, 0);
    expect(lengths.at(-1)).toBeGreaterThan(1000 / 60);
    playback.arrive(at("second"), "first", () => inSteps(frames));
    vi.advanceTimersByTime(1505);
    expect(playback.frame).toBe(null);
  });

  it("make up for what a busy browser showed too late", () => {
    playback.arrive(at("second"), "first", () => inSteps(["a", "b", "c", "d"]));
    vi.setSystemTime(Date.now() + 200);
    const late = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 200);
    vi.advanceTimersByTime(90);
    expect(playback.frame?.state).toBe("c");
    late.mockRestore();
  });

  it("wait for one another", () => {
    playback.arrive(at("second"), "first", () => inSteps(["a"]));
    playback.arrive(at("third"), "second", () => inSteps(["b"]));
    expect(shownFor(300)).toEqual(["a", "second", "b", null]);
  });

  it("are not shown when another position is jumped to, or when that is asked for", () => {
    playback.arrive(at("second"), "first", () => inSteps(["a"]));
    playback.arrive(at("first"), null, () => inSteps(["b"]));
    expect(playback.frame).toBe(null);
    playback.arrive(at("second"), "first", () => inSteps(["a"]));
    playback.finish();
    expect(playback.frame).toBe(null);
  });
});

describe("a move of several events", () => {
  const laidAndTurned = () => eventByEvent(["laid"], ["lay", "turn"]);

  it("is seen event by event, each with what happened in it", () => {
    playback.arrive(at("turned"), "first", laidAndTurned);
    expect(playback.frame).toMatchObject({ state: "laid", last: ["lay"] });
    expect(shownFor(700)).toEqual(["laid", null]);
  });

  it("is looked at for a moment before the next one, however soon that comes", () => {
    playback.arrive(at("turned"), "first", laidAndTurned);
    playback.arrive(at("cleared"), "turned", () => AT_ONCE);
    expect(shownFor(2000)).toEqual(["laid", "turned", null]);
  });

  it("is looked at for a moment also by those who saw all of it when the next one came", () => {
    playback.arrive({ state: "turned", last: ["turn"] }, "first", laidAndTurned);
    expect(shownFor(700)).toEqual(["laid", null]);
    playback.arrive(at("cleared"), "turned", () => AT_ONCE);
    expect(playback.frame).toEqual({ state: "turned", last: ["turn"] });
    expect(shownFor(2000)).toEqual(["turned", null]);
  });

  it("keeps nobody from playing once it is seen", () => {
    playback.arrive(at("turned"), "first", laidAndTurned);
    vi.advanceTimersByTime(605);
    expect(playback.frame).toBe(null);
    vi.advanceTimersByTime(2000);
    playback.arrive(at("cleared"), "turned", () => AT_ONCE);
    expect(playback.frame).toBe(null);
  });
});

it("what is being shown goes on when the same moment is seen with other eyes, and ends with what these see", () => {
  playback.arrive(at("turned"), "first", () => eventByEvent(["laid"], ["lay", "turn"]), 7);
  playback.arrive(at("all revealed"), "other first", () => AT_ONCE, 7);
  expect(shownFor(2000)).toEqual(["laid", null]);
  playback.arrive(at("next"), "all revealed", () => inSteps(["a"]), 8);
  expect(shownFor(200)).toEqual(["a", null]);
});

describe("what has been seen", () => {
  it("is the newest position once nothing is left to be seen on the way, or nobody wants to wait for it", () => {
    expect(playback.reached).toBe("first");
    playback.arrive(at("second"), "first", () => inSteps(["a", "b"]));
    expect(playback.reached).toBe("first");
    vi.advanceTimersByTime(180);
    expect(playback.reached).toBe("second");
    playback.arrive(at("third"), "second", () => inSteps(["c"]));
    vi.advanceTimersByTime(95);
    expect(playback.reached).toBe("second");
    playback.finish();
    expect(playback.reached).toBe("third");
  });

  it("is known to nobody while no board is there", () => {
    playback.leave();
    expect(playback.reached).toBe(undefined);
    playback.arrive(at("first"), null, () => AT_ONCE);
    expect(playback.reached).toBe("first");
  });

  it("begins with each move that is played, not with a position that is jumped to", () => {
    expect(playback.begun).toBe(0);
    playback.arrive(at("second"), "first", () => AT_ONCE);
    playback.arrive(at("third"), "second", () => inSteps(["a"]));
    expect(playback.begun).toBe(2);
    playback.arrive(at("first"), null, () => AT_ONCE);
    expect(playback.begun).toBe(2);
  });
});
