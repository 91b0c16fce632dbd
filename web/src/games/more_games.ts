import type { AnyGame } from "./game.ts";

/** Games beyond those that everybody plays: none. The page that tests look at has another file in this place. */
export const MORE: Record<string, AnyGame> = {};
