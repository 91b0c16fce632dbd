const STEP = 90;
const WHOLE = 1500;
/** As many as can be told apart in that time. */
export const MOST_STEPS = 90;
/** What waits behind more than so many moves is not waited for. */
const PATIENCE = 2;

interface Move {
  steps: unknown[];
  after: unknown;
}

/** Plays moves step by step, one after the other, in the order in which they arrive. */
export class Playback {
  /** What is to be seen instead of the newest position; null once that is reached. */
  frame: unknown = $state.raw(null);
  #waiting: Move[] = [];
  #newest: unknown = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A position is to be shown. If it comes after the one before, it is reached by these steps. */
  arrive(position: unknown, before: unknown, steps: () => unknown[]): void {
    if (position === this.#newest) return;
    const follows = before !== null && before === this.#newest;
    this.#newest = position;
    if (!follows || this.#waiting.length >= PATIENCE) {
      this.finish();
      return;
    }
    const move = { steps: steps(), after: position };
    if (this.frame !== null) this.#waiting.push(move);
    else if (move.steps.length > 0) this.#play(move);
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.frame = null;
  }

  #play({ steps, after }: Move, at = 0): void {
    this.frame = at < steps.length ? steps[at] : after;
    const pace = Math.min(STEP, WHOLE / Math.max(1, steps.length));
    this.#timer = setTimeout(() => {
      if (at + 1 < steps.length) this.#play({ steps, after }, at + 1);
      else this.#next();
    }, pace);
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.frame = null;
    else this.#play(next);
  }
}
