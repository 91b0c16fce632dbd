import type { AnyGame } from "../../games/game.ts";
import type { Lesson, LessonStep } from "../../games/lesson.ts";
import { Choosing } from "../../lib/board/choosing.svelte.ts";
import type { Way } from "../../lib/board/picks.ts";
import { firstTime } from "../../lib/first_time.svelte.ts";
import { reached, type Position } from "../../lib/hall/table.ts";
import { lessonsDone, type LessonsDone } from "../../lib/lessons_done.svelte.ts";
import { same } from "../../lib/same.ts";

/** Somebody on the way through the first lesson of a game. */
export class Course {
  /** The step that is before them; as many as there are once they are through. */
  at = $state(0);
  /** How it stands after the right move; null until that was found. */
  #after: Pick<Position, "state" | "events" | "between"> | null = $state.raw(null);
  /** Whether something else was tried. */
  #tried = $state(false);

  readonly choosing = new Choosing({
    ways: () => this.#ways,
    // Nothing is lost by a slip: one tries again.
    asks: () => false,
    send: (action) => this.#try(action),
  });

  constructor(
    private readonly name: string,
    private readonly game: AnyGame,
    private readonly lesson: Lesson,
    private readonly kept: LessonsDone = lessonsDone,
  ) {
    this.at = Math.max(0, this.lesson.findIndex((_, step) => !this.isDone(step)));
  }

  readonly step: LessonStep | null = $derived.by(() => this.lesson[this.at] ?? null);
  readonly solved = $derived(this.#after !== null);
  readonly position = $derived.by(() => this.#after ?? { state: this.step?.state ?? null, events: [], between: [] });
  /** What is said: what to do, or what came of it. */
  readonly said: string = $derived.by(() => {
    if (this.step === null) return "";
    const { task, again, done } = this.step;
    if (this.solved) return done;
    return this.#tried ? (again ?? task) : task;
  });

  readonly #ways: readonly Way[] = $derived.by(() => {
    const { game, step } = this;
    if (step === null || this.solved) return [];
    const { state, seat } = step;
    // What makes no sense to offer, only the game itself knows.
    const legal: readonly unknown[] = game.legal?.(state, seat) ?? step.legal;
    return legal.flatMap((action) =>
      [game.path(action, state, seat), ...(game.otherPaths?.(action, state, seat) ?? [])].map((path) => ({ action, path })),
    );
  });

  isDone(step: number): boolean {
    return this.kept.steps(this.name).includes(step);
  }

  #try(action: unknown): void {
    const { step } = this;
    const found = step?.right.find((right) => same(right.action, action));
    this.#tried = found === undefined;
    if (step !== null && found !== undefined) {
      this.#after = reached(this.game, step.state, found.events);
      this.kept.did(this.name, this.at);
    }
    this.choosing.settled();
  }

  go(step: number): void {
    this.at = step;
    this.#after = null;
    this.#tried = false;
    this.choosing.settled();
    // Whoever has come to the end knows how it goes.
    if (this.lesson.every((_, each) => this.isDone(each))) firstTime.learned(this.name);
  }

  next(): void {
    this.go(this.at + 1);
  }

  end(): void {
    this.go(this.lesson.length);
  }
}
