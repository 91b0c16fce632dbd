import type { Seat } from "../../lib/wire/types.ts";
import { isPlayable, isSeen, kindOf, UNSEEN, type Rack } from "./kinds.ts";
import { ALONE, CASH, CHAINS, EMPTY, LETTERS, MOST_SHARES, priceOf, RACK, SHARES, TILES } from "./plan.ts";

/** Acquire as the page knows it. Fold and state are the server's; events carry what they have changed. */

export type SelectName = "SelectNewChain" | "SelectMergerSurvivor" | "SelectChainToDisposeOfNext";
export type AwaitedName = "PlayTile" | SelectName | "DisposeOfShares" | "PurchaseShares" | "GameOver";

export type AcquireAction =
  | { type: "PlayTile"; tile: number }
  | { type: SelectName; chain: number }
  | { type: "DisposeOfShares"; trade: number; sell: number }
  | { type: "PurchaseShares"; chains: number[]; end?: boolean };

export interface Awaited {
  seat: Seat;
  action: AwaitedName;
  turn: Seat;
  idle?: number;
  chains?: number[];
  tile?: number | null;
  merging?: number[];
  survivor?: number | null;
  defunct?: number | null;
  left?: number[];
  queue?: Seat[];
  can_end?: boolean;
  ending?: string | null;
}

export interface AcquireState {
  teams: number;
  board: string;
  racks: Rack[];
  unseen: number[];
  bag: number;
  shares: number[][];
  cash: number[];
  available: number[];
  sizes: number[];
  next: Awaited;
  forfeited: Seat[];
  actions: number;
}

/** A line of the history: its kind, then the player and what else it has. */
export type Message = readonly [kind: string, ...rest: unknown[]];

export interface Began {
  type: "began";
  teams: number;
  host: Seat;
  history: Message[];
  racks: Rack[];
  next: Awaited;
}

export interface Acted {
  type: "acted";
  seat: Seat;
  action: AcquireAction;
  history: Message[];
  next: Awaited;
  auto?: boolean;
  cells?: [tile: number, cell: string][];
  rows?: [seat: Seat, shares: number[], cash: number][];
  sizes?: number[];
  available?: number[];
  racks?: [seat: Seat, rack: Rack][];
  bag?: number | null;
  rest?: number[];
}

export type AcquireEvent = Began | Acted | { type: "forfeited"; seat: Seat };

const NONE = CHAINS.map(() => 0);
const TELLS_A_TILE: ReadonlySet<string> = new Set(["DrewPositionTile", "DrewTile", "ReplacedDeadTile"]);

/** A bare board before so many. */
export function begun(seats: number, teams = seats): AcquireState {
  const each = <Item>(item: Item): Item[] => Array.from({ length: seats }, () => item);
  return {
    teams,
    board: EMPTY.repeat(TILES),
    racks: each(hidden(0)),
    unseen: Array.from({ length: TILES }, (_, tile) => tile),
    bag: TILES - seats * (RACK + 1),
    shares: each(NONE),
    cash: each(CASH),
    available: CHAINS.map(() => SHARES),
    sizes: NONE,
    next: { seat: 0, action: "PlayTile", turn: 0 },
    forfeited: [],
    actions: 1,
  };
}

/** A rack of so many tiles that the viewer does not see. */
function hidden(count: number): Rack {
  return Array.from({ length: RACK }, (_, slot) => (slot < count ? UNSEEN : null));
}

export function evolve(state: AcquireState | null, event: AcquireEvent): AcquireState {
  switch (event.type) {
    case "began":
      return beginning(event);
    case "acted":
      return acted(state!, event);
    case "forfeited":
      return { ...state!, forfeited: [...state!.forfeited, event.seat] };
  }
}

function beginning(event: Began): AcquireState {
  const bare = begun(event.racks.length, event.teams);
  const laid = event.history.flatMap(([kind, , tile]): [number, string][] =>
    kind === "DrewPositionTile" ? [[tile as number, ALONE]] : [],
  );
  return {
    ...bare,
    board: painted(bare.board, laid),
    racks: event.racks,
    unseen: stillUnseen(bare.unseen, event.history),
    next: event.next,
  };
}

function stillUnseen(unseen: number[], history: readonly Message[]): number[] {
  const told = new Set(history.flatMap(([kind, , tile]) => (TELLS_A_TILE.has(kind) ? [tile as number] : [])));
  return unseen.filter((tile) => !told.has(tile));
}

function acted(state: AcquireState, event: Acted): AcquireState {
  let { racks, unseen, shares, cash } = state;
  const { seat, action } = event;
  if (action.type === "PlayTile") {
    const rack = racks[seat]!;
    const slot = rack.indexOf(action.tile);
    if (slot < 0) unseen = unseen.filter((tile) => tile !== action.tile);
    racks = racks.with(seat, slot < 0 ? hidden(rack.filter((tile) => tile === UNSEEN).length - 1) : rack.with(slot, null));
  }
  for (const [drawer, rack] of event.racks ?? []) racks = racks.with(drawer, rack);
  if (typeof event.bag === "number" || (event.racks ?? []).length > 0) unseen = stillUnseen(unseen, event.history);
  for (const [holder, held, money] of event.rows ?? []) {
    shares = shares.with(holder, held);
    cash = cash.with(holder, money);
  }
  return {
    ...state,
    board: painted(state.board, event.cells ?? []),
    racks,
    unseen,
    bag: event.bag ?? state.bag,
    shares,
    cash,
    available: event.available ?? state.available,
    sizes: event.sizes ?? state.sizes,
    next: event.next,
    actions: state.actions + 1,
  };
}

export function painted(board: string, cells: readonly (readonly [tile: number, cell: string])[]): string {
  if (cells.length === 0) return board;
  const all = [...board];
  for (const [tile, cell] of cells) all[tile] = cell;
  return all.join("");
}

// What may be done

export function legal(state: AcquireState, seat: Seat): AcquireAction[] {
  const { next } = state;
  if (seat !== next.seat) return [];
  switch (next.action) {
    case "PlayTile":
      return (state.racks[seat] ?? []).flatMap((tile): AcquireAction[] =>
        isSeen(tile) && isPlayable(kindOf(state.board, tile)) ? [{ type: "PlayTile", tile }] : [],
      );
    case "PurchaseShares": {
      const ends = next.can_end ? [false, true] : [false];
      return ends.flatMap((end) => baskets(state, seat).map((chains) => ({ type: "PurchaseShares" as const, chains, end })));
    }
    case "DisposeOfShares":
      return disposals(state, seat);
    case "GameOver":
      return [];
    default: {
      const { action } = next;
      return (next.chains ?? []).map((chain) => ({ type: action, chain }));
    }
  }
}

/** All that a seat could buy now, each basket in the order of the chains. */
export function baskets(state: AcquireState, seat: Seat): number[][] {
  const found: number[][] = [[]];
  // The list grows while it is gone through: each basket is followed by those with one share more.
  for (const basket of found) {
    if (basket.length === MOST_SHARES) continue;
    for (let chain = basket.at(-1) ?? 0; chain < CHAINS.length; chain++) {
      const more = [...basket, chain];
      if (canBuy(state, seat, more)) found.push(more);
    }
  }
  return found;
}

export function costOf(state: AcquireState, basket: readonly number[]): number {
  return basket.reduce((sum, chain) => sum + priceOf(chain, state.sizes[chain]!), 0);
}

export function canBuy(state: AcquireState, seat: Seat, basket: readonly number[]): boolean {
  if (basket.length > MOST_SHARES || costOf(state, basket) > state.cash[seat]!) return false;
  return basket.every(
    (chain) => state.sizes[chain]! > 0 && basket.filter((other) => other === chain).length <= state.available[chain]!,
  );
}

/** The most that can be traded: an even number of shares, as far as there are any to be had for them. */
export function mostTraded(state: AcquireState, seat: Seat): number {
  const { defunct, survivor } = state.next;
  const owned = state.shares[seat]![defunct ?? 0]!;
  return Math.min(owned - (owned % 2), 2 * state.available[survivor ?? 0]!);
}

function disposals(state: AcquireState, seat: Seat): AcquireAction[] {
  const owned = state.shares[seat]![state.next.defunct ?? 0]!;
  const found: AcquireAction[] = [];
  for (let trade = 0; trade <= mostTraded(state, seat); trade += 2) {
    for (let sell = 0; sell <= owned - trade; sell++) found.push({ type: "DisposeOfShares", trade, sell });
  }
  return found;
}

export const hasForfeited = (state: AcquireState, seat: Seat): boolean => state.forfeited.includes(seat);

export const letterOf = (chain: number): string => LETTERS[chain] ?? "";
