import { stepsOf, type Position } from "../../lib/hall/table.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { agreed } from "./headline.ts";

/** What happened, as the list of moves says it. */
export function notation(at: AtTable, position: Position): string {
  const { game } = at;
  if (game === null) return "";
  const named = (seat: number): string => at.name(seat);
  const words = stepsOf(position).flatMap(({ event, after }) => game.notation(event, after, named) ?? []).join(" ");
  if (position.why === "acted") return words;
  const why = (position.why === "agreed" ? agreed(at) : null) ?? texts.table[position.why];
  if (words === "") return why;
  // What a game says of whoever is out needs no more words.
  return position.why === "quit" ? words : `${words} (${why})`;
}
