import { gameFace } from "../../games/index.ts";
import type { GameTraits } from "../wire/types.ts";

/** A game as the page calls it and its seats in its own language, in place of the server's words. */
export function inOurWords(traits: GameTraits): GameTraits {
  const face = gameFace(traits.name);
  if (face === null) return traits;
  const { title, summary } = face;
  return { ...traits, title, summary, seat_names: traits.seat_names.map((name, seat) => face.seatName?.(seat) ?? name) };
}
