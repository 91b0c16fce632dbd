import { NEIGHBOURS } from "./plan.ts";
import { evolve, painted, type Acted, type AcquireEvent, type AcquireState } from "./rules.ts";

/** The positions in between: roofs grow, and a survivor's colour runs over the others, from the tile that joined them. */
export function growing(before: AcquireState, events: readonly AcquireEvent[], most: number): AcquireState[] {
  const found: AcquireState[] = [];
  let state = before;
  for (const [index, event] of events.entries()) {
    if (event.type === "acted") found.push(...spreading(state, event));
    state = evolve(state, event);
    if (index < events.length - 1) found.push(state);
  }
  return found.slice(0, most);
}

function spreading(before: AcquireState, event: Acted): AcquireState[] {
  const cells = new Map(event.cells ?? []);
  const first = event.action.type === "PlayTile" ? event.action.tile : (before.next.tile ?? null);
  if (cells.size < 2 || first === null || !cells.has(first)) return [];
  const found: AcquireState[] = [];
  let reached = [first];
  let { board } = before;
  while (reached.length > 0) {
    board = painted(board, reached.map((tile) => [tile, cells.get(tile)!]));
    for (const tile of reached) cells.delete(tile);
    found.push({ ...before, board });
    reached = [...new Set(reached.flatMap((tile) => NEIGHBOURS[tile]!))].filter((tile) => cells.has(tile));
  }
  // The last of them is where the event itself leads.
  return found.slice(0, -1);
}
