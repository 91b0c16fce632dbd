import type { Piece } from "../../lib/board/scene.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { isSeen, rackKinds, tonesOf } from "./kinds.ts";
import { lotAt, rackShown, slotAt } from "./layout.ts";
import { ALONE, around, cellsOf, chainOf, DEAD, EMPTY, LETTERS, SAFE, tileName } from "./plan.ts";
import type { AcquireState } from "./rules.ts";

/** What is drawn of a tile: a house, a part of a building, a sign on a roof, a tile that somebody holds. */
export interface CityPiece extends Piece {
  kind: "house" | "building" | "sign" | "dead" | "own" | "held" | "rack";
  tile: number;
  chain?: number;
  /** Bits: which sides go on in the same building, from above clockwise. */
  joins?: number;
  /** What a tile in a rack would do, and the chains that it touches. */
  does?: string;
  tones?: number[];
  safe?: boolean;
  slot?: number;
}

export function pieces(state: AcquireState, _side: number, viewer: Seat | null): CityPiece[] {
  const rack = rackShown(state, viewer);
  const mine = rack === null ? null : viewer;
  return [...city(state), ...theirs(state, mine), ...(mine === null ? [] : own(state, mine))];
}

function city({ board }: AcquireState): CityPiece[] {
  const tiles = [...board].flatMap((cell, tile): CityPiece[] => (cell === EMPTY ? [] : [built(board, tile, cell)]));
  return [...tiles, ...signs(board)];
}

export function built(board: string, tile: number, cell: string): CityPiece {
  const place = { key: `lot-${tile}`, seat: null, tile, ...lotAt(tile) };
  if (cell === DEAD) return { ...place, kind: "dead" };
  if (cell === ALONE) return { ...place, kind: "house" };
  const joins = around(tile).reduce<number>(
    (bits, near, side) => (near !== null && board[near] === cell ? bits | (1 << side) : bits),
    0,
  );
  return { ...place, kind: "building", chain: chainOf(cell), joins };
}

/** Each chain has its initial once, in the middle of its roof. */
function signs(board: string): CityPiece[] {
  return [...LETTERS].flatMap((letter, chain): CityPiece[] => {
    const cells = cellsOf(board, letter);
    const tile = middleOf(cells);
    if (tile === null) return [];
    return [{ key: `sign-${letter}`, kind: "sign", seat: null, tile, chain, safe: cells.length >= SAFE, ...lotAt(tile) }];
  });
}

/** The cell that is nearest to the middle of them all. */
export function middleOf(cells: readonly number[]): number | null {
  const places = cells.map(lotAt);
  const mean = (of: "x" | "y") => places.reduce((sum, place) => sum + place[of], 0) / places.length;
  const [x, y] = [mean("x"), mean("y")];
  const away = (tile: number) => Math.hypot(lotAt(tile).x - x, lotAt(tile).y - y);
  return cells.reduce<number | null>((best, tile) => (best === null || away(tile) < away(best) - 0.01 ? tile : best), null);
}

/** The tiles of whoever looks: in the rack, and where they would come. */
function own(state: AcquireState, viewer: Seat): CityPiece[] {
  const rack = state.racks[viewer]!;
  const kinds = rackKinds(state.board, rack);
  return rack.flatMap((tile, slot): CityPiece[] => {
    const does = kinds[slot] ?? null;
    if (!isSeen(tile) || does === null) return [];
    const look = { seat: viewer, tile, does, tones: tonesOf(state.board, tile, does), slot };
    const onBoard: CityPiece[] =
      state.board[tile] === EMPTY ? [{ key: `own-${tile}`, kind: "own", ...look, ...lotAt(tile) }] : [];
    return [...onBoard, { key: `rack-${tile}`, kind: "rack", ...look, ...slotAt(slot) }];
  });
}

/** Where nobody's tiles are hidden any more, whose each of the others is. */
function theirs({ racks, board }: AcquireState, mine: Seat | null): CityPiece[] {
  return racks.flatMap((rack, seat) =>
    rack.flatMap((tile): CityPiece[] =>
      seat !== mine && isSeen(tile) && board[tile] === EMPTY ? [{ key: `own-${tile}`, kind: "held", seat, tile, ...lotAt(tile) }] : [],
    ),
  );
}

export const asCityPiece = (piece: Piece): CityPiece => piece as CityPiece;

export const labelOf = ({ tile }: CityPiece): string => tileName(tile);
