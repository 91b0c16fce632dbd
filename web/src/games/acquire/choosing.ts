import type { Pick } from "../../lib/board/picks.ts";
import type { Hands as AnyHands } from "../game.ts";
import { isSeen } from "./kinds.ts";
import { CHAINS, LETTERS } from "./plan.ts";
import { canBuy, mostTraded, type AcquireAction, type AcquireState } from "./rules.ts";

export type Hands = AnyHands<AcquireState>;

export const OK = "ok";
export const END = "end";

export const inRack = (tile: number): Pick => `hand-${tile}`;
export const onBoard = (tile: number): Pick => String(tile);
export const chainPick = (chain: number): Pick => `chain-${chain}`;

/** The tile that a square of the rack has; null for other squares. */
export function tileInRack(square: string): number | null {
  return square.startsWith("hand-") ? Number(square.slice("hand-".length)) : null;
}

export function path(action: AcquireAction): Pick[] {
  switch (action.type) {
    case "PlayTile":
      return [inRack(action.tile)];
    case "DisposeOfShares":
      return [...disposal(action.trade, action.sell), OK];
    case "PurchaseShares":
      return [...purchase(action.chains, action.end === true), OK];
    default:
      return [chainPick(action.chain)];
  }
}

/** A tile is played from the rack, or by its place on the board. */
export function otherPaths(action: AcquireAction): Pick[][] {
  return action.type === "PlayTile" ? [[onBoard(action.tile)]] : [];
}

function disposal(trade: number, sell: number): Pick[] {
  return [...(trade > 0 ? [`trade-${trade}`] : []), ...(sell > 0 ? [`sell-${sell}`] : [])];
}

function purchase(chains: readonly number[], end: boolean): Pick[] {
  const inOrder = [...chains].sort((one, other) => one - other);
  return [...inOrder.map((chain) => `buy-${chain}`), ...(end ? [END] : [])];
}

/** The figures that were picked of one kind. */
function figures(picks: readonly Pick[], kind: string): number[] {
  return picks.flatMap((pick) => (pick.startsWith(`${kind}-`) ? [Number(pick.slice(kind.length + 1))] : []));
}

export const basketOf = (picks: readonly Pick[]): number[] => figures(picks, "buy");
export const tradedIn = (picks: readonly Pick[]): number => figures(picks, "trade")[0] ?? 0;
export const soldIn = (picks: readonly Pick[]): number => figures(picks, "sell")[0] ?? 0;
export const endsIn = (picks: readonly Pick[]): boolean => picks.includes(END);

/** Have these picks in the place of all that was picked. */
function have({ picks, pick, undo }: Hands, wanted: readonly Pick[]): void {
  picks.forEach(undo);
  for (const each of wanted) pick(each);
}

export function addShare(hands: Hands, chain: number): void {
  const basket = [...basketOf(hands.picks), chain];
  if (canBuy(hands.state, hands.viewer, basket)) have(hands, purchase(basket, endsIn(hands.picks)));
}

export function dropShare(hands: Hands, chain: number): void {
  const basket = basketOf(hands.picks);
  if (!basket.includes(chain)) return;
  have(hands, purchase(basket.toSpliced(basket.lastIndexOf(chain), 1), endsIn(hands.picks)));
}

export function toggleEnd(hands: Hands): void {
  if (hands.state.next.can_end) have(hands, purchase(basketOf(hands.picks), !endsIn(hands.picks)));
}

const owned = ({ state, viewer }: Hands): number => state.shares[viewer]![state.next.defunct ?? 0]!;

/** So many are traded; what cannot be sold then any more is kept. */
export function tradeShares(hands: Hands, count: number): void {
  const trade = Math.max(0, Math.min(count, mostTraded(hands.state, hands.viewer)));
  have(hands, disposal(trade, Math.min(soldIn(hands.picks), owned(hands) - trade)));
}

export function sellShares(hands: Hands, count: number): void {
  const trade = tradedIn(hands.picks);
  have(hands, disposal(trade, Math.max(0, Math.min(count, owned(hands) - trade))));
}

/** One step more, and after the most that is possible none again: so one key is enough. */
function tradeMore(hands: Hands): void {
  const more = tradedIn(hands.picks) + 2;
  tradeShares(hands, more > mostTraded(hands.state, hands.viewer) ? 0 : more);
}

function sellMore(hands: Hands): void {
  const more = soldIn(hands.picks) + 1;
  sellShares(hands, more > owned(hands) - tradedIn(hands.picks) ? 0 : more);
}

// Keys

function chooseChain(hands: Hands, chain: number): void {
  if (hands.state.next.action === "PurchaseShares") addShare(hands, chain);
  else if (hands.state.next.chains?.includes(chain)) hands.pick(chainPick(chain));
}

/** A tile of the rack, or a chain by its number. */
export function pressDigit(hands: Hands, digit: number): void {
  const { state, viewer } = hands;
  if (state.next.action !== "PlayTile") {
    if (digit <= CHAINS.length) chooseChain(hands, digit - 1);
    return;
  }
  const tile = state.racks[viewer]?.[digit - 1];
  if (isSeen(tile)) hands.pick(inRack(tile));
}

/** A chain by its letter; where shares are disposed of, what is to be done with them. */
export function pressLetter(hands: Hands, letter: string): void {
  const disposing = hands.state.next.action === "DisposeOfShares" && hands.state.next.seat === hands.viewer;
  if (letter === "O") hands.pick(OK);
  else if (letter === "E") toggleEnd(hands);
  else if (disposing && letter === "T") tradeMore(hands);
  else if (disposing && letter === "S") sellMore(hands);
  else if (disposing && letter === "K") have(hands, []);
  else if (LETTERS.includes(letter)) chooseChain(hands, LETTERS.indexOf(letter));
}
