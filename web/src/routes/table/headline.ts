import { agreement } from "../../lib/hall/draws.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** What is going on at the table, in a few words. */
export function headline(at: AtTable): string {
  const table = at.table;
  if (table === null) return "";
  const words = texts.table;
  if (at.review.puzzle?.solving === true) return texts.puzzle.title;
  if (table.outcome !== null) {
    const winners = table.outcome.winners;
    if (winners.length === 0) return agreed(at) === null ? words.draw : words.drawAgreed;
    const others = winners.filter((seat) => seat !== at.seat).map((seat) => at.name(seat));
    if (others.length === winners.length) return words.wins(others);
    return others.length === 0 ? words.youWin : words.youWinWith(others);
  }
  if (table.phase === "over") return closed(at);
  if (table.phase === "setup") return setup(at);
  if (table.waiting.length > 0) return words.seatWaits;
  if (table.phase === "paused") return words.paused;
  if (at.myTurn) return words.yourTurn;
  const [first, ...others] = table.awaited;
  if (first === undefined) return "";
  if (others.length > 0) return words.turnsOf(table.awaited.map((seat) => at.name(seat)));
  return words.turnOf(at.name(first));
}

function closed(at: AtTable): string {
  if (at.file !== null) return at.file.suspended ? texts.files.suspended : texts.files.noResult;
  const words = texts.table;
  switch (at.table?.closedWhy) {
    case "called_off":
      return words.calledOff;
    case "exported":
      return words.exported;
    case "endless":
      return words.endless;
    case "removed":
      return words.noResult;
    default:
      return words.closed;
  }
}

function setup(at: AtTable): string {
  const table = at.table!;
  const free = at.free.length;
  if (free > 0 && !(at.mayStart && table.start === "host")) return texts.table.waitingFor(free);
  if (table.start === "ready") return texts.table.waitingReady;
  if (table.start === "approval") return texts.table.waitingApproval;
  if (at.isHost) return texts.table.youStart;
  const host = table.seats.find((holder) => holder?.kind === "person" && holder.person === table.host);
  return texts.table.waitingHost(host?.name ?? "");
}

/** Who has removed whom, so that nobody could win any more. */
function removed(at: AtTable): string {
  const { log, seats, host } = at.table!;
  const stood = log.findLast((event) => event.type === "stood");
  const by = seats.find((holder) => holder?.kind === "person" && holder.person === host);
  return texts.table.removedBy(by?.name ?? null, stood === undefined ? texts.seat(0) : at.name(stood.seat));
}

/** Who offered the draw, and who accepted it; null if none was agreed. */
export function agreed(at: AtTable): string | null {
  const found = agreement(at.table?.log ?? []);
  return found === null ? null : texts.table.offeredAndAccepted(at.name(found.offered), found.accepted.map((seat) => at.name(seat)));
}

/** How it ended, beyond who won. */
export function why(at: AtTable): string | null {
  if (at.review.puzzle?.solving === true) return null;
  if (at.table?.closedWhy === "removed") return removed(at);
  const { game, table } = at;
  const reason = table?.outcome?.reason;
  if (game === null || reason === undefined) return null;
  const last = table?.positions.at(-1);
  const who = last === undefined ? null : game.ended?.(last.state, (seat) => at.name(seat));
  return agreed(at) ?? lost(at) ?? who ?? game.reasons[reason] ?? null;
}

/** Who resigned, was out of time or left, where that ended the game. */
function lost(at: AtTable): string | null {
  const by = at.game?.lostBy?.(at.table?.positions.at(-1)?.events ?? []) ?? null;
  return by === null ? null : texts.table.lostBy[by.why](by.seat === at.seat ? null : at.name(by.seat));
}

/** Who came in which place, where that is more than who won. */
export function places(at: AtTable): string | null {
  const placed = (at.table?.seats ?? []).map((_, seat) => at.place(seat));
  const different = [...new Set(placed)].filter((place) => place !== null).sort((one, other) => one - other);
  if (different.length < 2) return null;
  return texts.table.places(
    different.map((place) => ({ place, names: placed.flatMap((other, seat) => (other === place ? [at.name(seat)] : [])) })),
  );
}
