import { calm } from "../../lib/board/motion.ts";
import type { PuzzleSetting } from "../../lib/hall/game_file.svelte.ts";
import type { Position } from "../../lib/hall/table.ts";
import { commentOn, stepOf, waysOn, type Notes, type Place } from "../../lib/review/notes.ts";
import { toasts } from "../../lib/toasts.svelte.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";
import type { Review } from "./review.svelte.ts";

const ANSWER_AFTER = 700;
const HINT = /\(hint:\s*([^)]*)\)/gi;

/** A game that is a question: one plays one side of it, the recorded lines are the other, and show up as one finds them. */
export class Puzzle {
  /** Until it is given up, or all of it is to be seen. */
  solving = $state(true);
  solved = $state(false);
  /** What is said about the last try. */
  said: "wrong" | "unknown" | null = $state(null);
  /** Up to which position the game itself was found. */
  reach: number = $state(0);
  hinting = $state(false);
  #steps: ReadonlySet<number> = $state.raw(new Set());

  constructor(
    private readonly at: AtTable,
    private readonly review: Review,
    private readonly setting: PuzzleSetting,
  ) {
    this.reach = setting.start;
    at.looking = setting.shown;
  }

  /** The side that is to find something. */
  readonly side: Seat | null = $derived.by(() => {
    const position = this.#whole[this.setting.start];
    return position === undefined ? null : (this.at.game?.awaited(position.state)[0] ?? null);
  });

  get #whole(): readonly Position[] {
    return this.at.table?.positions ?? [];
  }

  /** What was found of what is written: without hints, and without what is still to be found. */
  found({ comments, steps }: Notes): Notes {
    const shown = Object.entries(comments).filter(([at]) => Number(at) <= this.reach);
    return {
      comments: Object.fromEntries(shown.map(([at, words]) => [at, withoutHints(words)])),
      steps: steps.flatMap((step) => (this.#steps.has(step.id) ? [{ ...step, comment: withoutHints(step.comment) }] : [])),
    };
  }

  /** Before the question is asked, one only looks. */
  mayPlay({ at, step }: Place): boolean {
    if (this.solved || (step === null && at < this.setting.start)) return false;
    const { position, game } = this.at;
    return position !== null && this.side !== null && game?.awaited(position.state)[0] === this.side;
  }

  /** What is hinted at where one is; null if nothing is. */
  readonly hint: string | null = $derived.by(() => {
    const hints = [...commentOn(this.review.everything, this.review.place).matchAll(HINT)].map(([, words]) => words ?? "");
    return hints.length === 0 ? null : hints.join(" ");
  });

  reached(step: number): void {
    this.#steps = new Set([...this.#steps, step]);
  }

  /** Whether a try was dealt with: it is one of the recorded moves, or nothing else is let through. */
  answer(action: unknown): boolean {
    this.said = null;
    this.hinting = false;
    const on = this.#ways(this.review.place).find(({ events }) => same(this.review.actionOf(events), action));
    if (on === undefined) {
      this.said = this.setting.strict ? "wrong" : "unknown";
      return this.setting.strict;
    }
    this.#go(on.to);
    this.#goOn(on.to);
    return true;
  }

  giveUp(): void {
    const { at, step } = this.review.place;
    this.solving = false;
    this.solved = false;
    if (step === null) this.at.look(at);
  }

  again(): void {
    this.solved = false;
    this.said = null;
    this.reach = this.setting.start;
    this.#steps = new Set();
    this.at.look(this.setting.shown);
  }

  /** The other side answers, if it has an answer; where nothing is recorded any more, that was it. */
  #goOn(from: Place): void {
    const [next] = this.#ways(from);
    if (next === undefined) {
      this.solved = true;
      toasts.say(texts.puzzle.solved);
      return;
    }
    const state = this.#stateAt(from);
    if (state === null || this.at.game?.awaited(state)[0] === this.side) return;
    setTimeout(
      () => {
        const { at, step } = this.review.place;
        if (!this.solving || at !== from.at || step !== from.step) return;
        this.#go(next.to);
        if (this.#ways(next.to).length === 0) this.#goOn(next.to);
      },
      calm() ? 0 : ANSWER_AFTER,
    );
  }

  /** The recorded ways on from a place: that of the game first. */
  #ways(from: Place): { to: Place; events: readonly unknown[] }[] {
    const next = from.step === null ? this.#whole[from.at + 1] : undefined;
    // How it was ended by giving up is nothing to be found.
    const game = next === undefined || this.review.actionOf(next.events) === null ? [] : [next];
    return [
      ...game.map(({ events }) => ({ to: { at: from.at + 1, step: null }, events })),
      ...waysOn(this.review.everything, from).map(({ id, events }) => ({ to: { at: from.at, step: id }, events })),
    ];
  }

  #go({ at, step }: Place): void {
    if (step === null) {
      this.reach = Math.max(this.reach, at);
      this.at.look(at);
    } else {
      this.reached(step);
      this.review.go(step);
    }
  }

  #stateAt({ at, step }: Place): unknown {
    if (stepOf(this.review.everything, step) !== undefined) return this.review.positionOf(step)?.state ?? null;
    return this.#whole[at]?.state ?? null;
  }
}

function withoutHints(words: string): string {
  return words.replace(HINT, "").trim();
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
