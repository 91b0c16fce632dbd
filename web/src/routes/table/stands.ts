import type { Share } from "../../games/stands.ts";
import { texts } from "../../texts/index.ts";
import type { AtTable } from "./at_table.svelte.ts";

/** One side's part of the bar and of the graph. */
export interface Part {
  key: string;
  /** The seat whose colour and sign it has; null for what is nobody's. */
  colour: number | null;
  words: string;
  /** Of the whole. */
  fraction: number;
}

/** What each has of the whole; the same for all as long as nobody has anything. */
export function fractions(shares: readonly Share[]): number[] {
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  return shares.map(({ share }) => (whole > 0 ? share / whole : 1 / shares.length));
}

/** In which order sides are shown: one's own first, so that it is where one sits, and what is nobody's last. */
export function order(shares: readonly Share[], viewer: number | null): number[] {
  const own = viewer === null ? -1 : shares.findIndex(({ seats }) => seats.includes(viewer));
  const all = [...shares.keys()];
  return own < 0 ? all : [own, ...all.filter((side) => side !== own)];
}

/** How the game stands in this position, side by side; nothing in games that cannot say. */
export function parts(at: AtTable, state: unknown): Part[] {
  const shares = state === null ? undefined : at.game?.shares?.(state);
  if (shares === undefined) return [];
  const of = fractions(shares);
  return order(shares, at.viewer).map((side) => {
    const { seats, words } = shares[side]!;
    const [first] = seats;
    return {
      key: seats.join(),
      colour: first === undefined ? null : at.colour(first),
      words: texts.table.has(seats.map((seat) => at.name(seat)), words),
      fraction: of[side]!,
    };
  });
}
