import type { Figure } from "./over_time.svelte.ts";

/** A moment worth seeing, and how many others are so near that they have no mark of their own. */
export interface Moment {
  index: number;
  others: number;
}

/** How far the game swung there. */
function swing(figures: readonly Figure[], index: number): number {
  const [before, after] = [figures[index - 1]?.fractions ?? [], figures[index]?.fractions ?? []];
  return Math.max(0, ...after.map((fraction, side) => Math.abs(fraction - (before[side] ?? fraction))));
}

/**
 * The moments that have a mark on a line of this length: never two nearer to each other than `apart`, and of neighbours
 * the one that changed more. The end is always among them.
 */
export function marked(figures: readonly Figure[], last: number, length: number, apart: number): Moment[] {
  const place = (index: number) => (index / Math.max(1, last)) * length;
  const dramatic = dramaticOnes(figures);
  const weight = new Map(dramatic.map((index) => [index, index === last ? Infinity : swing(figures, index)]));
  const chosen: number[] = [];
  // Of equals the earlier one stays: sorting keeps their order.
  for (const index of dramatic.toSorted((one, other) => weight.get(other)! - weight.get(one)!)) {
    if (chosen.every((other) => Math.abs(place(other) - place(index)) >= apart)) chosen.push(index);
  }
  const moments = chosen.toSorted((one, other) => one - other).map((index): Moment => ({ index, others: 0 }));
  for (const index of dramatic) {
    const nearest = moments.reduce((best, moment) =>
      Math.abs(moment.index - index) < Math.abs(best.index - index) ? moment : best,
    );
    if (nearest.index !== index) nearest.others += 1;
  }
  return moments;
}

export function dramaticOnes(figures: readonly Figure[]): number[] {
  return figures.flatMap(({ dramatic }, index) => (dramatic ? [index] : []));
}
