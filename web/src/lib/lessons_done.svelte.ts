import { browserShelf, type Shelf } from "./review/kept.ts";

const KEY = "gamut.lessons";

type Steps = Readonly<Record<string, readonly number[]>>;

/** Which steps of each game's lesson this browser's people have done. */
export class LessonsDone {
  #done: Steps = $state.raw({});

  constructor(private readonly shelf: Shelf = browserShelf()) {
    this.#done = remembered(shelf);
  }

  steps(game: string): readonly number[] {
    return this.#done[game] ?? [];
  }

  did(game: string, step: number): void {
    // Another tab may have done something meanwhile.
    const all = remembered(this.shelf);
    this.#done = { ...all, [game]: [...new Set([...(all[game] ?? []), ...this.steps(game), step])] };
    try {
      this.shelf.setItem(KEY, JSON.stringify(this.#done));
    } catch {
      // No room: then it lasts as long as the page.
    }
  }
}

function remembered(shelf: Shelf): Steps {
  try {
    const found: unknown = JSON.parse(shelf.getItem(KEY) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const lists = Object.entries(found).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
    return Object.fromEntries(lists.map(([game, steps]) => [game, steps.filter((step) => typeof step === "number")]));
  } catch {
    return {};
  }
}

export const lessonsDone = new LessonsDone();
