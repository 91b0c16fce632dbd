import type { AnyGame } from "../../games/game.ts";
import { nextTask } from "../next_task.ts";
import { foldedOn, nothingFolded, withFolded, type Folded, type Table } from "./table.ts";

/** So many moves are folded without letting anything else wait. */
export const SLICE = 60;

/** Folds the moves of a table. Many are folded slice by slice, and whatever else there is to do comes between. */
export class Folding {
  /** What is to be folded: the newest that was told. */
  #told: Table | null = null;
  #folded: Folded | null = null;
  #done: { told: Table; table: Table } | null = null;
  #waits = false;

  constructor(
    /** Called when nothing more is to be waited for, after something was. */
    private readonly ended: () => void,
    private readonly later: (work: () => void) => void = nextTask,
  ) {}

  /** What was told with all its positions, if they are here already. */
  done(told: Table): Table | null {
    return this.#done?.told === told ? this.#done.table : null;
  }

  /** The same; if they are not here, they will be. What few moves need is done at once. */
  of(told: Table, game: AnyGame): Table | null {
    if (this.#told !== told) {
      if (this.#folded === null || !this.#follows(told, this.#folded)) this.#folded = nothingFolded(told);
      this.#told = told;
    }
    // Whoever asks is told each time if the moves cannot be folded.
    if (this.done(told) === null && !this.#waits) this.#goOn(game);
    return this.done(told);
  }

  /** Whether it is the same table with more that happened, and not the same told anew. */
  #follows({ log, complete, positions }: Table, { length }: Folded): boolean {
    const before = this.#told;
    if (before === null || before.complete !== complete) return false;
    if (!complete && before.positions[0] !== positions[0]) return false;
    return length === 0 || log[length - 1] === before.log[length - 1];
  }

  #goOn(game: AnyGame): void {
    const [told, folded] = [this.#told!, foldedOn(this.#told!, this.#folded!, game, SLICE)];
    this.#folded = folded;
    if (folded.length === told.log.length) {
      this.#done = { told, table: withFolded(told, folded) };
      return;
    }
    this.#waits = true;
    this.later(() => {
      this.#waits = false;
      try {
        this.#goOn(game);
      } finally {
        if (!this.#waits) this.ended();
      }
    });
  }
}
