import type { Field } from "./field.ts";

export interface Pieces {
  /** The pieces on each tile, and the team that owns it; 0 is neutral. */
  board: Uint8Array;
  owners: Uint8Array;
  /** How many tiles are neutral, and each team's. */
  owned: number[];
}

export interface Settled {
  /** The tiles that toppled, each once, in the order in which they first did. */
  toppled: number[];
  /** The owners that lost their last tile, neutral (0) among them, in the order in which they did. */
  emptied: number[];
}

/**
 * Place a piece of a team, which must not own everything yet, and let the board settle, all in place.
 *
 * The order is that of a stack, neighbours last to first, as on the server: it shows, because everything stops, half
 * settled, as soon as the team owns every tile. `fell` is told of each tile that topples, as often as it does.
 */
export function cascade(
  on: Field,
  { board, owners, owned }: Pieces,
  tile: number,
  team: number,
  fell?: (tile: number) => void,
): Settled {
  const toppled = new Set<number>();
  const emptied: number[] = [];
  const stack = [tile];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const owner = owners[at]!;
    let won = false;
    if (owner !== team) {
      owners[at] = team;
      owned[team]! += 1;
      owned[owner]! -= 1;
      if (owned[owner] === 0) emptied.push(owner);
      won = owned[team] === on.tiles;
    }
    // The piece that won is not placed any more.
    if (!won) {
      const near = on.neighbours[at]!;
      const pieces = board[at]! + 1;
      if (pieces > near.length) {
        board[at] = pieces - near.length;
        for (const neighbour of near) stack.push(neighbour);
        toppled.add(at);
        fell?.(at);
      } else {
        board[at] = pieces;
      }
    }
    if (won) break;
  }
  return { toppled: [...toppled], emptied };
}
