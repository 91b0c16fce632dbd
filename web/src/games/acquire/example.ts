import { CHAINS, COLUMNS, ROWS, SHARES, sizeOnBoard } from "./plan.ts";
import { begun, type AcquireState } from "./rules.ts";

/** A position that was set up by hand: rows A to I, each from the first column to the last. */
export function arranged(rows: readonly string[], rack: readonly number[] = []): AcquireState {
  const board = Array.from({ length: COLUMNS }, (_, column) => rows.map((row) => row[column]!).join("")).join("");
  const bare = begun(2);
  const sizes = CHAINS.map((_, chain) => sizeOnBoard(board, chain));
  const shares = [0, 1].map((seat) => sizes.map((size, chain) => (size === 0 ? 0 : (chain + seat) % 4)));
  return {
    ...bare,
    board,
    sizes,
    shares,
    available: CHAINS.map((_, chain) => SHARES - shares[0]![chain]! - shares[1]![chain]!),
    racks: [Array.from({ length: 6 }, (_, slot) => rack[slot] ?? null), bare.racks[1]!],
  };
}

export const at = (column: number, row: string): number => (column - 1) * ROWS + "ABCDEFGHI".indexOf(row);

const TOWN = [
  "............",
  "..LL....O...",
  "..L...II....",
  "...O..II.T..",
  "......I..TT.",
  ".AA......T..",
  ".A..O.......",
  "....O..FFF..",
  ".O....FF....",
];

export const EXAMPLE = arranged(TOWN);
