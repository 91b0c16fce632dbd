import { keepChoices, keptChoices } from "./choices.ts";

const KEY = "gamut.last_game";

/** The game of the table at which somebody was last in this browser; empty if nobody was at any. */
export function lastGame(): string {
  return keptChoices(KEY, { game: "" }).game;
}

export function wasAt(game: string): void {
  keepChoices(KEY, { game });
}
