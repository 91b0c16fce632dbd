import { keepChoices, keptChoices } from "./choices.ts";

export type Theme = "system" | "light" | "dark";
export type BoardColours = "paper" | "wood" | "slate";

interface Choices {
  theme: Theme;
  board: BoardColours;
  muted: boolean;
  confirm: boolean;
  notify: boolean;
}

const KEY = "gamut.settings";
const DEFAULTS: Choices = { theme: "system", board: "paper", muted: false, confirm: false, notify: false };

/** What this browser's person has chosen; kept in this browser. */
class Settings {
  #choices: Choices = $state.raw(keptChoices(KEY, DEFAULTS));

  get theme(): Theme {
    return this.#choices.theme;
  }
  get board(): BoardColours {
    return this.#choices.board;
  }
  get muted(): boolean {
    return this.#choices.muted;
  }
  get confirm(): boolean {
    return this.#choices.confirm;
  }
  get notify(): boolean {
    return this.#choices.notify;
  }

  choose(changes: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...changes };
    keepChoices(KEY, this.#choices);
    this.apply();
  }

  apply(): void {
    const root = document.documentElement;
    if (this.theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = this.theme;
    if (this.board === "paper") delete root.dataset["board"];
    else root.dataset["board"] = this.board;
  }
}

export const settings = new Settings();
