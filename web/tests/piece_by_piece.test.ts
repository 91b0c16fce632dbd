import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { PIECE, PieceByPiece } from "../src/lib/piece_by_piece.svelte.ts";

let list: PieceByPiece;

beforeEach(() => {
  vi.useFakeTimers();
  list = new PieceByPiece();
});
afterEach(() => void vi.useRealTimers());

it("a list of hundreds is made piece by piece, with room for everything else in between", () => {
  const length = 3 * PIECE + 5;
  const counts = [list.count(length)];
  while (counts.at(-1)! < length) {
    list.goOn(length);
    expect(list.count(length), "nothing more before everything else had its turn").toBe(counts.at(-1));
    vi.advanceTimersToNextTimer();
    counts.push(list.count(length));
  }
  expect(counts).toEqual([0, PIECE, 2 * PIECE, length]);
});

it("a short list, and what is added to one that is made, is there at once", () => {
  expect(list.count(3)).toBe(3);
  list.goOn(3 * PIECE);
  vi.runAllTimers();
  list.goOn(3 * PIECE);
  vi.runAllTimers();
  list.goOn(3 * PIECE);
  expect(list.count(3 * PIECE + 1)).toBe(3 * PIECE + 1);
  expect(vi.getTimerCount()).toBe(0);
});

it("a list that becomes shorter shows nothing that is gone", () => {
  list.goOn(PIECE);
  list.goOn(2);
  expect(list.count(2)).toBe(2);
});

it("whoever goes away leaves nothing behind that goes on", () => {
  list.goOn(3 * PIECE)?.();
  expect(vi.getTimerCount()).toBe(0);
});
