import { untrack } from "svelte";

import { calm } from "../../lib/board/motion.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** Milliseconds: how long the last piece has to come to rest, and how long the end is shown before it is only said. */
const SETTLING = 180;
const MOMENT = 1200;

/**
 * The moment in which a game ends in front of somebody: what decided it is shown on the board. Whoever comes later finds
 * it ended, and whoever asked for calm reads at once who won.
 */
export class End {
  /** The squares that decided it, while that is shown; null before and after. */
  squares: readonly string[] | null = $state.raw(null);
  /** How often a game has ended here: each time what comes next is put at hand. */
  times = $state(0);

  #wasPlaying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Follows a table; `busy` says whether what happened last is still to be seen. */
  constructor(at: AtTable, busy: () => boolean) {
    $effect(() => {
      const { table, last, index } = at;
      const seen = index === last && !busy();
      if (table?.phase === "playing" || table?.phase === "paused") this.#wasPlaying = true;
      if (!this.#wasPlaying || !table?.outcome || !seen) return;
      // Whatever is still to be seen begins within that time, and is waited for.
      const timer = setTimeout(() => {
        this.#wasPlaying = false;
        untrack(() => this.#show(at));
      }, SETTLING);
      return () => clearTimeout(timer);
    });
    $effect(() => () => clearTimeout(this.#timer));
  }

  #show(at: AtTable): void {
    if (calm()) {
      this.times += 1;
      return;
    }
    this.squares = decisive(at);
    this.#timer = setTimeout(() => this.over(), MOMENT);
  }

  /** That was it: by itself, or because somebody would rather go on. */
  over(): void {
    if (this.squares === null) return;
    clearTimeout(this.#timer);
    this.squares = null;
    this.times += 1;
  }
}

/** Where on the board the end is to be seen: what won, else what the game says of it, else what happened last. */
function decisive({ game, position, viewer }: AtTable): readonly string[] {
  if (game === null || position === null) return [];
  const { state, events } = position;
  const lit = game.highlights(state, events, viewer);
  const won = lit.flatMap(({ kind, squares }) => (kind === "win" ? squares : []));
  if (won.length > 0) return won;
  return game.decisive?.(state, events) ?? lit.flatMap(({ kind, squares }) => (kind === "last" ? squares : []));
}
