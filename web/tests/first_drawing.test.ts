import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { FirstDrawing } from "../src/lib/board/first_drawing.svelte.ts";
import { PIECE } from "../src/lib/piece_by_piece.svelte.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LARGE = 5 * PIECE + 25;

it("a large board is drawn in several turns, and nothing was put there before it is whole", () => {
  const drawing = new FirstDrawing(false);
  const counts = [];
  for (let turn = 0; turn < 6; turn++) {
    expect(drawing.over).toBe(false);
    counts.push(drawing.count(LARGE));
    drawing.goOn(LARGE);
    vi.runAllTimers();
  }
  expect(counts).toEqual([0, PIECE, 2 * PIECE, 3 * PIECE, 4 * PIECE, LARGE]);
  expect(drawing.over).toBe(true);
});

it("a board that has been whole never waits again, however much comes onto it", () => {
  const drawing = new FirstDrawing(false);
  drawing.goOn(2);
  expect(drawing.over).toBe(true);
  expect(drawing.count(LARGE)).toBe(LARGE);
});

it("a small picture is there at once", () => {
  expect(new FirstDrawing(true).count(LARGE)).toBe(LARGE);
});
