import { LETTERS, priceOf } from "./plan.ts";
import type { AcquireState } from "./rules.ts";

/** Who gets how much when a chain of this price is bought out, in the order of payment. */
export function bonuses(shares: readonly number[], price: number): [seat: number, bonus: number][] {
  const most = Math.max(...shares);
  if (most === 0) return [];
  const holding = (count: number) => shares.flatMap((held, seat) => (held === count ? [seat] : []));
  const first = holding(most);
  if (first.length > 1) return first.map((seat) => [seat, Math.ceil((15 * price) / first.length)]);
  const second = Math.max(0, ...shares.filter((held) => held !== most));
  if (second === 0) return [[first[0]!, 15 * price]];
  const next = holding(second);
  return [[first[0]!, 10 * price], ...next.map((seat): [number, number] => [seat, Math.ceil((5 * price) / next.length)])];
}

export const sharesOf = (state: AcquireState, chain: number): number[] => state.shares.map((held) => held[chain]!);

export const priceNow = (state: AcquireState, chain: number): number => priceOf(chain, state.sizes[chain]!);

export const isOnBoard = (state: AcquireState, chain: number): boolean => state.board.includes(LETTERS[chain]!);

/** The bonuses of a chain if it were bought out now. That of a swallowed one has been paid. */
export function bonusesNow(state: AcquireState, chain: number): [seat: number, bonus: number][] {
  return isOnBoard(state, chain) ? bonuses(sharesOf(state, chain), priceNow(state, chain)) : [];
}

/** Cash, shares at their price, and the bonuses if every chain on the board were bought out now. */
export function nets(state: AcquireState): number[] {
  const worth = [...state.cash];
  for (const [chain, size] of state.sizes.entries()) {
    if (size === 0) continue;
    for (const [seat, held] of sharesOf(state, chain).entries()) worth[seat]! += held * priceNow(state, chain);
    for (const [seat, bonus] of bonusesNow(state, chain)) worth[seat]! += bonus;
  }
  return worth;
}

export const inTeams = (state: AcquireState): boolean => state.teams < state.cash.length;

export const teamOf = (seat: number, teams: number): number => seat % teams;

export function teamTotals(state: AcquireState): { seats: number[]; worth: number }[] {
  const worth = nets(state);
  return Array.from({ length: state.teams }, (_, team) => {
    const seats = [...worth.keys()].filter((seat) => teamOf(seat, state.teams) === team);
    return { seats, worth: seats.reduce((sum, seat) => sum + worth[seat]!, 0) };
  });
}

/** Who has the most and the second most of each chain: 1, 2, or nothing. */
export function standings(shares: readonly number[]): (1 | 2 | null)[] {
  const paid = bonuses(shares, 1).map(([seat]) => seat);
  const most = Math.max(...shares);
  return shares.map((held, seat) => (!paid.includes(seat) ? null : held === most ? 1 : 2));
}
