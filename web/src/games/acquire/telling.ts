import type { Highlight } from "../../lib/board/scene.ts";
import type { Seat } from "../../lib/wire/types.ts";
import { inRack, onBoard, tileInRack } from "./choosing.ts";
import { chainsAround, FORMS, isPlayable, isSeen, kindOf, LONELY, MERGES, rackKinds } from "./kinds.ts";
import { ALONE, aloneAround, cellsOf, chainOf, DEAD, isChain, LETTERS, SAFE, sizeOnBoard } from "./plan.ts";
import { letterOf, type AcquireState } from "./rules.ts";
import { priceNow } from "./scores.ts";
import { words } from "./texts.ts";

/** The largest of the chains that a tile would merge. */
function survivors(board: string, chains: readonly number[]): number[] {
  const sizes = chains.map((chain) => sizeOnBoard(board, chain));
  return chains.filter((_, at) => sizes[at] === Math.max(...sizes));
}

/** What a tile would do, in words. */
function does(board: string, tile: number, kind = kindOf(board, tile)): string {
  const touched = chainsAround(board, tile);
  return words.does(kind, touched, survivors(board, touched));
}

/** The same of a tile in somebody's rack: there, two that touch nothing may be a pair. */
function doesInRack(state: AcquireState, seat: Seat, tile: number): string {
  const rack = state.racks[seat]!;
  return does(state.board, tile, rackKinds(state.board, rack)[rack.indexOf(tile)] ?? undefined);
}

/** Who is known to hold a tile. */
function holderOf({ racks }: AcquireState, tile: number): Seat | null {
  const seat = racks.findIndex((rack) => rack.includes(tile));
  return seat < 0 ? null : seat;
}

export function describe(state: AcquireState, square: string, name: (seat: Seat) => string, viewer: Seat | null): string {
  const held = tileInRack(square);
  if (held !== null) return viewer === null ? words.empty : doesInRack(state, viewer, held);
  const tile = Number(square);
  const cell = state.board[tile] ?? "";
  if (isChain(cell)) {
    const size = sizeOnBoard(state.board, chainOf(cell));
    return words.chain(chainOf(cell), size, size >= SAFE);
  }
  if (cell === ALONE) return words.house;
  if (cell === DEAD) return words.aside;
  const holder = holderOf(state, tile);
  if (holder === null) return words.empty;
  return holder === viewer ? words.yours(doesInRack(state, holder, tile)) : words.heldBy(words.empty, name(holder));
}

/** What is special about a square: what a chain costs, and what a known tile would do. */
export function explain(state: AcquireState, square: string): string | null {
  const tile = tileInRack(square) ?? Number(square);
  const cell = state.board[tile] ?? "";
  if (isChain(cell)) return words.priced(chainOf(cell), priceNow(state, chainOf(cell)), state.available[chainOf(cell)]!);
  const holder = holderOf(state, tile);
  if (holder === null) return null;
  // Of a tile that touches nothing there is no more to say than stands on it.
  if (kindOf(state.board, tile) === LONELY) return null;
  const said = doesInRack(state, holder, tile);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** What a tile that somebody points at would change: where it comes, and what becomes of what it touches. */
export function foresee(state: AcquireState, viewer: Seat | null, square: string): Highlight[] {
  const tile = tileInRack(square) ?? Number(square);
  if (viewer === null || !isSeen(tile) || !state.racks[viewer]?.includes(tile)) return [];
  const kind = kindOf(state.board, tile);
  const found: Highlight[] = [{ kind: "sets-off", squares: [onBoard(tile), inRack(tile)], seat: viewer }];
  const changed = isPlayable(kind) ? changes(state.board, tile, kind) : [];
  if (changed.length > 0) found.push({ kind: "takes", squares: changed.map(onBoard), seat: viewer });
  return found;
}

function changes(board: string, tile: number, kind: string): number[] {
  const near = aloneAround(board, tile).filter((other) => other !== tile);
  if (kind === FORMS) return near;
  if (isChain(kind)) return [...near, ...cellsOf(board, kind)];
  if (kind !== MERGES) return [];
  const touched = chainsAround(board, tile);
  const [survivor, ...tied] = survivors(board, touched);
  const swallowed = tied.length > 0 ? touched : touched.filter((chain) => chain !== survivor);
  return [...near, ...swallowed.flatMap((chain) => cellsOf(board, LETTERS[chain]!))];
}

/** The cell that a tile becomes as far as nobody has to choose: what is seen before it is played. */
export function cellAfter(board: string, tile: number): string {
  const kind = kindOf(board, tile);
  if (isChain(kind)) return kind;
  const [survivor, ...tied] = kind === MERGES ? survivors(board, chainsAround(board, tile)) : [];
  return survivor === undefined || tied.length > 0 ? ALONE : letterOf(survivor);
}
