import { readdirSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { AnyGame } from "../src/games/game.ts";
import { gameView, shelf } from "../src/games/index.ts";
import type { Lesson } from "../src/games/lesson.ts";
import { LessonsDone } from "../src/lib/lessons_done.svelte.ts";
import { reached } from "../src/lib/hall/table.ts";
import { Course } from "../src/routes/learn/course.svelte.ts";

const GAMES = readdirSync(join(import.meta.dirname, "..", "src", "games"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

async function taught(name: string): Promise<{ game: AnyGame; lesson: Lesson }> {
  await shelf.load(name);
  const game = gameView(name)!;
  return { game, lesson: await game.lesson!.load() };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(GAMES)("the first lesson of %s", (name) => {
  it("says of each position what to do, what to try if that was not it, and what was seen", async () => {
    const { lesson } = await taught(name);
    expect(lesson).toHaveLength(5);
    for (const { task, again, done, legal, right } of lesson) {
      expect([task, done].every((words) => words.length > 10)).toBe(true);
      expect(again === undefined).toBe(right.length === legal.length);
    }
  });

  it("offers what the page would offer, and shows what the page would show", async () => {
    const { game, lesson } = await taught(name);
    for (const { state, seat, legal, right } of lesson) {
      const written = legal.map((action) => JSON.stringify(action));
      const own: unknown[] = game.legal?.(state, seat) ?? [];
      expect(written).toEqual(expect.arrayContaining(own.map((action) => JSON.stringify(action))));
      for (const { action, events } of right) {
        expect(legal).toContainEqual(action);
        if (game.play !== undefined) expect(plain(game.play(state, seat, action))).toEqual(events);
        expect(reached(game, state, events).state).not.toEqual(state);
      }
    }
  });

  it("has a way of its own to each action", async () => {
    const { game, lesson } = await taught(name);
    for (const { state, seat, legal } of lesson) {
      const paths = legal.map((action) => game.path(action, state, seat).join(" "));
      expect(new Set(paths).size).toBe(legal.length);
    }
  });
});

describe("somebody who takes a lesson", () => {
  const shelfOf = (kept: Map<string, string>) => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  const pick = (course: Course, action: unknown, game: AnyGame) => {
    const { state, seat } = course.step!;
    for (const square of game.path(action, state, seat)) course.choosing.pick(square);
  };

  it("tries again until it is right, goes on, and finds the next step where they left off", async () => {
    const { game, lesson } = await taught("tower");
    const kept = new Map<string, string>();
    const course = new Course("tower", game, lesson, new LessonsDone(shelfOf(kept)));
    course.go(1);
    const { legal, right, task, again, done } = lesson[1]!;
    expect(course.said).toBe(task);
    pick(course, legal.find((action) => JSON.stringify(action) !== JSON.stringify(right[0]!.action)), game);
    expect([course.said, course.solved]).toEqual([again, false]);
    expect(course.position.state).toEqual(lesson[1]!.state);
    pick(course, right[0]!.action, game);
    expect([course.said, course.solved]).toEqual([done, true]);
    // What is solved is not played on.
    expect([...course.choosing.next]).toEqual([]);
    course.next();
    expect([course.at, course.solved]).toEqual([2, false]);
    const later = new LessonsDone(shelfOf(kept));
    expect(later.steps("tower")).toEqual([1]);
    expect(new Course("tower", game, lesson, later).at).toBe(0);
    later.did("tower", 0);
    expect(new Course("tower", game, lesson, later).at).toBe(2);
  });

  it("begins anew when everything is done, or what was kept makes no sense", async () => {
    const { game, lesson } = await taught("tower");
    const all = new Map([["gamut.lessons", JSON.stringify({ tower: [0, 1, 2, 3, 4] })]]);
    expect(new Course("tower", game, lesson, new LessonsDone(shelfOf(all))).at).toBe(0);
    for (const nonsense of ["", "3", "{", '{"tower": 7}', '{"tower": ["x", null]}']) {
      expect(new LessonsDone(shelfOf(new Map([["gamut.lessons", nonsense]]))).steps("tower")).toEqual([]);
    }
  });
});
