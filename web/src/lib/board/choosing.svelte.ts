import { actionOf, completedBy, followedBy, nextPicks, picked, stillPossible, type Pick, type Way } from "./picks.ts";

export interface Chooser {
  /** The actions there are to choose from just now, each with its path; null while they are not known. */
  ways(): readonly Way[] | null;
  /** Whether an action is asked about once more before it is sent; `unsure` if it may not be what was meant. */
  asks(unsure: boolean): boolean;
  send(action: unknown): void;
}

/** Somebody on the way to an action, pick by pick: by mouse, finger, keys or controls, all the same way. */
export class Choosing {
  /** What was chosen is on its way, and cannot be taken back. */
  sending = $state(false);
  #picks: readonly Pick[] = $state.raw([]);
  /** The picks are complete, and it is asked whether they are meant. */
  #asking = $state(false);
  #sent: unknown = $state.raw(null);

  constructor(private readonly chooser: Chooser) {}

  readonly #known: readonly Way[] | null = $derived.by(() => (this.sending ? null : this.chooser.ways()));
  readonly #ways: readonly Way[] = $derived(this.#known ?? []);
  /** What was picked so far. If something happens meanwhile, all of it stays that still leads anywhere. */
  readonly picks: readonly Pick[] = $derived(
    this.#known === null ? this.#picks : stillPossible(this.#known, this.#picks),
  );
  readonly #onward: readonly Pick[] = $derived(nextPicks(this.#ways, this.picks));
  readonly #complete: unknown = $derived(actionOf(this.#ways, this.picks)?.action ?? null);
  /** Chosen but not on the board yet: being confirmed, or on its way. */
  readonly pending: unknown = $derived.by(() => {
    if (this.sending) return this.#sent;
    return this.#asking && this.picks.length === this.#picks.length ? this.#complete : null;
  });
  /** Whether an action is complete although one could go on: then it has to be said that this is all. */
  readonly mayFinish: boolean = $derived(this.pending === null && this.#onward.length > 0 && this.#complete !== null);
  /** Where one is on the way: before the last pick if that is asked about, as one may change one's mind. */
  readonly #way: readonly Pick[] = $derived(
    this.pending !== null && this.#onward.length === 0 ? this.picks.slice(0, -1) : this.picks,
  );
  /** What can be picked next. */
  readonly next: ReadonlySet<Pick> = $derived(new Set(nextPicks(this.#ways, this.#way)));
  /** The actions that one more pick would complete, by that pick. */
  readonly completedBy: ReadonlyMap<Pick, unknown> = $derived(completedBy(this.#ways, this.#way));

  /** The next picks that can be followed by one that fulfils the condition. */
  followedBy(condition: (pick: Pick) => boolean): ReadonlySet<Pick> {
    return followedBy(this.#ways, this.#way, condition);
  }

  /** What could have been picked instead of the pick at this place. */
  insteadOf(place: number): Pick[] {
    return nextPicks(this.#ways, this.picks.slice(0, place));
  }

  /** Pick something; `unsure` if it may not be what was meant. Pick what is being confirmed again to send it. */
  pick(pick: Pick, unsure = false): void {
    if (this.#known === null) return;
    if (this.pending !== null && pick === this.picks.at(-1)) {
      this.confirm();
      return;
    }
    const after = picked(this.#ways, this.picks, pick);
    if (after === null) return;
    this.#picks = after.picks;
    this.#asking = false;
    // What is left when something was taken back may be an action too, but nobody has asked for it.
    if (!after.back && this.#onward.length === 0) this.#choose(unsure);
  }

  /** That is all: of what is complete although one could go on. */
  finish(): void {
    if (this.mayFinish) this.#choose(false);
  }

  /** Yes, that is what was meant. */
  confirm(): void {
    const action = this.pending;
    if (action === null || this.sending) return;
    this.#sent = action;
    this.sending = true;
    this.chooser.send(action);
  }

  /** The last pick is taken back, if it is not too late for that. */
  undo(): void {
    if (this.sending) return;
    this.#picks = this.picks.slice(0, -1);
    this.#asking = false;
  }

  /** What was sent has come, or was refused: choose anew. */
  settled(): void {
    this.sending = false;
    this.#sent = null;
    this.#picks = [];
    this.#asking = false;
  }

  /** Picks that lead nowhere any more are forgotten: they do not come back with the next turn. */
  forgetImpossible(): void {
    if (this.picks.length === this.#picks.length) return;
    this.#picks = this.picks;
    this.#asking = false;
  }

  #choose(unsure: boolean): void {
    if (this.#complete === null) return;
    this.#asking = true;
    if (!this.chooser.asks(unsure)) this.confirm();
  }
}
