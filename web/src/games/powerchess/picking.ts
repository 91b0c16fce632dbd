import type { Pick } from "../../lib/board/picks.ts";
import { EMPTY, kindOf, lastRank, rankOf, seatOf } from "./board.ts";
import {
  UNSEEN,
  type Action,
  type Move,
  type PowerChessEvent,
  type PowerChessState,
  type PowerName,
  type Promotion,
} from "./rules.ts";
import { words } from "./texts.ts";

/** The controls of Power Chess: a power, that it is to be used if it asks for no square, and what a pawn becomes. */
const POWER = "power-";
const PROMOTION = "promote-";
export const USE = "use";
export const PROMOTIONS: readonly Promotion[] = ["queen", "rook", "bishop", "knight"];

export const powerPick = (power: PowerName): Pick => `${POWER}${power}`;
export const promotionPick = (promotion: Promotion): Pick => `${PROMOTION}${promotion}`;
export const powerOf = (pick: Pick) => (pick.startsWith(POWER) ? (pick.slice(POWER.length) as PowerName) : null);
export const promotionOf = (pick: Pick) => (pick.startsWith(PROMOTION) ? (pick.slice(PROMOTION.length) as Promotion) : null);

/** Whether a pawn becomes something else by this move: not while its side is energized. */
function promotes(state: PowerChessState, { start, end }: Move): boolean {
  const letter = state.board[start] ?? EMPTY;
  if (kindOf(letter) !== "p") return false;
  const seat = seatOf(letter);
  return rankOf(end) === lastRank(seat) && state.energized[seat as 0 | 1] === 0;
}

export function path(action: Action, state: PowerChessState): readonly Pick[] {
  if (action.type === "use") {
    const { power, target } = action;
    // Whoever has picked a card sees what it would do before it is done.
    return [powerPick(power), typeof target === "number" ? String(target) : USE];
  }
  const way = [String(action.start), String(action.end)];
  return promotes(state, action) ? [...way, promotionPick(action.promotion ?? "queen")] : way;
}

/** The action that an event came of, as the server writes it; null for what nobody did. */
export function actionOf(event: PowerChessEvent, before: PowerChessState): Action | null {
  if (event.type === "used") return { type: "use", power: event.power, target: event.target ?? null };
  if (event.type !== "moved") return null;
  const { start, end, updates = [] } = event;
  const move: Move = { type: "move", start, end, promotion: "queen" };
  if (!promotes(before, move)) return move;
  const became = kindOf(updates.find(({ square }) => square === end)?.shown[0] ?? EMPTY);
  return { ...move, promotion: PROMOTIONS.find((to) => kindOfPromotion(to) === became) ?? "queen" };
}

const kindOfPromotion = (to: Promotion) => (to === "knight" ? "n" : to[0]);

export function controlLabel(pick: Pick): string {
  const [power, promotion] = [powerOf(pick), promotionOf(pick)];
  if (power !== null) return words.title(power);
  if (promotion !== null) return words.promote(promotion);
  return pick === USE ? words.useIt : pick;
}

/** The power that stands at this place of the offer, for the keys 1 and 2. */
export function offered(state: PowerChessState, place: 0 | 1): Pick | null {
  const power = state.choice?.powers[place];
  return power === undefined || power === UNSEEN ? null : powerPick(power);
}
