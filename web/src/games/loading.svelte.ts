import type { GameCard } from "./card.ts";
import type { AnyGame } from "./game.ts";

/** The views of games, each fetched when a board of it is first to be seen. */
export class Shelf {
  #views: Readonly<Record<string, AnyGame>> = $state.raw({});
  #failures: Readonly<Record<string, unknown>> = $state.raw({});
  #coming = new Map<string, Promise<boolean>>();

  constructor(private readonly cards: Readonly<Record<string, GameCard>>) {}

  /** Null while it is not here. */
  view(name: string): AnyGame | null {
    return this.#views[name] ?? null;
  }

  /** Why it could not be fetched; null if nothing went wrong. */
  failure(name: string): unknown {
    return this.#failures[name] ?? null;
  }

  /** Whether it is here afterwards. It is never fetched twice at once. */
  load(name: string): Promise<boolean> {
    if (this.view(name) !== null) return Promise.resolve(true);
    const card = this.cards[name];
    if (card === undefined) return Promise.resolve(false);
    let coming = this.#coming.get(name);
    if (coming === undefined) {
      coming = this.#fetch(name, card).finally(() => this.#coming.delete(name));
      this.#coming.set(name, coming);
    }
    return coming;
  }

  async #fetch(name: string, card: GameCard): Promise<boolean> {
    try {
      const view = await card.load();
      this.#views = { ...this.#views, [name]: view };
      this.#failures = { ...this.#failures, [name]: null };
      return true;
    } catch (error) {
      console.error(`The page's part for ${name} could not be fetched:`, error);
      this.#failures = { ...this.#failures, [name]: error };
      return false;
    }
  }
}
