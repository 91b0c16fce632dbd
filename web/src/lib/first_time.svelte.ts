import { browserShelf, type Shelf } from "./review/kept.ts";

const KEY = "gamut.knows";

/** Which games this browser's people know: they finished one, or said that they do. */
export class FirstTime {
  #known: readonly string[] = $state.raw([]);

  constructor(private readonly shelf: Shelf = browserShelf()) {
    this.#known = remembered(shelf);
  }

  /** Whether to say how a game goes, to somebody who plays it. */
  explains(game: string): boolean {
    return !this.#known.includes(game);
  }

  /** It need not be said again. */
  learned(game: string): void {
    if (this.#known.includes(game)) return;
    // Another tab may have learned something meanwhile.
    this.#known = [...new Set([...remembered(this.shelf), game])];
    try {
      this.shelf.setItem(KEY, JSON.stringify(this.#known));
    } catch {
      // No room: then it lasts as long as the page.
    }
  }
}

function remembered(shelf: Shelf): string[] {
  try {
    const found: unknown = JSON.parse(shelf.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((game) => typeof game === "string") : [];
  } catch {
    return [];
  }
}

export const firstTime = new FirstTime();
