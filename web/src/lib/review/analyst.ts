import { analyse, type Analysis, type Done } from "../hall/analysis.ts";
import { Refused } from "../wire/refused.ts";

const AGAIN = 1000;
const MOST_KNOWN = 200;

/** Asks the server what may be done in positions of one game: one question at a time, and none of them twice. */
export class Analyst {
  #known = new Map<string, Analysis>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly game: string,
    private readonly options: Readonly<Record<string, unknown>>,
    private readonly ask: typeof analyse = analyse,
  ) {}

  /** What is known already; null if it has to be asked. */
  known(done: Done): Analysis | null {
    return this.#known.get(JSON.stringify(done)) ?? null;
  }

  /** Where these actions lead. `wanted` says whether it is still worth asking when its turn comes; null if not. */
  async find(done: Done, wanted: () => boolean = () => true): Promise<Analysis | null> {
    const before = this.#last;
    const mine = before.then(() => (wanted() ? this.#found(done) : null));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #found(done: Done): Promise<Analysis> {
    const key = JSON.stringify(done);
    let found = this.#known.get(key);
    if (found !== undefined) return found;
    try {
      found = await this.ask(this.game, this.options, done);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "too_many_tries") throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      found = await this.ask(this.game, this.options, done);
    }
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }
}
