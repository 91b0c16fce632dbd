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
  /** In which direction each of them lies: 0 left, 1 right, 2 up, 3 down. */
  ways: number[][];
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
  const [neighbours, ways]: [number[][], number[][]] = [[], []];
  for (let row = 0; row < y; row++)
    for (let column = 0; column < x; column++) {
      const tile = row * x + column;
      const [across, along] = [sideways(topology), upright(topology)];
      const near = [
        column > 0 ? tile - 1 : across ? tile + x - 1 : null,
        column < x - 1 ? tile + 1 : across ? tile - x + 1 : null,
        row > 0 ? tile - x : along ? x * y - x + column : null,
        row < y - 1 ? tile + x : along ? column : null,
      ];
      neighbours.push(near.filter((each) => each !== null));
      ways.push(near.flatMap((each, way) => (each === null ? [] : [way])));
    }
  return { topology, x, y, tiles: x * y, neighbours, ways };
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
