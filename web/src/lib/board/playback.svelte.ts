const STEP = 90;
const WHOLE = 1500;
/** More steps than these could not be told apart in that time, although they become shorter and shorter. */
export const MOST_STEPS = 28;
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

/** What is seen on the way, and for how long. */
export interface Step extends Frame {
  lasts: number;
}

/** How a position is reached: what is seen on the way, and how long it is looked at itself. */
export interface Passage {
  frames: readonly Step[];
  rest: number;
}

interface Move extends Passage {
  after: Frame;
}

export const AT_ONCE: Passage = { frames: [], rest: 0 };

/** One event that is seen in many small steps, such as a cascade: the more there are, the faster they become. */
export function inSteps(states: readonly unknown[]): Passage {
  const faster = quickening(states.length);
  return { frames: states.map((state, at) => ({ state, last: [], lasts: STEP * faster ** at })), rest: STEP };
}

/** How much shorter each step is than the one before, so that all of them together do not take too long. */
function quickening(steps: number): number {
  const whole = (ratio: number) => (ratio === 1 ? STEP * steps : (STEP * (1 - ratio ** steps)) / (1 - ratio));
  let [low, high] = [0, 1];
  if (whole(high) <= WHOLE) return high;
  for (let halving = 0; halving < 30; halving++) {
    const middle = (low + high) / 2;
    if (whole(middle) > WHOLE) high = middle;
    else low = middle;
  }
  return low;
}

/** A move of several events, each of which is seen; `between` is how things stood after each but the last. */
export function eventByEvent(between: readonly unknown[], events: readonly unknown[]): Passage {
  if (between.length === 0) return AT_ONCE;
  const lasts = Math.min(EVENT, ALL_EVENTS / events.length);
  return { frames: between.map((state, at) => ({ state, last: events.slice(at, at + 1), lasts })), rest: lasts };
}

/** The same, with other times. */
export function lasting({ frames, rest }: Passage, paced: (usual: number) => number): Passage {
  return { frames: frames.map((step) => ({ ...step, lasts: paced(step.lasts) })), rest: paced(rest) };
}

/** Plays moves step by step, one after the other, in the order in which they arrive. */
export class Playback {
  /** What is to be seen instead of the newest position; null once that is reached. */
  frame: Frame | null = $state.raw(null);
  /** How long the frame is seen, if it is one on the way. */
  lasts = $state(0);
  /** The newest position, once there is nothing left to be seen on the way to it; undefined while nobody looks. */
  reached: unknown = $state.raw();
  /** How many moves have been seen to begin. */
  begun = $state(0);
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
    const seen = this.#newest;
    if (position.state === seen.state) return;
    const follows = before !== null && before === seen.state;
    const same = moment !== undefined && moment === this.#moment;
    this.#newest = position;
    this.#moment = moment;
    if (same) {
      if (this.frame === null) this.reached = position.state;
      return;
    }
    if (!follows || this.#waiting.length >= PATIENCE) {
      this.finish();
      return;
    }
    const move = { ...passage(), after: position };
    if (this.#resting) this.frame ??= seen;
    if (this.frame !== null) this.#waiting.push(move);
    else this.#begin(move);
  }

  /** Whatever is still on the way is left out: the newest position is seen. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#resting = false;
    this.#show(null);
  }

  /** Nobody looks any more: nothing has been seen, and nothing is waited for. */
  leave(): void {
    this.finish();
    this.#newest = { state: null, last: [] };
    this.#moment = undefined;
    this.reached = undefined;
  }

  #begin(move: Move): void {
    this.begun += 1;
    if (move.frames.length > 0) this.#play(move, 0, performance.now());
    else this.#reach(move);
  }

  /** `since` is when this step was due: what a busy browser shows too late is made up for by what it shows next. */
  #play(move: Move, at: number, since: number): void {
    const step = move.frames[at];
    if (step === undefined) {
      this.#reach(move);
      return;
    }
    const until = since + step.lasts;
    const left = until - performance.now();
    if (left <= 0 && at + 1 < move.frames.length) {
      this.#play(move, at + 1, until);
      return;
    }
    this.#show(step, step.lasts);
    this.#timer = setTimeout(() => this.#play(move, at + 1, until), left);
  }

  #reach({ after, rest, frames }: Move): void {
    const wait = frames.length === 0 ? STEP : rest;
    const last = this.#waiting.length === 0;
    // Whoever waits for nothing else may go on playing meanwhile.
    this.#show(last ? null : after);
    // Of single moves the first is on the board at once, and so is the next.
    if (last && frames.length === 0) return;
    this.#resting = true;
    this.#timer = setTimeout(() => this.#next(), wait);
  }

  #next(): void {
    this.#resting = false;
    const next = this.#waiting.shift();
    if (next === undefined) this.#show(null);
    else this.#begin(next);
  }

  #show(frame: Frame | null, lasts = 0): void {
    this.frame = frame;
    this.lasts = lasts;
    if (frame === null) this.reached = this.#newest.state;
  }
}
