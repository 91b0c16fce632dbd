import type { GameCard } from "./card.ts";

/** Games beyond those that everybody plays: none. The page that tests look at has another file in this place. */
export const MORE: Readonly<Record<string, GameCard>> = {};
