import { card as acquire } from "./acquire/card.ts";
import type { Brought, GameCard, GameFace, GameFiles } from "./card.ts";
import type { AnyGame } from "./game.ts";
import { Shelf } from "./loading.svelte.ts";
import { MORE } from "./more_games.ts";
import { card as powerchess } from "./powerchess/card.ts";
import { card as tafl } from "./tafl/card.ts";
import { card as topple } from "./topple/card.ts";
import { card as tower } from "./tower/card.ts";

/** The games this page can show, by the name the server gives them, in the order in which they are offered. */
const CARDS: Readonly<Record<string, GameCard>> = { tower, topple, tafl, acquire, powerchess, ...MORE };

export const GAME_NAMES: readonly string[] = Object.keys(CARDS);

export const shelf = new Shelf(CARDS);

/** What is known of a game without fetching anything; null for a game that this page cannot show. */
export function gameFace(name: string): GameFace | null {
  return CARDS[name]?.face ?? null;
}

/** All that the page knows of a game; null while it is not here (`shelf.load` fetches it). */
export function gameView(name: string): AnyGame | null {
  return shelf.view(name);
}

export function filesOfAll(): GameFiles[] {
  return Object.values(CARDS).flatMap(({ face }) => face.files ?? []);
}

/** The format of a file of this name. */
export function filesOf(name: string): GameFiles | null {
  return filesOfAll().find(({ endings }) => endings.some((ending) => name.toLowerCase().endsWith(ending))) ?? null;
}

/** What a text that somebody brings means, and to which game; null if none knows it. */
export function broughtTo(text: string): { game: string; brought: Brought } | null {
  for (const [game, { face }] of Object.entries(CARDS)) {
    const brought = face.brought?.(text) ?? null;
    if (brought !== null) return { game, brought };
  }
  return null;
}
