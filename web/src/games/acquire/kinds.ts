import { ALONE, chainOf, DEAD, isChain, LETTERS, NEIGHBOURS, SAFE, sizeOnBoard } from "./plan.ts";

/** What a tile in a rack would do: extend the chain of that letter, or one of these. */
export const LONELY = "l";
/** It touches nothing but another such tile of the same rack, and together they could form a chain. */
export const NEIGHBOUR = "h";
export const FORMS = "n";
export const MERGES = "m";
/** It would form a chain, but all seven are on the board. */
export const NOT_NOW = "c";
/** It would merge safe chains. */
export const NEVER = DEAD;

export type Rack = readonly (number | null)[];
/** A tile that the viewer does not see. */
export const UNSEEN = 108;

export const isSeen = (tile: number | null | undefined): tile is number =>
  tile !== null && tile !== undefined && tile !== UNSEEN;

export const isPlayable = (kind: string): boolean => kind !== NOT_NOW && kind !== NEVER;

const aChainIsFree = (board: string): boolean => [...LETTERS].some((letter) => !board.includes(letter));

/** The chains that a tile touches, by number. */
export function chainsAround(board: string, tile: number): number[] {
  const found = new Set(NEIGHBOURS[tile]!.map((near) => board[near]!).filter(isChain).map(chainOf));
  return [...found].sort((one, other) => one - other);
}

/** What a tile would do now. The rest of the rack is not looked at. */
export function kindOf(board: string, tile: number): string {
  const chains = chainsAround(board, tile);
  if (chains.length === 1) return LETTERS[chains[0]!]!;
  if (chains.length > 1) {
    const safe = chains.filter((chain) => sizeOnBoard(board, chain) >= SAFE);
    return safe.length > 1 ? NEVER : MERGES;
  }
  const touches = NEIGHBOURS[tile]!.some((near) => board[near] === ALONE);
  if (!touches) return LONELY;
  return aChainIsFree(board) ? FORMS : NOT_NOW;
}

/** The kind of each tile of a rack, slot by slot; null for empty slots and tiles that are not seen. */
export function rackKinds(board: string, rack: Rack): (string | null)[] {
  const kinds = rack.map((tile) => (isSeen(tile) ? kindOf(board, tile) : null));
  if (!aChainIsFree(board)) return kinds;
  const lonely = new Set(rack.filter((tile, slot) => isSeen(tile) && kinds[slot] === LONELY));
  return kinds.map((kind, slot) =>
    kind === LONELY && NEIGHBOURS[rack[slot]!]!.some((near) => lonely.has(near)) ? NEIGHBOUR : kind,
  );
}

/** The chains whose colours a tile has, by what it would do. */
export function tonesOf(board: string, tile: number, kind: string): number[] {
  if (isChain(kind)) return [chainOf(kind)];
  return kind === MERGES || kind === NEVER ? chainsAround(board, tile) : [];
}
