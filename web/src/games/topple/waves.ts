import { cascade } from "./cascade.ts";
import { copied, fieldOf, type ToppleEvent, type ToppleState } from "./rules.ts";

/** Tiles that topple together to the eye: their pieces are on the way to the neighbours, and land with the next wave. */
export interface Wave {
  /** Counted from 0. */
  number: number;
  /** Where the cascade began, and whose it is. */
  first: number;
  team: number;
  /** Each as often as it topples. */
  tips: readonly number[];
  /** How many different tiles have toppled by now. */
  toppled: number;
}

/**
 * The positions on the way through a cascade: tiles tip in the order of the rules, one a wave, and where that would be
 * too many waves, more and more in each. A piece has landed, for the eye, once it has arrived; the rules count it when
 * its turn comes, which leads to the same end.
 */
export function waves(before: ToppleState, event: ToppleEvent, most: number): ToppleState[] {
  if (event.type !== "moved") return [];
  const on = fieldOf(before);
  const team = before.setup.teams[event.seat]!;
  const falling: number[] = [];
  cascade(on, copied(before), event.tile, team, (tile) => falling.push(tile));

  const { owners, owned, ...start } = copied(before);
  const board = Int16Array.from(start.board);
  const take = (tile: number) => {
    owned[owners[tile]!]! -= 1;
    owners[tile] = team;
    owned[team]! += 1;
  };
  const toppled = new Set<number>();
  let landing = [event.tile];
  return shares(falling.length, most).map(([from, to], number) => {
    for (const tile of landing) {
      take(tile);
      board[tile]! += 1;
    }
    const tips = falling.slice(from, to);
    for (const tile of tips) {
      take(tile);
      board[tile]! -= on.neighbours[tile]!.length;
      toppled.add(tile);
    }
    landing = tips.flatMap((tile) => on.neighbours[tile]!);
    const wave = { number, first: event.tile, team, tips, toppled: toppled.size };
    // What topples because of others in the same wave has given away what it is yet to get.
    const shown = Uint8Array.from(board, (pieces) => Math.max(0, pieces));
    return { ...before, board: shown, owners: owners.slice(), owned: [...owned], wave };
  });
}

/** So many things in at most so many shares: of one each, or, where that would be too many, larger and larger ones. */
export function shares(things: number, most: number): [from: number, to: number][] {
  const count = Math.min(things, most);
  const growth = things <= most ? 1 : growing(things, most);
  const found: [number, number][] = [];
  let [from, wanted] = [0, 0];
  for (let share = 0; share < count; share++) {
    wanted += growth ** share;
    const to = share === count - 1 ? things : Math.min(things - (count - 1 - share), Math.max(from + 1, Math.round(wanted)));
    found.push([from, to]);
    from = to;
  }
  return found;
}

/** How much larger each share is than the one before, so that all together are so many. */
function growing(things: number, shares: number): number {
  let [low, high] = [1, 2];
  const all = (growth: number) => (growth ** shares - 1) / (growth - 1);
  while (all(high) < things) high *= 2;
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2;
    if (middle > 1 && all(middle) > things) high = middle;
    else low = middle;
  }
  return high;
}
