import type { Happening } from "../wire/happenings.ts";
import type { Seat } from "../wire/types.ts";

/** Who offered the draw that was agreed, and who took it, in that order; null if none was agreed here. */
export function agreement(log: readonly Happening[]): { offered: Seat; accepted: Seat[] } | null {
  const offers = new Set<Seat>();
  for (const event of log) {
    if (event.type === "draw_offered") {
      // What somebody offered before, and was played over, counts no more.
      offers.delete(event.seat);
      offers.add(event.seat);
    } else if (event.type === "draw_declined") offers.clear();
    else if (event.type === "stood") offers.delete(event.seat);
    else if (event.type === "played" && event.why === "agreed") {
      const [offered, ...accepted] = offers;
      return offered === undefined || accepted.length === 0 ? null : { offered, accepted };
    }
  }
  return null;
}

/** Whether a seat's offer was declined, and it has not acted since: until then it does not offer again. */
export function turnedDown(log: readonly Happening[], seat: Seat): boolean {
  const since = log.findLastIndex(
    (event) =>
      (event.type === "played" && event.seat === seat) ||
      ((event.type === "sat" || event.type === "bot_sat") && event.seat === seat),
  );
  const later = log.slice(since + 1);
  const offered = later.findIndex((event) => event.type === "draw_offered" && event.seat === seat);
  return offered >= 0 && later.slice(offered).some((event) => event.type === "draw_declined" && event.seat !== seat);
}
