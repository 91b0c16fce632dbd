import { texts } from "../../texts/index.ts";
import type { Holder, Summary } from "../wire/types.ts";

export interface Result {
  game: string;
  played: number;
  won: number;
  drawn: number;
}

export type Ending = "won" | "lost" | "drawn" | "unfinished";

/** How a table ended for a person who sat there. */
export function ending(table: Summary, person: string | undefined): Ending {
  const outcome = table.outcome ?? null;
  if (outcome === null) return "unfinished";
  if (outcome.winners.length === 0) return "drawn";
  const seat = table.seats.findIndex((holder) => holder?.kind === "person" && holder.person === person);
  return outcome.winners.includes(seat) ? "won" : "lost";
}

/** Who sits there, with a word where that is oneself under another name than one has now. */
export function withOwnMarked(holder: Holder | null, me: { id: string | undefined; name: string } | null): Holder | null {
  if (me === null || holder?.kind !== "person" || holder.person !== me.id || holder.name === me.name) return holder;
  return { ...holder, name: texts.people.wasYou(holder.name) };
}

/** What a person's finished games add up to, per game. */
export function results(tables: Summary[], person: string | undefined): Result[] {
  const sums = new Map<string, Result>();
  for (const table of tables) {
    const end = ending(table, person);
    if (end === "unfinished") continue;
    const sum = sums.get(table.game) ?? { game: table.game, played: 0, won: 0, drawn: 0 };
    sums.set(table.game, {
      ...sum,
      played: sum.played + 1,
      won: sum.won + (end === "won" ? 1 : 0),
      drawn: sum.drawn + (end === "drawn" ? 1 : 0),
    });
  }
  return [...sums.values()].sort((one, other) => other.played - one.played);
}
