import type { Summary } from "../../lib/wire/types.ts";

export interface Filter {
  game: string | null;
  needsPlayer: boolean;
  name: string;
}

export const NO_FILTER: Filter = { game: null, needsPlayer: false, name: "" };

export function needsPlayer(table: Summary): boolean {
  if (table.phase === "over") return false;
  return table.waiting === true || (table.phase === "setup" && table.seats.includes(null));
}

export function matches(table: Summary, filter: Filter): boolean {
  if (filter.game !== null && table.game !== filter.game) return false;
  if (filter.needsPlayer && !needsPlayer(table)) return false;
  const wanted = filter.name.trim().toLocaleLowerCase();
  return wanted === "" || table.seats.some((holder) => holder?.name.toLocaleLowerCase().includes(wanted));
}
