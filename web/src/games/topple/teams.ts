import type { Seat } from "../../lib/wire/types.ts";

export const TEAMS = 6;

function usualTeam(seat: Seat): number {
  return (seat % TEAMS) + 1;
}

/** The team of a seat at a table that has not begun. */
export function chosenTeam(seat: Seat, { teams }: Record<string, unknown>): number {
  return (Array.isArray(teams) ? (teams as number[])[seat] : undefined) ?? usualTeam(seat);
}
