import type { AnyGame } from "./game.ts";
import { topple } from "./topple/index.ts";
import { tower } from "./tower/index.ts";

/** The games this page can show, by the name the server gives them. */
const GAMES: Record<string, AnyGame> = { topple, tower };

export function gameView(name: string): AnyGame | null {
  return GAMES[name] ?? null;
}
