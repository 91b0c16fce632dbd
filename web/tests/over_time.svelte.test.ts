import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { AnyGame } from "../src/games/game.ts";
import type { Position } from "../src/lib/hall/table.ts";
import { marked } from "../src/routes/table/moments.ts";
import { OverTime, type Figure } from "../src/routes/table/over_time.svelte.ts";

/** A game of numbers: the first seat has the number, the other the rest of a hundred; sevens are dramatic. */
const numbers = {
  shares: (state: number) => [
    { seats: [0], share: state, words: "" },
    { seats: [1], share: 100 - state, words: "" },
  ],
  dramatic: (event: number) => event % 7 === 0,
} as unknown as AnyGame;

const position = (number: number, why: Position["why"] = "acted"): Position => ({
  state: number,
  events: [number],
  between: [],
  seat: 0,
  why,
  at: 0,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a game over time", () => {
  it("is gone through bit by bit, however long it takes", () => {
    let clock = 0;
    const asked: number[] = [];
    const over = new OverTime(() => clock);
    over.follow(numbers, 10, (index) => {
      asked.push(index);
      clock += 2;
      return position(index * 10);
    });
    expect(asked).toEqual([]);
    vi.advanceTimersToNextTimer();
    expect(asked).toEqual([0, 1, 2]);
    expect(over.figures.map(({ fractions }) => fractions[0])).toEqual([0, 0.1, 0.2]);
    expect(over.sides).toEqual([[0], [1]]);
    vi.runAllTimers();
    expect(asked).toHaveLength(10);
    expect(over.figures).toHaveLength(10);
  });

  it("is left alone when somebody looks at another one", () => {
    const over = new OverTime();
    const read = vi.fn(() => position(1));
    over.follow(numbers, 5, read)();
    vi.runAllTimers();
    expect(read).not.toHaveBeenCalled();
  });

  it("knows what the game calls dramatic, and what nobody chose to do", () => {
    const over = new OverTime();
    const positions = [position(1), position(7), position(8, "flagged"), position(9)];
    over.follow(numbers, 4, (index) => positions[index]!);
    vi.runAllTimers();
    expect(over.figures.map(({ dramatic }) => dramatic)).toEqual([false, true, true, false]);
  });

  it("does without figures where a game has none", () => {
    const over = new OverTime();
    over.follow({ ...numbers, shares: undefined } as unknown as AnyGame, 1, () => position(7));
    vi.runAllTimers();
    expect(over.figures).toEqual([{ fractions: [], dramatic: true }]);
    expect(over.sides).toEqual([]);
  });
});

describe("the moments worth seeing", () => {
  const figures = (dramatic: number[], count: number, first: (index: number) => number = () => 0.5): Figure[] =>
    Array.from({ length: count }, (_, index) => ({
      fractions: [first(index), 1 - first(index)],
      dramatic: dramatic.includes(index),
    }));

  it("stay apart in a long game on a phone, and all of them are counted", () => {
    const every = Array.from({ length: 234 }, (_, index) => 2 * index + 1);
    const moments = marked(figures(every, 469), 468, 350, 40);
    const places = moments.map(({ index }) => (index / 468) * 350);
    expect(places.slice(1).every((place, at) => place - places[at]! >= 40)).toBe(true);
    expect(moments.length).toBeGreaterThan(5);
    expect(moments.reduce((sum, { others }) => sum + 1 + others, 0)).toBe(234);
  });

  it("are those that changed the most, and the end", () => {
    const swung = (index: number) => (index < 52 ? 0.5 : 0.8);
    const moments = marked(figures([50, 51, 52, 53, 99, 100], 101, swung), 100, 300, 40);
    expect(moments).toEqual([
      { index: 52, others: 3 },
      { index: 100, others: 1 },
    ]);
  });

  it("are all there where there is room", () => {
    expect(marked(figures([2, 4, 6], 9), 8, 350, 40).map(({ index }) => index)).toEqual([2, 4, 6]);
    expect(marked([], 0, 350, 40)).toEqual([]);
  });
});
