import { castles, EMPTY, pawnThatPassed, rookSquares, SQUARES } from "./board.ts";
import { carries, type Moved, type PowerChessState, type Used } from "./rules.ts";

/** A number for each piece, by its square; null where there is none. */
export type Known = readonly (number | null)[];

export function knownPieces({ known, board }: PowerChessState): Known {
  return known ?? Array.from(board, (letter, square) => (letter === EMPTY ? null : square));
}

/** Who stands where after an action: whoever goes elsewhere is the same as before, and whoever comes is somebody new. */
export function knownAfter(before: Known, state: PowerChessState, event: Moved | Used, board: string): Known {
  const found = [...before];
  const ways = event.type === "moved" ? byMove(state, event) : byPower(state, event);
  for (const [from] of ways) found[from] = null;
  for (const [from, to] of ways) found[to] = before[from]!;
  let newcomer = Math.max(SQUARES, ...before.map((one) => (one ?? 0) + 1));
  return found.map((one, square) => (board[square] === EMPTY ? null : (one ?? newcomer++)));
}

type Way = readonly [from: number, to: number];

function byMove(state: PowerChessState, { start, end, saved }: Moved): Way[] {
  const ways: Way[] = [];
  if (typeof saved === "number") ways.push([state.board[end] === EMPTY ? pawnThatPassed(end) : end, saved]);
  if (castles(state.board[start]!, start, end)) ways.push(rookSquares(start, end));
  return [...ways, [start, end]];
}

function byPower(state: PowerChessState, event: Used): Way[] {
  const { power, square, target = null, drawn = null } = event;
  if (carries(event)) return [...(drawn === null ? [] : [[target!, drawn] as const]), [square, target!]];
  if (target !== null && power === "swap") return [[square, target], [target, square]];
  if (target !== null && drawn !== null && power === "send_away") return [[target, drawn]];
  return power === "rewind" ? backwards(state, event) : [];
}

function backwards(state: PowerChessState, { seat, updates = [] }: Used): Way[] {
  const relocation = state.relocations[1 - seat];
  if (!relocation || updates.length === 0) return [];
  const { piece, start, end } = relocation;
  if (!castles(piece, start, end)) return [[end, start]];
  const [corner, beside] = rookSquares(start, end);
  return [[end, start], [beside, corner]];
}
