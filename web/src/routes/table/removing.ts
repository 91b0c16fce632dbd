import type { Item } from "../../lib/ui/Menu.svelte";
import type { Happening } from "../../lib/wire/happenings.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

type Stood = Happening & { type: "stood" };

/** How a host takes somebody's seat: asking them to leave a table is one thing, removing them from a game another. */
export function removing(at: AtTable, seat: Seat): Item[] {
  const holder = at.table?.seats[seat] ?? null;
  if (holder === null) return [];
  const { name } = holder;
  const words = texts.table;
  const unseat = (bar: boolean) => () => void at.do({ type: "unseat", table: at.store.id, seat, bar });
  const then = whatFollows(at, seat);
  if (holder.kind === "bot") {
    return then === null
      ? [{ text: words.sendOff(name), run: unseat(true) }]
      : [{ text: words.remove(name), sure: words.removeSure[then](name), run: unseat(true) }];
  }
  return then === null
    ? [
        { text: words.free(name), sure: words.freeSure(name), run: unseat(false) },
        { text: words.kick(name), sure: words.kickSure(name), run: unseat(true) },
      ]
    : [
        { text: words.remove(name), sure: words.removeSure[then](name), run: unseat(false) },
        { text: words.removeForGood(name), sure: words.removeForGoodSure[then](name), run: unseat(true) },
      ];
}

/** What becomes of a game that is on without somebody; null if it does not change by it. */
function whatFollows(at: AtTable, seat: Seat): "waits" | "goesOn" | "ends" | null {
  const table = at.table;
  if (table === null || (table.phase !== "playing" && table.phase !== "paused") || isOut(at, seat)) return null;
  if (at.traits?.leaver !== "quits") return "waits";
  const others = table.seats.flatMap((holder, other) => (holder === null || other === seat || isOut(at, other) ? [] : [other]));
  const sides = new Set(others.map((other) => at.teams.get(other) ?? `seat-${other}`));
  return sides.size > 1 ? "goesOn" : "ends";
}

/** Whether somebody has no part in the game any more. */
function isOut(at: AtTable, seat: Seat): boolean {
  return at.known !== null && at.game?.standing?.(at.known, seat).out === true;
}

/** Whether the host has removed this person for good: they may watch, and not sit down. */
export function isBarred(log: readonly Happening[], person: string | undefined): boolean {
  return log.some((event) => event.type === "stood" && event.person === person && event.why === "kicked" && event.bar !== false);
}

/** How somebody came to stand up. */
export function howStood(log: readonly Happening[], event: Stood): keyof typeof texts.happened.stood {
  if (event.why === "left" || event.why === "gone") return event.why;
  const begun = log.slice(0, log.indexOf(event)).some(({ type }) => type === "started");
  if (begun) return "removed";
  if (event.why === "removed") return "sentOff";
  return event.bar === false ? "freed" : "asked";
}

/** What somebody is told whose seat the host has taken; null if nobody has. */
export function seatTaken(log: readonly Happening[], event: Stood): string | null {
  const how = howStood(log, event);
  const words = texts.table.seatTaken;
  if (how === "freed" || how === "asked") return words[how];
  if (how !== "removed") return null;
  return log.some((later) => later.type === "closed" && later.why === "removed") ? words.ended : words.removed;
}
