/** The plan of the city: 9 rows by 12 columns, seven chains, and what a share costs. Money is counted in hundreds. */

export const ROWS = 9;
export const COLUMNS = 12;
export const TILES = ROWS * COLUMNS;

export const CHAINS = ["Luxor", "Tower", "American", "Festival", "Worldwide", "Continental", "Imperial"] as const;
/** A cell of each chain, in the order of the chains' numbers. */
export const LETTERS = "LTAFWCI";
export const EMPTY = ".";
/** A tile that belongs to no chain. */
export const ALONE = "O";
/** Where a tile could never be played, and was laid aside. */
export const DEAD = "#";

export const SAFE = 11;
export const LARGE = 41;
export const SHARES = 25;
export const RACK = 6;
export const CASH = 60;
export const MOST_SHARES = 3;

/** What a share costs more than one of Luxor, by chain. */
const TIERS = [0, 0, 1, 1, 1, 2, 2];
/** The smallest size at each price, dearest first. */
const STEPS = [41, 31, 21, 11, 6, 5, 4, 3, 2];

export function priceOf(chain: number, size: number): number {
  const step = STEPS.findIndex((least) => size >= least);
  return step < 0 ? 0 : 10 - step + TIERS[chain]!;
}

export function tileName(tile: number): string {
  return `${Math.floor(tile / ROWS) + 1}${"ABCDEFGHI"[tile % ROWS]}`;
}

/** The tiles above, to the right, below and to the left; null beyond the edge. */
export function around(tile: number): (number | null)[] {
  const row = tile % ROWS;
  return [
    row > 0 ? tile - 1 : null,
    tile + ROWS < TILES ? tile + ROWS : null,
    row < ROWS - 1 ? tile + 1 : null,
    tile >= ROWS ? tile - ROWS : null,
  ];
}

export const NEIGHBOURS: readonly (readonly number[])[] = Array.from({ length: TILES }, (_, tile) =>
  around(tile).filter((near) => near !== null),
);

export const chainOf = (cell: string): number => LETTERS.indexOf(cell);
export const isChain = (cell: string): boolean => LETTERS.includes(cell);

export function cellsOf(board: string, cell: string): number[] {
  return [...board].flatMap((each, tile) => (each === cell ? [tile] : []));
}

export const sizeOnBoard = (board: string, chain: number): number => cellsOf(board, LETTERS[chain]!).length;

/** The tile, and all tiles without a chain that are connected to it through such tiles. */
export function aloneAround(board: string, tile: number): number[] {
  const found = [tile];
  for (const place of found) {
    found.push(...NEIGHBOURS[place]!.filter((near) => board[near] === ALONE && !found.includes(near)));
  }
  return found;
}
