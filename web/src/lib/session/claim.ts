/** What the tabs of one browser share, and how one of them hears that another has changed it. */
export interface Shared {
  read(key: string): string | null;
  /** Null removes it. */
  write(key: string, value: string | null): void;
  /** Calls whenever another tab has changed this; returns how to stop that. */
  onChange(key: string, call: () => void): () => void;
}

/** A tab that was closed in the middle holds the others up for no longer than this. */
export const LIFE = 3000;
const RENEWAL = 1000;
/** Far longer than a change takes to be seen in the other tabs. */
export const SETTLING = 120;

/**
 * One tab at a time, where the browser has no locks: a claim with an end, written where all tabs see it. Whoever sees
 * no claim writes one, waits until everybody who saw none has written theirs, and looks whose is there: the last one
 * to write has it.
 */
export class Claim {
  #before: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly key: string,
    private readonly shared: Shared,
    private readonly tab: string,
  ) {}

  /** The work is told whether another tab had the claim until then. */
  hold<Result>(work: (waited: boolean) => Promise<Result>): Promise<Result> {
    // A tab does not hear of its own changes, so it waits for itself in this way.
    const mine = this.#before.then(() => this.#holding(work));
    this.#before = mine.catch(() => undefined);
    return mine;
  }

  async #holding<Result>(work: (waited: boolean) => Promise<Result>): Promise<Result> {
    const waited = await this.#get();
    const renewing = setInterval(() => this.#write(), RENEWAL);
    try {
      return await work(waited);
    } finally {
      clearInterval(renewing);
      if (this.#isMine()) this.shared.write(this.key, null);
    }
  }

  async #get(): Promise<boolean> {
    for (let waited = false; ; waited = true) {
      for (let left = this.#left(); left > 0; left = this.#left()) {
        waited = true;
        await this.#changed(left);
      }
      this.#write();
      await new Promise((resolve) => setTimeout(resolve, SETTLING));
      if (this.#isMine()) return waited;
    }
  }

  #write(): void {
    this.shared.write(this.key, `${this.tab} ${Date.now() + LIFE}`);
  }

  #isMine(): boolean {
    return this.shared.read(this.key)?.split(" ")[0] === this.tab;
  }

  /** For how many milliseconds more somebody else has it. */
  #left(): number {
    const until = Number(this.shared.read(this.key)?.split(" ")[1] ?? 0);
    const left = until - Date.now();
    // More than a whole life is left over from before the clock was set back.
    return left > LIFE ? 0 : Math.max(0, left || 0);
  }

  #changed(within: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const timer = setTimeout(done, within);
      const forget = this.shared.onChange(this.key, done);
    });
  }
}
