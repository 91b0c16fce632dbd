const STEP = 90;
const WHOLE = 1500;
/** As many as can be told apart in that time. */
export const MOST_STEPS = 90;
/** What happened event by event is read, not only watched. */
const EVENT = 600;
const ALL_EVENTS = 3000;
/** What waits behind more than so many moves is not waited for. */
const PATIENCE = 2;

/** A position, and what is to be seen as having just happened in it. */
export interface Frame {
  state: unknown;
  last: readonly unknown[];
}

/** How a position is reached: what is seen on the way, for how long each, and how long it is looked at itself. */
export interface Passage {
  frames: readonly Frame[];
  pace: number;
  rest: number;
}

interface Move extends Passage {
  after: Frame;
}

export const AT_ONCE: Passage = { frames: [], pace: 0, rest: 0 };

/** One event that is seen in many small steps, such as a cascade. */
export function inSteps(states: readonly unknown[]): Passage {
  const pace = Math.min(STEP, WHOLE / Math.max(1, states.length));
  return { frames: states.map((state) => ({ state, last: [] })), pace, rest: 0 };
}

/** A move of several events, each of which is seen; `between` is how things stood after each but the last. */
export function eventByEvent(between: readonly unknown[], events: readonly unknown[]): Passage {
  if (between.length === 0) return AT_ONCE;
  const pace = Math.min(EVENT, ALL_EVENTS / events.length);
  return { frames: between.map((state, at) => ({ state, last: events.slice(at, at + 1) })), pace, rest: pace };
}

/** Plays moves step by step, one after the other, in the order in which they arrive. */
export class Playback {
  /** What is to be seen instead of the newest position; null once that is reached. */
  frame: Frame | null = $state.raw(null);
  #waiting: Move[] = [];
  #newest: Frame = { state: null, last: [] };
  #moment: number | undefined;
  /** The newest position is to be seen a little longer, should another one come. */
  #resting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * A position is to be shown. If it comes after the one before, it is reached by this passage. If it is the same moment
   * of the game, seen with other eyes, whatever is being shown goes on.
   */
  arrive(position: Frame, before: unknown, passage: () => Passage, moment?: number): void {
    const reached = this.#newest;
    if (position.state === reached.state) return;
    const follows = before !== null && before === reached.state;
    const same = moment !== undefined && moment === this.#moment;
    this.#newest = position;
    this.#moment = moment;
    if (same) return;
    if (!follows || this.#waiting.length >= PATIENCE) {
      this.finish();
      return;
    }
    const move = { ...passage(), after: position };
    if (this.#resting) this.frame ??= reached;
    if (this.frame !== null) this.#waiting.push(move);
    else if (move.frames.length > 0) this.#play(move, 0);
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#resting = false;
    this.frame = null;
  }

  #play(move: Move, at: number): void {
    const frame = move.frames[at];
    if (frame === undefined) {
      this.#reach(move);
      return;
    }
    this.frame = frame;
    this.#timer = setTimeout(() => this.#play(move, at + 1), move.pace);
  }

  #reach({ after, rest, frames }: Move): void {
    const wait = frames.length === 0 ? STEP : rest;
    // Whoever waits for nothing else may go on playing meanwhile.
    this.frame = this.#waiting.length === 0 ? null : after;
    if (wait === 0) {
      this.#next();
      return;
    }
    this.#resting = true;
    this.#timer = setTimeout(() => this.#next(), wait);
  }

  #next(): void {
    this.#resting = false;
    const next = this.#waiting.shift();
    if (next === undefined) this.frame = null;
    else this.#play(next, 0);
  }
}
