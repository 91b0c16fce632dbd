import type { GameKey } from "../../games/game.ts";
import { texts } from "../../texts/index.ts";

/** What there is to know of a game for whoever plays it by keyboard. */
export interface KeyedGame {
  keys?: readonly Pick<GameKey, "key" | "text">[];
  sides: number;
  /** Whether moves can be taken back here. */
  takesBack: boolean;
}

/** Keys and what they do, those of the game first; without a game only what all have. */
export function keyList(game: KeyedGame | null): [string, string][] {
  const { board, takeBack, turn, elsewhere } = texts.keys;
  // Keys of which the same is to be said stand together.
  const own = new Map<string, string[]>();
  for (const { key, text } of game?.keys ?? []) own.set(text, [...(own.get(text) ?? []), key.length === 1 ? key.toUpperCase() : key]);
  return [
    ...[...own].map(([text, names]): [string, string] => [names.join(" "), text]),
    ...board,
    ...(game?.takesBack === true ? [takeBack] : []),
    ...(game !== null && game.sides > 1 ? [turn] : []),
    ...elsewhere,
  ];
}
