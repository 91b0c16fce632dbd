import { isPlay, type Play, type Table } from "./table.ts";
import type { Happening } from "../wire/happenings.ts";
import type { Seat } from "../wire/types.ts";

/** With these somebody else may sit in a seat than before. */
const SEATING = new Set<Happening["type"]>(["sat", "bot_sat", "stood"]);

/** How the game of a log began, and the moves that stand: without what was taken back. */
export function standing(log: readonly Happening[]): Play[] {
  let plays: Play[] = [];
  for (const event of log) {
    if (isPlay(event)) plays.push(event);
    else if (event.type === "taken_back") plays = plays.slice(0, event.moves + 1);
  }
  return plays;
}

/** Whether a seat plays with bots alone: then it takes moves back without asking anybody. */
export function playsAlone(table: Table, seat: Seat): boolean {
  return table.seats.every((holder, other) => other === seat || holder?.kind !== "person");
}

/**
 * How many moves would stand if a seat took back what it did last; null if there is nothing to take back, also if
 * somebody has quit, sat down or stood up since: what other people did stands.
 */
export function takenBackTo(table: Table, seat: Seat): number | null {
  const { positions, log } = table;
  const number = positions.findLastIndex((position, at) => at > 0 && position.seat === seat && position.why === "acted");
  if (number < 0 || !table.complete) return null;
  if (positions.slice(number).some((position) => position.why === "quit")) return null;
  const since = log.findLastIndex((event) => event.type === "played" && event.events === positions[number]!.events);
  return log.slice(since).some((event) => SEATING.has(event.type)) ? null : number - 1;
}
