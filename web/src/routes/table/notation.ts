import type { Position } from "../../lib/hall/table.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** What happened, as the list of moves says it. */
export function notation({ game }: AtTable, { events, state, why }: Position): string {
  if (game === null) return "";
  const words = events.flatMap((event) => game.notation(event, state) ?? []);
  return words.join(" ") + (why === "acted" ? "" : ` (${texts.table[why]})`);
}
