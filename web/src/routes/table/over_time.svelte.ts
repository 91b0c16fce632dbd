import type { AnyGame } from "../../games/game.ts";
import type { Position } from "../../lib/hall/table.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { fractions } from "./stands.ts";

/** One position of a game, as far as its graph is concerned. */
export interface Figure {
  /** What each side had of the whole; empty in games that cannot say. */
  fractions: readonly number[];
  /** Whether somebody who looks for the turning points would stop there. */
  dramatic: boolean;
}

/** Milliseconds at a time: a picture more is not missed because of this. */
const SLICE = 6;

/**
 * How a game stood from its beginning to its end. A long game is gone through bit by bit, and what is known so far is
 * here: whoever opens it does not wait for that.
 */
export class OverTime {
  figures: readonly Figure[] = $state.raw([]);
  /** Whose each of the fractions is. */
  sides: readonly (readonly Seat[])[] = $state.raw([]);

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Go through these positions; what is returned ends that. */
  follow(game: AnyGame, count: number, positionAt: (index: number) => Position): () => void {
    const found: Figure[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slice = () => {
      const begun = this.now();
      do found.push(this.#figure(game, positionAt(found.length), found.length === 0));
      while (found.length < count && this.now() - begun < SLICE);
      this.figures = found.slice();
      if (found.length < count) timer = setTimeout(slice);
    };
    this.figures = [];
    this.sides = [];
    if (count > 0) timer = setTimeout(slice);
    return () => clearTimeout(timer);
  }

  #figure(game: AnyGame, { state, events, why }: Position, first: boolean): Figure {
    const shares = game.shares?.(state) ?? [];
    if (first) this.sides = shares.map(({ seats }) => seats);
    const dramatic = why !== "acted" || events.some((event) => game.dramatic(event, state));
    return { fractions: fractions(shares), dramatic };
  }
}
