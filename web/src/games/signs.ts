import { sign as acquire } from "./acquire/sign.ts";
import type { GameSign } from "./card.ts";
import { sign as powerchess } from "./powerchess/sign.ts";
import { sign as tafl } from "./tafl/sign.ts";
import { sign as topple } from "./topple/sign.ts";
import { sign as tower } from "./tower/sign.ts";

/** The shapes of the word mark, in their order: also of games that are yet to come. */
export const SIGNS: readonly GameSign[] = [topple, tafl, acquire, powerchess, tower];

/** Side by side: from one to the next, and all of them. */
export const PITCH = 12;
export const ROW = SIGNS.length * PITCH - 2;
