import { texts } from "../../texts/index.ts";
import type { Seat } from "../../lib/wire/types.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** What to ask before somebody is removed from a game that is on; null if the game does not change by it. */
export function removingQuestion(at: AtTable, seat: Seat): string | null {
  const table = at.table;
  if (table === null || (table.phase !== "playing" && table.phase !== "paused") || isOut(at, seat)) return null;
  const words = texts.table;
  const name = at.name(seat);
  if (at.traits?.leaver !== "quits") return words.removeWaits(name);
  const others = table.seats.flatMap((holder, other) => (holder === null || other === seat || isOut(at, other) ? [] : [other]));
  const sides = new Set(others.map((other) => at.teams.get(other) ?? `seat ${other}`));
  return sides.size > 1 ? words.removeGoesOn(name) : words.removeEnds(name);
}

/** Whether somebody has no part in the game any more. */
function isOut(at: AtTable, seat: Seat): boolean {
  return at.known !== null && at.game?.standing?.(at.known, seat).out === true;
}
