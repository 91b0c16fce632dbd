/** Which edges are joined, by the number that the server uses: none, left with right, top with bottom, both. */
export const TOPOLOGIES = ["grid", "hwrap", "vwrap", "bwrap"];

/** A board without pieces. Neighbours are listed left, right, up, down, which is the order of toppling. */
export interface Field {
  topology: number;
  x: number;
  y: number;
  tiles: number;
  /** A tile may be listed twice, or be its own neighbour: where a joined side has a length of 2 or 1. */
  neighbours: number[][];
}

export const sideways = (topology: number) => topology === 1 || topology === 3;
export const upright = (topology: number) => topology === 2 || topology === 3;

export const field = oncePerBoard(make);

/** The same thing for the same kind of board, however often it is asked for. */
export function oncePerBoard<Thing>(make: (topology: number, x: number, y: number) => Thing): typeof make {
  const made = new Map<string, Thing>();
  return (topology, x, y) => {
    const key = `${topology},${x},${y}`;
    let found = made.get(key);
    if (found === undefined) {
      found = make(topology, x, y);
      made.set(key, found);
    }
    return found;
  };
}

function make(topology: number, x: number, y: number): Field {
  const neighbours: number[][] = [];
  for (let row = 0; row < y; row++)
    for (let column = 0; column < x; column++) {
      const tile = row * x + column;
      const near: number[] = [];
      if (column > 0) near.push(tile - 1);
      else if (sideways(topology)) near.push(tile + x - 1);
      if (column < x - 1) near.push(tile + 1);
      else if (sideways(topology)) near.push(tile - x + 1);
      if (row > 0) near.push(tile - x);
      else if (upright(topology)) near.push(x * y - x + column);
      if (row < y - 1) near.push(tile + x);
      else if (upright(topology)) near.push(column);
      neighbours.push(near);
    }
  return { topology, x, y, tiles: x * y, neighbours };
}

/** Columns have letters, from the left; after z come aa, ab and so on. */
export function columnName(column: number): string {
  const last = String.fromCharCode(97 + (column % 26));
  return column < 26 ? last : columnName(Math.floor(column / 26) - 1) + last;
}

/** A tile as people read it, and as it stands at the edge of the board: a letter, and the row from the top. */
export function tileName(tile: number, x: number): string {
  return `${columnName(tile % x)}${Math.floor(tile / x) + 1}`;
}
