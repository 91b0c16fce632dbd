import type { AnyGame } from "../../src/games/game.ts";
import { parlour } from "./index.ts";

/** In the place of `src/games/more_games.ts` where the page is built for tests. */
export const MORE: Record<string, AnyGame> = { parlour };
