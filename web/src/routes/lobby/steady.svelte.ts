import { untrack } from "svelte";

import type { Summary } from "../../lib/wire/types.ts";

/** A place in a list of tables: what stands there, and whether that is over and its place free for another. */
export interface Place {
  table: Summary;
  gone: boolean;
}

/**
 * The tables in the places they had before, so that nothing moves under a finger: who goes leaves a gap, who comes
 * takes the first gap or the end. Without places from before they stand as they are given.
 */
export function arranged(before: readonly Place[], tables: readonly Summary[]): Place[] {
  const now = new Map(tables.map((table) => [table.id, table]));
  const places = before.map(({ table }): Place => {
    const still = now.get(table.id);
    now.delete(table.id);
    return { table: still ?? table, gone: still === undefined };
  });
  let gap = 0;
  for (const table of now.values()) {
    while (gap < places.length && !places[gap]!.gone) gap += 1;
    places[gap] = { table, gone: false };
  }
  while (places.at(-1)?.gone === true) places.pop();
  return places;
}

/** A list of tables that closes its gaps only when nobody is about to touch it. */
export class Steady {
  places: readonly Place[] = $state.raw([]);
  #filter: string | null = null;

  constructor(
    private readonly tables: () => readonly Summary[],
    /** With another one, it is another list. */
    filter: () => string,
  ) {
    $effect.pre(() => {
      const [now, wanted] = [tables(), filter()];
      untrack(() => (this.places = arranged(wanted === this.#filter ? this.places : [], now)));
      this.#filter = wanted;
    });
  }

  settle(): void {
    if (this.places.some(({ gone }) => gone)) this.places = arranged([], untrack(this.tables));
  }
}
