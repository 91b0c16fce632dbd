import type { AnyGame, GameFiles } from "./game.ts";
import { MORE } from "./more_games.ts";
import { topple } from "./topple/index.ts";
import { tower } from "./tower/index.ts";

/** The games this page can show, by the name the server gives them. */
const GAMES: Record<string, AnyGame> = { topple, tower, ...MORE };

export function filesOfAll(): GameFiles[] {
  return Object.values(GAMES).flatMap(({ files }) => files ?? []);
}

/** The format of a file of this name. */
export function filesOf(name: string): GameFiles | null {
  return filesOfAll().find(({ endings }) => endings.some((ending) => name.toLowerCase().endsWith(ending))) ?? null;
}

export function gameView(name: string): AnyGame | null {
  return GAMES[name] ?? null;
}
