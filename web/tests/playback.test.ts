import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Playback } from "../src/lib/board/playback.svelte.ts";

describe("moves that are seen step by step", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function shownOf(playback: Playback, ms: number): unknown[] {
    const shown: unknown[] = [playback.frame];
    for (let time = 0; time < ms; time += 5) {
      vi.advanceTimersByTime(5);
      if (playback.frame !== shown.at(-1)) shown.push(playback.frame);
    }
    return shown;
  }

  it("take 90 ms a step, and end with the newest position", () => {
    const playback = new Playback();
    playback.arrive("first", null, () => []);
    playback.arrive("second", "first", () => ["a", "b"]);
    expect(shownOf(playback, 175)).toEqual(["a", "b"]);
    expect(shownOf(playback, 10)).toEqual(["b", null]);
  });

  it("take at most a second and a half", () => {
    const playback = new Playback();
    playback.arrive("first", null, () => []);
    playback.arrive("second", "first", () => Array.from({ length: 60 }, (_, step) => step));
    vi.advanceTimersByTime(1505);
    expect(playback.frame).toBe(null);
  });

  it("wait for one another", () => {
    const playback = new Playback();
    playback.arrive("first", null, () => []);
    playback.arrive("second", "first", () => ["a"]);
    playback.arrive("third", "second", () => ["b"]);
    expect(shownOf(playback, 300)).toEqual(["a", "b", null]);
  });

  it("are not shown when another position is jumped to, or when that is asked for", () => {
    const playback = new Playback();
    playback.arrive("first", null, () => []);
    playback.arrive("second", "first", () => ["a"]);
    playback.arrive("first", null, () => ["b"]);
    expect(playback.frame).toBe(null);
    playback.arrive("second", "first", () => ["a"]);
    playback.finish();
    expect(playback.frame).toBe(null);
  });
});
