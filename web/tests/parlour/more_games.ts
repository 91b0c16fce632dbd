import type { GameCard } from "../../src/games/card.ts";
import { faceWords as words } from "./face_texts.ts";
import SeatSign from "./SeatSign.svelte";

/** In the place of `src/games/more_games.ts` where the page is built for tests. */
export const MORE: Readonly<Record<string, GameCard>> = {
  parlour: { face: { title: words.title, summary: words.summary, SeatSign }, load: async () => (await import("./index.ts")).parlour },
};
