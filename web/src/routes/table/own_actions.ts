import { turnedDown } from "../../lib/hall/draws.ts";
import { botOf, otherStrengths } from "../../lib/hall/bots.ts";
import { playsAlone, takenBackTo } from "../../lib/hall/taking_back.ts";
import type { Item } from "../../lib/ui/Menu.svelte";
import type { Level } from "../../lib/wire/types.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";
import { leavingQuestion, resigningQuestion } from "./leaving.ts";

/** What somebody can do at the table besides playing, each null where they cannot: as buttons, or in a menu. */

export function offeringDraw(at: AtTable): Item | null {
  const { table, seat, traits } = at;
  if (table?.phase !== "playing" || seat === null || traits?.draw_offers !== true) return null;
  const others = table.seats.flatMap((holder, other) => (holder === null || other === seat ? [] : [holder]));
  if (others.some(({ kind }) => kind === "bot") && traits.bots_answer_draws !== true) return null;
  if (table.drawOffers.length > 0) return null;
  return {
    text: texts.table.offerDraw,
    sure: texts.table.offerDrawSure(others.map(({ name }) => name)),
    ...(turnedDown(table.log, seat) ? { disabled: true, why: texts.table.offerDrawLater } : {}),
    run: () => void at.do({ type: "draw", table: table.id, accept: true }),
  };
}

export function takingBack(at: AtTable): Item | null {
  const { newest, seat, traits } = at;
  if (newest?.phase !== "playing" || seat === null || traits?.takes_back !== true) return null;
  if (newest.waiting.length > 0 || !playsAlone(newest, seat)) return null;
  return {
    text: texts.table.takeBack,
    disabled: takenBackTo(newest, seat) === null,
    run: () => void at.takeBack(),
  };
}

/** A rematch against bots of another strength, for whoever plays with bots alone. */
export function otherRematches(at: AtTable): (Item & { label: string })[] {
  const { table, seat, traits } = at;
  if (table === null || table.outcome === null || table.successor !== null || seat === null || !playsAlone(table, seat)) return [];
  const { stronger, weaker } = otherStrengths(table.seats, traits);
  const against = (text: string, level: Level | null) =>
    level === null
      ? []
      : [
          {
            text,
            label: texts.table.against(text, botOf(level)),
            disabled: table.rematch.includes(seat),
            run: () => void at.do({ type: "rematch", table: table.id, level: level.name }),
          },
        ];
  return [...against(texts.table.stronger, stronger), ...against(texts.table.weaker, weaker)];
}

export function reviewing(at: AtTable): Item | null {
  return at.last > 0 ? { text: texts.table.review, run: () => at.look(0) } : null;
}

export function resigning(at: AtTable): Item | null {
  const { table, seat, traits } = at;
  if (table?.phase !== "playing" || seat === null || traits?.resigning !== true) return null;
  if (at.known === null || at.game?.mayResign?.(at.known, seat) === false) return null;
  return {
    text: texts.table.resign,
    sure: resigningQuestion(at),
    run: () => void at.do({ type: "resign", table: table.id }),
  };
}

export function pausing(at: AtTable): Item | null {
  const { table } = at;
  if (table?.phase !== "playing" || !at.isHost) return null;
  return { text: texts.table.pause, run: () => void at.do({ type: "pause", table: table.id }) };
}

export function exporting(at: AtTable): Item | null {
  const on = at.table?.phase === "playing" || at.table?.phase === "paused";
  if (!on || !at.isHost || at.traits?.suspends !== true) return null;
  return { text: texts.table.export, sure: texts.table.exportSure, run: () => void at.export() };
}

export function callingOff(at: AtTable): Item | null {
  if (at.table?.phase !== "setup" || !at.isHost) return null;
  return { text: texts.table.callOff, sure: texts.table.callOffSure, run: () => void at.callOff() };
}

export function leaving(at: AtTable): Item | null {
  if (at.seat === null || at.table?.phase === "over") return null;
  const sure = leavingQuestion(at);
  return { text: texts.table.leave, ...(sure === null ? {} : { sure }), run: () => void at.leave() };
}
