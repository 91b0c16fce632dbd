import { afterEach, expect, it, vi } from "vitest";

import { EachFrame } from "../src/lib/each_frame.ts";

afterEach(() => vi.unstubAllGlobals());

function screen(hidden: boolean): (() => void)[] {
  const frames: (() => void)[] = [];
  vi.stubGlobal("document", { hidden });
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => frames.push(call));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  return frames;
}

it("what comes between two frames is taken together, in order", () => {
  const frames = screen(false);
  const taken: number[] = [];
  const each = new EachFrame<number>((item) => taken.push(item));
  each.add(1);
  each.add(2);
  expect([taken, frames.length]).toEqual([[], 1]);
  frames[0]!();
  expect(taken).toEqual([1, 2]);
  each.add(3);
  each.now();
  expect(taken).toEqual([1, 2, 3]);
});

it("in the background nothing waits", () => {
  screen(true);
  const taken: number[] = [];
  new EachFrame<number>((item) => taken.push(item)).add(1);
  expect(taken).toEqual([1]);
});
