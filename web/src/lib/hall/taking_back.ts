import { isPlay, type Play, type Table } from "./table.ts";
import type { Happening } from "../wire/happenings.ts";
import type { Seat } from "../wire/types.ts";

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
 * How many moves would stand if a seat took back what it did last; null if there is nothing to take back: what other
 * people did stands, and a seat that was given up does not come back into the game.
 */
export function takenBackTo(table: Table, seat: Seat): number | null {
  const { positions, seats, log } = table;
  const number = positions.findLastIndex((position, at) => at > 0 && position.seat === seat && position.why === "acted");
  if (number < 0 || !table.complete) return null;
  const isOurs = (other: Seat | null) => other !== null && (other === seat || seats[other]?.kind === "bot");
  if (!positions.slice(number).every((position) => isOurs(position.seat) && position.why !== "quit")) return null;
  const since = log.findLastIndex((event) => event.type === "played" && event.events === positions[number]!.events);
  const left = log.slice(since).some((event) => event.type === "stood" && seats[event.seat] === null);
  return left ? null : number - 1;
}
