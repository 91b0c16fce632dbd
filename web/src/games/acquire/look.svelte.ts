import { keepChoices, keptChoices } from "../../lib/choices.ts";

export type Labels = "coordinates" | "initials";
export type Colours = "usual" | "distinct";

interface Choices {
  labels: Labels;
  colours: Colours;
}

const KEY = "gamut.acquire";
const USUAL: Choices = { labels: "coordinates", colours: "usual" };

/** How this browser's person likes to see the city; kept in this browser. */
class Look {
  #choices: Choices = $state.raw(USUAL);

  constructor() {
    if (typeof localStorage === "undefined") return;
    this.#choices = keptChoices(KEY, USUAL);
    this.#apply();
  }

  get labels(): Labels {
    return this.#choices.labels;
  }
  get colours(): Colours {
    return this.#choices.colours;
  }

  choose(changes: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...changes };
    keepChoices(KEY, this.#choices);
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset["chains"] = this.colours;
  }
}

export const look = new Look();
