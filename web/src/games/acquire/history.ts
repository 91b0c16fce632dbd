import type { Seat } from "../../lib/wire/types.ts";
import { CHAINS, LARGE, tileName } from "./plan.ts";
import { hasForfeited, type AcquireEvent, type AcquireState, type Message } from "./rules.ts";
import { bonusesNow } from "./scores.ts";
import { words } from "./texts.ts";

const says = words.history;
const chain = (number: unknown): string => CHAINS[number as number] ?? "";
const counted = (bought: unknown): string =>
  (bought as [number, number][]).map(([which, count]) => says.shares(count, chain(which))).join(", ");

/** What one line says, without the name of the player; null for what needs no words. */
const LINES: Record<string, (...rest: never[]) => string | null> = {
  PlayedTile: (tile: number) => says.plays(tileName(tile)),
  FormedChain: (which: number) => says.founds(chain(which)),
  MergedChains: (which: number[]) => says.merges(which.map(chain)),
  SelectedMergerSurvivor: (which: number) => says.survives(chain(which)),
  SelectedChainToDisposeOfNext: (which: number) => says.isNext(chain(which)),
  ReceivedBonus: (which: number, bonus: number) => says.bonus(chain(which), bonus),
  DisposedOfShares: (which: number, trade: number, sell: number) => says.disposes(chain(which), trade, sell),
  CouldNotAffordAnyShares: () => says.tooPoor,
  PurchasedShares: (bought: unknown[]) => (bought.length === 0 ? says.buysNothing : says.buys(counted(bought))),
  DrewTile: (tile: number) => says.draws(tileName(tile)),
  DrewLastTile: () => says.drawsLast,
  ReplacedDeadTile: (tile: number) => says.laysAside(tileName(tile)),
  HasNoPlayableTile: () => says.nothingToPlay,
  EndedGame: () => says.ends,
};
const NOBODYS: Record<string, string> = {
  NoTilesPlayedForEntireRound: says.nobodyCould,
  AllTilesPlayed: says.allPlayed,
};

function line([kind, player, ...rest]: Message, actor: Seat, name: (seat: Seat) => string): string | null {
  if (NOBODYS[kind] !== undefined) return NOBODYS[kind];
  const said = LINES[kind]?.(...(rest as never[])) ?? null;
  if (said === null || player === actor) return said;
  return says.of(name(player as Seat), said);
}

/** All that came of an event, in words; what its own player did is said without the name. */
export function told(event: AcquireEvent, name: (seat: Seat) => string): string | null {
  if (event.type === "forfeited") return says.forfeits;
  if (event.type === "began") return null;
  const lines = event.history.flatMap((message) => line(message, event.seat, name) ?? []);
  return `${event.auto ? says.automatic : ""}${lines.join("; ")}`;
}

/** The same, and with what ended the game the bonuses of every chain, which nobody is told of as they are paid. */
export function toldWithBonuses(event: AcquireEvent, after: AcquireState, name: (seat: Seat) => string): string | null {
  const said = told(event, name);
  if (said === null || event.type !== "acted" || after.next.action !== "GameOver") return said;
  const paid = CHAINS.flatMap((which, number) => {
    const bonuses = bonusesNow(after, number).map(([seat, bonus]) => says.paid(name(seat), bonus));
    return bonuses.length === 0 ? [] : [says.pays(which, bonuses)];
  });
  return [said, ...paid].join("; ");
}

/** Who ended the game, and what allowed it, where somebody did. */
export function ended(state: AcquireState, name: (seat: Seat) => string): string | null {
  const { ending, seat } = state.next;
  if (ending !== "EndedGame") return null;
  // For those who have forfeited the server acts, and ends the game only if nobody else is left.
  const who = hasForfeited(state, seat) ? null : name(seat);
  const largest = state.sizes.indexOf(Math.max(...state.sizes));
  const size = state.sizes[largest]!;
  return size >= LARGE ? words.ended.large(who, chain(largest), size) : words.ended.safe(who);
}

/** Whether somebody looking for the turning points of a game would stop there. */
export function isDramatic(event: AcquireEvent): boolean {
  if (event.type !== "acted") return event.type === "forfeited";
  return event.history.some(([kind]) => kind === "MergedChains" || kind === "EndedGame" || NOBODYS[kind as string] !== undefined);
}
