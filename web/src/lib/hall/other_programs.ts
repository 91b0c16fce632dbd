import type { Holder, Inability, Seat } from "../wire/types.ts";
import type { Table } from "./table.ts";

/** Not everybody plays on this page: what some programs have no word for. Mirrors gamut.hall.table. */
function can(holder: Holder | null, what: Inability): boolean {
  return holder?.kind !== "person" || !(holder.cannot?.includes(what) ?? false);
}

/** Whether somebody is ready, or has approved: who cannot say it counts as if they had. */
export function isReady(table: Table, seat: Seat): boolean {
  return table.ready.includes(seat) || !can(table.seats[seat] ?? null, "ready");
}

/** Whose program stands in the way of a rematch, and whether only the clock is why; null if it can be asked for. */
export function noRematchWith(table: Table, me: Seat): { name: string; timed: boolean } | null {
  for (const [seat, holder] of table.seats.entries()) {
    if (holder === null || seat === me || table.rematch.includes(seat) || can(holder, "rematch")) continue;
    if (!can(holder, "follow")) return { name: holder.name, timed: false };
    if (!can(holder, "ready") && table.clock.kind !== "none") return { name: holder.name, timed: true };
  }
  return null;
}
