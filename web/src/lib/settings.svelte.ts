import { keepChoices, keptChoices } from "./choices.ts";

export type Theme = "system" | "light" | "dark";
export type BoardColours = "paper" | "wood" | "slate";
export type Motion = "slow" | "normal" | "fast" | "none";

interface Choices {
  theme: Theme;
  board: BoardColours;
  coordinates: boolean;
  motion: Motion;
  muted: boolean;
  /** Of sounds, from 0 to 100. */
  volume: number;
  confirm: boolean;
  notify: boolean;
}

const KEY = "gamut.settings";
const DEFAULTS: Choices = {
  theme: "system",
  board: "paper",
  coordinates: true,
  motion: "normal",
  muted: false,
  volume: 100,
  confirm: false,
  notify: false,
};

/** What this browser's person has chosen; kept in this browser, and the same in all of its tabs. */
class Settings {
  #choices: Choices = $state.raw(keptChoices(KEY, DEFAULTS));

  get theme(): Theme {
    return this.#choices.theme;
  }
  get board(): BoardColours {
    return this.#choices.board;
  }
  get coordinates(): boolean {
    return this.#choices.coordinates;
  }
  get motion(): Motion {
    return this.#choices.motion;
  }
  get muted(): boolean {
    return this.#choices.muted;
  }
  get volume(): number {
    return this.#choices.volume;
  }
  get confirm(): boolean {
    return this.#choices.confirm;
  }
  get notify(): boolean {
    return this.#choices.notify;
  }

  start(): void {
    this.#apply();
    window.addEventListener("storage", ({ key }) => {
      // Without a key all that was kept is gone.
      if (key !== KEY && key !== null) return;
      this.#choices = keptChoices(KEY, DEFAULTS);
      this.#apply();
    });
  }

  choose(changes: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...changes };
    keepChoices(KEY, this.#choices);
    this.#apply();
  }

  /** What style sheets have to know; what is usual is not said. */
  #apply(): void {
    const root = document.documentElement;
    const said = {
      theme: this.theme === "system" ? null : this.theme,
      board: this.board === "paper" ? null : this.board,
      motion: this.motion === "normal" ? null : this.motion,
      coordinates: this.coordinates ? null : "hidden",
    };
    for (const [name, value] of Object.entries(said)) {
      if (value === null) root.removeAttribute(`data-${name}`);
      else root.setAttribute(`data-${name}`, value);
    }
  }
}

export const settings = new Settings();
