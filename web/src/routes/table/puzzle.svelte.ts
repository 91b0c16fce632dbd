import { calm } from "../../lib/board/motion.ts";
import type { Pick } from "../../lib/board/picks.ts";
import type { PuzzleSetting } from "../../lib/hall/game_file.svelte.ts";
import type { Position } from "../../lib/hall/table.ts";
import { commentOn, stepOf, waysOn, type Notes, type Place } from "../../lib/review/notes.ts";
import { same } from "../../lib/same.ts";
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
  /** What is said about the last try, or that it was not found but shown. */
  said: "wrong" | "unknown" | "shown" | null = $state(null);
  /** Up to which position the game itself was found. */
  reach: number = $state(0);
  /** How many of the hints were given where one is. */
  #given = $state(0);
  #picksUp = $state(false);
  /** Whether what led to the question has been seen. */
  #asked = $state(false);
  /** Whether the solution is being played out. */
  #playsOut = $state(false);
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
  mayPlay(place: Place): boolean {
    if (this.solved || this.#playsOut || this.#isBefore(place)) return false;
    const { position, game } = this.at;
    return position !== null && this.side !== null && game?.awaited(position.state)[0] === this.side;
  }

  #isBefore({ at, step }: Place): boolean {
    return step === null && at < this.setting.start;
  }

  // Hints

  /** All that could be hinted at where one is: what is written, then which piece to move. */
  readonly #hints: readonly string[] = $derived.by(() => {
    const { place, everything } = this.review;
    if (!this.mayPlay(place)) return [];
    const written = [...commentOn(everything, place).matchAll(HINT)].map(([, words]) => words ?? "").join(" ");
    const piece = this.#square(this.#piece);
    return [...(written === "" ? [] : [written]), ...(piece === null ? [] : [texts.puzzle.piece(piece)])];
  });
  readonly hints: readonly string[] = $derived(this.#hints.slice(0, this.#given));
  readonly hasHint = $derived(this.#given < this.#hints.length);

  giveHint(): void {
    this.#given += 1;
    this.#picksUp = !this.hasHint;
  }

  /** The piece that was hinted at is picked up, as soon as it is known what may be done. */
  pickUp(): void {
    const { choosing, ways } = this.at;
    if (!this.#picksUp || ways === null) return;
    this.#picksUp = false;
    if (this.#piece !== null && !choosing.picks.includes(this.#piece)) choosing.pick(this.#piece);
  }

  /** What is picked first on the way to the recorded move; null where that would give all of it away. */
  readonly #piece: Pick | null = $derived.by(() => {
    const { position, game } = this.at;
    const [next] = this.#ways(this.review.place);
    if (next === undefined || position === null || game === null || this.side === null) return null;
    const [first, ...others] = game.path(next.action, position.state, this.side);
    return first === undefined || others.length === 0 ? null : first;
  });

  #square(pick: Pick | null): string | null {
    const { game, position, side, viewer } = this.at;
    if (game === null || position === null) return null;
    return game.layout(position.state, side, viewer).squares.find(({ id }) => id === pick)?.name ?? null;
  }

  // What is seen without playing

  /** Whether moves come by themselves just now: those that lead to the question, or its solution. */
  readonly showing = $derived.by(() => this.#playsOut || (!this.#asked && this.#isBefore(this.review.place)));

  showNext(): void {
    if (this.#playsOut) {
      const [next] = this.#ways(this.review.place);
      if (next !== undefined) this.#go(next.to);
      if (next === undefined || this.#ways(next.to).length === 0) this.#end("shown");
    } else {
      const { at } = this.review.place;
      this.at.look(at + 1);
      this.#asked = at + 1 >= this.setting.start;
    }
  }

  /** The solution is played out: from here, or from the question where nobody has written what follows. */
  showSolution(): void {
    const { place } = this.review;
    if (this.#isBefore(place) || this.#ways(place).length === 0) this.again();
    this.said = null;
    this.#asked = true;
    this.#playsOut = true;
  }

  /** All of it is to be seen, as in any other review. */
  giveUp(): void {
    const { at, step } = this.review.place;
    this.solving = false;
    this.solved = false;
    if (step === null) this.at.look(at);
  }

  /** Whether there is anything to try again. */
  readonly tried = $derived.by(() => {
    const { at, step } = this.review.place;
    return this.said !== null || this.solved || this.#playsOut || step !== null || at > this.setting.start;
  });

  again(): void {
    this.solved = false;
    this.#playsOut = false;
    this.said = null;
    this.#given = 0;
    this.reach = this.setting.start;
    this.#steps = new Set();
    this.at.look(this.setting.start);
  }

  // Tries

  reached(step: number): void {
    this.#steps = new Set([...this.#steps, step]);
  }

  /** Whether a try was dealt with: it is one of the recorded moves, or nothing else is let through. */
  answer(action: unknown): boolean {
    this.said = null;
    this.#given = 0;
    const on = this.#ways(this.review.place).find((way) => same(way.action, action));
    if (on === undefined) {
      this.said = this.setting.strict ? "wrong" : "unknown";
      return this.setting.strict;
    }
    this.#go(on.to);
    this.#goOn(on.to);
    return true;
  }

  /** The other side answers, if it has an answer; where nothing is recorded any more, that was it. */
  #goOn(from: Place): void {
    const [next] = this.#ways(from);
    if (next === undefined) {
      this.#end(null);
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

  #end(said: "shown" | null): void {
    this.#playsOut = false;
    this.solved = true;
    this.said = said;
  }

  /** The recorded ways on from a place: that of the game first. */
  #ways(from: Place): { to: Place; action: unknown }[] {
    const before = this.#stateAt(from);
    const next = from.step === null ? this.#whole[from.at + 1] : undefined;
    const ways = [
      ...(next === undefined ? [] : [{ to: { at: from.at + 1, step: null }, events: next.events }]),
      ...waysOn(this.review.everything, from).map(({ id, events }) => ({ to: { at: from.at, step: id }, events })),
    ];
    // How it was ended by giving up is nothing to be found.
    return ways
      .map(({ to, events }) => ({ to, action: this.review.actionOf(events, before) }))
      .filter(({ action }) => action !== null);
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
